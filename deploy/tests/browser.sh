#!/usr/bin/env bash
# The page of deploy/clients/web in a real browser, against a real server: the browser lets it call where its origin is
# listed, and keeps it from calling where it is not. Over plaintext (HTTP/1.1) and over TLS (HTTP/2), with and without a
# bearer token.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# It drives the browser that is installed and brings none.
playwright=1.64.1

binary="$(server_binary)"
need chromium chromium
need openssl openssl
need curl curl

site="$work/deploy/clients/web"
modules="$cache/web"
mkdir -p "$work/deploy/clients" "$modules"
ln -s "$repo/proto" "$work/proto"
cp -r "$repo/deploy/clients/web" "$site"
if ! cmp -s "$site/package.json" "$modules/package.json"; then
    cp "$site/package.json" "$modules/package.json"
    npm install --silent --no-audit --no-fund --no-package-lock --prefix "$modules" >&2 || { rm "$modules/package.json"; fail "npm"; }
fi
[[ -d $cache/browser/node_modules/playwright-core ]] ||
    npm install --silent --no-audit --no-fund --no-package-lock --prefix "$cache/browser" "playwright-core@$playwright" >&2
ln -s "$modules/node_modules" "$site/node_modules"
(cd "$site" && npm run --silent build) >&2

page="$(free_port)"
python3 -m http.server "$page" --bind 127.0.0.1 --directory "$site" >/dev/null 2>&1 &
origin="http://localhost:$page"
until curl -sf -o /dev/null "$origin"; do sleep 0.05; done

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
    -keyout "$work/tls.key" -out "$work/tls.crt" 2>/dev/null
# The one certificate that the browser trusts, by its key.
pin="$(openssl x509 -in "$work/tls.crt" -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64)"
token="$(openssl rand -hex 16)"
printf '%s\n' "$token" >"$work/tokens"

# visit NAME SERVER [PARAMETER…]: what the page says in the end.
visit() {
    local name="$1" query="timeout=30000&server=$2"
    shift 2
    for parameter in "$@"; do query="$query&$parameter"; done
    NODE_PATH="$cache/browser/node_modules" node "$repo/deploy/tests/browser.js" "$origin/?$query" "$pin" >"$work/$name.txt" ||
        fail "$name: the browser"
}

# decided ADMIN_PORT: how many calls of Decide the server has seen.
decided() {
    curl -sf "http://127.0.0.1:$1/metrics" | awk '/^grpc_server_started_total.*grpc_method="Decide"/ { print $2 }'
}

says() { grep -qE "$2" "$work/$1.txt" || fail "$1: the page says: $(cat "$work/$1.txt")"; }

answered() {
    says "$1" '^play: PAIR (9h 9s|Kh Ks)$'
    says "$1" '^legal plays: 3$'
    says "$1" '^check: PAIR 9h 9s beats$'
}

plain="$(free_port)" plain_admin="$(free_port)" tls="$(free_port)" tls_admin="$(free_port)" other="$(free_port)" other_admin="$(free_port)"
start_server "$plain" "$plain_admin" --grpc-web true --cors-origin "$origin"
start_server "$tls" "$tls_admin" --grpc-web true --cors-origin "$origin" --tls-cert "$work/tls.crt" --tls-key "$work/tls.key" \
    --auth-tokens-file "$work/tokens"
start_server "$other" "$other_admin" --grpc-web true --cors-origin https://play.example.com

visit plain "http://localhost:$plain"
answered plain
say "plaintext: $(head -1 "$work/plain.txt")"
visit tls "https://localhost:$tls" "token=$token"
answered tls
say "TLS and token: $(head -1 "$work/tls.txt")"
visit stranger "https://localhost:$tls"
says stranger '^failed: Unauthenticated: '
say "TLS without token: $(cat "$work/stranger.txt")"
visit blocked "http://localhost:$other"
says blocked '^failed: '
grep -qE '^(play|check)' "$work/blocked.txt" && fail "blocked: $(cat "$work/blocked.txt")"
[[ $(decided "$other_admin") == 0 ]] || fail "the browser let a page of another origin call"
[[ $(decided "$plain_admin") == 1 && $(decided "$tls_admin") == 2 ]] || fail "calls were counted elsewhere"
say "other origin: $(head -1 "$work/blocked.txt")"
say "browser: ok, $(chromium --version 2>/dev/null)"

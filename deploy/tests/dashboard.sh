#!/usr/bin/env bash
# Runs two servers under load with a Prometheus that scrapes them, and executes every query of the dashboard and every
# recording rule there: each must return data. Also looks whether every metric that the README lists is there with the
# labels that it lists, whether Prometheus and callers agree about latency, and that no alert fires.
#
# One server gets mixed traffic in plaintext; the other speaks TLS, asks for a token, and searches.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

binary="$(server_binary)"
need prometheus prometheus
need curl curl
need openssl openssl
grpc="$(free_port)" admin="$(free_port)" tls_grpc="$(free_port)" tls_admin="$(free_port)" web="$(free_port)"

ec=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
openssl req -x509 "${ec[@]}" -days 1 -subj /CN=test -keyout "$work/ca.key" -out "$work/ca.pem" 2>/dev/null
echo subjectAltName=DNS:localhost >"$work/extensions"

# publish NAME: a new certificate, key and token, as a Secret is mounted: what the server reads is a link to a folder, and
# a change is another link.
publish() {
    mkdir "$work/$1"
    openssl req -new "${ec[@]}" -subj /CN=localhost -keyout "$work/$1/key" -out "$work/$1/csr" 2>/dev/null
    openssl x509 -req -in "$work/$1/csr" -CA "$work/ca.pem" -CAkey "$work/ca.key" -set_serial 1 -days 1 \
        -extfile "$work/extensions" -out "$work/$1/cert" 2>/dev/null
    openssl rand -base64 24 >"$work/$1/tokens"
    ln -s "$1" "$work/link"
    mv -T "$work/link" "$work/current"
}

publish first
start_server "$grpc" "$admin"
start_server "$tls_grpc" "$tls_admin" --tls-cert "$work/current/cert" --tls-key "$work/current/key" \
    --auth-tokens-file "$work/current/tokens" --reload-interval 1s --time-budget 180ms
cp "$repo"/deploy/prometheus/{rules,alerts}.yml "$work"
cat >"$work/prometheus.yml" <<CONFIG
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [rules.yml, alerts.yml]
scrape_configs:
  - job_name: doudizhu
    static_configs: [{targets: ["127.0.0.1:$admin", "127.0.0.1:$tls_admin"]}]
CONFIG
promtool check config "$work/prometheus.yml" >/dev/null
curl -sf "http://127.0.0.1:$admin/metrics" | promtool check metrics >&2 || fail "promtool does not like /metrics"
start_prometheus "$web" "$work/prometheus.yml"
python_stubs "$work/stubs"

# Certificates and tokens change while the servers run.
publish second
sleep 3
"$python" "$repo/deploy/tests/traffic.py" "$work/stubs" "127.0.0.1:$grpc" 25 --rate 100 >"$work/traffic.json" &
traffic=$!
"$binary" load --addr "https://localhost:$tls_grpc" --tls-ca "$work/ca.pem" --token-file "$work/current/tokens" \
    --concurrency 1 --duration 25s --json >"$work/searched.json" &
searched=$!
"$binary" load --addr "http://127.0.0.1:$grpc" --concurrency 8 --rate 1000 --duration 25s --json >"$work/load.json" ||
    fail "load: $(cat "$work/load.json")"
wait "$searched" || fail "load with TLS and a token: $(cat "$work/searched.json")"
# While the mixed traffic comes to its end.
"$python" "$repo/deploy/tests/dashboard.py" "$repo" "http://127.0.0.1:$web" "127.0.0.1:$admin" "$work/load.json" \
    "127.0.0.1:$tls_admin" "$work/searched.json"
wait "$traffic" || fail "traffic: $(cat "$work/traffic.json")"
say "dashboard: ok"

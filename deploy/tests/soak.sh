#!/usr/bin/env bash
# Mixed valid, invalid, cancelled, late, slow and silent traffic for half an hour: nothing may leak, and every caller
# must get the outcome it asked for. Callers retry as documented: one that cancels twenty calls at once has its
# connection closed by the HTTP/2 library's guard, and calls of others that share it are sent again.
#
# Usage: soak.sh [MINUTES]      default: 30
#
# Environment: RATE [300] calls a second.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

minutes="${1:-30}"
binary="$(server_binary)"
need curl curl
need jq jq
grpc="$(free_port)" admin="$(free_port)"
# Short, so that connections of every age end while it runs.
start_server "$grpc" "$admin" --max-connection-age 30s --max-connection-age-grace 15s
server=$pid
python_stubs "$work/stubs"
"$python" "$repo/deploy/tests/traffic.py" "$work/stubs" "127.0.0.1:$grpc" "$((minutes * 60))" --rate "${RATE:-300}" \
    --service-config "$repo/deploy/clients/service_config.json" >"$work/traffic.json" &
traffic=$!
while kill -0 "$traffic" 2>/dev/null; do
    curl -sf "http://127.0.0.1:$admin/metrics" |
        awk -v now="$EPOCHSECONDS" '$1 == "process_resident_memory_bytes" { rss = $2 } $1 == "process_open_fds" { fds = $2 }
            $1 == "doudizhu_connections" { open = $2 } $1 == "process_threads" { threads = $2 }
            END { print now, rss, fds, open, threads }' >>"$work/samples"
    sleep 5
done
wait "$traffic" || fail "$(cat "$work/traffic.json")"
say "$(jq -c . "$work/traffic.json")"
kill -0 "$server" || fail "the server is gone"
[[ $(curl -sf "http://127.0.0.1:$admin/metrics" | awk '$1 == "doudizhu_panics_total" { print $2 }') == 0 ]] || fail "calls panicked"

# The first quarter is warming up. What is left is halved: the second half must not hold more than the first.
awk '{ rss[NR] = $2; fds[NR] = $3; threads[NR] = $5 }
    END {
        first = int(NR / 4) + 1; middle = int((first + NR) / 2)
        for (i = first; i <= NR; i++) {
            half = i > middle
            sum[half] += rss[i]; n[half]++
            if (fds[i] > most[half]) most[half] = fds[i]
            if (threads[i] > most_threads) most_threads = threads[i]
        }
        printf "resident %.1f MiB, then %.1f MiB; descriptors at most %d, then %d; threads %d; %d samples\n",
            sum[0] / n[0] / 1048576, sum[1] / n[1] / 1048576, most[0], most[1], most_threads, NR
        exit sum[1] / n[1] > 1.05 * sum[0] / n[0] + 1048576 || most[1] > most[0] + 16
    }' "$work/samples" >&2 || fail "something grows"

kill -TERM "$server"
code=0
wait "$server" || code=$?
[[ $code == 0 ]] || fail "the server ended with $code"
say "soak: ok, $minutes minutes"

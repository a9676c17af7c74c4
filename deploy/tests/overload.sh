#!/usr/bin/env bash
# Three times as many calls as one replica can answer, for a minute: those it takes it must answer well, the others it
# must refuse at once, and it must stay healthy.
#
# Usage: overload.sh
#
# Environment: SECONDS_OVER [60], MAX_CALLS [1024, the server's default].
#
# The server has one core and one worker, and the callers another core, so that what is measured is the server's limit
# and not the callers'. Three times its capacity is asked for; if the callers' core cannot offer that many, what it did offer is
# told. On a machine that does other work as well, run it as `chrt -r 5 overload.sh`.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

over="${SECONDS_OVER:-60}" max_calls="${MAX_CALLS:-1024}"
binary="$(server_binary)"
need curl curl
need jq jq
need prometheus prometheus
need taskset util-linux
grpc="$(free_port)" admin="$(free_port)" web="$(free_port)"
start_server "$grpc" "$admin" --worker-threads 1 --max-calls "$max_calls"
server=$pid
taskset -a -p -c 0 "$server" >/dev/null
cp "$repo"/deploy/prometheus/{rules,alerts}.yml "$work"
cat >"$work/prometheus.yml" <<EOF
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [rules.yml, alerts.yml]
scrape_configs:
  - job_name: doudizhu
    static_configs: [{targets: ["127.0.0.1:$admin"]}]
EOF
start_prometheus "$web" "$work/prometheus.yml"
taskset -a -p -c 1 "$pid" >/dev/null
python_stubs "$work/stubs"

load() {
    local name="$1"
    shift
    taskset -c 1 "$binary" load --addr "http://127.0.0.1:$grpc" --connections 16 --json "$@" >"$work/$name.json" \
        2>"$work/$name.err" || true
}
rate_of() { jq '.levels[0].server.calls_per_second | floor' "$work/$1.json"; }
started() { curl -sf "http://127.0.0.1:$admin/metrics" | awk '/^grpc_server_started_total.*"Decide"/ { print $2 }'; }
resident() { curl -sf "http://127.0.0.1:$admin/metrics" | awk '$1 == "process_resident_memory_bytes" { print $2 }'; }
firing() { curl -sf "http://127.0.0.1:$web/api/v1/alerts" | jq -r '.data.alerts[] | select(.state == "firing") | .labels.alertname'; }

# As many callers as keep the server busy, below the limit on calls in flight.
load capacity --concurrency 512 --duration 10s
capacity="$(rate_of capacity)"
jq -e '.levels[0].server.failed == {}' "$work/capacity.json" >/dev/null || fail "calls failed below the limit"
[[ -z $(firing) ]] || fail "alerts at full but not too much load: $(firing)"
say "capacity: $capacity calls/s on one core, resident $(resident) bytes"

before="$(started)"
load overload --concurrency 3000 --rate $((3 * capacity)) --duration "${over}s" --timeout 5s &
loader=$!
"$python" "$repo/deploy/tests/overload.py" "$work/stubs" "127.0.0.1:$grpc" "$((over - 5))" >"$work/probes.json"
resident="$(resident)"
wait "$loader"
goodput="$(rate_of overload)"
offered=$((($(started) - before) / over))
say "overload: $((3 * capacity)) calls/s wanted, $offered/s offered, $goodput/s answered," \
    "failed $(jq -c '.levels[0].server.failed' "$work/overload.json"), resident $resident bytes"
say "probes during it: $(jq -c . "$work/probes.json")"
for ((try = 0; try < 60; try++)); do
    [[ $(firing) == *DoudizhuShedding* ]] && break
    sleep 1
done
[[ $(firing) == *DoudizhuShedding* ]] || fail "DoudizhuShedding does not fire"
# shellcheck disable=SC2046
say "alerts:" $(firing)

load recovery --concurrency 512 --duration 5s
say "afterwards: $(rate_of recovery) calls/s, p99 $(jq '.levels[0].server.p99 | round' "$work/recovery.json") µs"

((offered * 2 >= capacity * 3)) || fail "this machine offers only $offered calls/s: no overload"
((goodput * 10 >= capacity * 9)) || fail "goodput $goodput is below 90 % of the capacity, $capacity"
jq -e '.health_ms.max < 100' "$work/probes.json" >/dev/null || fail "health checks took too long"
jq -e '.shed_ms.p99 < 5' "$work/probes.json" >/dev/null || fail "refusals took too long"
((resident < 100 * 1024 * 1024)) || fail "resident memory is $resident bytes"
(($(rate_of recovery) * 10 >= capacity * 9)) || fail "no recovery"
say "overload: ok"

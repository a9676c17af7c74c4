#!/usr/bin/env bash
# Far more calls than one replica can answer: what it takes it must answer, what it refuses it must refuse at once, and
# it must stay healthy.
#
# Usage: overload.sh
#
# Environment: SECONDS_OVER [60], of each part; CALLS [768] of the first; STRICT [unset]: no health check and no more than
# one refusal in a hundred may be late, instead of one in a hundred and every second one, which on a machine that is not
# idle is the scheduler's doing.
#
# The server has one core and one worker and the callers another core, so that the limit is the server's and not the
# callers'. Who measures goes before who makes load.
#
# Part one: three times as many calls at any moment as keep the server busy; h2load sends the next one as soon as one is
# answered. Part two: a server that may have 64 calls in flight, 2000 callers that do not wait after a refusal.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

quantile="p99"
[[ -z ${STRICT:-} ]] || quantile="max"
over="${SECONDS_OVER:-60}" calls="${CALLS:-768}"
binary="$(server_binary)"
need curl curl
need jq jq
need prometheus prometheus
need taskset util-linux
need h2load nghttp2-client
grpc="$(free_port)" admin="$(free_port)" small_grpc="$(free_port)" small_admin="$(free_port)" web="$(free_port)"

start_server "$grpc" "$admin" --worker-threads 1
taskset -a -p -c 0 "$pid" >/dev/null
start_server "$small_grpc" "$small_admin" --worker-threads 1 --max-calls 64
taskset -a -p -c 0 "$pid" >/dev/null
cp "$repo"/deploy/prometheus/{rules,alerts}.yml "$work"
cat >"$work/prometheus.yml" <<EOF
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [rules.yml, alerts.yml]
scrape_configs:
  - job_name: doudizhu
    static_configs: [{targets: ["127.0.0.1:$admin", "127.0.0.1:$small_admin"]}]
EOF
start_prometheus "$web" "$work/prometheus.yml"
taskset -a -p -c 1 "$pid" >/dev/null
python_stubs "$work/stubs"
"$python" "$repo/deploy/tests/overload.py" "$work/stubs" body "$work/request"

# value ADMIN_PORT SERIES: the value of a series; SERIES is a regular expression.
value() { curl -sf "http://127.0.0.1:$1/metrics" | awk -v series="^$2" '$0 ~ series { sum += $2 } END { print sum + 0 }'; }
answered() { value "$admin" 'grpc_server_handled_total.*grpc_method="Decide".*grpc_code="OK"'; }
firing() { curl -sf "http://127.0.0.1:$web/api/v1/alerts" | jq -r '.data.alerts[] | select(.state == "firing") | .labels.alertname'; }

# flood SECONDS CONNECTIONS CALLS: CALLS at any moment on each of CONNECTIONS; sets $rate, answers a second. h2load takes every
# answer for a success: what counts is what the server counts.
flood() {
    local before
    before="$(answered)"
    taskset -c 1 h2load -D "$1" -c "$2" -m "$3" -d "$work/request" -H 'content-type: application/grpc' -H 'te: trailers' \
        "http://127.0.0.1:$grpc/doudizhu.v1.DecisionService/Decide" >"$work/h2load.txt"
    rate=$((($(answered) - before) / $1))
}

# probe PORT ADMIN_PORT NAME: asks for health and decisions meanwhile.
probe() {
    taskset -c 1 "$python" "$repo/deploy/tests/overload.py" "$work/stubs" probe "127.0.0.1:$1" "127.0.0.1:$2" "$((over - 5))" \
        >"$work/$3.json" &
    prober=$!
}

check_health() {
    wait "$prober" || fail "the probes"
    say "probes meanwhile: $(jq -c . "$work/$1.json")"
    jq -e ".health_ms.$quantile < 100 and .healthz_ms.$quantile < 100" "$work/$1.json" >/dev/null ||
        fail "health checks took too long"
    jq -e '.other == {}' "$work/$1.json" >/dev/null || fail "calls ended in other ways"
}

flood 10 8 32
capacity=$rate
[[ -z $(firing) ]] || fail "alerts at full but not too much load: $(firing)"
resident="$(value "$admin" 'process_resident_memory_bytes')"
say "capacity: $capacity calls/s on one core, resident $((resident / 1048576)) MiB"

probe "$grpc" "$admin" flooded
flood "$over" 32 "$((calls / 32))"
goodput=$rate
resident="$(value "$admin" 'process_resident_memory_bytes')"
say "$calls calls at any moment: $goodput/s answered, resident $((resident / 1048576)) MiB"
check_health flooded
flood 5 8 32
say "afterwards: $rate calls/s"
# Capacity drifts with what else the machine does: the lower of before and after counts.
((rate >= capacity)) || capacity=$rate
((goodput * 10 >= capacity * 9)) || fail "goodput $goodput is below 90 % of the capacity, $capacity"
((resident < 100 * 1048576)) || fail "resident memory is $resident bytes"

probe "$small_grpc" "$small_admin" refused
taskset -c 1 chrt -f 20 "$binary" load --addr "http://127.0.0.1:$small_grpc" --connections 1 --concurrency 4 --rate 200 \
    --duration "$((over - 2))s" --json >"$work/refusals.json" 2>/dev/null &
refused=$!
taskset -c 1 "$binary" load --addr "http://127.0.0.1:$small_grpc" --connections 16 --concurrency 2000 --duration "${over}s" --timeout 5s \
    --json >"$work/load.json" 2>"$work/load.txt" || true
say "64 calls in flight allowed: $(jq -c '.levels[0].server | {answered: (.calls_per_second | round), failed}' "$work/load.json")"
check_health refused
wait "$refused" || true
say "refusals meanwhile, µs: $(jq -c '.levels[0].server | {refused: .failed.ResourceExhausted, answered: .calls, shed}' "$work/refusals.json")"
late="p50"
[[ -z ${STRICT:-} ]] || late="p99"
jq -e '.levels[0].server.failed.ResourceExhausted > 0' "$work/refusals.json" >/dev/null || fail "nothing was refused"
jq -e ".levels[0].server.shed.$late < 5000" "$work/refusals.json" >/dev/null || fail "refusals took too long"
# Anything else would be a connection that was lost, and with it calls that had been let in.
jq -e '.levels[0].server.failed | keys == ["ResourceExhausted"]' "$work/load.json" >/dev/null || fail "calls failed in other ways"
for ((try = 0; try < 60; try++)); do
    [[ $(firing) == *DoudizhuShedding* ]] && break
    sleep 1
done
[[ $(firing) == DoudizhuShedding ]] || fail "firing: $(firing)"
say "DoudizhuShedding fires, nothing else"
started="$EPOCHREALTIME"
"$binary" decide --addr "http://127.0.0.1:$small_grpc" --hand "3 4 5 6 7 9" >/dev/null || fail "no recovery"
say "answered again after $(awk -v from="$started" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.0f", 1e3 * (to - from) }') ms"
say "overload: ok"

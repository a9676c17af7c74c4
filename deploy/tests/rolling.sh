#!/usr/bin/env bash
# Two replicas behind a real proxy at steady load. Both are restarted in turn, ten times: no call may fail. Then one is
# killed: only calls in flight on it may fail, and with retries none.
#
# Usage: rolling.sh [haproxy|nginx]      default: haproxy
#
# Environment: RESTARTS [10], RATE [1000] calls a second.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

proxy="${1:-haproxy}"
restarts="${RESTARTS:-10}" rate="${RATE:-1000}"
binary="$(server_binary)"
need curl curl
need jq jq
declare -A grpc=([a]="$(free_port)" [b]="$(free_port)") admin=([a]="$(free_port)" [b]="$(free_port)") pid_of=()
front="$(free_port)"
# Long enough for the proxy's health check to notice, as with a real endpoint controller.
pause=1500ms

start() {
    start_server "${grpc[$1]}" "${admin[$1]}" --lame-duck "$pause" --drain-limit 5s
    pid_of[$1]=$pid
}

# The end of a replica as an orchestrator brings it about.
stop() {
    kill -TERM "${pid_of[$1]}"
    local code=0
    wait "${pid_of[$1]}" || code=$?
    [[ $code == 0 ]] || fail "a server ended with $code after SIGTERM"
}

start_haproxy() {
    need haproxy haproxy
    cat >"$work/haproxy.cfg" <<EOF
$(sed "s/:50051/:$front/" "$repo/deploy/proxies/haproxy.cfg")
    server a 127.0.0.1:${grpc[a]} proto h2 check check-proto h1 port ${admin[a]} inter 500ms fall 1 rise 1
    server b 127.0.0.1:${grpc[b]} proto h2 check check-proto h1 port ${admin[b]} inter 500ms fall 1 rise 1
EOF
    /usr/sbin/haproxy -c -q -f "$work/haproxy.cfg" || fail "haproxy.cfg"
    /usr/sbin/haproxy -db -f "$work/haproxy.cfg" >"$work/proxy.log" 2>&1 &
}

start_nginx() {
    need nginx nginx-light
    sed -e "s/listen 50051/listen 127.0.0.1:$front/" -e "s/replica-a:50051/127.0.0.1:${grpc[a]}/" \
        -e "s/replica-b:50051/127.0.0.1:${grpc[b]}/" "$repo/deploy/proxies/nginx.conf" >"$work/nginx.conf"
    /usr/sbin/nginx -p "$work" -c "$work/nginx.conf" -e "$work/nginx-error.log" -g "daemon off; pid $work/nginx.pid;" \
        >"$work/proxy.log" 2>&1 &
}

# load NAME SECONDS [FLAG…]: steady load through the proxy; the report is $work/NAME.json.
load() {
    local name="$1" seconds="$2"
    shift 2
    "$binary" load --addr "http://127.0.0.1:$front" --concurrency 64 --connections 4 --rate "$rate" \
        --duration "${seconds}s" --timeout 2s --json "$@" >"$work/$name.json" 2>"$work/$name.err"
}

figures() {
    jq -r --arg name "$1" '.levels[0].server | "\($name): \(.calls) calls, p50 \(.p50 | round) µs, p99 \(.p99 | round) µs,"
        + " max \(.max | round) µs, failed \(.failed | tojson)"' "$work/$1.json" >&2
}

failed() { jq '[.levels[0].server.failed[]] | add // 0' "$work/$1.json"; }

start a
start b
"start_$proxy"
for ((try = 0; try < 100; try++)); do
    "$binary" health --addr "http://127.0.0.1:$front" >/dev/null 2>&1 && break
    sleep 0.1
done
"$binary" health --addr "http://127.0.0.1:$front" >/dev/null || fail "no health through the proxy: $(cat "$work/proxy.log")"

load before 15 || fail "before: $(cat "$work/before.err")"
figures before

# Each restart takes the pause, the drain and the start; the load goes on until told otherwise.
seconds=$((restarts * 2 * 4 + 5))
load during "$seconds" &
loader=$!
sleep 1
for ((round = 1; round <= restarts; round++)); do
    for replica in a b; do
        stop "$replica"
        start "$replica"
        # The proxy must see the new one before the next one leaves.
        sleep 1.2
    done
done
kill -0 "$loader" 2>/dev/null || fail "the load ended before the restarts: raise its duration"
wait "$loader" || true
figures during
load after 15 || fail "after: $(cat "$work/after.err")"
figures after
[[ $(failed during) == 0 ]] || fail "$(failed during) calls failed during $restarts rolling restarts"

load killed 8 &
loader=$!
sleep 3
kill -KILL "${pid_of[a]}"
wait "${pid_of[a]}" 2>/dev/null || true
wait "$loader" || true
figures killed
# At this load a handful of calls is in flight; many more would mean that the proxy goes on sending.
[[ $(failed killed) -le 64 ]] || fail "$(failed killed) calls failed when one replica was killed"
start a
sleep 1
load retried 8 --retries 3 &
loader=$!
sleep 3
kill -KILL "${pid_of[b]}"
wait "${pid_of[b]}" 2>/dev/null || true
wait "$loader" || true
figures retried
[[ $(failed retried) == 0 ]] || fail "$(failed retried) calls failed with retries when one replica was killed"
say "rolling ($proxy): ok, $restarts rolling restarts without a failed call"

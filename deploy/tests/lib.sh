# Shared by the scripts beside it; sourced, not run.
# shellcheck shell=bash
#
# Environment:
#   DOUDIZHU       the server binary            [default: target/release/doudizhu, built if it is missing]
#   DEPLOY_CACHE   where tools are installed    [default: target/deploy]

repo="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
cache="${DEPLOY_CACHE:-$repo/target/deploy}"
work="$(mktemp -d)"
python="$cache/venv/bin/python"

say() { printf '%s\n' "$*" >&2; }
fail() { say "FAILED: $*"; exit 1; }

# Ends what this script started and has not waited for, and nothing else.
finish() {
    local code=$? pid
    for pid in $(jobs -p); do kill -TERM "$pid" 2>/dev/null || true; done
    wait
    if [[ -n ${KEEP:-} ]]; then say "kept: $work"; else rm -rf "$work"; fi
    exit "$code"
}
trap finish EXIT

# need PROGRAM PACKAGE: has PROGRAM, from Debian's PACKAGE if it is missing.
need() {
    if command -v "$1" >/dev/null || [[ -x /usr/sbin/$1 ]]; then return; fi
    if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
        fail "$1 is missing; on Debian: apt-get install $2"
    fi
    say "installing $2"
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2" >/dev/null 2>&1 || {
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2" >/dev/null
    }
}

# Has $python, the Python of a virtual environment with what requirements.txt asks for.
need_python() {
    local wanted="$repo/deploy/tests/requirements.txt"
    cmp -s "$wanted" "$cache/venv/installed.txt" && return
    python3 -m venv "$cache/venv" >&2
    "$python" -m pip install --quiet --disable-pip-version-check --requirement "$wanted" >&2
    cp "$wanted" "$cache/venv/installed.txt"
}

# Generates the Python messages and stubs of proto/ into $1.
python_stubs() {
    need_python
    mkdir -p "$1"
    "$python" -m grpc_tools.protoc -I "$repo/proto" --python_out="$1" --grpc_python_out="$1" \
        "$repo"/proto/doudizhu/v1/*.proto
}

# The server's binary.
server_binary() {
    local binary="${DOUDIZHU:-$repo/target/release/doudizhu}"
    [[ -x $binary || -n ${DOUDIZHU:-} ]] || (cd "$repo" && cargo build --release --locked --bin doudizhu >&2)
    [[ -x $binary ]] || fail "there is no $binary"
    printf '%s\n' "$binary"
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# start_server GRPC_PORT ADMIN_PORT [FLAG…]: starts a server and waits until it is ready. Sets $pid; the log is
# $work/server-GRPC_PORT.log.
start_server() {
    local grpc="$1" admin="$2"
    shift 2
    "$binary" serve --listen "127.0.0.1:$grpc" --admin-listen "127.0.0.1:$admin" "$@" 2>>"$work/server-$grpc.log" &
    pid=$!
    wait_ready "$admin" "$pid" || { tail -5 "$work/server-$grpc.log" >&2; fail "the server did not become ready"; }
}

# wait_ready ADMIN_PORT PID: until the server says that it wants calls.
wait_ready() {
    local try
    for ((try = 0; try < 200; try++)); do
        curl -sf -o /dev/null "http://127.0.0.1:$1/readyz" && return
        kill -0 "$2" 2>/dev/null || return 1
        sleep 0.05
    done
    return 1
}

# start_prometheus PORT CONFIG: starts Prometheus and waits until it is ready. Sets $pid.
start_prometheus() {
    prometheus --config.file="$2" --storage.tsdb.path="$work/tsdb-$1" --web.listen-address="127.0.0.1:$1" \
        >"$work/prometheus-$1.log" 2>&1 &
    pid=$!
    local try
    for ((try = 0; try < 200; try++)); do
        curl -sf -o /dev/null "http://127.0.0.1:$1/-/ready" && return
        sleep 0.1
    done
    tail -5 "$work/prometheus-$1.log" >&2
    fail "Prometheus did not become ready"
}

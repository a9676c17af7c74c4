#!/usr/bin/env bash
# Fuzzes the messages, in process, and the connections of real servers, in plaintext and in TLS: whatever comes, nothing
# panics, nothing is kept, and good calls are answered. Coverage guides it: libFuzzer, with the stable compiler.
#
# Usage: fuzz.sh [MINUTES] [messages] [connections]      default: 30 minutes, both at once
#
# It begins with the inputs of tests/data/corpus and with those that earlier runs found, which are in target/fuzz/corpus. An input
# that breaks something is left in target/fuzz/found, and the script fails; send it again with
# target/fuzz/HOST/release/TARGET FILE.
#
# Needs a C++ compiler, for libFuzzer.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

minutes="${1:-30}"
shift || true
(($#)) || set -- messages connections
need c++ g++

target="$repo/target/fuzz"
host="$(rustc --print host-tuple)"
mkdir -p "$target/found"
# What cargo-fuzz passes, but for the sanitizers, which need a nightly compiler: the only unsafe code here, the
# networks' arithmetic, sees no byte of a request. `--target` keeps it away from build scripts.
coverage=(-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares)
(cd "$repo/tests/fuzz" &&
    RUSTFLAGS="${coverage[*]}" CARGO_TARGET_DIR="$target" cargo build --release --locked --target "$host" >&2)

declare -A running
for name in "$@"; do
    mkdir -p "$target/corpus/$name"
    # Connections end by a patience of their own, before libFuzzer's.
    "$target/$host/release/$name" -max_total_time=$((minutes * 60)) -max_len=4096 -timeout=400 -rss_limit_mb=1024 \
        -print_final_stats=1 -artifact_prefix="$target/found/$name-" "$target/corpus/$name" "$repo/tests/data/corpus/$name" \
        >"$target/$name.log" 2>&1 &
    running[$name]=$!
done
for name in "$@"; do
    wait "${running[$name]}" || { tail -40 "$target/$name.log" >&2; fail "$name: see $target/found"; }
    say "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$target/$name.log") inputs," \
        "$(sed -n 's/^stat::average_exec_per_sec: *//p' "$target/$name.log")/s," \
        "coverage $(grep -oE 'cov: [0-9]+' "$target/$name.log" | tail -1 | cut -d' ' -f2)," \
        "at most $(sed -n 's/^stat::peak_rss_mb: *//p' "$target/$name.log") MiB"
    grep '^after .* inputs:' "$target/$name.log" | tail -1 >&2 || true
done
say "fuzz: ok, $minutes minutes"

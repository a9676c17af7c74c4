#!/usr/bin/env bash
# Builds for 64-bit ARM and runs it there, emulated by QEMU: every lane of the networks' arithmetic says the same, and the
# program chooses the plays that tests/data/signatures.txt holds for every processor.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

root=/usr/aarch64-linux-gnu
triple=aarch64-unknown-linux-gnu
need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
need "$root/lib/libc.so.6" libc6-dev-arm64-cross
need qemu-aarch64-static qemu-user-static
rustup target add "$triple" >&2

export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64-static -L $root"
cd "$repo"
cargo test --locked --release --target "$triple" --lib expert:: >&2
cargo build --locked --release --target "$triple" --bin doudizhu >&2
qemu-aarch64-static -L "$root" "target/$triple/release/doudizhu" bench --signatures >"$work/signatures.txt"
diff tests/data/signatures.txt "$work/signatures.txt" >&2 || fail "other plays on ARM"
say "arm64: ok, $(wc -l <tests/data/signatures.txt) signatures"

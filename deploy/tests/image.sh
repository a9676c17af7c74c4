#!/usr/bin/env bash
# Builds the image without a registry: the static binary with this machine's cargo, from the files that the Dockerfile
# gets and with the command that it runs; then the Dockerfile's last stage with buildah. Runs the binary in the image's
# own, read-only root as the image's user.
#
# Usage: image.sh [ARCHIVE]      ARCHIVE: where to leave the image, as an OCI archive
#
# The build as a whole needs an engine and a registry for its first stage (rust:…-slim-bookworm); that is not run here.
# Environment: STATIC, a static binary, instead of building one.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need buildah buildah
need jq jq
need curl curl
dockerfile="$repo/deploy/Dockerfile"
revision="$(git -C "$repo" rev-parse --short HEAD 2>/dev/null || echo unknown)"
version="$(sed -n 's/^version = "\(.*\)"/\1/p' "$repo/Cargo.toml" | head -1)"
# The plain driver: it mounts nothing that would be left behind.
storage=(--storage-driver vfs --root "$work/store" --runroot "$work/run")
bud() { buildah "${storage[@]}" bud --isolation chroot --quiet "$@"; }

# What the ignore file lets through is enough to build.
printf 'FROM scratch\nCOPY . /\n' >"$work/context.dockerfile"
bud --ignorefile "$dockerfile.dockerignore" -f "$work/context.dockerfile" -t context "$repo" >/dev/null
container="$(buildah "${storage[@]}" from context)"
context="$(buildah "${storage[@]}" mount "$container")"
say "context: $(du -sk --exclude=proc --exclude=sys "$context" | cut -f1) KiB"
binary="${STATIC:-}"
if [[ -z $binary ]]; then
    host="$(rustc --print host-tuple)"
    cp -r "$context" "$work/source"
    (cd "$work/source" && DOUDIZHU_REVISION="$revision" RUSTFLAGS="-C target-feature=+crt-static" \
        CARGO_TARGET_DIR="$cache/static" cargo build --release --locked --bin doudizhu --target "$host" >&2)
    binary="$cache/static/$host/release/doudizhu"
fi
file "$binary" 2>/dev/null | sed 's/.*: //; s/, BuildID.*//' >&2 || true
# A static binary that is position independent satisfies ldd as well, which then says so.
[[ $(ldd "$binary" 2>&1 || true) =~ (statically linked|not a dynamic executable) ]] || fail "$binary is not static"

# The last stage of the very Dockerfile; what it copies from the first one comes from a folder.
install -D -m 0555 "$binary" "$work/build/out/doudizhu"
sed -n '/^FROM scratch/,$p' "$dockerfile" >"$work/runtime.dockerfile"
mkdir "$work/empty"
bud --build-context "build=$work/build" --build-arg "VERSION=$version" --build-arg "REVISION=$revision" \
    --build-arg "CREATED=$(date -u +%Y-%m-%dT%H:%M:%SZ)" -f "$work/runtime.dockerfile" -t doudizhu "$work/empty" >/dev/null
config="$(buildah "${storage[@]}" inspect --type image doudizhu | jq .OCIv1.config)"
jq -e '.User == "65532:65532" and .Entrypoint == ["/doudizhu"] and .Cmd == ["serve"] and .StopSignal == "SIGTERM"' \
    <<<"$config" >/dev/null || fail "the image's configuration: $config"
jq -e --arg version "$version" '.Labels["org.opencontainers.image.version"] == $version' <<<"$config" >/dev/null ||
    fail "the image's labels: $config"
buildah "${storage[@]}" push --quiet doudizhu "oci-archive:$work/image.tar:doudizhu:$version"
say "image: $(du -k "$work/image.tar" | cut -f1) KiB compressed, $(stat -c %s "$binary") bytes of binary"
[[ -z ${1:-} ]] || cp "$work/image.tar" "$1"

# Its root, read-only, its user, nothing else. buildah adds folders of its own (proc, dev, …) to a container's root,
# so the layer is unpacked here: it must hold the binary and nothing more.
mkdir "$work/layout" "$work/root"
tar -xf "$work/image.tar" -C "$work/layout"
layer="$work/layout/blobs/sha256/$(jq -r '.manifests[0].digest | sub("sha256:"; "")' "$work/layout/index.json")"
layer="$work/layout/blobs/sha256/$(jq -r '.layers[-1].digest | sub("sha256:"; "")' "$layer")"
tar -xzf "$layer" -C "$work/root"
[[ $(ls -A "$work/root") == doudizhu ]] || fail "the image holds $(ls -A "$work/root")"

if [[ $(id -u) != 0 ]]; then
    say "image: ok; not root: it was not run"
    exit 0
fi
cat >"$work/run.sh" <<'EOF'
set -eu
mount --bind "$1" "$1"
mount -o remount,bind,ro "$1"
root="$1"
shift
exec chroot --userspec=65532:65532 "$root" /doudizhu "$@"
EOF
inside() { unshare --mount bash "$work/run.sh" "$work/root" "$@"; }

inside --version >&2
inside decide --hand "3 4 5 6 7 9 9 J K K A 2" --role peasant_after --to-beat "8 8" --last-player landlord >&2 || fail "the command line"
grpc="$(free_port)" admin="$(free_port)"
started="$(date +%s%N)"
unshare --mount bash "$work/run.sh" "$work/root" serve --listen "127.0.0.1:$grpc" --admin-listen "127.0.0.1:$admin" \
    --lame-duck 0s 2>"$work/log" &
server=$!
until curl -sf -o /dev/null "http://127.0.0.1:$admin/readyz"; do
    kill -0 "$server" || fail "$(cat "$work/log")"
    sleep 0.005
done
say "ready after $((($(date +%s%N) - started) / 1000000)) ms, user $(awk '/^Uid/ { print $2 }' "/proc/$server/status")," \
    "resident $(awk '/^VmRSS/ { print $2 }' "/proc/$server/status") KiB"
[[ $(awk '/^Uid/ { print $2 }' "/proc/$server/status") == 65532 ]] || fail "the user"
curl -sf "http://127.0.0.1:$admin/metrics" | grep '^doudizhu_build_info' >&2
inside health --addr "http://127.0.0.1:$grpc" >&2 || fail "health"
kill -TERM "$server"
code=0
wait "$server" || code=$?
[[ $code == 0 ]] || fail "ended with $code"
say "image: ok"

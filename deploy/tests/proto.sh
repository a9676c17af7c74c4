#!/usr/bin/env bash
# Checks the proto files with buf: lint, format, and that nothing was broken since the last release.
#
# Usage: proto.sh [--release]
#
# proto/released.binpb is the API of the last release; --release replaces it by the API of now, which belongs into
# the commit that is tagged. Before the first release there is none, and nothing to break.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

version=1.75.0
if ! command -v buf >/dev/null; then
    buf="$cache/buf/node_modules/.bin/buf"
    [[ -x $buf ]] || npm install --silent --no-audit --no-fund --no-package-lock --prefix "$cache/buf" "@bufbuild/buf@$version" >&2
    buf() { "$buf" "$@"; }
fi

cd "$repo"
buf lint proto
buf format --diff --exit-code proto
released=proto/released.binpb
if [[ ${1:-} == --release ]]; then
    buf build proto --output "$released"
    say "proto: $released is the API of now"
elif [[ -e $released ]]; then
    buf breaking proto --against "$released"
fi

# The check finds something when there is something to find.
buf build proto --output "$work/now.binpb"
cp -r proto "$work/changed"
sed -i 's/string strategy = 3;/string strategy = 9;/' "$work/changed/doudizhu/v1/decision_service.proto"
if buf breaking "$work/changed" --against "$work/now.binpb" >/dev/null; then fail "a renumbered field is not noticed"; fi
say "proto: ok"

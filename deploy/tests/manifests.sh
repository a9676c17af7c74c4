#!/usr/bin/env bash
# Renders every overlay and checks the result: against the schemas of several Kubernetes versions, and against the
# things that only these manifests have to keep. Needs kubectl; talks to no cluster.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Two releases that vendors still ship, and the newest that there are schemas for.
versions=(1.30 1.33 1.35 1.37)

need_python
command -v kubectl >/dev/null || fail "kubectl is missing"
"$python" -m yamllint --strict -d '{extends: default, rules: {line-length: {max: 130}}}' \
    "$repo/deploy/k8s" "$repo/deploy/prometheus"

# With a server at hand, its settings are compared too.
server=("${DOUDIZHU:-$repo/target/release/doudizhu}")
if [[ ! -x ${server[0]} ]]; then
    say "there is no ${server[0]}: settings are not compared"
    server=()
fi

for overlay in "$repo"/deploy/k8s/overlays/*/; do
    name="$(basename "$overlay")"
    rendered="$work/$name.yaml"
    kubectl kustomize "$overlay" >"$rendered"
    # Custom resources have their schemas with their operator.
    "$python" "$repo/deploy/tests/manifests.py" "$rendered" "$work/$name-builtin.yaml" "${server[@]}"
    for version in "${versions[@]}"; do
        "$python" -m kubernetes_validate --strict --quiet -k "$version" "$work/$name-builtin.yaml" ||
            fail "$name is not valid for Kubernetes $version"
    done
    say "$name: $(grep -c '^kind:' "$rendered") objects, valid for Kubernetes ${versions[*]}"
done

# What the validator would let through must not pass for success.
sed 's/terminationGracePeriodSeconds: .*/terminationGracePeriodSeconds: soon/' "$work/production-builtin.yaml" \
    >"$work/broken.yaml"
if "$python" -m kubernetes_validate --strict --quiet -k 1.35 "$work/broken.yaml" >/dev/null 2>&1; then
    fail "the validator accepts a broken manifest"
fi
say "manifests: ok"

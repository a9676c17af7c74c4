#!/usr/bin/env bash
# Checks the recording and alerting rules with promtool, runs their unit tests, and looks whether every alert has a
# unit test and a section in the runbook.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need promtool prometheus
cd "$repo/deploy/prometheus"
promtool check rules rules.yml alerts.yml >&2
# Some builds of promtool, Debian's for one, know no Kubernetes: the rest of the configuration is checked with fixed
# targets in its place.
cp rules.yml alerts.yml "$work"
awk '/kubernetes_sd_configs:/ { print "    static_configs: [{targets: [\"127.0.0.1:9464\"]}]"; getline; next } { print }' \
    prometheus.yml >"$work/prometheus.yml"
promtool check config "$work/prometheus.yml" >&2
promtool test rules tests.yml >&2

# What GitHub makes of a heading: lower case, without punctuation.
sed -n 's/^##* //p' ../RUNBOOK.md | tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9 \n' | tr ' ' - >"$work/anchors"
count=0
while read -r alert anchor; do
    count=$((count + 1))
    grep -q "alertname: $alert\$" tests.yml || fail "$alert has no unit test"
    grep -qx "${anchor#deploy/RUNBOOK.md#}" "$work/anchors" || fail "$alert: there is no $anchor"
done < <(awk '/- alert:/ { alert = $3 } /runbook:/ { print alert, $2 }' alerts.yml)
[[ $count == $(grep -c -- '- alert:' alerts.yml) ]] || fail "an alert has no runbook annotation"
say "rules: ok, $count alerts"

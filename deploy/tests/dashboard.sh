#!/usr/bin/env bash
# Runs a server under load with a Prometheus that scrapes it, and executes every query of the dashboard and every
# recording rule there: each must return data. Also looks whether Prometheus and callers agree about latency.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

binary="$(server_binary)"
need prometheus prometheus
need curl curl
grpc="$(free_port)" admin="$(free_port)" web="$(free_port)"
start_server "$grpc" "$admin"
cp "$repo"/deploy/prometheus/{rules,alerts}.yml "$work"
cat >"$work/prometheus.yml" <<EOF
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [rules.yml, alerts.yml]
scrape_configs:
  - job_name: doudizhu
    static_configs: [{targets: ["127.0.0.1:$admin"]}]
EOF
promtool check config "$work/prometheus.yml" >/dev/null
curl -sf "http://127.0.0.1:$admin/metrics" | promtool check metrics >&2 || fail "promtool does not like /metrics"
start_prometheus "$web" "$work/prometheus.yml"
python_stubs "$work/stubs"
"$python" "$repo/deploy/tests/traffic.py" "$work/stubs" "127.0.0.1:$grpc" 25 --rate 100 >"$work/traffic.json" &
traffic=$!
"$binary" load --addr "http://127.0.0.1:$grpc" --concurrency 8 --rate 1000 --duration 25s --json >"$work/load.json" ||
    fail "load: $(cat "$work/load.json")"
# While the mixed traffic comes to its end.
"$python" "$repo/deploy/tests/dashboard.py" "$repo/deploy" "http://127.0.0.1:$web" "$work/load.json"
wait "$traffic" || fail "traffic: $(cat "$work/traffic.json")"
say "dashboard: ok"

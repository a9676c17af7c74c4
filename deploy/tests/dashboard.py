"""Executes the queries of the dashboard and the recording rules against a Prometheus.

Usage: dashboard.py DEPLOY PROMETHEUS LOAD

LOAD is the JSON report of `doudizhu load`, with which the latency histogram is compared.
"""

import json
import math
import pathlib
import re
import sys
import urllib.parse
import urllib.request

import yaml

VARIABLES = {"$__rate_interval": "20s", "$job": "doudizhu", "$instance": ".*"}


def ask(base, path, **query):
    with urllib.request.urlopen(f"{base}{path}?{urllib.parse.urlencode(query)}", timeout=30) as response:
        answer = json.load(response)
    assert answer["status"] == "success", answer
    return answer["data"]


def values(base, query):
    """The finite values of a query; NaN is what a ratio without a denominator gives."""
    found = [float(each["value"][1]) for each in ask(base, "/api/v1/query", query=query)["result"]]
    return [value for value in found if math.isfinite(value)]


def check(base, where, query):
    for variable, value in VARIABLES.items():
        query = query.replace(variable, value)
    assert "$" not in query, f"{where}: unknown variable in {query}"
    assert values(base, query), f"{where}: no data: {query}"


def main():
    deploy, base, load = pathlib.Path(sys.argv[1]), sys.argv[2], json.load(open(sys.argv[3], encoding="utf-8"))
    dashboard = json.loads((deploy / "grafana/dashboard.json").read_text(encoding="utf-8"))
    queries = 0
    for panel in dashboard["panels"]:
        assert panel["type"] == "row" or panel["description"], panel["title"]
        for target in panel.get("targets", []):
            check(base, panel["title"], target["expr"])
            queries += 1
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            series, label = re.fullmatch(r"label_values\((.+), (\w+)\)", variable["definition"]).groups()
            series = series.replace("$job", "doudizhu")
            assert ask(base, f"/api/v1/label/{label}/values", **{"match[]": series}), variable["name"]
            queries += 1
    panels = {json.dumps(panel["gridPos"]) for panel in dashboard["panels"]}
    assert len(panels) == len(dashboard["panels"]), "panels lie on one another"

    rules = yaml.safe_load((deploy / "prometheus/rules.yml").read_text(encoding="utf-8"))
    records = [rule["record"] for group in rules["groups"] for rule in group["rules"]]
    for record in records:
        check(base, "rules.yml", record)

    # Every metric that the server says it has is scraped.
    alerts = (deploy / "prometheus/alerts.yml").read_text(encoding="utf-8")
    scraped = set(ask(base, "/api/v1/label/__name__/values"))
    for name in sorted(set(re.findall(r"(?<![\w:])(?:doudizhu|process|grpc_server)_[a-z_]+(?![\w:])", alerts))):
        assert name in scraped or f"{name}_count" in scraped, f"alerts.yml: there is no {name}"
    firing = {each["labels"]["alertname"] for each in ask(base, "/api/v1/alerts")["alerts"] if each["state"] == "firing"}
    assert not firing, f"alerts fire without a reason: {firing}"

    # Callers see the server's time, and the way there and back. The quantiles of both must be in the same bucket,
    # or the server's in a lower one.
    seen = load["levels"][0]["server"]
    for quantile, key in (0.5, "p50"), (0.99, "p99"):
        query = (
            f'histogram_quantile({quantile}, sum by (le) (rate(grpc_server_handling_seconds_bucket'
            '{grpc_method="Decide"}[20s])))'
        )
        (server,) = values(base, query)
        print(f"{key}: callers {seen[key]:.0f} µs, histogram {server * 1e6:.0f} µs", file=sys.stderr)
        bounds = [float(each) for each in ask(base, "/api/v1/label/le/values") if each != "+Inf"]
        bound = min((each for each in sorted(bounds) if each >= seen[key] / 1e6), default=math.inf)
        assert server <= bound, f"{key}: Prometheus says {server}, callers {seen[key] / 1e6}"
    print(f"{queries} queries of the dashboard and {len(records)} rules return data", file=sys.stderr)


if __name__ == "__main__":
    main()

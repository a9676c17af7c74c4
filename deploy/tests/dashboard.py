"""Executes the queries of the dashboard and the recording rules against a Prometheus.

Usage: dashboard.py REPOSITORY PROMETHEUS INSTANCE LOAD INSTANCE LOAD

LOAD is the JSON report of `doudizhu load` on the server whose metrics are scraped from INSTANCE: the latency histogram is
compared with it. On the first server decisions take less time than the way there and back; on the second one much more.
"""

import bisect
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


def check_documented(base, readme):
    """Compares every row of the README's table of metrics with what is scraped; returns the number of metrics."""
    table = readme.split("\n## Metrics\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1:4] for line in table.splitlines() if line.startswith("| `")]
    count = 0
    for names, kind, labels in rows:
        # A label with the values that it may have, or with the metric that alone has it.
        documented = dict(re.findall(r"`(\w+)`(?: \(([^)]*)\))?", labels))
        for name in re.findall(r"`(\w+)`", names):
            count += 1
            series = f"{name}_bucket" if "histogram" in kind and name.endswith("_seconds") else name
            found = ask(base, "/api/v1/series", **{"match[]": series})
            assert found, f"README: there is no {name}"
            wanted = {label for label, only in documented.items() if "`" in only or not only or only in name}
            seen = set().union(*found) - {"__name__", "instance", "job", "le"}
            assert seen == wanted, f"README: {name} has the labels {seen}"
            for label, only in documented.items():
                allowed = set(re.findall(r"`(\w+)`", only))
                assert not allowed or {each[label] for each in found} == allowed, f"README: {label} of {name}"
    assert count >= 15, "README: the table of metrics was not found"
    return count


def agree(base, instance, load, quantiles, most_apart):
    """Compares the quantiles that callers saw with those of the server's histogram, by the buckets that they are in."""
    with open(load, encoding="utf-8") as file:
        seen = json.load(file)["levels"][0]["server"]
    bounds = sorted({float(each) for each in ask(base, "/api/v1/label/le/values")})
    for key, quantile in quantiles.items():
        rate = f'rate(grpc_server_handling_seconds_bucket{{grpc_method="Decide", instance="{instance}"}}[20s])'
        (server,) = values(base, f"histogram_quantile({quantile}, sum by (le) ({rate}))")
        print(f"{key}: callers {seen[key]:.0f} µs, histogram {server * 1e6:.0f} µs", file=sys.stderr)
        bucket = [bisect.bisect_left(bounds, value) for value in (server, seen[key] / 1e6)]
        assert 0 <= bucket[1] - bucket[0] <= most_apart, f"{key}: Prometheus says {server}, callers {seen[key] / 1e6}"


def main():
    repository, base = pathlib.Path(sys.argv[1]), sys.argv[2]
    deploy = repository / "deploy"
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

    documented = check_documented(base, (repository / "README.md").read_text(encoding="utf-8"))
    for files in "tls", "tokens":
        query = f'sum(doudizhu_reloads_total{{files="{files}", outcome="ok"}})'
        assert values(base, query) == [1], f"{files} were changed once: {values(base, query)}"

    # What callers see is the server's time, and the way there and back: their quantiles are in the same bucket as the
    # server's or in a higher one; in the next one at most for the longest calls of the server that takes its time.
    agree(base, sys.argv[3], sys.argv[4], {"p50": 0.5, "p99": 0.99}, most_apart=math.inf)
    agree(base, sys.argv[5], sys.argv[6], {"p99": 0.99}, most_apart=1)
    print(f"{queries} queries of the dashboard and {len(records)} rules return data; {documented} metrics are as documented", file=sys.stderr)


if __name__ == "__main__":
    main()

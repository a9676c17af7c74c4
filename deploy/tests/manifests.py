"""Checks rendered manifests for what no schema knows.

Usage: manifests.py RENDERED BUILTIN [SERVER]

Writes those objects that have a schema to BUILTIN. With SERVER, the server's binary, also checks that every setting
in the manifests is one that the server has.
"""

import re
import subprocess
import sys

import yaml


def seconds(text):
    """The seconds of a duration such as 500ms, 5s, 2m."""
    number, unit = re.fullmatch(r"(\d+)(ms|s|m)", text).groups()
    return int(number) * {"ms": 0.001, "s": 1, "m": 60}[unit]


def check_pods(deployment, settings):
    pod = deployment["spec"]["template"]["spec"]
    assert pod["automountServiceAccountToken"] is False, "a token is mounted"
    assert pod["enableServiceLinks"] is False, "service links would set DOUDIZHU_PORT and the like"
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    (container,) = pod["containers"]
    security = container["securityContext"]
    assert security["readOnlyRootFilesystem"] is True
    assert security["allowPrivilegeEscalation"] is False
    assert security["capabilities"] == {"drop": ["ALL"]}
    assert "cpu" not in container["resources"]["limits"], "a CPU limit throttles"
    assert "memory" in container["resources"]["limits"]

    environment = {each["name"]: each["value"] for each in container["env"]}
    pause = seconds(environment["DOUDIZHU_LAME_DUCK"]) + seconds(environment["DOUDIZHU_DRAIN_LIMIT"])
    grace = pod["terminationGracePeriodSeconds"]
    assert pause + 5 <= grace, f"lame duck and drain take {pause} s, and the pod is killed after {grace} s"
    if settings is not None:
        unknown = environment.keys() - settings
        assert not unknown, f"the server has no such settings: {sorted(unknown)}"

    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    for setting, port in ("DOUDIZHU_LISTEN", "grpc"), ("DOUDIZHU_ADMIN_LISTEN", "metrics"):
        assert environment[setting].endswith(f":{ports[port]}"), f"{setting} is not the port {port}"
    names = {kind: container[f"{kind}Probe"]["grpc"]["service"] for kind in ("startup", "readiness", "liveness")}
    ready = "doudizhu.v1.DecisionService"
    assert names == {"startup": ready, "readiness": ready, "liveness": "liveness"}, names


def main():
    rendered, builtin, *server = sys.argv[1:]
    settings = None
    if server:
        text = subprocess.run([server[0], "serve", "--help"], check=True, capture_output=True, text=True).stdout
        settings = set(re.findall(r"DOUDIZHU_[A-Z_]+", text))
    with open(rendered, encoding="utf-8") as file:
        objects = list(yaml.safe_load_all(file))
    kinds = [each["kind"] for each in objects]
    for each in objects:
        if each["kind"] == "Deployment":
            check_pods(each, settings)
            rolling = each["spec"]["strategy"]["rollingUpdate"]
            assert rolling["maxUnavailable"] == 0
            scaled = "HorizontalPodAutoscaler" in kinds
            assert scaled != ("replicas" in each["spec"]), "either the autoscaler or the manifest sets replicas"
    assert kinds.count("Deployment") == 1
    assert kinds.count("Service") == 2
    assert kinds.count("NetworkPolicy") == 1
    with open(builtin, "w", encoding="utf-8") as file:
        # A group with a domain of its own is a custom resource.
        known = ("k8s.io", "apps/", "policy/", "autoscaling/", "v1")
        yaml.safe_dump_all([each for each in objects if each["apiVersion"].split("/")[0].endswith("k8s.io")
                            or each["apiVersion"].startswith(known)], file)


if __name__ == "__main__":
    main()

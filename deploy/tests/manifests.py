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
    encrypted = "DOUDIZHU_TLS_CERT" in environment
    probes = {kind: container[f"{kind}Probe"] for kind in ("startup", "readiness", "liveness")}
    if encrypted:
        # The kubelet's gRPC probes would be refused.
        pages = {kind: (probe["httpGet"]["path"], probe["httpGet"]["port"]) for kind, probe in probes.items()}
        ready = ("/readyz", "metrics")
        assert pages == {"startup": ready, "readiness": ready, "liveness": ("/healthz", "metrics")}, pages
        assert all("grpc" not in probe for probe in probes.values()), "a probe asks in two ways"
    else:
        names = {kind: probe["grpc"]["service"] for kind, probe in probes.items()}
        ready = "doudizhu.v1.DecisionService"
        assert names == {"startup": ready, "readiness": ready, "liveness": "liveness"}, names
    check_files(pod, container, environment)
    return encrypted


def check_files(pod, container, environment):
    """Every setting that names a file names a key of a Secret that is mounted there, read-only."""
    secrets = {volume["name"]: volume["secret"]["secretName"] for volume in pod.get("volumes", [])}
    mounts = {mount["mountPath"]: mount for mount in container.get("volumeMounts", [])}
    files = {
        "DOUDIZHU_TLS_CERT": ("doudizhu-tls", "tls.crt"),
        "DOUDIZHU_TLS_KEY": ("doudizhu-tls", "tls.key"),
        "DOUDIZHU_TLS_CLIENT_CA": ("doudizhu-tls", "ca.crt"),
        "DOUDIZHU_AUTH_TOKENS_FILE": ("doudizhu-tokens", "tokens"),
    }
    used = set()
    for setting, (secret, key) in files.items():
        if setting not in environment:
            continue
        folder, name = environment[setting].rsplit("/", 1)
        mount = mounts[folder]
        assert mount["readOnly"] is True, f"{folder} can be written to"
        assert (secrets[mount["name"]], name) == (secret, key), f"{setting} is {environment[setting]}"
        used.add(mount["name"])
    assert used == secrets.keys(), f"mounted for nothing: {sorted(secrets.keys() - used)}"
    if used:
        assert pod["securityContext"]["fsGroup"] == pod["securityContext"]["runAsGroup"], "the server cannot read its files"


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
            encrypted = check_pods(each, settings)
            rolling = each["spec"]["strategy"]["rollingUpdate"]
            assert rolling["maxUnavailable"] == 0
            scaled = "HorizontalPodAutoscaler" in kinds
            assert scaled != ("replicas" in each["spec"]), "either the autoscaler or the manifest sets replicas"
    assert kinds.count("Deployment") == 1
    assert kinds.count("Service") == 2
    for each in objects:
        if each["kind"] == "Service":
            # What meshes and gateways speak to the port.
            says_plaintext = each["spec"]["ports"][0].get("appProtocol") == "kubernetes.io/h2c"
            assert says_plaintext != encrypted, "appProtocol and TLS do not agree"
    assert kinds.count("NetworkPolicy") == 1
    with open(builtin, "w", encoding="utf-8") as file:
        # A group with a domain of its own is a custom resource.
        known = ("k8s.io", "apps/", "policy/", "autoscaling/", "v1")
        yaml.safe_dump_all([each for each in objects if each["apiVersion"].split("/")[0].endswith("k8s.io")
                            or each["apiVersion"].startswith(known)], file)


if __name__ == "__main__":
    main()

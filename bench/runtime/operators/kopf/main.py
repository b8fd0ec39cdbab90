"""The benchmark's operator on kopf, with its default settings."""

import os
import sys

import kopf

EXPECTED = int(os.environ.get("EXPECTED", "0"))
seen = set()


@kopf.on.startup()
def quiet(settings, **_):
    settings.posting.enabled = False


if os.environ["MODE"] == "sync":

    @kopf.on.event("bench.example.com", "v1", "samples")
    def event(namespace, name, **_):
        seen.add((namespace, name))
        if len(seen) == EXPECTED:
            print("synced", len(seen), flush=True)

else:
    import kubernetes

    kubernetes.config.load_kube_config(os.environ["KUBECONFIG"])
    core = kubernetes.client.CoreV1Api()
    print("synced 0", flush=True)

    @kopf.on.create("bench.example.com", "v1", "samples")
    @kopf.on.update("bench.example.com", "v1", "samples")
    def reconcile(spec, name, namespace, patch, **_):
        child = {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": name, "namespace": namespace},
            "data": {"seed": str(spec["seed"]), "payload": spec["payload"]},
        }
        kopf.adopt(child)
        try:
            core.create_namespaced_config_map(namespace, child)
        except kubernetes.client.ApiException as error:
            if error.status != 409:
                raise
            core.patch_namespaced_config_map(name, namespace, {"data": child["data"]})
        patch.status["observed"] = spec["seed"]


if __name__ == "__main__":
    sys.exit(kopf.run(clusterwide=True, standalone=True))

"""Deployments of echo servers that listen on 8443."""

from cdk8s import ApiObject, ApiObjectMetadata, JsonPatch
from constructs import Construct


def workload(scope: Construct, id: str) -> ApiObject:
    labels = {"app": id.lower()}
    deployment = ApiObject(
        scope, id, api_version="apps/v1", kind="Deployment", metadata=ApiObjectMetadata(name=id.lower())
    )
    deployment.add_json_patch(
        JsonPatch.add(
            "/spec",
            {
                "replicas": 2,
                "selector": {"matchLabels": labels},
                "template": {
                    "metadata": {"labels": labels},
                    "spec": {
                        "containers": [
                            {
                                "name": "echo",
                                "image": "registry.example/echo:1.4.2",
                                "ports": [{"name": "https", "containerPort": 8443}],
                            }
                        ]
                    },
                },
            },
        )
    )
    return deployment

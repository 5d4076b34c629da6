"""The balancers of an Acme appliance, which this platform runs beside those of the cloud."""

import jsii
from cdk8s_load_balancers import (
    ILoadBalancerController,
    LoadBalancerPlan,
    LoadBalancerRequest,
    LoadBalancerWish,
    NodeRestriction,
)
from constructs import Construct


@jsii.implements(ILoadBalancerController)
class AcmeController:
    @property
    def name(self) -> str:
        return "acme"

    def bind(self, scope: Construct, request: LoadBalancerRequest) -> LoadBalancerPlan:
        annotations = {"lb.acme.example/network": "internet" if request.internet_facing else "office"}
        answers: dict[str, str] = {}
        if request.scheme is not None:
            answers[LoadBalancerWish.SCHEME.value] = "annotation lb.acme.example/network"
        if request.backend_nodes is not None:
            labels = sorted(f"{key}={value}" for key, value in request.backend_nodes.labels.items())
            annotations["lb.acme.example/nodes"] = ",".join(labels)
            answers[LoadBalancerWish.BACKEND_NODES.value] = "annotation lb.acme.example/nodes"
        if request.traffic_policy is not None:
            answers[LoadBalancerWish.TRAFFIC_POLICY.value] = "externalTrafficPolicy"
        return LoadBalancerPlan(
            owner=self.name,
            load_balancer_class="lb.acme.example/appliance",
            finalizers=["lb.acme.example/cleanup"],
            annotations=annotations,
            external_traffic_policy=request.traffic_policy,
            node_restriction=NodeRestriction.ON_SERVICE if request.backend_nodes else NodeRestriction.NONE,
            answers=answers,
        )

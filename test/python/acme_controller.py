"""Controllers that a user writes in Python: one for an appliance called Acme, and one that wraps another."""

import jsii
from cdk8s_load_balancers import (
    ILoadBalancerController,
    LoadBalancerFinding,
    LoadBalancerPlan,
    LoadBalancerRequest,
    LoadBalancerScheme,
    NodeRestriction,
    PortProtocol,
)
from constructs import Construct


@jsii.implements(ILoadBalancerController)
class AcmeController:
    """The balancers of an Acme appliance, which knows a few addresses by name."""

    def __init__(self, addresses: dict[str, str]) -> None:
        self._addresses = addresses

    @property
    def name(self) -> str:
        return "acme-controller"

    def bind(self, scope: Construct, request: LoadBalancerRequest) -> LoadBalancerPlan:
        annotations = {"acme.example/network": "internet" if request.internet_facing else "office"}
        answers: dict[str, str] = {}
        problems: list[LoadBalancerFinding] = []

        if request.scheme is not None:
            answers["scheme"] = "annotation acme.example/network"
        if PortProtocol.UDP in request.protocols:
            problems.append(
                LoadBalancerFinding(
                    rule_id="acme-tcp-only",
                    who=self.name,
                    what="the appliance cannot balance UDP",
                    remedy="use TCP",
                    value="UDP",
                    at="",
                    wish="protocols",
                )
            )
        if request.traffic_policy is not None:
            answers["trafficPolicy"] = "externalTrafficPolicy"
        if request.backend_nodes is not None:
            labels = sorted(request.backend_nodes.labels.items())
            annotations["acme.example/nodes"] = ",".join(f"{key}={value}" for key, value in labels)
            answers["backendNodes"] = "annotation acme.example/nodes"
        if request.static_addresses is not None:
            # a name that nobody registered raises a KeyError, as it would in anybody's program
            annotations["acme.example/address"] = self._addresses[request.static_addresses[0]]
            answers["staticAddresses"] = "annotation acme.example/address"

        return LoadBalancerPlan(
            owner=self.name,
            finalizers=["acme.example/appliance"],
            load_balancer_class="acme.example/appliance",
            annotations=annotations,
            external_traffic_policy=request.traffic_policy,
            node_restriction=NodeRestriction.ON_SERVICE if request.backend_nodes else NodeRestriction.NONE,
            answers=answers,
            problems=problems,
        )


@jsii.implements(ILoadBalancerController)
class PublicByDefault:
    """Another controller, asked for a public balancer wherever a request names no scheme."""

    def __init__(self, inner: ILoadBalancerController) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        return self._inner.name

    def bind(self, scope: Construct, request: LoadBalancerRequest) -> LoadBalancerPlan:
        scheme = request.scheme or LoadBalancerScheme.INTERNET_FACING
        return self._inner.bind(scope, request.with_(scheme=scheme))

"""What moto leaves out and the AWS cloud controller manager relies on."""

from typing import Any

from moto.elb.models import FakeHealthCheck, LoadBalancer
from moto.elbv2.models import ELBv2Backend, FakeLoadBalancer, FakeTargetGroup


def _with_health_check(construct: Any) -> Any:
    def constructor(self: LoadBalancer, *args: Any, **kwargs: Any) -> None:
        construct(self, *args, **kwargs)
        port = self.listeners[0].instance_port
        # https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/elb-healthchecks.html
        self.health_check = FakeHealthCheck("5", "10", "2", "30", f"TCP:{port}")

    return constructor


def _with_scheme(construct: Any) -> Any:
    def constructor(self: FakeLoadBalancer, *args: Any, **kwargs: Any) -> None:
        construct(self, *args, **kwargs)
        # https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_CreateLoadBalancer.html
        self.scheme = self.scheme or "internet-facing"

    return constructor


def _with_attributes_of_network_balancers(construct: Any) -> Any:
    def constructor(self: FakeTargetGroup, *args: Any, **kwargs: Any) -> None:
        construct(self, *args, **kwargs)
        if self.protocol in ("TCP", "TLS", "UDP", "TCP_UDP"):
            by_address = self.target_type == "ip" and self.protocol in ("TCP", "TLS")
            # https://docs.aws.amazon.com/elasticloadbalancing/latest/network/edit-target-group-attributes.html
            self.attributes["preserve_client_ip.enabled"] = "false" if by_address else "true"
            self.attributes["proxy_protocol_v2.enabled"] = "false"

    return constructor


def _by_listeners(describe: Any) -> Any:
    def describe_target_groups(
        self: ELBv2Backend, load_balancer_arn: Any, target_group_arns: Any, names: Any
    ) -> list[FakeTargetGroup]:
        if not load_balancer_arn:
            found: list[FakeTargetGroup] = describe(self, load_balancer_arn, target_group_arns, names)
            return found
        listeners = self.describe_listeners(load_balancer_arn, [])
        arns = {action.data["TargetGroupArn"] for listener in listeners for action in listener.default_actions}
        return sorted((self.target_groups[arn] for arn in arns), key=lambda group: str(group.name))

    return describe_target_groups


def repair() -> None:
    """Mends four things.

    What is new gets the health check, the scheme and the attributes that AWS gives where nobody said otherwise. The
    target groups of a balancer are those that its listeners name now, and none is no error.
    """
    setattr(LoadBalancer, "__init__", _with_health_check(LoadBalancer.__init__))
    setattr(FakeLoadBalancer, "__init__", _with_scheme(FakeLoadBalancer.__init__))
    setattr(FakeTargetGroup, "__init__", _with_attributes_of_network_balancers(FakeTargetGroup.__init__))
    setattr(ELBv2Backend, "describe_target_groups", _by_listeners(ELBv2Backend.describe_target_groups))

"""What moto leaves out and the AWS cloud controller manager relies on."""

import re
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


def _with_scheme_and_address(construct: Any) -> Any:
    def constructor(self: FakeLoadBalancer, *args: Any, **kwargs: Any) -> None:
        construct(self, *args, **kwargs)
        # https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_CreateLoadBalancer.html
        self.scheme = self.scheme or "internet-facing"
        if self.type == "network":
            # the region comes last: the cloud controller manager tells the kinds of balancers apart by it
            # https://docs.aws.amazon.com/elasticloadbalancing/latest/network/network-load-balancers.html
            self.dns_name = re.sub(r"\.([^.]+)\.elb\.", r".elb.\1.", self.dns_name)

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


def _with_subnet_mappings(create: Any) -> Any:
    def create_load_balancer(self: ELBv2Backend, *args: Any, **kwargs: Any) -> FakeLoadBalancer:
        balancer: FakeLoadBalancer = create(self, *args, **kwargs)
        setattr(balancer, "subnet_mappings", {each["SubnetId"]: each for each in kwargs.get("subnet_mappings") or []})
        return balancer

    return create_load_balancer


def _with_fixed_addresses(zones: Any) -> property:
    def availability_zones(self: FakeLoadBalancer) -> list[Any]:
        found: list[Any] = zones.fget(self)
        for zone in found:
            mapping = getattr(self, "subnet_mappings", {}).get(zone.subnet_id, {})
            # https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_LoadBalancerAddress.html
            fixed = {key: mapping[key] for key in ("AllocationId", "PrivateIPv4Address") if key in mapping}
            zone.load_balancer_addresses = [fixed] if fixed else []
        return found

    return property(availability_zones)


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
    """Mends six things.

    What is new gets the health check, the scheme and the attributes that AWS gives where nobody said otherwise, and a
    Network Load Balancer the form of name that they have. A balancer keeps the addresses that were fixed for its subnets.
    The target groups of a balancer are those that its listeners name now, and none is no error.
    """
    setattr(LoadBalancer, "__init__", _with_health_check(LoadBalancer.__init__))
    setattr(FakeLoadBalancer, "__init__", _with_scheme_and_address(FakeLoadBalancer.__init__))
    setattr(FakeLoadBalancer, "availability_zones", _with_fixed_addresses(FakeLoadBalancer.availability_zones))
    setattr(FakeTargetGroup, "__init__", _with_attributes_of_network_balancers(FakeTargetGroup.__init__))
    setattr(ELBv2Backend, "create_load_balancer", _with_subnet_mappings(ELBv2Backend.create_load_balancer))
    setattr(ELBv2Backend, "describe_target_groups", _by_listeners(ELBv2Backend.describe_target_groups))

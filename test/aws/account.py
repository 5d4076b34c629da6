"""The AWS account of a cluster: sets it up, and says what is in it."""

from typing import Any

import boto3
from botocore.config import Config

# how the requests of this client can be told from those of others
SIGN = "account-of-stories"

REGION = "us-east-1"
CLUSTER = "stories"
CLUSTER_TAG = {"Key": f"kubernetes.io/cluster/{CLUSTER}", "Value": "owned"}
ZONES = [f"{REGION}a", f"{REGION}b"]

# the nodes by name, and the zone that each is in
NODES = {"edge-1": ZONES[0], "edge-2": ZONES[1], "plain-1": ZONES[0]}


def _tags(pairs: Any) -> dict[str, str]:
    return {pair["Key"]: pair["Value"] for pair in pairs}


def _attributes(pairs: Any) -> dict[str, str]:
    return {pair["Key"]: pair.get("Value", "") for pair in pairs}


class Account:
    """An account, spoken to as AWS is."""

    def __init__(self, endpoint: str) -> None:
        def client(service: str) -> Any:
            config = Config(user_agent_extra=SIGN)
            return boto3.client(service, endpoint_url=endpoint, region_name=REGION, config=config)

        self._ec2 = client("ec2")
        self._elb = client("elb")
        self._elbv2 = client("elbv2")
        self._acm = client("acm")
        self._vpc = ""

    def set_up(self) -> dict[str, Any]:
        """A network with public and internal subnets in two zones, and the instances of a cluster."""
        self._vpc = self._ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
        public = {zone: self._subnet(zone, number, "elb") for number, zone in enumerate(ZONES)}
        internal = {zone: self._subnet(zone, 10 + number, "internal-elb") for number, zone in enumerate(ZONES)}
        self._open(list(public.values()))
        group = self._ec2.create_security_group(GroupName="nodes", Description="nodes", VpcId=self._vpc)["GroupId"]
        self._tag(group, CLUSTER_TAG)
        nodes = {name: self._instance(name, zone, internal[zone], group) for name, zone in NODES.items()}
        certificate = self._acm.request_certificate(DomainName="echo.example.com")["CertificateArn"]
        return {
            "region": REGION,
            "cluster": CLUSTER,
            "vpc": self._vpc,
            "publicSubnets": list(public.values()),
            "internalSubnets": list(internal.values()),
            "nodeSecurityGroup": group,
            "nodes": nodes,
            "elasticAddresses": [self._ec2.allocate_address(Domain="vpc")["AllocationId"] for _ in ZONES],
            "certificate": certificate,
        }

    def inventory(self) -> dict[str, Any]:
        """All balancers and what belongs to them, with the rules of every security group."""
        return {
            "networkBalancers": [
                self._network(each) for each in self._elbv2.describe_load_balancers()["LoadBalancers"]
            ],
            "targetGroups": [self._target_group(each) for each in self._elbv2.describe_target_groups()["TargetGroups"]],
            "classicBalancers": [
                self._classic(each) for each in self._elb.describe_load_balancers()["LoadBalancerDescriptions"]
            ],
            "securityGroups": self._security_groups(),
        }

    def _tag(self, resource: str, *tags: dict[str, str]) -> None:
        self._ec2.create_tags(Resources=[resource], Tags=list(tags))

    def _subnet(self, zone: str, number: int, role: str) -> str:
        created = self._ec2.create_subnet(VpcId=self._vpc, AvailabilityZone=zone, CidrBlock=f"10.0.{number}.0/24")
        subnet: str = created["Subnet"]["SubnetId"]
        name = {"Key": "Name", "Value": f"{role}-{zone}"}
        self._tag(subnet, CLUSTER_TAG, {"Key": f"kubernetes.io/role/{role}", "Value": "1"}, name)
        return subnet

    def _open(self, subnets: list[str]) -> None:
        """Makes subnets public: the internet is one of their routes."""
        gateway = self._ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
        self._ec2.attach_internet_gateway(InternetGatewayId=gateway, VpcId=self._vpc)
        table = self._ec2.create_route_table(VpcId=self._vpc)["RouteTable"]["RouteTableId"]
        self._ec2.create_route(RouteTableId=table, DestinationCidrBlock="0.0.0.0/0", GatewayId=gateway)
        for subnet in subnets:
            self._ec2.associate_route_table(RouteTableId=table, SubnetId=subnet)

    def _instance(self, name: str, zone: str, subnet: str, group: str) -> dict[str, str]:
        image = self._ec2.describe_images()["Images"][0]["ImageId"]
        run = self._ec2.run_instances(
            ImageId=image, MinCount=1, MaxCount=1, SubnetId=subnet, SecurityGroupIds=[group], InstanceType="t3.micro"
        )
        instance = run["Instances"][0]
        self._tag(instance["InstanceId"], CLUSTER_TAG, {"Key": "Name", "Value": name})
        return {"instance": instance["InstanceId"], "zone": zone, "address": instance["PrivateIpAddress"]}

    def _network(self, balancer: dict[str, Any]) -> dict[str, Any]:
        arn = balancer["LoadBalancerArn"]
        attributes = self._elbv2.describe_load_balancer_attributes(LoadBalancerArn=arn)["Attributes"]
        zones = balancer["AvailabilityZones"]
        return {
            "name": balancer["LoadBalancerName"],
            "type": balancer["Type"],
            "scheme": balancer["Scheme"],
            "dnsName": balancer["DNSName"],
            "subnets": [zone["SubnetId"] for zone in zones],
            "addresses": {
                zone["SubnetId"]: fixed.get("AllocationId") or fixed["PrivateIPv4Address"]
                for zone in zones
                for fixed in zone.get("LoadBalancerAddresses", [])
            },
            "securityGroups": balancer.get("SecurityGroups", []),
            "tags": self._tags_of(arn),
            "attributes": _attributes(attributes),
            "listeners": [
                {
                    "port": listener["Port"],
                    "protocol": listener["Protocol"],
                    "policy": listener.get("SslPolicy"),
                    "certificates": [each["CertificateArn"] for each in listener.get("Certificates", [])],
                    "targetGroup": listener["DefaultActions"][0]["TargetGroupArn"],
                }
                for listener in self._elbv2.describe_listeners(LoadBalancerArn=arn)["Listeners"]
            ],
        }

    def _target_group(self, group: dict[str, Any]) -> dict[str, Any]:
        arn = group["TargetGroupArn"]
        health = self._elbv2.describe_target_health(TargetGroupArn=arn)["TargetHealthDescriptions"]
        return {
            "arn": arn,
            "name": group["TargetGroupName"],
            "protocol": group["Protocol"],
            "port": group["Port"],
            "type": group["TargetType"],
            "balancers": len(group["LoadBalancerArns"]),
            "tags": self._tags_of(arn),
            "attributes": _attributes(
                self._elbv2.describe_target_group_attributes(TargetGroupArn=arn)["Attributes"]
            ),
            "targets": [
                {"instance": each["Target"]["Id"], "port": each["Target"]["Port"]}
                for each in health
                if each["TargetHealth"]["State"] != "draining"
            ],
            "healthCheck": {
                "protocol": group["HealthCheckProtocol"],
                "port": group["HealthCheckPort"],
                "path": group.get("HealthCheckPath"),
                "interval": group["HealthCheckIntervalSeconds"],
                "timeout": group["HealthCheckTimeoutSeconds"],
                "healthyThreshold": group["HealthyThresholdCount"],
                "unhealthyThreshold": group["UnhealthyThresholdCount"],
            },
        }

    def _classic(self, balancer: dict[str, Any]) -> dict[str, Any]:
        name = balancer["LoadBalancerName"]
        attributes = self._elb.describe_load_balancer_attributes(LoadBalancerName=name)["LoadBalancerAttributes"]
        check = balancer.get("HealthCheck", {})
        return {
            "name": name,
            "scheme": balancer["Scheme"],
            "dnsName": balancer["DNSName"],
            "subnets": balancer["Subnets"],
            "securityGroups": balancer["SecurityGroups"],
            "instances": [each["InstanceId"] for each in balancer["Instances"]],
            "tags": _tags(self._elb.describe_tags(LoadBalancerNames=[name])["TagDescriptions"][0]["Tags"]),
            "listeners": [
                {
                    "port": each["Listener"]["LoadBalancerPort"],
                    "protocol": each["Listener"]["Protocol"],
                    "instancePort": each["Listener"]["InstancePort"],
                }
                for each in balancer["ListenerDescriptions"]
            ],
            "backendPolicies": [
                policy for each in balancer["BackendServerDescriptions"] for policy in each["PolicyNames"]
            ],
            "healthCheck": {
                "target": check.get("Target"),
                "interval": check.get("Interval"),
                "timeout": check.get("Timeout"),
                "healthyThreshold": check.get("HealthyThreshold"),
                "unhealthyThreshold": check.get("UnhealthyThreshold"),
            },
            "crossZone": attributes["CrossZoneLoadBalancing"]["Enabled"],
            "connectionDraining": attributes["ConnectionDraining"],
            "idleTimeout": attributes["ConnectionSettings"]["IdleTimeout"],
        }

    def _tags_of(self, arn: str) -> dict[str, str]:
        return _tags(self._elbv2.describe_tags(ResourceArns=[arn])["TagDescriptions"][0]["Tags"])

    def _security_groups(self) -> list[dict[str, Any]]:
        filters = [{"Name": "vpc-id", "Values": [self._vpc]}]
        return [
            {
                "id": group["GroupId"],
                "name": group["GroupName"],
                "tags": _tags(group.get("Tags", [])),
                "rules": [
                    {"protocol": rule["IpProtocol"], "ports": [rule.get("FromPort"), rule.get("ToPort")], **source}
                    for rule in group["IpPermissions"]
                    for source in self._sources(rule)
                ],
            }
            for group in self._ec2.describe_security_groups(Filters=filters)["SecurityGroups"]
        ]

    @staticmethod
    def _sources(rule: dict[str, Any]) -> list[dict[str, str]]:
        ranges = [{"from": each["CidrIp"], "why": each.get("Description", "")} for each in rule["IpRanges"]]
        groups = [{"from": each["GroupId"], "why": each.get("Description", "")} for each in rule["UserIdGroupPairs"]]
        return ranges + groups

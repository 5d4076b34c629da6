"""A platform in Python: Kafka with its operator, the controller of its balancers, and what the role of it may do."""

import json
from typing import Any, cast

import aws_cdk as cdk
import pytest
from aws_cdk import assertions, aws_iam as iam
import cdk8s
from cdk8s import App, Chart, Size
from cdk8s_load_balancers import (
    AwsIdentity,
    AwsLoadBalancerControllerInstallation,
    AwsLoadBalancerControllerRole,
    AwsPodIdentityCluster,
    KafkaCluster,
    KafkaLoadBalancedListener,
    KafkaNodePool,
    KafkaNodeRole,
    NlbTargetType,
    StrimziClusterOperatorInstallation,
    StrimziVersion,
    WebhookCertificate,
)


def controller(app: App) -> AwsLoadBalancerControllerInstallation:
    return AwsLoadBalancerControllerInstallation(
        Chart(app, "system", namespace="kube-system"),
        "Controller",
        cluster_name="prod",
        region="eu-west-1",
        vpc_id="vpc-0123456789abcdef0",
        identity=AwsIdentity.pod_identity(),
        certificate=WebhookCertificate.cert_manager(),
    )


def cluster(chart: Chart, strimzi: StrimziVersion) -> KafkaCluster:
    kafka = KafkaCluster(
        chart,
        "Events",
        name="events",
        strimzi=strimzi,
        listeners=[{"name": "tls", "port": 9093, "type": "internal", "tls": True, "authentication": {"type": "tls"}}],
    )
    KafkaNodePool(
        chart,
        "Brokers",
        kafka=kafka,
        name="brokers",
        replicas=3,
        roles=[KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
        storage={"type": "persistent-claim", "size": "100Gi"},
    )
    return kafka


def test_kafka_behind_the_controller_that_is_installed() -> None:
    app = App()
    alb = controller(app)
    operators = Chart(app, "operators", namespace="strimzi")
    operator = StrimziClusterOperatorInstallation(
        operators, "Operator", version=StrimziVersion.V1_2, watch_namespaces=["kafka"]
    )
    chart = Chart(app, "events", namespace="kafka")
    kafka = cluster(chart, operator.version)
    KafkaLoadBalancedListener(
        chart,
        "External",
        kafka=kafka,
        name="external",
        port=9094,
        authentication={"type": "scram-sha-512"},
        controller=alb.nlb(target_type=NlbTargetType.IP),
    )
    assert kafka.load_balancers.count == 4
    written: list[dict[str, Any]] = cdk8s.Testing.synth(chart)
    listeners = written[0]["spec"]["kafka"]["listeners"]
    assert listeners[1]["configuration"]["finalizers"] == ["service.k8s.aws/resources"]
    assert [each["kind"] for each in written] == ["Kafka", "KafkaNodePool"]


def test_mistakes_are_told_with_the_path_of_the_construct() -> None:
    chart = Chart(App(), "events", namespace="kafka")
    kafka = KafkaCluster(chart, "Events", name="events", strimzi=StrimziVersion.V0_45)
    with pytest.raises(RuntimeError, match=r"there is no broker 7; the brokers are none"):
        kafka.node_pool_of(7)
    with pytest.raises(RuntimeError, match=r"\[events/Events\] strimzi: spec.kafka.listeners is missing or empty"):
        cdk8s.Testing.synth(chart)


def test_permissions_are_plain_data_for_any_cdk_program() -> None:
    document = controller(App()).permissions.to_policy_document()
    assert document["Version"] == "2012-10-17"
    assert json.loads(json.dumps(document)) == document

    stack = cdk.Stack(cdk.App(), "Identity", env=cdk.Environment(account="123456789012", region="eu-west-1"))
    # AWS CDK names some parameters otherwise than its own interfaces do, which pyright refuses
    pods = cast("iam.IPrincipal", iam.ServicePrincipal("pods.eks.amazonaws.com"))
    role = cast("iam.IRole", iam.Role(stack, "Role", assumed_by=pods))
    iam.ManagedPolicy(stack, "Policy", document=iam.PolicyDocument.from_json(document), roles=[role])
    policies = assertions.Template.from_stack(stack).find_resources("AWS::IAM::ManagedPolicy")
    (policy,) = policies.values()
    actions = [action for statement in policy["Properties"]["PolicyDocument"]["Statement"] for action in statement["Action"]]
    assert "elasticloadbalancing:CreateLoadBalancer" in actions


def test_the_role_is_made_where_aws_cdk_is_installed() -> None:
    stack = cdk.Stack(cdk.App(), "Identity", env=cdk.Environment(account="123456789012", region="eu-west-1"))
    role = AwsLoadBalancerControllerRole(stack, "Role", pod_identity=AwsPodIdentityCluster(cluster_name="prod"))
    assert cdk.Token.is_unresolved(role.role_arn)
    template = assertions.Template.from_stack(stack)
    template.resource_count_is("AWS::EKS::PodIdentityAssociation", 1)

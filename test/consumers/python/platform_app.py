"""Every load balancer of the platform. Run in the folder of the repository."""

from cdk8s import App, Chart, Size
from cdk8s_load_balancers import (
    AwsIdentity,
    AwsLoadBalancerControllerInstallation,
    IamPolicy,
    KafkaCluster,
    KafkaLoadBalancedListener,
    KafkaNodePool,
    KafkaNodeRole,
    KubernetesVersion,
    LoadBalancerPort,
    LoadBalancers,
    NlbTargetType,
    NodePool,
    NodePools,
    NodepoolPinnedService,
    NodeTaint,
    SharedLoadBalancer,
    SharedLoadBalancerEngine,
    StrimziVersion,
    TenancyIdentity,
    TenantLoadBalancerGuard,
    TenantManifests,
    WebhookCertificate,
)

from acme_controller import AcmeController
from workload import workload


def installation(app: App) -> AwsLoadBalancerControllerInstallation:
    """The controller of AWS, which serves what follows."""
    return AwsLoadBalancerControllerInstallation(
        Chart(app, "system", namespace="kube-system"),
        "Controller",
        cluster_name="prod",
        region="eu-west-1",
        vpc_id="vpc-0123456789abcdef0",
        identity=AwsIdentity.pod_identity(),
        certificate=WebhookCertificate.cert_manager(),
        crds=False,
    )


def edge(app: App, aws: AwsLoadBalancerControllerInstallation) -> None:
    """Pods and balancer on one node pool, at the controller of AWS and at one of our own."""
    chart = Chart(app, "edge", namespace="edge")
    ports = [LoadBalancerPort(name="https", port=443, target_port=8443)]
    NodepoolPinnedService(
        chart,
        "Pinned",
        name="echo",
        controller=aws.nlb(target_type=NlbTargetType.INSTANCE),
        workload=workload(chart, "Echo"),
        node_pool=NodePools.eks_managed_node_group("ingest"),
        ports=ports,
    )
    NodepoolPinnedService(
        chart,
        "Office",
        name="office",
        controller=AcmeController(),
        workload=workload(chart, "Desk"),
        node_pool=NodePool.labeled(
            {"acme.example/pool": "office"}, taints=[NodeTaint.no_schedule("dedicated", "office")]
        ),
        ports=ports,
    )


def kafka(app: App, aws: AwsLoadBalancerControllerInstallation) -> None:
    """A Kafka cluster whose brokers have a balancer each."""
    chart = Chart(app, "kafka", namespace="kafka")
    cluster = KafkaCluster(
        chart,
        "Events",
        name="events",
        strimzi=StrimziVersion.V1_2,
        listeners=[{"name": "tls", "port": 9093, "type": "internal", "tls": True, "authentication": {"type": "tls"}}],
    )
    KafkaNodePool(
        chart,
        "Brokers",
        kafka=cluster,
        name="brokers",
        replicas=3,
        roles=[KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
        storage={"type": "persistent-claim", "size": "100Gi"},
        node_pool=NodePools.karpenter("kafka"),
    )
    KafkaLoadBalancedListener(
        chart,
        "External",
        kafka=cluster,
        name="external",
        port=9094,
        authentication={"type": "scram-sha-512"},
        controller=aws.nlb(target_type=NlbTargetType.IP),
        advertised_host_template="broker-{nodeId}.kafka.example.com",
    )


def tenants(app: App, aws: AwsLoadBalancerControllerInstallation) -> None:
    """Two tenants behind one balancer, as their files say, at the ports that are locked."""
    chart = Chart(app, "platform", namespace="infra")
    namespace_labels = {"example.com/tenant": "true"}
    TenantLoadBalancerGuard(
        chart,
        "Guard",
        namespace_labels=namespace_labels,
        min_source_range_prefix=16,
        kubernetes=KubernetesVersion.V1_36,
    )
    shared = SharedLoadBalancer(
        chart,
        "Shared",
        engine=SharedLoadBalancerEngine.envoy_gateway(controller=aws.nlb(target_type=NlbTargetType.IP)),
        namespace_labels=namespace_labels,
        platform=[TenancyIdentity.service_account("flux-system", "kustomize-controller")],
        hostname="tcp.example.com",
        port_lock="ports.lock.json",
    )
    for tenant in ("team-a", "team-b"):
        shared.add_tenant(tenant, max_connections=200)
        TenantManifests(
            Chart(app, tenant, namespace=tenant), "Manifests", url=f"tenants/{tenant}.yaml", shared=shared
        )


def platform(app: App) -> list[IamPolicy]:
    """The whole platform; returns what the role of its controller may do."""
    aws = installation(app)
    edge(app, aws)
    kafka(app, aws)
    tenants(app, aws)
    LoadBalancers.of(app).acknowledge(
        "sharing-drops-settings", "the tenants know what sharing means for their annotations"
    )
    return aws.permissions.split()

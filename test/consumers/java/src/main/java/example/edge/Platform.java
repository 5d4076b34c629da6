package example.edge;

import io.github.cdk8sloadbalancers.AwsIdentity;
import io.github.cdk8sloadbalancers.AwsLoadBalancerControllerInstallation;
import io.github.cdk8sloadbalancers.AwsLoadBalancerControllerNlbOptions;
import io.github.cdk8sloadbalancers.EnvoyGatewayEngineOptions;
import io.github.cdk8sloadbalancers.IamPolicy;
import io.github.cdk8sloadbalancers.KafkaCluster;
import io.github.cdk8sloadbalancers.KafkaLoadBalancedListener;
import io.github.cdk8sloadbalancers.KafkaNodePool;
import io.github.cdk8sloadbalancers.KafkaNodeRole;
import io.github.cdk8sloadbalancers.KubernetesVersion;
import io.github.cdk8sloadbalancers.LoadBalancerPort;
import io.github.cdk8sloadbalancers.LoadBalancers;
import io.github.cdk8sloadbalancers.NlbTargetType;
import io.github.cdk8sloadbalancers.NodePool;
import io.github.cdk8sloadbalancers.NodePoolOptions;
import io.github.cdk8sloadbalancers.NodePools;
import io.github.cdk8sloadbalancers.NodeTaint;
import io.github.cdk8sloadbalancers.NodepoolPinnedService;
import io.github.cdk8sloadbalancers.SharedLoadBalancer;
import io.github.cdk8sloadbalancers.SharedLoadBalancerEngine;
import io.github.cdk8sloadbalancers.StrimziVersion;
import io.github.cdk8sloadbalancers.TenancyIdentity;
import io.github.cdk8sloadbalancers.TenantLoadBalancerGuard;
import io.github.cdk8sloadbalancers.TenantManifests;
import io.github.cdk8sloadbalancers.SharedTenantOptions;
import io.github.cdk8sloadbalancers.WebhookCertificate;
import java.util.List;
import java.util.Map;
import org.cdk8s.App;
import org.cdk8s.Chart;
import org.cdk8s.ChartProps;
import org.cdk8s.Size;

/** The whole platform. Run in the folder of the repository. */
final class Platform {
    private final App app;
    private final AwsLoadBalancerControllerInstallation aws;

    Platform(App app) {
        this.app = app;
        this.aws = installation();
        edge();
        kafka();
        tenants();
        LoadBalancers.of(app)
            .acknowledge("sharing-drops-settings", "the tenants know what sharing means for their annotations");
    }

    /** What the role of its controller may do. */
    List<IamPolicy> permissions() {
        return aws.getPermissions().split();
    }

    private Chart chart(String id, String namespace) {
        return new Chart(app, id, ChartProps.builder().namespace(namespace).build());
    }

    private static AwsLoadBalancerControllerNlbOptions targets(NlbTargetType type) {
        return AwsLoadBalancerControllerNlbOptions.builder().targetType(type).build();
    }

    /** The controller of AWS, which serves what follows. */
    private AwsLoadBalancerControllerInstallation installation() {
        return AwsLoadBalancerControllerInstallation.Builder.create(chart("system", "kube-system"), "Controller")
            .clusterName("prod")
            .region("eu-west-1")
            .vpcId("vpc-0123456789abcdef0")
            .identity(AwsIdentity.podIdentity())
            .certificate(WebhookCertificate.certManager())
            .crds(false)
            .build();
    }

    /** Pods and balancer on one node pool, at the controller of AWS and at one of our own. */
    private void edge() {
        Chart chart = chart("edge", "edge");
        List<LoadBalancerPort> ports =
            List.of(LoadBalancerPort.builder().name("https").port(443).targetPort(8443).build());
        NodepoolPinnedService.Builder.create(chart, "Pinned")
            .name("echo")
            .controller(aws.nlb(targets(NlbTargetType.INSTANCE)))
            .workload(Workload.of(chart, "Echo"))
            .nodePool(NodePools.eksManagedNodeGroup("ingest"))
            .ports(ports)
            .build();
        NodePoolOptions tainted = NodePoolOptions.builder()
            .taints(List.of(NodeTaint.noSchedule("dedicated", "office")))
            .build();
        NodepoolPinnedService.Builder.create(chart, "Office")
            .name("office")
            .controller(new AcmeController())
            .workload(Workload.of(chart, "Desk"))
            .nodePool(NodePool.labeled(Map.of("acme.example/pool", "office"), tainted))
            .ports(ports)
            .build();
    }

    /** A Kafka cluster whose brokers have a balancer each. */
    private void kafka() {
        Chart chart = chart("kafka", "kafka");
        Map<String, Object> internal = Map.of(
            "name", "tls", "port", 9093, "type", "internal", "tls", true, "authentication", Map.of("type", "tls"));
        KafkaCluster cluster = KafkaCluster.Builder.create(chart, "Events")
            .name("events")
            .strimzi(StrimziVersion.V1_2)
            .listeners(List.of(internal))
            .build();
        KafkaNodePool.Builder.create(chart, "Brokers")
            .kafka(cluster)
            .name("brokers")
            .replicas(3)
            .roles(List.of(KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER))
            .storage(Map.of("type", "persistent-claim", "size", "100Gi"))
            .nodePool(NodePools.karpenter("kafka"))
            .build();
        KafkaLoadBalancedListener.Builder.create(chart, "External")
            .kafka(cluster)
            .name("external")
            .port(9094)
            .authentication(Map.of("type", "scram-sha-512"))
            .controller(aws.nlb(targets(NlbTargetType.IP)))
            .advertisedHostTemplate("broker-{nodeId}.kafka.example.com")
            .build();
    }

    /** Two tenants behind one balancer, as their files say, at the ports that are locked. */
    private void tenants() {
        Chart chart = chart("platform", "infra");
        Map<String, String> namespaceLabels = Map.of("example.com/tenant", "true");
        TenantLoadBalancerGuard.Builder.create(chart, "Guard")
            .namespaceLabels(namespaceLabels)
            .minSourceRangePrefix(16)
            .kubernetes(KubernetesVersion.V1_36)
            .build();
        SharedLoadBalancerEngine engine = SharedLoadBalancerEngine.envoyGateway(
            EnvoyGatewayEngineOptions.builder().controller(aws.nlb(targets(NlbTargetType.IP))).build());
        SharedLoadBalancer shared = SharedLoadBalancer.Builder.create(chart, "Shared")
            .engine(engine)
            .namespaceLabels(namespaceLabels)
            .platform(List.of(TenancyIdentity.serviceAccount("flux-system", "kustomize-controller")))
            .hostname("tcp.example.com")
            .portLock("ports.lock.json")
            .build();
        for (String tenant : List.of("team-a", "team-b")) {
            shared.addTenant(tenant, SharedTenantOptions.builder().maxConnections(200).build());
            TenantManifests.Builder.create(chart(tenant, tenant), "Manifests")
                .url("tenants/" + tenant + ".yaml")
                .shared(shared)
                .build();
        }
    }
}

using System.Collections.Generic;
using Cdk8sLoadBalancers;
using Org.Cdk8s;

namespace EdgePlatform
{
    /// <summary>The whole platform. Run in the folder of the repository.</summary>
    internal sealed class Platform
    {
        private readonly App app;
        private readonly AwsLoadBalancerControllerInstallation aws;

        internal Platform(App app)
        {
            this.app = app;
            aws = Installation();
            Edge();
            Kafka();
            Tenants();
            LoadBalancers.Of(app).Acknowledge(
                "sharing-drops-settings", "the tenants know what sharing means for their annotations");
        }

        /// <summary>What the role of its controller may do.</summary>
        internal IamPolicy[] Permissions => aws.Permissions.Split();

        private Chart ChartIn(string id, string space) => new Chart(app, id, new ChartProps { Namespace = space });

        private static AwsLoadBalancerControllerNlbOptions Targets(NlbTargetType type) =>
            new AwsLoadBalancerControllerNlbOptions { TargetType = type };

        /// <summary>The controller of AWS, which serves what follows.</summary>
        private AwsLoadBalancerControllerInstallation Installation()
        {
            var props = new AwsLoadBalancerControllerInstallationProps
            {
                ClusterName = "prod",
                Region = "eu-west-1",
                VpcId = "vpc-0123456789abcdef0",
                Identity = AwsIdentity.PodIdentity(),
                Certificate = WebhookCertificate.CertManager(),
                Crds = false,
            };
            return new AwsLoadBalancerControllerInstallation(ChartIn("system", "kube-system"), "Controller", props);
        }

        /// <summary>Pods and balancer on one node pool, at the controller of AWS and at one of our own.</summary>
        private void Edge()
        {
            var chart = ChartIn("edge", "edge");
            var ports = new ILoadBalancerPort[]
            {
                new LoadBalancerPort { Name = "https", Port = 443, TargetPort = 8443 },
            };
            new NodepoolPinnedService(chart, "Pinned", new NodepoolPinnedServiceProps
            {
                Name = "echo",
                Controller = aws.Nlb(Targets(NlbTargetType.INSTANCE)),
                Workload = Workload.Of(chart, "Echo"),
                NodePool = NodePools.EksManagedNodeGroup("ingest"),
                Ports = ports,
            });
            var labels = new Dictionary<string, string> { ["acme.example/pool"] = "office" };
            var tainted = new NodePoolOptions { Taints = new[] { NodeTaint.NoSchedule("dedicated", "office") } };
            new NodepoolPinnedService(chart, "Office", new NodepoolPinnedServiceProps
            {
                Name = "office",
                Controller = new AcmeController(),
                Workload = Workload.Of(chart, "Desk"),
                NodePool = NodePool.Labeled(labels, tainted),
                Ports = ports,
            });
        }

        /// <summary>A Kafka cluster whose brokers have a balancer each.</summary>
        private void Kafka()
        {
            var chart = ChartIn("kafka", "kafka");
            var inside = new Dictionary<string, object>
            {
                ["name"] = "tls",
                ["port"] = 9093,
                ["type"] = "internal",
                ["tls"] = true,
                ["authentication"] = new Dictionary<string, object> { ["type"] = "tls" },
            };
            var cluster = new KafkaCluster(chart, "Events", new KafkaClusterProps
            {
                Name = "events",
                Strimzi = StrimziVersion.V1_2,
                Listeners = new IDictionary<string, object>[] { inside },
            });
            new KafkaNodePool(chart, "Brokers", new KafkaNodePoolProps
            {
                Kafka = cluster,
                Name = "brokers",
                Replicas = 3,
                Roles = new[] { KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER },
                Storage = new Dictionary<string, object> { ["type"] = "persistent-claim", ["size"] = "100Gi" },
                NodePool = NodePools.Karpenter("kafka"),
            });
            new KafkaLoadBalancedListener(chart, "External", new KafkaLoadBalancedListenerProps
            {
                Kafka = cluster,
                Name = "external",
                Port = 9094,
                Authentication = new Dictionary<string, object> { ["type"] = "scram-sha-512" },
                Controller = aws.Nlb(Targets(NlbTargetType.IP)),
                AdvertisedHostTemplate = "broker-{nodeId}.kafka.example.com",
            });
        }

        /// <summary>Two tenants behind one balancer, as their files say, at the ports that are locked.</summary>
        private void Tenants()
        {
            var chart = ChartIn("platform", "infra");
            var namespaceLabels = new Dictionary<string, string> { ["example.com/tenant"] = "true" };
            new TenantLoadBalancerGuard(chart, "Guard", new TenantLoadBalancerGuardProps
            {
                NamespaceLabels = namespaceLabels,
                MinSourceRangePrefix = 16,
                Kubernetes = KubernetesVersion.V1_36,
            });
            var engine = new EnvoyGatewayEngineOptions { Controller = aws.Nlb(Targets(NlbTargetType.IP)) };
            var shared = new SharedLoadBalancer(chart, "Shared", new SharedLoadBalancerProps
            {
                Engine = SharedLoadBalancerEngine.EnvoyGateway(engine),
                NamespaceLabels = namespaceLabels,
                Platform = new[] { TenancyIdentity.ServiceAccount("flux-system", "kustomize-controller") },
                Hostname = "tcp.example.com",
                PortLock = "ports.lock.json",
            });
            foreach (var tenant in new[] { "team-a", "team-b" })
            {
                shared.AddTenant(tenant, new SharedTenantOptions { MaxConnections = 200 });
                new TenantManifests(ChartIn(tenant, tenant), "Manifests", new TenantManifestsProps
                {
                    Url = $"tenants/{tenant}.yaml",
                    Shared = shared,
                });
            }
        }
    }
}

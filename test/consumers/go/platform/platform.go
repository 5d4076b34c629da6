// Package platform has every load balancer of a platform.
package platform

import (
	"github.com/aws/jsii-runtime-go"
	lb "github.com/cdk8s-load-balancers/cdk8s-load-balancers-go/cdk8sloadbalancers"
	"github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2"
)

// New makes the whole platform, and returns what the role of its controller may do. Run in the folder of the repository.
func New(app cdk8s.App) []lb.IamPolicy {
	aws := installation(app)
	edge(app, aws)
	kafka(app, aws)
	tenants(app, aws)
	lb.LoadBalancers_Of(app).Acknowledge(
		jsii.String("sharing-drops-settings"),
		jsii.String("the tenants know what sharing means for their annotations"),
	)
	return *aws.Permissions().Split(nil)
}

func newChart(app cdk8s.App, id, namespace string) cdk8s.Chart {
	return cdk8s.NewChart(app, jsii.String(id), &cdk8s.ChartProps{Namespace: jsii.String(namespace)})
}

func targets(targetType lb.NlbTargetType) *lb.AwsLoadBalancerControllerNlbOptions {
	return &lb.AwsLoadBalancerControllerNlbOptions{TargetType: targetType}
}

// The controller of AWS, which serves what follows.
func installation(app cdk8s.App) lb.AwsLoadBalancerControllerInstallation {
	chart := newChart(app, "system", "kube-system")
	return lb.NewAwsLoadBalancerControllerInstallation(chart, jsii.String("Controller"),
		&lb.AwsLoadBalancerControllerInstallationProps{
			ClusterName: jsii.String("prod"),
			Region:      jsii.String("eu-west-1"),
			VpcId:       jsii.String("vpc-0123456789abcdef0"),
			Identity:    lb.AwsIdentity_PodIdentity(),
			Certificate: lb.WebhookCertificate_CertManager(nil),
			Crds:        jsii.Bool(false),
		})
}

// Pods and balancer on one node pool, at the controller of AWS and at one of our own.
func edge(app cdk8s.App, aws lb.AwsLoadBalancerControllerInstallation) {
	chart := newChart(app, "edge", "edge")
	ports := &[]*lb.LoadBalancerPort{
		{Name: jsii.String("https"), Port: jsii.Number(443), TargetPort: jsii.Number(8443)},
	}
	lb.NewNodepoolPinnedService(chart, jsii.String("Pinned"), &lb.NodepoolPinnedServiceProps{
		Name:       jsii.String("echo"),
		Controller: aws.Nlb(targets(lb.NlbTargetType_INSTANCE)),
		Workload:   Workload(chart, "Echo"),
		NodePool:   lb.NodePools_EksManagedNodeGroup(jsii.String("ingest"), nil),
		Ports:      ports,
	})
	lb.NewNodepoolPinnedService(chart, jsii.String("Office"), &lb.NodepoolPinnedServiceProps{
		Name:       jsii.String("office"),
		Controller: &acmeController{},
		Workload:   Workload(chart, "Desk"),
		NodePool: lb.NodePool_Labeled(
			&map[string]*string{"acme.example/pool": jsii.String("office")},
			&lb.NodePoolOptions{
				Taints: &[]lb.NodeTaint{lb.NodeTaint_NoSchedule(jsii.String("dedicated"), jsii.String("office"))},
			},
		),
		Ports: ports,
	})
}

// A Kafka cluster whose brokers have a balancer each.
func kafka(app cdk8s.App, aws lb.AwsLoadBalancerControllerInstallation) {
	chart := newChart(app, "kafka", "kafka")
	cluster := lb.NewKafkaCluster(chart, jsii.String("Events"), &lb.KafkaClusterProps{
		Name:    jsii.String("events"),
		Strimzi: lb.StrimziVersion_V1_2(),
		Listeners: &[]*map[string]interface{}{{
			"name":           "tls",
			"port":           9093,
			"type":           "internal",
			"tls":            true,
			"authentication": map[string]interface{}{"type": "tls"},
		}},
	})
	lb.NewKafkaNodePool(chart, jsii.String("Brokers"), &lb.KafkaNodePoolProps{
		Kafka:    cluster,
		Name:     jsii.String("brokers"),
		Replicas: jsii.Number(3),
		Roles:    &[]lb.KafkaNodeRole{lb.KafkaNodeRole_BROKER, lb.KafkaNodeRole_CONTROLLER},
		Storage:  &map[string]interface{}{"type": "persistent-claim", "size": "100Gi"},
		NodePool: lb.NodePools_Karpenter(jsii.String("kafka"), nil),
	})
	lb.NewKafkaLoadBalancedListener(chart, jsii.String("External"), &lb.KafkaLoadBalancedListenerProps{
		Kafka:                  cluster,
		Name:                   jsii.String("external"),
		Port:                   jsii.Number(9094),
		Authentication:         &map[string]interface{}{"type": "scram-sha-512"},
		Controller:             aws.Nlb(targets(lb.NlbTargetType_IP)),
		AdvertisedHostTemplate: jsii.String("broker-{nodeId}.kafka.example.com"),
	})
}

// Two tenants behind one balancer, as their files say, at the ports that are locked.
func tenants(app cdk8s.App, aws lb.AwsLoadBalancerControllerInstallation) {
	chart := newChart(app, "platform", "infra")
	namespaceLabels := &map[string]*string{"example.com/tenant": jsii.String("true")}
	lb.NewTenantLoadBalancerGuard(chart, jsii.String("Guard"), &lb.TenantLoadBalancerGuardProps{
		NamespaceLabels:      namespaceLabels,
		MinSourceRangePrefix: jsii.Number(16),
		Kubernetes:           lb.KubernetesVersion_V1_36(),
	})
	shared := lb.NewSharedLoadBalancer(chart, jsii.String("Shared"), &lb.SharedLoadBalancerProps{
		Engine: lb.SharedLoadBalancerEngine_EnvoyGateway(&lb.EnvoyGatewayEngineOptions{
			Controller: aws.Nlb(targets(lb.NlbTargetType_IP)),
		}),
		NamespaceLabels: namespaceLabels,
		Platform: &[]lb.TenancyIdentity{
			lb.TenancyIdentity_ServiceAccount(jsii.String("flux-system"), jsii.String("kustomize-controller")),
		},
		Hostname: jsii.String("tcp.example.com"),
		PortLock: jsii.String("ports.lock.json"),
	})
	for _, tenant := range []string{"team-a", "team-b"} {
		shared.AddTenant(jsii.String(tenant), &lb.SharedTenantOptions{MaxConnections: jsii.Number(200)})
		lb.NewTenantManifests(newChart(app, tenant, tenant), jsii.String("Manifests"), &lb.TenantManifestsProps{
			Url:    jsii.String("tenants/" + tenant + ".yaml"),
			Shared: shared,
		})
	}
}

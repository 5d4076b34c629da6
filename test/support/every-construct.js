// Every construct of the library that writes objects, made once in a chart: for the laws on all of them, and for the benchmark.
// The library is handed in, since the tests run its sources and the benchmark what is compiled.

const { ApiObject } = require('cdk8s');

const PODS = { labels: { app: 'echo' } };
const GROUP_ID = '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/edge';
const GUID = '00000000-0000-0000-0000-000000000002';

/** What there is once in a cluster, each by the name of its class. Each is handed the chart, the library, and the number of the chart. */
const ONCE = {
  GatewayClass: (chart, ours) =>
    new ours.GatewayClass(chart, 'Class', { name: 'edge', controllerName: 'example.com/gateway' }),
  AwsLoadBalancerControllerInstallation: (chart, ours) =>
    new ours.AwsLoadBalancerControllerInstallation(chart, 'Controller', {
      clusterName: 'prod',
      region: 'eu-west-1',
      vpcId: 'vpc-0123456789abcdef0',
      identity: ours.AwsIdentity.podIdentity(),
      certificate: ours.WebhookCertificate.certManager(),
    }),
  AwsCloudControllerManagerInstallation: (chart, ours) =>
    new ours.AwsCloudControllerManagerInstallation(chart, 'CloudController', { clusterName: 'prod' }),
  StrimziClusterOperatorInstallation: (chart, ours) =>
    new ours.StrimziClusterOperatorInstallation(chart, 'Operator', {
      version: ours.StrimziVersion.V1_2,
      watchNamespaces: ['*'],
    }),
  TenantLoadBalancerGuard: (chart, ours) =>
    new ours.TenantLoadBalancerGuard(chart, 'Guard', {
      name: 'tenants',
      namespaceLabels: { 'example.com/tenant': 'true' },
      kubernetes: ours.KubernetesVersion.V1_36,
      tenants: [{ namespace: 'team-a', subjects: [ours.TenancyIdentity.group('team-a')] }],
    }),
  LoadBalancerAdmissionPolicy: (chart, ours) =>
    new ours.LoadBalancerAdmissionPolicy(chart, 'Services', {
      name: 'services',
      namespaceLabels: { 'example.com/tenant': 'true' },
      allowedClasses: [ours.AllowedClass.shared()],
    }),
  LoadBalancerClassDefault: (chart, ours) =>
    new ours.LoadBalancerClassDefault(chart, 'Default', {
      name: 'default',
      namespaceLabels: { 'example.com/tenant': 'true' },
      mechanism: ours.ClassDefaultMechanism.kyverno(),
    }),
  LoadBalancerKeeper: (chart, ours) =>
    new ours.LoadBalancerKeeper(chart, 'Keeper', { kubernetes: ours.KubernetesVersion.V1_36 }),
  LoadBalancerLock: (chart, ours) => new ours.LoadBalancerLock(chart, 'Lock'),
  LoadBalancerWarningPolicies: (chart, ours) => new ours.LoadBalancerWarningPolicies(chart, 'Warnings'),
  SharedListenerPolicy: (chart, ours) =>
    new ours.SharedListenerPolicy(chart, 'Fences', {
      name: 'fences',
      namespaceLabels: { 'example.com/tenant': 'true' },
      gateways: [{ namespace: 'infra', name: 'shared' }],
      ports: ours.TenantPorts.perNamespace({ 'team-a': [{ first: 20000, last: 20009 }] }),
      exempt: [ours.TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller')],
    }),
  LoadBalancerProtection: (chart, ours, { i }) => {
    const service = new ours.LoadBalancedService(chart, 'Protected', {
      name: 'protected',
      controller: ours.AwsLoadBalancerController.nlb(),
      selector: PODS.labels,
      ports: [{ port: 443 }],
    });
    if (i === 0) service.protect();
    return i === 0 ? new ours.LoadBalancerProtection(chart, 'Protection') : service;
  },
  MetalLbAddressPool: (chart, ours, { i }) => poolIn(chart, ours, i),
  MetalLbLayer2Advertisement: (chart, ours, { i }) =>
    new ours.MetalLbLayer2Advertisement(chart, 'Layer2', { name: `layer2-${i}`, pools: [poolIn(chart, ours, i)] }),
  MetalLbBgpAdvertisement: (chart, ours, { i }) =>
    new ours.MetalLbBgpAdvertisement(chart, 'Bgp', { name: `bgp-${i}`, pools: [poolIn(chart, ours, i)] }),
  LoadBalancerAlerts: (chart, ours) =>
    new ours.LoadBalancerAlerts(chart, 'Alerts', { controllers: [ours.WatchedController.metalLb()] }),
  TenantRole: (chart, ours, { i }) => new ours.TenantRole(chart, 'Role', { name: `tenant-${i}` }),
};

/** What a team has of its own. */
const EACH = {
  LoadBalancedService: (chart, ours) =>
    new ours.LoadBalancedService(chart, 'Service', {
      name: 'echo',
      controller: ours.AwsLoadBalancerController.nlb(),
      selector: PODS.labels,
      ports: [{ port: 443 }],
    }),
  LoadBalancerBudget: (chart, ours) =>
    new ours.LoadBalancerBudget(chart, 'Budget', { maxMonthlyCost: { USD: 1_000_000 }, maxQuotaPercent: 1_000_000 }),
  AdoptedService: (chart, ours) =>
    new ours.AdoptedService(chart, 'Adopted', {
      controller: ours.AwsLoadBalancerController.nlb(),
      scheme: ours.LoadBalancerScheme.INTERNAL,
      service: new ApiObject(chart, 'Manifest', {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'adopted' },
        spec: { ports: [{ port: 443 }], selector: PODS.labels },
      }),
    }),
  NodepoolPinnedService: (chart, ours) =>
    new ours.NodepoolPinnedService(chart, 'Pinned', {
      name: 'pinned',
      controller: ours.AwsLoadBalancerController.nlb(),
      nodePool: ours.NodePools.karpenter('edge'),
      workload: new ApiObject(chart, 'Deployment', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'pinned' },
        spec: {
          selector: { matchLabels: PODS.labels },
          template: {
            metadata: PODS,
            spec: { containers: [{ name: 'echo', image: 'echo:1', ports: [{ containerPort: 443 }] }] },
          },
        },
      }),
      ports: [{ port: 443 }],
    }),
  TargetGroupBinding: (chart, ours, { i }) =>
    new ours.TargetGroupBinding(chart, 'Binding', {
      name: 'edge',
      targetGroupArn: `arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/edge-${i}/0123456789abcdef`,
      targetType: ours.NlbTargetType.IP,
      serviceName: 'echo',
      servicePort: 443,
    }),
  Gateway: (chart, ours) => gatewayIn(chart, ours),
  ListenerSet: (chart, ours) =>
    new ours.ListenerSet(chart, 'Set', {
      name: 'set',
      gateway: gatewayIn(chart, ours),
      listeners: [{ name: 'more', port: 9443, protocol: ours.GatewayProtocol.TCP }],
    }),
  TcpRoute: (chart, ours) =>
    new ours.TcpRoute(chart, 'Tcp', {
      name: 'tcp',
      parentRefs: [{ gateway: gatewayIn(chart, ours), sectionName: 'tcp' }],
      backendRefs: [{ name: 'echo', port: 443 }],
    }),
  TlsRoute: (chart, ours) =>
    new ours.TlsRoute(chart, 'Tls', {
      name: 'tls',
      parentRefs: [{ gateway: gatewayIn(chart, ours), sectionName: 'tls' }],
      hostnames: ['echo.example.com'],
      backendRefs: [{ name: 'echo', port: 443 }],
    }),
  ReferenceGrant: (chart, ours) =>
    new ours.ReferenceGrant(chart, 'Grant', {
      name: 'grant',
      fromKinds: [{ kind: 'TCPRoute', namespace: 'infra' }],
      toKinds: [{ kind: 'Service' }],
    }),
  KafkaCluster: (chart, ours) => kafkaIn(chart, ours),
  KafkaNodePool: (chart, ours) => {
    kafkaIn(chart, ours);
    return chart.node.findChild('Brokers');
  },
  KafkaLoadBalancedListener: (chart, ours) =>
    new ours.KafkaLoadBalancedListener(chart, 'External', {
      kafka: kafkaIn(chart, ours),
      name: 'external',
      port: 9094,
      authentication: { type: 'scram-sha-512' },
      controller: ours.AwsLoadBalancerController.nlb(),
    }),
  KafkaTlsRouteListener: (chart, ours, { i }) =>
    new ours.KafkaTlsRouteListener(chart, 'Routes', {
      kafka: kafkaIn(chart, ours),
      gateway: gatewayIn(chart, ours),
      name: 'routes',
      port: 9095,
      sectionName: 'tls',
      authentication: { type: 'scram-sha-512' },
      bootstrapHost: `kafka-${i}.example.com`,
      hostTemplate: `kafka-${i}-{nodeId}.example.com`,
    }),
  AzureRoleDefinition: (chart, ours) =>
    new ours.AzureRoleDefinition(chart, 'Definition', {
      name: 'balancing',
      assignableScope: ours.AzureScope.ofId(GROUP_ID),
      roleName: 'Balancers',
      purposes: [ours.AzureNetworkPurpose.INTERNAL_SUBNET],
    }),
  AzureRoleAssignment: (chart, ours) =>
    new ours.AzureRoleAssignment(chart, 'Assignment', {
      name: 'balancers',
      on: ours.AzureScope.ofId(GROUP_ID),
      role: ours.AzureRole.networkContributor(),
      principalId: GUID,
    }),
  GcpIamPolicyMember: (chart, ours) =>
    new ours.GcpIamPolicyMember(chart, 'Member', {
      name: 'dns',
      resource: ours.GcpResourceRef.project('my-project'),
      member: 'serviceAccount:dns@my-project.iam.gserviceaccount.com',
      role: 'roles/dns.admin',
    }),
};

const child = (chart, id) => chart.node.tryFindChild(id);

/** Several of the constructs above share one of these. */
function gatewayIn(chart, ours) {
  const { TCP, TLS } = ours.GatewayProtocol;
  return (
    child(chart, 'Gateway') ??
    new ours.Gateway(chart, 'Gateway', {
      name: 'edge',
      gatewayClassName: 'edge',
      allowedListeners: ours.GatewayAllowedListeners.sameNamespace(),
      listeners: [
        { name: 'tcp', port: 8443, protocol: TCP },
        { name: 'tls', port: 443, protocol: TLS, tlsMode: ours.GatewayTlsMode.PASSTHROUGH },
      ],
    })
  );
}

function kafkaIn(chart, ours) {
  const known = child(chart, 'Kafka');
  if (known) {
    return known;
  }
  const kafka = new ours.KafkaCluster(chart, 'Kafka', {
    name: 'events',
    strimzi: ours.StrimziVersion.V1_2,
    listeners: [{ name: 'plain', port: 9092, type: 'internal', tls: true, authentication: { type: 'scram-sha-512' } }],
  });
  new ours.KafkaNodePool(chart, 'Brokers', {
    kafka,
    name: 'brokers',
    replicas: 3,
    roles: [ours.KafkaNodeRole.BROKER, ours.KafkaNodeRole.CONTROLLER],
    storage: { type: 'persistent-claim', size: '100Gi' },
  });
  return kafka;
}

function poolIn(chart, ours, i) {
  return (
    child(chart, 'Pool') ??
    new ours.MetalLbAddressPool(chart, 'Pool', { name: `pool-${i}`, addresses: [`10.2.${i >> 8}.${i & 255}/32`] })
  );
}

module.exports = { EACH, ONCE };

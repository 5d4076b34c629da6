import { type App, Chart } from 'cdk8s';
import {
  AwsIdentity,
  AwsLoadBalancerControllerInstallation,
  type IamPolicy,
  KafkaCluster,
  KafkaLoadBalancedListener,
  KafkaNodePool,
  KafkaNodeRole,
  KubernetesVersion,
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
} from 'cdk8s-load-balancers';
import { AcmeController } from './acme-controller.js';
import { workload } from './workload.js';

/** The controller of AWS, which serves what follows. */
function installation(app: App): AwsLoadBalancerControllerInstallation {
  return new AwsLoadBalancerControllerInstallation(
    new Chart(app, 'system', { namespace: 'kube-system' }),
    'Controller',
    {
      clusterName: 'prod',
      region: 'eu-west-1',
      vpcId: 'vpc-0123456789abcdef0',
      identity: AwsIdentity.podIdentity(),
      certificate: WebhookCertificate.certManager(),
      crds: false,
    },
  );
}

/** Pods and balancer on one node pool, at the controller of AWS and at one of our own. */
function edge(app: App, aws: AwsLoadBalancerControllerInstallation): void {
  const chart = new Chart(app, 'edge', { namespace: 'edge' });
  const ports = [{ name: 'https', port: 443, targetPort: 8443 }];
  new NodepoolPinnedService(chart, 'Pinned', {
    name: 'echo',
    controller: aws.nlb({ targetType: NlbTargetType.INSTANCE }),
    workload: workload(chart, 'Echo'),
    nodePool: NodePools.eksManagedNodeGroup('ingest'),
    ports,
  });
  new NodepoolPinnedService(chart, 'Office', {
    name: 'office',
    controller: new AcmeController(),
    workload: workload(chart, 'Desk'),
    nodePool: NodePool.labeled(
      { 'acme.example/pool': 'office' },
      { taints: [NodeTaint.noSchedule('dedicated', 'office')] },
    ),
    ports,
  });
}

/** A Kafka cluster whose brokers have a balancer each. */
function kafka(app: App, aws: AwsLoadBalancerControllerInstallation): void {
  const chart = new Chart(app, 'kafka', { namespace: 'kafka' });
  const cluster = new KafkaCluster(chart, 'Events', {
    name: 'events',
    strimzi: StrimziVersion.V1_2,
    listeners: [{ name: 'tls', port: 9093, type: 'internal', tls: true, authentication: { type: 'tls' } }],
  });
  new KafkaNodePool(chart, 'Brokers', {
    kafka: cluster,
    name: 'brokers',
    replicas: 3,
    roles: [KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
    storage: { type: 'persistent-claim', size: '100Gi' },
    nodePool: NodePools.karpenter('kafka'),
  });
  new KafkaLoadBalancedListener(chart, 'External', {
    kafka: cluster,
    name: 'external',
    port: 9094,
    authentication: { type: 'scram-sha-512' },
    controller: aws.nlb({ targetType: NlbTargetType.IP }),
    advertisedHostTemplate: 'broker-{nodeId}.kafka.example.com',
  });
}

/** Two tenants behind one balancer, as their files say, at the ports that are locked. */
function tenants(app: App, aws: AwsLoadBalancerControllerInstallation): void {
  const chart = new Chart(app, 'platform', { namespace: 'infra' });
  const namespaceLabels = { 'example.com/tenant': 'true' };
  new TenantLoadBalancerGuard(chart, 'Guard', {
    namespaceLabels,
    minSourceRangePrefix: 16,
    kubernetes: KubernetesVersion.V1_36,
  });
  const shared = new SharedLoadBalancer(chart, 'Shared', {
    engine: SharedLoadBalancerEngine.envoyGateway({ controller: aws.nlb({ targetType: NlbTargetType.IP }) }),
    namespaceLabels,
    platform: [TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller')],
    hostname: 'tcp.example.com',
    portLock: 'ports.lock.json',
  });
  for (const tenant of ['team-a', 'team-b']) {
    shared.addTenant(tenant, { maxConnections: 200 });
    new TenantManifests(new Chart(app, tenant, { namespace: tenant }), 'Manifests', {
      url: `tenants/${tenant}.yaml`,
      shared,
    });
  }
}

/** The whole platform; returns what the role of its controller may do. Run in the folder of the repository. */
export function platform(app: App): IamPolicy[] {
  const aws = installation(app);
  edge(app, aws);
  kafka(app, aws);
  tenants(app, aws);
  LoadBalancers.of(app).acknowledge(
    'sharing-drops-settings',
    'the tenants know what sharing means for their annotations',
  );
  return aws.permissions.split();
}

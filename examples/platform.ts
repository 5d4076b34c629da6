// What serves the Services, and the Services, from one app: the controller, the operator, a Kafka cluster, a pinned Service.
// The namespaces exist, cert-manager runs in the cluster, and Strimzi's definitions were applied, from the file of the release
// whose SHA-256 is 6f300e77128dc0963b8a6153c520a0f11b6f8999486a9b8e361c06aaa17860a3:
//   curl -fLO https://github.com/strimzi/strimzi-kafka-operator/releases/download/1.2.0/strimzi-crds-1.2.0.yaml
//   kubectl apply --server-side -f strimzi-crds-1.2.0.yaml
import { App, Chart } from 'cdk8s';
import {
  AwsIdentity,
  AwsLoadBalancerControllerInstallation,
  KafkaCluster,
  KafkaLoadBalancedListener,
  KafkaNodePool,
  KafkaNodeRole,
  LoadBalancers,
  NlbTargetType,
  NodePools,
  NodepoolPinnedService,
  StrimziClusterOperatorInstallation,
  StrimziVersion,
  WebhookCertificate,
} from 'cdk8s-load-balancers';
import { echoDeployment } from './echo-deployment';

const app = new App();

// Both must outlive what they serve, so each has a chart of its own, which is deleted last.
const alb = new AwsLoadBalancerControllerInstallation(
  new Chart(app, 'platform-system', { namespace: 'kube-system' }),
  'Controller',
  {
    clusterName: 'prod',
    region: 'eu-west-1',
    vpcId: 'vpc-0123456789abcdef0',
    identity: AwsIdentity.podIdentity(),
    certificate: WebhookCertificate.certManager(),
  },
);

const strimzi = new StrimziClusterOperatorInstallation(
  new Chart(app, 'platform-strimzi', { namespace: 'strimzi' }),
  'Operator',
  { version: StrimziVersion.V1_2, watchNamespaces: ['kafka'] },
);
LoadBalancers.of(strimzi).acknowledge('strimzi-crds-missing', 'applied before, as the first lines of this file say');

/** What the role of the controller must be allowed to do, for the stack that makes it: plain data, of this cluster alone. */
export const controllerPolicy = alb.permissions.toPolicyDocument();

// Class and finalizer come from the installation: no Service can disagree with the controller that serves it.
const events = new Chart(app, 'platform-kafka', { namespace: 'kafka' });
const kafka = new KafkaCluster(events, 'Events', { name: 'events', strimzi: strimzi.version });
new KafkaNodePool(events, 'Brokers', {
  kafka,
  name: 'brokers',
  replicas: 3,
  roles: [KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
  storage: { type: 'persistent-claim', size: '100Gi' },
  nodePool: NodePools.karpenter('kafka'),
});
new KafkaLoadBalancedListener(events, 'External', {
  kafka,
  name: 'external',
  port: 9094,
  authentication: { type: 'scram-sha-512' },
  controller: alb.nlb({ targetType: NlbTargetType.IP }),
  advertisedHostTemplate: 'broker-{nodeId}.kafka.example.com',
});

const edge = new Chart(app, 'platform-edge', { namespace: 'edge' });
new NodepoolPinnedService(edge, 'Pinned', {
  name: 'echo',
  controller: alb.nlb({ targetType: NlbTargetType.INSTANCE }),
  workload: echoDeployment(edge),
  nodePool: NodePools.eksManagedNodeGroup('ingest'),
  ports: [{ name: 'echo', port: 443, targetPort: 8080 }],
});

LoadBalancers.of(app).failOnWarnings();
app.synth();

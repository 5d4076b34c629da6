// Kafka with a listener that no operator upgrade, no reconcile and no delete can orphan.
import { App, Chart, Size } from 'cdk8s';
import {
  AwsLoadBalancerController,
  KafkaAcl,
  KafkaAuthentication,
  KafkaAuthorization,
  KafkaCluster,
  KafkaListener,
  KafkaLoadBalancedListener,
  KafkaNodePool,
  KafkaNodeRole,
  KafkaStorage,
  KafkaTopic,
  KafkaUser,
  KafkaUserAuthentication,
  NlbTargetType,
  NodePools,
  StrimziVersion,
} from 'cdk8s-load-balancers';

const app = new App();
const chart = new Chart(app, 'kafka-events', { namespace: 'kafka' });

const kafka = new KafkaCluster(chart, 'Events', {
  name: 'events',
  strimzi: StrimziVersion.V1_2,
  listeners: [KafkaListener.internal({ name: 'tls', port: 9093, authentication: KafkaAuthentication.tls() })],
  authorization: KafkaAuthorization.simple({ superUsers: ['admin'] }),
});

// The ids of its nodes are known: brokers 0, 1 and 2, whatever else is added later.
new KafkaNodePool(chart, 'Brokers', {
  kafka,
  name: 'brokers',
  replicas: 3,
  roles: [KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
  storage: KafkaStorage.persistentClaim(Size.gibibytes(100)),
  nodePool: NodePools.karpenter('kafka'),
});

// One NLB for bootstrap and one for each broker: kafka.loadBalancers says how many, and the names of their Services.
new KafkaLoadBalancedListener(chart, 'External', {
  kafka,
  name: 'external',
  port: 9094,
  authentication: KafkaAuthentication.scramSha512(),
  controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
  advertisedHostTemplate: 'broker-{nodeId}.kafka.example.com',
  dnsName: 'bootstrap.kafka.example.com',
  externalDns: true,
});

const orders = new KafkaTopic(chart, 'Orders', { kafka, name: 'orders', partitions: 12, replicas: 3 });
new KafkaUser(chart, 'Shop', {
  kafka,
  name: 'shop',
  authentication: KafkaUserAuthentication.scramSha512(),
  acls: KafkaAcl.producerOf(orders.topicName),
});

app.synth();

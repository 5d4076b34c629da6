// Kafka with a listener that no operator upgrade, no reconcile and no delete can orphan.
import { ApiObject, App, Chart } from 'cdk8s';
import {
  AwsLoadBalancerController,
  KafkaCluster,
  KafkaLoadBalancedListener,
  KafkaNodePool,
  KafkaNodeRole,
  NlbTargetType,
  NodePools,
  StrimziVersion,
} from 'cdk8s-load-balancers';

const app = new App();
const chart = new Chart(app, 'kafka-events', { namespace: 'kafka' });

const kafka = new KafkaCluster(chart, 'Events', {
  name: 'events',
  strimzi: StrimziVersion.V1_2,
  listeners: [{ name: 'tls', port: 9093, type: 'internal', tls: true, authentication: { type: 'tls' } }],
  spec: { kafka: { authorization: { type: 'simple', superUsers: ['admin'] } } },
});

// The ids of its nodes are known: brokers 0, 1 and 2, whatever else is added later.
new KafkaNodePool(chart, 'Brokers', {
  kafka,
  name: 'brokers',
  replicas: 3,
  roles: [KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
  storage: { type: 'persistent-claim', size: '100Gi' },
  nodePool: NodePools.karpenter('kafka'),
});

// One NLB for bootstrap and one for each broker: kafka.loadBalancers says how many, and the names of their Services.
new KafkaLoadBalancedListener(chart, 'External', {
  kafka,
  name: 'external',
  port: 9094,
  authentication: { type: 'scram-sha-512' },
  controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
  advertisedHostTemplate: 'broker-{nodeId}.kafka.example.com',
  dnsName: 'bootstrap.kafka.example.com',
  externalDns: true,
});

// Topics and users are resources in Strimzi's own words; `cdk8s import` makes typed classes of its definitions.
const labels = { 'strimzi.io/cluster': kafka.clusterName };
const { apiVersion } = kafka.strimzi;
new ApiObject(chart, 'Orders', {
  apiVersion,
  kind: 'KafkaTopic',
  metadata: { name: 'orders', labels },
  spec: { partitions: 12, replicas: 3 },
});
new ApiObject(chart, 'Shop', {
  apiVersion,
  kind: 'KafkaUser',
  metadata: { name: 'shop', labels },
  spec: {
    authentication: { type: 'scram-sha-512' },
    authorization: {
      type: 'simple',
      acls: [
        {
          type: 'allow',
          resource: { type: 'topic', name: 'orders', patternType: 'literal' },
          operations: ['Describe', 'Write'],
        },
      ],
    },
  },
});

app.synth();

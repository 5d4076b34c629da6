import { App, Chart } from 'cdk8s';
import {
  AwsLoadBalancerController,
  KafkaCluster,
  KafkaLoadBalancedListener,
  KafkaNodePool,
  KafkaNodeRole,
  LoadBalancers,
  NlbTargetType,
  StrimziVersion,
} from 'cdk8s-load-balancers';

const app = new App();
const chart = new Chart(app, 'kafka', { namespace: 'kafka' });
const kafka = new KafkaCluster(chart, 'Events', { name: 'events', strimzi: StrimziVersion.of('0.45.2') });
new KafkaNodePool(chart, 'Brokers', {
  kafka,
  name: 'brokers',
  replicas: 3,
  roles: [KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
  storage: { type: 'persistent-claim', size: '100Gi' },
});
new KafkaLoadBalancedListener(chart, 'External', {
  kafka,
  name: 'external',
  port: 9094,
  authentication: { type: 'scram-sha-512' },
  controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
});
LoadBalancers.of(app).acknowledge('strimzi-vulnerability', 'the upgrade to 1.2 is planned');
app.synth();

import { App, Chart, Size } from 'cdk8s';
import {
  AwsLoadBalancerController,
  KafkaAuthentication,
  KafkaCluster,
  KafkaLoadBalancedListener,
  KafkaNodePool,
  KafkaNodeRole,
  KafkaStorage,
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
  storage: KafkaStorage.persistentClaim(Size.gibibytes(100)),
});
new KafkaLoadBalancedListener(chart, 'External', {
  kafka,
  name: 'external',
  port: 9094,
  authentication: KafkaAuthentication.scramSha512(),
  controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
});
LoadBalancers.of(app).acknowledge('strimzi-vulnerable', 'the upgrade to 1.2 is planned');
app.synth();

import { App, Chart, Duration, JsonPatch } from 'cdk8s';
import {
  HetznerCloud,
  KafkaCluster,
  KafkaLoadBalancedListener,
  KafkaNodePool,
  KafkaNodeRole,
  LoadBalancers,
  StrimziVersion,
} from '../../../src';
import { stderrOf, synth } from '../../support/apps';
import { operatorIn, type Props } from './operators';

const kafka = { watchNamespaces: ['kafka'] };

/** A cluster with so many brokers, which has balancers one after the other, 15 seconds each. */
function clusterIn(app: App, replicas: number): KafkaCluster {
  const chart = new Chart(app, 'clusters', { namespace: 'kafka' });
  const cluster = new KafkaCluster(chart, 'Events', { name: 'events', strimzi: StrimziVersion.V1_2 });
  new KafkaNodePool(chart, 'Brokers', {
    kafka: cluster,
    name: 'brokers',
    replicas,
    roles: [KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
    storage: { type: 'ephemeral' },
  });
  new KafkaLoadBalancedListener(chart, 'External', {
    kafka: cluster,
    name: 'external',
    port: 9094,
    authentication: { type: 'tls' },
    controller: HetznerCloud.loadBalancer({ location: 'fsn1' }),
  });
  return cluster;
}

function told(rule: string, replicas: number, ...operators: Props[]): string[] {
  const app = new App();
  const cluster = clusterIn(app, replicas);
  for (const [index, props] of operators.entries()) {
    const { operator } = operatorIn(app, `strimzi${index}`, { ...props, createClusterScoped: index === 0 });
    LoadBalancers.of(operator).acknowledge('strimzi-crds-missing', 'applied before');
  }
  const said = stderrOf(() => synth(Chart.of(cluster))).replace(/\s+/g, ' ');
  return said
    .split(/(?= \[)/)
    .filter((text) => text.includes(`(${rule})`))
    .map((text) => text.trim());
}

describe('how long the operator waits for addresses', () => {
  const waits = (replicas: number, ...operators: Props[]) => told('listener-waits-long', replicas, ...operators);
  const waiting = (seconds: number): Props => ({ ...kafka, operationTimeout: Duration.seconds(seconds) });

  test.each<[string, number, Props[], number]>([
    ['is five minutes where no operator is in the app', 21, [], 1],
    ['is five minutes where it says nothing', 21, [kafka], 1],
    ['is as long as it says', 21, [waiting(600)], 0],
    ['is as short as it says', 5, [waiting(60)], 1],
    ['is none of an operator that watches elsewhere', 21, [{ ...waiting(600), watchNamespaces: ['shop'] }], 1],
    ['is that of the one that serves it', 21, [waiting(600), { ...waiting(60), watchNamespaces: ['shop'] }], 0],
  ])('%s', (_, replicas, operators, expected) => {
    expect(waits(replicas, ...operators)).toHaveLength(expected);
  });

  test('is told with the operator that says it', () => {
    expect(waits(5, waiting(60))[0]).toMatch(
      /takes 90 s .* the operator waits 60 s .* set STRIMZI_OPERATION_TIMEOUT_MS of strimzi0\/Operator\/Deployment \(operationTimeout\) to 90000 or more/,
    );
  });

  test('is what the finished Deployment says', () => {
    const app = new App();
    const cluster = clusterIn(app, 21);
    const { operator } = operatorIn(app, 'strimzi', kafka);
    const env = operator.deployment.toJson().spec.template.spec.containers[0].env;
    const index = env.findIndex(({ name }: { name: string }) => name === 'STRIMZI_OPERATION_TIMEOUT_MS');
    const value = `/spec/template/spec/containers/0/env/${index}/value`;
    operator.deployment.addJsonPatch(JsonPatch.replace(value, '900000'));
    expect(stderrOf(() => synth(Chart.of(cluster)))).not.toContain('listener-waits-long');
  });
});

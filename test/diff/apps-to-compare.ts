import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { App, type AppProps, Chart } from 'cdk8s';
import {
  AwsLoadBalancerController,
  type ILoadBalancerController,
  KafkaCluster,
  KafkaLoadBalancedListener,
  KafkaNodePool,
  KafkaNodeRole,
  LoadBalancedService,
  type LoadBalancedServiceProps,
  StrimziVersion,
} from '../../src';

/** An app with one chart, filled by a test. */
export function appWith(fill: (chart: Chart) => void, props: AppProps & { readonly namespace?: string } = {}): App {
  const { namespace, ...rest } = props;
  const app = new App(rest);
  fill(new Chart(app, 'edge', { namespace }));
  return app;
}

/** A public Service of a name that stays. */
export function echoIn(chart: Chart, props: Partial<LoadBalancedServiceProps> = {}, id = 'Echo'): LoadBalancedService {
  return new LoadBalancedService(chart, id, {
    name: 'echo',
    controller: AwsLoadBalancerController.nlb(),
    selector: { app: 'echo' },
    ports: [{ port: 443 }],
    ...props,
  });
}

/** A Kafka with so many brokers, and a listener with a balancer for each. */
export function kafkaIn(
  chart: Chart,
  replicas: number,
  controller: ILoadBalancerController = AwsLoadBalancerController.nlb(),
): KafkaLoadBalancedListener {
  const kafka = new KafkaCluster(chart, 'Kafka', { name: 'events', strimzi: StrimziVersion.V1_2 });
  const [brokers, controllers] = [[KafkaNodeRole.BROKER], [KafkaNodeRole.CONTROLLER]];
  const storage = { type: 'persistent-claim', size: '100Gi' };
  new KafkaNodePool(chart, 'Brokers', { kafka, name: 'brokers', replicas, roles: brokers, storage });
  new KafkaNodePool(chart, 'Controllers', { kafka, name: 'controllers', replicas: 3, roles: controllers, storage });
  return new KafkaLoadBalancedListener(chart, 'External', {
    kafka,
    name: 'external',
    port: 9094,
    authentication: { type: 'scram-sha-512' },
    controller,
  });
}

/** Does something with a folder that is there no longer afterwards. */
export function inFolder<T>(action: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-diff-'));
  try {
    return action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files below a folder, by their paths. */
export function filesBelow(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.sort().map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));
}

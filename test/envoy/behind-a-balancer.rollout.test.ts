import { join } from 'node:path';
import { ApiObject, App, Chart, Duration, Testing } from 'cdk8s';
import { HetznerCloud, LoadBalancedService, NodeRemoval, type Rollout, TrafficPolicy } from '../../src';
import { annotationsOf } from '../../src/rules/service-json';
import { ApiRefusal, type Body, type Ref } from '../real/api';
import { type Program, until } from '../real/program';
import {
  type BalancerCheck,
  type BalancerProgram,
  NODES,
  RollingCluster,
  startCloudBalancer,
} from './harness/balancer';
import { answerOf, Stream, type Streamed } from './harness/client';
import { NodePorts } from './harness/network';

// Ten thousand connections while all pods of a Deployment are replaced, and one of its nodes is drained and removed at once. The API
// server and its controllers are real, and so is the balancer: Envoy or HAProxy, told to check the nodes as the annotations of the
// Service say. Kubelets, the kube-proxy of each node and the program of the pods are models: a pod stops accepting connections when
// its hook is over.

const CONNECTIONS = 10_000;
/** What each half has at least: more than come until the balancer has left a node. */
const LEAST = 1500;
const NODE_PORT = 30_080;
const HEALTH_CHECK_NODE_PORT = 32_100;
const KEPT: Rollout = {
  healthCheckNodePort: HEALTH_CHECK_NODE_PORT,
  drainTime: Duration.seconds(2),
  nodeRemoval: NodeRemoval.DOES_NOT_WAIT,
};

// two rollouts, in which each pod waits for the balancer, and a machine that is busy
jest.setTimeout(300_000);

const BALANCERS: readonly BalancerProgram[] = ['haproxy', 'envoy'];

let cluster: RollingCluster;
beforeAll(async () => {
  cluster = await RollingCluster.start();
  // all at once, for pods are available only when they were ready for some time; Services come later, as they share a node port
  await Promise.all(BALANCERS.flatMap((balancer) => [prepare(balancer), prepare(balancer, KEPT)]));
});
afterAll(() => cluster?.stop());

/** The program of a user: the same with and without the wish. */
function program(namespace: string, rollout?: Rollout): Ref[] {
  const chart = new Chart(new App(), namespace, { namespace });
  const labels = { app: 'echo' };
  const ports = [{ containerPort: 8080 }];
  const container = { name: 'echo', image: 'echo', ports, readinessProbe: { tcpSocket: { port: 8080 } } };
  const workload = new ApiObject(chart, 'echo', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'echo' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  });
  new LoadBalancedService(chart, 'edge', {
    name: 'edge',
    controller: HetznerCloud.loadBalancer(),
    workload,
    ports: [{ port: 80, targetPort: 8080, nodePort: NODE_PORT }],
    trafficPolicy: TrafficPolicy.LOCAL,
    healthCheck: { interval: Duration.seconds(1), unhealthyThreshold: 2 },
    rollout,
  });
  return Testing.synth(chart);
}

/** How the balancer asks its nodes, by the annotations of the Service. */
function checkOf(service: Body): BalancerCheck {
  const said = (name: string) => annotationsOf(service)[`load-balancer.hetzner.cloud/health-check-${name}`];
  return {
    path: said('http-path'),
    port: Number(said('port') ?? NODE_PORT),
    interval: Number.parseInt(said('interval'), 10),
    failures: Number(said('retries')),
  };
}

function namespaceOf(balancer: BalancerProgram, rollout?: Rollout): string {
  return `${balancer}-${rollout ? 'kept' : 'plain'}`;
}

/** Makes all but the Service. */
async function prepare(balancer: BalancerProgram, rollout?: Rollout): Promise<void> {
  const namespace = namespaceOf(balancer, rollout);
  await cluster.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const object of program(namespace, rollout)) {
    if (object.kind !== 'Service') await cluster.api.create(object);
  }
}

/** Makes what a try before has deleted. */
async function createAgain(namespace: string, rollout?: Rollout): Promise<void> {
  for (const object of program(namespace, rollout).filter(({ kind }) => kind !== 'Service')) {
    await cluster.api.create(object).catch((error: unknown) => {
      if (!(error instanceof ApiRefusal && error.reason === 'AlreadyExists')) throw error;
    });
  }
}

/** Connections while all pods are replaced, and then while a node goes: so many in all, where a number is given. */
async function measure(
  balancer: BalancerProgram,
  rollout?: Rollout,
  connections = 0,
): Promise<Record<'update' | 'drain', Streamed>> {
  const namespace = namespaceOf(balancer, rollout);
  const { api } = cluster;
  const service = program(namespace, rollout).find(({ kind }) => kind === 'Service') as Ref;
  const deployment: Ref = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'echo', namespace } };
  await createAgain(namespace, rollout);
  let nodePorts: NodePorts | undefined;
  let front: Program | undefined;
  try {
    // the service controller, which removes it, does not run here
    await api.create({ ...service, metadata: { ...service.metadata, finalizers: [] } });
    await cluster.rolledOut(deployment);
    const ports = await NodePorts.start({
      ...{ api, namespace, service: 'edge', nodes: NODES, nodePort: NODE_PORT },
      healthCheckNodePort: HEALTH_CHECK_NODE_PORT,
    });
    nodePorts = ports;
    const target = { host: '10.62.0.7', port: 80 };
    front = await startCloudBalancer(balancer, {
      folder: join(cluster.plane.folder, namespace),
      address: target.host,
      port: target.port,
      targets: Object.values(NODES),
      nodePort: NODE_PORT,
      check: checkOf(service),
    });
    const isServed = (said: string) => said.startsWith(`${namespace}/echo-`);
    await until('twenty connections in a row to be served', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => answerOf(target)));
      return answers.every(isServed);
    });
    const during = async (act: () => Promise<void>, atLeast = LEAST) => {
      const stream = new Stream(target, isServed);
      await act();
      return stream.end(Math.max(atLeast, LEAST));
    };
    const update = await during(() => cluster.restart(deployment));
    const drain = await during(async () => {
      const [{ spec }] = await cluster.pods(namespace);
      await cluster.drain(spec.nodeName, namespace);
      await ports.remove(spec.nodeName);
      await cluster.rolledOut(deployment);
    }, connections - update.tried);
    return { update, drain };
  } finally {
    await front?.kill();
    await nodePorts?.stop();
    await api.delete(deployment);
    await api.delete({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'edge', namespace } });
    await cluster.uncordon();
  }
}

describe.each(BALANCERS)('%s in front of the nodes', (balancer) => {
  test('the program loses some without the wish', async () => {
    const { update, drain } = await measure(balancer);
    process.stdout.write(`${balancer}, without: ${JSON.stringify({ update, drain })}\n`);
    expect(update.refused).toBeGreaterThan(0);
    expect(drain.refused).toBeGreaterThan(0);
  });

  test('none of ten thousand is refused with it', async () => {
    const { update, drain } = await measure(balancer, KEPT, CONNECTIONS);
    process.stdout.write(`${balancer}, with: ${JSON.stringify({ update, drain })}\n`);
    expect(update.tried + drain.tried).toBeGreaterThanOrEqual(CONNECTIONS);
    expect({ update: update.refused, drain: drain.refused }).toEqual({ update: 0, drain: 0 });
  });
});

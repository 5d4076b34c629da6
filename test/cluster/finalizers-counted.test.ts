import { App, Chart, Testing } from 'cdk8s';
import { LoadBalancerAlerts } from '../../src';
import type { Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { until } from '../real/program';

// The policy of LoadBalancerAlerts in a real API server: what it counts, and that it denies nothing.

const FINALIZER = 'service.kubernetes.io/load-balancer-cleanup';

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
  const chart = new Chart(new App(), 'alerts');
  const { finalizerPolicy } = new LoadBalancerAlerts(chart, 'Alerts', {
    finalizerPolicy: true,
    classesWithoutFinalizer: ['example.com/bare'],
  });
  // the kinds of the Prometheus operator are not there
  for (const object of (Testing.synth(chart) as Ref[]).filter(({ kind }) => kind.startsWith('ValidatingAdmission'))) {
    await plane.api.create(object);
  }
  const first = service('first');
  await plane.api.create(first);
  await until(
    `${finalizerPolicy?.name} to count`,
    async () => {
      await serve(first);
      return (await counted()) > 0;
    },
    { seconds: 60 },
  );
});

afterAll(() => plane?.stop());

function service(name: string, metadata: Body = {}, spec: Body = {}): Ref {
  const ports = [{ port: 443 }];
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default', ...metadata },
    spec: { type: 'LoadBalancer', ports, ...spec },
  };
}

let address = 0;

async function serve(ref: Ref): Promise<void> {
  address += 1;
  const ingress = [{ ip: `192.0.2.${address % 250}` }];
  await plane.api.rewrite(ref, (now) => ({ ...(now as Ref), status: { loadBalancer: { ingress } } }), {
    subresource: 'status',
  });
}

async function counted(): Promise<number> {
  const { text } = await plane.api.call('GET', '/metrics');
  const lines: string[] = text.split('\n');
  const own = lines.filter(
    (line) =>
      line.startsWith('apiserver_validating_admission_policy_check_total{') &&
      line.includes('policy="load-balancer-alerts"') &&
      line.includes('enforcement_action="audit"') &&
      line.includes('error_type="invalid_error"'),
  );
  return own.reduce((sum, line) => sum + Number(line.split(' ').pop()), 0);
}

async function countedBy(act: () => Promise<unknown>): Promise<number> {
  const before = await counted();
  await act();
  return (await counted()) - before;
}

test('an address that is written to a Service without a finalizer', async () => {
  const bare = service('bare');
  expect(await countedBy(() => plane.api.create(bare))).toBe(0);
  expect(await countedBy(() => serve(bare))).toBe(1);
});

test('a finalizer that is taken from a Service with an address', async () => {
  const held = service('held', { finalizers: [FINALIZER] });
  expect(await countedBy(() => plane.api.create(held))).toBe(0);
  expect(await countedBy(() => serve(held))).toBe(0);
  const strip = () =>
    plane.api.rewrite(held, (now) => ({ ...now, metadata: { ...now.metadata, finalizers: [] } }) as Ref);
  expect(await countedBy(strip)).toBe(1);
});

test('no Service that is being deleted, of another type, or served without a finalizer by its controller', async () => {
  const going = service('going', { finalizers: [FINALIZER] });
  await plane.api.create(going);
  await serve(going);
  await plane.api.delete(going);
  const release = () =>
    plane.api.rewrite(going, (now) => ({ ...now, metadata: { ...now.metadata, finalizers: [] } }) as Ref);
  expect(await countedBy(release)).toBe(0);

  const inside = service('inside', {}, { type: 'ClusterIP' });
  await plane.api.create(inside);
  const label = (ref: Ref) => () =>
    plane.api.rewrite(ref, (now) => ({ ...now, metadata: { ...now.metadata, labels: { seen: 'yes' } } }) as Ref);
  expect(await countedBy(label(inside))).toBe(0);

  const layer2 = service('layer2', { annotations: { 'metallb.io/ip-allocated-from-pool': 'edge' } });
  const other = service('other', {}, { loadBalancerClass: 'example.com/bare' });
  for (const ref of [layer2, other]) {
    await plane.api.create(ref);
    expect(await countedBy(() => serve(ref))).toBe(0);
  }
});

import { App, Chart, Testing } from 'cdk8s';
import { KeeperEngine, KubernetesVersion, LoadBalancerKeeper, TenancyIdentity } from '../../src';
import type { Api, Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import { permit } from '../real/policies';
import { until } from '../real/program';
import { AdmissionWebhook, configure, KyvernoAnswers, kyvernoWebhook } from './harness/kyverno';

// What Kyverno makes of the keeper that is written for it: its own webhook answers what a real API server asks.

const FINALIZER = 'service.k8s.aws/resources';
const CLASS = 'service.k8s.aws/nlb';
const OPERATOR = 'system:serviceaccount:operators:operator';
const CONTROLLER = 'system:serviceaccount:infra:lb';

let plane: ControlPlane;
let webhook: AdmissionWebhook;
let kyverno: KyvernoAnswers;
let operator: Api;
let services = 0;

beforeAll(async () => {
  plane = await ControlPlane.start();
  const chart = new Chart(new App(), 'keeper');
  new LoadBalancerKeeper(chart, 'Keeper', {
    engine: KeeperEngine.KYVERNO,
    kubernetes: KubernetesVersion.V1_30,
    controllers: [TenancyIdentity.serviceAccount('infra', 'lb')],
  });
  const [policy] = Testing.synth(chart) as Body[];
  const rules = [{ apiGroups: [''], resources: ['services'], verbs: ['*'] }];
  await permit(plane.api, OPERATOR, rules);
  await permit(plane.api, CONTROLLER, rules);
  operator = plane.api.actingAs(OPERATOR);
  kyverno = new KyvernoAnswers(policy, [await plane.api.get(space('default'))], plane.folder);
  webhook = await AdmissionWebhook.open(plane.folder, { keeper: (review) => kyverno.answer(review) });
  await configure(plane.api, 'kyverno-resource-mutating-webhook-cfg', [
    kyvernoWebhook(policy, webhook.client('keeper')),
  ]);
  const probe = await made();
  await until('the keeper', async () => {
    await operator.merge(probe, { metadata: { finalizers: null } });
    const kept = await finalizersOf(probe);
    await plane.api.merge(probe, { metadata: { finalizers: [FINALIZER] } });
    return kept !== undefined;
  });
});

afterAll(async () => {
  await webhook?.close();
  await kyverno?.close();
  await plane?.stop();
});

const space = (name: string): Ref => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const finalizersOf = async (ref: Ref) => (await plane.api.find(ref))?.metadata.finalizers;

async function made(metadata: Body = {}): Promise<Ref> {
  const { uid } = (await plane.api.get(space('default'))).metadata;
  const service: Ref = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: `db-${++services}`,
      namespace: 'default',
      finalizers: [FINALIZER],
      ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name: 'default', uid }],
      ...metadata,
    },
    spec: { type: 'LoadBalancer', loadBalancerClass: CLASS, ports: [{ port: 5432 }], selector: { app: 'db' } },
  };
  await plane.api.create(service);
  return service;
}

const DROP = { metadata: { finalizers: null, labels: { written: 'yes' } }, spec: { loadBalancerClass: null } };

test('a write that drops finalizer and class keeps both', async () => {
  const service = await made();
  await operator.merge(service, DROP);
  const { metadata, spec } = await plane.api.get(service);
  expect([metadata.finalizers, metadata.labels, spec.loadBalancerClass]).toEqual([
    [FINALIZER],
    { written: 'yes' },
    CLASS,
  ]);
});

test('a Service without an owner reference is left as it is written', async () => {
  const service = await made({ ownerReferences: undefined });
  await operator.merge(service, { metadata: { finalizers: null } });
  expect(await finalizersOf(service)).toBeUndefined();
});

test('the keeper can be switched off', async () => {
  const service = await made({ annotations: { 'cdk8s-load-balancers/keeper': 'off: it moves' } });
  await operator.merge(service, { metadata: { finalizers: null } });
  expect(await finalizersOf(service)).toBeUndefined();
});

test('a controller removes its finalizer, and on deletion everybody may', async () => {
  const live = await made();
  await plane.api.actingAs(CONTROLLER).merge(live, { metadata: { finalizers: null } });
  expect(await finalizersOf(live)).toBeUndefined();
  const dying = await made();
  await operator.delete(dying);
  await operator.merge(dying, { metadata: { finalizers: null } });
  expect(await plane.api.find(dying)).toBeUndefined();
});

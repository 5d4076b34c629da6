import { AwsLoadBalancerController } from '../../src';
import type { Outcome } from '../../src/contract/edit';
import { type Effect, effectAt } from '../../src/diff/effect';
import { fieldEffects } from '../../src/diff/fields';
import { pairBalancers } from '../../src/diff/pairs';
import type { Side } from '../../src/diff/side';
import { CONTROLLERS, documents, readCases, type ServiceLines, service } from './rows';
import { type SideOptions, sideOf } from './sides';

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';

interface Written {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly ports?: readonly object[];
}

interface Edit extends Pick<SideOptions, 'isLive'> {
  readonly owner: string;
  readonly from?: Written;
  readonly to?: Written;
}

type Case<T> = Edit & { readonly case: string; readonly expect: T };

const CASES = readCases<{
  readonly worst: readonly Case<Outcome | 'nothing'>[];
  readonly outcomes: readonly Case<Outcome>[];
  readonly fields: readonly Case<readonly string[]>[];
}>('fields.yaml');

function yamlOf({ annotations, spec, ports = [{ port: 443 }] }: Written, more: ServiceLines = {}): string {
  return service({ ...more, annotations, spec: { ports, ...spec } });
}

function effectsOf(before: Side, after: Side): Effect[] {
  return pairBalancers(before, after).flatMap((pair) => fieldEffects(pair, { before, after, options: {} }));
}

function causesOf({ owner, from = {}, to = {}, isLive }: Edit): Effect[] {
  const more = owner === 'aws' ? { class: 'service.k8s.aws/nlb' } : {};
  const [before, after] = [from, to].map((written) =>
    sideOf(yamlOf(written, more), { installed: [CONTROLLERS[owner]] }),
  );
  return effectsOf({ ...before, isLive }, after);
}

test.each(CASES.worst)('$owner: $case', ({ expect: outcome, ...edit }) => {
  const outcomes = causesOf(edit).map((one) => one.outcome);
  expect(outcomes.sort().at(-1) ?? 'nothing').toBe(outcome);
});

test.each(CASES.outcomes)('$owner: $case', ({ expect: outcome, ...edit }) => {
  expect([...new Set(causesOf(edit).map((one) => one.outcome))]).toEqual([outcome]);
});

test('the certificate that the ports had is left for a managed one, and that one stays when it is asked for no more', () => {
  const of = (all: Readonly<Record<string, string>>): Written => ({
    annotations: Object.fromEntries(
      Object.entries({ protocol: 'https', ...all }).map(([key, to]) => [`load-balancer.hetzner.cloud/${key}`, to]),
    ),
  });
  const uploaded = of({ 'http-certificates': '1' });
  const managed = of({ 'certificate-type': 'managed', 'http-managed-certificate-domains': 'a.example.com' });
  const whys = (from: Written, to: Written) => causesOf({ owner: 'hetzner', from, to }).map(({ why }) => why);
  expect(whys(uploaded, managed)).toContain('the ports get the managed certificate');
  expect(whys(managed, of({})).join()).toContain('the ports keep the managed certificate');
});

test.each(CASES.fields)('$owner: $case', ({ expect: expected, ...edit }) => {
  expect(causesOf(edit).map(({ field, outcome }) => `${outcome} ${field}`)).toEqual(expected);
});

test('every cause says why and where, and what is lost has a remedy', () => {
  for (const cause of CASES.fields.flatMap(causesOf)) {
    expect(cause.why).toMatch(/^\S.{4,300}[^.\s]$/);
    expect(cause.path.length).toBeGreaterThan(0);
    expect(cause.outcome === 'unknown').toBe(cause.needs !== undefined);
    if (!['kept', 'unknown'].includes(cause.outcome)) {
      expect(cause.remedy).toMatch(/^\S.*[^.\s]$/);
      expect(cause.source?.file).toMatch(/\S/);
    }
  }
});

function besides(from: Written, to: Written, other: Written): Effect[] {
  const another = yamlOf(other, { name: 'other' });
  const [before, after] = [from, to].map((written) =>
    sideOf(documents(yamlOf(written), another), { installed: [CONTROLLERS.azure] }),
  );
  return effectsOf(before, after);
}

const PIP = { 'service.beta.kubernetes.io/azure-pip-name': 'shared' };

test('a port of a shared frontend belongs to one Service', () => {
  const mine = { annotations: PIP, ports: [{ name: 'a', port: 80 }] };
  const more = {
    annotations: PIP,
    ports: [
      { name: 'a', port: 80 },
      { name: 'b', port: 443 },
    ],
  };
  const taken = besides(mine, more, { annotations: PIP });
  expect(taken.map(({ field, outcome }) => [field, outcome])).toEqual([
    ['spec.ports[1]', 'kept'],
    ['service.beta.kubernetes.io/azure-pip-name', 'refused'],
  ]);
  expect(taken[1].why).toContain('edge/other');
  expect(besides(mine, more, { annotations: PIP, ports: [{ port: 8443 }] })).toHaveLength(1);
});

test('who leaves a shared frontend gets another address, and those that stay keep theirs', () => {
  const causes = besides({ annotations: PIP, ports: [{ port: 80 }] }, { ports: [{ port: 80 }] }, { annotations: PIP });
  expect(causes.map(({ field, outcome }) => [field, outcome])).toEqual([[Object.keys(PIP)[0], 'replaced']]);
});

test('without an owner an annotation is kept by nobody', () => {
  const annotations = { [`${AWS}attributes`]: 'a=b', 'example.com/note': 'x' };
  const [before, after] = [{}, { annotations }].map((written) => sideOf(yamlOf(written)));
  const causes = effectsOf(before, after);
  expect(causes.map(({ field, outcome }) => [field, outcome])).toEqual([
    ['example.com/note', 'unknown'],
    [`${AWS}attributes`, 'unknown'],
  ]);
  expect(causes[0].needs?.join()).toContain('belongs to whichever runs in the cluster');
});

test('without an owner what Kubernetes itself does is known', () => {
  const [before, after] = [{ ports: [{ port: 80 }] }, { ports: [{ port: 81 }] }].map((written) =>
    sideOf(yamlOf(written)),
  );
  const [cause] = effectsOf(before, after);
  expect(cause).toMatchObject({ outcome: 'interrupted', whom: 'clients of port 80', from: '80', to: '81' });
});

test('with traffic policy Local it lasts until the nodes without a pod have failed their health checks', () => {
  const [cause] = causesOf({ owner: 'aws', to: { spec: { externalTrafficPolicy: 'Local' } } });
  expect(cause.lasts).toMatch(/^up to \d+ s$/);
});

test('a version that does not read an annotation ignores it', () => {
  const owner = AwsLoadBalancerController._installedNlb({}, '2.8.0');
  const annotations = { [`${AWS}minimum-load-balancer-capacity`]: 'CapacityUnits=100' };
  const [before, after] = [{}, { annotations }].map((written) =>
    sideOf(yamlOf(written, { class: 'service.k8s.aws/nlb' }), { installed: [owner] }),
  );
  const [cause] = effectsOf(before, after);
  expect(cause).toMatchObject({ outcome: 'kept', why: expect.stringContaining('the installed version ignores it') });
});

test('what others have written on a live Service stays', () => {
  const last = JSON.stringify({ metadata: { annotations: {} }, spec: {} });
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': last, [`${AWS}scheme`]: 'internet-facing' };
  expect(causesOf({ owner: 'aws', isLive: true, from: { annotations } })).toEqual([]);
});

test('a port that no pod has answers nobody', () => {
  const pods = `apiVersion: apps/v1
kind: Deployment
metadata: { name: echo, namespace: edge }
spec:
  template:
    metadata: { labels: { app: echo } }
    spec: { containers: [{ name: echo, ports: [{ name: http, containerPort: 80 }] }] }
`;
  const [before, after] = ['http', 'web'].map((target) =>
    sideOf(documents(yamlOf({ ports: [{ port: 80, targetPort: target }] }), pods), {
      installed: [CONTROLLERS.metallb],
    }),
  );
  const [cause] = effectsOf(before, after);
  expect(cause).toMatchObject({
    outcome: 'interrupted',
    why: expect.stringContaining("the pod's port 'web', which no"),
  });
});

test('external-dns takes a name away that is no longer there', () => {
  const of = (name: string) => ({ annotations: { 'external-dns.alpha.kubernetes.io/hostname': name } });
  expect(causesOf({ owner: 'metallb', from: of('a.example.com'), to: of('b.example.com') })[0]).toMatchObject({
    outcome: 'interrupted',
    whom: 'clients of a.example.com',
  });
  expect(
    causesOf({ owner: 'metallb', from: of('a.example.com'), to: of('b.example.com,a.example.com') })[0].outcome,
  ).toBe('kept');
});

test('a difference of long values is in the part of them that is shown', () => {
  const long = (end: string) => `arn:aws:acm:eu-west-1:123456789012:certificate/${'1'.repeat(40)}-${end}`;
  const { from, to } = effectAt(
    { field: 'a', path: ['a'], from: long('6'), to: long('7') },
    { outcome: 'kept', why: '' },
  );
  expect([from, to]).toEqual([expect.stringMatching(/^….{16}6$/), expect.stringMatching(/^….{16}7$/)]);
});

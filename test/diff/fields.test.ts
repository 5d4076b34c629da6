import * as fc from 'fast-check';
import { AwsLoadBalancerController } from '../../src';
import type { AnyAnnotation } from '../../src/contract/annotation-catalogue';
import { DEFAULT_KUBERNETES } from '../../src/contract/default-kubernetes';
import type { Outcome } from '../../src/contract/edit';
import { isMap, type Json } from '../../src/contract/json';
import { type Effect, effectAt } from '../../src/diff/effect';
import { fieldEffects } from '../../src/diff/fields';
import { withEffects } from '../../src/diff/findings';
import { pairBalancers } from '../../src/diff/pairs';
import type { Side, SideBalancer } from '../../src/diff/side';
import { balancerModelOf, type ControllerDefinition } from '../../src/rules/controller-definition';
import { editOfAnnotation } from '../../src/rules/edits-of-values';
import { serviceRulesOf } from '../../src/rules/service-rule-set';
import { tries } from '../support/random';
import { kinds } from '../support/subjects';
import { casesIn } from '../support/yaml-cases';
import { CONTROLLERS, documents, readCases, type ServiceLines, service } from './rows';
import { type SideOptions, sideOf } from './sides';

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';

interface Written extends Pick<ServiceLines, 'annotations' | 'metadata' | 'spec'> {
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

function yamlOf({ annotations, metadata, spec, ports = [{ port: 443 }] }: Written, more: ServiceLines = {}): string {
  return service({ ...more, annotations, metadata, spec: { ports, ...spec } });
}

function effectsOf(before: Side, after: Side): Effect[] {
  const sides = { before, after, options: {} };
  return pairBalancers(before, after).flatMap((pair) => fieldEffects({ ...pair, sides }));
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
    why: expect.stringContaining("port 'web' of the pods, which no"),
  });
});

test('external-dns removes a name that is no longer there', () => {
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

describe('fields', () => {
  const NONE: Side = { name: 'a side', manifests: [], balancers: [], gaps: [] };

  function balancerOf(service: Json, kind: ControllerDefinition): SideBalancer {
    const controller = kind.installed();
    return {
      id: 'edge/echo',
      title: 'edge/echo',
      service,
      written: { file: 'a.yaml', line: 1, object: service },
      owner: kind.name,
      controller,
      made: balancerModelOf(service, controller),
    };
  }

  function causesOf(before: Json, after: Json, kind: ControllerDefinition): Effect[] {
    const pair = { before: balancerOf(before, kind), after: balancerOf(after, kind) };
    return fieldEffects({ ...pair, sides: { before: NONE, after: NONE, options: {} } });
  }

  function service(kind: ControllerDefinition, annotations: Json, spec: Json = {}): Json {
    return {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'echo', namespace: 'edge', annotations },
      spec: {
        type: 'LoadBalancer',
        ...(kind.classes.length > 0 && { loadBalancerClass: kind.classes[0] }),
        selector: { app: 'echo' },
        ports: [{ port: 443 }],
        ...spec,
      },
    };
  }

  const keyOf = ({ fact }: AnyAnnotation) => fact.key.replace(/\{\w+\}/g, '443');

  const textsOf = (entry: AnyAnnotation): string[] => [
    ...new Set(entry.fact.codec.examples.map((example: unknown) => entry.encode(example))),
  ];

  const ANNOTATIONS = kinds.flatMap((kind) =>
    kind.catalogue.annotations.flatMap((entry) => {
      const texts: (string | undefined)[] = [undefined, ...textsOf(entry)];
      return texts.flatMap((before) =>
        texts.filter((after) => after !== before).map((after) => ({ kind, entry, key: keyOf(entry), before, after })),
      );
    }),
  );

  test('an annotation is kept where its table says so, or where it means what holds without it, and nowhere else', () => {
    const wrong: string[] = [];
    let found = 0;
    for (const { kind, entry, key, before, after } of ANNOTATIONS) {
      const of = (text: string | undefined) => (text === undefined ? {} : { [key]: text });
      const objects = { before: service(kind, of(before)), after: service(kind, of(after)) };
      const causes = causesOf(objects.before, objects.after, kind);
      const around = { before: of(before), after: of(after) };
      const edit = editOfAnnotation(kind, key, { before, after, around, objects });
      const isKept = edit?.outcome === 'kept';
      const isDefault =
        (before === undefined || after === undefined) && startsWith(entry.fact.default, before ?? after);
      if (isFound(kind, key, objects)) {
        found += 1;
        continue;
      }
      if (causes.every(({ outcome }) => outcome === 'kept') && !isKept && !isDefault) {
        wrong.push(`${kind.name}: ${key} ${before} -> ${after}`);
      }
      if (isKept && causes.some(({ field, outcome }) => field === key && outcome !== 'kept')) {
        wrong.push(`${kind.name}: ${key} ${before} -> ${after} alarms`);
      }
    }
    expect(wrong).toEqual([]);
    expect(ANNOTATIONS.length - found).toBeGreaterThan(500);
  });

  function isFound(kind: ControllerDefinition, key: string, objects: { readonly before: Json; readonly after: Json }) {
    return [objects.before, objects.after].some((object) => {
      const context = { kind, controller: kind.installed(), kubernetes: DEFAULT_KUBERNETES };
      const { errors, warnings } = serviceRulesOf(kind).check(object, context, kind.name);
      const found = withEffects([...errors, ...warnings]);
      return found.some(({ effect, path }) => effect === 'refused' || path.includes(key));
    });
  }

  function startsWith(text: string, value = ''): boolean {
    return text.toLowerCase().startsWith(value.toLowerCase());
  }

  const fieldsOf = fc.record(
    {
      externalTrafficPolicy: fc.constantFrom('Cluster', 'Local'),
      internalTrafficPolicy: fc.constantFrom('Cluster', 'Local'),
      sessionAffinity: fc.constantFrom('None', 'ClientIP'),
      allocateLoadBalancerNodePorts: fc.boolean(),
      publishNotReadyAddresses: fc.boolean(),
      ipFamilyPolicy: fc.constantFrom('SingleStack', 'PreferDualStack'),
      loadBalancerSourceRanges: fc.uniqueArray(fc.constantFrom('10.0.0.0/8', '192.168.0.0/16', '203.0.113.7/32')),
      loadBalancerIP: fc.constantFrom('', '203.0.113.9'),
    },
    { requiredKeys: [] },
  );

  const portsOf = fc.uniqueArray(
    fc.record(
      {
        port: fc.constantFrom(80, 443, 8443, 9092),
        protocol: fc.constantFrom('TCP', 'UDP'),
        targetPort: fc.constantFrom<number | string>(80, 8080, 'http'),
        nodePort: fc.constantFrom(30080, 30443),
      },
      { requiredKeys: ['port'] },
    ),
    { minLength: 1, maxLength: 3, selector: ({ port }) => port },
  );

  const subjects = fc.constantFrom(...kinds).chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      annotations: fc
        .subarray([...kind.catalogue.annotations])
        .chain((entries) =>
          fc.tuple(
            ...entries.map((entry) => fc.constantFrom(...textsOf(entry)).map((text) => [keyOf(entry), text] as const)),
          ),
        ),
      fields: fieldsOf,
      ports: portsOf,
    }),
  );

  const DEFAULTS: Json = casesIn(__dirname, 'fields.yaml').defaults;

  function reversed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(reversed);
    return isMap(value)
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, one]) => [key, reversed(one)]),
        )
      : value;
  }

  test('a Service that says the same in other words has no causes', () => {
    fc.assert(
      fc.property(subjects, ({ kind, annotations, fields, ports }) => {
        const named = ports.map((port, i): Json => ({ ...port, name: `p${i}` }));
        const before = service(kind, Object.fromEntries(annotations), { ...fields, ports: named });
        const spelt = named
          .map(({ protocol = 'TCP', targetPort, ...port }) => ({
            protocol,
            targetPort: targetPort ?? port.port,
            ...port,
          }))
          .reverse();
        const ranges = [...(fields.loadBalancerSourceRanges ?? [])].reverse();
        const after = service(kind, Object.fromEntries([...annotations].reverse()), {
          ...DEFAULTS,
          ...fields,
          loadBalancerSourceRanges: ranges,
          externalName: null,
          ports: spelt,
        });
        expect(causesOf(before, reversed(after) as Json, kind)).toEqual([]);
        expect(causesOf(after, before, kind)).toEqual([]);
      }),
      { numRuns: tries(400), seed: 17 },
    );
  });

  test('the number of a port is never kept', () => {
    fc.assert(
      fc.property(subjects, fc.constantFrom(81, 444), ({ kind, annotations, fields, ports }, port) => {
        const named = ports.map((one, i): Json => ({ ...one, name: `p${i}` }));
        const of = (list: readonly Json[]) =>
          service(kind, Object.fromEntries(annotations), { ...fields, ports: list });
        const causes = causesOf(of(named), of([{ ...named[0], port }, ...named.slice(1)]), kind);
        expect(causes.some(({ outcome }) => outcome !== 'kept')).toBe(true);
      }),
      { numRuns: tries(200), seed: 17 },
    );
  });
});

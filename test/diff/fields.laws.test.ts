import * as fc from 'fast-check';
import type { AnyAnnotation } from '../../src/contract/annotation-catalogue';
import { DEFAULT_KUBERNETES } from '../../src/contract/default-kubernetes';
import { isMap, type Json } from '../../src/contract/json';
import type { Effect } from '../../src/diff/effect';
import { fieldEffects } from '../../src/diff/fields';
import { withEffects } from '../../src/diff/findings';
import type { Side, SideBalancer } from '../../src/diff/side';
import { type ControllerDefinition, madeOf } from '../../src/rules/controller-definition';
import { editOfAnnotation } from '../../src/rules/edits-of-values';
import { serviceRulesOf } from '../../src/rules/service-rule-set';
import { tries } from '../support/random';
import { kinds } from '../support/subjects';

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
    made: madeOf(service, controller),
  };
}

function causesOf(before: Json, after: Json, kind: ControllerDefinition): Effect[] {
  const pair = { before: balancerOf(before, kind), after: balancerOf(after, kind) };
  return fieldEffects(pair, { before: NONE, after: NONE, options: {} });
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
  let judged = 0;
  for (const { kind, entry, key, before, after } of ANNOTATIONS) {
    const of = (text: string | undefined) => (text === undefined ? {} : { [key]: text });
    const objects = { before: service(kind, of(before)), after: service(kind, of(after)) };
    const causes = causesOf(objects.before, objects.after, kind);
    const around = { before: of(before), after: of(after) };
    const edit = editOfAnnotation(kind, key, { before, after, around, objects });
    const isKept = edit?.outcome === 'kept';
    const isDefault = (before === undefined || after === undefined) && startsWith(entry.fact.default, before ?? after);
    if (isJudged(kind, key, objects)) {
      judged += 1;
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
  expect(ANNOTATIONS.length - judged).toBeGreaterThan(500);
});

function isJudged(kind: ControllerDefinition, key: string, objects: { readonly before: Json; readonly after: Json }) {
  return [objects.before, objects.after].some((object) => {
    const context = { kind, controller: kind.installed(), kubernetes: DEFAULT_KUBERNETES };
    const { errors, warnings } = serviceRulesOf(kind).judge(object, context, kind.name);
    const found = withEffects([...errors, ...warnings], object);
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

const DEFAULTS: Json = {
  externalTrafficPolicy: 'Cluster',
  internalTrafficPolicy: 'Cluster',
  sessionAffinity: 'None',
  allocateLoadBalancerNodePorts: true,
  publishNotReadyAddresses: false,
  ipFamilyPolicy: 'SingleStack',
  loadBalancerSourceRanges: [],
  loadBalancerIP: '',
};

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(reversed);
  }
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
      const of = (list: readonly Json[]) => service(kind, Object.fromEntries(annotations), { ...fields, ports: list });
      const causes = causesOf(of(named), of([{ ...named[0], port }, ...named.slice(1)]), kind);
      expect(causes.some(({ outcome }) => outcome !== 'kept')).toBe(true);
    }),
    { numRuns: tries(200), seed: 17 },
  );
});

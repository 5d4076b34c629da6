import { join } from 'node:path';
import { explainWord } from '../../src/cli/explain/words';
import { type Edit, wordOf } from '../../src/contract/edit';
import type { Json } from '../../src/contract/json';
import { type ObjectEdits, rowOf } from '../../src/contract/object-edits';
import { type SchemaFields, Shape } from '../../src/contract/schema/walk';
import {
  LOAD_BALANCER_CONFIGURATION_FIELDS,
  TARGET_GROUP_BINDING_FIELDS,
  TARGET_GROUP_CONFIGURATION_FIELDS,
} from '../../src/controllers/aws-load-balancer-controller/kinds.facts';
import { vendorKinds } from '../../src/controllers/vendors/vendor-kinds';
import {
  GATEWAY_CLASS_FIELDS,
  GATEWAY_FIELDS,
  LISTENER_SET_FIELDS,
  REFERENCE_GRANT_FIELDS,
  TCP_ROUTE_FIELDS,
  TLS_ROUTE_FIELDS,
} from '../../src/gateway/fields.facts';
import { rowOfListenerField } from '../../src/kafka/edits/kafka-edits';
import { LISTENER_FIELDS, NODE_POOL_FIELDS } from '../../src/kafka/strimzi/strimzi.facts';
import { editedKinds, editedKindsOf } from '../../src/predicted/predicted';
import type { EditedKind, ServiceField } from '../../src/rules/controller-definition';
import {
  editOfAnnotation,
  editOfField,
  editOfRow,
  fieldEdit,
  rowsOf,
  SERVICE_FIELDS,
  worstEdit,
} from '../../src/rules/edits-of-values';
import { kinds } from '../support/subjects';
import { casesIn, tablesOf } from '../support/yaml-cases';

const tables = tablesOf<Record<string, never>>(join(__dirname, 'edits.yaml'));

const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';

function kindOf(name: string) {
  const kind = [...kinds, ...vendorKinds()].find((one) => one.name === name);
  if (!kind) throw new Error(`no controller is called ${name}`);
  return kind;
}

function expectWritten({ outcome, what, source, unless = [] }: Edit): void {
  expect(what).toMatch(/^[^\s].{3,200}[^.\s]$/);
  for (const less of unless) {
    expect(less.what).toMatch(/^[^\s].{3,200}[^.\s]$/);
    expect(less.where).toMatch(/^[^\s].{3,100}[^.\s]$/);
    expect([less.outcome, less.what]).not.toEqual([outcome, what]);
  }
  expect(source.file).toMatch(/^\S+\.(go|html|md)$/);
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  const {
    catalogue,
    annotationEdits = new Map<string, Edit>(),
    fieldEdits = {},
    foundBy = new Map<string, Edit>(),
  } = kind;

  test('says what an edit of each annotation does, and of no other key', () => {
    const keys = catalogue.annotations.map(({ fact }) => fact.key);
    expect([...annotationEdits.keys()].sort()).toEqual([...keys].sort());
  });

  test('says what happens in one clause, and where that was read', () => {
    for (const edit of [...annotationEdits.values(), ...foundBy.values()]) {
      expectWritten(edit);
    }
    for (const field of Object.keys(fieldEdits)) {
      expect(SERVICE_FIELDS).toContain(field);
      expectWritten(fieldEdit(field as ServiceField, kind));
    }
  });
});

test('what is not known is counted', () => {
  const unknown = kinds.map(({ name, annotationEdits = [] }) => {
    const edits = [...annotationEdits.values()];
    return `${name}: ${edits.filter(({ outcome }) => outcome === 'unknown').length} of ${edits.length}`;
  });
  expect(unknown).toEqual(casesIn(__dirname, 'edits.yaml')['what is not known is counted']);
});

test('of a key that is not in the catalogue nothing is said', () => {
  expect(worstEdit(kindOf('metallb'), 'metallb.io/nothing')).toBeUndefined();
});

test('a field that all controllers treat alike is of Kubernetes, and one that differs is of the controller', () => {
  expect(fieldEdit('spec.loadBalancerClass', kindOf('metallb')).source.repository).toBe('kubernetes/kubernetes');
  expect(fieldEdit('spec.type', kindOf('metallb')).source.repository).toBe('metallb/metallb');
});

function service(annotations: Json, spec: Json = {}): Json {
  return { kind: 'Service', metadata: { annotations }, spec: { type: 'LoadBalancer', ...spec } };
}

/** What the change of one annotation does, its own controller reading both Services. */
function annotationEdit(name: string, key: string, before: Json, after: Json, spec: Json = {}): string | undefined {
  const objects = { before: service(before, spec), after: service(after, spec) };
  const edited = { before: before[key], after: after[key], around: { before, after }, objects };
  const edit = editOfAnnotation(kindOf(name), key, edited);
  return edit && wordOf(edit);
}

const LBC = 'aws-load-balancer-controller';
const CPA = 'cloud-provider-aws';
const HCLOUD = 'hcloud-cloud-controller-manager';
const HETZNER = 'load-balancer.hetzner.cloud/';

test.each<[string, string, unknown, unknown, string]>(tables.from)(
  '%s: %s from %s to %s is %s',
  (name, key, before, after, outcome) => {
    const [was, is] = [before, after].map((value) => (value === undefined ? {} : { [key]: value }));
    expect(annotationEdit(name, key, was, is)).toBe(outcome);
  },
);

test('what else a Service says decides the verdict', () => {
  const [scheme, internal, type] = ['scheme', 'internal', 'type'].map((name) => `${AWS}${name}`);
  expect(annotationEdit(LBC, scheme, { [internal]: 'False' }, { [internal]: 'False', [scheme]: 'internal' })).toBe(
    'replaced',
  );
  expect(annotationEdit(LBC, internal, { [internal]: 'false' }, { [scheme]: 'internet-facing' })).toBe('kept');
  expect(annotationEdit(LBC, type, { [type]: 'external' }, {}, { loadBalancerClass: 'service.k8s.aws/nlb' })).toBe(
    'ignored',
  );
});

test.each<[kind: string, name: string, before: unknown, after: unknown, others: Json, outcome: string]>(
  tables.cloudProviderAws,
)(
  'cloud-provider-aws, %s balancer: an edit of %s from %s to %s beside %j is %s',
  (_, name, before, after, others, outcome) => {
    const key = AWS + name;
    const [was, is] = [before, after].map((value) => (value === undefined ? others : { ...others, [key]: value }));
    expect(annotationEdit(CPA, key, was, is)).toBe(outcome);
  },
);

test('Hetzner Cloud: a second managed certificate of a Service is refused', () => {
  const managed = { [`${HETZNER}certificate-type`]: 'managed' };
  const key = `${HETZNER}http-managed-certificate-name`;
  expect(annotationEdit(HCLOUD, key, { ...managed, [key]: 'a' }, { ...managed, [key]: 'b' })).toBe('refused');
});

test.each<[string, Json, Json, string]>(tables.gkeEditBeside)(
  'gke: an edit of %s beside %j of a Service with %j is %s',
  (name, others, spec, outcome) => {
    const key = `networking.gke.io/${name}`;
    expect(annotationEdit('gke', key, others, { ...others, [key]: 'true' }, spec)).toBe(outcome);
  },
);

test.each<[field: ServiceField, before: Json, after: Json, outcome: string, kind?: string, annotations?: Json]>(
  tables.from2,
)('%s from %j to %j is %s', (field, before, after, outcome, ...[kind, annotations = {}]) => {
  const [was, is] = [before, after].map((spec) => service(annotations, spec));
  const name = field.replace('spec.', '');
  const edited = {
    before: was.spec[name],
    after: is.spec[name],
    around: { before: was.spec, after: is.spec },
    objects: { before: was, after: is },
  };
  expect(wordOf(editOfField(field, edited, kind === undefined ? undefined : kindOf(kind)) as Edit)).toBe(outcome);
});

test('what a Service is made of shows no Service', () => {
  const edited = { before: 'external', after: undefined, around: { before: {}, after: {} } };
  const objects = {
    before: service({}, { loadBalancerClass: 'a/b' }),
    after: service({}, { loadBalancerClass: 'a/b' }),
  };
  const kind = kindOf(LBC);
  expect(wordOf(editOfAnnotation(kind, `${AWS}type`, { ...edited, objects }) as Edit)).toBe('ignored');
  expect(wordOf(editOfAnnotation(kind, `${AWS}type`, { ...edited, objects }, false) as Edit)).toBe('replaced');
});

test('explain says it in one line', () => {
  const [{ parts }] = explainWord(`${AWS}scheme`).explanations;
  expect(parts.find(({ who }) => who === 'aws-load-balancer-controller')?.facts['on edit']).toBe(
    'replaced: the balancer is deleted before a new one with another DNS name is made (pkg/deploy/elbv2/load_balancer_synthesizer.go)',
  );
});

const all = editedKinds(kinds);
const titled = all.map((one) => [[one.kind, one.who].filter(Boolean).join(' of '), one] as const);

/** Fields that hold values, by their paths; entries of a list add nothing to a path. */
function leavesOf(fields: SchemaFields, parent = 'spec'): string[] {
  return Object.entries(fields).flatMap(([name, { shape, fields: inside }]) =>
    inside && (shape === Shape.MAP || shape === Shape.MAPS)
      ? leavesOf(inside, `${parent}.${name}`)
      : [`${parent}.${name}`],
  );
}

const SCHEMAS: Readonly<Record<string, SchemaFields>> = {
  Gateway: GATEWAY_FIELDS,
  GatewayClass: GATEWAY_CLASS_FIELDS,
  ListenerSet: LISTENER_SET_FIELDS,
  TCPRoute: TCP_ROUTE_FIELDS,
  TLSRoute: TLS_ROUTE_FIELDS,
  ReferenceGrant: REFERENCE_GRANT_FIELDS,
  TargetGroupBinding: TARGET_GROUP_BINDING_FIELDS.v1beta1.spec.fields ?? {},
  LoadBalancerConfiguration: LOAD_BALANCER_CONFIGURATION_FIELDS.spec.fields ?? {},
  TargetGroupConfiguration: TARGET_GROUP_CONFIGURATION_FIELDS.spec.fields ?? {},
};

function withoutRow(edits: ObjectEdits, paths: readonly string[]): string[] {
  return paths.filter((path) => rowOf(edits, path) === undefined);
}

test('every field of a listener of Kafka has a row of its own', () => {
  const fields = Object.entries(LISTENER_FIELDS).filter(([, { shape }]) => shape !== Shape.MAP && shape !== Shape.MAPS);
  const rows = fields.map(([path]) => [path, rowOfListenerField(path)] as const);
  expect(rows.filter(([, row]) => !row?.startsWith('spec.kafka.listeners['))).toEqual([]);
});

test('every field of a node pool that is known has a row', () => {
  const pool = all.find(({ kind }) => kind === 'KafkaNodePool') as EditedKind;
  expect(
    withoutRow(
      pool.edits,
      Object.keys(NODE_POOL_FIELDS).map((path) => `spec.${path}`),
    ),
  ).toEqual([]);
});

test.each(titled.filter(([, { kind }]) => kind in SCHEMAS))('every field of %s has a row', (_, { kind, edits }) => {
  expect(withoutRow(edits, leavesOf(SCHEMAS[kind]))).toEqual([]);
});

test('every kind of which definitions are known is among them', () => {
  expect(Object.keys(SCHEMAS).filter((kind) => !all.some((one) => one.kind === kind))).toEqual([]);
});

describe.each(titled)('%s', (_, { edits, source }) => {
  test('has a row for objects that come or go, and for another name', () => {
    expect(
      ['', 'metadata.name', 'metadata.namespace'].filter((path) => !(path in edits) && path !== 'metadata.namespace'),
    ).toEqual([]);
  });

  test('says what happens in one clause, and where that was read', () => {
    for (const row of Object.values(edits)) {
      for (const one of rowsOf(row)) {
        const { what, outcome, source: own, unless = [] } = editOfRow(one, source);
        expect([what, ...unless.map((one) => one.what)].filter((text) => !/^[^\s].{2,200}[^.\s]$/.test(text))).toEqual(
          [],
        );
        expect(own.file).toMatch(/^\S+\.(adoc|go|html|md|java|yaml)$/);
        for (const less of unless) {
          expect(less.where).toMatch(/^[^\s].{2,100}[^.\s]$/);
          expect([outcome, less.what]).not.toEqual([less.outcome, what]);
        }
      }
    }
  });
});

test('what is not known is pinned', () => {
  const unknown = titled.flatMap(([title, { edits }]) =>
    Object.entries(edits).flatMap(([path, rows]) =>
      rowsOf(rows)
        .filter(({ unknown: what, becomes }) => what !== undefined && becomes === undefined)
        .map(() => `${title}: ${path}`),
    ),
  );
  expect(unknown).toEqual(casesIn(__dirname, 'edits.yaml')['what is not known is pinned']);
});

test('an object has the kinds of its group', () => {
  const named = (apiVersion: string, kind: string) => editedKindsOf({ apiVersion, kind }, all).map(({ who }) => who);
  expect(named('kafka.strimzi.io/v1', 'Kafka')).toEqual([undefined]);
  expect(named('gateway.networking.k8s.io/v1', 'Gateway')).toEqual([
    'gateway.envoyproxy.io/gatewayclass-controller',
    'gateway.k8s.aws/nlb',
  ]);
  expect(named('networking.istio.io/v1', 'Gateway')).toEqual([]);
});

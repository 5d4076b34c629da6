import { type ObjectEdits, rowOf } from '../../src/contract/object-edits';
import { type SchemaFields, Shape } from '../../src/contract/schema/walk';
import {
  LOAD_BALANCER_CONFIGURATION_FIELDS,
  TARGET_GROUP_BINDING_FIELDS,
  TARGET_GROUP_CONFIGURATION_FIELDS,
} from '../../src/controllers/aws-load-balancer-controller/kinds.facts';
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
import type { EditedKind } from '../../src/rules/controller-definition';
import { editOfRow, rowsOf } from '../../src/rules/edits-of-values';
import { kinds } from '../support/subjects';

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
  expect(unknown).toEqual([
    'EnvoyProxy: spec.mergeType',
    'EnvoyProxy: spec.provider.kubernetes.envoyService.patch.*',
    'BackendTrafficPolicy: ',
    'BackendTrafficPolicy: metadata.namespace',
    'BackendTrafficPolicy: spec.*',
    'EnvoyPatchPolicy: ',
    'EnvoyPatchPolicy: metadata.namespace',
    'EnvoyPatchPolicy: spec.*',
    'TargetGroupBinding: spec.targetGroupProtocol',
    'LoadBalancerConfiguration: metadata.name',
    'LoadBalancerConfiguration: metadata.namespace',
    'LoadBalancerConfiguration: spec.loadBalancerSubnetsSelector.*',
    'LoadBalancerConfiguration: spec.disableSecurityGroup',
  ]);
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

import { join } from 'node:path';
import { App } from 'cdk8s';
import { StrimziVersion } from '../../../src';
import { isIn } from '../../../src/installations/strimzi/crd-faults';
import {
  BRIDGES,
  CLUSTER_BINDINGS,
  DEFINITIONS,
  FEATURE_GATES,
  LOGGERS,
  OPERATOR_ROLES,
  OWN_BINDINGS,
  TELLING_FIELDS,
  VARIABLES,
  WATCH_ALL_BINDINGS,
  WATCH_BINDINGS,
} from '../../../src/installations/strimzi/installation.facts';
import { StrimziWatch } from '../../../src/installations/strimzi/watch';
import type { SomeVersions } from '../../../src/installations/tables';
import { STRIMZI_RELEASES } from '../../../src/kafka/strimzi/strimzi.facts';
import { expectGolden, writtenBy } from '../../support/goldens';
import { installed, one, operatorIn, type Props, VERSIONS, variables } from './operators';

// What is written, held against the tables, and the tables against what the vendor's own files hold.

const versions = VERSIONS.map((version) => [version.version, version] as const);

describe.each(versions)('%s', (name, version) => {
  const objects = installed({ version });

  test('has the variables of the table, and no other', () => {
    const rows = VARIABLES.filter((row) => isIn(version, row));
    expect(Object.keys(variables(objects))).toEqual(rows.map((row) => row.name));
  });

  test('has images of exactly its versions of Kafka', () => {
    const { kafka } = STRIMZI_RELEASES[name];
    const expected = kafka.map((each) => `${each}=quay.io/strimzi/kafka:${name}-kafka-${each}\n`).join('');
    const written = Object.entries(variables(objects)).filter(([variable]) => variable.endsWith('_IMAGES'));
    expect(written.length).toBeGreaterThanOrEqual(3);
    expect(written.map(([, value]) => value)).toEqual(written.map(() => expected));
  });

  test.each(OPERATOR_ROLES.map((role) => [role.name, role] as const))('has the rules of %s', (role, { rules }) => {
    const rows = rules.filter((rule) => isIn(version, rule));
    expect(one(objects, 'ClusterRole', role).rules).toEqual(
      rows.map(({ groups, resources, verbs, resourceNames }) => ({
        apiGroups: groups,
        resources,
        verbs,
        ...(resourceNames && { resourceNames }),
      })),
    );
  });

  test('binds each of its roles, and no other', () => {
    const bound = objects.filter(({ kind }) => kind.endsWith('RoleBinding')).map(({ roleRef }) => roleRef.name);
    expect(bound.sort()).toEqual(OPERATOR_ROLES.map((role) => role.name).sort());
  });

  test('has a logger for each row', () => {
    const [properties] = Object.values<string>(one(objects, 'ConfigMap').data);
    const loggers = [...properties.matchAll(/^logger\.(\w+)\.name = (.+)$/gm)].map(([, id, logger]) => [id, logger]);
    const rows = LOGGERS.filter((row) => isIn(version, row));
    expect(loggers).toEqual(rows.map(({ id, logger }) => [id, logger]));
  });
});

const COUNTED: Record<string, [variables: number, rules: number, permissions: number, definitions: number]> = {
  '0.45': [21, 28, 274, 11],
  '0.46': [20, 28, 258, 10],
  '0.47': [20, 28, 258, 10],
  '0.48': [20, 28, 258, 10],
  '0.49': [21, 31, 268, 10],
  '0.50': [21, 31, 268, 10],
  '0.51': [21, 31, 268, 10],
  '1.0': [21, 32, 270, 10],
  '1.1': [21, 33, 277, 10],
  '1.2': [21, 33, 277, 10],
};

test.each(versions)('%s has as many rows as the vendor has', (name, version) => {
  const rules = OPERATOR_ROLES.flatMap((role) => role.rules).filter((rule) => isIn(version, rule));
  const permissions = rules.map(({ resources, verbs }) => resources.length * verbs.length);
  expect([
    VARIABLES.filter((row) => isIn(version, row)).length,
    rules.length,
    permissions.reduce((sum, each) => sum + each, 0),
    DEFINITIONS.filter((row) => isIn(version, row)).length,
  ]).toEqual(COUNTED[name.replace(/\.\d+$/, '')]);
});

test.each(versions)('%s has the bridge of its Deployment', (name, version) => {
  const BRIDGE: Record<string, string> = {
    '0.45.0': '0.31.1',
    '0.45.1': '0.31.2',
    '0.45.2': '0.31.2',
    '0.46': '0.32.0',
    '0.47': '0.32.0',
    '0.48': '0.33.1',
    '0.49': '0.33.1',
    '0.50': '0.33.1',
    '0.51': '0.33.1',
    '1.0': '1.0.0',
    '1.1': '1.0.0',
    '1.2': '1.1.0',
  };
  const image = variables(installed({ version })).STRIMZI_DEFAULT_KAFKA_BRIDGE_IMAGE;
  expect(image).toBe(`quay.io/strimzi/kafka-bridge:${BRIDGE[name] ?? BRIDGE[name.replace(/\.\d+$/, '')]}`);
});

test.each(versions)('%s has the gates of its FeatureGates.java', (name, version) => {
  const GATES: Record<string, string[]> = {
    '0.45': ['ContinueReconciliationOnManualRollingUpdateFailure'],
    '0.48': ['ServerSideApplyPhase1'],
    '0.49': ['ServerSideApplyPhase1', 'UseConnectBuildWithBuildah'],
    '0.50': ['ServerSideApplyPhase1', 'UseConnectBuildWithBuildah'],
    '0.51': ['ServerSideApplyPhase1', 'UseConnectBuildWithBuildah'],
    '1.0': ['ServerSideApplyPhase1', 'UseConnectBuildWithBuildah'],
    '1.1': ['ServerSideApplyPhase1', 'UseConnectBuildWithBuildah', 'UseBackgroundPodDeletion'],
    '1.2': ['UseConnectBuildWithBuildah', 'UseBackgroundPodDeletion'],
  };
  const gates = FEATURE_GATES.filter((row) => isIn(version, row)).map((row) => row.name);
  expect(gates).toEqual(GATES[name.replace(/\.\d+$/, '')] ?? []);
});

test.each<[string, readonly (Pick<SomeVersions, 'file' | 'tag'> & Partial<SomeVersions>)[]]>([
  ['variables', VARIABLES],
  ['gates', FEATURE_GATES],
  ['loggers', LOGGERS],
  ['bridges', BRIDGES],
  ['definitions', DEFINITIONS],
  ['telling fields', TELLING_FIELDS],
  ['rules', OPERATOR_ROLES.flatMap(({ rules }) => rules)],
  ['bindings', [...CLUSTER_BINDINGS, ...OWN_BINDINGS, ...WATCH_BINDINGS, ...WATCH_ALL_BINDINGS]],
])('each of the %s names a file and a release that has it', (_, rows) => {
  for (const { file, tag, since, until } of rows) {
    expect(file).toMatch(/^(packaging|cluster-operator|operator-common)\/.+\.(yaml|java)$/);
    expect(Object.keys(STRIMZI_RELEASES)).toContain(tag);
    const version = VERSIONS.find((each) => each.version === tag);
    expect(version && isIn(version, { since, until, file, tag })).toBe(true);
  }
});

const GOLDENS: Record<string, Props> = {
  'strimzi-1.2': { version: StrimziVersion.V1_2, watchNamespaces: ['kafka'] },
  'strimzi-0.49': {
    version: StrimziVersion.V0_49,
    watch: StrimziWatch.allNamespaces(),
    featureGates: { ServerSideApplyPhase1: true },
    replicas: 2,
  },
};

test.each(Object.entries(GOLDENS))('%s is written as it was', (name, props) => {
  const { yaml } = writtenBy(() => operatorIn(new App(), 'strimzi', props).chart);
  expectGolden(join(__dirname, '..', 'goldens'), name, yaml);
});

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, type App, Chart, Include, Yaml } from 'cdk8s';
import { StrimziVersion } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { casesIn, revived } from '../../support/yaml-cases';
import { operatorIn, type Props, saidOf, told } from './operators';

const CASES = casesIn(__dirname, 'strangers.yaml');

const IMAGE = 'quay.io/strimzi/operator:1.2.0';
const OWN = { name: 'STRIMZI_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } };
const SCRIPT = ['/opt/strimzi/bin/cluster_operator_run.sh'];

const watching = (value: string) => ({ env: [{ name: 'STRIMZI_NAMESPACE', value }] });

function deployment(container: Json, name = 'strimzi-cluster-operator'): Json {
  const containers = [{ name: 'operator', image: IMAGE, env: [OWN], ...container }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { template: { spec: { containers } } },
  };
}

function stranger(app: App, namespace: string, container: Json, name?: string): Chart {
  const chart = new Chart(app, `vendor-${namespace}`, { namespace });
  new ApiObject(chart, 'Theirs', deployment(container, name) as Json & Named);
  return chart;
}

const beside = (container: Json, props: Props = { watchNamespaces: ['kafka'] }) => {
  return (app: App) => {
    operatorIn(app, 'strimzi', props);
    stranger(app, 'vendor', container);
  };
};

const TWICE = ['strimzi-watched-twice'];

describe("somebody else's operator", () => {
  test.each<[string, (app: App) => void, string[]]>([
    ...revived(CASES.somebodyElseOperator, { beside, watching }),
    ['of a mirror', beside({ ...watching('kafka'), image: 'registry.example.com:5000/strimzi/operator' }), TWICE],
    ['of a digest', beside({ ...watching('kafka'), image: 'quay.io/strimzi/operator:1.2.0@sha256:0f' }), TWICE],
    ['of a renamed image', beside({ ...watching('kafka'), image: 'example.com/kafka-op:7', args: SCRIPT }), TWICE],
    ['of other labels', beside({ env: [...watching('kafka').env, selecting('a=b')] }, labelled('a=c')), []],
    ['of the same labels', beside({ env: [...watching('kafka').env, selecting('a=b')] }, labelled('a=b')), TWICE],
    ['of a topic operator', beside({ ...watching('kafka'), args: ['/opt/strimzi/bin/topic_operator_run.sh'] }), []],
    ['of another image', beside({ ...watching('kafka'), image: 'quay.io/strimzi/kafka-access-operator:0.2' }), []],
    ['without an image', beside({ ...watching('kafka'), image: null }), []],
    [
      'that has no containers',
      (app) => {
        operatorIn(app, 'strimzi');
        const chart = new Chart(app, 'empty');
        new ApiObject(chart, 'Empty', { apiVersion: 'apps/v1', kind: 'Deployment', spec: { template: null } });
      },
      [],
    ],
    [
      'beside another one of others',
      (app) => {
        operatorIn(app, 'strimzi');
        stranger(app, 'one', watching('kafka'));
        stranger(app, 'two', watching('kafka'));
      },
      TWICE,
    ],
    [
      'of the name and namespace of ours is for another cluster, or replaces it',
      (app) => {
        operatorIn(app, 'strimzi');
        stranger(app, 'strimzi', {});
      },
      ['strimzi-operator-twice-in-app'],
    ],
    [
      'in the namespace of ours shares its lease',
      (app) => {
        operatorIn(app, 'strimzi', { watchNamespaces: ['kafka'] });
        const lease = { name: 'STRIMZI_LEADER_ELECTION_LEASE_NAME', value: 'strimzi-cluster-operator' };
        stranger(app, 'strimzi', { env: [...watching('shop').env, lease] }, 'second');
      },
      ['strimzi-operator-namespace-twice'],
    ],
    [
      'in the namespace of ours may have a lease of its own',
      (app) => {
        operatorIn(app, 'strimzi', { watchNamespaces: ['kafka'] });
        stranger(app, 'strimzi', watching('shop'), 'second');
      },
      [],
    ],
    [
      'with the roles of ours',
      (app) => {
        operatorIn(app, 'strimzi');
        const metadata = { name: 'strimzi-kafka-broker' };
        const chart = stranger(app, 'vendor', {});
        new ApiObject(chart, 'Role', { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata });
      },
      ['strimzi-cluster-scoped-twice'],
    ],
    [
      'in the chart of ours',
      (app) => {
        const { chart } = operatorIn(app, 'strimzi', { watchNamespaces: ['kafka'] });
        new ApiObject(chart, 'Theirs', deployment(watching('kafka'), 'other') as Json & Named);
      },
      TWICE,
    ],
    [
      'serves a Kafka that ours does not',
      (app) => {
        operatorIn(app, 'strimzi');
        stranger(app, 'vendor', watching('kafka'));
        const chart = new Chart(app, 'clusters', { namespace: 'kafka' });
        new ApiObject(chart, 'Kafka', {
          apiVersion: 'kafka.strimzi.io/v1',
          kind: 'Kafka',
          metadata: { name: 'events' },
        });
      },
      [],
    ],
  ])('%s', (_, build, expected) => {
    expect(told(build)).toEqual(expected);
  });

  test('is named', () => {
    expect(saidOf(beside(watching('kafka'))).join()).toContain(
      "[strimzi/Operator] strimzi: it watches namespace kafka, which vendor-vendor/Theirs watches too, and two operators undo each other's work; give each its own namespaces (strimzi-watched-twice)",
    );
  });

  test('is found in a file that is included', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'operator-')), 'operator.yaml');
    writeFileSync(file, Yaml.stringify(deployment({ args: SCRIPT })));
    const said = told((app) => {
      operatorIn(app, 'strimzi', { watchNamespaces: ['vendor'], version: StrimziVersion.V1_1 });
      new Include(new Chart(app, 'vendor', { namespace: 'vendor' }), 'Yaml', { url: file });
    });
    expect(said).toEqual(TWICE);
  });
});

type Named = { apiVersion: string; kind: string };

function selecting(value: string): Json {
  return { name: 'STRIMZI_CUSTOM_RESOURCE_SELECTOR', value };
}

function labelled(selector: string): Props {
  return { watchNamespaces: ['kafka'], extraEnv: { STRIMZI_CUSTOM_RESOURCE_SELECTOR: selector } };
}

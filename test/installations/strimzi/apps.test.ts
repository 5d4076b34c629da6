import { ApiObject, App, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { KafkaCluster, LoadBalancers, StrimziVersion } from '../../../src';
import { kafkasOf } from '../../../src/installations/strimzi/operators-of-app';
import { StrimziClusterOperatorInstallation } from '../../../src/installations/strimzi/strimzi-cluster-operator-installation';
import { StrimziWatch } from '../../../src/installations/strimzi/strimzi-watch';
import { SynthWatch } from '../../../src/rules/synth-watch';
import { filesWritten, stderrOf } from '../../support/apps';
import { operatorIn, type Props } from './operators';

const { V0_49, V0_51, V1_1, V1_2 } = StrimziVersion;

/** A Kafka that stands there as YAML. */
function manifest(scope: Construct, apiVersion: string): ApiObject {
  const spec = { kafka: { listeners: [{ name: 'plain', port: 9092, type: 'internal', tls: false }] } };
  return new ApiObject(scope, 'Manifest', {
    apiVersion,
    kind: 'Kafka',
    metadata: { name: 'old' },
    spec,
  });
}

/** What the synth of an app says of operators: errors and warnings, without the warning that each of them gives. */
function saidOf(build: (app: App) => void): string[] {
  let errors = '';
  const warnings = stderrOf(() => {
    filesWritten((outdir) => {
      const app = new App({ outdir });
      build(app);
      try {
        app.synth();
      } catch (error) {
        errors = (error as Error).message;
      }
    });
  });
  return `${errors}\n${warnings}`
    .split('\n')
    .filter((line) => /\((strimzi-|controller-with)/.test(line) && !line.includes('strimzi-crds-missing'))
    .map((line) => line.trim());
}

const told = (build: (app: App) => void) => saidOf(build).map((line) => /\(([a-z-]+)\)$/.exec(line)?.[1]);

function withKafka(version: StrimziVersion, operator: Props, namespace = 'kafka') {
  return (app: App) => {
    operatorIn(app, 'strimzi', operator);
    const chart = new Chart(app, 'clusters', { namespace });
    const { kafka } = new KafkaCluster(chart, 'Kafka', { name: 'events', strimzi: version });
    kafka.metadata.addLabel('team', 'data');
  };
}

function withManifest(apiVersion: string, operator: Props) {
  return (app: App) => {
    operatorIn(app, 'strimzi', operator);
    manifest(new Chart(app, 'clusters', { namespace: 'kafka' }), apiVersion);
  };
}

const V1 = 'kafka.strimzi.io/v1';
const kafka = { watchNamespaces: ['kafka'] };

describe('a Kafka of the app', () => {
  test.each<[string, (app: App) => void, string[]]>([
    ['that is made for the operator is right', withKafka(V1_2, kafka), []],
    ['that is made for another version is an error', withKafka(V1_1, kafka), ['strimzi-kafka-version']],
    [
      'that is made for another choice of server-side apply is an error',
      withKafka(V0_49, { ...kafka, version: V0_49, featureGates: { serverSideApplyPhase1: true } }),
      ['strimzi-kafka-version'],
    ],
    [
      'is served by an operator that watches everything',
      withKafka(V1_1, { watch: StrimziWatch.allNamespaces() }),
      ['strimzi-kafka-version'],
    ],
    ['is served by an operator of its namespace', withKafka(V1_1, {}, 'strimzi'), ['strimzi-kafka-version']],
    ['that nobody watches is warned of', withManifest(V1, { watchNamespaces: ['shop'] }), ['strimzi-kafka-unwatched']],
    [
      'that nobody watches is warned of where the operator keeps to itself',
      withManifest(V1, {}),
      ['strimzi-kafka-unwatched'],
    ],
    [
      'is not served by an operator that looks for other labels',
      withManifest(V1, { ...kafka, extraEnv: { STRIMZI_CUSTOM_RESOURCE_SELECTOR: 'team=web' } }),
      ['strimzi-kafka-unwatched'],
    ],
    [
      'is served by an operator that looks for its labels',
      withKafka(V1_1, { ...kafka, extraEnv: { STRIMZI_CUSTOM_RESOURCE_SELECTOR: 'team=data' } }),
      ['strimzi-kafka-version'],
    ],
    [
      'of an API version that is gone is an error',
      withManifest('kafka.strimzi.io/v1beta2', kafka),
      ['strimzi-kafka-api-version'],
    ],
    [
      'of an API version that is not there yet is an error',
      withManifest('kafka.strimzi.io/v1', { ...kafka, version: StrimziVersion.V0_48 }),
      ['strimzi-kafka-api-version'],
    ],
    [
      'of an API version that is served is right',
      withManifest('kafka.strimzi.io/v1beta2', { ...kafka, version: V0_51 }),
      [],
    ],
    ['of somebody else is none of Strimzi', withManifest('example.com/v1', kafka), []],
  ])('%s', (_, build, expected) => {
    expect(told(build)).toEqual(expected);
  });

  test('says which, and the way out', () => {
    expect(saidOf(withKafka(V1_1, kafka)).join()).toContain(
      '[strimzi/Operator] strimzi: Kafka kafka/events (clusters/Kafka/Default) is made for Strimzi 1.1.0 with server-side apply, and the operator that serves it is 1.2.0 with server-side apply; pass the version of this installation as its strimzi (strimzi-kafka-version)',
    );
    expect(saidOf(withManifest('kafka.strimzi.io/v1beta2', kafka)).join()).toContain(
      'Kafka kafka/old (clusters/Manifest) has apiVersion kafka.strimzi.io/v1beta2, which Strimzi 1.2.0 does not serve; write kafka.strimzi.io/v1, or install a release that serves it',
    );
  });

  test('in a chart that leaves its namespace to whoever applies it is of unknown namespace', () => {
    expect(
      told((app) => {
        operatorIn(app, 'strimzi', kafka);
        manifest(new Chart(app, 'clusters'), 'kafka.strimzi.io/v1beta2');
      }),
    ).toEqual([]);
  });

  test('in the chart of its operator is warned of', () => {
    const said = saidOf((app) => manifest(operatorIn(app, 'strimzi').chart, 'kafka.strimzi.io/v1'));
    expect(said).toEqual([
      expect.stringMatching(/^put the installation into a chart of its own.*\(controller-with-its-services\)$/),
    ]);
  });
});

describe('two operators', () => {
  const second = { createClusterScoped: false };
  const pair =
    (one: Props, other: Props, namespace = 'two') =>
    (app: App) => {
      operatorIn(app, 'one', one);
      operatorIn(app, namespace, other);
    };

  test.each<[string, (app: App) => void, string[]]>([
    ['with namespaces of their own are right', pair({}, second), ['strimzi-cluster-scoped-missing']],
    [
      'of one namespace to watch work against each other',
      pair(kafka, { ...kafka, ...second }),
      ['strimzi-watched-twice'],
    ],
    [
      'of which one watches all do too',
      pair({ watch: StrimziWatch.allNamespaces() }, second),
      ['strimzi-watched-twice'],
    ],
    [
      'that both watch all do too',
      pair({ watch: StrimziWatch.allNamespaces() }, { watch: StrimziWatch.allNamespaces(), ...second }),
      ['strimzi-watched-twice'],
    ],
    [
      "of which one watches the other's namespace do too",
      pair({}, { watchNamespaces: ['one'], ...second }),
      ['strimzi-watched-twice'],
    ],
    [
      'of which one looks for labels, and the other for none, work against each other',
      pair({ ...kafka, extraEnv: { STRIMZI_CUSTOM_RESOURCE_SELECTOR: 'team=a' } }, { ...kafka, ...second }),
      ['strimzi-watched-twice'],
    ],
    [
      'that look for different labels share a namespace',
      pair(
        { ...kafka, extraEnv: { STRIMZI_CUSTOM_RESOURCE_SELECTOR: 'team=a' } },
        { ...kafka, ...second, extraEnv: { STRIMZI_CUSTOM_RESOURCE_SELECTOR: 'team=b' } },
      ),
      ['strimzi-cluster-scoped-missing'],
    ],
    [
      'that make the same objects of the whole cluster overwrite each other',
      pair({}, {}),
      ['strimzi-cluster-scoped-twice'],
    ],
    [
      'of different names do, as the roles are the same',
      pair({}, { name: 'second' }),
      ['strimzi-cluster-scoped-twice'],
    ],
    [
      'of one namespace share a lease',
      pair(kafka, { watchNamespaces: ['shop'], namespace: 'one', name: 'second', ...second }),
      ['strimzi-operator-namespace-twice'],
    ],
  ])('%s', (_, build, expected) => {
    expect(told(build)).toEqual(expected);
  });

  test('tell once of a Kafka that neither watches', () => {
    const alone = (app: App) => {
      pair({}, second)(app);
      manifest(new Chart(app, 'clusters', { namespace: 'kafka' }), V1);
    };
    expect(told(alone).sort()).toEqual(['strimzi-cluster-scoped-missing', 'strimzi-kafka-unwatched']);
  });

  test('of two apps have nothing to do with each other', () => {
    expect([...told((app) => operatorIn(app, 'one')), ...told((app) => operatorIn(app, 'one'))]).toEqual([]);
  });

  test('are told of with the later one', () => {
    expect(saidOf(pair({}, {})).join()).toContain(
      '[two/Operator] strimzi: ClusterRole strimzi-cluster-operator-namespaced, ClusterRole strimzi-cluster-operator-global, ClusterRole strimzi-cluster-operator-leader-election and 7 more are made by one/Operator as well',
    );
  });
});

describe('operators of one namespace and name in charts of their own', () => {
  const namesake = (app: App, id: string, props: Props = {}) => {
    const chart = new Chart(app, id, { namespace: 'strimzi' });
    return new StrimziClusterOperatorInstallation(chart, 'Operator', { version: V1_2, ...kafka, ...props });
  };
  const three = (app: App) => ['one', 'two', 'three'].map((id) => namesake(app, id));

  test('are for different clusters, or one by mistake, which each but the first tells once', () => {
    expect(told((app) => void three(app))).toEqual(['strimzi-operator-twice-in-app', 'strimzi-operator-twice-in-app']);
    expect(saidOf((app) => void three(app))[1]).toContain(
      'give one of the two another name and namespace, or acknowledge it where the charts are applied to different clusters of Kubernetes',
    );
  });

  test('can be acknowledged', () => {
    expect(
      told((app) => {
        for (const operator of three(app)) {
          LoadBalancers.of(operator).acknowledge('strimzi-operator-twice-in-app', 'a cluster each');
        }
      }),
    ).toEqual([]);
  });

  test.each<[string, Props]>([
    ['another name', { name: 'second' }],
    ['another namespace', { namespace: 'other' }],
  ])('are errors as ever with %s', (_, props) => {
    const said = told((app) => [namesake(app, 'one'), namesake(app, 'two', props)]);
    expect(said).toEqual(expect.arrayContaining(['strimzi-watched-twice', 'strimzi-cluster-scoped-twice']));
    expect(said).not.toContain('strimzi-operator-twice-in-app');
  });

  test('are errors as ever in one chart', () => {
    const said = told((app) => {
      const operator = namesake(app, 'one');
      new StrimziClusterOperatorInstallation(operator.node.scope as Chart, 'Again', { version: V1_2, ...kafka });
    });
    expect(said).toEqual(['strimzi-watched-twice', 'strimzi-operator-namespace-twice', 'strimzi-cluster-scoped-twice']);
  });

  test('are errors as ever without a namespace', () => {
    const nowhere = (app: App) =>
      ['one', 'two'].map(
        (id) => new StrimziClusterOperatorInstallation(new Chart(app, id), 'Operator', { version: V1_2, ...kafka }),
      );
    expect(told((app) => void nowhere(app))).toContain('strimzi-operator-namespace-twice');
  });

  test.each<[string, StrimziVersion, Props, string[]]>([
    ['the first', V1_2, {}, []],
    ['the second', V1_1, {}, []],
    ['neither', StrimziVersion.V1_0, {}, ['strimzi-kafka-version', 'strimzi-kafka-version']],
    ['one that does not watch it', V1_1, { watchNamespaces: ['shop'] }, ['strimzi-kafka-version']],
  ])('a Kafka is made for %s of them', (_, version, props, expected) => {
    const said = told((app) => {
      namesake(app, 'first');
      const second = namesake(app, 'second', { version: V1_1, ...props });
      LoadBalancers.of(second).acknowledge('strimzi-operator-twice-in-app', 'two clusters');
      const chart = new Chart(app, 'clusters', { namespace: 'kafka' });
      new KafkaCluster(chart, 'Kafka', { name: 'events', strimzi: version });
    });
    expect(said).toEqual(expected);
  });

  test.each<[string, StrimziVersion, string[]]>([
    ['served by one of them', V0_51, []],
    ['served by neither', V1_1, ['strimzi-kafka-api-version', 'strimzi-kafka-api-version']],
  ])('a manifest has an API version %s', (_, version, expected) => {
    const said = told((app) => {
      namesake(app, 'first');
      const second = namesake(app, 'second', { version });
      LoadBalancers.of(second).acknowledge('strimzi-operator-twice-in-app', 'two clusters');
      manifest(new Chart(app, 'clusters', { namespace: 'kafka' }), 'kafka.strimzi.io/v1beta2');
    });
    expect(said).toEqual(expected);
  });
});

test('the Kafkas of an app are looked for once in a moment of a synth, and again in the next', () => {
  const app = new App();
  const { chart } = operatorIn(app, 'one');
  const watch = SynthWatch.of(app);
  watch.moment = {};
  const found = kafkasOf(chart);
  manifest(chart, 'kafka.strimzi.io/v1');
  expect(kafkasOf(chart)).toBe(found);
  watch.moment = {};
  expect(kafkasOf(chart)).toHaveLength(1);
  watch.moment = undefined;
  expect(kafkasOf(chart)).not.toBe(kafkasOf(chart));
});

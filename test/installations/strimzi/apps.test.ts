import { ApiObject, App, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { KafkaCluster, LoadBalancers, StrimziVersion } from '../../../src';
import { resourcesOf } from '../../../src/installations/strimzi/app';
import { StrimziClusterOperatorInstallation } from '../../../src/installations/strimzi/installation';
import { appIndexOf, inPass } from '../../../src/rules/app-objects';
import { casesIn, revived, table } from '../../support/yaml-cases';
import { operatorIn, type Props, saidOf, told } from './operators';

const CASES = casesIn(__dirname, 'apps.yaml');

const { V0_51, V1_1, V1_2 } = StrimziVersion;

function manifest(scope: Construct, apiVersion: string, kind = 'Kafka'): ApiObject {
  const spec = { kafka: { listeners: [{ name: 'plain', port: 9092, type: 'internal', tls: false }] } };
  return new ApiObject(scope, 'Manifest', { apiVersion, kind, metadata: { name: 'old' }, spec });
}

function withKafka(version: StrimziVersion, operator: Props, namespace = 'kafka') {
  return (app: App) => {
    operatorIn(app, 'strimzi', operator);
    const chart = new Chart(app, 'clusters', { namespace });
    const { kafka } = new KafkaCluster(chart, 'Kafka', { name: 'events', strimzi: version });
    kafka.metadata.addLabel('team', 'data');
  };
}

function withManifest(apiVersion: string, operator: Props, kind?: string) {
  return (app: App) => {
    operatorIn(app, 'strimzi', operator);
    manifest(new Chart(app, 'clusters', { namespace: 'kafka' }), apiVersion, kind);
  };
}

const V1 = 'kafka.strimzi.io/v1';
const kafka = { watchNamespaces: ['kafka'] };

describe('a Kafka of the app', () => {
  test.each<[string, (app: App) => void, string[]]>([
    ...revived(CASES.kafkaApp, { withKafka, withManifest }),
    ...['KafkaTopic', 'KafkaUser', 'KafkaConnect'].map((kind): [string, (app: App) => void, string[]] => [
      `may be any kind: a ${kind} of an API version that is gone is an error`,
      withManifest('kafka.strimzi.io/v1beta2', kafka, kind),
      ['strimzi-kafka-api-version-unsupported'],
    ]),
  ])('%s', (_, build, expected) => expect(told(build)).toEqual(expected));

  describe('that says no namespace', () => {
    const nowhere =
      (apiVersion: string, ...operators: Props[]) =>
      (app: App) => {
        for (const [index, props] of operators.entries()) {
          operatorIn(app, `operator${index}`, { createClusterScoped: index === 0, ...props });
        }
        manifest(new Chart(app, 'clusters'), apiVersion);
      };
    const shop = { watchNamespaces: ['shop'] };

    test.each<[string, (app: App) => void, string[]]>(revived(CASES.saysNoNamespace, { nowhere }))(
      '%s',
      (_, build, expected) => expect(told(build).sort()).toEqual(expected),
    );

    test('is told where to go', () => {
      const both = saidOf(nowhere(V1, kafka, shop)).join();
      expect(both).toContain('give its chart a namespace that is watched, or acknowledge it if it is applied into one');
    });
  });

  describe('that is read from a manifest', () => {
    const read = (version: StrimziVersion, operator: StrimziVersion) => (app: App) => {
      operatorIn(app, 'strimzi', { ...kafka, version: operator });
      const chart = new Chart(app, 'clusters', { namespace: 'kafka' });
      manifest(chart, V1);
      KafkaCluster.fromManifest(chart, { strimzi: version, nodePools: [{ name: 'brokers', brokerIds: [0] }] });
    };

    test.each<[string, (app: App) => void, string[]]>(revived(CASES.readFromManifest, { read }))(
      '%s',
      (_, build, expected) => expect(told(build)).toEqual(expected),
    );
  });

  describe('KafkaNodePool', () => {
    const pool = (apiVersion: string, version: StrimziVersion, props: Props = kafka) => {
      return (app: App) => {
        operatorIn(app, 'strimzi', { version, ...props });
        const chart = new Chart(app, 'clusters', { namespace: 'kafka' });
        const labels = { 'strimzi.io/cluster': 'events' };
        new ApiObject(chart, 'Pool', { apiVersion, kind: 'KafkaNodePool', metadata: { name: 'brokers', labels } });
      };
    };

    test.each<[string, (app: App) => void, string[]]>(revived(CASES.kafkanodepool, { pool }))(
      '%s',
      (_, build, expected) => expect(told(build)).toEqual(expected),
    );
  });

  test('in the chart of its operator is warned of', () => {
    const said = saidOf((app) => manifest(operatorIn(app, 'strimzi').chart, 'kafka.strimzi.io/v1'));
    expect(said).toEqual([
      expect.stringMatching(
        /^install the controller by a chart or a file of its own.*\(controller-in-chart-of-services\)$/,
      ),
    ]);
  });
});

describe('two operators', () => {
  const pair =
    (one: Props, other: Props, namespace = 'two') =>
    (app: App) => {
      operatorIn(app, 'one', one);
      operatorIn(app, namespace, other);
    };

  test.each<[string, (app: App) => void, string[]]>([
    ...revived(table('installations/strimzi/apps.yaml', 'two operators'), { pair }),
    ...revived(CASES.twoOperators, { pair }),
  ])('%s', (_, build, expected) => expect(told(build)).toEqual(expected));

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
    expect(told((app) => void three(app))).toEqual(['strimzi-operator-duplicate', 'strimzi-operator-duplicate']);
    expect(saidOf((app) => void three(app))[1]).toContain(
      'give one of the two another name and namespace, or acknowledge it if the charts are applied to different clusters of Kubernetes',
    );
  });

  test('can be acknowledged', () => {
    expect(
      told((app) => {
        for (const operator of three(app)) {
          LoadBalancers.of(operator).acknowledge('strimzi-operator-duplicate', 'a cluster each');
        }
      }),
    ).toEqual([]);
  });

  test.each<[string, Props]>([['another namespace', { namespace: 'other' }]])(
    'are errors as ever with %s',
    (_, props) => {
      const said = told((app) => [namesake(app, 'one'), namesake(app, 'two', props)]);
      expect(said).toEqual(
        expect.arrayContaining(['strimzi-watched-namespace-duplicate', 'strimzi-cluster-scoped-duplicate']),
      );
      expect(said).not.toContain('strimzi-operator-duplicate');
    },
  );

  test('are errors as ever in one chart', () => {
    const said = told((app) => {
      const operator = namesake(app, 'one');
      new StrimziClusterOperatorInstallation(operator.node.scope as Chart, 'Again', { version: V1_2, ...kafka });
    });
    expect(said).toEqual([
      'strimzi-watched-namespace-duplicate',
      'strimzi-operator-namespace-duplicate',
      'strimzi-cluster-scoped-duplicate',
    ]);
  });

  test('are errors as ever without a namespace', () => {
    const nowhere = (app: App) =>
      ['one', 'two'].map(
        (id) => new StrimziClusterOperatorInstallation(new Chart(app, id), 'Operator', { version: V1_2, ...kafka }),
      );
    expect(told((app) => void nowhere(app))).toContain('strimzi-operator-namespace-duplicate');
  });

  test.each<[string, StrimziVersion, Props, string[]]>([
    ['the first', V1_2, {}, []],
    ['the second', V1_1, {}, []],
    ['neither', StrimziVersion.V1_0, {}, ['strimzi-kafka-version-mismatch', 'strimzi-kafka-version-mismatch']],
    ['one that does not watch it', V1_1, { watchNamespaces: ['shop'] }, ['strimzi-kafka-version-mismatch']],
  ])('a Kafka is made for %s of them', (_, version, props, expected) => {
    const said = told((app) => {
      namesake(app, 'first');
      const second = namesake(app, 'second', { version: V1_1, ...props });
      LoadBalancers.of(second).acknowledge('strimzi-operator-duplicate', 'two clusters');
      const chart = new Chart(app, 'clusters', { namespace: 'kafka' });
      new KafkaCluster(chart, 'Kafka', { name: 'events', strimzi: version });
    });
    expect(said).toEqual(expected);
  });

  test.each<[string, StrimziVersion, string[]]>([
    ['served by one of them', V0_51, []],
    ['served by neither', V1_1, ['strimzi-kafka-api-version-unsupported', 'strimzi-kafka-api-version-unsupported']],
  ])('a manifest has an API version %s', (_, version, expected) => {
    const said = told((app) => {
      namesake(app, 'first');
      const second = namesake(app, 'second', { version });
      LoadBalancers.of(second).acknowledge('strimzi-operator-duplicate', 'two clusters');
      manifest(new Chart(app, 'clusters', { namespace: 'kafka' }), 'kafka.strimzi.io/v1beta2');
    });
    expect(said).toEqual(expected);
  });
});

test('the Kafkas of an app are looked for once in a moment of a synth, and again in the next', () => {
  const app = new App();
  const { chart } = operatorIn(app, 'one');
  inPass(app, () => {
    const found = resourcesOf(appIndexOf(chart));
    manifest(chart, 'kafka.strimzi.io/v1');
    expect(resourcesOf(appIndexOf(chart))).toBe(found);
  });
  inPass(app, () => expect(resourcesOf(appIndexOf(chart)).kafkas).toHaveLength(1));
  expect(resourcesOf(appIndexOf(chart))).not.toBe(resourcesOf(appIndexOf(chart)));
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, Include, Yaml } from 'cdk8s';
import { stringify } from 'yaml';
import { StrimziVersion } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { crdFaults, releaseFileOf } from '../../../src/installations/strimzi/crd-faults';
import { StrimziCrds } from '../../../src/installations/strimzi/crds';
import { RELEASE_FILE_SHA256 } from '../../../src/installations/strimzi/installation.facts';
import { STRIMZI_RELEASES } from '../../../src/kafka/strimzi/strimzi.facts';
import { errorsOf, stderrOf, synth } from '../../support/apps';
import { fileWith } from '../../support/files';
import { casesIn, revived } from '../../support/yaml-cases';
import { definitions, operatorIn, type Props, saidOf, told, VERSIONS } from './operators';

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

const TWICE = ['strimzi-watched-namespace-duplicate'];

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
      ['strimzi-operator-duplicate'],
    ],
    [
      'in the namespace of ours shares its lease',
      (app) => {
        operatorIn(app, 'strimzi', { watchNamespaces: ['kafka'] });
        const lease = { name: 'STRIMZI_LEADER_ELECTION_LEASE_NAME', value: 'strimzi-cluster-operator' };
        stranger(app, 'strimzi', { env: [...watching('shop').env, lease] }, 'second');
      },
      ['strimzi-operator-namespace-duplicate'],
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
      ['strimzi-cluster-scoped-duplicate'],
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
  ])('%s', (_, build, expected) => expect(told(build)).toEqual(expected));

  test('is named', () => {
    expect(saidOf(beside(watching('kafka'))).join()).toContain(
      "[strimzi/Operator] strimzi: it watches namespace kafka, which vendor-vendor/Theirs watches too, and two operators undo each other's work; give each its own namespaces (strimzi-watched-namespace-duplicate)",
    );
  });

  test('is found in a file that is included', () => {
    const file = fileWith(Yaml.stringify(deployment({ args: SCRIPT })));
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

describe('crds', () => {
  const CASES = casesIn(__dirname, 'crds.yaml');

  const { V1_1, V1_2 } = StrimziVersion;

  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-crds-'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function fileWith(objects: readonly Json[], name = 'crds.yaml'): string {
    const file = join(folder, name);
    writeFileSync(file, objects.map((object) => `---\n${stringify(object)}`).join(''));
    return file;
  }

  const kindsOf = (objects: readonly Json[]) => objects.filter(({ kind }) => kind === 'CustomResourceDefinition');

  test('definitions of a file are written as they are, and nothing else of it', () => {
    const own = definitions(V1_2);
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'stray' } };
    const { chart } = operatorIn(new App(), 'strimzi', { crds: StrimziCrds.fromFile(fileWith([...own, service])) });
    let written: Json[] = [];
    expect(
      stderrOf(() => {
        written = synth(chart);
      }),
    ).toBe('');
    expect(own).toHaveLength(10);
    expect(kindsOf(written)).toEqual(own);
    expect(written.map(({ kind }) => kind)).not.toContain('Service');
  });

  test('definitions that another construct writes are checked and not written twice', () => {
    const app = new App();
    const manifests = new Chart(app, 'crds');
    new Include(manifests, 'Include', { url: fileWith(definitions(V1_1)) });
    const crds = StrimziCrds.fromManifest(manifests);
    const { chart } = operatorIn(app, 'strimzi', { crds });
    expect(errorsOf(chart)).toEqual([
      '[strimzi/Operator] strimzi: crds does not hold the definitions of Strimzi 1.2.0: kafkanodepools.kafka.strimzi.io lacks spec.template.pod.templatedVolumes, which came with 1.2.0; use https://github.com/strimzi/strimzi-kafka-operator/releases/download/1.2.0/strimzi-crds-1.2.0.yaml (SHA-256 6f300e77128dc0963b8a6153c520a0f11b6f8999486a9b8e361c06aaa17860a3) (strimzi-crds-version-mismatch)',
    ]);
    const other = new App();
    const right = new Include(new Chart(other, 'crds'), 'Include', { url: fileWith(definitions(V1_2)) });
    const { chart: alone } = operatorIn(other, 'strimzi', { crds: StrimziCrds.fromManifest(right) });
    expect(stderrOf(() => expect(kindsOf(synth(alone))).toEqual([]))).toBe('');
  });

  test('without objects of the whole cluster a file is checked and not written', () => {
    const props = { crds: StrimziCrds.fromFile(fileWith(definitions(V1_2))), createClusterScoped: false };
    stderrOf(() => expect(kindsOf(synth(operatorIn(new App(), 'strimzi', props).chart))).toEqual([]));
  });

  describe('definitions of a release', () => {
    // 0.51 has the fields of 0.50, and patches have those of their minor version, but for 0.45.1
    const alike = (version: StrimziVersion) =>
      version.version
        .replace(/^0\.51\..*/, '0.50')
        .replace(/^(0\.45\.)[12]$/, '$1x')
        .replace(/^(?!0\.45)(\d+\.\d+).*/, '$1');

    test.each(VERSIONS.map((version) => [version.version, version] as const))(
      'of %s belong to it, and to none that differs',
      (_, version) => {
        const taken = VERSIONS.filter((each) => crdFaults(definitions(version), each).length === 0);
        expect(taken.map(alike)).toEqual(taken.map(() => alike(version)));
        expect(taken).toContain(version);
      },
    );
  });

  test('every known release has a file with a digest', () => {
    expect(Object.keys(RELEASE_FILE_SHA256)).toEqual(Object.keys(STRIMZI_RELEASES));
  });

  test('a release that is newer than all known ones has a file without a known digest', () => {
    expect(releaseFileOf(StrimziVersion.of('1.9.0'))).toMatch(/\/1\.9\.0\/strimzi-crds-1\.9\.0\.yaml$/);
  });

  const without = (name: string) => definitions(V1_2).filter(({ metadata }) => metadata.name !== name);
  const changed = (change: (kafka: Json) => void) => {
    const objects = definitions(V1_2);
    change(objects[0]);
    return objects;
  };

  test.each<[string, Json[], string[]]>([
    ...revived(CASES.notDefinitionsRelease, { without }),
    [
      'one too many',
      [...definitions(V1_2), { ...definitions(StrimziVersion.V0_45)[5] }],
      ['it defines kafkamirrormakers.kafka.strimzi.io, which the version does not have'],
    ],
    [
      'definitions of a tool that makes its own',
      changed(({ metadata }) => {
        metadata.labels = {};
      }),
      ["kafkas.kafka.strimzi.io lack labels of the vendor's own file"],
    ],
    [
      'an API version of another release',
      changed(({ spec }) => {
        spec.versions[0].name = 'v1beta2';
      }),
      ['it serves Kafka as v1beta2, and the version as v1'],
    ],
    [
      'an API version that is not served',
      changed(({ spec }) => {
        spec.versions[0].served = false;
      }),
      ['it serves Kafka as nothing, and the version as v1'],
    ],
  ])('%s is not the definitions of a release', (_, objects, expected) => {
    expect(crdFaults(objects, V1_2)).toEqual(expected);
  });

  describe('a file of definitions', () => {
    const installing = (path: string) => operatorIn(new App(), 'strimzi', { crds: StrimziCrds.fromFile(path) });

    test.each(['HTTP://example.com/crds.yaml'])('is not an address of the network: %s', (path) => {
      expect(() => StrimziCrds.fromFile(path)).toThrow(
        `strimzi: definitions cannot be read from '${path}' at every synth; fetch the file once and commit it`,
      );
    });

    test('must be there', () => {
      const path = join(folder, 'none.yaml');
      stderrOf(() =>
        expect(() => installing(path)).toThrow(
          `cannot be read from '${path}': there is no such file; fetch it once from`,
        ),
      );
    });

    test('has each definition once', () => {
      const path = fileWith([...definitions(V1_2), definitions(V1_2)[0]], 'twice.yaml');
      expect(() => installing(path)).toThrow(`strimzi/Operator: ${path} has kafkas.kafka.strimzi.io twice`);
    });

    test('of the wrong release is an error at synth', () => {
      const path = fileWith(definitions(V1_1), 'wrong.yaml');
      expect(errorsOf(installing(path).chart).join()).toContain(
        `strimzi: ${path} does not hold the definitions of Strimzi 1.2.0`,
      );
    });
  });

  test('an ApiObject of another kind is not a definition, whatever its name', () => {
    const chart = new Chart(new App(), 'crds');
    new ApiObject(chart, 'Odd', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kafkas.kafka.strimzi.io' } });
    expect(
      errorsOf(operatorIn(new App(), 'strimzi', { crds: StrimziCrds.fromManifest(chart) }).chart).join(),
    ).toContain('there is no CustomResourceDefinition of Strimzi in it');
  });
});

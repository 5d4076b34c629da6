import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, Include } from 'cdk8s';
import { stringify } from 'yaml';
import { StrimziVersion } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { crdFaults, releaseFileOf } from '../../../src/installations/strimzi/crd-faults';
import { StrimziCrds } from '../../../src/installations/strimzi/crds';
import { RELEASE_FILE_SHA256 } from '../../../src/installations/strimzi/installation.facts';
import { STRIMZI_RELEASES } from '../../../src/kafka/strimzi/strimzi.facts';
import { errorsOf, stderrOf, synth } from '../../support/apps';
import { casesIn, revived } from '../../support/yaml-cases';
import { definitions, operatorIn, VERSIONS } from './operators';

const CASES = casesIn(__dirname, 'crds.yaml');

const { V1_1, V1_2 } = StrimziVersion;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-crds-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

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
    '[strimzi/Operator] strimzi: crds does not hold the definitions of Strimzi 1.2.0: kafkanodepools.kafka.strimzi.io lacks spec.template.pod.templatedVolumes, which came with 1.2.0; use https://github.com/strimzi/strimzi-kafka-operator/releases/download/1.2.0/strimzi-crds-1.2.0.yaml (SHA-256 6f300e77128dc0963b8a6153c520a0f11b6f8999486a9b8e361c06aaa17860a3) (strimzi-crds-version)',
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

test('where the definitions are missing, the warning names the file of the release and its digest', () => {
  expect(stderrOf(() => errorsOf(operatorIn(new App(), 'strimzi').chart))).toContain(
    'fetch https://github.com/strimzi/strimzi-kafka-operator/releases/download/1.2.0/strimzi-crds-1.2.0.yaml (SHA-256 6f300e77128dc0963b8a6153c520a0f11b6f8999486a9b8e361c06aaa17860a3); apply it first',
  );
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

  test.each(['https://example.com/crds.yaml', 'HTTP://example.com/crds.yaml'])(
    'is not an address of the network: %s',
    (path) => {
      expect(() => StrimziCrds.fromFile(path)).toThrow(
        `strimzi: definitions cannot be read from '${path}' at every synth; fetch the file once and commit it`,
      );
    },
  );

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
  expect(errorsOf(operatorIn(new App(), 'strimzi', { crds: StrimziCrds.fromManifest(chart) }).chart).join()).toContain(
    'there is no CustomResourceDefinition of Strimzi in it',
  );
});

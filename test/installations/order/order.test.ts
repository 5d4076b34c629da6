import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, Duration, Testing } from 'cdk8s';
import { AwsCloudProvider, LoadBalancedService, LoadBalancerScheme } from '../../../src';
import { AwsCloudControllerManagerInstallation } from '../../../src/installations/aws-cloud-controller-manager/aws-cloud-controller-manager-installation';
import { InstallationOrder } from '../../../src/installations/order';
import { FluxStage } from '../../../src/installations/order-flux-stage';

const WAVE = 'argocd.argoproj.io/sync-wave';

function thing(scope: Chart, name: string): ApiObject {
  return new ApiObject(scope, name, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
}

function charts() {
  const app = Testing.app();
  const [shop, kafka, system] = ['shop', 'kafka', 'system'].map((id) => new Chart(app, id));
  const installation = new AwsCloudControllerManagerInstallation(system, 'Ccm', { clusterName: 'prod' });
  thing(kafka, 'kafka');
  new LoadBalancedService(shop, 'Echo', {
    name: 'echo',
    controller: AwsCloudProvider.nlb(),
    scheme: LoadBalancerScheme.INTERNAL,
    selector: { app: 'echo' },
    ports: [{ port: 443 }],
  });
  return { app, installation, system, kafka, shop };
}

const wavesOf = (chart: Chart) => [
  ...new Set(Testing.synth(chart).map(({ metadata }) => metadata.annotations?.[WAVE] as string | undefined)),
];

describe('Argo CD', () => {
  test('nothing is ordered unless somebody asks', () => {
    const { system, shop } = charts();
    expect([wavesOf(system), wavesOf(shop)]).toEqual([[undefined], [undefined]]);
  });

  test.each<[number | undefined, string[]]>([
    [undefined, ['0', '1', '2']],
    [-5, ['-5', '-4', '-3']],
  ])('each stage is a wave, from %s', (first, waves) => {
    const { installation, system, kafka, shop } = charts();
    const order = InstallationOrder.argoCdSyncWaves(first);
    expect(order.stage(installation).stage(kafka).stage(shop)).toBe(order);
    expect([wavesOf(system), wavesOf(kafka), wavesOf(shop)]).toEqual(waves.map((wave) => [wave]));
  });

  test('other annotations stay', () => {
    const { shop } = charts();
    InstallationOrder.argoCdSyncWaves().stage(shop);
    const [service] = Testing.synth(shop);
    expect(Object.keys(service.metadata.annotations)).toEqual(expect.arrayContaining([WAVE]));
    expect(Object.keys(service.metadata.annotations).length).toBeGreaterThan(1);
  });

  test('several constructs in one stage', () => {
    const { system, kafka, shop } = charts();
    InstallationOrder.argoCdSyncWaves().stage(system, kafka).stage(shop);
    expect([wavesOf(system), wavesOf(kafka), wavesOf(shop)]).toEqual([['0'], ['0'], ['1']]);
  });

  test('an object that comes late', () => {
    const { system } = charts();
    InstallationOrder.argoCdSyncWaves().stage(system);
    thing(system, 'late');
    expect(() => Testing.synth(system)).toThrow(/ConfigMap late was added after its stage.*\(order-late\)/);
  });

  test('a wave that somebody wrote', () => {
    const { kafka } = charts();
    const object = thing(kafka, 'own');
    object.metadata.addAnnotation(WAVE, '7');
    expect(() => InstallationOrder.argoCdSyncWaves().stage(kafka)).toThrow(/is in wave 7 and cannot be in wave 0/);
    expect(() => InstallationOrder.argoCdSyncWaves(7).stage(kafka)).not.toThrow();
  });

  test('half a wave', () => {
    expect(() => InstallationOrder.argoCdSyncWaves(0.5)).toThrow(/\(order-wave\)/);
  });
});

describe.each([
  ['Argo CD', () => InstallationOrder.argoCdSyncWaves()],
  ['cdk8s', () => InstallationOrder.cdk8sDependencies()],
])('%s: stages', (_, order) => {
  test('a construct in two', () => {
    const { system } = charts();
    expect(() => order().stage(system).stage(system)).toThrow(/system\] .*in two stages.*\(order-stage\)/);
  });

  test('a construct of another stage', () => {
    const { system, installation } = charts();
    expect(() => order().stage(system).stage(installation)).toThrow(/\(order-stage\)/);
    expect(() => order().stage(installation).stage(system)).toThrow(/\(order-stage\)/);
  });
});

describe('cdk8s', () => {
  let outdir: string;
  beforeEach(() => {
    outdir = mkdtempSync(join(tmpdir(), 'order-'));
  });
  afterEach(() => rmSync(outdir, { recursive: true }));

  function files(order: (first: Chart, then: Chart, last: Chart) => void): string[] {
    const app = new App({ outdir });
    const [last, then, first] = ['c', 'b', 'a'].map((id) => new Chart(app, id));
    for (const chart of [first, then, last]) {
      thing(chart, chart.node.id);
    }
    order(last, then, first);
    app.synth();
    return readdirSync(outdir).sort();
  }

  test('files keep their names unless somebody asks', () => {
    expect(files(() => undefined)).toEqual(['a.k8s.yaml', 'b.k8s.yaml', 'c.k8s.yaml']);
  });

  test('files are numbered', () => {
    const order = (c: Chart, b: Chart, a: Chart) => InstallationOrder.cdk8sDependencies().stage(c).stage(b).stage(a);
    expect(files(order)).toEqual(['0000-c.k8s.yaml', '0001-b.k8s.yaml', '0002-a.k8s.yaml']);
    expect(readFileSync(join(outdir, '0000-c.k8s.yaml'), 'utf8')).not.toContain('annotations');
  });

  test('objects within one chart', () => {
    const chart = new Chart(Testing.app(), 'all');
    const [one, two] = ['one', 'two'].map((name) => thing(chart, name));
    InstallationOrder.cdk8sDependencies().stage(two).stage(one);
    expect(Testing.synth(chart).map(({ metadata }) => metadata.name)).toEqual(['two', 'one']);
  });
});

describe('Flux', () => {
  test('a stage and what comes after it', () => {
    const chart = new Chart(Testing.app(), 'flux');
    const system = new FluxStage(chart, 'system', { path: './dist/system', sourceName: 'cluster' });
    const other = new FluxStage(chart, 'other', { path: './x', sourceName: 'y', namespace: 'else' });
    new FluxStage(chart, 'Shop', {
      name: 'shop',
      path: './dist/shop',
      sourceName: 'cluster',
      sourceKind: 'OCIRepository',
      after: [system, other],
      prune: false,
      interval: Duration.minutes(5),
      timeout: Duration.hours(1),
    });
    const [first, , shop] = Testing.synth(chart);
    expect(first).toEqual({
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata: { name: 'system', namespace: 'flux-system' },
      spec: {
        deletionPolicy: 'WaitForTermination',
        interval: '10m0s',
        path: './dist/system',
        prune: true,
        sourceRef: { kind: 'GitRepository', name: 'cluster' },
        timeout: '15m0s',
        wait: true,
      },
    });
    expect(shop.spec).toEqual({
      dependsOn: [{ name: 'system' }, { name: 'other', namespace: 'else' }],
      deletionPolicy: 'WaitForTermination',
      interval: '300s',
      path: './dist/shop',
      prune: false,
      sourceRef: { kind: 'OCIRepository', name: 'cluster' },
      timeout: '3600s',
      wait: true,
    });
  });

  test.each([
    ['a name that is none', { name: 'A b', path: './x' }],
    ['no folder', { path: ' ' }],
  ])('%s', (_, props) => {
    const chart = new Chart(Testing.app(), 'flux');
    expect(() => new FluxStage(chart, 'stage', { sourceName: 'y', ...props })).toThrow(
      /flux\/stage\] .*\(flux-stage\)/,
    );
  });
});

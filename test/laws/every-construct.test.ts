import { ApiObject, ApiObjectMetadataDefinition, App, Chart, YamlOutputType } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import * as ours from '../../src';
import type { Json } from '../../src/contract/json';
import { filesWritten } from '../support/apps';
import { overridden } from '../support/other-languages';
import { fileOf } from '../tenancy/manifests/tenant-apps';
import { lockedAsWished } from '../tenancy/shared/locked';

type Make = (chart: Chart, library: typeof ours, place: { readonly i: number }) => IConstruct;

const { EACH, ONCE } = require('../support/every-construct.js') as Record<'EACH' | 'ONCE', Record<string, Make>>;

/** Constructs that need a lock of ports, which says how many tenants there are. */
const OF_TENANTS = ['SharedLoadBalancer', 'SharedServicesAtRunTime', 'TenantManifests', 'TenantWatch'];

/** A shared balancer, and tenants each with a file and a Service without one. */
function tenants(count: number): App {
  const places = Array.from({ length: count }, (_, i) => ({ i, tenant: `team-${i}`, port: 5000 + i, file: 6000 + i }));
  const keys = places.flatMap(({ tenant, port, file }) => [`${tenant}/web:${port}`, `${tenant}/db:${file}`]);
  const app = new App();
  const shared = new ours.SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
    engine: ours.SharedLoadBalancerEngine.envoyGateway({ replicas: 2, controller: ours.MetalLb.bgp() }),
    hostname: 'tcp.example.com',
    portLock: lockedAsWished(...keys),
  });
  new ours.SharedServicesAtRunTime(shared, 'RunTime', { shared });
  new ours.TenantWatch(shared, 'Watch', { shared });
  for (const { tenant, port, file } of places) {
    shared.addTenant(tenant);
    const chart = new Chart(app, tenant, { namespace: tenant });
    shared.attach(chart, { tenant, service: 'web', ports: [{ port }] });
    const spec = `{ type: LoadBalancer, selector: { app: db }, ports: [{ port: ${file} }] }`;
    const url = fileOf(`{ apiVersion: v1, kind: Service, metadata: { name: db }, spec: ${spec} }`);
    new ours.TenantManifests(chart, 'File', { url, shared });
  }
  return app;
}

const OF_AWS_CDK = ['AwsRolePolicy', 'AwsLoadBalancerControllerRole', 'PodIdentityAssociation'];

beforeEach(() => void jest.spyOn(process.stderr, 'write').mockImplementation(() => true));
afterEach(() => jest.restoreAllMocks());

test('every construct of the package is held to these laws', () => {
  const constructs = Object.entries(ours).filter(
    ([, made]) => 'prototype' in made && made.prototype instanceof Construct,
  );
  const known = [...Object.keys(EACH), ...Object.keys(ONCE), ...OF_TENANTS, ...OF_AWS_CDK];
  expect(constructs.map(([name]) => name).sort()).toEqual(known.sort());
});

/** An app with a construct in each of so many charts. */
function appOf(make: Make, charts: number, props: ConstructorParameters<typeof App>[0] = {}): App {
  const app = new App(props);
  for (let i = 0; i < charts; i++) {
    make(new Chart(app, `chart-${i}`, { namespace: `team-${i}` }), ours, { i });
  }
  return app;
}

function renderings(app: App): number {
  const counts = new Map<unknown, number>();
  const { toJson } = ApiObjectMetadataDefinition.prototype;
  const spy = jest.spyOn(ApiObjectMetadataDefinition.prototype, 'toJson').mockImplementation(function (this: never) {
    counts.set(this, (counts.get(this) ?? 0) + 1);
    return toJson.call(this);
  });
  filesWritten((outdir) => {
    Object.assign(app, { outdir });
    app.synth();
  });
  spy.mockRestore();
  return Math.max(...counts.values());
}

describe('no file is written where one object of a construct would overwrite another', () => {
  const { FILE_PER_RESOURCE } = YamlOutputType;

  test.each(Object.entries({ ...EACH, ...ONCE }))('%s', (_, make) => {
    let objects = 0;
    const files = filesWritten((outdir) => {
      try {
        const app = appOf(make, 2, { outdir, yamlOutputType: FILE_PER_RESOURCE });
        objects = app.node.findAll().filter((construct) => ApiObject.isApiObject(construct)).length;
        app.synth();
      } catch (error) {
        expect((error as Error).message).toMatch(/\((file|policy-name|alert-name)-twice\)/);
        objects = 0;
      }
    });
    expect(Object.keys(files)).toHaveLength(objects);
  });
});

describe('toJson of its objects may be overridden in another language: what comes of it is written, once', () => {
  const noted = ({ metadata, ...json }: Json) => ({
    ...json,
    metadata: { ...metadata, labels: { ...metadata.labels, note: `${metadata.labels?.note ?? ''}n` } },
  });

  test.each(Object.entries({ ...EACH, ...ONCE }))('%s', (_, make) => {
    const objectsOf = (app: App) => app.charts.flatMap((chart) => chart.toJson()) as Json[];
    const asItIs = objectsOf(appOf(make, 1));
    const app = appOf(make, 1);
    for (const object of app.node.findAll()) {
      if (ApiObject.isApiObject(object)) overridden(object, 'toJson', noted);
    }
    const notes = { metadata: expect.objectContaining({ labels: expect.objectContaining({ note: 'n' }) }) };
    expect(objectsOf(app)).toEqual(asItIs.map((json) => expect.objectContaining({ ...json, ...notes })));
  });
});

describe('an object is rendered as often among ten charts as among two, and seldom', () => {
  test.each(Object.entries({ ...EACH, ...ONCE }))('%s', (name, make) => {
    // what there is once in a cluster stands in the first chart, and the others hold a Service
    const place: Make = (chart, library, { i }) =>
      name in ONCE && i > 0 ? EACH.LoadBalancedService(chart, library, { i }) : make(chart, library, { i });
    const among = [2, 10].map((charts) => renderings(appOf(place, charts)));
    expect(among[1]).toBe(among[0]);
    expect(among[1]).toBeLessThanOrEqual(MOST);
  });

  test('of everything at once', () => {
    const all: Make = (chart, library, place) => {
      for (const make of Object.values({ ...EACH, ...(place.i === 0 && ONCE) })) {
        make(chart, library, place);
      }
      return chart;
    };
    const among = [2, 10].map((charts) => renderings(appOf(all, charts)));
    expect(among[1]).toBe(among[0]);
  });

  test('of a shared balancer and its tenants', () => {
    const among = [2, 10].map((count) => renderings(tenants(count)));
    expect(among[1]).toBe(among[0]);
    expect(among[1]).toBeLessThanOrEqual(MOST);
  });

  test('a construct that renders in a validation is found out', () => {
    const rendering: Make = (chart) => {
      const object = new ApiObject(chart, 'Map', { apiVersion: 'v1', kind: 'ConfigMap' });
      object.node.addValidation({ validate: () => (object.toJson() && object.toJson() ? [] : ['']) });
      return object;
    };
    // it is validated at first and before the first chart, and then written
    expect(renderings(appOf(rendering, 10))).toBe(5);
    expect(5).toBeGreaterThan(MOST);
  });
});

/** Once to be judged and written, and once for those who look at it while they are judged. */
const MOST = 3;

import { ApiObject, ApiObjectMetadataDefinition, App, Chart, YamlOutputType } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import '../../src';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ours from '../../src';
import { AnnotatedController, CustomController } from '../../src';
import { isMap, type Json } from '../../src/contract/json';
import type { LoadBalancerModel } from '../../src/contract/load-balancer-model';
import { balancerModelOf } from '../../src/rules/controller-definition';
import { filesWritten } from '../support/apps';
import { caseTables, service } from '../support/cases';
import { run } from '../support/command';
import { folderWith } from '../support/files';
import { MutantFiles } from '../support/fuzz/mutant-files';
import { strangeWords } from '../support/fuzz/said';
import { seeds } from '../support/fuzz/seeds';
import { overridden } from '../support/other-languages';
import { tries } from '../support/random';
import { sources } from '../support/sources';
import { kinds } from '../support/subjects';
import { casesIn } from '../support/yaml-cases';
import { fileOf } from '../tenancy/manifests/tenant-apps';
import { lockedAsWished } from '../tenancy/shared/locked';

describe('every construct', () => {
  type Make = (chart: Chart, library: typeof ours, place: { readonly i: number }) => IConstruct;

  const { EACH, ONCE } = require('../support/every-construct.js') as Record<'EACH' | 'ONCE', Record<string, Make>>;

  /** Constructs that need a lock of ports, which says how many tenants there are. */
  const OF_TENANTS = ['SharedLoadBalancer', 'SharedServicesAtRunTime', 'TenantManifests', 'TenantWatch'];

  /** A shared balancer, and tenants each with a file and a Service without one. */
  function tenants(count: number): App {
    const places = Array.from({ length: count }, (_, i) => ({
      i,
      tenant: `team-${i}`,
      port: 5000 + i,
      file: 6000 + i,
    }));
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

  const OF_AWS_CDK = ['AwsLoadBalancerControllerRole'];

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
          expect((error as Error).message).toMatch(/\((output-file|policy-name|alert-name)-duplicate\)/);
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

  /** Once to be checked and written, and once for those who look at it while they are checked. */
  const MOST = 3;
});

// What holds of the balancers that every known controller makes, also of Services that anybody may have written.

const GARBAGE: readonly unknown[] = [null, 5, Number.NaN, '', 'x', true, [], [null], {}, { x: 1 }];

/** The Service, with one field after the other replaced by garbage. */
function* spoilt(object: Json): Generator<Json> {
  for (const key of Object.keys(object)) {
    for (const value of GARBAGE) {
      yield { ...object, [key]: value };
    }
    const inner: unknown = object[key];
    if (Array.isArray(inner)) {
      for (const value of [...GARBAGE, ...(isMap(inner[0]) ? spoilt(inner[0]) : [])]) {
        yield { ...object, [key]: [value, ...inner.slice(1)] };
      }
    } else if (isMap(inner)) {
      for (const value of spoilt(inner)) {
        yield { ...object, [key]: value };
      }
    }
  }
}

/** What is wrong with a balancer; nothing where it can be counted with. */
function faultsOf({ limits, listeners, zones, publicAddresses, healthCheck, ...made }: LoadBalancerModel): string[] {
  const whole = (what: string, figure: number | undefined, least = 0) =>
    figure === undefined || (Number.isInteger(figure) && figure >= least) ? [] : [`${what} is ${figure}`];
  const named = (what: string, text: string | undefined) => (text?.trim() ? [] : [`${what} has no text`]);
  const cited = ({ repository, version, file }: LoadBalancerModel['source']) =>
    [repository, version, file].flatMap((part) => named('source', part));
  return [
    ...named('product', made.product),
    ...named('name', made.name),
    ...whole('listeners', listeners),
    ...whole('zones', zones, 1),
    ...whole('public addresses', publicAddresses.count),
    ...whole('failures', healthCheck?.failures, 1),
    ...(healthCheck ? [...named('port', healthCheck.port), ...named('protocol', healthCheck.protocol)] : []),
    ...(healthCheck?.interval !== undefined && !(healthCheck.interval > 0) ? ['the interval is no time'] : []),
    ...cited(made.source),
    ...limits.flatMap(({ name, limit, each, used, source }) => [
      ...named('limit', name),
      ...whole(name, limit, 1),
      ...whole(`each of ${name}`, each, 1),
      ...whole(`used of ${name}`, used),
      ...cited(source),
    ]),
  ];
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  const [, table] = caseTables.find(([, { kind: its }]) => its === kind) ?? caseTables[0];
  const all = [...table.services, ...table.made, ...(table.claims ?? [])].map((row) => row.service);
  const owners = [kind, kind.installed(), ...Object.values(kind.variants ?? {}).map((make) => make())];

  test('says what it makes, and has rows that say so', () => {
    expect(kind.makes).toBeInstanceOf(Function);
    expect(table.made.filter(({ made }) => made !== undefined)).not.toEqual([]);
  });

  test('what it makes of any Service of its cases can be counted with', () => {
    const made = all.flatMap((object) => owners.map((owner) => balancerModelOf(object, owner)));
    expect(made.filter((each) => each !== undefined)).not.toEqual([]);
    expect(made.flatMap((each) => (each ? faultsOf(each) : []))).toEqual([]);
  });

  test('who can reach it, and whether it knows nodes by labels, is said once', () => {
    for (const object of table.made.map((row) => row.service)) {
      const made = balancerModelOf(object, kind);
      expect(made?.scheme).toBe(made && kind.schemeOf(object).scheme);
      expect(Object.values(made?.nodeLabels ?? {}).filter((value) => typeof value !== 'string')).toEqual([]);
    }
  });

  test('garbage in a field is no reason to throw, or to count with what is no number', () => {
    const faults = new Set<string>();
    for (const object of [service(), ...table.made.map((row) => row.service)]) {
      for (const bad of spoilt(object)) {
        for (const owner of owners) {
          const made = balancerModelOf(bad, owner, [bad]);
          for (const fault of made ? faultsOf(made) : []) faults.add(`${fault}: ${JSON.stringify(bad)}`);
        }
      }
    }
    expect([...faults].slice(0, 5)).toEqual([]);
  });

  test('inside another controller it makes the same', () => {
    const outer = AnnotatedController.of(kind.installed(), { 'example.com/note': 'a note' });
    for (const { service: object } of table.made) {
      expect(balancerModelOf(object, outer)).toEqual(balancerModelOf(object, kind.installed()));
    }
  });
});

test('what is no Service, and what nobody or a controller of the user owns, is unknown', () => {
  const custom = CustomController.of({ owner: 'acme' });
  expect(balancerModelOf(service(), custom)).toBeUndefined();
  expect(balancerModelOf(service(), undefined)).toBeUndefined();
  expect(balancerModelOf(null as unknown as Json, kinds[0])).toBeUndefined();
  expect(balancerModelOf(5 as unknown as Json, kinds[0])).toBeUndefined();
});

// Every command survives any value at any field that it reads: no stack trace, no words of JavaScript, no hang, and the exit codes
// that the docs have. `npm run fuzz` runs the same on as many mutants as one likes.

const MUTANTS = tries(60);
const first = Number(process.env.FUZZ_SEED ?? 1);

test(`all commands on mutants ${first} to ${first + MUTANTS - 1}`, () => {
  const files = new MutantFiles(seeds());
  const bad = Array.from({ length: MUTANTS }, (_, i) => files.run(first + i)).flatMap(({ seed, change, misdeeds }) =>
    misdeeds.map(({ args, kind, what }) => `${seed} ${change}: ${args.join(' ')}: ${kind} ${what}`),
  );
  expect(bad).toEqual([]);
});

test('no expression looks for the end of a long text from each place in it', () => {
  const slow = /[^\w)\]\\]\/\(?(?:\\[dwsDWS]|\[[^\]\n]+\])[+*]\)?\$\//;
  expect(slow.test('x(/\\d+$/)')).toBe(true);
  expect(sources.filter(({ file }) => slow.test(file.text)).map(({ path }) => path)).toEqual([]);
});

test.each<[string, boolean]>(casesIn(__dirname, 'constructs.yaml').cases)('%s: %s', (text, isStrange) =>
  expect(strangeWords(text) !== undefined).toBe(isStrange),
);

describe('one bad object', () => {
  const folder = folderWith();
  const file = (text: string) => {
    const path = join(folder, 'a.yaml');
    writeFileSync(path, text);
    return path;
  };
  const service = (metadata: string) =>
    `apiVersion: v1\nkind: Service\nmetadata: ${metadata}\nspec: { type: LoadBalancer, selector: { a: b }, ports: [{ port: 99999 }] }\n`;

  test.each(['{ name: { toString: x }, namespace: a }', '{ name: a, namespace: { valueOf: x } }', '[{ toJSON: x }]'])(
    'with metadata %s has an error of its own, and the report on others stays',
    (metadata) => {
      const { out, code } = run(
        'check',
        '--format',
        'json',
        file(`${service(metadata)}---\n${service('{ name: good }')}`),
      );
      const { findings } = JSON.parse(out) as { findings: { ruleId: string; object: { name: string } }[] };
      expect(code).toBe(1);
      expect(findings.map(({ ruleId }) => ruleId)).toEqual(
        expect.arrayContaining(['field-wrong-type', 'service-ports-invalid']),
      );
      expect(findings.map(({ object }) => object.name)).toContain('good');
    },
  );

  test('a Gateway whose listeners have no ports is told without words of JavaScript', () => {
    const path = file(
      'apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: { name: a, namespace: a }\nspec: { gatewayClassName: c, listeners: [{ name: a }, { name: b }] }\n',
    );
    expect(strangeWords(run('check', path).out)).toBeUndefined();
  });

  test('a long text where a map belongs takes no time', () => {
    const annotations = 'ab-/.'.repeat(20_000);
    const path = file(
      `apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: { name: k, namespace: x, annotations: ${annotations} }\nspec: { kafka: { version: 4.1.0, listeners: [{ name: external, port: 9094, type: loadbalancer, tls: true }] } }\n`,
    );
    const begin = process.cpuUsage();
    expect(run('check', path).out).toContain('field-wrong-type');
    expect(process.cpuUsage(begin).user).toBeLessThan(1_000_000);
  });

  test('with more replicas than any cluster has says how many balancers are listed', () => {
    const text = `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: { name: k, namespace: x }
spec: { kafka: { version: 4.1.0, listeners: [{ name: external, port: 9094, type: loadbalancer, tls: true }] } }
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: { name: b, namespace: x, labels: { strimzi.io/cluster: k } }
spec: { replicas: 2000000000, roles: [broker, controller], storage: { type: ephemeral } }
`;
    expect(run('list', file(text)).error).toContain(
      "4 of 2,000,000,001 load balancers of listener 'external' are listed: KafkaNodePool b has replicas 2,000,000,000",
    );
  });
});

test('a pipe that is closed ends a command without a word', () => {
  const root = join(__dirname, '..', '..');
  const script = "require('./src/cli/main').main(['node', 'x', 'list', 'test/goldens'])";
  const tsx = `node -r tsx/cjs -e "${script}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `${tsx} | head -1; exit \${PIPESTATUS[0]}`], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TSX_TSCONFIG_PATH: 'tsconfig.scripts.json' },
  });
  expect([stderr, stdout.split('\n').length]).toEqual(['', 2]);
  expect([0, 1]).toContain(status);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, Chart, JsonPatch, Yaml } from 'cdk8s';
import { StrimziVersion } from '../../../src/kafka';
import { LoadBalancers } from '../../../src/rules';
import { SharedServicesAtRunTime } from '../../../src/tenancy';
import { droppedSettings, sharedService, sourceRangesOf } from '../../../src/tenancy/manifests/shared-service';
import { TenantManifests } from '../../../src/tenancy/manifests/tenant-manifests';
import { expectGolden, expectNoStrayGoldens } from '../../support/goldens';
import { casesIn, titled } from '../../support/yaml-cases';
import { lockedAsWished, lockFile } from '../shared/locked';
import { appWith, BY_NAME, BY_PORT, fileOf, fixture, lockedApp, quietly, type TenantApp, written } from './tenant-apps';

const SHOP = fixture('shop.yaml');
const strimzi = StrimziVersion.V1_2;

const service = (spec: object, annotations: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'db', annotations, ...metadata },
  spec: { type: 'LoadBalancer', ports: [{ port: 5432 }], ...spec },
});

test('endpoints say where each port can be reached', () => {
  const { manifests } = lockedApp({ url: SHOP });
  expect(manifests.endpoints).toEqual([
    { tenant: 'team-a', service: 'db', servicePort: 5432, port: 5432, balancer: 'shared', hostname: 'tcp.example.com' },
  ]);
});

test('the file is read and never written', () => {
  const before = readFileSync(SHOP);
  written({ url: SHOP });
  expect(readFileSync(SHOP).equals(before)).toBe(true);
});

test('the second synth writes the same bytes', () => {
  const { app } = lockedApp({ url: SHOP });
  const write = () => quietly(() => (app as App).synthYaml()).value;
  expect(write()).toBe(write());
});

test('patches of objects that share nothing are written, and those of shared Services beside their ports', () => {
  const { chart, manifests } = lockedApp({ url: SHOP });
  const [db, deployment] = manifests.apiObjects;
  deployment.metadata.addLabel('patched', 'yes');
  db.metadata.addLabel('patched', 'yes');
  const [shared, other] = quietly(() => chart.toJson()).value;
  expect(shared.metadata.labels).toEqual({ app: 'db', patched: 'yes' });
  expect(other.metadata.labels).toEqual({ patched: 'yes' });
});

test('a Kafka counts no balancers, and its endpoints are those of bootstrap and the brokers', () => {
  const ask = { url: fixture('kafka.yaml'), kafka: { strimzi }, balancer: { engine: BY_NAME } };
  const { app, manifests } = lockedApp(ask);
  expect(manifests.endpoints.map(({ service: name, hostname, port }) => [name, hostname, port])).toEqual([
    ['events-kafka-outside-bootstrap', 'events-outside-bootstrap.team-a.tcp.example.com', 443],
    ['events-brokers-outside-0', 'events-outside-0.team-a.tcp.example.com', 443],
    ['events-brokers-outside-1', 'events-outside-1.team-a.tcp.example.com', 443],
    ['events-brokers-outside-2', 'events-outside-2.team-a.tcp.example.com', 443],
  ]);
  expect(LoadBalancers.of(app).count).toBe(0);
});

test('objects without a namespace get that of the tenant, and those of the cluster none', () => {
  const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r}\nrules: []\n';
  const cr = 'apiVersion: example.com/v1\nkind: Db\nmetadata: {name: r}\nspec: {service: {type: LoadBalancer}}\n';
  const url = fileOf(
    `${role}---\n${cr}---\n${readFileSync(SHOP, 'utf8').replace('name: db\n', 'name: db\n  namespace: shop\n')}`,
  );
  const { documents, told } = written({ url, namespace: 'shop', bare: true });
  const [clusterRole, ...others] = documents;
  expect(clusterRole.metadata).toEqual({ name: 'r' });
  expect([...new Set(others.map(({ metadata }) => metadata.namespace))]).toEqual(['shop']);
  expect(told).toMatch(/ClusterRole r .* is cluster-scoped/);
  expect(told).toMatch(/Db r .* has LoadBalancer at spec.service.type/);
});

test('a kind that says by its name that it is of the cluster gets no namespace either', () => {
  const of = (apiVersion: string, kind: string, more = '') =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: x${more}}\n---\n`;
  const url = fileOf(
    of('cert-manager.io/v1', 'ClusterIssuer') +
      of('example.com/v1', 'ClusterThing', ', namespace: team-a') +
      of('operators.coreos.com/v1alpha1', 'ClusterServiceVersion') +
      of('postgresql.cnpg.io/v1', 'Cluster') +
      readFileSync(SHOP, 'utf8'),
  );
  const { documents, told } = written({ url });
  expect(documents.slice(0, 4).map(({ metadata }) => metadata.namespace)).toEqual([
    undefined,
    'team-a',
    'team-a',
    'team-a',
  ]);
  expect(told).toMatch(/ClusterIssuer x .* is cluster-scoped, by the name of its kind/);
  expect(told).not.toMatch(/ClusterServiceVersion|Cluster x/);
});

test('a binding to rights that stand elsewhere is told, and one to those of the file is not', () => {
  const rbac = 'apiVersion: rbac.authorization.k8s.io/v1\n';
  const bind = (name: string) =>
    `${rbac}kind: RoleBinding\nmetadata: {name: to-${name}}\nroleRef: {kind: Role, name: ${name}}\n---\n`;
  const own = `${rbac}kind: Role\nmetadata: {name: own}\nrules: []\n---\n`;
  const url = fileOf(`${own}${bind('own')}${bind('theirs')}${readFileSync(SHOP, 'utf8')}`);
  const { told } = written({ url });
  expect(told).toMatch(/RoleBinding to-theirs .* gives the rights of Role theirs, which is not in the file/);
  expect(told).not.toContain('to-own');
});

test('objects of the cluster get no namespace from the chart either', () => {
  const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r}\nrules: []\n';
  const own = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: team-a}\nvalue: 1\n';
  const { documents } = written({ url: fileOf(`${role}---\n${own}---\n${readFileSync(SHOP, 'utf8')}`) });
  expect(documents.slice(0, 2).map(({ metadata }) => metadata)).toEqual([{ name: 'r' }, { name: 'team-a' }]);
  expect(Object.keys(documents[0]).slice(0, 3)).toEqual(['apiVersion', 'kind', 'metadata']);
});

describe('a listener', () => {
  const text = readFileSync(fixture('kafka.yaml'), 'utf8');
  const outsideOf = (changed: string) => {
    const ask = { url: fileOf(changed), kafka: { strimzi } };
    const { documents, told } = written(ask);
    const [, listener] = documents.flatMap(({ kind, spec }) => (kind === 'Kafka' ? spec.kafka.listeners : []));
    const services = lockedApp(ask).manifests.endpoints.map(({ service: name }) => name);
    return { configuration: listener.configuration, services, told };
  };
  const brokers = [0, 1, 2].map((id) => `events-brokers-outside-${id}`);

  test('without TLS has no new names in certificates', () => {
    const plain = text.replace('tls: true\n        authentication: {type: tls}', 'tls: false');
    const { configuration, services } = outsideOf(plain);
    expect(configuration.bootstrap.alternativeNames).toEqual(['events.example.com']);
    expect(services).toEqual(['events-kafka-outside-bootstrap', ...brokers]);
  });

  test('whose bootstrap nobody wanted is reached at its brokers alone', () => {
    const { configuration, services, told } = outsideOf(
      text.replace('createBootstrapService: true', 'createBootstrapService: false'),
    );
    expect(services).toEqual(brokers);
    expect(configuration.createBootstrapService).toBeUndefined();
    expect(told).toMatch(
      /createBootstrapService false \(the bootstrap Service exists, and cannot be reached from outside\)/,
    );
  });
});

test.each<[string, number[], Record<string, unknown>]>([
  ['one expression', [31000, 31001, 31002], { advertisedPortTemplate: '31000 + {nodeId}' }],
  ['each by itself', [31000, 31001, 31009], { advertisedPortTemplate: undefined }],
])('ports of brokers are told as %s', (_, ports, expected) => {
  const places = [31900, ...ports].map((port) => ({ balancer: 0, port }));
  const names = ['events-kafka-outside-bootstrap', ...ports.map((_port, id) => `events-brokers-outside-${id}`)];
  const lock = lockFile(Object.fromEntries(names.map((name, i) => [`team-a/${name}:9094`, places[i]])));
  const { chart } = appWith({ url: fixture('kafka.yaml'), kafka: { strimzi } }, lock);
  const kafka = quietly(() => chart.toJson()).value.find(({ kind }) => kind === 'Kafka');
  const { configuration } = kafka.spec.kafka.listeners[1];
  expect(configuration.advertisedPortTemplate).toBe(expected.advertisedPortTemplate);
  const told = (configuration.brokers as { advertisedPort?: number }[]).flatMap(
    ({ advertisedPort }) => advertisedPort ?? [],
  );
  expect(told).toEqual(expected.advertisedPortTemplate ? [] : ports);
});

test('two kinds of one name and two groups of one kind stand side by side', () => {
  const knative =
    'apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: db}\nspec: {type: LoadBalancer}\n';
  const { documents } = written({ url: fileOf(`${readFileSync(SHOP, 'utf8')}---\n${knative}`) });
  const namesakes = documents
    .filter(({ kind }) => kind === 'Service')
    .map(({ apiVersion, spec }) => [apiVersion, spec.type]);
  expect(namesakes).toEqual([
    ['v1', 'ClusterIP'],
    ['v1', undefined],
    ['serving.knative.dev/v1', 'LoadBalancer'],
  ]);
});

test('source ranges are carried over', () => {
  const url = fileOf(JSON.stringify(service({ loadBalancerSourceRanges: ['10.8.0.0/16', '10.0.0.0/16'] })));
  const { app } = appWith({ url }, lockedAsWished('team-a/db:5432'));
  expect(() => quietly(() => app.synthYaml())).toThrow(/10\.0\.0\.0\/16, 10\.8\.0\.0\/16.*engine-limit-unsupported/);
});

const OLD_RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';

interface Case {
  readonly title: string;
  readonly spec?: object;
  readonly annotations?: object;
  readonly metadata?: object;
  readonly ranges?: string[];
  readonly lost?: Readonly<Record<string, string>>;
  readonly written?: object;
}

const CASES: Readonly<Record<'ranges' | 'lost', readonly Case[]>> = casesIn(__dirname, 'tenant-manifests.yaml');

test.each(titled(CASES.ranges))('the source ranges of %s', (_, { spec = {}, annotations = {}, ranges }) => {
  expect(sourceRangesOf(service(spec, annotations))).toEqual(ranges);
});

test('a Service that stays keeps its ranges in the field, and has the class', () => {
  const kept = sharedService(service({}, { [OLD_RANGES]: '10.0.0.0/16' }), {
    annotations: {},
    keptClass: 'example.com/shared',
  });
  expect(kept.metadata).toEqual({ labels: { 'example.com/shared': 'true' }, name: 'db' });
  expect(kept.spec).toMatchObject({
    type: 'LoadBalancer',
    loadBalancerClass: 'example.com/shared',
    loadBalancerSourceRanges: ['10.0.0.0/16'],
  });
});

test.each(titled(CASES.lost))(
  'of %s is lost',
  (_, { spec = {}, annotations = {}, metadata = {}, lost = {}, ...one }) => {
    const found = droppedSettings(service(spec, annotations, metadata), 'tcp.example.com');
    expect(found.map(({ field }) => field)).toEqual(Object.keys(lost));
    for (const { field, now } of found) {
      expect(now).toMatch(new RegExp(lost[field]));
    }
    const written = sharedService(service(spec, annotations, metadata), { annotations: {} });
    expect({ ...written.metadata, ...written.spec }).toEqual(expect.objectContaining(one.written ?? {}));
    for (const { field } of found.filter(({ field: name }) => name.includes('/'))) {
      expect(JSON.stringify(written)).not.toContain(field);
    }
  },
);

describe('lost settings', () => {
  const serviceFile = (name: string, port: number, annotation: string) =>
    fileOf(
      `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}, annotations: {${annotation}}}\nspec: {type: LoadBalancer, ports: [{port: ${port}}]}\n`,
    );
  const INTERNAL = 'service.beta.kubernetes.io/aws-load-balancer-internal: "true"';
  const POOL = 'metallb.io/address-pool: public';

  /** An app with two files of one tenant, and one of another. */
  function scene() {
    const locked = lockedAsWished('team-a/one:80', 'team-a/two:81', 'team-b/three:82');
    const { app, shared } = appWith({ url: serviceFile('one', 80, POOL) }, locked);
    shared.addTenant('team-b');
    new TenantManifests(new Chart(app, 'two', { namespace: 'team-a' }), 'M', {
      url: serviceFile('two', 81, INTERNAL),
      shared,
    });
    new TenantManifests(new Chart(app, 'three', { namespace: 'team-b' }), 'M', {
      url: serviceFile('three', 82, POOL),
      shared,
    });
    return app as App;
  }

  test('are one warning for each tenant, and what opens a Service to more clients comes first', () => {
    const { told } = quietly(() => scene().synthYaml());
    const lines = told.split('\n').filter((line) => line.includes('do not apply') || line.includes('does not apply'));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /2 settings of tenant team-a do not apply as written behind the shared load balancer: Service team-a\/two .*-internal 'true' \(.*may be public\); Service team-a\/one .*address-pool 'public' \(no controller reads it\)$/,
    );
    expect(lines[1]).toMatch(/a setting of tenant team-b does not apply .*Service team-b\/three/);
  });

  test('can be acknowledged, or made to fail', () => {
    const acknowledged = scene();
    LoadBalancers.of(acknowledged).acknowledge('sharing-drops-settings', 'the tenants know');
    expect(quietly(() => acknowledged.synthYaml()).told).toBe('');
    const failing = scene();
    LoadBalancers.of(failing).failOnWarnings();
    expect(() => quietly(() => failing.synthYaml())).toThrow(
      /2 settings of tenant team-a .*\n.*a setting of tenant team-b/,
    );
  });

  test('follow patches', () => {
    const app = scene();
    const manifests = app.node.findChild('three').node.findChild('M') as TenantManifests;
    manifests.apiObjects[0].addJsonPatch(JsonPatch.remove('/metadata/annotations'));
    expect(quietly(() => app.synthYaml()).told).not.toContain('tenant team-b');
  });
});

test('the status of a Service that stays a LoadBalancer is written if its class is served', () => {
  const told = (isServed: boolean) => {
    const { app, shared } = lockedApp({ url: SHOP, keepType: true });
    if (isServed) {
      new SharedServicesAtRunTime(new Chart(app as App, 'served', { namespace: 'infra' }), 'RunTime', { shared });
    }
    return quietly(() => (app as App).synthYaml()).told;
  };
  expect(told(false)).toContain('(status-without-writer)');
  expect(told(true)).not.toContain('(status-without-writer)');
});

describe('corpus', () => {
  // Manifests as they stand in public repositories are no part of this project. Whoever has some names their folder:
  // LOAD_BALANCER_CORPUS=FOLDER npx jest test/tenancy/manifests/tenant-manifests.test.ts
  const CORPUS = process.env.LOAD_BALANCER_CORPUS;
  const SHARED = /^\s*-?\s*type: *["']?(LoadBalancer|loadbalancer)\b/m;
  const RULE = / \(([a-z0-9-]+)\)(?=\n|$)/g;
  const outcomes = new Map<string, string[]>();

  function withoutVersion({ apiObjects }: TenantManifests): void {
    const path = '/spec/kafka/version';
    for (const object of apiObjects.filter(({ kind, apiGroup }) => kind === 'Kafka' && apiGroup !== 'core')) {
      object.addJsonPatch(JsonPatch.add(path, 'any'), JsonPatch.remove(path));
    }
  }

  function outcomeOf(file: string, engine: typeof BY_PORT): string {
    const text = readFileSync(file, 'utf8');
    const strimzi = /kafka\.strimzi\.io\/v1\s*$/m.test(text) ? StrimziVersion.V1_2 : StrimziVersion.V0_45;
    const namespace = /^ +namespace: *["']?([\w-]+)/m.exec(text)?.[1] ?? 'team-a';
    try {
      const ask = {
        url: file,
        balancer: { engine },
        kafka: { strimzi },
        namespace,
        bare: true,
        tenant: namespace,
        change: withoutVersion,
      };
      const { app, chart, manifests } = lockedApp(ask);
      quietly(() => app.synthYaml());
      const services = chart.toJson().filter(({ kind }) => kind === 'Service');
      expect(services.filter(({ spec }) => spec.type === 'LoadBalancer')).toEqual([]);
      const listeners = chart.toJson().flatMap(({ kind, spec }) => (kind === 'Kafka' ? spec.kafka.listeners : []));
      expect(listeners.filter(({ type }) => type === 'loadbalancer')).toEqual([]);
      expect(manifests.endpoints.length).toBeGreaterThan(0);
      return 'adopted';
    } catch (error) {
      const { message } = error as Error;
      const rules = [...new Set([...message.matchAll(RULE)].map(([, rule]) => rule))];
      if (rules.length === 0) throw error;
      return rules.join(', ');
    }
  }

  const FOLDER = CORPUS ?? join(__dirname, '..', '..', '..', 'examples', 'tenants');
  const files = readdirSync(FOLDER).filter((file) => SHARED.test(readFileSync(join(FOLDER, file), 'utf8')));

  test.each(files)('%s', (file) => {
    for (const [name, engine] of Object.entries({ 'by port': BY_PORT, 'by name': BY_NAME })) {
      const outcome = `${name}: ${outcomeOf(join(FOLDER, file), engine)}`;
      outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), file]);
    }
  });

  afterAll(() => {
    const lines = [...outcomes]
      .sort()
      .map(([outcome, of]) => `${String(of.length).padStart(4)}  ${outcome}  ${of.join(' ')}`);
    if (CORPUS !== undefined) process.stdout.write(`${lines.join('\n')}\n`);
  });
});

const { V0_51, V1_2 } = StrimziVersion;
const kafka = { url: fixture('kafka.yaml') };

const GOLDENS: Record<string, TenantApp> = {
  'services-by-port': { url: fixture('shop.yaml') },
  'services-that-stay': { url: fixture('shop.yaml'), keepType: true },
  'services-of-a-suspended-tenant': { url: fixture('shop.yaml'), options: { suspended: true } },
  'kafka-by-port': { ...kafka, kafka: { strimzi: V1_2 } },
  'kafka-by-port-on-0.51': { ...kafka, kafka: { strimzi: V0_51 } },
  'kafka-by-name': { ...kafka, kafka: { strimzi: V1_2 }, balancer: { engine: BY_NAME } },
};

const FOLDER = join(__dirname, 'goldens');

test.each(Object.entries(GOLDENS))('%s', (name, ask) => {
  const { documents, told } = written(ask);
  const said = told.replaceAll(`${join(__dirname, 'fixtures')}/`, '').trimEnd();
  const comment = said.replace(/^/gm, '# ');
  expectGolden(FOLDER, name, `${comment}\n---\n${Yaml.stringify(...documents)}`);
});

test('no golden is left over', () => expectNoStrayGoldens(FOLDER, Object.keys(GOLDENS)));

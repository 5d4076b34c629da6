import { isDeepStrictEqual } from 'node:util';
import { ApiObject, App, Chart, JsonPatch, Testing } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-27';
import { findingsOf, type Program } from '../../scripts/docs/construct-examples';
import { ruleExamples, type TestedExample } from '../../scripts/docs/rule-examples';
import {
  AdoptedService,
  GatewayClass,
  HetznerCloud,
  LoadBalancedService,
  LoadBalancerScheme,
  NlbTargetType,
  NodePool,
  NodeTaint,
  TargetGroupBinding,
} from '../../src';
import { checkExample, describedRules } from '../../src/cli/explain/described-rules';
import { type Json, stepsOf } from '../../src/contract/json';
import { LISTENER_SET_RULE_SET } from '../../src/gateway/gateway-rules';
import { TCP_ROUTE_RULE_SET } from '../../src/gateway/route-rules';
import { appIndexOf } from '../../src/rules/app-objects';
import { ManifestIndex } from '../../src/rules/manifest-objects';
import { type ObjectIndex, titleOf } from '../../src/rules/objects';
import { checked } from '../cli/checked';
import { errorsOf, filesWritten, synth, written } from '../support/apps';
import { called, overridden } from '../support/other-languages';

const V1 = 'gateway.networking.k8s.io/v1';

function service(name: string, namespace?: string) {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace } };
}

const OBJECTS = {
  'one/a': [service('web', 'x'), service('db', 'x')],
  'one/b': [service('db', 'y')],
  'two/a': [service('web', 'x')],
};

function ofApp(): ObjectIndex {
  const app = new App();
  const folders = new Map<string, Chart>();
  for (const [path, objects] of Object.entries(OBJECTS)) {
    const [folder, file] = path.split('/');
    const outer = folders.get(folder) ?? new Chart(app, folder);
    folders.set(folder, outer);
    const chart = new Chart(outer, file);
    objects.forEach((object, i) => {
      new ApiObject(chart, `o${i}`, object);
    });
  }
  return appIndexOf(app);
}

function ofFiles(): ObjectIndex {
  return new ManifestIndex(
    Object.entries(OBJECTS).flatMap(([file, objects]) => objects.map((object, line) => ({ file, line, object }))),
  );
}

describe.each([
  ['an app', ofApp],
  ['files', ofFiles],
])('the index of %s', (_, indexed) => {
  const index = indexed();
  const [web] = index.of('', 'Service');
  const [db] = index.named('', 'Service', { namespace: 'x', name: 'db' });

  test('has the objects of a kind in their order', () => {
    expect(index.of('', 'Service').map(({ name, namespace }) => `${namespace}/${name}`)).toEqual([
      'x/web',
      'x/db',
      'y/db',
      'x/web',
    ]);
    expect(index.of('apps', 'Service')).toEqual([]);
  });

  test('has namesakes', () => {
    expect(index.named('', 'Service', { namespace: 'x', name: 'web' })).toHaveLength(2);
    expect(index.named('', 'Service', { name: 'web' })).toEqual([]);
  });

  test('finds of several namesakes the nearest one, and none where two are equally near', () => {
    expect(index.nearest(db, '', 'Service', { namespace: 'x', name: 'web' })).toBe(web);
    const elsewhere = { ...db, scopes: [] };
    expect(index.nearest(elsewhere, '', 'Service', { namespace: 'x', name: 'web' })).toBeUndefined();
  });

  test('finds what is applied together, or else all', () => {
    expect(index.beside(db, '', 'Service', { namespace: 'x', name: 'web' })).toEqual([web]);
    const other = index.of('', 'Service')[2];
    expect(index.beside(other, '', 'Service', { namespace: 'x', name: 'web' })).toHaveLength(2);
  });

  test('computes once', () => {
    const compute = jest.fn(() => 1);
    expect([index.once(compute, compute), index.once(compute, compute)]).toEqual([1, 1]);
    expect(compute).toHaveBeenCalledTimes(1);
  });
});

test('an object without a namespace may be the one of namespace default', () => {
  const files = { 'far/a': service('web', 'default'), 'near/a': service('web'), 'near/b': service('db', 'default') };
  const index = new ManifestIndex(Object.entries(files).map(([file, object]) => ({ file, line: 1, object })));
  const [far, near, db] = index.all;
  const meant = (to: typeof db, namespace?: string) => index.nearest(to, '', 'Service', { namespace, name: 'web' });
  expect([meant(db, 'default'), meant(db), meant(far, 'default'), meant(near)]).toEqual([undefined, near, far, near]);
});

test('rules between objects are asked of files as of an app', () => {
  const parentRef = { name: 'edge', namespace: 'infra' };
  const listeners = [{ name: 'db', port: 5432, protocol: 'TCP' }];
  const gateway = (name: string) => ({ apiVersion: V1, kind: 'Gateway', metadata: { name, namespace: 'infra' } });
  const set = (namespace: string) => ({
    apiVersion: V1,
    kind: 'ListenerSet',
    metadata: { name: 'ports', namespace },
    spec: { parentRef, listeners },
  });
  const route = {
    apiVersion: 'gateway.networking.k8s.io/v1alpha2',
    kind: 'TCPRoute',
    metadata: { name: 'db', namespace: 'a' },
    spec: {
      parentRefs: [{ kind: 'ListenerSet', name: 'ports', sectionName: 'web' }],
      rules: [{ backendRefs: [{ name: 'db', port: 5432 }] }],
    },
  };
  const objects = [{ ...gateway('edge'), spec: { gatewayClassName: 'acme', listeners } }, set('a'), set('b'), route];
  const index = new ManifestIndex(objects.map((object, i) => ({ file: 'all.yaml', line: i + 1, object })));
  const [, , later, tcp] = index.all;
  const { errors } = LISTENER_SET_RULE_SET.check(later.json, { among: later });
  expect(errors.map(({ ruleId, what }) => `${ruleId}: ${what}`)).toEqual([
    expect.stringMatching(/^gateway-port-conflict: .*listener 'db' of Gateway infra\/edge \(all.yaml:1\)/),
    expect.stringMatching(/^listener-set-not-admitted: Gateway infra\/edge \(all.yaml:1\) admits no ListenerSets/),
  ]);
  expect(LISTENER_SET_RULE_SET.check(later.json, {}).unknown.map(({ ruleId }) => ruleId)).toEqual([
    'gateway-port-conflict',
    'listener-set-not-admitted',
    'gateway-reference-not-granted',
    'gateway-reference-unknown',
  ]);
  const routed = TCP_ROUTE_RULE_SET.check(tcp.json, { among: tcp }).errors;
  expect(routed.map(({ what }) => what)).toEqual(["ListenerSet a/ports (all.yaml:2) has no listener 'web', only db"]);
});

test('a check calls an object by the name that is written', () => {
  const named = 'apiVersion: v1\nkind: Service\nmetadata: {name: {a: b}, namespace: [x]}\nspec: {type: LoadBalancer}\n';
  const { findings, unknown } = checked(named);
  const objects = [...findings, ...unknown].map(({ object }) => `${object.namespace}/${object.name}`);
  expect(new Set(objects)).toEqual(new Set(['["x"]/{"a":"b"}']));
});

test('a name that is no text is shown as it is written, and none in words', () => {
  expect(titleOf({ namespace: 'shop', name: { a: 'b' } })).toBe('shop/{"a":"b"}');
  expect(titleOf({ namespace: ['x'], name: 'echo' })).toBe('["x"]/echo');
  expect(titleOf({ name: undefined })).toBe('(without a name)');
});

// EXAMPLES=gke,services tests the examples of these files alone.

const SECTIONS = process.env.EXAMPLES?.split(',');
const EXAMPLES = ruleExamples().filter(({ section }) => SECTIONS?.includes(section) ?? true);

/** Field paths as the files have them: `spec.ports[0].port`, `metadata.annotations['a/b']`. */
const fieldAt = (pointer = '') =>
  stepsOf(pointer)
    .map((step) => (/^\d+$/.test(String(step)) ? `[${step}]` : /^\w+$/.test(String(step)) ? `.${step}` : `['${step}']`))
    .join('')
    .replace(/^\./, '') || 'object';

function differences(one: unknown, other: unknown, at = ''): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return [at];
  return Object.keys({ ...one, ...other }).flatMap((key) =>
    differences(one[key as never], other[key as never], `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

function isChanged({ objects }: TestedExample, name: string, pointer: string): boolean {
  const { bad = [], good = [] } = objects ?? {};
  const i = bad.length === 1 ? 0 : bad.findIndex(({ metadata }) => (metadata as { name?: unknown })?.name === name);
  const changed = differences(bad[i], good[i]);
  return changed.some((at) => `${at}/`.startsWith(`${pointer}/`) || `${pointer}/`.startsWith(`${at}/`));
}

test.each(EXAMPLES.map((one) => [`${one.section}: ${one.rule}`, one] as const))('%s', (_, example) => {
  const { rule, bad, good, context, at, also, programs } = example;
  if (programs) {
    const others = (of: Program) => findingsOf(of).filter((one) => !also.includes(one.rule));
    expect([...new Set(others(programs.bad).map((one) => one.rule))]).toEqual([rule]);
    expect(others(programs.good)).toEqual([]);
    return;
  }
  const found = checkExample(bad, context);
  expect(found.unreadable).toEqual([]);
  const findings = found.findings.filter(({ level, ruleId }) => level !== 'note' || ruleId === rule);
  expect([...new Set(findings.map(({ ruleId }) => ruleId))].sort()).toEqual([rule, ...also].sort());
  const places = findings.flatMap(({ ruleId, object, pointer = '' }) =>
    ruleId !== rule || (!at && pointer && isChanged(example, object.name, pointer)) ? [] : [fieldAt(pointer)],
  );
  expect(places).toEqual(at ? places.map(() => at) : []);
  const mended = checkExample(good, context);
  expect(mended.unreadable).toEqual([]);
  const left = mended.findings
    .filter(({ accepted }) => !accepted)
    .filter(
      ({ level, ruleId }) => level === 'error' || ruleId === rule || (level === 'warning' && !also.includes(ruleId)),
    );
  expect(left.map(({ ruleId, what }) => `${ruleId}: ${what}`)).toEqual([]);
});

test('every rule has an example', () => {
  const known = describedRules().map(({ id }) => id);
  const shown = ruleExamples().map(({ rule }) => rule);
  expect(known.filter((id) => !shown.includes(id))).toEqual([]);
  expect(shown.filter((id) => !known.includes(id))).toEqual([]);
});

const controller = HetznerCloud.loadBalancer();
const PORTS = { selector: { app: 'echo' }, ports: [{ port: 443 }] };
const MANIFEST = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'echo' } };

const withBadPort = (json: Json) => ({ ...json, spec: { ...json.spec, ports: [{ port: 99999 }] } });

function withNote(json: Json): Json {
  const notes = json.metadata.annotations?.notes ?? '';
  return { ...json, metadata: { ...json.metadata, annotations: { ...json.metadata.annotations, notes: `${notes}!` } } };
}

class LoudService extends LoadBalancedService {
  public override toJson(): Json {
    const json = super.toJson() as Json;
    json.spec.ports.push({ name: 'more', port: 444 });
    json.spec.ports[0].name = 'https';
    return json;
  }
}

class BadService extends LoadBalancedService {
  public override toJson(): Json {
    return withBadPort(super.toJson());
  }
}

function newService(chart: Chart, Type = LoadBalancedService): LoadBalancedService {
  return new Type(chart, 'Service', { controller, ...PORTS });
}

function adopted(chart: Chart, service: ApiObject): AdoptedService {
  return new AdoptedService(chart, 'Adopted', { controller, scheme: LoadBalancerScheme.INTERNAL, service });
}

const manifest = (chart: Chart): ApiObject => new ApiObject(chart, 'Manifest', { ...MANIFEST, spec: PORTS });

const newChart = () => new Chart(new App(), 'chart');

describe.each<[string, (chart: Chart, change: (json: Json) => Json) => unknown]>([
  ['a Service', (chart, change) => overridden(newService(chart), 'toJson', change)],
  ['an adopted Service', (chart, change) => adopted(chart, overridden(manifest(chart), 'toJson', change))],
  [
    'a Service that is overridden once it is adopted',
    (chart, change) => {
      const service = manifest(chart);
      adopted(chart, service);
      overridden(service, 'toJson', change);
    },
  ],
])('toJson of %s is overridden in another language', (_, make) => {
  test('what comes of it is written, once', () => {
    const chart = newChart();
    make(chart, withNote);
    for (let i = 0; i < 2; i++) {
      expect(written(chart, 'Service').metadata.annotations.notes).toBe('!');
    }
  });

  test('what comes of it is checked', () => {
    const chart = newChart();
    make(chart, withBadPort);
    expect(errorsOf(chart)).toEqual([expect.stringContaining('99999 is not a valid port')]);
  });
});

test('toJson of a Service is overridden in a subclass', () => {
  const chart = newChart();
  newService(chart, LoudService);
  for (let i = 0; i < 2; i++) {
    expect(written(chart, 'Service').spec.ports.map(({ name }: Json) => name)).toEqual(['https', 'more']);
  }
  const bad = newChart();
  newService(bad, BadService);
  expect(errorsOf(bad)).toEqual([expect.stringContaining('99999 is not a valid port')]);
});

test('toJson of an object of the Gateway API is overridden, and it stays without a namespace', () => {
  const chart = new Chart(new App(), 'chart', { namespace: 'edge' });
  overridden(new GatewayClass(chart, 'Class', { controllerName: 'example.com/edge' }), 'toJson', withNote);
  expect(synth(chart)[0].metadata).toEqual({ name: expect.any(String), annotations: { notes: '!' } });
});

describe('a workload is pinned', () => {
  const POOL = NodePool.labeled({ pool: 'edge' }, { name: 'edge', taints: [NodeTaint.noSchedule('edge')] });

  /** A workload of a chart, and the object that is written. */
  function workloads(): { chart: Chart; deployment: ApiObject }[] {
    const [plain, plus] = [newChart(), newChart()];
    const template = { metadata: { labels: PORTS.selector }, spec: { containers: [{ name: 'echo', image: 'echo' }] } };
    const spec = { selector: { matchLabels: PORTS.selector }, template };
    const object = new ApiObject(plain, 'Echo', { apiVersion: 'apps/v1', kind: 'Deployment', spec });
    const made = new Deployment(plus, 'Echo', { containers: [{ image: 'echo' }] });
    return [
      { chart: plain, deployment: object },
      { chart: plus, deployment: ApiObject.of(made) },
    ];
  }

  const termsOf = ({ spec }: Json) =>
    spec.template.spec.affinity?.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;
  const PINNED = [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['edge'] }] }];

  test.each([0, 1])('and says so in other languages as well (%#)', (which) => {
    const { deployment, chart } = workloads()[which];
    POOL.pin(deployment);
    expect(termsOf(called(deployment, 'toJson'))).toEqual(PINNED);
    expect(called(deployment, 'toJson')).toEqual(written(chart, 'Deployment'));
  });

  test.each([0, 1])('and its toJson is overridden, before or after (%#)', (which) => {
    for (const isFirst of [true, false]) {
      const { deployment, chart } = workloads()[which];
      if (isFirst) overridden(deployment, 'toJson', withNote);
      POOL.pin(deployment);
      if (!isFirst) overridden(deployment, 'toJson', withNote);
      const json = written(chart, 'Deployment');
      expect(termsOf(json)).toEqual(PINNED);
      expect(json.metadata.annotations.notes).toBe('!');
    }
  });

  test.each(['affinity', 'tolerations'])('and its toJson is overridden so that its %s is lost', (field) => {
    const [{ deployment, chart }] = workloads();
    POOL.pin(deployment);
    overridden(deployment, 'toJson', ({ spec, ...json }) => {
      const { [field]: _, ...pod } = spec.template.spec;
      return { ...json, spec: { ...spec, template: { ...spec.template, spec: pod } } };
    });
    expect(errorsOf(chart)).toEqual([
      expect.stringMatching(/^\[chart\/Echo\] kubernetes: .*\(pinned-affinity-dropped\)$/),
    ]);
  });

  test('and somebody else decorated it', () => {
    const [{ deployment, chart }] = workloads();
    const before = deployment.toJson.bind(deployment);
    deployment.toJson = () => withNote(before());
    POOL.pin(deployment);
    expect(termsOf(written(chart, 'Deployment'))).toEqual(PINNED);
    expect(written(chart, 'Deployment').metadata.annotations.notes).toBe('!');
  });
});

describe('an App is synthesized', () => {
  const TOKEN = ['$', '{Token[Group.12]}'].join('');

  class QuietApp extends App {
    public override synth(): void {
      super.synth();
    }
  }

  class OwnApp extends App {
    public override synth(): void {
      for (const chart of this.charts) {
        chart.toJson();
      }
    }
  }

  class OwnYamlApp extends App {
    public override synthYaml(): string {
      return `# made by hand\n${super.synthYaml()}`;
    }
  }

  function bound(app: App): App {
    new TargetGroupBinding(new Chart(app, 'edge'), 'Binding', {
      targetGroupArn: TOKEN,
      targetType: NlbTargetType.IP,
      serviceName: 'echo',
      servicePort: 443,
    });
    return app;
  }

  test.each<[string, (outdir: string) => unknown]>([
    ['by itself', (outdir) => bound(new App({ outdir })).synth()],
    ['as text', (outdir) => bound(new App({ outdir })).synthYaml()],
    ['from another language', (outdir) => called(bound(new App({ outdir })), 'synth')],
    ['as text from another language', (outdir) => called(bound(new App({ outdir })), 'synthYaml')],
    ['by a subclass', (outdir) => bound(new QuietApp({ outdir })).synth()],
    ['by a subclass that writes the charts itself', (outdir) => bound(new OwnApp({ outdir })).synth()],
    ['as text by a subclass', (outdir) => bound(new OwnYamlApp({ outdir })).synthYaml()],
    [
      'by a subclass in another language',
      (outdir) => bound(overridden(new App({ outdir }), 'synth', () => undefined)).synth(),
    ],
    [
      'by an app that becomes one of another language later',
      (outdir) => overridden(bound(new App({ outdir })), 'synth', () => undefined).synth(),
    ],
  ])('%s, and no token is written', (_, write) => {
    const files = filesWritten((outdir) => {
      expect(() => write(outdir)).toThrow(
        /\[edge\/Binding\] cdk8s: .* holds \$\{Token\[Group\.12\]\}.*\(token-unresolved\)/,
      );
    });
    expect(files).toEqual({});
  });

  test('tokens are of the tool that takes the chart', () => {
    const app = bound(new App());
    expect(Testing.synth(app.charts[0])[0].spec.targetGroupARN).toBe(TOKEN);
  });

  test.each<[string, unknown]>([
    ['a list of a stack', ['#{Token[Subnets.3]}']],
    ['a number of a stack', -1.8881545897087503e289],
    ['a key of a stack', { [TOKEN]: 'x' }],
  ])('%s is no text for a file either', (_, value) => {
    const app = new App();
    const object = new GatewayClass(new Chart(app, 'edge'), 'Class', { controllerName: 'example.com/edge' });
    object.addJsonPatch(JsonPatch.add('/spec/parametersRef', { group: 'example.com', kind: 'Edge', name: value }));
    expect(() => app.synthYaml()).toThrow('(token-unresolved)');
  });
});

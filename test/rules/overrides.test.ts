import { ApiObject, App, Chart, JsonPatch, Testing } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-27';
import {
  AdoptedService,
  GatewayClass,
  HetznerCloud,
  LoadBalancedService,
  LoadBalancerScheme,
  NodePool,
  NodeTaint,
  TargetGroupBinding,
  TargetGroupTargetType,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf, filesWritten, synth, written } from '../support/apps';
import { called, overridden } from '../support/other-languages';

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

function manifest(chart: Chart): ApiObject {
  return new ApiObject(chart, 'Manifest', { ...MANIFEST, spec: PORTS });
}

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

  test('what comes of it is judged', () => {
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
    expect(errorsOf(chart)).toEqual([expect.stringMatching(/^\[chart\/Echo\] kubernetes: .*\(pin-overridden\)$/)]);
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
      targetType: TargetGroupTargetType.IP,
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
        /\[edge\/Binding\] cdk8s: .* holds \$\{Token\[Group\.12\]\}.*\(unresolved-token\)/,
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
    expect(() => app.synthYaml()).toThrow('(unresolved-token)');
  });
});

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, JsonPatch, Lazy, Names, Testing, YamlOutputType } from 'cdk8s';
import * as fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import { AdoptedService, HetznerCloud, LoadBalancedService, LoadBalancerScheme, LoadBalancers } from '../../src';
import { perPass } from '../../src/rules/app-objects';
import { SynthWatch } from '../../src/rules/synth-watch';
import { filesWritten } from '../support/apps';
import { tries } from '../support/random';

const port = { controller: HetznerCloud.loadBalancer(), selector: { app: 'echo' }, ports: [{ port: 443 }] };

function counted(chart: Chart): { service: LoadBalancedService; renderings: () => number } {
  let renderings = 0;
  const service = new LoadBalancedService(chart, 'Echo', {
    ...port,
    selector: Lazy.any({
      produce: () => {
        renderings++;
        return { app: 'echo' };
      },
    }) as never,
  });
  return { service, renderings: () => renderings };
}

const typeOf = (chart: Chart) => Testing.synth(chart)[0].metadata.labels?.tier;
const tier = (value: string) => JsonPatch.add('/metadata/labels', { tier: value });

test('an object is rendered once in a synth, however many charts there are', () => {
  filesWritten((outdir) => {
    const app = new App({ outdir });
    const objects = ['a', 'b', 'c', 'd'].map((id) => counted(new Chart(app, id)));
    app.synth();
    expect(objects.map(({ renderings }) => renderings())).toEqual([1, 1, 1, 1]);
  });
});

test('a second synth writes what the object has become, not what it was', () => {
  filesWritten((outdir) => {
    const app = new App({ outdir });
    const chart = new Chart(app, 'a');
    const { service } = counted(chart);
    app.synth();
    service.metadata.addLabel('tier', 'two');
    expect(app.synthYaml()).toContain('tier: two');
  });
});

test('one chart can be rendered again and again, with changes in between', () => {
  const app = new App();
  const [first, second] = ['a', 'b'].map((id) => new Chart(app, id));
  const { service } = counted(first);
  counted(second);
  expect(typeOf(first)).toBeUndefined();
  service.addJsonPatch(tier('two'));
  expect(typeOf(first)).toBe('two');
  service.addJsonPatch(tier('three'));
  expect(typeOf(first)).toBe('three');
});

test('the app is written as it is, although one of its charts was rendered alone before', () => {
  const app = new App();
  const [first, second] = ['a', 'b'].map((id) => new Chart(app, id));
  counted(first);
  const { service } = counted(second);
  Testing.synth(first);
  service.metadata.addLabel('tier', 'two');
  expect(app.synthYaml()).toContain('tier: two');
});

test('an error that a later change brings stops the app before anything is written', () => {
  const files = filesWritten((outdir) => {
    const app = new App({ outdir });
    const [first, second] = ['a', 'b'].map((id) => new Chart(app, id));
    counted(first);
    const { service } = counted(second);
    Testing.synth(first);
    service.addJsonPatch(JsonPatch.replace('/spec/ports/0/port', 99999));
    expect(() => app.synth()).toThrow('99999 is not a valid port');
  });
  expect(files).toEqual({});
});

test('warnings are listed from one rendering of each object', () => {
  const app = new App();
  const objects = ['a', 'b', 'c', 'd'].map((id) => counted(new Chart(app, id)));
  expect(LoadBalancers.of(app).warnings).toEqual([]);
  expect(objects.map(({ renderings }) => renderings())).toEqual([1, 1, 1, 1]);
});

test('what is looked for in a pass is looked for once in it, and again in the next', () => {
  const app = new App();
  const watch = SynthWatch.of(app);
  const look = perPass(() => ({}));
  watch.inPass(() => expect(look(app)).toBe(look(app)));
  expect(watch.inPass(() => look(app))).not.toBe(watch.inPass(() => look(app)));
});

test('charts without balancers before the first with one cost no rendering each', () => {
  filesWritten((outdir) => {
    const app = new App({ outdir });
    for (let i = 0; i < 40; i++) {
      new ApiObject(new Chart(app, `empty${i}`), 'Map', { apiVersion: 'v1', kind: 'ConfigMap' });
    }
    const { renderings } = counted(new Chart(app, 'last'));
    app.synth();
    expect(renderings()).toBeLessThan(8);
  });
});

test('a synth that failed leaves nothing behind for the next', () => {
  const chart = new Chart(new App(), 'a');
  const service = new LoadBalancedService(chart, 'Echo', { ...port, ports: [{ port: 70000 }] });
  expect(() => Testing.synth(chart)).toThrow('70000 is not a valid port');
  service.addJsonPatch(JsonPatch.replace('/spec/ports/0/port', 7000));
  expect(Testing.synth(chart)[0].spec.ports[0].port).toBe(7000);
});

test('a synth that failed for another construct leaves nothing behind either', () => {
  const app = new App();
  const chart = new Chart(app, 'a');
  const { service } = counted(chart);
  const errors = ['not yet'];
  chart.node.addValidation({ validate: () => errors });
  expect(() => app.synthYaml()).toThrow('not yet');
  errors.pop();
  service.metadata.addLabel('tier', 'two');
  expect(app.synthYaml()).toContain('tier: two');
});

test('an object that is broken after its chart was rendered cannot be written', () => {
  const app = new App();
  const [first, second] = ['a', 'b'].map((id) => new Chart(app, id));
  const { service } = counted(first);
  counted(second);
  Testing.synth(first);
  service.addJsonPatch(JsonPatch.add('/spec/loadBalancerClass', 'service.k8s.aws/nlb'));
  expect(() => Testing.synth(first)).toThrow('owner-does-not-claim-service');
});

test('an object can be asked for its JSON outside of a synth', () => {
  const { service } = counted(new Chart(new App(), 'a'));
  const asked: ApiObject = service;
  expect(asked.toJson().spec.type).toBe('LoadBalancer');
});

describe('cdk8s validates the app before each chart; with a balancer in it', () => {
  const appOf = (outdir: string) => {
    const app = new App({ outdir });
    const charts = ['a', 'b', 'c', 'd'].map((id) => new Chart(app, id));
    for (const chart of charts) {
      counted(chart);
    }
    let asked = 0;
    charts[3].node.addValidation({ validate: () => [asked++].filter(() => false).map(String) });
    return { app, charts, asked: () => asked };
  };

  test('it is validated at first and before the first chart', () => {
    filesWritten((outdir) => {
      const { app, asked } = appOf(outdir);
      app.synth();
      expect(asked()).toBe(2);
    });
  });

  test('a chart to which a lazy value adds an object is validated, and written with it', () => {
    const files = filesWritten((outdir) => {
      const { app, charts, asked } = appOf(outdir);
      const produce = () => {
        new ApiObject(charts[2], 'Late', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late' } });
        return 'now';
      };
      new ApiObject(charts[1], 'Lazy', { apiVersion: 'v1', kind: 'ConfigMap', data: { made: Lazy.any({ produce }) } });
      app.synth();
      expect(asked()).toBe(3);
    });
    expect(files['c.k8s.yaml']).toContain('name: late');
  });

  test('a Service that a lazy value adds to a later chart is checked like the others', () => {
    filesWritten((outdir) => {
      const { app, charts } = appOf(outdir);
      const produce = () => {
        new LoadBalancedService(charts[2], 'Late', { ...port, name: 'Not_A_Name' });
        return 'now';
      };
      new ApiObject(charts[1], 'Lazy', { apiVersion: 'v1', kind: 'ConfigMap', data: { made: Lazy.any({ produce }) } });
      expect(() => app.synth()).toThrow('service-name-invalid');
    });
  });

  test('a chart alone is validated each time', () => {
    const { charts, asked } = appOf('unused');
    charts[0].toJson();
    charts[0].toJson();
    expect(asked()).toBe(2);
  });
});

// cdk8s names files by kind and name alone (cdk8s-team/cdk8s-core, src/app.ts), so two objects may share one.

const { FILE_PER_APP, FILE_PER_CHART, FILE_PER_RESOURCE, FOLDER_PER_CHART_FILE_PER_RESOURCE } = YamlOutputType;
const PORTS = { selector: { app: 'echo' }, ports: [{ port: 443 }] };
const controller = HetznerCloud.loadBalancer();

const TYPES: readonly (readonly [string, YamlOutputType])[] = [
  ['a file for the app', FILE_PER_APP],
  ['a file for each chart', FILE_PER_CHART],
  ['a file for each object', FILE_PER_RESOURCE],
  ['a folder for each chart', FOLDER_PER_CHART_FILE_PER_RESOURCE],
];

interface Written {
  /** The objects in each file, or in the text. */
  readonly files: readonly { readonly kind: string; readonly metadata: { name: string; namespace?: string } }[][];
  readonly error?: string;
}

function written(yamlOutputType: YamlOutputType, make: (app: App) => void, isText = false): Written {
  const outdir = mkdtempSync(join(tmpdir(), 'output-'));
  const app = new App({ outdir, yamlOutputType });
  const read = (text: string) => parseAllDocuments(text).map((document) => document.toJS());
  const inFolder = () =>
    existsSync(outdir)
      ? readdirSync(outdir, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => read(readFileSync(join(entry.parentPath, entry.name), 'utf8')))
      : [];
  try {
    make(app);
    if (isText) return { files: [read(app.synthYaml())] };
    app.synth();
    return { files: inFolder() };
  } catch (error) {
    return { files: inFolder(), error: (error as Error).message };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

interface Place {
  readonly chart: string;
  readonly name: string;
  readonly namespace?: string;
}

const chartOf = (app: App, id: string): Chart => (app.node.tryFindChild(id) as Chart | undefined) ?? new Chart(app, id);

let made = 0;

function service(app: App, { chart, name, namespace }: Place): LoadBalancedService {
  return new LoadBalancedService(chartOf(app, chart), `Service${++made}`, { controller, name, namespace, ...PORTS });
}

function plain(app: App, { chart, name, namespace }: Place, kind = 'Service'): ApiObject {
  const metadata = { name, namespace };
  return new ApiObject(chartOf(app, chart), `Plain${++made}`, { apiVersion: 'v1', kind, metadata });
}

const A: Place = { chart: 'a', name: 'web', namespace: 'a' };
const B: Place = { chart: 'a', name: 'web', namespace: 'b' };
const C: Place = { chart: 'c', name: 'web', namespace: 'c' };
const SAME: Place = { chart: 'c', name: 'web', namespace: 'a' };

describe.each<[string, (app: App) => void, Partial<Record<YamlOutputType, string>>]>([
  [
    'two Services of one name in two namespaces of a chart',
    (app) => [A, B].map((place) => service(app, place)),
    {
      [FILE_PER_RESOURCE]: 'Service b/web is written to Service.web.k8s.yaml, and so is that of a/Service',
      [FOLDER_PER_CHART_FILE_PER_RESOURCE]: 'Service b/web is written to a/Service.web.k8s.yaml, and so is that of a/',
    },
  ],
  [
    'two Services of one name in two namespaces and charts',
    (app) => [A, C].map((place) => service(app, place)),
    {
      [FILE_PER_RESOURCE]:
        'give one of the two another name, or use YamlOutputType.FILE_PER_CHART (output-file-duplicate)',
    },
  ],
  [
    'one Service in two charts',
    (app) => [A, SAME].map((place) => service(app, place)),
    {
      [FILE_PER_APP]: 'or write a file for each chart (YamlOutputType.FILE_PER_CHART) (object-duplicate)',
      [FILE_PER_RESOURCE]: '(output-file-duplicate)',
    },
  ],
  [
    'a Service and one of somebody else, which comes later',
    (app) => [service(app, A), plain(app, B)],
    { [FILE_PER_RESOURCE]: '(output-file-duplicate)', [FOLDER_PER_CHART_FILE_PER_RESOURCE]: '(output-file-duplicate)' },
  ],
  [
    'a Service and one of somebody else, which comes first',
    (app) => [plain(app, A), service(app, B)],
    { [FILE_PER_RESOURCE]: '(output-file-duplicate)', [FOLDER_PER_CHART_FILE_PER_RESOURCE]: '(output-file-duplicate)' },
  ],
  [
    'a Service and one of somebody else with its name and namespace',
    (app) => [plain(app, A), service(app, A)],
    Object.fromEntries(TYPES.map(([, type]) => [type, '(object-duplicate)'])),
  ],
  [
    'an adopted Service and another',
    (app) => [
      new AdoptedService(chartOf(app, 'a'), 'Adopted', {
        controller,
        scheme: LoadBalancerScheme.INTERNAL,
        service: new ApiObject(chartOf(app, 'c'), 'Manifest', {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'web', namespace: 'c' },
          spec: PORTS,
        }),
      }),
      service(app, A),
    ],
    { [FILE_PER_RESOURCE]: '(output-file-duplicate)' },
  ],
  [
    'a Service that a patch gives the name of another',
    (app) => [
      service(app, A),
      service(app, { ...C, name: 'x' }).addJsonPatch(JsonPatch.replace('/metadata/name', 'web')),
    ],
    { [FILE_PER_RESOURCE]: '(output-file-duplicate)' },
  ],
  [
    'names that differ in what cdk8s leaves out of names of files',
    (app) => [service(app, A), plain(app, { ...B, name: 'w:eb' })],
    { [FILE_PER_RESOURCE]: '(output-file-duplicate)', [FOLDER_PER_CHART_FILE_PER_RESOURCE]: '(output-file-duplicate)' },
  ],
  [
    'two charts that cdk8s gives one name',
    (app) => {
      service(app, { ...A, chart: 'A' });
      service(app, { chart: Names.toDnsLabel(app.node.findChild('A')), name: 'other' });
    },
    {
      [FILE_PER_CHART]:
        'so is chart A: one overwrites the other; give one of the two another ID (output-file-duplicate)',
    },
  ],
  ['two objects of somebody else', (app) => [plain(app, A), plain(app, B), service(app, { ...C, name: 'x' })], {}],
  ['objects of two kinds', (app) => [plain(app, A, 'ConfigMap'), service(app, B)], {}],
  [
    'Services of other names',
    (app) => [service(app, A), service(app, { ...B, name: 'x' }), service(app, { ...C, name: 'y' })],
    {},
  ],
])('%s', (_, make, errors) => {
  test.each(TYPES)('%s', (_, type) => {
    const { files, error } = written(type, make);
    expect(error ?? '').toContain(errors[type] ?? '');
    expect(error === undefined).toBe(errors[type] === undefined);
    expect(files.length === 0).toBe(error !== undefined);
    // as one text it fails as well: its files would
    expect(written(type, make, true).error === undefined).toBe(error === undefined);
  });
});

test('a chart that is taken by itself is no file', () => {
  const app = new App({ yamlOutputType: FILE_PER_RESOURCE });
  service(app, A);
  service(app, B);
  expect(Testing.synth(chartOf(app, 'a'))).toHaveLength(2);
});

const place = fc.record({
  chart: fc.constantFrom('a', 'b', 'C'),
  name: fc.constantFrom('web', 'db', 'x'),
  namespace: fc.constantFrom('a', 'b'),
});

test.each(TYPES)('what is counted is what lies in the output folder, or nothing does, with %s', (_, type) => {
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 4 }), (places) => {
      let count = 0;
      const { files, error } = written(type, (app) => {
        for (const each of places) {
          service(app, each);
        }
        count = LoadBalancers.of(app).count;
      });
      // within one file, the second of a name overwrites the first where it is applied
      const identities = files.map(
        (objects) => new Set(objects.map(({ kind, metadata: { name, namespace } }) => `${kind} ${namespace}/${name}`)),
      );
      expect(identities.reduce((sum, { size }) => sum + size, 0)).toBe(error === undefined ? count : 0);
    }),
    { numRuns: tries(60), seed: 13 },
  );
});

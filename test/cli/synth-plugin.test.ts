/** @jest-environment node */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as library from '../../src';
import type { Violation } from '../../src/cli/check-report';
import { LoadBalancerValidation } from '../../src/cli/synth-plugin';
import { casesIn } from '../support/yaml-cases';

const SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-schem';

function service(
  name: string,
  { namespace = 'edge', loadBalancerClass = 'service.k8s.aws/nlb', annotations = '' } = {},
) {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: ${namespace}
  annotations: {${annotations}}
spec:
  type: LoadBalancer
  loadBalancerClass: ${loadBalancerClass}
  selector: { app: ${name} }
  ports: [{ port: 80 }]
`;
}

const WRONG = { loadBalancerClass: 'a/b/c' };
const WARNED = { annotations: `${SCHEME}: internal` };
const DEPLOYMENT = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: echo, namespace: edge }\n';

class Report {
  public readonly violations: Violation[] = [];
  public answer?: { readonly status: string; readonly metadata: Readonly<Record<string, string>> };

  public addViolation(violation: Violation): void {
    this.refuseAfterAnswer();
    this.violations.push(violation);
  }

  public submit(status: string, metadata: Readonly<Record<string, string>>): void {
    this.refuseAfterAnswer();
    this.answer = { status, metadata };
  }

  public get rules(): string[] {
    return this.violations.map(({ ruleName }) => ruleName);
  }

  public get resources() {
    return this.violations.flatMap(({ violatingResources }) => violatingResources);
  }

  private refuseAfterAnswer(): void {
    if (this.answer) throw new Error('the report is submitted');
  }
}

let folder: string;
const home = process.cwd();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
  jest.restoreAllMocks();
});

function write(file: string, ...documents: string[]): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, documents.join('---\n'));
  return file;
}

interface Given {
  readonly properties?: unknown;
  readonly metadata?: Record<string, { path: string }>;
  readonly stdout?: boolean;
}

async function validated(manifests: readonly string[], { properties, ...context }: Given = {}): Promise<Report> {
  const report = new Report();
  await new LoadBalancerValidation(properties).validate({ manifests, ...context, report });
  return report;
}

test('the class is reachable by its name, as cdk8s looks for it', () => {
  expect((library as unknown as Record<string, unknown>).LoadBalancerValidation).toBe(LoadBalancerValidation);
});

test('manifests without a mistake succeed', async () => {
  const report = await validated([write('dist/a.k8s.yaml', service('echo'))]);
  expect(report).toMatchObject({ violations: [], answer: { status: 'success' } });
  expect(report.answer?.metadata.Found).toMatch(/^0 errors, 0 warnings in 1 object/);
});

test('an error fails, with its place, its remedy and its rule', async () => {
  const file = write('dist/a.k8s.yaml', DEPLOYMENT, service('public', WRONG));
  const report = await validated([file], { metadata: { public: { path: 'app/Public' } } });
  expect(report.answer?.status).toBe('failure');
  expect(report.answer?.metadata.Found).toMatch(/^1 error, 0 warnings in 2 objects/);
  expect(report.violations).toEqual(
    casesIn(__dirname, 'synth-plugin.yaml')['an error fails with its place its remedy and its rule'],
  );
});

test('a warning is printed and succeeds, unless warnings are to fail', async () => {
  const file = write('dist/a.k8s.yaml', service('echo', WARNED));
  const report = await validated([file]);
  expect(report.answer?.status).toBe('success');
  expect(report.answer?.metadata.Found).toMatch(/^0 errors, 1 warning in 1 object/);
  expect(report.violations).toMatchObject([
    { ruleName: 'annotation-unknown', recommendation: expect.stringMatching(/^warning: /) },
  ]);
  expect((await validated([file], { properties: { failOn: 'warning' } })).answer?.status).toBe('failure');
});

test('errors come before warnings, and what is the same of many objects is one violation', async () => {
  const first = write('dist/a.k8s.yaml', service('echo', WARNED), service('one', WRONG));
  const second = write('dist/b.k8s.yaml', service('two', WRONG));
  const report = await validated([second, first]);
  expect(report.rules).toEqual(['class-invalid', 'annotation-unknown']);
  expect(report.violations[0].violatingResources.map(({ locations }) => locations)).toEqual([
    ['dist/a.k8s.yaml:21:3 Service edge/one'],
    ['dist/b.k8s.yaml:9:3 Service edge/two'],
  ]);
});

describe('cdk8s knows constructs by the name of their object alone, and a construct is named', () => {
  const metadata = { echo: { path: 'chart-b/Echo' } };

  /** How cdk8s itself names the construct of each resource, and whether a location does. */
  async function constructsOf(...documents: string[]) {
    const report = await validated([write('dist/a.k8s.yaml', ...documents)], { metadata });
    return report.resources.map(({ resourceName, locations }) => [
      (metadata as Record<string, { path: string }>)[resourceName]?.path,
      /, construct (.*)/.exec(locations[0])?.[1],
    ]);
  }

  const KNOWN = ['chart-b/Echo', 'chart-b/Echo'];
  const UNKNOWN = [undefined, undefined];

  test('where one object has the name', async () => {
    expect(await constructsOf(service('echo', WRONG), service('other'))).toEqual([KNOWN]);
  });

  test('never for namesakes of two namespaces', async () => {
    const [a, b] = ['a', 'b'].map((namespace) => service('echo', { ...WRONG, namespace }));
    expect(await constructsOf(a, b)).toEqual([UNKNOWN, UNKNOWN]);
  });

  test('nor where the namesake is right', async () => {
    expect(await constructsOf(service('echo', WRONG), service('echo', { namespace: 'other' }))).toEqual([UNKNOWN]);
  });

  test('nor beside an object of another kind', async () => {
    expect(await constructsOf(service('echo', WRONG), DEPLOYMENT)).toEqual([UNKNOWN]);
  });

  test('nor beside a document that cannot be read, which may be a namesake', async () => {
    write('dist/c.k8s.yaml', 'a: [\n');
    const report = await validated([write('dist/a.k8s.yaml', service('echo', WRONG)), 'dist/c.k8s.yaml'], { metadata });
    expect(report.rules).toEqual(['unreadable', 'class-invalid']);
    expect(report.resources[1].resourceName).toBe('Service edge/echo');
  });

  test('nor for a name that every object of JavaScript has', async () => {
    const report = await validated([write('dist/a.k8s.yaml', service('constructor', WRONG))], { metadata });
    expect(report.resources[0].locations).toEqual(['dist/a.k8s.yaml:9:3 Service edge/constructor']);
  });
});

describe('there is one answer, a failure,', () => {
  test.each<[string, readonly string[] | undefined, unknown, string]>(
    casesIn(__dirname, 'synth-plugin.yaml')['there is one answer a failure'],
  )('%s', async (_, manifests, properties, word) => {
    write('dist/a.k8s.yaml', 'kind: [\n');
    const report = await validated(manifests as readonly string[], { properties });
    expect(report.answer?.status).toBe('failure');
    expect(JSON.stringify(report.violations)).toContain(word);
    expect(report.resources.length).toBeGreaterThan(0);
  });
});

test('an answer that is unknown names what it needs, and fails where that is asked for', async () => {
  const file = write('dist/a.k8s.yaml', service('echo').replace(/ {2}loadBalancerClass.*\n/, ''));
  const report = await validated([file]);
  expect(report.answer?.status).toBe('success');
  expect(report.answer?.metadata.Unknown).toMatch(/^needs controllers: .* for Service edge\/echo$/);
  expect((await validated([file], { properties: { strict: true } })).answer?.status).toBe('failure');
});

describe('what is known of the cluster', () => {
  const CONTEXT = 'controllers: [cloud-provider-aws]\n';
  const unclassed = service('echo').replace(/ {2}loadBalancerClass.*\n/, '');

  test.each<[string, string, unknown]>([
    ['is found upwards from the folder of cdk8s', '../load-balancers.yaml', {}],
    ['is read from the file that is named', 'ops/cluster.yaml', { config: 'ops/cluster.yaml' }],
  ])('%s', async (_, file, properties) => {
    mkdirSync('app');
    process.chdir('app');
    write(file, CONTEXT);
    const report = await validated([write('dist/a.k8s.yaml', unclassed)], { properties });
    expect(report.answer?.metadata).toMatchObject({ Known: `controllers cloud-provider-aws, from ${file}` });
    expect(report.answer?.metadata.Unknown ?? '').not.toContain('controllers');
  });

  test('a finding that it accepts is printed no more, whatever day it is', async () => {
    const entry = (rule: string) => `{ rule: ${rule}, object: edge/echo, reason: known, until: 2001-01-01 }`;
    write('load-balancers.yaml', `accepted: [${entry('class-invalid')}, ${entry('local-policy-without-pool')}]\n`);
    const report = await validated([write('dist/a.k8s.yaml', service('echo', WRONG))], {
      properties: { failOn: 'warning' },
    });
    expect(report).toMatchObject({ violations: [], answer: { status: 'success' } });
    expect(report.answer?.metadata.Found).toContain('1 accepted');
    expect(report.answer?.metadata.Notes).toContain('local-policy-without-pool');
  });

  test.each<[string, string, string]>([
    ['a file that is not there', 'gone.yaml', 'cannot be read'],
    ['a file with a mistake, at its line', 'wrong.yaml', 'wrong.yaml:2:'],
  ])('%s is a failure', async (_, config, words) => {
    write('wrong.yaml', 'region: eu-west-1\ncontroller: [cloud-provider-aws]\n');
    const report = await validated([write('dist/a.k8s.yaml', unclassed)], { properties: { config } });
    expect(report.answer?.status).toBe('failure');
    expect(JSON.stringify(report.violations)).toContain(words);
  });
});

test('no manifest at all is no mistake', async () => {
  expect((await validated([])).answer).toMatchObject({
    status: 'success',
    metadata: { Found: '0 errors, 0 warnings in 0 objects' },
  });
});

test('no properties are those of the defaults', async () => {
  const file = write('dist/a.k8s.yaml', service('echo', WARNED));
  for (const properties of [undefined, null, {}, { failOn: 'error' }]) {
    expect((await validated([file], { properties })).answer?.status).toBe('success');
  }
});

test('the order of the manifests changes nothing', async () => {
  const files = ['c', 'a', 'b'].map((name) =>
    write(`dist/${name}.k8s.yaml`, service(name, WRONG), service(`${name}-2`, WARNED)),
  );
  expect(await validated([...files].reverse())).toEqual(await validated(files));
});

test('what is printed names no temporary folder', async () => {
  const [one, other] = [join(folder, 'tmp-1', 'a'), join(folder, 'tmp-1', 'b')];
  const files = [one, other].map((at) => write(join(at, 'Service.echo.yaml'), service('echo', WRONG), 'a: [\n'));
  const { resources } = await validated(files, { stdout: true });
  expect(resources.map(({ manifestPath }) => manifestPath)).toEqual(
    ['a', 'b', 'a', 'b'].map((at) => `${at}/Service.echo.yaml`),
  );
  expect(JSON.stringify(resources)).not.toContain('tmp-1');
});

test('the date is never read', async () => {
  const file = write('dist/a.k8s.yaml', service('echo', WRONG));
  const RealDate = Date;
  const read = jest.fn();
  globalThis.Date = new Proxy(RealDate, {
    construct: read,
    apply: read,
    get: (target, key) => (key === 'now' ? read : Reflect.get(target, key)),
  });
  try {
    expect((await validated([file])).answer?.status).toBe('failure');
  } finally {
    globalThis.Date = RealDate;
  }
  expect(read).not.toHaveBeenCalled();
});

test('nothing that a terminal acts upon is printed', async () => {
  const file = write('dist/a.k8s.yaml', service('"e\\e[31mcho"', WRONG));
  const report = await validated([file]);
  expect(report.resources[0].locations).toEqual(['dist/a.k8s.yaml:4:3 Service edge/e\\u001b[31mcho']);
  expect(JSON.stringify(report.violations).replaceAll('\\\\u001b', '')).not.toContain('\\u001b');
});

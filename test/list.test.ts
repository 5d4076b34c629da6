import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { MetalLb } from '../src';
import { checkObjects } from '../src/cli/check';
import { NO_CONTEXT } from '../src/cli/context/check-context';
import { reportServices } from '../src/cli/service-report';
import { isMap, type Json } from '../src/contract/json';
import { knownKinds } from '../src/rules/known-kinds';
import { service } from './support/cases';
import { run } from './support/command';
import { fileWith, folderWith } from './support/files';
import { tries } from './support/random';
import { tablesOf } from './support/yaml-cases';

const tables = tablesOf<Record<string, never>>(join(__dirname, 'list.yaml'));

const AWS = 'aws-load-balancer-controller,cloud-provider-aws';

/** What is listed of a file with this content; its name is `file` in what is said. */
function listed(content: string | Buffer, ...args: string[]) {
  const file = fileWith(content);
  const { out, error, code } = run('list', '--verbose', ...args, file);
  return { out: out.replaceAll(file, 'file'), error: error.replaceAll(file, 'file'), code };
}

const objects = (...all: Json[]) => all.map((object) => JSON.stringify(object)).join('\n---\n');
const yaml = (metadata: string, spec = 'ports: [{port: 80}], selector: {app: x}') =>
  `apiVersion: v1\nkind: Service\nmetadata: {${metadata}}\nspec: {type: LoadBalancer, ${spec}}\n`;

const lines = (text: string) => text.replace(/\n +remedy.*/g, '');

test('a page shows what is listed of an example', () => {
  const page = readFileSync(join(__dirname, '..', 'docs', 'how-to', 'report.md'), 'utf8');
  const [, controllers, shown] = /list \S+ dist\/ --controllers (\S+)\n(.*?)```/s.exec(page) ?? [];
  const example = readFileSync(join(__dirname, 'goldens', 'examples', 'eks-ingest.k8s.yaml'));
  const { out } = listed(example, '--controllers', controllers);
  expect(out.replace('(file:', '(dist/ingest.k8s.yaml:').trim()).toBe(shown.trim());
});

test('what pods of namesakes demand alike of their nodes stands once', () => {
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'x' },
    spec: { template: { metadata: { labels: { app: 'x' } }, spec: { nodeSelector: { 'kubernetes.io/os': 'linux' } } } },
  };
  const { out } = listed(`${objects(deployment, deployment)}\n---\n${yaml('name: x')}`);
  expect(out).toMatch(/^ +nodes +pods of Deployment x only on kubernetes\.io\/os=linux$/m);
});

describe('a line tells who can reach the balancer, whatever its controller', () => {
  test.each<[string, Json, string, string]>(tables.lineTellsWho)('%s', (_, spec, controllers, scheme) => {
    expect(listed(objects(service(spec)), '-c', controllers).out).toContain(`\n  scheme          ${scheme}\n`);
  });

  test('a value that the controller refuses leaves it unknown', () => {
    const spec = { type: 'LoadBalancer', loadBalancerClass: 'service.k8s.aws/nlb', ports: [{ port: 443 }] };
    const annotations = { 'service.beta.kubernetes.io/aws-load-balancer-scheme': 'public' };
    const object = JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'echo', annotations }, spec });
    expect(listed(object, '-c', 'aws-load-balancer-controller').out).toContain(
      "\n  scheme          unknown: aws-load-balancer-scheme is 'public', which is refused\n",
    );
  });

  test('where the owner is unknown, so is what it decides', () => {
    expect(listed(objects(service())).out).toContain('\n  scheme          unknown: its owner decides\n');
  });
});

describe('a line tells what pods see of clients', () => {
  test.each<[string, Json, string, string]>(tables.lineTellsWhat)('%s', (_, object, controllers, seen) => {
    expect(listed(objects(object), '-c', controllers).out).toContain(`\n  client address  ${seen}\n`);
  });
});

test.each<[string, Json, string]>([
  ['the field', service({ loadBalancerSourceRanges: ['10.0.0.0/8', '192.0.2.0/24'] }), '10.0.0.0/8, 192.0.2.0/24'],
  [
    'an annotation',
    service({}, { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8' }),
    'load-balancer-source-ranges 10.0.0.0/8',
  ],
  ['nothing', service(), 'none: any client'],
])('a line tells the source ranges: those of %s', (_, object, ranges) => {
  expect(listed(objects(object), '-c', 'gke').out).toContain(`\n  source ranges   ${ranges}\n`);
});

describe('what is made later', () => {
  test.each<[string, string, RegExp]>(tables.whatMadeLater)('%s', (_, content, out) => {
    expect(listed(content).out).toMatch(out);
  });

  test.each<[string, string, string]>(tables.told)('%s is told', (_, content, note) => {
    expect(listed(content).error).toContain(note);
  });

  test.each<[string, string, object]>(tables.nothingToldWithout)(
    'nothing is told of a %s %s without one: %j',
    (apiVersion, kind, spec) => {
      expect(listed(objects({ apiVersion, kind, metadata: { name: 'd' }, spec })).error).not.toContain(
        'load balancer;',
      );
    },
  );

  test('a Service that is published at a shared balancer makes none of its own', () => {
    const { out, code } = listed(objects(service({ loadBalancerClass: 'cdk8s-load-balancers/shared' })), '-c', AWS);
    expect(out).toContain('\n  owner           a shared load balancer: ');
    expect([out, code]).toEqual([expect.not.stringContaining('(service-without-controller)'), 0]);
  });
});

describe('findings', () => {
  test.each<[string, string, string[], string]>(tables.findings)('%s', (_, content, args, finding) => {
    expect(lines(listed(content, ...args).out)).toContain(finding);
  });

  test('a Service that is being deleted waits for its finalizers', () => {
    const deleted = {
      deletionTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['service.k8s.aws/resources', 'example.com/x'],
    };
    expect(listed(objects(service({ loadBalancerClass: 'service.k8s.aws/nlb' }, {}, deleted))).out).toContain(
      '\n  being deleted   since 2026-01-01T00:00:00Z: it waits for aws-load-balancer-controller to remove service.k8s.aws/resources, and for a controller not known here to remove example.com/x\n',
    );
  });
});

test.each<[string, string | Buffer, number]>([
  ['an error of a Service', yaml('name: A'), 1],
  ['a file that is no text', Buffer.from('\ufeffkind: Service\n', 'utf16le'), 2],
  ['a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 0, 0]), 2],
  ['an anchor that holds itself', 'annotations: &a {x: *a}\n', 2],
  ['a warning', yaml('name: a', 'ports: [{port: 80}]'), 0],
  ['nothing to say', yaml('name: a'), 0],
  ['a file without documents', '# nothing\n', 0],
])('%s ends the program with its code', (_, content, code) => expect(listed(content).code).toBe(code));

test('a folder without manifests cannot be read', () => {
  const folder = folderWith();
  const reason = 'no file that ends with .yaml, .yml or .json is there';
  const error = `${folder}:1: cannot be read: ${reason}; pass a file or a folder that can be read\n`;
  expect(run('list', '--verbose', folder)).toMatchObject({ error, code: 2 });
});

test.each([
  ['metallb', 'metallb 0.14.8 silently ignores annotation metallb.io/address-pool, which it reads from 0.14.9 on'],
  ['metallb:bgp', 'metallb 0.14.8 silently ignores annotation metallb.io/address-pool, which it reads from 0.14.9 on'],
])('controller %s that is named runs in the version of its image', (controllers, said) => {
  const workload = `apiVersion: apps/v1
kind: Deployment
metadata: {name: controller, namespace: metallb-system}
spec: {template: {spec: {containers: [{name: controller, image: quay.io/metallb/controller:v0.14.8}]}}}
`;
  const content = `${workload}---\n${yaml('name: x, annotations: {metallb.io/address-pool: a}')}`;
  expect(listed(content, '-c', controllers).out).toContain(said);
});

test('a Service without a namespace is listed as one of the default namespace', () => {
  const file = fileWith(yaml('name: dns'));
  expect(run('list', 'default/dns', file)).toMatchObject({ error: '', out: expect.stringContaining('dns  (') });
});

test('a finding has the level of a check', () => {
  const local = yaml('name: x', 'externalTrafficPolicy: Local, ports: [{port: 80}], selector: {app: x}');
  const { out } = listed(local, '-c', 'cloud-provider-aws');
  expect(out).toContain('\n  note            with policy Local only nodes with a ready pod');
  expect(out).toMatch(/0 errors, 0 warnings\n$/);
  const [report] = JSON.parse(listed(local, '-c', 'cloud-provider-aws', '--format', 'json').out);
  expect(report).toMatchObject({ errors: [], warnings: [], notes: [{ ruleId: 'local-policy-without-pool' }] });
});

test('a listener lends its findings to the Services that it makes, and they count once', () => {
  const { out } = listed(
    'apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: { name: k }\nspec: { kafka: { listeners: [{ name: external, port: 9094, type: loadbalancer, tls: true, configuration: { bootstrap: { annotations: { a: b } } } }] } }\n',
  );
  expect(out).toMatch(
    /^ {2}warning +listener 'external': every client that reaches the listener can read and write every topic/m,
  );
  expect(out).toMatch(/ predicted load balancers?, 0 errors, 2 warnings/);
});

test('what programs get has no text of files', () => {
  const [report] = JSON.parse(listed(yaml('name: x'), '--format', 'json').out);
  expect(Object.keys(report)).not.toContain('source');
});

test('an owner that a webhook may replace is marked as a guess', () => {
  const file = fileWith(`${yaml('name: open')}---\n${yaml('name: classed', 'loadBalancerClass: service.k8s.aws/nlb')}`);
  const { out } = run('list', '-c', AWS, file);
  expect(out).toMatch(/^open +cloud-provider-aws \(a guess\) /m);
  expect(out).toMatch(/^classed +aws-load-balancer-controller {2}/m);
});

test('names begin no line of their own, and hide nothing', () => {
  const forged = String.raw`"x\n  owner           metallb\e[2J\u202e"`;
  const { out } = listed(
    yaml(`name: ${forged}, namespace: ${forged}`, `loadBalancerClass: ${forged}, ports: [{port: 80}]`),
  );
  expect(out).not.toMatch(/^ {2}owner {11}metallb/m);
  expect(out).toContain('x\\u000a  owner           metallb\\u001b[2J\\u202e');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them is printed
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('what stands beside Services is looked through once, however many there are', () => {
  let looks = 0;
  const beside = (kind: string, apiVersion: string) => ({
    apiVersion,
    kind,
    metadata: { name: 'x' },
    get spec() {
      looks++;
      return {};
    },
  });
  const objects = Array.from({ length: 200 }, (_, i) => service({ selector: { app: `a${i}` } }, {}, { name: `s${i}` }));
  const all = [...objects, beside('Deployment', 'apps/v1'), beside('ConfigMap', 'v1')];
  const manifests = all.map((object, line) => ({ file: 'a.yaml', line, object }));
  const read = { manifests, unreadable: [], strange: [] };
  const checked = checkObjects(read, { ...NO_CONTEXT, controllers: [MetalLb.layer2()] });
  looks = 0;
  expect(reportServices(checked, manifests.slice(0, objects.length))).toHaveLength(objects.length);
  expect(looks).toBeLessThan(10);
});

test('what a listener and its Services have in common counts once, as in check', () => {
  const configuration = { class: 'service.k8s.aws/nlb', finalizers: ['service.kubernetes.io/load-balancer-cleanup'] };
  const listeners = [{ name: 'external', port: 9094, type: 'loadbalancer', tls: true, configuration }];
  const metadata = { name: 'my', namespace: 'k' };
  const object = { apiVersion: 'kafka.strimzi.io/v1', kind: 'Kafka', metadata, spec: { kafka: { listeners } } };
  const checked = checkObjects(
    { manifests: [{ file: 'a.yaml', line: 1, object }], unreadable: [], strange: [] },
    NO_CONTEXT,
  );
  const idsOf = (findings: readonly { readonly level: string; readonly ruleId: string }[]) =>
    findings.map(({ level, ruleId }) => `${level} ${ruleId}`).sort();
  const [bootstrap] = checked.later.services;
  expect(idsOf(checked.findingsOf(bootstrap))).toContain('warning finalizer-of-other-controller');
  expect(idsOf(checked.findingsOf(bootstrap))).toEqual(idsOf(checked.report.findings));
});

describe('list', () => {
  const tables = tablesOf<Record<string, never>>(join(__dirname, 'list.laws.yaml'));

  // Whatever stands in a file, the report is one of whole lines, and says nothing that only a program says.

  const file = join(folderWith(), 'a.yaml');
  const CONTROLLERS = knownKinds().map(({ name }) => name);

  const OBJECTS: readonly Json[] = tables.objects;

  function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
    const inner = isMap(value) || Array.isArray(value) ? Object.entries(value as Json) : [];
    return [path, ...inner.flatMap(([key, one]) => placesIn(one, [...path, key]))];
  }

  function changed(value: Json, [key, ...rest]: readonly string[], replacement: unknown): Json {
    const copy: Json = Array.isArray(value) ? [...value] : { ...value };
    const put = rest.length === 0 ? replacement : changed(value[key], rest, replacement);
    Object.defineProperty(copy, key, { value: put, enumerable: true, configurable: true, writable: true });
    return copy;
  }

  /** Values that stand nowhere, each with a reason to be feared. */
  const strange = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      80.5,
      '',
      'x\n  owner           forged',
      '\u001b[2J',
      '\u202e',
      [],
      {},
      [null],
      [[]],
    ),
    fc.constantFrom<unknown>(
      { toString: 'x' },
      { toString: 'x', valueOf: 1 },
      { __proto__: 'x' },
      { constructor: {} },
      [{ toString: 1 }],
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.jsonValue({ maxDepth: 2 }),
  );

  const places = OBJECTS.flatMap((object, i) =>
    placesIn(object)
      .slice(1)
      .map((path) => [`${i}`, ...path]),
  );
  const change = fc.tuple(fc.constantFrom(...places), strange);

  function said(): string {
    const outcomes = [
      run('list', '--verbose', file),
      run('list', '--verbose', '-c', CONTROLLERS.join(), file),
      run('list', '--format', 'json', file),
    ];
    expect(outcomes.map(({ code }) => code).every((code) => [0, 1, 2].includes(code ?? -1))).toBe(true);
    return outcomes
      .slice(0, 2)
      .map(({ out, error }) => out + error)
      .join('');
  }

  function expectPlain(text: string): void {
    expect(text).not.toMatch(/\[object |\bundefined\b|\bNaN\b|^ {2}owner {11}forged/m);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them is printed
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  }

  test('objects that hold anything anywhere are reported in plain lines', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        let objects: Json = [...OBJECTS];
        for (const [path, value] of changes) {
          try {
            objects = changed(objects, path, value);
          } catch {
            // an earlier change removed the place
          }
        }
        writeFileSync(file, (objects as Json[]).map((object) => JSON.stringify(object)).join('\n---\n'));
        expectPlain(said());
      }),
      { numRuns: tries(25) },
    );
  });

  test('files that are cut, doubled or strewn with anything are reported in plain lines', () => {
    const text = Buffer.from(OBJECTS.map((object) => JSON.stringify(object, undefined, 1)).join('\n---\n'));
    const edit = fc.record({
      at: fc.nat(text.length),
      length: fc.nat(40),
      by: fc.oneof(
        fc.uint8Array({ maxLength: 4 }),
        fc
          .constantFrom('&a ', '*a', '? ', '<<: ', '\r', '\u0085', '\t', '!!binary ', '---\n', '{{ x }}')
          .map((one) => Buffer.from(one)),
      ),
    });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        let bytes = text;
        for (const { at, length, by } of edits) {
          bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(by), bytes.subarray(at + length)]);
        }
        writeFileSync(file, bytes);
        expectPlain(said());
      }),
      { numRuns: tries(25) },
    );
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NamedTrace, TracedService } from '../../../src/checks/explain/traces';
import { run } from '../../support/command';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'traces-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(yaml: string, context = ''): string {
  writeFileSync(join(folder, 'load-balancers.yaml'), context);
  const file = join(folder, 'set.yaml');
  writeFileSync(file, yaml);
  return file;
}

const NLB = 'loadBalancerClass: service.k8s.aws/nlb';
const OWN = 'finalizers: [service.k8s.aws/resources]';
const service = (spec: string, metadata = '') => `
apiVersion: v1
kind: Service
metadata: { name: echo, namespace: shop, ${metadata} }
spec: { type: LoadBalancer, ports: [{ port: 80 }], selector: { app: echo }, ${spec} }
`;
const kafka = (configuration: string) => `
apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: { name: events, namespace: kafka }
spec:
  kafka:
    listeners:
      - { name: external, port: 9094, type: loadbalancer, tls: true, configuration: { class: service.k8s.aws/nlb, ${configuration} } }
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: { name: broker, namespace: kafka, labels: { strimzi.io/cluster: events } }
spec: { replicas: 1, roles: [broker], storage: { type: ephemeral } }
`;

function traced(file: string, ...options: string[]): TracedService {
  const { out, error, code } = run('explain', '--trace', '--format', 'json', ...options, file);
  expect([error, code]).toEqual(['', 0]);
  const all = JSON.parse(out) as TracedService[];
  expect(all.length).toBeGreaterThan(0);
  return all[0];
}

const said = ({ traces }: TracedService) =>
  traces.map(({ owner, outcome, trace }) => [owner, outcome, trace?.name].filter(Boolean).join(' | '));

const AWS = 'aws-load-balancer-controller';
const STRIMZI = (version: string, ...more: string[]) =>
  [`controllers: [${[AWS, ...more].join(', ')}]`, `strimzi: '${version}'`, ''].join('\n');

test.each<[title: string, yaml: string, context: string, expected: string[]]>([
  ['nothing declared', service(NLB), '', [`${AWS} | unsafe | orphan-deleted-at-once`]],
  ['the own finalizer', service(NLB, OWN), '', [`${AWS} | safe`]],
  [
    'a finalizer that no controller removes',
    service(NLB, 'finalizers: [example.com/hold]'),
    '',
    [`${AWS} | unsafe | hang-wrong-finalizer`],
  ],
  ['no owner is known', service(''), '', []],
  [
    'the owner is one of two',
    service('', 'annotations: { service.beta.kubernetes.io/aws-load-balancer-type: external }'),
    'controllers: [aws-load-balancer-controller]\n',
    [],
  ],
  ['MetalLB has no finalizer', service(''), 'controllers: [metallb]\n', ['metallb | safe']],
  [
    'a Kafka whose operator strips, without the finalizer',
    kafka(''),
    STRIMZI('0.49.1'),
    [`${AWS} | unsafe | orphan-deleted-at-once`],
  ],
  ['the same with it', kafka(OWN), STRIMZI('0.49.1'), [`${AWS} | safe`]],
])('%s', (_, yaml, context, expected) => {
  expect(said(traced(written(yaml, context)))).toEqual(expected);
});

test('the words have the names of the Service, the owner, the writer and the finalizer', () => {
  const { out } = run('explain', '--trace', written(kafka(''), STRIMZI('0.49.1')));
  expect(out).toContain('Strimzi 0.49.1 creates Service kafka/events-kafka-external-bootstrap with what it declares');
  expect(out).toContain(`${AWS} adds finalizer service.k8s.aws/resources`);
  expect(out).toContain('result         orphaned: the balancer stays');
  expect(out).toMatch(/evidence {7}\w+; the weakest step is from /);
});

test('what is safe says what it was held against, and what if it is changed', () => {
  const { out } = run('explain', '--trace', written(service(NLB, OWN)));
  expect(out).toContain('finding        safe\n');
  expect(out).toContain('one crash, one lag, one lost answer');
  expect(out).toContain('finalizer dropped: orphaned when it is deleted afterwards');
  expect(out).toContain('explain orphaned-finalizer-dropped');
});

test('what must be known is said', () => {
  expect(traced(written(service(''))).notes.join()).toContain('name the controllers of the cluster');
  expect(traced(written(kafka(OWN))).notes.join()).toContain('the version of its operator is not known');
  expect(traced(written(service(NLB, `${OWN}, uid: 1f6a`))).notes.join()).toContain(
    'which of them its manifest declares',
  );
});

test('a namespace that is null is none', () => {
  const { out } = run('explain', '--trace', written(service(NLB).replace('namespace: shop', 'namespace: null')));
  expect(out).toContain('Service echo  (');
});

test('a Service among the files is asked by its name', () => {
  const file = written(`${service(NLB)}---${service(NLB, OWN).replace('name: echo', 'name: other')}`);
  const { out } = run('explain', '--trace', '--format', 'json', 'shop/other', file);
  expect((JSON.parse(out) as TracedService[]).map(({ name }) => name)).toEqual(['other']);
  expect(run('explain', '--trace', 'shop/none', file)).toMatchObject({
    code: 2,
    error: expect.stringContaining("'shop/none' is not a file, and not a Service of these files"),
  });
  expect(run('explain', '--trace', written('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n'))).toMatchObject({
    code: 0,
    out: 'nothing to trace: these files hold no load balanced Service, and nothing that makes one\n',
  });
});

test('a path without a Service asks for one', () => {
  const file = written(service(NLB));
  const { error, code } = run('explain', file);
  expect(error).toContain(`'${file}' is a path; name a Service in it as well (explain NAMESPACE/NAME ${file})`);
  expect(code).toBe(2);
});

test('a diagram of each', () => {
  const { out } = run('explain', '--trace', '--format', 'mermaid', written(service(NLB)));
  expect(out.split('\n').slice(0, 2)).toEqual([`%% shop/echo, ${AWS}`, 'sequenceDiagram']);
  expect(out).toContain(`participant Owner as ${AWS}`);
});

describe('a trace by its name', () => {
  test.each([
    'orphan-deleted-at-once',
    'hang-wrong-finalizer',
    'orphaned-finalizer-dropped',
    'stuck-owner-uninstalled',
  ])('%s', (name) => {
    const { out, code } = run('explain', name);
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe(`trace ${name}`);
    const [{ trace }] = JSON.parse(run('explain', '--format', 'json', name).out) as NamedTrace[];
    expect(out).toContain(`The shortest way, ${trace.steps.length} steps`);
    expect(run('explain', '--format', 'mermaid', name).out).toBe(`${trace.mermaid}\n`);
  });

  test('that no owner has is not suggested', () => {
    expect(run('explain', 'kept-type-awey').error).toMatch(/is not a known (?!.*near to it)/);
  });

  test('that is misspelt is near to others', () => {
    const { error, code } = run('explain', 'orphan-deleted-at-onse');
    expect(code).toBe(2);
    expect(error).toContain('near to it: ');
    expect(error).toContain('orphan-deleted-at-once');
  });
});

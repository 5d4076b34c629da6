import type { CheckReport } from '../../../src/cli/check-report';
import { FORMATS } from '../../../src/cli/formats/formats';
import type { FormatOptions } from '../../../src/cli/formats/words';
import type { Json } from '../../../src/contract/json';
import { FULL, findingOf, HOSTILE, hostile, reportOf, SERVICE, unknownOf } from '../../support/check-reports';
import { casesIn } from '../../support/yaml-cases';

const PAGE = 'https://github.com/cdk8s-load-balancers/cdk8s-load-balancers/blob/main/docs/reference/rules.md';

const linesOf = (report: CheckReport, options?: FormatOptions) => FORMATS.text(report, options).split('\n');

test('a report with something of everything', () => {
  expect(FORMATS.text(FULL)).toBe(`\
inferred (findings that depend on the inferred owner are warnings): Strimzi 0.45.0: from the Deployment in
  k8s/operator.yaml:12
controllers aws-load-balancer-controller 3.5.0, Kubernetes 1.36: from load-balancers.yaml

k8s/kafka.yaml:23:11  Service kafka/events-kafka-external-0, made by Kafka kafka/events, listener external
  error    class service.k8s.aws/nlb is served by aws-load-balancer-controller, but the listener declares no finalizer,
           and Strimzi 0.45 removes what it did not declare: deleting the cluster leaves 4 load balancers behind
  remedy   add configuration.finalizers: [service.k8s.aws/resources]
  rule     finalizer-of-other-controller (kubernetes)

k8s/edge.yaml:9:5  Service edge/echo
  error    targetPort is 0
  remedy   use a port from 1 to 65535
  rule     target-port-invalid (kubernetes)
  error    targetPort is 0
  at       k8s/edge.yaml:14:5
  remedy   use a port from 1 to 65535
  rule     target-port-invalid (kubernetes)
  warning  the annotation is obsolete
  remedy   use loadBalancerClass
  rule     annotation-deprecated (kubernetes)

k8s/shop.yaml:1:1  Service edge/db
  made in  app/shop/db
  template charts/db/templates/service.yaml
  note     the Service has no scheme
  remedy   set one
  rule     no-scheme (kubernetes)

k8s/broken.yaml:3:2  cannot be read
  error    the indentation ends a map too early
  remedy   indent the line like its siblings

note: charts/x is a chart and is not rendered: run helm template.

unknown: needs controllers: owner-does-not-claim-service, annotation-unsupported-version for Service edge/echo
unknown: needs controllers and strimzi: owner-does-not-claim-service for Service edge/db
load-balancers.yaml says what is needed (check --init creates it), or objects among the files do

more on a rule: npx cdk8s-load-balancers explain finalizer-of-other-controller, or
  ${PAGE}

3 errors, 1 warning, 1 note in 12 objects; 1 accepted (local-policy-without-pool), 3 answers unknown (needs controllers, strimzi), 1 document unreadable
`);
});

test('nothing is one line', () => {
  expect(FORMATS.text(reportOf({ objects: 1 }))).toBe('0 errors, 0 warnings in 1 object\n');
});

test('the summary is as short as can be', () => {
  const findings = [findingOf(), findingOf(), findingOf(), findingOf({ level: 'warning' })];
  const accepted = findingOf({ accepted: { reason: 'so it is' } });
  expect(linesOf(reportOf({ findings: [...findings, accepted], objects: 12 })).at(-2)).toBe(
    '3 errors, 1 warning in 12 objects; 1 accepted (target-port-invalid)',
  );
});

test('what is accepted is counted and not shown', () => {
  const findings = [findingOf({ accepted: { reason: 'so it is' } })];
  expect(FORMATS.text(reportOf({ findings, objects: 1 }))).toBe(
    '0 errors, 0 warnings in 1 object; 1 accepted (target-port-invalid)\n',
  );
});

test('objects of one name in two files, or of two kinds, are two', () => {
  const place = { file: 'k8s/other.yaml', line: 1, column: 1 };
  const object = { ...SERVICE, kind: 'Gateway' };
  const headings = linesOf(reportOf({ findings: [findingOf(), findingOf({ place }), findingOf({ object })] })).filter(
    (line) => line.startsWith('k8s/'),
  );
  expect(headings).toEqual([
    'k8s/edge.yaml:9:5  Service edge/echo',
    'k8s/other.yaml:1:1  Service edge/echo',
    'k8s/edge.yaml:9:5  Gateway edge/echo',
  ]);
});

test('findings of an object are below each other, though others were found between them', () => {
  const findings = [findingOf(), findingOf({ object: { ...SERVICE, name: 'db' } }), findingOf({ what: 'port is 0' })];
  const lines = linesOf(reportOf({ findings })).filter((line) => /^(k8s| {2}error)/.test(line));
  expect(lines).toEqual([
    'k8s/edge.yaml:9:5  Service edge/echo',
    '  error    targetPort is 0',
    '  error    port is 0',
    'k8s/edge.yaml:9:5  Service edge/db',
    '  error    targetPort is 0',
  ]);
});

test.each<[Json, string]>(casesIn(__dirname, 'text.yaml')['an object of is'])(
  'an object of %j is %s',
  (parts, title) => {
    expect(linesOf(reportOf({ findings: [findingOf({ object: { ...SERVICE, ...parts } })] }))[0]).toBe(
      `k8s/edge.yaml:9:5  ${title}`,
    );
  },
);

test('a note that many objects have is written once, with the first of the others', () => {
  const services = Array.from({ length: 12 }, (_, i) => ({ ...SERVICE, name: `echo-${i}` }));
  const findings = services.map((object, i) =>
    findingOf({ object, level: 'note', place: { file: 'k8s/edge.yaml', line: i + 1, column: 3 } }),
  );
  expect(linesOf(reportOf({ findings })).slice(0, 7)).toEqual(
    casesIn(__dirname, 'text.yaml')['a note that many objects have is written once with the'],
  );
  expect(linesOf(reportOf({ findings })).slice(11, 14)).toEqual([
    '  also     k8s/edge.yaml:9:3  Service edge/echo-8',
    '  also     3 more',
    '',
  ]);
});

test('standard input is named in words', () => {
  const findings = [findingOf({ place: { file: '-', line: 4, column: 2 } })];
  expect(linesOf(reportOf({ findings }))[0]).toBe('standard input:4:2  Service edge/echo');
});

test('what is unknown for one reason is one line, however much it is', () => {
  const objects = Array.from({ length: 40 }, (_, index) => ({ ...SERVICE, name: `echo-${index}` }));
  const unknown = objects.flatMap((object) => ['x', 'y', 'z'].map((ruleId) => unknownOf({ object, ruleId })));
  expect(linesOf(reportOf({ unknown, objects: 40 })).slice(0, 2)).toEqual([
    'unknown: needs controllers: x, y, z for Service edge/echo-0; Service edge/echo-1; Service edge/echo-2 and 37 more',
    'load-balancers.yaml says what is needed (check --init creates it), or objects among the files do',
  ]);
});

test('needs are the same in every order', () => {
  const unknown = [unknownOf({ needs: ['strimzi', 'controllers'] }), unknownOf({ needs: ['controllers', 'strimzi'] })];
  expect(linesOf(reportOf({ unknown }))[0]).toBe(
    'unknown: needs controllers and strimzi: owner-does-not-claim-service for Service edge/echo',
  );
});

describe('the width', () => {
  const words = findingOf({ what: 'many short words of a sentence '.repeat(20).trim() });

  test.each([40, 80, 120, 200])('%d is kept by all but places and addresses', (width) => {
    const lines = linesOf(reportOf({ findings: [words], notes: [words.what] }), { width });
    const long = lines.filter((line) => line.length > width && !/https:|^k8s/.test(line));
    expect(long).toEqual([]);
    expect(lines.some((line) => line.length > width - 10 && /^ +error|words/.test(line))).toBe(true);
  });

  test('of nearly nothing is as good as 40', () => {
    expect(FORMATS.text(FULL, { width: 1 })).toBe(FORMATS.text(FULL, { width: 40 }));
  });

  test('breaks a word that is longer', () => {
    const what = `class ${'x'.repeat(200)} is unknown`;
    const lines = linesOf(reportOf({ findings: [findingOf({ what })] }), { width: 100 });
    expect(lines.slice(1, 5)).toEqual([
      '  error    class',
      `           ${'x'.repeat(89)}`,
      `           ${'x'.repeat(89)}`,
      `           ${'x'.repeat(22)} is unknown`,
    ]);
  });

  test('counts two columns for signs that take two', () => {
    const lines = linesOf(reportOf({ findings: [findingOf({ what: '🚀'.repeat(50) })] }), { width: 91 });
    expect(lines.slice(1, 3)).toEqual([`  error    ${'🚀'.repeat(40)}`, `           ${'🚀'.repeat(10)}`]);
  });
});

test.each(HOSTILE)('%s: no file writes a line of its own', (_, text) => {
  const OWN = /^( {2}|k8s\/|inferred \(|unknown: |more on a rule: |note:|load-balancers.yaml says|0 errors|2 errors|$)/;
  const others = linesOf(hostile(text)).filter((line) => !OWN.test(line));
  // what is known begins with its name
  expect(others).toHaveLength(1);
});

test('a value that is as long as its file is cut', () => {
  const text = FORMATS.text(reportOf({ findings: [findingOf({ what: 'x'.repeat(10_000) })] }));
  expect(text.length).toBeLessThan(2_000);
  expect(text).toContain('… (10000 characters)');
});

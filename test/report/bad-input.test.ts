import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeReport } from '../../src/report/make-report';
import { casesIn, table } from '../support/yaml-cases';
import { AWS_CLASS, controllers, deployment, linesOf, nodes, objects, pods, reportOn, service } from './reported';

const AWS = controllers('aws-load-balancer-controller');
const own = service(AWS_CLASS);

test.each<[string, Record<string, string>, string]>([
  ['no nodes', objects(own, deployment(3)), 'nodes and pods for shares: kubectl get nodes,pods,svc -A -o yaml | '],
  ['zero replicas', objects(own, nodes('n1'), deployment(0)), 'pods; Deployment web has zero replicas'],
  ['a node twice', objects(own, nodes('n1 n1'), deployment(3)), 'one entry for node n1; the list has two'],
  ['a pod on no node', objects(own, nodes('n1'), pods('n2')), 'node n2 in the list of nodes; pod web-0 runs on it'],
  ['a node without zone', objects(own, nodes('a1 n1'), deployment(3)), 'the zone of node n1; other nodes have one'],
  [
    'no node that is ready',
    objects(own, nodes('n1', 'False'), deployment(3)),
    'a node that is ready and that the pods of Deployment web may run on; of 1 there is none',
  ],
  ['an unknown class', objects(service('loadBalancerClass: acme.example/lb')), 'a controller that takes it: '],
])('with %s it is said what is needed', (_, files, need) => {
  const report = reportOn({ ...AWS, ...files });
  expect(linesOf(report, 'needs').filter((line) => line.startsWith(need))).toHaveLength(1);
  expect(report.out).not.toMatch(/NaN|Infinity|undefined/);
  expect(report.code).toBe(0);
});

test('prices of an unknown region are asked for, and none is made up', () => {
  const report = reportOn(
    { 'load-balancers.yaml': `${AWS['load-balancers.yaml']}region: mars-1\n`, ...objects(own) },
    '--zones',
    '1',
  );
  expect(report.out).toContain("not known = (needs prices of 'aws/nlb')");
  expect(linesOf(report, 'needs').join()).toContain(
    "prices of aws/nlb in region 'mars-1' are not known; give them, or use one of us-east-1",
  );
});

test('an owner by inference is called a guess', () => {
  const report = reportOn(objects(service('', { annotations: '{metallb.io/address-pool: edge}' })));
  expect(report.out).toContain('metallb (a guess)');
  expect(linesOf(report, 'assumed').join()).toContain('metallb is a guess by the controllers that the files show');
});

test('a file that cannot be read is not in the figures, and fails', () => {
  const report = reportOn({ ...AWS, ...objects(own), 'wrong.yaml': 'a: b: c' });
  expect(report.code).toBe(2);
  expect(linesOf(report, 'note').join()).toMatch(/wrong\.yaml:1 is not in the figures: /);
});

test('Services of a shared balancer have none of their own', () => {
  const report = reportOn({
    ...AWS,
    ...objects(own, service('loadBalancerClass: cdk8s-load-balancers/shared', { name: 'db' })),
  });
  expect(linesOf(report, 'note')).toContain('1 Service of a shared load balancer: none has a balancer of its own');
  expect(report.out).not.toContain('shop/db');
});

test('nothing at all is no fault', () => {
  expect(reportOn({ 'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n' }).out).toMatch(
    /^no load balancers\n/,
  );
  expect(makeReport([]).bill.text).toBe('nothing that a vendor bills');
});

test.each<[string, string]>(casesIn(__dirname, 'bad-input.yaml')['is bad usage'])('%s %s is bad usage', (...args) =>
  expect(reportOn(objects(own), ...args).code).toBe(2),
);

describe('a balancer that is made of a Gateway without a Service', () => {
  const golden = readFileSync(join(__dirname, '..', 'tenancy', 'goldens', 'two-nlbs.yaml'), 'utf8');
  const on = (text: string, ...args: string[]) =>
    reportOn({ ...AWS, 'gateways.yaml': text }, '--region', 'us-east-1', ...args);

  test('counts with its price and its quotas, and its way is needed', () => {
    const report = on(golden);
    expect(report.out).toMatch(/ aws-load-balancer-controller {3}2 .* USD \d+\.\d\d = 2 × 0\.0225 × 730 h/);
    expect(report.out).toContain(
      'infra/shared: Network Load Balancer, internal\n  path      unknown: needs the targets of ',
    );
    expect(linesOf(report, 'quota').join()).toContain('Network Load Balancers per Region (2 of 50)');
    expect(linesOf(report, 'needs')).toContain(
      'the targets of Gateway infra/shared: which its routes give it is not looked at here',
    );
    expect(linesOf(report, 'note').join()).not.toContain('makes 1 Network Load Balancer');
    expect(report.code).toBe(0);
  });

  test('has public addresses in its zones where it faces the internet', () => {
    const text = golden.replaceAll('scheme: internal', 'scheme: internet-facing');
    expect(on(text, '--zones', '3').out).toContain('2 × (0.0225 × 730 h + 3 zones × 3.65 public IPv4)');
    const named = text.replaceAll(
      'scheme: internet',
      'loadBalancerSubnets: [{identifier: a}, {identifier: b}]\n  scheme: internet',
    );
    expect(on(named).out).toContain('2 × (0.0225 × 730 h + 2 zones × 3.65 public IPv4)');
  });

  test('is not known where its parameters are elsewhere, or wrong', () => {
    const [without] = golden.split(
      /(?<=---\n)apiVersion: gateway.k8s.aws\/v1\nkind: LoadBalancerConfiguration\nmetadata:\n {2}name: shared\n/,
    );
    const rest = golden.slice(without.length).replace(/^[\s\S]*?---\n/, '');
    const report = on(`${without}${rest}`);
    expect(linesOf(report, 'needs')).toContain(
      'LoadBalancerConfiguration infra/shared among the files: its scheme decides of public addresses',
    );
    expect(report.out).toMatch(
      / aws-load-balancer-controller {3}1 .* not known: needs LoadBalancerConfiguration infra\/shared /,
    );
    expect(linesOf(on(golden.replace('scheme: internal', 'scheme: public')), 'needs')).toContain(
      "a scheme that exists: 'public' is neither internal nor internet-facing",
    );
  });

  test.each(['json', 'html'])('is in %s', (format) => {
    expect(on(golden, '--format', format)).toMatchObject({
      code: 0,
      error: '',
      out: expect.stringContaining('shared-2'),
    });
  });
});

describe('what the command line has wrong is bad usage', () => {
  test.each<[string[], RegExp]>(table('report/bad-input.yaml', 'what the command line has wrong is bad usage'))(
    '%j',
    (args, message) => {
      const { out, error, code } = reportOn({ ...AWS, ...objects(own) }, ...args);
      expect([out, code]).toEqual(['', 2]);
      expect(error.trimEnd().split('\n')).toEqual([expect.stringMatching(message)]);
    },
  );

  test('and what is right is none', () => {
    const args = [
      '--quota',
      'aws-nlbs=100',
      '--region',
      'us-east-1',
      '--gb-per-month',
      '100',
      '--gb-out-per-month',
      '100',
    ];
    expect(reportOn({ ...AWS, ...objects(own) }, ...args)).toMatchObject({ error: '', code: 0 });
  });
});

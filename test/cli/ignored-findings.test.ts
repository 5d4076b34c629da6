import { ApiObject, App, Chart } from 'cdk8s';
import { AwsLoadBalancerController, LoadBalancedService, LoadBalancers, NlbTargetType, TrafficPolicy } from '../../src';
import { check } from '../../src/cli/check';
import type { CheckReport } from '../../src/cli/check-report';
import { NO_CONTEXT } from '../../src/cli/context/check-context';
import { FORMATS } from '../../src/cli/formats/formats';
import { resultOfCheck, summaryOf } from '../../src/cli/formats/words';
import { readManifests } from '../../src/cli/manifests';
import { stderrOf } from '../support/apps';
import { casesIn } from '../support/yaml-cases';
import { CONTEXT, Folder, service } from './diff/repository';

const KEY = 'cdk8s-load-balancers/ignore';

/** A Service with a node port that the API server refuses, and a misspelt annotation. */
function refused(ignore: string | undefined, name = 'echo'): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: edge
  annotations:
    service.beta.kubernetes.io/aws-load-balancer-schem: internet-facing
${ignore === undefined ? '' : `    ${KEY}: ${ignore}\n`}spec:
  type: LoadBalancer
  loadBalancerClass: service.k8s.aws/nlb
  selector: { app: echo }
  ports: [{ port: 443, nodePort: 70000 }]
`;
}

function checked(text: string, today?: string): CheckReport {
  const files = {
    kindOf: () => undefined,
    below: () => [],
    read: () => Buffer.from(text),
    onDisk: (path: string) => path,
  };
  return check(readManifests(['a.yaml'], files), NO_CONTEXT, today);
}

const open = ({ findings }: CheckReport) =>
  findings.flatMap(({ accepted, ruleId, place, object }) =>
    accepted ? [] : [`${object.name} ${place.line}:${place.column} ${ruleId}`],
  );

const left = (rule: string) => ['echo 7:5 annotation-unknown', `echo 8:5 ${rule}`, 'echo 13:24 node-port-invalid'];

test.each([
  [undefined, ['echo 7:5 annotation-unknown', 'echo 12:24 node-port-invalid']],
  ["'annotation-unknown, node-port-invalid: a test'", []],
  ["'annotation-unknown , node-port-invalid until 2027-06-30 : a test: with a colon'", []],
  ["'node-port-invalid: a test'", ['echo 7:5 annotation-unknown']],
  ['"node-port-invalid: one\\nannotation-unknown: two"', []],
  ["'node-port-invalid'", left('ignore-syntax-invalid')],
  ["'node-port-invalid: '", left('ignore-syntax-invalid')],
  ["'node-port-invalid until 2027-02-30: x'", left('ignore-syntax-invalid')],
  ["'node-port-invalid until 2026-12-31: x'", left('ignore-expired')],
  ["'node-prot: x'", left('ignore-rule-unknown')],
  ["'annotation-unknown, node-port-invalid, port-name-invalid: x'", ['echo 8:5 ignore-unused']],
  ["''", left('ignore-syntax-invalid')],
])('check with %s', (ignore, found) => expect(open(checked(refused(ignore), '2027-01-01'))).toEqual(found));

test('a value that is no text ignores nothing and is found at its place', () => {
  expect(open(checked(refused('[node-port-invalid]')))).toEqual(
    expect.arrayContaining(['echo 8:5 ignore-syntax-invalid', 'echo 13:24 node-port-invalid']),
  );
});

test.each<[string, string, string | undefined]>(
  casesIn(__dirname, 'ignored-findings.yaml')['with cdk8s-load-balancers'],
)('%s with cdk8s-load-balancers/%s', (field, name, remedy) => {
  const object = `apiVersion: v1\nkind: Namespace\nmetadata: { name: a, ${field}: { cdk8s-load-balancers/${name}: x } }\n`;
  const [found] = checked(object).findings;
  expect([found?.ruleId, found?.remedy, found?.place.line]).toEqual(
    remedy ? ['own-annotation-unknown', remedy, 3] : [undefined, undefined, undefined],
  );
});

test('without a day an entry counts for ever', () => {
  expect(open(checked(refused("'annotation-unknown, node-port-invalid until 2020-01-01: x'")))).toEqual([]);
});

test('an entry is for its own object alone', () => {
  const both = `${refused("'annotation-unknown, node-port-invalid: a test'")}---\n${refused(undefined, 'other')}`;
  expect(open(checked(both)).filter((one) => !one.includes('exclusive-resource'))).toEqual([
    'other 21:5 annotation-unknown',
    'other 26:24 node-port-invalid',
  ]);
});

test('a listener of Kafka has the entries of its resource', () => {
  const kafka = (annotations: string) => `apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: { name: events, namespace: kafka${annotations} }
spec:
  kafka:
    listeners:
      - name: external
        port: 9094
        type: loadbalancer
        tls: false
        configuration: { class: service.k8s.aws/nlb, finalizers: [service.k8s.aws/resource] }
`;
  const rules = [
    ...new Set(checked(kafka('')).findings.flatMap(({ level, ruleId }) => (level === 'note' ? [] : ruleId))),
  ];
  expect(rules).toContain('finalizer-unknown');
  const ignored = checked(kafka(`, annotations: { ${KEY}: '${rules.join(', ')}: a test' }`));
  expect(open(ignored).filter((one) => !one.includes('owner-') && !one.includes('-late'))).toEqual(
    open(checked(kafka(''))).filter((one) => rules.every((id) => !one.endsWith(` ${id}`)) && !one.includes('-late')),
  );
  expect(ignored.findings.filter(({ accepted }) => accepted).length).toBeGreaterThanOrEqual(rules.length);
});

test('ignored findings are counted, suppressed in SARIF and skipped in JUnit, and fail nothing', () => {
  const report = checked(refused("'annotation-unknown, node-port-invalid until 2027-06-30: a test'"));
  expect(summaryOf(report)).toBe(
    '0 errors, 0 warnings in 1 object; 2 accepted (annotation-unknown, node-port-invalid)',
  );
  expect(resultOfCheck(report).worst).toBeUndefined();
  const { results } = JSON.parse(FORMATS.sarif(report)).runs[0];
  const suppression = {
    kind: 'inSource',
    status: 'accepted',
    justification: 'a test',
    properties: { until: '2027-06-30' },
  };
  expect(results.map(({ suppressions }: { suppressions: unknown }) => suppressions)).toEqual([
    [suppression],
    [suppression],
  ]);
  expect(FORMATS.junit(report).match(/<skipped message="accepted: a test">/g)).toHaveLength(2);
  expect(JSON.parse(FORMATS.json(report)).findings[0].accepted).toEqual({
    reason: 'a test',
    until: '2027-06-30',
    isInSource: true,
  });
});

describe('diff', () => {
  const ignoring = (name: string, ignore: string, scheme: 'internal' | 'internet-facing') =>
    service(name, { scheme }).replace('annotations:', `annotations:\n    ${KEY}: '${ignore}'`);

  function diff(before: string, after: string, ...more: readonly string[]) {
    const folder = new Folder({ 'load-balancers.yaml': CONTEXT, 'old/a.yaml': before, 'new/a.yaml': after });
    return folder.diff(['old', 'new', '--date', '2027-01-01', ...more]);
  }

  const internal = service('echo');

  test('an outcome is accepted at the object that ignores it, and noted if it does not happen', () => {
    const { code, out } = diff(internal, ignoring('echo', 'replaced: planned', 'internet-facing'));
    expect([code, out]).toEqual([0, expect.stringContaining('planned')]);
    expect(diff(internal, service('echo', { scheme: 'internet-facing' })).code).toBe(1);
    expect(diff(internal, ignoring('echo', 'replaced until 2026-12-31: planned', 'internet-facing')).code).toBe(1);
    const idle = diff(internal, ignoring('echo', 'replaced: planned', 'internal'));
    expect(idle.out).toContain('replaced at edge/echo is accepted and does not happen; remove the entry');
  });

  test('the annotation itself changes no balancer', () => {
    const { code, out } = diff(internal, ignoring('echo', 'annotation-unknown: no reason', 'internal'));
    expect([code, out]).toEqual([0, expect.stringContaining('1 kept')]);
  });
});

describe('synth', () => {
  function app(ignore: string | undefined, nodePort = 30000, key = KEY): App {
    const made = new App();
    const echo = new LoadBalancedService(new Chart(made, 'first'), 'Echo', {
      controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE }),
      selector: { app: 'echo' },
      ports: [{ port: 443, nodePort }],
      trafficPolicy: TrafficPolicy.LOCAL,
    });
    if (ignore !== undefined) ApiObject.of(echo).metadata.addAnnotation(key, ignore);
    return made;
  }

  const warned = (made: App) =>
    LoadBalancers.of(made).warnings.map(({ finding, acknowledged }) => [finding.ruleId, acknowledged]);

  test('a warning is not reported, cannot fail, and is listed with its reason', () => {
    const made = app('local-policy-without-pool: three nodes');
    LoadBalancers.of(made).failOnWarnings();
    expect(stderrOf(() => made.synthYaml())).toBe('');
    expect(warned(made)).toEqual([['local-policy-without-pool', 'three nodes']]);
    expect(stderrOf(() => app(undefined).synthYaml())).toContain('local-policy-without-pool');
  });

  test('an error stops nothing, and is listed with its reason', () => {
    expect(() => app('local-policy-without-pool: three nodes', 70000).synthYaml()).toThrow('node-port-invalid');
    const made = app('local-policy-without-pool, node-port-invalid: a test', 70000);
    expect(made.synthYaml()).toContain('nodePort: 70000');
    expect(LoadBalancers.of(made).errors).toEqual([]);
    expect(warned(made)).toEqual(expect.arrayContaining([['node-port-invalid', 'a test']]));
  });

  test.each([
    ['local-policy-without-pool', 'ignore-syntax-invalid'],
    ['local-without-pols: x', 'ignore-rule-unknown'],
    ['local-policy-without-pool: x', 'own-annotation-unknown', KEY.slice(0, -1)],
    ['local-policy-without-pool: x', 'own-annotation-unknown', KEY.replace('s/', '/')],
  ])('%s is the warning %s', (ignore, rule, key = KEY) => {
    expect(stderrOf(() => app(ignore, 30000, key).synthYaml())).toContain(`(${rule})`);
  });

  test('two Services that claim one thing: the later one can ignore it', () => {
    const made = new App();
    const chart = new Chart(made, 'first');
    const [, later] = ['a', 'b'].map(
      (id) =>
        new LoadBalancedService(chart, id, {
          controller: AwsLoadBalancerController.nlb(),
          selector: { app: id },
          ports: [{ port: 443, nodePort: 30001 }],
        }),
    );
    expect(LoadBalancers.of(made).errors.map(({ finding }) => finding.ruleId)).toEqual(['exclusive-resource-conflict']);
    ApiObject.of(later).metadata.addAnnotation(KEY, 'exclusive-resource-conflict: a test');
    expect(LoadBalancers.of(made).errors).toEqual([]);
    expect(warned(made)).toContainEqual(['exclusive-resource-conflict', 'a test']);
    expect(() => stderrOf(() => made.synthYaml())).not.toThrow();
  });
});

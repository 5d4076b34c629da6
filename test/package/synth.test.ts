import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// The plugin of the packed library in the real `cdk8s synth`, in the project of a user.

const CONSUMER = process.env.CONSUMER as string;
const PROJECT = join(CONSUMER, 'validated');
const CDK8S = join(CONSUMER, 'node_modules', 'cdk8s-cli', 'bin', 'cdk8s');

/** An app that passes a plain object by every construct: nothing of it is known to this library before it is written. */
const APP = `
const { ApiObject, App, Chart } = require('cdk8s');
const app = new App();
for (const [id, namespace, name, spec, annotations] of JSON.parse(process.env.SERVICES)) {
  const chart = app.node.tryFindChild(namespace) ?? new Chart(app, namespace, { namespace });
  new ApiObject(chart, id, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, annotations },
    spec: { type: 'LoadBalancer', selector: { app: 'echo' }, ports: [{ port: 80 }], ...spec },
  });
}
app.synth();
`;

const CLASS = { loadBalancerClass: 'service.k8s.aws/nlb' };
const WRONG = { loadBalancerClass: 'a/b/c' };
const MISSPELT = { 'service.beta.kubernetes.io/aws-load-balancer-schem': 'internal' };

type Service = [id: string, namespace: string, name: string, spec: object, annotations?: object];

const RIGHT: Service = ['Right', 'edge', 'right', CLASS];

interface Report {
  readonly violations: readonly {
    readonly ruleName: string;
    readonly violatingConstructs: readonly { readonly constructPath?: string; readonly locations: readonly string[] }[];
  }[];
  readonly summary: { readonly status: string; readonly metadata: Readonly<Record<string, string>> };
}

interface Synth {
  readonly status: number | null;
  readonly output: string;
  readonly report: Report;
  /** The paths of constructs as cdk8s itself names them, and the locations, of each violation. */
  readonly violations: readonly [rule: string, construct: string | undefined, location: string][];
}

/** Runs `cdk8s synth` with the validation in cdk8s.yaml. */
function synth(services: readonly Service[], properties: object = {}): Synth {
  const validation = {
    package: './node_modules/cdk8s-load-balancers',
    version: '0.0.0',
    class: 'LoadBalancerValidation',
    // cdk8s hands the names of these to npm in place of their values
    installEnv: { NPM_TOKEN: 'secret' },
    properties,
  };
  writeFileSync(join(PROJECT, 'cdk8s.yaml'), JSON.stringify({ app: 'node app.js', validations: [validation] }));
  rmSync(join(PROJECT, 'report.json'), { force: true });
  const args = [CDK8S, 'synth', '--check-upgrade=false', '--validation-reports-output-file', 'report.json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: PROJECT,
    encoding: 'utf8',
    env: { ...process.env, SERVICES: JSON.stringify(services) },
  });
  const output = stdout + stderr;
  if (!existsSync(join(PROJECT, 'report.json'))) throw new Error(output);
  const [report] = JSON.parse(readFileSync(join(PROJECT, 'report.json'), 'utf8')).reports as Report[];
  const violations = report.violations.flatMap(({ ruleName, violatingConstructs }) =>
    violatingConstructs.map(({ constructPath, locations }): [string, string | undefined, string] => [
      ruleName,
      constructPath,
      locations.join(),
    ]),
  );
  return { status, output, report, violations };
}

beforeAll(() => {
  mkdirSync(PROJECT, { recursive: true });
  symlinkSync(join(CONSUMER, 'node_modules'), join(PROJECT, 'node_modules'));
  writeFileSync(join(PROJECT, 'app.js'), APP);
});

test('an app without a mistake is synthesized', () => {
  const { status, output, report, violations } = synth([RIGHT]);
  expect({ status, violations, said: report.summary.status }).toEqual({ status: 0, violations: [], said: 'success' });
  expect(output).toContain('Validations ended succesfully');
});

test('an error fails the synth, and the files stay', () => {
  const { status, output, violations } = synth([RIGHT, ['Wrong', 'edge', 'wrong', WRONG]]);
  expect(status).toBe(2);
  expect(violations).toEqual([
    ['class-invalid', 'edge/Wrong', 'dist/edge.k8s.yaml:20:3 Service edge/wrong, construct edge/Wrong'],
  ]);
  expect(output).toContain('has more than one slash');
  expect(output).toContain('How to fix: write domain/name');
  expect(readdirSync(join(PROJECT, 'dist')).sort()).toEqual(['construct-metadata.json', 'edge.k8s.yaml']);
});

test('a warning is printed, and fails where that is asked for', () => {
  const services: Service[] = [['Warned', 'edge', 'warned', CLASS, MISSPELT]];
  const { status, output, violations } = synth(services);
  expect(status).toBe(0);
  expect(violations.map(([rule]) => rule)).toEqual(['annotation-unknown']);
  expect(output).toContain('Recommendation: warning: aws-load-balancer-controller: ');
  expect(synth(services, { failOn: 'warning' }).status).toBe(2);
});

test('of two Services of one name none is taken for the other', () => {
  const { violations } = synth([
    ['Svc', 'a', 'same', WRONG],
    ['Svc', 'b', 'same', CLASS],
  ]);
  expect(violations).toEqual([['class-invalid', undefined, 'dist/a.k8s.yaml:7:3 Service a/same']]);
});

test('what is known of the cluster is read beside cdk8s.yaml', () => {
  const unclassed: Service[] = [['Svc', 'edge', 'unclassed', {}]];
  expect(synth(unclassed).report.summary.metadata.Unknown).toContain('controllers');
  writeFileSync(join(PROJECT, 'load-balancers.yaml'), 'controllers: [cloud-provider-aws]\n');
  const { Known, Unknown } = synth(unclassed).report.summary.metadata;
  rmSync(join(PROJECT, 'load-balancers.yaml'));
  expect(Known).toContain('controllers cloud-provider-aws');
  expect(Unknown ?? '').not.toContain('controllers');
});

test('a mistake in cdk8s.yaml is an answer too', () => {
  const { status, output } = synth([RIGHT], { failon: 'warning' });
  expect(status).toBe(2);
  expect(output).toContain('properties.failon is not read');
  expect(output).toContain('How to fix: write failOn');
});

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Protected balancers in the real `cdk8s synth`, which empties its output folder before the app runs.

const CONSUMER = process.env.CONSUMER as string;
const PROJECT = join(CONSUMER, 'protected');
const CDK8S = join(CONSUMER, 'node_modules', 'cdk8s-cli', 'bin', 'cdk8s');

const APP = `
const { App, Chart } = require('cdk8s');
const { AwsLoadBalancerController, LoadBalancedService, LoadBalancerProtection } = require('cdk8s-load-balancers');
const app = new App();
new LoadBalancedService(new Chart(app, 'edge'), 'Echo', {
  name: process.env.NAME, controller: AwsLoadBalancerController.nlb(), selector: { app: 'echo' }, ports: [{ port: 443 }],
}).protect();
new LoadBalancerProtection(app, 'Protection', JSON.parse(process.env.PROPS));
app.synth();
`;

/** Runs `cdk8s synth` for an app with a Service of a name. */
function synth(name: string, props: object): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CDK8S, 'synth', '--check-upgrade=false'], {
    cwd: PROJECT,
    encoding: 'utf8',
    env: { ...process.env, NAME: name, PROPS: JSON.stringify(props) },
  });
  return { status, output: stdout + stderr };
}

const written = () => join(PROJECT, 'dist', 'edge.k8s.yaml');

beforeAll(() => {
  mkdirSync(PROJECT, { recursive: true });
  symlinkSync(join(CONSUMER, 'node_modules'), join(PROJECT, 'node_modules'));
  writeFileSync(join(PROJECT, 'app.js'), APP);
  writeFileSync(join(PROJECT, 'cdk8s.yaml'), JSON.stringify({ app: 'node app.js' }));
});

test('what was written before is gone, so something has to be named', () => {
  mkdirSync(join(PROJECT, 'dist'));
  writeFileSync(written(), 'kind: Service');
  const { status, output } = synth('echo', {});
  expect(status).not.toBe(0);
  expect(output).toMatch(/cdk8s synth emptied '.*dist' before the app ran.*previous: 'deployed' \(previous-missing\)/);
});

test('a copy that is kept is compared with, and a loss writes nothing', () => {
  const previous = 'deployed';
  mkdirSync(join(PROJECT, previous));
  const first = synth('echo', { previous });
  expect(first).toMatchObject({ status: 0, output: expect.stringContaining('(previous-empty)') });
  expect(readFileSync(written(), 'utf8')).toContain('cdk8s-load-balancers/protected: aws-load-balancer-controller');
  cpSync(join(PROJECT, 'dist'), join(PROJECT, previous), { recursive: true });
  expect(synth('echo', { previous })).toMatchObject({ status: 0, output: expect.not.stringContaining('Protection') });
  const { status, output } = synth('other', { previous });
  expect(status).not.toBe(0);
  expect(output).toMatch(/\[Protection\] .*default\/echo .*would get another address.*\(protected-balancer-lost\)/);
  expect(existsSync(written())).toBe(false);
});

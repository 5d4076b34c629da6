import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

const SYNTH = `
  const { App, Chart } = require('cdk8s');
  const { HetznerCloud, LoadBalancedService, MetalLb, NodePool } = require('./src');
  const app = new App();
  const chart = new Chart(app, 'chart');
  const ports = [{ port: 443 }];
  const wishes = { ports, selector: { app: 'echo' } };
  new LoadBalancedService(chart, 'cloud', { ...wishes, controller: HetznerCloud.loadBalancer() });
  new LoadBalancedService(chart, 'bare', { ...wishes, controller: MetalLb.layer2({ addressPool: 'edge' }) });
  if (!app.synthYaml().includes('kind: Service')) throw new Error('nothing was synthesized');`;

const WITHOUT_INDEX = SYNTH.replace(
  "require('./src')",
  "{ ...require('./src/controllers'), ...require('./src/services'), ...require('./src/nodes') }",
);

/** A synth that compares what is protected, with something that is changed. */
const PROTECTED = `
  const { mkdtempSync, rmSync } = require('node:fs');
  const { App, Chart } = require('cdk8s');
  const { AwsLoadBalancerController } = require('./src/controllers');
  const { LoadBalancedService } = require('./src/services');
  const { LoadBalancerProtection } = require('./src/diff/app');
  const outdir = mkdtempSync(require('node:path').join(require('node:os').tmpdir(), 'protected-'));
  const synth = (name) => {
    const app = new App({ outdir });
    const props = { name, ports: [{ port: 443 }], selector: { app: 'echo' }, controller: AwsLoadBalancerController.nlb() };
    new LoadBalancedService(new Chart(app, 'chart'), 'Echo', props).protect();
    new LoadBalancerProtection(app, 'Protection');
    app.synth();
  };
  synth('echo');
  let said = '';
  try { synth('other'); } catch (error) { said = error.message; }
  rmSync(outdir, { recursive: true });
  if (!said.includes('protected-balancer-lost')) throw new Error('nothing was compared: ' + said);`;

const CDK8S = `require('cdk8s');`;
const COMMAND = `require('./src/cli/main');`;

const PROGRAMS = {
  cdk8s: CDK8S,
  package: `${CDK8S} require('./src');`,
  synth: SYNTH,
  withoutIndex: WITHOUT_INDEX,
  command: COMMAND,
  traces: `${COMMAND} require('./src/cli/explain/traces');`,
  cdk8sPlus: `require('cdk8s-plus-27');`,
  diff: `require('./src/diff/app');`,
  report: `require('./src/report');`,
  protected: PROTECTED,
};

/** The files that each program loads, one after the other in one process. */
function filesLoaded(): Record<keyof typeof PROGRAMS, readonly string[]> {
  const run = `
    const loaded = Object.entries(${JSON.stringify(PROGRAMS)}).map(([name, program]) => {
      for (const path of Object.keys(require.cache)) delete require.cache[path];
      new Function('require', program)(require);
      return [name, Object.keys(require.cache).map((path) => path.replaceAll('\\\\', '/'))];
    });
    process.stdout.write('loaded:' + JSON.stringify(Object.fromEntries(loaded)));`;
  const output = execFileSync(process.execPath, ['--import', 'tsx', '--eval', run], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.scripts.json') },
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return JSON.parse(output.slice(output.indexOf('loaded:') + 'loaded:'.length));
}

const files = filesLoaded();
type Program = keyof typeof PROGRAMS;

const named = (program: Program, pattern: RegExp) => [
  ...new Set(files[program].flatMap((path) => pattern.exec(path)?.[1] ?? [])),
];
const packagesOf = (program: Program) => named(program, /.*node_modules\/((?:@[^/]+\/)?[^/]+)/);
const roomsOf = (program: Program) => named(program, /\/src\/([a-z]+)\//);
const modelOf = (program: Program) => named(program, /\/src\/lifecycle\/(.*)\.ts$/);

const HEAVY = /^(aws-cdk-lib|cdk8s-plus-\d+|@aws-cdk\/.*|commander)$/;
const FOR_RULES = ['finalizer-verdicts.facts'];

test('synthesizing Services loads no AWS CDK, no cdk8s-plus and no command line', () => {
  expect(packagesOf('synth')).toContain('cdk8s');
  expect(packagesOf('synth').filter((name) => HEAVY.test(name))).toEqual([]);
});

test('loading the package loads nothing that cdk8s does not load', () => {
  expect(packagesOf('package').filter((name) => !packagesOf('cdk8s').includes(name))).toEqual([]);
});

test('the command line loads its parser', () => {
  expect(packagesOf('command')).toEqual(expect.arrayContaining(['commander', 'yaml']));
});

test('a package that is heavy is found out', () => {
  expect(packagesOf('cdk8sPlus').filter((name) => HEAVY.test(name))).toEqual(['cdk8s-plus-27']);
});

test('a synth loads neither what computes traffic or money without a budget, nor what compares without a protection', () => {
  const rooms = roomsOf('withoutIndex');
  expect(rooms).toContain('rules');
  expect(rooms.filter((room) => ['cost', 'traffic', 'report', 'diff', 'predicted'].includes(room))).toEqual([]);
  expect(roomsOf('diff')).toEqual(expect.arrayContaining(['diff', 'predicted']));
  expect(roomsOf('report')).toEqual(expect.arrayContaining(['cost', 'traffic', 'report']));
});

test('a protection searches the model if something differs', () => {
  expect(modelOf('protected')).toEqual(expect.arrayContaining(['changes', 'checker']));
});

test('a synth that protects nothing loads no search of the model, and the command loads it for a trace', () => {
  expect(modelOf('withoutIndex')).toEqual(FOR_RULES);
  expect(modelOf('command')).toEqual(FOR_RULES);
  expect(modelOf('traces')).toEqual(expect.arrayContaining(['changes', 'safety', 'checker']));
});

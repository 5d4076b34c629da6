import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** What a program of one line loads from `node_modules`: the names of the packages. */
function packagesLoadedBy(program: string): string[] {
  const report = `
    const packages = Object.keys(require.cache)
      .map((path) => /node_modules[\\\\/]((?:@[^\\\\/]+[\\\\/])?[^\\\\/]+)/.exec(path.replace(/.*node_modules(?=[\\\\/])/, 'node_modules')))
      .filter(Boolean).map(([, name]) => name);
    process.stdout.write('loaded:' + JSON.stringify([...new Set(packages)]));`;
  return loadedBy(program, report);
}

function loadedBy(program: string, report: string): string[] {
  const output = execFileSync(process.execPath, ['--import', 'tsx', '--eval', program + report], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.scripts.json') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return JSON.parse(output.slice(output.indexOf('loaded:') + 'loaded:'.length)) as string[];
}

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

const HEAVY = /^(aws-cdk-lib|cdk8s-plus-\d+|@aws-cdk\/.*|commander)$/;

test('synthesizing Services loads no AWS CDK, no cdk8s-plus and no command line', () => {
  const packages = packagesLoadedBy(SYNTH);
  expect(packages).toContain('cdk8s');
  expect(packages.filter((name) => HEAVY.test(name))).toEqual([]);
});

test('loading the package loads nothing that cdk8s does not load', () => {
  const before = packagesLoadedBy(`require('cdk8s');`);
  expect(packagesLoadedBy(`require('cdk8s'); require('./src');`).filter((name) => !before.includes(name))).toEqual([]);
});

test('the command line loads its parser', () => {
  expect(packagesLoadedBy(`require('./src/checks/main');`)).toEqual(expect.arrayContaining(['commander', 'yaml']));
});

test('a package that is heavy is found out', () => {
  expect(packagesLoadedBy(`require('cdk8s-plus-27');`).filter((name) => HEAVY.test(name))).toEqual(['cdk8s-plus-27']);
});

/** The rooms of what is loaded below the modules of Services and controllers: the index of the package loads each when it is asked for. */
function roomsLoadedBy(program: string): string[] {
  const report = `
    const rooms = Object.keys(require.cache).map((path) => /\\/src\\/([a-z]+)\\//.exec(path)).filter(Boolean).map(([, room]) => room);
    process.stdout.write('loaded:' + JSON.stringify([...new Set(rooms)]));`;
  return loadedBy(program, report);
}

const WITHOUT_INDEX = SYNTH.replace(
  "require('./src')",
  "{ ...require('./src/controllers'), ...require('./src/services'), ...require('./src/nodes') }",
);

test('a synth without a budget loads nothing that computes traffic or money', () => {
  const rooms = roomsLoadedBy(WITHOUT_INDEX);
  expect(rooms).toContain('rules');
  expect(rooms.filter((room) => ['cost', 'traffic', 'report'].includes(room))).toEqual([]);
});

test('a synth that protects nothing loads nothing that compares', () => {
  expect(roomsLoadedBy(WITHOUT_INDEX).filter((room) => ['diff', 'later'].includes(room))).toEqual([]);
});

test('a protection loads it', () => {
  expect(roomsLoadedBy(`require('./src/diff');`)).toEqual(expect.arrayContaining(['diff', 'later']));
});

test('a budget loads them', () => {
  expect(roomsLoadedBy(`require('./src/report');`)).toEqual(expect.arrayContaining(['cost', 'traffic', 'report']));
});

/** What is loaded of the model of a balancer's life. */
function modelLoadedBy(program: string): string[] {
  const report = `
    const files = Object.keys(require.cache).map((path) => /\\/src\\/lifecycle\\/(.*)\\.ts$/.exec(path)).filter(Boolean).map(([, file]) => file);
    process.stdout.write('loaded:' + JSON.stringify(files));`;
  return loadedBy(program, report);
}

const FOR_RULES = ['finalizer-verdicts.facts'];

/** A synth that compares what is protected, with something that is changed. */
const PROTECTED = `
  const { mkdtempSync, rmSync } = require('node:fs');
  const { App, Chart } = require('cdk8s');
  const { AwsLoadBalancerController } = require('./src/controllers');
  const { LoadBalancedService } = require('./src/services');
  const { LoadBalancerProtection } = require('./src/diff');
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

test('a protection searches the model if something differs', () => {
  expect(modelLoadedBy(PROTECTED)).toEqual(expect.arrayContaining(['change-results', 'checker']));
});

test('a synth that protects nothing loads no search of the model, and the command loads it for a trace', () => {
  const load = `require('./src/checks/main');`;
  expect(modelLoadedBy(WITHOUT_INDEX)).toEqual(FOR_RULES);
  expect(modelLoadedBy(load)).toEqual(FOR_RULES);
  expect(modelLoadedBy(`${load} require('./src/checks/explain/traces');`)).toEqual(
    expect.arrayContaining(['change-results', 'verdict', 'checker']),
  );
});

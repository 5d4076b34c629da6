import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** What a program prints that runs on the sources, in a process of its own. */
function run(program: string): string {
  return execFileSync(process.execPath, ['--import', 'tsx', '--eval', program], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.scripts.json') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const LOADED = `Object.keys(require.cache).some((path) => /[\\\\/]aws-cdk-lib[\\\\/]/.test(path))`;

test('plain data loads nothing of AWS CDK, and a construct of it does', () => {
  const seen = run(`
    const { AwsLoadBalancerControllerPolicy, AwsRoleTrust, PodIdentityAssociation } = require('./src/identity');
    AwsLoadBalancerControllerPolicy.full({ clusterName: 'prod' }).toPolicyDocument();
    AwsRoleTrust.podIdentity().toPolicyDocument();
    const before = ${LOADED};
    try { new PodIdentityAssociation(new (require('constructs').RootConstruct)(), 'x', { clusterName: 'a', namespace: 'b', serviceAccount: 'c', roleArn: 'd' }); } catch {}
    process.stdout.write(JSON.stringify([before, ${LOADED}]));`);
  expect(JSON.parse(seen)).toEqual([false, true]);
});

test('where AWS CDK is not installed, a construct of it says how to get it in every language', () => {
  const message = run(`
    const Module = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = (name, ...rest) => {
      if (name.startsWith('aws-cdk-lib')) throw Object.assign(new Error('no ' + name), { code: 'MODULE_NOT_FOUND' });
      return resolve(name, ...rest);
    };
    const { AwsLoadBalancerControllerRole } = require('./src/identity');
    try {
      new AwsLoadBalancerControllerRole(new (require('constructs').RootConstruct)(), 'Role', { podIdentity: { clusterName: 'prod' } });
    } catch (error) {
      process.stdout.write(error.message);
    }`);
  expect(message).toMatch(/^AwsLoadBalancerControllerRole: AWS CDK is not installed; .*\(aws-cdk-missing\)$/);
  for (const way of ['npm install', 'pip install', 'Maven', 'NuGet', 'go get']) {
    expect(message).toContain(way);
  }
});

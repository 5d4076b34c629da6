import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chart, Testing } from 'cdk8s';
import { SharedLoadBalancer } from '../../../src/tenancy';
import { run } from '../../support/command';
import { BY_PORT } from '../manifests/tenant-apps';

// The command runs an app with a real SharedLoadBalancer, which reads the lock file as well.

const ROOT = join(__dirname, '..', '..', '..');
const LOCK = 'ports.lock.json';
const APP = `
import { App, Chart } from ${JSON.stringify(require.resolve('cdk8s'))};
import { SharedLoadBalancer } from ${JSON.stringify(join(ROOT, 'src/tenancy/shared/shared-load-balancer'))};
import { SharedLoadBalancerEngine } from ${JSON.stringify(join(ROOT, 'src/tenancy/engines/shared-load-balancer-engine'))};
const app = new App();
const chart = new Chart(app, 'platform', { namespace: 'infra' });
const shared = new SharedLoadBalancer(chart, 'Shared', {
  engine: SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'] }),
  oneTeam: true,
  portConflict: 'REMAP',
});
for (const tenant of ['team-a', 'team-b']) {
  shared.addTenant(tenant);
  const port = tenant === 'team-a' ? 5432 : 5433;
  shared.attach(new Chart(app, tenant, { namespace: tenant }), { tenant, service: 'db', ports: [{ port }] });
}
app.synth();
`;

const home = process.cwd();
let folder: string;
let locked: string;

const ports = (...args: string[]) =>
  run('ports', '--app', `${join(ROOT, 'node_modules', '.bin', 'tsx')} main.ts`, ...args);
const text = () => readFileSync(LOCK, 'utf8');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ports-of-an-app-'));
  process.chdir(folder);
  writeFileSync('main.ts', APP);
  expect(ports()).toMatchObject({ error: '', code: 0 });
  locked = text();
});

afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

function synth(): void {
  new SharedLoadBalancer(new Chart(Testing.app(), 'platform', { namespace: 'infra' }), 'Shared', {
    engine: BY_PORT,
    oneTeam: true,
  });
}

const LINE = /( *)"team-b\/db:5433".*/;

describe.each([
  {
    way: 'a port that is edited',
    edit: () => locked.replace('"port": 5433', '"port": 30005'),
    rule: 'port-lock-checksum-mismatch',
    accepted: { 'team-b/db:5433': { balancer: 0, port: 30005 } },
  },
  {
    way: 'a checksum that is edited',
    edit: () => locked.replace(/sha256:..../, 'sha256:0000'),
    rule: 'port-lock-checksum-mismatch',
    accepted: { 'team-b/db:5433': { balancer: 0, port: 5433 } },
  },
  {
    way: 'a line that is added',
    edit: () => locked.replace(LINE, '$&,\n$1"team-c/db:1": { "balancer": 0, "port": 1 }'),
    rule: 'port-lock-checksum-mismatch',
    accepted: { 'team-c/db:1': { balancer: 0, port: 1 } },
  },
  {
    way: 'the markers of a merge',
    edit: () => locked.replace(LINE, '<<<<<<< ours\n$&\n=======\n$&\n>>>>>>> theirs'),
    rule: 'port-lock-merge-markers',
  },
  { way: 'half a file', edit: () => locked.slice(0, 100), rule: 'port-lock-invalid' },
])('$way', ({ edit, rule, accepted }) => {
  test('is refused by a synth', () => {
    writeFileSync(LOCK, edit());
    expect(synth).toThrow(`(${rule})`);
  });

  test('is checked by the command, and not by the app that it runs', () => {
    writeFileSync(LOCK, edit());
    const { out, error, code } = ports();
    expect([out, code]).toEqual(['', 1]);
    expect(error).toMatch(/^ports: ports\.lock\.json, line \d+: .*\n$/);
    expect(error).toContain(`(${rule})`);
    expect(text()).toBe(edit());
  });

  test(`${accepted ? 'is taken' : 'is refused'} with --accept-edits`, () => {
    writeFileSync(LOCK, edit());
    const { error, code } = ports('--accept-edits');
    if (accepted) {
      expect([error, code]).toEqual(['', 0]);
      expect(JSON.parse(text()).shared.shared.endpoints).toMatchObject(accepted);
      expect(synth).not.toThrow();
    } else {
      expect(error).toMatch(/^ports: ports\.lock\.json, line \d+: .*\n$/);
      expect(error).toContain(`(${rule})`);
      expect([text(), code]).toEqual([edit(), 1]);
    }
  });
});

test('a merge is resolved: both sides are kept, and the command signs the file', () => {
  const merged = locked
    .replace(/^( *"checksum".*)$/m, '<<<<<<< ours\n$1\n=======\n$1\n>>>>>>> theirs')
    .replace(LINE, '<<<<<<< ours\n$&\n=======\n$1"team-c/db:1": { "balancer": 0, "port": 1 }\n>>>>>>> theirs');
  writeFileSync(LOCK, merged);
  expect(ports('--accept-edits').error).toContain('(port-lock-merge-markers)');
  const kept = merged
    .replace(/<<<<<<< ours\n( *"checksum".*\n)=======\n.*\n>>>>>>> theirs\n/, '$1')
    .replace(/<<<<<<< ours\n(.*)\n=======\n(.*)\n>>>>>>> theirs/, '$1,\n$2');
  writeFileSync(LOCK, kept.replace(/sha256:..../, 'sha256:0000'));
  expect(ports('--accept-edits')).toMatchObject({ error: '', code: 0 });
  expect(Object.keys(JSON.parse(text()).shared.shared.endpoints)).toEqual([
    'team-a/db:5432',
    'team-b/db:5433',
    'team-c/db:1',
  ]);
  expect(synth).not.toThrow();
});

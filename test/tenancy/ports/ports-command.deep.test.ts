import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PortRules, RequestedPorts } from '../../../src/tenancy/ports/rules';
import { run } from '../../support/command';
import { asks, REMAP, RULES, SHARD } from './port-requests';

// An app in a folder of its own: what it asks for stands in asked.json, and it asks as the constructs do.

const ROOT = join(__dirname, '..', '..', '..');
const LOCK = 'ports.lock.json';
const APP = `node ${JSON.stringify(join('app', 'main.js'))}`;
const MAIN = `
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { asked, exit } = JSON.parse(readFileSync('app/asked.json', 'utf8'));
for (const each of asked) appendFileSync(process.env.CDK8S_LOAD_BALANCERS_PORT_REQUESTS, JSON.stringify(each) + '\\n');
mkdirSync(process.env.CDK8S_OUTDIR, { recursive: true });
writeFileSync(join(process.env.CDK8S_OUTDIR, 'app.k8s.yaml'), 'kind: Nothing');
if (exit) { console.error('the app is ill'); process.exit(exit); }
`;

const home = process.cwd();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ports-command-'));
  mkdirSync(join(folder, 'app'));
  writeFileSync(join(folder, 'app', 'main.js'), MAIN);
  writeFileSync(join(folder, 'cdk8s.yaml'), `language: typescript\napp: ${APP}\n`);
  process.chdir(folder);
});

afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

function shared(texts: string[], rules: PortRules = RULES, more: Partial<RequestedPorts> = {}): RequestedPorts {
  return { shared: 'shared', lock: LOCK, rules, requests: texts.map(asks), ...more };
}

function appAsks(asked: RequestedPorts[], exit = 0): void {
  writeFileSync(join(folder, 'app', 'asked.json'), JSON.stringify({ asked, exit }));
}

const ports = (...args: string[]) => run('ports', ...args);

const text = (file = LOCK) => readFileSync(join(folder, file), 'utf8');
const endpoints = (file = LOCK, name = 'shared') => JSON.parse(text(file)).shared[name]?.endpoints;
const edit = (from: string | RegExp, to: string) => writeFileSync(join(folder, LOCK), text().replace(from, to));

describe('the first time', () => {
  test('writes the lock file, and tells where everybody is', () => {
    appAsks([shared(['team-b/db:5432', 'team-a/db:5432'], REMAP, { hostnames: ['tcp.example.com'] })]);
    const { out, error, code } = ports();
    expect([error, code]).toEqual(['', 0]);
    expect(out).toBe(
      [
        'ports.lock.json',
        'ENDPOINT        SHARED  BALANCER  PORT   ADDRESS                TLS NAMES  STATE',
        'team-a/db:5432  shared  0         5432   tcp.example.com:5432   -          added',
        'team-b/db:5432  shared  0         30000  tcp.example.com:30000  -          added',
        '',
      ].join('\n'),
    );
    expect(endpoints()).toEqual({
      'team-a/db:5432': { balancer: 0, port: 5432 },
      'team-b/db:5432': { balancer: 0, port: 30000 },
    });
  });

  test('leaves nothing else behind, and the manifests of the app go nowhere', () => {
    appAsks([shared(['a/x:1'])]);
    ports();
    expect(readdirSync(folder).sort()).toEqual(['app', 'cdk8s.yaml', LOCK]);
  });

  test('writes nothing where nobody asks', () => {
    appAsks([shared([])]);
    expect(ports()).toEqual({ out: 'ports.lock.json\nno endpoints\n', error: '', code: 0 });
    appAsks([]);
    expect(ports()).toEqual({ out: 'no shared load balancer of the app asks for ports\n', error: '', code: 0 });
    expect(existsSync(LOCK)).toBe(false);
  });

  test('what is asked for last counts: cdk8s validates an app more than once', () => {
    appAsks([shared(['a/x:1']), shared(['a/x:2'])]);
    ports();
    expect(Object.keys(endpoints())).toEqual(['a/x:2']);
  });

  test('each lock file gets its own, each shared load balancer its part', () => {
    mkdirSync('locks');
    appAsks([
      shared(['a/x:1']),
      shared(['a/x:1'], RULES, { shared: 'internal' }),
      shared(['a/x:1'], RULES, { shared: 'far', lock: join(folder, 'locks', 'far.json') }),
    ]);
    expect(ports().code).toBe(0);
    expect(Object.keys(JSON.parse(text()).shared)).toEqual(['internal', 'shared']);
    expect(endpoints('locks/far.json', 'far')).toEqual({ 'a/x:1': { balancer: 0, port: 1 } });
  });
});

describe('later', () => {
  beforeEach(() => {
    appAsks([shared(['a/x:1', 'b/x:1'], REMAP)]);
    ports();
  });

  test('moves nobody for those who come', () => {
    appAsks([shared(['a/a:1', 'a/x:1', 'b/x:1'], REMAP)]);
    const before = text();
    const { out } = ports();
    expect(out.match(/^\S+:\d+ .*$/gm)).toEqual([
      expect.stringMatching(/^a\/a:1 .* 30001 .* added$/),
      expect.stringMatching(/^a\/x:1 .* 1 .* kept$/),
      expect.stringMatching(/^b\/x:1 .* 30000 .* kept$/),
    ]);
    const added = text()
      .split('\n')
      .filter((line) => !before.includes(line));
    expect(added.map((line) => line.trim().split(':')[0])).toEqual(['"checksum"', '"a/a']);
  });

  test('keeps the ports of those who go, until they are pruned', () => {
    appAsks([shared(['b/x:1', 'c/x:1'], REMAP)]);
    expect(ports().out).toMatch(/^a\/x:1 .* gone, and kept until --prune$/m);
    expect(endpoints()['c/x:1'].port).toBe(30001);
    expect(ports('--prune').out).toMatch(/^a\/x:1 .* pruned$/m);
    expect(Object.keys(endpoints())).toEqual(['b/x:1', 'c/x:1']);
  });

  test('prunes a shared load balancer that is gone', () => {
    appAsks([shared(['a/x:1'], REMAP, { shared: 'new' })]);
    expect(ports().code).toBe(0);
    expect(Object.keys(JSON.parse(text()).shared)).toEqual(['new', 'shared']);
    ports('--prune');
    expect(Object.keys(JSON.parse(text()).shared)).toEqual(['new']);
  });

  test('releases an endpoint by name, which gets another port', () => {
    const { out, code } = ports('--release', 'b/x:1', 'a/x:1');
    expect(code).toBe(0);
    expect(out.match(/released$|added$/gm)).toEqual(['released', 'released', 'added', 'added']);
    expect(ports('--release', 'c/x:1')).toMatchObject({
      error: 'ports: c/x:1 cannot be released: no lock file of the app has it; name endpoints as the lock file does\n',
      code: 1,
    });
  });

  test('tells other TLS names', () => {
    appAsks([shared(['a/x:1', 'b/x:1', 'c/x:1 wants 443 as one.example'], REMAP)]);
    ports();
    appAsks([shared(['a/x:1', 'b/x:1', 'c/x:1 wants 443 as two.example'], REMAP)]);
    expect(ports().out).toMatch(/^c\/x:1 .* two\.example {2}changed: other TLS names$/m);
    expect(endpoints()['c/x:1'].hosts).toEqual(['two.example']);
  });

  test('checks without writing', () => {
    expect(ports('--check').code).toBe(0);
    appAsks([shared(['a/x:1', 'b/x:1', 'c/x:1'], REMAP)]);
    const before = text();
    expect(ports('--check')).toMatchObject({
      code: 1,
      error: expect.stringMatching(/ports\.lock\.json is out of date/),
    });
    expect(text()).toBe(before);
    appAsks([shared(['a/x:1'], REMAP)]);
    expect(ports('--check').code).toBe(0);
    expect(ports('--check', '--prune').code).toBe(1);
    rmSync(LOCK);
    expect(ports('--check').code).toBe(1);
    expect(existsSync(LOCK)).toBe(false);
  });

  test('the line ends of Windows are no change', () => {
    edit(/\n/g, '\r\n');
    const before = text();
    expect(ports('--check').code).toBe(0);
    expect(ports().code).toBe(0);
    expect(text()).toBe(before);
  });

  test('does not take what a person changed, unless it is told to', () => {
    edit('30000', '30005');
    const before = text();
    expect(ports()).toMatchObject({
      code: 1,
      error: expect.stringMatching(/^ports: .* line 3: .*\(port-lock-checksum-mismatch\)/),
    });
    expect(text()).toBe(before);
    expect(ports('--check', '--accept-edits').code).toBe(1);
    expect(ports('--accept-edits').code).toBe(0);
    expect(endpoints()['b/x:1'].port).toBe(30005);
    expect(ports('--check').code).toBe(0);
  });

  test('a resolved merge is taken, where the ports make sense', () => {
    edit(/( *"a\/x:1".*\n)/, '<<<<<<< ours\n$1=======\n$1>>>>>>> theirs\n');
    expect(ports('--accept-edits')).toMatchObject({
      code: 1,
      error: expect.stringContaining('(port-lock-merge-markers)'),
    });
    edit(/<<<<<<<.*\n|>>>>>>>.*\n/g, '');
    edit(/=======\n.*\n/, '');
    expect(ports('--accept-edits').code).toBe(0);
  });

  test('a lock file behind a link stays behind it', () => {
    writeFileSync(join(folder, 'app', LOCK), text());
    rmSync(LOCK);
    symlinkSync(join(folder, 'app', LOCK), LOCK);
    appAsks([shared(['c/x:1'], REMAP)]);
    ports();
    expect(Object.keys(endpoints(join('app', LOCK)))).toContain('c/x:1');
  });
});

describe('writes nothing where', () => {
  const nothing = () => expect(existsSync(LOCK)).toBe(false);

  test('somebody cannot have a port', () => {
    appAsks([shared(['a/x:1', 'b/x:1']), shared(['a/x:1'], SHARD, { shared: 'other', lock: 'other.json' })]);
    expect(ports()).toEqual({
      out: '',
      error:
        'ports: a/x:1 of App/a and b/x:1 of App/b both request port 1; give one of the two another port, or let the shared load balancer find one: PortConflictPolicy.SHARD, .REMAP (port-conflict)\nports: nothing was written\n',
      code: 1,
    });
    nothing();
    expect(existsSync('other.json')).toBe(false);
  });

  test('the app fails before it asks', () => {
    appAsks([], 3);
    expect(ports()).toEqual({
      out: '',
      error: 'the app is ill\nports: the app exited with 3 before it asked for ports; mend it first\n',
      code: 1,
    });
    nothing();
  });

  test('the app fails after it asked, and something is to be pruned', () => {
    appAsks([shared(['a/x:1', 'b/x:2'])]);
    ports();
    const before = text();
    appAsks([shared(['a/x:1'])], 1);
    expect(ports('--prune')).toMatchObject({
      code: 1,
      error: expect.stringMatching(/prune when synth finds no error/),
    });
    expect(text()).toBe(before);
  });

  test('there is no app', () => {
    expect(ports('--app', 'no-such-program-here')).toMatchObject({
      code: 1,
      error: expect.stringMatching(/exited with 127/),
    });
    rmSync('cdk8s.yaml');
    expect(ports()).toMatchObject({
      code: 2,
      error: expect.stringMatching(/^ports: no app to run; name one with --app/),
    });
    writeFileSync('cdk8s.yaml', 'language: typescript\n');
    expect(ports().code).toBe(2);
    writeFileSync('cdk8s.yaml', 'app: [\n');
    expect(ports()).toMatchObject({ code: 2, error: expect.stringMatching(/^ports: cdk8s\.yaml cannot be read: /) });
  });

  test('the usage is wrong', () => {
    expect(ports('--no-such-option').code).toBe(2);
    expect(ports('--release').code).toBe(2);
  });

  test('the lock file is not one of the app', () => {
    appAsks([shared(['a/x:1'])]);
    expect(ports('--lock', 'other.json')).toMatchObject({
      code: 1,
      error:
        'ports: no shared load balancer of the app has the lock file other.json; name one that the app has: ports.lock.json\n',
    });
    nothing();
  });
});

test('an app that fails for another reason gets the ports that it asked for', () => {
  appAsks([shared(['a/x:1'])], 1);
  const { error, code } = ports();
  expect(error).toBe('ports: the app exited with 1 after it asked for ports; synth reports what else is wrong\n');
  expect(code).toBe(0);
  expect(endpoints()).toEqual({ 'a/x:1': { balancer: 0, port: 1 } });
});

test('one lock file of several is brought up to date alone', () => {
  appAsks([shared(['a/x:1']), shared(['a/x:1'], RULES, { shared: 'other', lock: 'other.json' })]);
  expect(ports('--lock', 'other.json').code).toBe(0);
  expect([existsSync(LOCK), existsSync('other.json')]).toEqual([false, true]);
});

test('the functions that constructs call ask as the command hears', () => {
  const program = join(folder, 'app', 'typed.ts');
  const room = join(ROOT, 'src', 'tenancy', 'ports', 'rules');
  writeFileSync(
    program,
    `import { portRequestsFile, writePortRequests } from ${JSON.stringify(room)};
     const file = portRequestsFile();
     if (file) writePortRequests(file, ${JSON.stringify(shared(['a/x:1'], SHARD))});`,
  );
  const tsx = join(ROOT, 'node_modules', '.bin', 'tsx');
  const run: SpawnSyncReturns<Buffer> = spawnSync(tsx, [program], { cwd: folder });
  expect(run.status).toBe(0);
  expect(ports('--app', `${tsx} ${program}`).code).toBe(0);
  expect(endpoints()).toEqual({ 'a/x:1': { balancer: 0, port: 1 } });
});

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { singleFile } from '../scripts/command/bundle';
import { ROOT } from '../scripts/docs/files';

// The steps of action.yml in a clone of one commit, and the comment at a server that answers as GitHub does.

const SCRIPT = join(ROOT, '.github', 'action', 'run.sh');
const ACTION = readFileSync(join(ROOT, 'action.yml'), 'utf8');
const scratch = mkdtempSync(join(tmpdir(), 'action-'));
const PROGRAM = join(scratch, 'cdk8s-load-balancers.mjs');
writeFileSync(PROGRAM, singleFile('0.0.0'));

const service = (scheme: string) => `apiVersion: v1
kind: Service
metadata:
  name: echo
  namespace: edge
  annotations: { service.beta.kubernetes.io/aws-load-balancer-scheme: ${scheme} }
  finalizers: [service.k8s.aws/resources]
spec:
  type: LoadBalancer
  loadBalancerClass: service.k8s.aws/nlb
  selector: { app: echo }
  ports: [{ port: 443 }]
`;

const origin = join(scratch, 'origin');
const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-C', folder, ...args], {
    encoding: 'utf8',
  }).trim();

function commit(text: string): string {
  writeFileSync(join(origin, 'k8s', 'echo.yaml'), text);
  git(origin, 'add', '--all');
  git(origin, 'commit', '--quiet', '--message', 'change');
  return git(origin, 'rev-parse', 'HEAD');
}

mkdirSync(join(origin, 'k8s'), { recursive: true });
git(origin, 'init', '--quiet', '--initial-branch=main');
git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
writeFileSync(join(origin, 'load-balancers.yaml'), 'controllers: [aws-load-balancer-controller, cloud-provider-aws]\n');
const INTERNAL = commit(service('internal'));
const WRONG = commit(service('inside'));
const PUBLIC = commit(service('internet-facing'));

let number = 0;

/** A step in a clone of one commit, with the environment of a runner. */
async function step(name: string, revision: string, env: Readonly<Record<string, string>>, temp = newFolder('temp')) {
  const folder = newFolder('clone');
  git(folder, 'init', '--quiet');
  git(folder, 'remote', 'add', 'origin', `file://${origin}`);
  git(folder, 'fetch', '--quiet', '--depth=1', 'origin', revision);
  git(folder, 'checkout', '--quiet', 'FETCH_HEAD');
  const [output, summary] = [join(folder, '..', `out-${number}`), join(folder, '..', `summary-${number}`)];
  const child = spawn('bash', [SCRIPT, name], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: scratch,
      RUNNER_TEMP: temp,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      PROGRAM,
      PATHS: '',
      BASE: '',
      FAIL_ON: 'error',
      ...env,
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      text += data;
    });
  }
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const outputs = Object.fromEntries(
    read(output)
      .split('\n')
      .map((line) => line.split('=')),
  );
  return { status, text, outputs, summary: read(summary), temp };
}

function newFolder(name: string): string {
  number += 1;
  const folder = join(scratch, `${name}-${number}`);
  mkdirSync(folder);
  return folder;
}

describe('check', () => {
  test('ends with 0 where nothing is wrong, and its findings are a log of SARIF', async () => {
    const { status, outputs } = await step('run', INTERNAL, { COMMAND: 'check' });
    expect({ status, code: outputs['exit-code'] }).toEqual({ status: 0, code: '0' });
    expect(JSON.parse(readFileSync(outputs.sarif, 'utf8'))).toMatchObject({
      version: '2.1.0',
      runs: [{ results: [] }],
    });
  });

  test('hands the code of a mistake on, annotates its line, and logs it', async () => {
    const { status, text, outputs } = await step('run', WRONG, { COMMAND: 'check', PATHS: 'k8s\n' });
    expect({ status, code: outputs['exit-code'] }).toEqual({ status: 0, code: '1' });
    expect(text).toMatch(/^::error .*file=k8s\/echo\.yaml,line=6/m);
    const { runs } = JSON.parse(readFileSync(outputs.sarif, 'utf8'));
    expect(runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('k8s/echo.yaml');
  });

  test('a path that is not there is a mistake in the input, and nothing is logged', async () => {
    const { status, outputs } = await step('run', INTERNAL, { COMMAND: 'check', PATHS: 'nowhere' });
    expect({ status, code: outputs['exit-code'], sarif: outputs.sarif }).toEqual({ status: 0, code: '2' });
  });

  test('words in an input are no options and no commands of the shell', async () => {
    const paths = '--version\n$(touch broken-out); touch broken-out\n';
    const { text, outputs, temp } = await step('run', INTERNAL, { COMMAND: 'check', PATHS: paths });
    expect(outputs['exit-code']).toBe('2');
    expect(text).toContain('--version');
    expect(existsSync(join(temp, '..', `clone-${number}`, 'broken-out'))).toBe(false);
  });
});

describe('diff', () => {
  test('fetches the base, finds the loss, and writes it as Markdown', async () => {
    const { status, text, outputs, summary } = await step('run', PUBLIC, { COMMAND: 'diff', BASE: INTERNAL });
    expect({ status, code: outputs['exit-code'] }).toEqual({ status: 0, code: '1' });
    expect(text).toMatch(/^::error .*file=k8s\/echo\.yaml/m);
    expect(readFileSync(outputs.markdown, 'utf8')).toContain('edge/echo');
    expect(summary).toBe(readFileSync(outputs.markdown, 'utf8'));
  });

  test('is 0 where nothing changed', async () => {
    const { outputs } = await step('run', PUBLIC, { COMMAND: 'diff', BASE: PUBLIC, PATHS: 'k8s' });
    expect(outputs['exit-code']).toBe('0');
  });

  test.each(['', '0'.repeat(40)])('without a base, as "%s", it says so', async (base) => {
    const { status, text } = await step('run', PUBLIC, { COMMAND: 'diff', BASE: base });
    expect(status).toBe(2);
    expect(text).toContain('::error::diff has no base revision');
  });
});

test('report writes its Markdown to the summary', async () => {
  const { outputs, summary } = await step('run', PUBLIC, { COMMAND: 'report' });
  expect(outputs['exit-code']).toBe('0');
  expect(summary).toContain('edge/echo');
});

test('another command is refused on one line', async () => {
  const { status, text } = await step('run', PUBLIC, { COMMAND: 'lint\n::error::forged' });
  expect(status).toBe(2);
  expect(text.match(/^::/gm)).toHaveLength(1);
});

describe('the comment', () => {
  const MARKER = '<!-- cdk8s-load-balancers check -->';
  const written: { method?: string; url?: string; body: string }[] = [];
  let comments: { id: number; body: string }[] = [];
  let isRefused = false;
  let server: Server;

  beforeAll(async () => {
    server = createServer((request, response) => {
      let text = '';
      request.on('data', (data) => {
        text += data;
      });
      request.on('end', () => {
        const { method, url, headers } = request;
        if (headers.authorization !== 'Bearer secret' || (isRefused && method !== 'GET')) {
          response.writeHead(403).end('{}');
          return;
        }
        const page = Number(new URL(String(url), 'http://localhost').searchParams.get('page'));
        if (method !== 'GET') written.push({ method, url, body: JSON.parse(text).body });
        response.end(JSON.stringify(method === 'GET' ? comments.slice((page - 1) * 100, page * 100) : {}));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => server.close());

  beforeEach(() => {
    written.length = 0;
    isRefused = false;
  });

  async function comment(text = 'REPLACED edge/echo `x` "y" $(z)\n') {
    const temp = newFolder('temp');
    mkdirSync(join(temp, 'cdk8s-load-balancers'));
    writeFileSync(join(temp, 'cdk8s-load-balancers', 'comment.md'), text);
    return step(
      'comment',
      PUBLIC,
      {
        GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        GITHUB_REPOSITORY: 'edge/manifests',
        GITHUB_JOB: 'check',
        GITHUB_TOKEN: 'secret',
        PULL_REQUEST: '7',
      },
      temp,
    );
  }

  test('is written once, with the Markdown as it is', async () => {
    comments = [{ id: 1, body: 'someone quotes <!-- cdk8s-load-balancers check -->' }];
    expect(await comment()).toMatchObject({ status: 0, text: '' });
    const body = `${MARKER}\n### Load balancers\n\nREPLACED edge/echo \`x\` "y" $(z)\n`;
    expect(written).toEqual([{ method: 'POST', url: '/repos/edge/manifests/issues/7/comments', body }]);
  });

  test('is then updated, on whichever page it is', async () => {
    comments = Array.from({ length: 130 }, (_, id) => ({ id, body: id === 120 ? `${MARKER}\nold` : 'LGTM' }));
    await comment();
    expect(written).toEqual([
      { method: 'PATCH', url: '/repos/edge/manifests/issues/comments/120', body: expect.stringContaining('REPLACED') },
    ]);
  });

  test('is cut where GitHub would refuse it', async () => {
    comments = [];
    await comment('é'.repeat(70_000));
    expect(written[0].body.length).toBeLessThan(65_536);
    expect(written[0].body).toContain('the summary of the run has all');
  });

  test('is a warning where the token may not write', async () => {
    isRefused = true;
    const { status, text } = await comment();
    expect(status).toBe(0);
    expect(text).toContain('::warning::the comment is not written: the job needs the permission pull-requests: write');
    expect(written).toEqual([]);
  });
});

describe('action.yml', () => {
  const { inputs, runs } = parse(ACTION);
  const scripts: { run: string; env: Record<string, string> }[] = runs.steps.filter((one: object) => 'run' in one);

  test('no expression is in the text of a script, and every input is read', () => {
    expect(scripts.length).toBeGreaterThan(2);
    expect(scripts.filter(({ run }) => run.includes('${{'))).toEqual([]);
    for (const name of Object.keys(inputs)) {
      expect(ACTION).toContain(`inputs.${name}`);
    }
  });

  test('the script reads no variable that no step sets', () => {
    const read = [...readFileSync(SCRIPT, 'utf8').matchAll(/\$\{?([A-Z][A-Z_]+)/g)].map(([, name]) => name);
    const set = scripts.flatMap(({ env }) => Object.keys(env));
    const ofRunner = /^(GITHUB_(OUTPUT|STEP_SUMMARY|API_URL|REPOSITORY|JOB)|RUNNER_TEMP|BASH_SOURCE)$/;
    expect([...new Set(read)].filter((name) => !set.includes(name) && !ofRunner.test(name))).toEqual([]);
  });
});

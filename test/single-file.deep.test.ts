import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledCommand, licenceOf, singleFile } from '../scripts/command/bundle';
import { table } from './support/yaml-cases';

// The command in one file, by Node alone in a folder with nothing else of this library.

const FILE = join('dist', 'cdk8s-load-balancers.mjs');
const TEXT = singleFile('1.2.3');
const folder = mkdtempSync(join(tmpdir(), 'single-file-'));
mkdirSync(join(folder, 'dist'));
writeFileSync(join(folder, FILE), TEXT, { mode: 0o755 });
symlinkSync(FILE, join(folder, 'kubectl-lb'));

const service = (type: string) => `apiVersion: v1
kind: Service
metadata: { name: echo, namespace: edge }
spec: { type: ${type}, selector: { app: echo }, ports: [{ port: 443 }], externalTrafficPolicy: Sometimes }
`;
writeFileSync(join(folder, 'echo.yaml'), service('LoadBalancer'));
writeFileSync(join(folder, 'after.yaml'), service('ClusterIP'));

function run(program: string, ...args: string[]) {
  const env = { PATH: join(process.execPath, '..') };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' });
  return { status, out: stdout, error: stderr };
}

const node = (...args: string[]) => run(process.execPath, FILE, ...args);

test('reports a mistake, and names itself in the advice', () => {
  const { status, out, error } = node('check', 'echo.yaml');
  expect({ status, error }).toEqual({ status: 1, error: '' });
  expect(out).toMatch(/^ {2}error .*Sometimes/m);
  expect(out).toContain(`more on a rule: node ${FILE} explain `);
});

test.each<[string, string[], number, string]>(table('single-file.yaml', 'prints'))(
  'prints %s',
  (_, args, status, words) => {
    const { out, ...ended } = node(...args);
    expect(ended).toEqual({ status, error: '' });
    expect(out.includes(words)).toBe(true);
  },
);

test('runs as a program, and as a plugin of kubectl, which it calls itself', () => {
  expect(run(`./${FILE}`, '--version').out).toBe('1.2.3\n');
  expect(run('./kubectl-lb', 'diff', '--help').out).toMatch(/^Usage: kubectl lb diff .*\n {7}kubectl lb diff .*--git/);
  expect(run('./kubectl-lb', 'check', 'echo.yaml').out).toContain('more on a rule: kubectl lb explain ');
});

test('takes three megabytes at most, and writes nothing beside itself', () => {
  expect(statSync(join(folder, FILE)).size).toBeLessThan(3_000_000);
  expect(readdirSync(folder).sort()).toEqual(['after.yaml', 'dist', 'echo.yaml', 'kubectl-lb']);
});

test('has the licences of all that is in it', () => {
  const licences = bundledCommand().packages.map(licenceOf);
  expect(licences.map(({ name }) => name)).toContain('yaml');
  for (const { name, version, texts } of licences) {
    expect(TEXT).toContain(`\n${name} ${version}\n\n${texts[0]}`);
  }
  expect(TEXT.split('\n')[1]).toBe(
    '// cdk8s-load-balancers 1.2.3, Apache-2.0; the licences of all that is in this file are at its end',
  );
});

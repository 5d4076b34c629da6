import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The app that is written in every language, from the sources of the library: what it must write is in test/consumers/expected.
// `npm run test:languages` runs it with what is published, and `npm run test:languages -- --update` writes that folder again.

const ROOT = join(__dirname, '..');
const CONSUMERS = join(__dirname, 'consumers');
const EXPECTED = join(CONSUMERS, 'expected');
const TSX = [join(ROOT, 'node_modules', 'tsx', 'dist', 'cli.mjs'), '--tsconfig', join(ROOT, 'tsconfig.scripts.json')];

const folder = mkdtempSync(join(tmpdir(), 'consumers-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(program: string) {
  cpSync(join(CONSUMERS, 'inputs'), folder, { recursive: true });
  const args = [...TSX, join(CONSUMERS, 'typescript', 'src', program)];
  return spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CDK8S_OUTDIR: 'dist' },
  });
}

test('the app writes what the apps of all languages must write', () => {
  const { status, stderr } = run('main.ts');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const manifests = readdirSync(EXPECTED).filter((file) => file.endsWith('.k8s.yaml'));
  const dist = join(folder, 'dist');
  expect(readdirSync(dist).sort()).toEqual(manifests.sort());
  for (const file of manifests) {
    expect([file, readFileSync(join(dist, file), 'utf8')]).toEqual([file, readFileSync(join(EXPECTED, file), 'utf8')]);
  }
  const [written, expected] = [folder, EXPECTED].map((at) =>
    JSON.parse(readFileSync(join(at, 'permissions.json'), 'utf8')),
  );
  expect(written).toEqual(expected);
});

test('its mistake is reported as in all languages', () => {
  const { status, stderr } = run('mistake.ts');
  expect(status).not.toBe(0);
  expect(stderr).toContain(readFileSync(join(EXPECTED, 'mistake.txt'), 'utf8').trimEnd());
});

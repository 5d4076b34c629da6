import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../scripts/docs/files';
import { HELM, KUSTOMIZE } from '../scripts/suites/programs';

// What runs from a checkout that was never compiled: hooks of pre-commit, the image and the formula.

const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const DOCKERFILE = read('Dockerfile');
const PACKAGE = JSON.parse(read('package.json'));

/** Some files of the checkout, with what npm installed. */
function checkout(files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'));
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

const sh = (command: string, cwd: string) =>
  execFileSync('sh', ['-c', command], { cwd, encoding: 'utf8', stdio: 'pipe' });

describe('the image', () => {
  const built = read('.dockerignore').match(/(?<=^!).+$/gm) ?? [];

  test('its steps make the command and the formula of what .dockerignore leaves', () => {
    const folder = checkout(built);
    const [step] = /(?<=^RUN )npx tsx .*$/m.exec(DOCKERFILE) ?? [''];
    sh(step, folder);
    const text = readFileSync(join(folder, 'dist', 'cdk8s-load-balancers.mjs'), 'utf8');
    const [, file] = /dist\/(.*\.mjs)/.exec(DOCKERFILE) ?? [];
    expect(sh(`node dist/${file} --version`, folder)).toBe(`${PACKAGE.version} (development build)\n`);
    const formula = readFileSync(join(folder, 'dist', 'cdk8s-load-balancers.rb'), 'utf8');
    expect(formula).toContain(`  sha256 "${createHash('sha256').update(text).digest('hex')}"\n`);
    expect(formula).toContain(`/releases/download/v${PACKAGE.version}/cdk8s-load-balancers.mjs"\n`);
    expect(formula).not.toMatch(/@[A-Z\d]+@/);
  });

  test('has kustomize and helm as test:renderers builds them, by the Go that their modules want', () => {
    for (const { name, packagePath } of [KUSTOMIZE, HELM]) {
      const folder = `test/renderers/programs/${name}`;
      expect(built.some((path) => folder.startsWith(path))).toBe(true);
      expect(DOCKERFILE).toContain(`WORKDIR /programs/${name}\n`);
      expect(DOCKERFILE).toContain(`-o /usr/local/bin/${name} ${packagePath}\n`);
      const [, go] = /^FROM golang:(\d+\.\d+)-/m.exec(DOCKERFILE) ?? [];
      expect(read(folder, 'go.mod')).toContain(`\ngo ${go}.`);
    }
  });

  test('is not run by root, and has git', () => {
    expect(DOCKERFILE).toMatch(/^USER [1-9]\d*$/m);
    expect(DOCKERFILE).toMatch(/apt-get install .* git /);
  });
});

test('every command of the package is there', () => {
  expect(Object.values<string>(PACKAGE.bin).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

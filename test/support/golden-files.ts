import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Chart, Yaml } from 'cdk8s';
import { stderrOf, synth } from './apps';
import { baseOf, goldenNames, goldenText } from './golden-texts';

const UPDATE = process.env.UPDATE_GOLDENS === '1';

/** What a chart writes, and what was said on standard error meanwhile. */
export function writtenBy(chartOf: () => Chart): { yaml: string; said: string } {
  let yaml = '';
  const said = stderrOf(() => {
    yaml = Yaml.stringify(...synth(chartOf()));
  });
  return { yaml, said };
}

/**
 * Compares with readable YAML that was checked by hand: `<name>.yaml` in a folder, or `<name>.patch`, the difference from another
 * golden. After a wanted change: `UPDATE_GOLDENS=1 npx jest <the test>`, and read the diff.
 */
export function expectGolden(folder: string, name: string, yaml: string): void {
  if (UPDATE) {
    writeGolden(folder, name, yaml);
  }
  expect(goldenNames(folder)).toContain(name);
  expect(yaml).toBe(goldenText(folder, name));
}

function writeGolden(folder: string, name: string, yaml: string): void {
  const base = baseOf(folder, name);
  if (base === undefined) {
    writeFileSync(join(folder, `${name}.yaml`), yaml);
  } else {
    const labels = [base, name].flatMap((label) => ['--label', `${label}.yaml`]);
    const { stdout } = spawnSync('diff', ['-U1', ...labels, join(folder, `${base}.yaml`), '-'], { input: yaml });
    writeFileSync(join(folder, `${name}.patch`), stdout);
  }
}

/** Fails for a golden that no test compares any more, with the names of all those that are compared. */
export function expectNoStrayGoldens(folder: string, names: readonly string[]): void {
  expect(goldenNames(folder)).toEqual([...names].sort());
}

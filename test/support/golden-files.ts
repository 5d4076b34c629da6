import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Chart, Yaml } from 'cdk8s';
import { stderrOf, synth } from './apps';

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
 * Compares with readable YAML that was checked by hand: `<name>.yaml` in a folder. After a wanted change:
 * `UPDATE_GOLDENS=1 npx jest <the test>`, and read the diff.
 */
export function expectGolden(folder: string, name: string, yaml: string): void {
  const file = join(folder, `${name}.yaml`);
  if (UPDATE) {
    writeFileSync(file, yaml);
  }
  expect(existsSync(file)).toBe(true);
  expect(yaml).toBe(readFileSync(file, 'utf8'));
}

/** Fails for a golden that no test compares any more, with the names of all those that are compared. */
export function expectNoStrayGoldens(folder: string, names: readonly string[]): void {
  const kept = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  expect(kept.sort()).toEqual(names.map((name) => `${name}.yaml`).sort());
}

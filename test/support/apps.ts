import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart, Testing } from 'cdk8s';
import type { Json } from '../../src/contract/json';

export const newChart = (id = 'echo'): Chart => new Chart(new App(), id, { namespace: id });

export const synth = (chart: Chart): Json[] => Testing.synth(chart);

export function written(chart: Chart, kind: string): Json {
  const found = synth(chart).filter((object) => object.kind === kind);
  expect(found).toHaveLength(1);
  return found[0];
}

export function stderrOf(action: () => void): string {
  const said: string[] = [];
  const spy = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said.push(String(text));
    return true;
  });
  try {
    action();
  } finally {
    spy.mockRestore();
  }
  return said.join('');
}

export function errorsOf(chart: Chart): string[] {
  try {
    synth(chart);
  } catch (error) {
    return (error as Error).message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
  return [];
}

/** The files that something writes into the folder that it is given, by name. */
export function filesWritten(write: (outdir: string) => void): Record<string, string> {
  const outdir = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-'));
  try {
    write(outdir);
    return Object.fromEntries(
      readdirSync(outdir)
        .sort()
        .map((file) => [file, readFileSync(join(outdir, file), 'utf8')]),
    );
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../../../src/contract/json';

const PROMTOOL = process.env.PROMTOOL ?? 'promtool';

/** What promtool says of files; nothing where it finds them good. */
function faults(files: Readonly<Record<string, Json>>, ...args: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'promtool-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      // JSON is YAML
      writeFileSync(join(folder, name), JSON.stringify(content));
    }
    const { status, stdout, stderr, error } = spawnSync(PROMTOOL, args, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? '' : `${error?.message ?? ''}${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What Prometheus refuses of rules: expressions, durations, labels, templates. */
export function faultsOfRules(spec: Json): string {
  return faults({ 'rules.json': spec }, 'check', 'rules', '--lint=all', '--lint-fatal', 'rules.json');
}

/** A series, by its name with labels, and its values as promtool writes them: one each minute. */
export type RecordedSeries = Readonly<Record<string, string>>;

/** An alert that is expected to fire. */
export interface Fired {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** How recorded series are to be checked. */
export interface Recording {
  readonly series: RecordedSeries;
  /** After how many minutes it is looked at. */
  readonly at: number;
  readonly alert: string;
  /** The alerts of this name that fire then, and no other. */
  readonly fires: readonly Fired[];
}

/** How alerts of rules differ from what is expected of them on recorded series. */
export function differences(spec: Json, { series, at, alert, fires }: Recording): string {
  const test = {
    rule_files: ['rules.json'],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        alert_rule_test: [
          {
            eval_time: `${at}m`,
            alertname: alert,
            exp_alerts: fires.map(({ labels, annotations }) => ({ exp_labels: labels, exp_annotations: annotations })),
          },
        ],
      },
    ],
  };
  return faults({ 'rules.json': spec, 'test.json': test }, 'test', 'rules', 'test.json');
}

/** Rules without what they say, for tests of when they fire. */
export function unworded(spec: Json): Json {
  return {
    groups: spec.groups.map(({ rules, ...group }: Json) => ({
      ...group,
      rules: rules.map(({ annotations: _, ...rule }: Json) => rule),
    })),
  };
}

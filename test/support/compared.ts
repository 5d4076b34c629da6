import { type App, Yaml } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { LoadBalancers } from '../../src';
import { checkExample } from '../../src/cli/explain/described-rules';
import type { Json } from '../../src/contract/json';
import { appIndexOf } from '../../src/rules/app-objects';
import { isFoundInFiles, RuleSet } from '../../src/rules/rule-set';
import { SynthWatch } from '../../src/rules/synth-watch';

/** What is found on both sides, a line each that begins with the rule. */
export interface Compared {
  readonly synth: readonly string[];
  readonly check: readonly string[];
}

export interface Pair extends Compared {
  readonly title: string;
}

interface Exceptions {
  readonly onlyInFiles: Readonly<Record<string, string>>;
  readonly onlyAtSynth: Readonly<Record<string, string>>;
}

/** Expects both sides to find the same, but for listed rules, each of which must be needed. */
export function expectSame(pairs: readonly Pair[], { onlyInFiles, onlyAtSynth }: Exceptions): void {
  const lacking = (one: readonly string[], other: readonly string[], allowed: object) =>
    one.filter((line) => !other.includes(line) && !Object.hasOwn(allowed, ruleOf(line)));
  const different = pairs
    .map(({ title, synth, check }) => ({
      title,
      synth: lacking(synth, check, onlyAtSynth),
      check: lacking(check, synth, onlyInFiles),
    }))
    .filter(({ synth, check }) => synth.length + check.length > 0);
  expect(different).toEqual([]);
  for (const [allowed, side, other] of [
    [onlyInFiles, 'check', 'synth'],
    [onlyAtSynth, 'synth', 'check'],
  ] as const) {
    const differing = pairs.flatMap((one) => one[side].filter((line) => !one[other].includes(line)).map(ruleOf));
    expect(Object.keys(allowed).filter((rule) => !differing.includes(rule))).toEqual([]);
  }
}

export function rulesFound(pairs: readonly Pair[]): number {
  return new Set(pairs.flatMap(({ synth }) => synth.map(ruleOf))).size;
}

const ruleOf = (line: string) => line.split(' ')[0];

export const isObject = ({ apiVersion, kind }: Json) => typeof apiVersion === 'string' && typeof kind === 'string';

/** Documents without the merge keys of YAML. */
export function documentsIn(text: string): Json[] {
  return parseAllDocuments(text, { merge: true }).map((one) => one.toJS() as Json);
}

const isNoteInFiles = (ruleId: string) => RuleSet.withId(ruleId).some(({ levelInFiles }) => levelInFiles === 'note');

/**
 * Findings of an app by rules that files know, and those of a check of its objects, a file for each chart, whatever is wrong with
 * them. Without kinds, objects of all kinds are compared.
 */
export function comparedApp(app: App, context: string, kinds?: readonly string[]): Compared {
  const { findings } = LoadBalancers.of(app);
  const files = SynthWatch.of(app).inPass(() =>
    appIndexOf(app).all.map(
      ({ construct, json }) => `# ${construct.chart.node.id}.yaml\n${Yaml.stringify(JSON.parse(JSON.stringify(json)))}`,
    ),
  );
  const report = checkExample(files.join('---\n'), context);
  const line = (ruleId: string, level: string, value: string | undefined, at: string) =>
    `${ruleId} ${isNoteInFiles(ruleId) ? 'note' : level} ${value} ${at}`;
  return {
    synth: findings.flatMap(({ severity, finding: { ruleId, value, at } }) =>
      isFoundInFiles(ruleId) ? [line(ruleId, severity.toLowerCase(), value, at)] : [],
    ),
    check: report.findings.flatMap(({ level, ruleId, value, pointer, object, accepted }) =>
      !accepted && (kinds?.includes(object.kind) ?? true) && (level !== 'note' || isNoteInFiles(ruleId))
        ? [line(ruleId, level, value, pointer)]
        : [],
    ),
  };
}

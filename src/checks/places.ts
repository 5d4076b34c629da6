import { isMap, type Json, stepsOf } from '../contract/json';
import type { YamlPath } from '../contract/kubernetes-yaml';
import type { LoadBalancerFinding } from '../contract/options';
import type { MadeOf } from '../predicted/predicted';
import { RuleSet } from '../rules/rule-set';

/** A value that holds no others, as text. */
interface Leaf {
  readonly path: YamlPath;
  readonly key: string;
  readonly text: string;
}

/**
 * The field of an object that a finding is about: what the finding says itself, or else what its rule reads, as far as the
 * object has it. Nothing where it is about the object as a whole.
 */
export function fieldOf(finding: LoadBalancerFinding, object: Json): YamlPath {
  if (finding.at !== undefined) {
    return stepsOf(finding.at);
  }
  const root = titledPartOf(finding.what, object);
  const leaves = leavesOf(valueAt(object, root), root);
  const rules = RuleSet.withId(finding.ruleId);
  const read = leaves.filter(
    ({ path, key }) =>
      isAnnotation(path) && rules.some(({ reads = [] }) => reads.some((entry) => entry.match(key) !== undefined)),
  );
  const fields = rules
    .flatMap(({ on = [] }) => on.map((path) => path.split('.')))
    .filter((path) => valueAt(object, path) !== undefined);
  const below = leaves.filter(({ path }) => fields.some((field) => field.every((step, i) => path[i] === step)));
  return (
    fieldNamedIn(finding.what, object) ??
    best([...read, ...below], finding)?.path ??
    named(fields, finding) ??
    read[0]?.path ??
    best(leaves, finding)?.path ??
    fields[0] ??
    partNamedIn(finding.what, object, root) ??
    root
  );
}

export function pointerTo(path: YamlPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function pointerToValue(object: Json, value: string): string | undefined {
  const leaf = leavesOf(object).find(({ text }) => text === value);
  return leaf && pointerTo(leaf.path);
}

function isAnnotation(path: YamlPath): boolean {
  return path.at(-2) === 'annotations';
}

function best(leaves: readonly Leaf[], { value, what }: LoadBalancerFinding): Leaf | undefined {
  const scored = leaves.map((leaf) => {
    const hasValue = value !== undefined && value !== '' && leaf.text === value;
    const holdsValue = value !== undefined && value.length > 2 && leaf.text.includes(value);
    const isNamed = isAnnotation(leaf.path) && hasWord(what, leaf.key);
    return { leaf, score: (isNamed ? 4 : 0) + (hasValue ? 3 : holdsValue ? 2 : 0) };
  });
  const most = scored.reduce((sum, { score }) => Math.max(sum, score), 0);
  return most === 0 ? undefined : scored.find(({ score }) => score === most)?.leaf;
}

function named(fields: readonly YamlPath[], { what }: LoadBalancerFinding): YamlPath | undefined {
  return fields.find((field) => hasWord(what, String(field.at(-1))));
}

function hasWord(sentence: string, word: string): boolean {
  const at = sentence.indexOf(word);
  return at >= 0 && !/[\w-]/.test(sentence.charAt(at + word.length)) && !/[\w-]/.test(sentence.charAt(at - 1));
}

const FIELD = /\b(?:metadata|spec|status)(?:\.[A-Za-z][\w-]*|\[\d+\]|\['[^']*'\])+/g;
const STEP = /\.?([A-Za-z][\w-]*)|\[(\d+)\]|\['([^']*)'\]/g;

/** The field that a sentence names in full, `spec.ports[0].port`, or the nearest one around it. */
function fieldNamedIn(what: string, object: Json): YamlPath | undefined {
  const [written] = what.match(FIELD) ?? [];
  if (written === undefined) {
    return undefined;
  }
  const steps = [...written.matchAll(STEP)].map(([, word, index, key]) => word ?? key ?? Number(index));
  while (steps.length > 1 && valueAt(object, steps) === undefined) {
    steps.pop();
  }
  return steps.length > 1 ? steps : undefined;
}

function titledPartOf(what: string, { spec }: Json): YamlPath {
  const name = TITLE.exec(what)?.[1];
  const places = [['kafka', 'listeners'], ['listeners']];
  for (const place of name === undefined ? [] : places) {
    const listeners = valueAt({ spec }, ['spec', ...place]);
    const at = Array.isArray(listeners) ? listeners.findIndex((one) => isMap(one) && one.name === name) : -1;
    if (at >= 0) {
      return ['spec', ...place, at];
    }
  }
  return [];
}

const TITLE = /^listener '([^']*)':? /;

function partNamedIn(what: string, object: Json, root: YamlPath): YamlPath | undefined {
  const sentence = what.replace(TITLE, '');
  const parts = partsOf(valueAt(object, root), root).filter(({ path }) => !OF_EVERY_OBJECT.has(path[0]));
  const quoted = [...sentence.matchAll(/'([^']+)'/g)].map(([, text]) => text);
  const words: readonly string[] = sentence.match(/[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)*/g) ?? [];
  const named = (word: string) => {
    const keys = word.split('.');
    return parts.find(({ path }) => keys.every((key, i) => path.slice(root.length).at(i - keys.length) === key));
  };
  return (
    found(
      words.filter((word) => word.includes('.')),
      named,
    ) ??
    found(quoted, (text) => parts.find(({ path, value }) => value === text || path.at(-1) === text)) ??
    found(words, named) ??
    found(words, (word) => parts.find(({ value }) => value === word))
  );
}

function found(texts: readonly string[], look: (text: string) => Part | undefined): YamlPath | undefined {
  return texts.reduce<Part | undefined>((part, text) => part ?? look(text), undefined)?.path;
}

const OF_EVERY_OBJECT: ReadonlySet<unknown> = new Set(['apiVersion', 'kind']);

interface Part {
  readonly path: YamlPath;
  readonly value: unknown;
}

function entriesOf(value: unknown): readonly [string | number, unknown][] {
  return Array.isArray(value)
    ? [...value.entries()]
    : isMap(value)
      ? Object.keys(value).map((key) => [key, value[key]])
      : [];
}

function partsOf(value: unknown, path: YamlPath = []): Part[] {
  return entriesOf(value).flatMap(([key, one]) => [
    { path: [...path, key], value: one },
    ...partsOf(one, [...path, key]),
  ]);
}

function valueAt(object: Json, path: YamlPath): unknown {
  return path.reduce<unknown>(
    (value, step) => (Array.isArray(value) ? value[Number(step)] : isMap(value) ? value[step] : undefined),
    object,
  );
}

function leavesOf(root: unknown, path: YamlPath = []): Leaf[] {
  const parts = isMap(root) || Array.isArray(root) ? partsOf(root, path) : [{ path, value: root }];
  return parts
    .filter(({ path: at, value }) => !isMap(value) && !Array.isArray(value) && !OF_EVERY_OBJECT.has(at[0]))
    .map(({ path: at, value }) => ({ path: at, key: String(at.at(-1)), text: String(value) }));
}

export function fieldOfMade(finding: LoadBalancerFinding, service: Json, { object, path }: MadeOf): YamlPath {
  const field = fieldInMaker(fieldOf(finding, service), { object, path });
  const inner = leavesOf(valueAt(object, field), field).filter(({ text }) => text === finding.value);
  return inner.length === 1 ? inner[0].path : field;
}

export function fieldInMaker(inService: YamlPath, { object, path }: MadeOf): YamlPath {
  const key = [...inService].reverse().find((step) => typeof step === 'string');
  const paths = key === undefined ? [] : partsOf(object).map((part) => part.path);
  const holding = paths.filter((found) => found.at(-1) === key && found[0] !== 'status');
  const inPart = holding.find((found) => path.every((step, i) => found[i] === step));
  return inPart ?? (GENERAL.has(String(key)) ? undefined : holding[0]) ?? path;
}

const GENERAL = new Set(['name', 'port', 'type', 'namespace', 'labels', 'annotations', 'spec', 'metadata']);

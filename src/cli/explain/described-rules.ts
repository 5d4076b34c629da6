import type { AnnotationFact, AnyAnnotation } from '../../contract/annotation-catalogue';
import { type Edit, wordOf } from '../../contract/edit';
import { type Json, once } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';
import { citationInWords, FIRST_RELEASE, filled, OWN_NAME, ownCommand, type RuleEffect } from '../../contract/rule';
import { otherOfKey } from '../../controllers/other-controller';
import { isGrave } from '../../rules/annotation-rules';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { DESCRIBED_RULES } from '../../rules/described-rules.facts';
import { worstEdit } from '../../rules/edits-of-values';
import { allKinds, knownKinds } from '../../rules/known-kinds';
import { check } from '../check';
import type { CheckReport } from '../check-report';
import { NO_CONTEXT } from '../context/check-context';
import { CONTEXT_FILE, readContext } from '../context/context-file';
import type { Files } from '../files';
import { readManifests } from '../manifests';
import {
  type ExplainedExample,
  type ExplainedPart,
  type ExplainedRule,
  type Explanation,
  known,
  PAGES,
  type RuleExample,
} from './explanation';
import { OTHER_ANNOTATIONS } from './known-words.facts';

interface DescribedRuleRow extends ExplainedRule {
  readonly section: string;
  readonly source: string;
  readonly reads: readonly string[];
  readonly effect?: RuleEffect;
  /** `files` if a check of files can find it, `notes` if it reports a note then, `constructs` if only a synth can. */
  readonly form: string;
  readonly addedIn: string;
}

/** Effect of mistakes on a cluster, if all findings of a rule have the same. */
const EFFECTS: Readonly<Record<RuleEffect, string>> = {
  refused: 'The controller refuses it: nothing of the edit is carried out, and later edits wait behind it.',
  ignored: 'It has no effect: what is written is not done, and nothing reports it.',
  'no-targets': 'No pod receives connections.',
};
const REFUSED_BY_API_SERVER =
  'The API server refuses the object: nothing of it is applied, and what is live stays as it is.';
const SYNTH_STOPS = 'The synth stops, and no manifest is written.';

export const describedRules = once((): readonly DescribedRuleRow[] => {
  let section = '';
  return DESCRIBED_RULES.trim()
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# ')) {
        section = line.slice(2);
        return [];
      }
      const [id, severity, says, source, reads = '', effect, form = '', addedIn = FIRST_RELEASE] = line.split(/ \| ?/);
      const keys = reads.split(' ').filter(Boolean);
      return [{ id, severity, says, source, section, reads: keys, effect: effect as RuleEffect, form, addedIn }];
    });
});

export function rulesWhere(fits: (rule: DescribedRuleRow) => boolean): ExplainedRule[] {
  const found = describedRules().filter(fits);
  const first = new Map([...found].reverse().map((rule) => [rule.id, rule]));
  return found.filter((rule) => first.get(rule.id) === rule).map(({ id, severity, says }) => ({ id, severity, says }));
}

export function explainRule(id: string): Explanation | undefined {
  const same = describedRules().filter((rule) => rule.id === id);
  const [first] = same;
  if (first === undefined) {
    return undefined;
  }
  const written = writtenRules(id);
  return {
    kind: 'rule',
    word: id,
    says: first.says,
    parts: same.map(({ section, severity, says, source, reads, form, addedIn }) => ({
      who: section,
      facts: known({
        severity: form === 'notes' ? `${severity} in an app, note in files` : severity,
        title: says === first.says ? undefined : says,
        reads: reads.join(', '),
        'found by':
          form === 'constructs' ? 'a synth of constructs only; a check of files does not report it' : undefined,
        since: `${OWN_NAME} ${addedIn}`,
        'controller versions': sinceOf(reads),
      }),
      source,
    })),
    rules: [],
    todo: first.severity === 'warning' ? ['acknowledge the warning by this id if it is intended'] : [],
    happens: happensOf(first, written.find(({ why }) => why)?.why),
    examples: written.map(({ why, ...example }) => explainedExample(example)),
    readOn: [`${PAGES.rules}#${id}`, ...(first.severity === 'warning' ? [PAGES.warnings] : [])],
  };
}

function explainedExample(example: RuleExample): ExplainedExample {
  const { rule, context, bad, good, what, remedy } = example;
  if (what !== undefined && remedy !== undefined) {
    const kept = new Set(good.split('\n'));
    const named = filled(remedy, { own: ownCommand('').trim() });
    return { ...example, what, remedy: named, line: bad.split('\n').findIndex((line) => !kept.has(line)) + 1 };
  }
  const [found] = checkExample(bad, context).findings.filter(({ ruleId }) => ruleId === rule);
  return { ...example, what: found.what, remedy: found.remedy, line: found.place.line };
}

function happensOf({ section, severity, effect, form }: DescribedRuleRow, why?: string): string {
  const ofEffect = effect === 'refused' && section === 'Services' ? REFUSED_BY_API_SERVER : effect && EFFECTS[effect];
  const known = why ?? ofEffect;
  return severity === 'error' && form === 'constructs'
    ? `${SYNTH_STOPS}${known ? ` If it were applied: ${known}` : ''}`
    : (known ?? '');
}

function sinceOf(reads: readonly string[]): string {
  const facts = reads.flatMap((key) =>
    allKinds().flatMap(({ name, catalogue }) => {
      const since = catalogue.annotations.find(({ fact }) => fact.key === key)?.fact.since;
      return since === undefined ? [] : [`${name} ${since} or newer`];
    }),
  );
  return [...new Set(facts)].join(', ');
}

/** A text of which a part between its beginning and its end is another one. */
const changed = (old: string, [begin, end, between]: readonly [number, number, string]) =>
  `${old.slice(0, begin)}${between}${old.slice(old.length - end)}`;

function writtenRules(id: string): (RuleExample & { readonly why?: string })[] {
  const start = `{"rule":"${id}",`;
  // many, and few ask for them
  const { RULE_EXAMPLES } = require('./rule-examples.facts') as typeof import('./rule-examples.facts');
  const lines = RULE_EXAMPLES.split('\n');
  const badOf = ({ like, bad }: Json): string =>
    like === undefined ? bad : changed(badOf(JSON.parse(lines[like])), bad);
  return lines
    .filter((line) => line.startsWith(start))
    .map((line) => JSON.parse(line))
    .map(({ like, context, ...rule }) => {
      const bad = badOf({ like, bad: rule.bad });
      const shown = typeof context === 'number' ? JSON.parse(lines[context]).context : context;
      return { ...rule, context: shown, bad, good: changed(bad, rule.good) };
    });
}

/** A line of an example that begins a file, or what a source renders. */
const HEAD = /^# (?:rendered from )?(\S+[.](?:yaml|json)|(?<=from )\S+)$/;

/** Checks the manifests of an example, of which one file may be the context file. @throws if that has a mistake */
export function checkExample(manifests: string, context = ''): CheckReport {
  const texts = new Map<string, string>();
  let file = 'example.yaml';
  for (const [i, line] of manifests.split('\n').entries()) {
    file = HEAD.exec(line)?.[1] ?? file;
    texts.set(file, `${texts.get(file) ?? '\n'.repeat(i)}${line}\n`);
  }
  const { context: known = NO_CONTEXT, mistakes } = readContext(CONTEXT_FILE, texts.get(CONTEXT_FILE) ?? context);
  if (mistakes.length > 0) {
    throw new Error(mistakes.map(({ what, remedy }) => `${what}; ${remedy}`).join('\n'));
  }
  const read = (path: string) => Buffer.from(String(texts.get(path)));
  const files: Files = { kindOf: () => undefined, below: () => [], read, onDisk: (path) => path };
  const found = readManifests([...texts.keys()], files);
  const sourceOf = (name: string) => (/[.](yaml|json)$/.test(name) ? undefined : name);
  const all = found.manifests.map((one) => ({ ...one, renderedFrom: sourceOf(one.file) }));
  return check({ ...found, manifests: all }, known, '2027-01-01');
}

interface Reader {
  readonly kind: ControllerDefinition;
  readonly entry: AnyAnnotation;
}

export function annotationPagesOf(kind: ControllerDefinition): string[] {
  return knownKinds().includes(kind) ? [`docs/reference/annotations/${kind.name}.md`] : [PAGES.controllers];
}

export function annotationKeys(): string[] {
  const keys = allKinds().flatMap(({ catalogue }) => catalogue.annotations.map(({ fact }) => fact.key));
  return [...new Set([...keys, ...OTHER_ANNOTATIONS.map(({ key }) => key)])];
}

export function explainAnnotation(key: string): Explanation | undefined {
  const readers = allKinds().flatMap((kind) => {
    const entry = kind.catalogue.find(key) ?? kind.catalogue.annotations.find(({ fact }) => fact.key === key);
    return entry ? [{ kind, entry }] : [];
  });
  const other = readers.length > 0 ? undefined : otherOfKey(key);
  const others = other
    ? [
        {
          who: other.name,
          value: 'not known here',
          says: `its prefix is that of ${other.name}, whose rules are not known here`,
          source: other.source,
        },
      ]
    : OTHER_ANNOTATIONS.filter((one) => one.key === key);
  if (readers.length + others.length === 0) {
    return undefined;
  }
  const names = [...readers.map(({ kind }) => kind.name), ...others.map(({ who }) => who)].join(', ');
  return {
    kind: 'annotation',
    word: key,
    says: other
      ? `an annotation for ${other.name}; other controllers ignore it silently`
      : `an annotation that ${names} ${readers.length + others.length > 1 ? 'read' : 'reads'}; other controllers ignore it silently`,
    parts: [
      ...readers.map(partOf),
      ...others.map(({ who, value, says, source }) => ({
        who,
        facts: { value, 'what it does': says },
        source: citationInWords(source),
      })),
    ],
    rules: rulesOf(readers),
    todo: [...new Set([...readers.flatMap(todoOf), ...(other ? [`read the documentation of ${other.name}`] : [])])],
    readOn: [...new Set(readers.flatMap(({ kind }) => annotationPagesOf(kind)))],
  };
}

function partOf({ kind, entry: { fact } }: Reader): ExplainedPart {
  const edit = worstEdit(kind, fact.key);
  return {
    who: kind.name,
    facts: known({
      value: fact.codec.says,
      'for example': exampleOf(fact),
      default: fact.default,
      since: fact.since,
      obsolete: fact.deprecated ? `yes${fact.deprecatedSince ? `, since ${fact.deprecatedSince}` : ''}` : undefined,
      request: fact.wish,
      option: fact.option,
      'invalid value': BAD_VALUES[fact.badValue],
      'one Service alone': fact.namesOne && `${fact.namesOne.thing}: ${fact.namesOne.fate}`,
      'on edit': edit && editOf(edit, fact.source),
      note: fact.remark,
    }),
    source: citationInWords(fact.source, fact.confidence),
  };
}

function editOf({ what, source, ...edit }: Edit, of: Citation): string {
  const isSame = source.repository === of.repository && source.version === of.version;
  const where = source.file === of.file && isSame ? '' : ` (${isSame ? source.file : citationInWords(source)})`;
  return `${wordOf(edit)}: ${what}${where}`;
}

const BAD_VALUES = {
  refused: 'refused: no balancer, and at best an event',
  accepted: 'accepted, with another meaning',
};

function exampleOf({ codec }: AnnotationFact<unknown>): string | undefined {
  const [value] = codec.examples;
  try {
    const text = codec.encode(value);
    return text.length <= 80 && !text.includes('\n') ? text : undefined;
  } catch {
    return undefined;
  }
}

function rulesOf(readers: readonly Reader[]): ExplainedRule[] {
  const keys = new Set(readers.map(({ entry }) => entry.fact.key));
  const general = new Set(readers.flatMap(({ entry }) => generalRulesOf(entry.fact)));
  return rulesWhere(({ id, reads }) => general.has(id) || reads.some((key) => keys.has(key)));
}

function generalRulesOf(fact: AnnotationFact<unknown>): string[] {
  return [
    isGrave(fact) ? 'annotation-value-invalid' : 'annotation-value-misinterpreted',
    'annotation-for-other-controller',
    ...(fact.since === undefined ? [] : ['annotation-unsupported-version']),
    ...(fact.deprecated ? ['annotation-deprecated'] : []),
  ];
}

function todoOf({ kind, entry: { fact } }: Reader): string[] {
  return fact.deprecated && fact.remark ? [`${kind.name}: ${fact.remark}`] : [`write ${fact.codec.says}`];
}

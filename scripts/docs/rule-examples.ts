import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Document, isCollection, isMap, isScalar, parse, visit } from 'yaml';
import { CONTEXT_FILE } from '../../src/cli/context/context-file';
import type { RuleExample } from '../../src/cli/explain/explanation';
import { findingsOf, type Program } from './construct-examples';
import { filesIn, ROOT } from './files';

// src/rules/examples/SECTION.yaml:
//
//   context: { controllers: [gke] }   # of all examples of the file; an example may have its own, or `context: null`
//   bases:                            # objects that examples begin with; the first one is the default
//     service: { apiVersion: v1, kind: Service, … }
//   rules:
//     rule-id:                      # one example, or a list of which readers are shown the first
//       why: what happens on a live cluster, in one sentence
//       bad: { spec: { … } }          # an object, or a list of objects, or text
//       good: { spec: { … } }         # a merge patch of bad, or whole objects, or text
//       at: spec.ports[0].port        # the place of the finding, if good does not change it there
//       also: [other-rule]            # other rules that find something in bad
//
// An object with `kind` is whole, one with `base: NAME` is a merge patch of that base, and any other is a merge patch of the first base.
// With `file: web.yaml` it begins a file, if a rule is about several files: `policy.json`, `rendered from overlays/prod`, or the context
// file `load-balancers.yaml`, whose content is whole as well.
//
// A file with `snippets` has examples of constructs, in TypeScript that is JavaScript as well:
//
//   snippets: { name: code }          # code that examples begin with
//   files: { name: text }             # what it reads
//   rules:
//     rule-id:
//       base: name                    # a snippet, which is good
//       bad: code                     # follows the base; a map of texts and replacements changes the base
//       good: code                    # the same; left out, it is the base. Without a base, a map changes bad
//       file: name                    # a file that bad and good read, which is shown; with `code`, they are this file, and
//                                     # `code` names the snippet that reads it

type Value = unknown;
type Fields = Readonly<Record<string, Value>>;

interface WrittenExample {
  readonly why?: string;
  readonly base?: string;
  readonly file?: string;
  readonly code?: string;
  readonly context?: Fields | null;
  readonly bad: Fields | string | readonly (Fields | string)[];
  readonly good?: Fields | string | readonly (Fields | string | null)[];
  readonly at?: string;
  readonly also?: readonly string[];
}

interface WrittenExamples {
  readonly context?: Fields;
  readonly bases?: Readonly<Record<string, Fields>>;
  readonly snippets?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly rules?: Readonly<Record<string, WrittenExample | readonly WrittenExample[]>>;
}

/** An example with what its test expects. */
export interface TestedExample extends RuleExample {
  /** The name of the file. */
  readonly section: string;
  /** What happens on a live cluster. */
  readonly why?: string;
  readonly at?: string;
  readonly also: readonly string[];
  /** The objects, if they are not written as text. */
  readonly objects?: { readonly bad: readonly Fields[]; readonly good: readonly Fields[] };
  /** If it is of constructs, and not of manifests. */
  readonly programs?: { readonly bad: Program; readonly good: Program };
}

/** The file that the command line reads. */
export const RULE_EXAMPLES = 'src/cli/explain/rule-examples.facts.ts';

const FOLDER = join('src', 'rules', 'examples');

const KEYS = new Set(['why', 'base', 'file', 'code', 'context', 'bad', 'good', 'at', 'also']);

function sections(): [section: string, written: WrittenExamples][] {
  return filesIn(FOLDER, '.yaml').map((file) => [
    basename(file, '.yaml'),
    parse(readFileSync(join(ROOT, file), 'utf8')) as WrittenExamples,
  ]);
}

/** Every example, in the order of files and of entries. */
export function ruleExamples(): TestedExample[] {
  return writtenRules().flatMap(({ section, file, rule, all }) =>
    all.map((one) => exampleOf(section, file, rule, one)),
  );
}

interface WrittenRule {
  readonly section: string;
  readonly file: WrittenExamples;
  readonly rule: string;
  readonly all: readonly WrittenExample[];
}

function writtenRules(): WrittenRule[] {
  return sections().flatMap(([section, file]) =>
    Object.entries(file.rules ?? {}).map(([rule, written]) => {
      const all = [written].flat() as WrittenExample[];
      const unknown = all.flatMap(Object.keys).filter((key) => !KEYS.has(key));
      if (unknown.length > 0) {
        throw new Error(`${FOLDER}/${section}.yaml: ${rule}: unknown key ${unknown.join(', ')}`);
      }
      return { section, file, rule, all };
    }),
  );
}

function exampleOf(section: string, file: WrittenExamples, rule: string, written: WrittenExample): TestedExample {
  try {
    const context = written.context === undefined ? file.context : (written.context ?? undefined);
    if (file.snippets) {
      return { rule, section, why: written.why, also: written.also ?? [], ...programsOf(file, written) };
    }
    const { bad: wrong, good: right = '' } = written;
    const bad = typeof wrong === 'string' ? undefined : [wrong].flat().map((one) => wholeOf(one, file));
    const good = typeof right === 'string' ? undefined : goodOf(bad ?? [], right, file);
    return {
      rule,
      ...(context && { context: textOf(context) }),
      bad: bad ? bad.map(documentOf).join('') : String(wrong),
      good: good ? good.map(documentOf).join('') : String(right),
      section,
      why: written.why,
      at: written.at,
      also: written.also ?? [],
      ...(bad && good && { objects: { bad, good } }),
    };
  } catch (error) {
    throw new Error(`${FOLDER}/${section}.yaml: ${rule}: ${(error as Error).message}`);
  }
}

function programsOf(
  { snippets = {}, files = {} }: WrittenExamples,
  { base, file, code, ...written }: WrittenExample,
): Pick<TestedExample, 'bad' | 'good' | 'context' | 'file' | 'language' | 'programs'> {
  const named = (name: string) => {
    const texts = { ...snippets, ...files };
    if (texts[name] === undefined) {
      throw new Error(`no snippet or file is called '${name}'`);
    }
    return texts[name];
  };
  const start = base === undefined ? '' : named(base);
  const bad = snippetOf(written.bad, start);
  const good = written.good === undefined ? start : snippetOf(written.good, base === undefined ? bad : start);
  if (file === undefined || code === undefined) {
    const shown = file === undefined ? undefined : { file, context: named(file) };
    return {
      ...shown,
      bad,
      good,
      language: 'ts',
      programs: { bad: { code: bad, files }, good: { code: good, files } },
    };
  }
  const reading = (text: string) => ({ code: named(code), files: { ...files, [file]: text } });
  const language = extname(file).slice(1) as RuleExample['language'];
  return { file, context: named(code), bad, good, language, programs: { bad: reading(bad), good: reading(good) } };
}

/** Code that follows another one, or changes it. */
function snippetOf(written: WrittenExample['good'], start: string): string {
  if (typeof written !== 'object') {
    return `${start}${written}`.trimEnd().concat('\n');
  }
  return Object.entries(written).reduce((code, [text, replacement]) => {
    if (code.split(text).length !== 2) {
      throw new Error(`'${text}' must be once in\n${code}`);
    }
    return code.replace(text, () => String(replacement ?? ''));
  }, start);
}

const isWholeObject = (written: Fields) => 'kind' in written || written.file === CONTEXT_FILE;

/** An object that is whole, named, or a patch of a base. */
function wholeOf(written: Fields | string, { bases = {} }: WrittenExamples): Fields {
  if (typeof written !== 'string' && isWholeObject(written)) {
    return written;
  }
  const { base, ...patch } = typeof written === 'string' ? { base: written } : written;
  const name = String(base ?? Object.keys(bases)[0]);
  if (!bases[name]) {
    throw new Error(`no base is called '${name}'`);
  }
  return merged(bases[name], patch) as Fields;
}

function goodOf(
  bad: readonly Fields[],
  good: Exclude<NonNullable<WrittenExample['good']>, string>,
  file: WrittenExamples,
): readonly Fields[] {
  const patches = [good].flat() as readonly (Fields | string | null)[];
  const changed = patches.map((patch, i) => {
    if (patch === null) {
      return [];
    }
    const isWhole = typeof patch === 'string' || 'base' in patch || isWholeObject(patch) || bad[i] === undefined;
    return [isWhole ? wholeOf(patch, file) : (merged(bad[i], patch) as Fields)];
  });
  return [...changed.flat(), ...bad.slice(patches.length)];
}

/** Merges as RFC 7396 says. */
function merged(target: Value, patch: Value): Value {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) {
    return patch;
  }
  const of = (typeof target === 'object' && target !== null && !Array.isArray(target) ? target : {}) as Fields;
  const kept = Object.entries(of).map(([key, value]) => [
    key,
    key in patch ? merged(value, patch[key as never]) : value,
  ]);
  const added = Object.entries(patch).flatMap(([key, value]) => (key in of ? [] : [[key, merged(undefined, value)]]));
  return Object.fromEntries([...kept, ...added].filter(([, value]) => value !== null));
}

/** An object, after what separates it from those before. */
function documentOf({ file, ...object }: Fields, i: number): string {
  const head = file ? `# ${file}\n` : i > 0 ? '---\n' : '';
  return `${head}${String(file).endsWith('.json') ? `${JSON.stringify(object, null, 2)}\n` : textOf(object)}`;
}

/** Collections up to this length stand in one line. */
const SHORT = 48;

/** Keys whose maps stand in several lines. */
const LONG = new Set(['annotations', 'spec', 'metadata']);

function textOf(object: Fields): string {
  const document = new Document(structuredClone(object), { version: '1.1', aliasDuplicateObjects: false });
  document.directives = undefined;
  visit(document, {
    Collection(key, node, path) {
      const pair = path.at(-1);
      const name = pair && 'key' in pair && isScalar(pair.key) ? pair.key.value : key;
      const isShort = JSON.stringify(node.toJSON()).length <= SHORT;
      const only = name === 'metadata' && isMap(node) && node.items.length <= 2 && !node.has('annotations');
      if (path.length > 1 && isShort && (only || !LONG.has(String(name))) && isCollection(node)) {
        node.flow = true;
        return visit.SKIP;
      }
      return undefined;
    },
  });
  // as kubectl reads it: `yes` and `0x1` are quoted
  const text = document.toString({ lineWidth: 0 });
  const close = text.replace(/\[ (?=.)/g, '[').replace(/ \](?=[\n,}\] ])/g, ']');
  return isDeepStrictEqual(parse(close, { version: '1.1' }), object) ? close : text;
}

function messageOf(rule: string, program: Program): { readonly what: string; readonly remedy: string } {
  const found = findingsOf(program).find((one) => one.rule === rule);
  if (found === undefined) {
    throw new Error(`${rule}: not found in\n${program.code}`);
  }
  // tokens count from the first one of the process
  const what = found.what.replace(/(Token\[[^\]]*\.)\d+\]/g, '$11]');
  // the command has another name as a single file
  return { what, remedy: found.remedy.replaceAll('npx cdk8s-load-balancers', '{{own}}') };
}

/** A text as the change of another one: how much of its beginning and of its end stays, and what is between. */
function changeOf(old: string, now: string): [begin: number, end: number, between: string] {
  let begin = 0;
  while (begin < old.length && old[begin] === now[begin]) begin++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - begin && old.at(-1 - end) === now.at(-1 - end)) end++;
  return [begin, end, now.slice(begin, now.length - end)];
}

interface StoredExample extends RuleExample {
  readonly section: string;
  readonly why?: string;
}

/** A line of the table, from which the texts of earlier ones are left out: `bad` is a change of that of line `like`. */
function lineOf(one: StoredExample, place: number, all: readonly StoredExample[]): string {
  const { rule, why, file, context, bad, good, language, what, remedy } = one;
  const before = all.slice(0, place);
  const same = before.findIndex((other) => context !== undefined && other.context === context);
  const alike = before
    .map((other, i) => ({ like: i, bad: changeOf(other.bad, bad), section: other.section }))
    .filter(({ section }) => section === one.section)
    .sort((first, second) => first.bad[2].length - second.bad[2].length)[0];
  const isShort = alike !== undefined && alike.bad[2].length < bad.length / 2;
  return JSON.stringify({
    rule,
    why,
    file,
    context: same < 0 ? context : same,
    ...(isShort ? { like: alike.like, bad: alike.bad } : { bad }),
    good: changeOf(bad, good),
    language,
    what,
    remedy,
  });
}

/** What happens, and the examples that readers are shown, as a table that the command line can read. */
export function ruleExamplesFile(): string {
  const isFirst = ({ section, rule }: TestedExample, i: number, all: readonly TestedExample[]) =>
    all.findIndex((one) => one.section === section && one.rule === rule) === i;
  const lines = ruleExamples()
    .filter(isFirst)
    .map((one) => ({ ...one, ...(one.programs && messageOf(one.rule, one.programs.bad)) }))
    .map(lineOf);
  return `// Generated by scripts/generate-docs.ts from src/rules/examples, an example a line.

export const RULE_EXAMPLES: string = \`${lines.join('\n').replace(/[`$\\]/g, '\\$&')}
\`;
`;
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as cdk8s from 'cdk8s';
import type { Command } from 'commander';
import * as ts from 'typescript';
import * as library from '../../src';
import { PAGES } from '../../src/cli/explain/explanation';
import { allCommands } from '../../src/cli/main';
import { knownKinds } from '../../src/rules/known-kinds';
import { surfaceOfPackage } from '../support/public-surface';
import { nodesOf, parse, programs, type Source, sources } from '../support/sources';
import { casesIn, tablesOf } from '../support/yaml-cases';

const tables = tablesOf<Record<string, never>>(join(__dirname, 'advice.yaml'));

// Who follows a remedy finds what it names: commands and options that parse, keys of the context file, members of the public API,
// pages and their sections.

const ROOT = join(__dirname, '..', '..');

/** What stands for a value that only a run knows. */
const VALUE = '…';

interface Text {
  readonly place: string;
  readonly path: string;
  readonly text: string;
}

/** Every text in the code of a file, a template as one, with the names of commands as `npx cdk8s-load-balancers …`. */
function wholeTexts({ path, file }: Source): Text[] {
  return nodesOf(file).flatMap((node) => {
    const text = wholeText(node);
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    return text === undefined ? [] : [{ path, place: `src/${path}:${line}`, text }];
  });
}

function wholeText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return (
      node.head.text + node.templateSpans.map(({ expression, literal }) => spanOf(expression) + literal.text).join('')
    );
  }
  return ts.isCallExpression(node) && node.expression.getText() === 'ownCommand' ? spanOf(node) : undefined;
}

function spanOf(node: ts.Expression): string {
  if (node.getText() === 'CONTEXT_FILE') return 'load-balancers.yaml';
  const isCommand = ts.isCallExpression(node) && node.expression.getText() === 'ownCommand';
  return isCommand ? `npx cdk8s-load-balancers ${wholeText(node.arguments[0]) ?? VALUE}` : VALUE;
}

type Faults = (text: Text) => string[];

const program = allCommands();
const commandNamed = (name: string) => program.commands.find((command) => command.name() === name);

/** A command line of this program, to the end of its clause. */
const COMMAND_LINE =
  /(?<=npx cdk8s-load-balancers )[^`;,()]+|\b(?:check|diff|list|report|explain|ports) --[a-z][^`;,():]*/g;

/** Options of the program named by themselves, as words of a sentence. */
const OPTION = /(?<=^|[\s(,`])--[a-z-]*[a-z](?![\w…-])/g;

/** What other programs have, the rest of the clause with it. */
const OF_OTHERS = /\b(?:kubectl|aws|az|gcloud|helm) [^|;]*|--(?:server-side|cascade|dry-run|show-managed-fields)\b\S*/g;

/** The rooms that print what the options of the program decide; elsewhere options are those of controllers. */
const OF_COMMANDS: readonly [path: RegExp, names: readonly string[]][] = casesIn(__dirname, 'advice.yaml').ofCommands;

const misusedCommands: Faults = ({ text }) =>
  (text.replace(OF_OTHERS, '').match(COMMAND_LINE) ?? []).flatMap((line) => {
    const [name, ...words] = line.trim().split(/\s+/);
    const command = commandNamed(name);
    return name === VALUE ? [] : command === undefined ? [`no command '${name}'`] : misusedWords(command, words);
  });

function misusedWords(command: Command, words: readonly string[]): string[] {
  const faults: string[] = [];
  const operands: string[] = [];
  const left = words.slice(0, endOf(words));
  while (left.length > 0) {
    const word = left.shift() as string;
    if (!word.startsWith('--')) {
      operands.push(word);
      continue;
    }
    const option = command.options.find(({ long }) => long === word);
    if (option === undefined) {
      faults.push(`${command.name()} has no option ${word}`);
    } else if (option.required) {
      faults.push(...refusedValue(word, left.shift(), option.parseArg));
    }
  }
  const needed = command.registeredArguments.filter(({ required, defaultValue }) => required && !defaultValue).length;
  const takesAny = command.registeredArguments.some(({ variadic }) => variadic);
  return takesAny || operands.length <= Math.max(needed, command.registeredArguments.length)
    ? faults
    : [...faults, `${command.name()} takes no '${operands.at(-1)}'`];
}

/** Words of the sentence follow the options of a command that is named in it. */
function endOf(words: readonly string[]): number {
  const at = words.findIndex((word) => ['begins', 'says', 'has', 'and', 'or', 'which'].includes(word));
  return at < 0 ? words.length : at;
}

function refusedValue(option: string, value?: string, read?: (value: string, before: unknown) => unknown): string[] {
  if (value === undefined) return [`${option} needs a value`];
  try {
    if (!/[…A-Z]/.test(value)) read?.(value, undefined);
    return [];
  } catch (error) {
    return [`${option} ${value}: ${(error as Error).message}`];
  }
}

const unknownOptions: Faults = ({ path, text }) => {
  const [, names = []] = OF_COMMANDS.find(([room]) => room.test(path)) ?? [];
  const has = (option: string) =>
    [program, ...names.map(commandNamed)].some((command) => command?.options.some(({ long }) => long === option));
  const options = text.replace(OF_OTHERS, '').replace(COMMAND_LINE, '').match(OPTION) ?? [];
  return names.length === 0
    ? []
    : options.filter((option) => !has(option)).map((option) => `${names} has no ${option}`);
};

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Every key of the context file, with what it takes, wherever it is. */
const KEYS = new Map<string, Schema[]>();

function readKeys(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, inner] of Object.entries((schema as Schema).properties ?? {})) {
    KEYS.set(key, [...(KEYS.get(key) ?? []), inner]);
  }
  Object.values(schema).forEach(readKeys);
}
readKeys(JSON.parse(readFileSync(join(ROOT, 'schema/load-balancers.schema.json'), 'utf8')));

const takes = (schema: Schema, value: string) =>
  schema.enum?.includes(value) ?? (schema.type !== 'boolean' || ['true', 'false'].includes(value));

/** A remedy that sends its reader to the context file names a key of it, with a value that the key takes. */
const unknownKeys: Faults = ({ text }) => {
  const clauses = text
    .split(/ in load-balancers\.yaml/)
    .slice(0, -1)
    .map((one) => one.split(/[;,]/).at(-1) ?? '');
  return clauses.flatMap((clause) => {
    const names = clause.match(/[a-zA-Z]+/g) ?? [];
    const pairs = [...clause.matchAll(/\b([a-zA-Z]+): ([\w-]+)/g)];
    const wrong = pairs.filter(([, key, value]) => !KEYS.get(key)?.some((schema) => takes(schema, value)));
    return names.some((name) => KEYS.has(name))
      ? wrong.map(([pair]) => `the context file takes no '${pair}'`)
      : [`'${clause.trim()}' names no key of the context file`];
  });
};

const CONTROLLERS = knownKinds().map(({ name }) => name);

const variants: Faults = ({ text }) =>
  CONTROLLERS.filter((name) => new RegExp(`${name}:[a-zA-Z]`).test(text)).map((name) => `a variant of ${name}`);

/** Names with a point that are no members of a class: files, and what others call so. */
const NO_MEMBERS = /\.(?:java|scala|md|html|yaml|go)$|^(?:Microsoft|Amazon|Main)\./;
const MEMBER = /(?<![\w./:$@-])([A-Z][a-z]\w+)\.([A-Za-z_]\w*)/g;

const unknownMembers: Faults = ({ text }) =>
  [...text.matchAll(MEMBER)]
    .filter(([name]) => !NO_MEMBERS.test(name))
    .filter(([, owner, member]) => !hasMember(owner, member))
    .map(([name]) => `no ${name}`);

const LIBRARY = surfaceOfPackage().types;

function hasMember(owner: string, member: string): boolean {
  const made: unknown = { ...cdk8s, ...library }[owner as keyof typeof library];
  const { prototype } = (made ?? {}) as { prototype?: object };
  return (
    (typeof made === 'function' || typeof made === 'object') &&
    made !== null &&
    (member in made || (prototype !== undefined && member in prototype))
  );
}

/** Functions that a sentence tells to call. */
const CALL = /(?<=^|[\s`])\.?([a-z]+[A-Z]\w*|haproxy)\(/g;
const MEMBERS = new Set(LIBRARY.flatMap(({ members }) => members.map(({ name }) => name)));

const unknownCalls: Faults = ({ text }) =>
  [...text.matchAll(CALL)].filter(([, name]) => !MEMBERS.has(name)).map(([call]) => `no ${call})`);

const PAGE = /(?<![\w/])docs\/[\w/.-]+\.md(#[\w-]+)?/g;

const missingPages: Faults = ({ text }) => (text.match(PAGE) ?? []).filter((page) => !isThere(page));

function isThere(page: string): boolean {
  const [file, anchor] = page.split('#');
  const path = join(ROOT, file);
  if (!existsSync(path)) return false;
  const text = readFileSync(path, 'utf8');
  return anchor === undefined || text.includes(`id="${anchor}"`) || headings(text).some((one) => slug(one) === anchor);
}

const headings = (text: string) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');

const STEPS = headings(readFileSync(join(ROOT, PAGES.terminating), 'utf8')).map((one) => /^\d+/.exec(one)?.[0]);

const missingSteps: Faults = ({ text }) => {
  const [steps = ''] = /\bsteps? \d+(?:(?:, | and )\d+)*/.exec(text) ?? [];
  return (steps.match(/\d+/g) ?? []).filter((step) => !STEPS.includes(step)).map((step) => `no step ${step}`);
};

const LAWS: readonly (readonly [string, Faults])[] = [
  ['commands parse', misusedCommands],
  ['options are of the command that prints them', unknownOptions],
  ['keys of the context file are in its schema', unknownKeys],
  ['controllers are named without a variant', variants],
  ['members are in the public API', unknownMembers],
  ['functions are in the public API', unknownCalls],
  ['pages and their sections are there', missingPages],
  ['steps are on the page', missingSteps],
];

const OWN_PAGE = /^docs\/(?:how-to|explanation|reference|tutorials|stuck-in)/;

/** Sentences, and pages by themselves that are of a folder of this documentation. */
const texts = [...sources, ...programs]
  .flatMap(wholeTexts)
  .filter(({ text }) => !text.includes('\n') && (/\s/.test(text) || OWN_PAGE.test(text)));

test.each(LAWS)('in all texts, %s', (_, faults) => {
  expect(texts.flatMap((text) => faults(text).map((fault) => `${text.place}: ${fault} in '${text.text}'`))).toEqual([]);
});

test.each<[string, string | undefined]>(tables.rows)('in %s, %s', (text, fault) => {
  const [found] = wholeTexts(parse('diff/file.ts', text)).flatMap((one) => LAWS.flatMap(([, faults]) => faults(one)));
  expect(found?.slice(0, fault?.length)).toBe(fault);
});

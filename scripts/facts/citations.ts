import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Citation } from '../../src/contract/kubernetes.facts';
import { AWS_LBC_SOURCE } from '../../src/controllers/aws-load-balancer-controller/annotations';
import { STRIMZI_RELEASES } from '../../src/kafka/strimzi/strimzi.facts';
import { DESCRIBED_RULES } from '../../src/rules/described-rules.facts';
import { filesIn, ROOT } from '../docs/files';

/** Who cites a file of a repository. */
export interface PlacedCitation extends Citation {
  /** The key of a catalogue entry, the id of a rule, or the name of what else has it. */
  readonly who: string;
  /** The module of `src`, with the line where it is a comment. */
  readonly place: string;
}

const KNOWN_STRIMZI = Object.keys(STRIMZI_RELEASES).slice(-1)[0];

/** Every citation of `src`: in values that modules export, in the table of rules, and in comments. */
export function collectedCitations(): PlacedCitation[] {
  const files = filesIn('src', '.ts').filter((file) => !file.endsWith('index.ts'));
  const all = [...files.flatMap(exportedCitations), ...ruleCitations(), ...files.flatMap(commentedCitations)];
  const found = new Map<string, PlacedCitation>();
  for (const each of all) {
    const key = [each.repository, each.version, each.file, each.who].join('|');
    found.set(key, found.get(key) ?? each);
  }
  return [...found.values()];
}

/** Folders whose tables name files of one repository alone. */
const FILES_OF: readonly { readonly below: string; readonly repository: string; readonly version: string }[] = [
  { below: 'src/installations/aws-load-balancer-controller/', ...AWS_LBC_SOURCE },
  { below: 'src/identity/aws/aws-load-balancer-controller.', ...AWS_LBC_SOURCE },
  { below: 'src/installations/strimzi/', repository: 'strimzi/strimzi-kafka-operator', version: KNOWN_STRIMZI },
];

/** What names the value that a citation is in. */
const NAMES = ['key', 'id', 'name', 'flag', 'gate', 'action', 'finalizer', 'kind'];

/** Deeper there are definitions of controllers, whose parts modules export themselves. */
const DEPTH = 8;

function exportedCitations(file: string): PlacedCitation[] {
  const seen = new Set<object>();
  return Object.entries(require(join(ROOT, file)) as object).flatMap(([name, value]) =>
    citationsIn(value, name, file, seen, DEPTH),
  );
}

function citationsIn(value: unknown, who: string, place: string, seen: Set<object>, depth: number): PlacedCitation[] {
  if (typeof value !== 'object' || value === null || depth === 0 || (seen.has(value) && !isCitation(value))) {
    return [];
  }
  seen.add(value);
  if (isCitation(value)) {
    return [{ repository: value.repository, version: value.version, file: value.file, who, place }];
  }
  const parts = value instanceof Map ? [...value.entries()] : partsOf(value);
  const own = nameOf(value);
  const inside = parts.flatMap(([key, part]) => {
    const isIn = /^\d+$/.test(String(key)) || key === 'source' ? who : `${who}.${key}`;
    return citationsIn(part, own ?? isIn, place, seen, depth - 1);
  });
  return [...fileOf(value, own ?? who, place), ...inside];
}

/** What a value is called: a rule by its id, a row of a table by its name. */
function nameOf(value: object): string | undefined {
  const named = value as Record<string, unknown>;
  const own = NAMES.map((name) => named[name]).find((name) => typeof name === 'string' && !name.startsWith('{')) as
    | string
    | undefined;
  return own !== undefined && typeof named.says === 'string' ? `rule ${own}` : own;
}

/** The file of a row in a table about one repository. */
function fileOf(value: object, who: string, place: string): PlacedCitation[] {
  const of = FILES_OF.find(({ below }) => place.startsWith(below));
  const { file, source, tag } = value as Record<string, unknown>;
  const path = [file, source].find((each) => typeof each === 'string' && /^[\w.-]+\/\S+$/.test(each)) as
    | string
    | undefined;
  return of && path ? [{ repository: of.repository, version: String(tag ?? of.version), file: path, who, place }] : [];
}

/** The parts of a value that are no getters. */
function partsOf(value: object): [string, unknown][] {
  return Object.entries(Object.getOwnPropertyDescriptors(value))
    .filter(([, property]) => 'value' in property)
    .map(([key, property]) => [key, property.value]);
}

function isCitation(value: object): value is Citation {
  const { repository, version, file } = value as Partial<Citation>;
  return typeof repository === 'string' && typeof version === 'string' && typeof file === 'string';
}

/** Rules as the command line has them: their fourth column is the citation. */
function ruleCitations(): PlacedCitation[] {
  return DESCRIBED_RULES.split('\n').flatMap((line) => {
    const [id, , , source = ''] = line.split(' | ');
    const match = /^(\S+\/\S+) (v?\d[\w.-]*), (.+?) *\|?$/.exec(source);
    const place = 'src/rules/described-rules.facts.ts';
    return match ? [{ repository: match[1], version: match[2], file: match[3], who: `rule ${id}`, place }] : [];
  });
}

/** `owner/name v1.2.3: files` or `owner/name, tag v1.2.3, files`, up to the end of the sentence. */
const IN_COMMENTS =
  /([\w.-]+\/[\w.-]+),? (?:tags? )?(v?\d+\.\d+\.\d+)(?: to v?\d+\.\d+\.\d+)?[,:] ([^;]+?)(?=;|\*\/|$)/g;

function commentedCitations(file: string): PlacedCitation[] {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  return commentsOf(lines).flatMap(({ text, line }) =>
    [...text.matchAll(IN_COMMENTS)]
      .filter(([, , , files]) => /\w[./]\w/.test(files))
      .map(([, repository, version, files]) => {
        const { name, at } = declaredBelow(lines, line);
        return { repository, version, file: files, who: name ?? file, place: `${file}:${at}` };
      }),
  );
}

/** Comments, each in one line, with the line after them. */
function commentsOf(lines: readonly string[]): { text: string; line: number }[] {
  const found: { text: string; line: number }[] = [];
  let words: string[] = [];
  lines.forEach((line, index) => {
    const text = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/)\s?(.*?)(?:\*\/)?$/.exec(line)?.[1];
    if (text !== undefined) {
      words.push(text.trim());
    } else if (words.length > 0) {
      found.push({ text: words.join(' '), line: index });
      words = [];
    }
  });
  return found;
}

/** What a comment is about: what is declared next. */
function declaredBelow(lines: readonly string[], line: number): { name?: string; at: number } {
  const at = lines.slice(line, line + 3).findIndex((each) => DECLARED.test(each));
  return at < 0 ? { at: line } : { name: DECLARED.exec(lines[line + at])?.[1], at: line + at + 1 };
}

const DECLARED = /(?:const|function|class|interface|enum|type) (\w+)/;

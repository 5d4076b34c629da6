import { grouped } from '../../contract/grouped';
import { ownCommand } from '../../contract/own-command';
import { count, printable } from '../../contract/printable';
import type {
  CheckedObject,
  CheckFinding,
  CheckReport,
  KnownContext,
  Place,
  UnknownAnswer,
  UnreadableDocument,
} from '../check-report';

/** How a place on standard input is written; its file is `-`. */
const STANDARD_INPUT = 'standard input';

/** The longest text of a file that is printed for people: a value can be as long as its file. */
const LONGEST = 1_000;

/** How many objects are named of those that a rule has no answer for. */
const NAMED = 3;

/** Whether a place is in no file, since it was read from standard input. */
export function isStandardInput({ file }: Place): boolean {
  return file === '-';
}

export function lackOf({ isSource }: Pick<UnreadableDocument, 'isSource'>): string {
  return isSource ? 'cannot be rendered' : 'cannot be read';
}

/** `k8s/edge.yaml:23:11` */
export function placeOf(place: Place): string {
  return seen(`${isStandardInput(place) ? STANDARD_INPUT : place.file}:${place.line}:${place.column}`);
}

/** `k8s/edge.yaml:23`; of standard input, in words. */
export function lineOf(file: string, line: number): string {
  return file === '-' ? `${STANDARD_INPUT}, line ${line}` : `${file}:${line}`;
}

/** `Service edge/echo` */
export function nameOf({ kind, namespace, name }: CheckedObject): string {
  return clipped(`${kind} ${namespace ? `${namespace}/` : ''}${name === '' ? '(without a name)' : name}`);
}

/** `Service edge/echo, made by Kafka kafka/events, listener external in prod-eks`; the maker alone if the object is its own maker. */
export function titleOf(object: CheckedObject): string {
  const name = nameOf(object);
  const maker = clipped(object.madeBy ?? '');
  const title = maker === '' ? name : maker.startsWith(`${name},`) ? maker : `${name}, made by ${maker}`;
  return object.cluster === undefined ? title : `${title} in ${clipped(object.cluster)}`;
}

/** A text of a file as people read it: in one line, and not longer than they read. */
export function clipped(text: string): string {
  const signs = text.length > LONGEST ? [...text.slice(0, 2 * LONGEST + 2)] : [];
  return signs.length > LONGEST ? `${seen(signs.slice(0, LONGEST).join(''))}… (${text.length} characters)` : seen(text);
}

const PLAIN = /^[ -~]*$/;

/** Whether every sign of a text is one of ASCII that is printed, as nearly all are. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** The same as `printable`, sooner. */
export function seen(text: string): string {
  return isPlain(text) ? text : printable(text);
}

/**
 * What a runner of GitHub Actions takes for a command in the output of any program: two colons at the beginning of a line,
 * and `##[` anywhere. actions/runner 079cdb1, src/Runner.Common/ActionCommand.cs
 */
const COMMAND = /:(?=:)(?<=^\s*:)|#(?=\[)(?<=##)/gm;

/** Texts of files with the sign escaped that makes them commands. */
export function withoutCommands(text: string, escaped = inJson): string {
  return text.replace(COMMAND, escaped);
}

function inJson(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export interface Tally {
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  readonly accepted: number;
  /** Rules without an answer, one for each object. */
  readonly unknown: number;
  readonly unreadable: number;
  readonly objects: number;
}

/** What was accepted counts as that alone. */
export function tallyOf({ findings, unknown, unreadable, objects }: CheckReport): Tally {
  const open = (level: string) => findings.filter((finding) => !finding.accepted && finding.level === level).length;
  return {
    errors: open('error'),
    warnings: open('warning'),
    notes: open('note'),
    accepted: findings.filter(({ accepted }) => accepted).length,
    unknown: unknown.length,
    unreadable: unreadable.length,
    objects,
  };
}

/** `3 errors, 1 warning in 12 objects; 1 accepted` */
export function summaryOf(report: CheckReport): string {
  const { errors, warnings, notes, accepted, unknown, unreadable, objects } = tallyOf(report);
  const found = [count(errors, 'error'), count(warnings, 'warning'), ...(notes > 0 ? [count(notes, 'note')] : [])].join(
    ', ',
  );
  const rest = [
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
    ...(unknown > 0 ? [`${count(unknown, 'answer')} unknown (needs ${neededFor(report)})`] : []),
    ...(unreadable > 0 ? [`${count(unreadable, 'document')} unreadable`] : []),
  ].join(', ');
  return `${found} in ${count(objects, 'object')}${rest === '' ? '' : `; ${rest}`}`;
}

/** A line for findings that are no errors since the cluster is a guess, and what to write. */
export function guessInWords(open: readonly CheckFinding[], context: readonly KnownContext[]): string[] {
  const guesses = open.filter(({ isGuess }) => isGuess).length;
  if (guesses === 0 || open.some(({ level }) => level === 'error')) {
    return [];
  }
  const what = `${count(guesses, 'warning')} would be ${guesses === 1 ? 'an error' : 'errors'} if the cluster were known`;
  const isInferred = context.every((one) => one.isInferred);
  return [`${what}; ${isInferred ? NAME_CONTROLLERS : 'write into load-balancers.yaml what the remedy asks for'}`];
}

export const NAME_CONTROLLERS = `name the controllers of the cluster in load-balancers.yaml (${ownCommand('check --init')})`;

function neededFor({ unknown }: CheckReport): string {
  return [...new Set(unknown.flatMap(({ needs }) => needs.map(clipped)))].sort().join(', ');
}

/** What is unknown for the same reason, in a line each: `needs controllers: 12 rules for Service edge/echo and 3 more`. */
export function unknownLines(unknown: readonly UnknownAnswer[], isVerbose = false): string[] {
  return [...grouped(unknown, needsOf)].map(([needs, answers]) => {
    const objects = [...new Set(answers.map(({ object }) => titleOf(object)))];
    const named = objects.slice(0, isVerbose ? objects.length : NAMED);
    const more = objects.length > named.length ? ` and ${objects.length - named.length} more` : '';
    const rules = [...new Set(answers.map(({ ruleId }) => ruleId))];
    const asked = isVerbose ? rules.join(', ') : count(rules.length, 'rule');
    return `needs ${needs}: ${asked} for ${named.join('; ')}${more}`;
  });
}

/** `controllers and strimzi` */
export function needsOf({ needs }: UnknownAnswer): string {
  return [...needs].sort().map(clipped).join(' and ');
}

/** `controllers metallb, Kubernetes 1.36: from load-balancers.yaml; region: from k8s/nodes.yaml` */
export function contextInWords(context: readonly KnownContext[]): string {
  return [...grouped(context, ({ from, cluster }) => JSON.stringify([cluster, from])).values()]
    .map((known) => {
      const [{ from, cluster }] = known;
      const of = cluster === undefined ? '' : `${clipped(cluster)}: `;
      return `${of}${known.map(({ what }) => clipped(what)).join(', ')}: from ${clipped(from)}`;
    })
    .join('; ');
}

/** The heading of what is said of a cluster, if there are several. */
export function clusterTitle(cluster: string | undefined, format = 'text'): string {
  const heading = { markdown: '## Cluster', mermaid: '%% cluster' }[format] ?? 'cluster';
  return cluster === undefined ? '' : `${heading} ${printable(cluster)}\n${format === 'mermaid' ? '' : '\n'}`;
}

export function json(report: unknown): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

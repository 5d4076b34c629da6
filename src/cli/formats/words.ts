import { grouped, printable } from '../../contract/json';
import { count, type DescribedRule, ownCommand, someOf } from '../../contract/rule';
import { titleOf as titleOfObject } from '../../predicted/predicted';
import { clippedText, type Line, printableText } from '../../report/document';
import type {
  CheckedObject,
  CheckFinding,
  CheckReport,
  KnownContext,
  Place,
  UnknownAnswer,
  UnreadableDocument,
} from '../check-report';

const STANDARD_INPUT = 'standard input';

const NAMED = 3;

const ABOUT = /^.+?:\d+: \w+ [^:]+(?=: )/;

/** Notes of one text about several objects as one, with the first place and the number of the others. */
export function folded(notes: readonly string[]): string[] {
  const all = grouped(new Set(notes), (note) => note.replace(ABOUT, ''));
  return [...all.values()].map(([first, ...more]) =>
    more.length === 0 ? first : first.replace(ABOUT, `$& and ${more.length} more`),
  );
}

export function isStandardInput({ file }: Place): boolean {
  return file === '-';
}

export function lackOf({ isSource }: Pick<UnreadableDocument, 'isSource'>): string {
  return isSource ? 'cannot be rendered' : 'cannot be read';
}

export function placeOf(place: Place): string {
  return printableText(`${isStandardInput(place) ? STANDARD_INPUT : place.file}:${place.line}:${place.column}`);
}

export function lineOf(file: string, line: number): string {
  return file === '-' ? `${STANDARD_INPUT}, line ${line}` : `${file}:${line}`;
}

export function nameOf({ kind, namespace, name }: CheckedObject): string {
  return clippedText(`${kind} ${titleOfObject({ metadata: { namespace, name } })}`);
}

/** `Service edge/echo, made by Kafka kafka/events, listener external in prod-eks`; the maker alone if the object is its own maker. */
export function titleOf(object: CheckedObject): string {
  const name = nameOf(object);
  const maker = clippedText(object.madeBy ?? '');
  const made = maker === name ? `Service of ${name}` : `${name}, made by ${maker}`;
  const title = maker === '' ? name : maker.startsWith(`${name},`) ? maker : made;
  return object.cluster === undefined ? title : `${title} in ${clippedText(object.cluster)}`;
}

export function tallyOf({ findings, unknown, unreadable, objects }: CheckReport) {
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

export function summaryOf(report: CheckReport): string {
  const { errors, warnings, notes, accepted, unknown, unreadable, objects } = tallyOf(report);
  const found = [count(errors, 'error'), count(warnings, 'warning'), ...(notes > 0 ? [count(notes, 'note')] : [])].join(
    ', ',
  );
  const rules = [...new Set(report.findings.flatMap(({ accepted: one, ruleId }) => (one ? ruleId : [])))];
  const rest = [
    ...(accepted > 0 ? [`${accepted} accepted (${someOf(rules)})`] : []),
    ...(unknown > 0 ? [`${count(unknown, 'answer')} unknown (needs ${neededFor(report)})`] : []),
    ...(unreadable > 0 ? [`${count(unreadable, 'document')} unreadable`] : []),
  ].join(', ');
  return `${found} in ${count(objects, 'object')}${rest === '' ? '' : `; ${rest}`}`;
}

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
  return [...new Set(unknown.flatMap(({ needs }) => needs.map(clippedText)))].sort().join(', ');
}

/** Unknown answers by reason, in a line each: `needs controllers: owner-ambiguous and 2 more for Service edge/echo`. */
export function unknownLines(unknown: readonly UnknownAnswer[], isVerbose = false): string[] {
  return [...grouped(unknown, needsOf)].map(([needs, answers]) => {
    const objects = [...new Set(answers.map(({ object }) => titleOf(object)))];
    const rules = [...new Set(answers.map(({ ruleId }) => ruleId))];
    const most = isVerbose ? answers.length : NAMED;
    return `needs ${needs}: ${someOf(rules, most)} for ${someOf(objects, most, '; ')}`;
  });
}

export function needsOf({ needs }: UnknownAnswer): string {
  return [...needs].sort().map(clippedText).join(' and ');
}

/** `controllers metallb, Kubernetes 1.36: from load-balancers.yaml; region: from k8s/nodes.yaml` */
export function contextInWords(context: readonly KnownContext[]): string {
  return [...grouped(context, ({ from, cluster }) => JSON.stringify([cluster, from])).values()]
    .map((known) => {
      const [{ from, cluster }] = known;
      const of = cluster === undefined ? '' : `${clippedText(cluster)}: `;
      return `${of}${known.map(({ what }) => clippedText(what)).join(', ')}: from ${clippedText(from)}`;
    })
    .join('; ');
}

export function clusterTitle(cluster: string | undefined, format = 'text'): string {
  const heading = { markdown: '## Cluster', mermaid: '%% cluster' }[format] ?? 'cluster';
  return cluster === undefined ? '' : `${heading} ${printable(cluster)}\n${format === 'mermaid' ? '' : '\n'}`;
}

export function json(report: unknown): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

export function contextLines(context: readonly KnownContext[], guess: string): Line[] {
  return [true, false].flatMap((is): Line[] => {
    const known = context.filter(({ isInferred }) => isInferred === is);
    return known.length === 0 ? [] : [[0, `${is ? `${guess}: ` : ''}${contextInWords(known)}`]];
  });
}

export const REPOSITORY = 'https://github.com/cdk8s-load-balancers/cdk8s-load-balancers';

export function pageUrl(page: string): string {
  return `${REPOSITORY}/blob/main/${page}`;
}

export const RULES_PAGE = pageUrl('docs/reference/rules.md');

export function rulePage(ruleId: string): string {
  return `${RULES_PAGE}#${encodeURIComponent(wellFormed(ruleId))}`;
}

export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

export type FailOn = 'error' | 'warning';

export interface FailureOptions {
  readonly failOn?: FailOn;
  readonly strict?: boolean;
}

export interface CommandResult {
  readonly worst?: FailOn;
  readonly isUnknown?: boolean;
  readonly isUnreadable?: boolean;
}

/** The exit code of a command that was asked for rightly: 2 if something cannot be read, 1 for findings, losses and failures. */
export function exitCode(
  { worst, isUnknown, isUnreadable }: CommandResult,
  { failOn = 'error', strict = false }: FailureOptions = {},
): 0 | 1 | 2 {
  return isUnreadable ? 2 : (worst && isFailure(worst, failOn)) || (strict && isUnknown) ? 1 : 0;
}

export function resultOfCheck({ findings, unknown, unreadable, isIncomplete = false }: CheckReport): CommandResult {
  const open = findings.filter(({ accepted }) => !accepted);
  const worst = (['error', 'warning'] as const).find((level) => open.some((one) => one.level === level));
  return { worst, isUnknown: unknown.length > 0 || isIncomplete, isUnreadable: unreadable.length > 0 };
}

export function isFailure(level: string, failOn: FailOn = 'error'): boolean {
  return level === 'error' || (level === 'warning' && failOn === 'warning');
}

export interface FormatOptions extends FailureOptions {
  readonly version?: string;
  readonly rules?: readonly DescribedRule[];
  readonly width?: number;
  readonly isVerbose?: boolean;
}

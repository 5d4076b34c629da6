import { nearest, ownCommand } from '../../contract/rule';
import { CHANGES, type ChangeCase, changeCasesOf } from '../../lifecycle/change-cases';
import { CHANGE_OUTCOME_SAYS, CHANGE_OUTCOMES } from '../../lifecycle/change-outcomes';
import { changeAnswer } from '../../lifecycle/change-results';
import { FINALIZER_VERDICTS } from '../../lifecycle/finalizer-verdicts.facts';
import { OWNERS } from '../../lifecycle/owners';
import { BROKEN_SAYS } from '../../lifecycle/properties';
import type { TraceNames } from '../../lifecycle/trace-text';
import { type Case, casesOf, verdictOf } from '../../lifecycle/verdict';
import type { ReportedService } from '../../predicted/predicted';
import type { CheckContext } from '../context/check-context';
import { json, lineOf, pageUrl } from '../formats/words';
import { lines, pathOf } from './explain-text';
import {
  type ShownTrace,
  shownTrace,
  type TracedOwner,
  type TracedService,
  traceService,
  type WhatIf,
} from './traced-service';

export type NamedTrace = ReturnType<typeof named>;

/** Names of traces of a whole life, as rules name them: `orphan-deleted-at-once`. */
const LIVES = new Set(FINALIZER_VERDICTS.map((line) => line.split(' | ')[3]));

const nameOf = (outcome: string, change: string) => `${outcome}-${change}`.replaceAll(' ', '-');

export function traceNames(): string[] {
  return [...LIVES, ...CHANGE_OUTCOMES.flatMap((outcome) => CHANGES.map((change) => nameOf(outcome, change)))];
}

export function traceNamed(word: string): NamedTrace | undefined {
  return LIVES.has(word) ? lifeNamed(word) : changeNamed(word);
}

function lifeNamed(word: string): NamedTrace | undefined {
  for (const line of FINALIZER_VERDICTS) {
    const [owner, , policy, trace, writers] = line.split(' | ');
    const cases = casesOf(OWNERS.filter(({ name }) => trace === word && name === owner)).filter(
      (one) => one.turn === 'nothing' && one.policy === policy && writers.split('+').includes(one.writer),
    );
    for (const one of cases) {
      const { found } = verdictOf(one);
      if (found?.name === word) {
        const comesTo = BROKEN_SAYS[found.trace.property];
        return named(word, one, policy, (names) => shownTrace(word, found.trace, names, comesTo));
      }
    }
  }
  return undefined;
}

function changeNamed(word: string): NamedTrace | undefined {
  const cases = changeCasesOf(OWNERS).filter(({ change }) => word.endsWith(nameOf('', change)));
  for (const one of cases) {
    const { outcome, trace } = changeAnswer(one) ?? {};
    if (outcome && trace?.name === word) {
      const finalizer = one.before === one.after ? one.before : `${one.before}, and ${one.after} afterwards`;
      const comesTo = `${outcome}: ${CHANGE_OUTCOME_SAYS[outcome]}`;
      return named(word, one, finalizer, (names) => shownTrace(word, trace.way, names, comesTo));
    }
  }
  return undefined;
}

function named(
  word: string,
  { owner, beside, writer }: Case | ChangeCase,
  finalizer: string,
  shownWith: (names: TraceNames) => ShownTrace,
) {
  return {
    kind: 'trace' as const,
    word,
    ...{ owner: owner.name, versions: owner.versions, beside, finalizer, writer },
    trace: shownWith({ own: owner.finalizer ?? 'its finalizer', other: 'another finalizer' }),
  };
}

type TraceFormat = 'text' | 'json' | 'mermaid';

export function tracesOf(services: readonly ReportedService[], context: CheckContext): TracedService[] {
  return services.map((service) => traceService(service, context));
}

export function tracesText(traced: readonly TracedService[], format: TraceFormat): string {
  return format === 'mermaid' ? traced.flatMap(diagrams).join('\n') : traced.map(tracedText).join('\n');
}

function diagrams({ namespace, name, traces: found }: TracedService): string[] {
  const title = [namespace, name].filter(Boolean).join('/');
  return found.map(({ owner, outcome, trace }) =>
    trace ? `%% ${title}, ${owner}\n${trace.mermaid}\n` : `%% ${title}, ${owner}: ${outcome}\n`,
  );
}

export function namedTrace(word: string, format: TraceFormat): string | undefined {
  const found = traceNamed(word);
  return (
    found &&
    { json: () => json([found]), mermaid: () => `${found.trace.mermaid}\n`, text: () => namedTraceText(found) }[
      format
    ]()
  );
}

export function tracesNear(word: string): string[] {
  const name = nearest(word, traceNames());
  return name !== undefined && traceNamed(name) ? [name] : [];
}

const LABEL = 13;
const PAGE = 'docs/explanation/lifecycle.md';

function tracedText(service: TracedService): string {
  const { file, line, madeBy, alike, owner, because, notes, traces } = service;
  return lines([
    `Service ${pathOf(service)}  (${madeBy ? `made later of ${madeBy}, ` : ''}${lineOf(file, line)})`,
    ...(alike ? [row('also for', alike.join(', '))] : []),
    row('owner', `${owner}: ${because}`),
    ...notes.map((note) => row('note', note)),
    ...traces.flatMap((traced) => tracedRows(traced, traces.length > 1 || traced.owner !== owner)),
    '',
    `  read on: ${pageUrl(PAGE)}`,
  ]);
}

function tracedRows(traced: TracedOwner, isNamed: boolean): string[] {
  const { owner, versions, beside, finalizer, writer, outcome, unless, trace, heldAgainst, whatIf } = traced;
  const answer = outcome === 'safe if' ? `safe if no ${unless.join(' and no ')}` : outcome;
  return [
    ...(isNamed ? ['', `  If it is owned by ${owner}`] : []),
    row('finalizer', finalizer),
    row('written by', writer),
    row('in the model', [owner, ...(versions === 'any' ? [] : [versions]), beside].join(', ')),
    row('finding', trace ? `${answer}: ${trace.name}, ${trace.steps.length} steps` : answer),
    row('held against', heldAgainst),
    ...(trace
      ? wayRows(trace, outcome === 'unsafe' ? 'The shortest way to it' : `What happens with ${unless[0]}`)
      : []),
    ...(whatIf.length > 0 ? ['', '  What if it is changed', ...whatIf.map(ifRow)] : []),
  ];
}

function ifRow({ change, outcome, when, means, trace }: WhatIf): string {
  const name = trace ? ` (${ownCommand(`explain ${trace}`)})` : '';
  return `    ${change}: ${outcome}${when === 'now' ? '' : ' when it is deleted afterwards'}: ${means}${name}`;
}

function wayRows({ lines: way, comesTo, known }: ShownTrace, title: string): string[] {
  return ['', `  ${title}`, ...way.map((one) => `    ${one}`), row('result', comesTo), row('evidence', known)];
}

function namedTraceText(named: NamedTrace): string {
  const { word, owner, versions, beside, finalizer, writer, trace } = named;
  return lines([
    `trace ${word}`,
    row('owner', `${owner} (${versions})`),
    row('beside it', beside),
    row('finalizer', finalizer),
    row('written by', writer),
    ...wayRows(trace, `The shortest way, ${trace.steps.length} steps`),
    '',
    `  read on: ${pageUrl(PAGE)}`,
  ]);
}

function row(label: string, value: string): string {
  return `    ${label.padEnd(LABEL)}  ${value}`;
}

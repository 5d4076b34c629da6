import { nearest } from '../../contract/edit-distance';
import { ownCommand } from '../../contract/own-command';
import type { ReportedService } from '../../predicted/predicted';
import type { CheckContext } from '../context/check-context';
import { json, lineOf } from '../formats/words';
import { lines, pathOf } from './explain-text';
import { type NamedTrace, traceNamed, traceNames } from './named-traces';
import type { ShownTrace } from './shown-trace';
import { type TracedOwner, type TracedService, traceService, type WhatIf } from './traced-service';

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

/** The trace of a name as it is printed; undefined if no trace has it. */
export function namedTrace(word: string, format: TraceFormat): string | undefined {
  const found = traceNamed(word);
  return (
    found &&
    { json: () => json([found]), mermaid: () => `${found.trace.mermaid}\n`, text: () => namedTraceText(found) }[
      format
    ]()
  );
}

/** The trace that a misspelt word is nearest to, if some owner has it. */
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
    ...(alike ? [row('the same of', alike.join(', '))] : []),
    row('owner', `${owner}: ${because}`),
    ...notes.map((note) => row('note', note)),
    ...traces.flatMap((traced) => tracedRows(traced, traces.length > 1 || traced.owner !== owner)),
    '',
    `  read on: ${PAGE}`,
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
  return ['', `  ${title}`, ...way.map((one) => `    ${one}`), row('comes to', comesTo), row('known', known)];
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
    `  read on: ${PAGE}`,
  ]);
}

function row(label: string, value: string): string {
  return `    ${label.padEnd(LABEL)}  ${value}`;
}

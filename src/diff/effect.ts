import { type Edit, moreOf, type Outcome } from '../contract/edit';
import { defined, isSet, printable } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import type { YamlPath } from '../contract/kubernetes-yaml';
import { LoadBalancerOutcome } from '../contract/options';
import { filled, HAND_OVER_PAGE } from '../contract/rule';
import type { Manifest } from '../rules/manifest-objects';
import type { LoadBalancerChange, LoadBalancerChangeCause } from './options';
import { REMEDIES, SENTENCES } from './sentences.facts';
import type { SideBalancer } from './side';

export interface Place {
  readonly manifest: Manifest;
  readonly path: YamlPath;
}

export interface Effect {
  readonly outcome: Outcome;
  /** The field of the Service, or of what makes it: `spec.ports[0].port`, the key of an annotation. */
  readonly field: string;
  readonly path: YamlPath;
  readonly pathBefore?: YamlPath;
  readonly from?: string;
  readonly to?: string;
  readonly why: string;
  /** Condition under which it happens, if that is not known: `applied with --server-side or replace`. */
  readonly condition?: string;
  /** Affected clients, if not every client: `clients of port 443`. */
  readonly whom?: string;
  readonly lasts?: string;
  readonly remedy?: string;
  /** True if the live balancer goes on with what the field said: what would be made anew does not say what it is. */
  readonly staysAsMade?: true;
  readonly notApplied?: true;
  readonly first?: string;
  readonly source?: Citation;
  readonly trace?: string;
  /** Of `unknown`: what must be known. */
  readonly needs?: readonly string[];
  /** Place on either side, if `path` does not lead to it in what the Service is written in. */
  readonly places?: Places;
}

interface Places {
  readonly before?: Place;
  readonly after?: Place;
}

export function placesAt(before: Manifest | undefined, after: Manifest | undefined, path: YamlPath): Places {
  return { ...(before && { before: { manifest: before, path } }), ...(after && { after: { manifest: after, path } }) };
}

export interface BalancerChange {
  readonly outcome: Outcome;
  readonly before?: SideBalancer;
  readonly after?: SideBalancer;
  readonly movedTo?: SideBalancer;
  readonly movedFrom?: SideBalancer;
  readonly effects: readonly Effect[];
}

export function titleOfChange({ before, after }: BalancerChange): string {
  return (after ?? before)?.title ?? '';
}

export function placesOf({ before, after }: BalancerChange, { places, path, pathBefore = path }: Effect): Places {
  return places ?? { before: before && placeIn(before, pathBefore), after: after && placeIn(after, path) };
}

/** A field of a Service that is made of another object is in that one, somewhere in the part that makes it. */
function placeIn({ written }: SideBalancer, path: YamlPath): Place {
  return { manifest: written, path: written.madeOf ? written.madeOf.path : path };
}

export type Consequence = Omit<Effect, 'field' | 'path' | 'pathBefore' | 'from' | 'to' | 'first' | 'places'>;

type Row = { readonly why: string; readonly remedy?: string; readonly needs?: string };
type NamesIn<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Exclude<Name, 'page'> | NamesIn<Rest>
  : never;
type TextsIn<R> = R extends Row ? R[keyof R & keyof Row] : never;

type Change = keyof typeof SENTENCES;
type OutcomeOf<C extends Change> = keyof (typeof SENTENCES)[C] & Outcome;
type Values<C extends Change, O extends OutcomeOf<C>> = {
  readonly [Name in NamesIn<TextsIn<(typeof SENTENCES)[C][O]>>]: unknown;
};

export function consequenceIn<C extends Change, O extends OutcomeOf<C>>(
  change: C,
  outcome: O,
  ...[values]: keyof Values<C, O> extends never ? [values?: object] : [values: Values<C, O>]
): Consequence {
  const { why, remedy, needs } = SENTENCES[change][outcome] as Row;
  const [reason, advice, missing] = [why, remedy, needs].map(
    (text) => text && printable(filled(text, { page: HAND_OVER_PAGE, ...values })),
  );
  return { outcome, why: reason ?? '', ...defined({ remedy: advice, needs: missing && [missing] }) };
}

export function effectIn<C extends Change, O extends OutcomeOf<C>>(
  change: C,
  outcome: O,
  place: Partial<Effect> & Pick<Effect, 'field' | 'path'>,
  ...values: keyof Values<C, O> extends never ? [values?: object] : [values: Values<C, O>]
): Effect {
  return { ...consequenceIn(change, outcome, ...values), ...(defined(place) as typeof place) };
}

export type ChangedField = Pick<Effect, 'field' | 'path' | 'pathBefore' | 'places'> & {
  readonly from?: unknown;
  readonly to?: unknown;
};

export function consequenceOf({ outcome, what, source, ...rest }: Edit, more: Partial<Consequence> = {}): Consequence {
  const needs = outcome === 'unknown' ? { needs: [what] } : {};
  const consequence = { outcome, ...moreOf(rest), source, ...needs };
  return withRemedy({ ...consequence, ...(rest.notApplied ? ignoredEdit(what, rest) : { why: what }), ...more });
}

function ignoredEdit(what: string, { staysAsMade, remedy = NOT_APPLIED }: Pick<Edit, 'staysAsMade' | 'remedy'>) {
  return { why: `not applied to the balancer: ${what}`, notApplied: true as const, ...(staysAsMade && { remedy }) };
}

const NOT_APPLIED = 'take it back, or make another Service where the new value is needed';

export function withRemedy(consequence: Consequence): Consequence {
  const remedy = consequence.remedy ?? REMEDIES[consequence.outcome];
  return remedy === undefined ? consequence : { ...consequence, remedy };
}

export function isCommonRemedy({ outcome, remedy }: Pick<Effect, 'outcome' | 'remedy'>): boolean {
  return remedy !== undefined && (remedy === NOT_APPLIED || remedy === REMEDIES[outcome]);
}

export function effectAt({ from, to, ...where }: ChangedField, { needs, ...consequence }: Consequence): Effect {
  const [before, after] = [textOf(from, to), textOf(to, from)];
  return {
    ...consequence,
    ...(consequence.outcome === 'unknown' && { needs: needs ?? [consequence.why] }),
    ...where,
    ...(before !== undefined && { from: before }),
    ...(after !== undefined && { to: after }),
  };
}

const LONGEST = 80;
const CONTEXT = 16;

/** A value in one line; of a long one the part in which it differs from another one. */
export function textOf(value: unknown, other?: unknown): string | undefined {
  if (!isSet(value)) {
    return undefined;
  }
  const [text, beside] = [value, other ?? ''].map((one) =>
    printable(typeof one === 'string' ? one : JSON.stringify(one)),
  );
  const same = [...text].findIndex((sign, i) => sign !== beside[i]);
  const start = same < LONGEST - CONTEXT ? 0 : same - CONTEXT;
  const part = text.slice(start, start + LONGEST - 1);
  return text.length > LONGEST ? `${start > 0 ? '…' : ''}${part}${part.length < LONGEST - 1 ? '' : '…'}` : text;
}

/** Name of a field in messages, by its steps: `spec.ports[0].port`. */
export function fieldAt(path: YamlPath): string {
  return path
    .map((step, i) => (/^\d+$/.test(String(step)) ? `[${step}]` : i === 0 ? step : stepIn(String(step))))
    .join('');
}

function stepIn(key: string): string {
  return /^\w[\w-]*$/.test(key) ? `.${key}` : `['${printable(key)}']`;
}

export function annotationOrField(path: YamlPath): string {
  return path[0] === 'metadata' && path[1] === 'annotations' && path.length === 3 ? String(path[2]) : fieldAt(path);
}

export function publicChange(change: BalancerChange): LoadBalancerChange {
  const { before, after, outcome, effects: causes } = change;
  const balancer = after ?? before;
  return defined({
    outcome,
    service: balancer?.id ?? '',
    title: titleOfChange(change),
    ownerBefore: before?.owner,
    ownerAfter: after?.owner,
    path: balancer && placeOf(balancer),
    causes: causes.map(publicEffect),
  }) as LoadBalancerChange;
}

export function publicEffect(effect: Effect): LoadBalancerChangeCause {
  const { outcome, field, from, to, why, condition, whom, lasts, remedy, notApplied, trace, needs } = effect;
  return defined({
    ...{ outcome, field, before: from, after: to, why: condition === undefined ? why : `if ${condition}, ${why}` },
    ...{ whom, lasts, remedy, notApplied, trace, needs: needs && [...needs] },
  }) as LoadBalancerChangeCause;
}

export function placeOf({ written: { file, line } }: SideBalancer): string {
  return line > 0 ? `${file}:${line}` : file;
}

/** Changes for people, worst first; those that nothing happens to are counted, unless something is to be done or an edit is not applied. */
export function diffText(changes: readonly LoadBalancerChange[], gaps: readonly string[]): string {
  const shown = changes.filter(
    ({ outcome, causes }) =>
      outcome !== LoadBalancerOutcome.KEPT ||
      causes.some(({ remedy, notApplied }) => remedy !== undefined || notApplied),
  );
  const kept = changes.length - shown.length;
  return [
    ...shown.flatMap((change) => linesOf(change)),
    ...(kept > 0 ? [`KEPT  ${kept}${shown.length > 0 ? ' others' : ''}`] : []),
    ...(changes.length === 0 ? ['no load balancer on either side'] : []),
    ...gaps.map((gap) => `not compared: ${printable(gap)}`),
    '',
  ].join('\n');
}

function linesOf({ outcome, title, path, causes }: LoadBalancerChange): string[] {
  const place = path === undefined ? '' : ` (${printable(path)})`;
  return [
    `${outcome.toUpperCase()}  ${printable(title)}${place}`,
    ...causes.flatMap((effect) => [
      `    ${printable(sentenceOfCause(effect))}`,
      ...(effect.remedy === undefined ? [] : [`    remedy: ${printable(effect.remedy)}`]),
    ]),
  ];
}

/** The change and its effect, in one clause: `spec.type LoadBalancer -> ClusterIP: …`. */
export function sentenceOfCause(cause: LoadBalancerChangeCause): string {
  const { field, before, after, why, whom, lasts, needs = [] } = cause;
  const values = [before, after].some((value) => value !== undefined)
    ? ` ${before ?? 'nothing'} -> ${after ?? 'nothing'}`
    : '';
  const missing = needs.length > 0 ? `; needs ${needs.join(', ')}` : '';
  const reach = [whom, lasts].filter((part) => part !== undefined).join(', ');
  return `${field}${values}: ${why}${reach && ` (${reach})`}${missing}`;
}

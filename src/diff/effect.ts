import { type Edit, isInPlace, isWorse, moreOf, type Outcome } from '../contract/edit';
import { defined, grouped, isMap, isSet, type Json, list, mapIn, printable } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import type { YamlPath } from '../contract/kubernetes-yaml';
import { LoadBalancerScheme } from '../contract/options';
import { filled, HAND_OVER_PAGE } from '../contract/rule';
import { PAUSE_ANNOTATION } from '../kafka/strimzi/strimzi.facts';
import { isKafka, isPaused } from '../predicted/kafka-services';
import { ENDS, type MakerEdit, type MakerPlace, titleOf } from '../predicted/predicted';
import { makerEdits } from '../predicted/predicted-services';
import type { ControllerDefinition } from '../rules/controller-definition';
import type { Manifest } from '../rules/manifest-objects';
import { annotationsOf } from '../rules/service-json';
import type { LivePair } from './pairs';
import { REMEDIES, SENTENCES, SOURCE_REMEDIES } from './sentences.facts';
import { kindOf, type Side, type SideBalancer, titled } from './side';

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
  /** True if the live balancer goes on with what the field said: what would be created again does not say what it is. */
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

type Places = Readonly<Partial<Record<'before' | 'after', MakerPlace>>>;

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
function placeIn({ written }: SideBalancer, path: YamlPath): MakerPlace {
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
type PlaceOf<C extends Change> = (typeof SENTENCES)[C] extends { readonly at: string }
  ? Partial<Effect>
  : Partial<Effect> & EffectField;
type Values<C extends Change, O extends OutcomeOf<C>> = {
  readonly [Name in NamesIn<TextsIn<(typeof SENTENCES)[C][O]>>]: unknown;
};

export function consequenceIn<C extends Change, O extends OutcomeOf<C>>(
  change: C,
  outcome: O,
  ...[values]: keyof Values<C, O> extends never ? [values?: object] : [values: Values<C, O>]
): Consequence {
  const { why, remedy, needs } = (SENTENCES[change] as Readonly<Record<O, Row>>)[outcome];
  const [reason, advice, missing] = [why, remedy, needs].map(
    (text) => text && printable(filled(text, { page: HAND_OVER_PAGE, ...values })),
  );
  return { outcome, why: reason ?? '', ...defined({ remedy: advice, needs: missing && [missing] }) };
}

export function effectIn<C extends Change, O extends OutcomeOf<C>>(
  change: C,
  outcome: O,
  place: PlaceOf<C>,
  ...values: keyof Values<C, O> extends never ? [values?: object] : [values: Values<C, O>]
): Effect {
  const { at = '' } = SENTENCES[change] as { readonly at?: string };
  return { field: at, path: at.split('.'), ...consequenceIn(change, outcome, ...values), ...defined({ ...place }) };
}

type EffectField = Pick<Effect, 'field' | 'path'>;

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

function isCommonRemedy({ outcome, remedy }: Pick<Effect, 'outcome' | 'remedy'>): boolean {
  return remedy !== undefined && (remedy === NOT_APPLIED || remedy === REMEDIES[outcome]);
}

/** The beginning of a sentence about an object that is no longer in the newer manifests. */
export function removalFrom(title: string, { prune }: { readonly prune?: boolean }): string {
  return `${title} is no longer in any manifest${prune ? '' : ', and with pruning it is deleted'}: `;
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

/** The fate of the address of a balancer that is deleted; `later` are newer versions of its Service. */
export function addressFate(before: SideBalancer, ...later: Json[]): string {
  const kind = kindOf(before);
  const services = [before.service, ...later];
  const named = (key: string, service: Json) =>
    kind?.ignores?.(service).includes(key)
      ? undefined
      : (kind?.catalogue.find(key)?.on(annotationsOf(service)) ??
        (key === 'spec.loadBalancerIP' ? mapIn(service, 'spec').loadBalancerIP : undefined));
  const isInternal = kind?.schemeOf(before.service).scheme === LoadBalancerScheme.INTERNAL;
  const [key, kept] =
    Object.entries(kind?.keptAddresses ?? {}).find(
      ([name, { ifPublic, atDeletion, unlessOff }]) =>
        !(ifPublic && isInternal) &&
        !(unlessOff && named(unlessOff, services[services.length - 1]) === false) &&
        services.slice(0, atDeletion ? undefined : 1).every((one) => named(name, one)),
    ) ?? [];
  const condition = kept?.ifReserved ? `if ${key} names one that you reserved` : `by ${key}`;
  return kept ? `, its address stays ${condition}` : ' with its address';
}

export function annotationOrField(path: YamlPath): string {
  return path[0] === 'metadata' && path[1] === 'annotations' && path.length === 3 ? String(path[2]) : fieldAt(path);
}

export function effectsInSource(effects: readonly Effect[], pair: LivePair): Effect[] {
  const { before, after } = pair;
  if (!before.written.madeOf || !after.written.madeOf) {
    return [...effects];
  }
  const edits = editsOfSource(pair);
  const own = edits
    .filter(isOfLiveService)
    .map((edit) => effectAt(changedField(edit), withSourceRemedy(consequenceOf(edit.edit), after)));
  const beside = effects.map((effect) => (effect.places ? withSourceRemedy(effect, after) : effect));
  const moved = fieldsInSource(beside, pair, edits);
  return merged([...moved, ...own.map(whenReconciled(after.written.madeOf.object))]);
}

/** Objects beside the Service are of others, who are not paused. */
export function fieldsInSource(effects: readonly Effect[], pair: LivePair, known?: readonly MakerEdit[]): Effect[] {
  const { before, after } = pair;
  if (!before.written.madeOf || !after.written.madeOf || effects.length === 0) {
    return [...effects];
  }
  const edits = known ?? editsOfSource(pair);
  const when = whenReconciled(after.written.madeOf.object);
  return effects.map((effect) => (effect.places ? effect : when(inSource(effect, edits, pair))));
}

function editsOfSource({ before, after, sides }: LivePair): readonly MakerEdit[] {
  return makerEdits(after.written, sides.before, sides.after, kindOf(after) ?? kindOf(before));
}

/** Says of an effect that it waits, where what makes the Service is paused: its operator carries out no edit meanwhile. */
export function whenReconciled(
  maker: Json | undefined,
): <C extends Pick<Effect, 'outcome' | 'field' | 'why'>>(effect: C) => C {
  const isWaiting = maker !== undefined && isPaused(maker);
  return (effect) =>
    isWaiting && effect.outcome !== 'kept' && !effect.field.includes(PAUSE_ANNOTATION)
      ? { ...effect, why: `when ${maker.kind} ${titleOf(maker)} is unpaused: ${effect.why}` }
      : effect;
}

function inSource(effect: Effect, edits: readonly MakerEdit[], pair: LivePair): Effect {
  const edit = edits.find((one) => leadsTo(one, effect));
  const { remedy } = edit?.edit ?? {};
  return {
    ...withSourceRemedy(effect, pair.after),
    ...(remedy !== undefined && { remedy }),
    ...(edit ? placeOf(edit) : inPart(effect, pair)),
  };
}

export function decidingField(
  { written }: SideBalancer,
  has: Side,
  lacks: Side,
  kind?: ControllerDefinition,
): DecidingField | undefined {
  const edits = makerEdits(written, has, lacks, kind);
  const first = edits.find(isOfWholeService);
  if (!first) {
    return undefined;
  }
  const worse = edits.find((other) => other.edit.remedy !== undefined && isBeside(other, first));
  const { path: part = [] } = written.madeOf ?? {};
  const isInPart = first.title === undefined && part.every((step, i) => (first.before ?? first).path[i] === step);
  const dropped = edits.find(({ becomes, edit }) => becomes === 'metadata.finalizers' && edit.outcome === 'orphaned');
  const { from, to } = dropped ?? {};
  return {
    ...changedField(first),
    remedy: worse?.edit.remedy ?? first.edit.remedy,
    beside: worse ? [effectAt(changedField(worse), consequenceOf(worse.edit))] : [],
    isOtherType: first.becomes === 'spec.type',
    annotations: annotationsAfter(written.object, edits),
    dropped: isInPart ? [] : list<string>(from).filter((one) => !list(to).includes(one)),
  };
}

function annotationsAfter(service: Json, edits: readonly MakerEdit[]): Record<string, string> {
  const edited = edits.filter(({ becomes }) => becomes === 'metadata.annotations');
  const entries = edited.map(({ path, to }): [string, unknown] => [String(path.at(-1)), to]);
  const all = Object.entries({ ...annotationsOf(service), ...Object.fromEntries(entries) });
  return Object.fromEntries(all.filter((one): one is [string, string] => typeof one[1] === 'string'));
}

function isBeside(edit: MakerEdit, { title, path }: MakerEdit): boolean {
  const isSame = edit.title === title && fieldAt(edit.path) === fieldAt(path);
  return isSame && edit.edit.outcome === 'interrupted';
}

function nameIn(object: unknown): unknown {
  return isMap(object) ? mapIn(object, 'metadata').name : undefined;
}

/** A field that becomes one of its Service changes it; whether there is one depends on others. */
function isOfWholeService({ edit, becomes }: MakerEdit): boolean {
  return ENDS.has(edit.outcome) && (becomes === undefined || becomes === 'spec.type');
}

export interface DecidingField extends ChangedField {
  readonly remedy?: string;
  /** Effects of the same field on other balancers of the cluster, about which something must be done first. */
  readonly beside: readonly Effect[];
  readonly isOtherType: boolean;
  readonly annotations: Readonly<Record<string, string>>;
  /** Finalizers that are no longer declared, and can be removed before the Service is deleted. */
  readonly dropped: readonly string[];
}

/** With a remedy that can be done: the Service is not theirs who change what it is made of. */
export function withSourceRemedy<S extends Pick<Effect, 'outcome' | 'remedy'>>(
  consequence: S,
  { written: { madeOf } }: SideBalancer,
): S {
  const remedy = madeOf && sourceRemedy(consequence.outcome, madeOf.object);
  return isCommonRemedy(consequence) && remedy !== undefined ? { ...consequence, remedy } : consequence;
}

/** Effects that the Services of both sides show are not reported, nor edits without an effect. */
function isOfLiveService({ becomes, isShown, edit }: MakerEdit): boolean {
  return becomes === undefined && !isShown && !isInPlace(edit);
}

function leadsTo(edit: MakerEdit, { path, from, to }: Effect): boolean {
  const { becomes } = edit;
  if (path[1] === 'annotations') {
    return becomes === 'metadata.annotations' && edit.path.at(-1) === path.at(-1);
  }
  if (becomes === undefined && path[1] === 'ports') {
    return isOfPort(edit, [from, to]);
  }
  return becomes === fieldAt(path).replace(/\[\d+\]/g, '[]');
}

function isOfPort({ path, from, to }: MakerEdit, texts: readonly (string | undefined)[]): boolean {
  const numbers = texts.map((text) => /(\d+)(\/[A-Z]+)?$/.exec(text ?? '')?.[1]);
  const [old, now] = [from, to].map((value) => String(isMap(value) ? value.port : value));
  const isListener = path.at(-1) === 'port' || path.at(-2) === 'listeners';
  return isListener && (numbers[0] === old || numbers[1] === now);
}

function placeOf({ title, path, before, after }: MakerEdit): EffectField & Pick<Effect, 'places'> {
  const field = fieldAt(path) || 'metadata.name';
  const places = { ...(before && { before }), ...(after && { after }) };
  return { field: title === undefined ? field : `${title}, ${field}`, path, places };
}

export function changedField(edit: MakerEdit): ChangedField {
  const [from, to] = edit.path.length === 0 ? [nameIn(edit.from), nameIn(edit.to)] : [edit.from, edit.to];
  return { ...placeOf(edit), from, to };
}

/** A field without a known source is somewhere in the part that makes the Service. */
function inPart({ field }: Effect, { before, after }: LivePair): EffectField & Pick<Effect, 'places'> {
  const [old, now] = [before, after].map(({ written }) => ({ manifest: written, path: written.madeOf?.path ?? [] }));
  const part = fieldAt(now.path);
  const within = part === '' ? field : `${part}: ${field} of its Service`;
  return { field: within, path: now.path, places: { before: old, after: now } };
}

/** Several things that one field does are one effect: the worst, with all of them. */
function merged(effects: readonly Effect[]): Effect[] {
  return [...grouped(effects, ({ field }) => field).values()].map((all) => all.reduce(both));
}

function both(one: Effect, other: Effect): Effect {
  const [worst, less] = isWorse(other, one) ? [other, one] : [one, other];
  return worst.why.includes(less.why) ? worst : { ...worst, why: `${worst.why}; ${less.why}` };
}

// Remedy for a balancer whose Service an operator or a controller writes: nobody else can keep that Service, or make another one.

export function sourceRemedy(outcome: Outcome, maker: Json): string | undefined {
  const remedy = SOURCE_REMEDIES[outcome];
  return remedy && filled(remedy, { another: kindToAdd(maker) });
}

export function kindToAdd(maker: Json | undefined): string {
  return maker === undefined ? 'Service' : isKafka(maker) ? 'listener' : printable(String(maker.kind));
}

export function remedyToKeep(maker: Json, isMakerOn: boolean): string {
  const by = titled(maker);
  return isMakerOn
    ? `leave ${by} as it is until no client uses the address`
    : `keep ${by} until no client uses its balancers, and leave their controller running until they are gone`;
}

import { isInPlace, OUTCOMES, type Outcome } from '../contract/edit';
import { isMap, type Json, list, mapIn, printable } from '../contract/json';
import type { YamlPath } from '../contract/kubernetes-yaml';
import { filled } from '../contract/rule';
import { PAUSE_ANNOTATION } from '../kafka/strimzi/strimzi.facts';
import { isKafka, isPaused } from '../predicted/kafka-services';
import { ENDS, type MakerEdit, titleOf } from '../predicted/predicted';
import { makerEdits } from '../predicted/predicted-services';
import type { ControllerDefinition } from '../rules/controller-definition';
import { annotationsOf } from '../rules/service-json';
import { type ChangedField, consequenceOf, type Effect, effectAt, fieldAt, isCommonRemedy } from './effect';
import type { LivePair } from './pairs';
import { SOURCE_REMEDIES } from './sentences.facts';
import { kindOf, type Side, type SideBalancer, titled } from './side';

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

function inSource(effect: Effect, edits: readonly MakerEdit[], { before, after }: LivePair): Effect {
  const edit = edits.find((one) => leadsTo(one, effect));
  const { remedy } = edit?.edit ?? {};
  return {
    ...withSourceRemedy(effect, after),
    ...(remedy !== undefined && { remedy }),
    ...(edit ? placeOf(edit) : inPart(effect, before, after)),
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
    why: first.edit.what,
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
  readonly why: string;
  readonly remedy?: string;
  /** Effects of the same field on other balancers of the cluster, about which something must be done first. */
  readonly beside: readonly Effect[];
  readonly isOtherType: boolean;
  readonly annotations: Readonly<Record<string, string>>;
  /** Finalizers that are no longer declared, and can be taken off before the Service is deleted. */
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
  return becomes === rowOf(path);
}

function isOfPort({ path, from, to }: MakerEdit, texts: readonly (string | undefined)[]): boolean {
  const numbers = texts.map((text) => /(\d+)(\/[A-Z]+)?$/.exec(text ?? '')?.[1]);
  const [old, now] = [from, to].map((value) => String(isMap(value) ? value.port : value));
  const isListener = path.at(-1) === 'port' || path.at(-2) === 'listeners';
  return (
    isListener && ((numbers[0] !== undefined && numbers[0] === old) || (numbers[1] !== undefined && numbers[1] === now))
  );
}

function rowOf(path: YamlPath): string {
  return fieldAt(path).replace(/\[\d+\]/g, '[]');
}

function placeOf({ title, path, before, after }: MakerEdit): Pick<Effect, 'field' | 'path' | 'places'> {
  const field = fieldAt(path) || 'metadata.name';
  return {
    field: title === undefined ? field : `${title}, ${field}`,
    path,
    places: { ...(before && { before }), ...(after && { after }) },
  };
}

export function changedField(edit: MakerEdit): ChangedField {
  const [from, to] = edit.path.length === 0 ? [nameIn(edit.from), nameIn(edit.to)] : [edit.from, edit.to];
  return { ...placeOf(edit), from, to };
}

/** A field without a known source is somewhere in the part that makes the Service. */
function inPart(
  { field }: Effect,
  before: SideBalancer,
  after: SideBalancer,
): Pick<Effect, 'field' | 'path' | 'places'> {
  const [old, now] = [before, after].map(({ written }) => ({ manifest: written, path: written.madeOf?.path ?? [] }));
  const part = fieldAt(now.path);
  return {
    field: part === '' ? field : `${part}: ${field} of its Service`,
    path: now.path,
    places: { before: old, after: now },
  };
}

/** Several things that one field does are one effect: the worst, with all of them. */
function merged(effects: readonly Effect[]): Effect[] {
  const byField = new Map<string, Effect>();
  for (const effect of effects) {
    const known = byField.get(effect.field);
    byField.set(effect.field, known ? both(known, effect) : effect);
  }
  return [...byField.values()];
}

function both(one: Effect, other: Effect): Effect {
  const isWorse = OUTCOMES.indexOf(other.outcome) < OUTCOMES.indexOf(one.outcome);
  const [worst, less] = isWorse ? [other, one] : [one, other];
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

import { isMap, type Json, list, mapIn } from '../contract/json';
import type { YamlPath } from '../contract/yaml-source';
import { PAUSE_ANNOTATION } from '../kafka/strimzi/operator-services.facts';
import { isPaused } from '../later/kafka-maker';
import { titleOf } from '../later/later';
import { ENDS, type MakerEdit } from '../later/maker-edit';
import { makerEdits } from '../later/maker-edits';
import type { ControllerDefinition } from '../rules/controller-definition';
import { annotationsOf } from '../rules/service-json';
import type { Cause } from './balancer-change';
import { madeRemedy } from './made-remedies';
import { OUTCOMES } from './outcome';
import { type Changed, causeOf, fieldAt, isCommonRemedy, saidBy } from './said';
import type { Side, SideBalancer } from './side';

/** A balancer of a Service that an operator makes, on both sides. */
interface MadeLater {
  readonly before: SideBalancer;
  readonly after: SideBalancer;
  readonly sides: { readonly before: Side; readonly after: Side };
  readonly kind?: ControllerDefinition;
}

/**
 * The same causes, by the fields of what a Service is made of, with what else is changed in that.
 *
 * @param causes those of the Service
 */
export function causesInMaker(causes: readonly Cause[], made: MadeLater): Cause[] {
  const { before, after, sides, kind } = made;
  if (!before.written.madeOf || !after.written.madeOf) {
    return [...causes];
  }
  const edits = makerEdits(after.written, sides.before, sides.after, kind);
  const own = edits.filter(isOfLiveService).map((edit) => causeOf(changedBy(edit), possible(saidBy(edit.edit), made)));
  const when = whenReached(after.written.madeOf.object);
  // objects beside the Service are of others, who are not paused
  const moved = causes.map((cause) => (cause.places ? possible(cause, made) : when(inMaker(cause, edits, made))));
  return merged([...moved, ...own.map(when)]);
}

/** The same causes, by the fields of what a Service is made of; those that have places of their own are as they were. */
export function namedInMaker(causes: readonly Cause[], made: MadeLater): Cause[] {
  const { before, after, sides, kind } = made;
  if (!before.written.madeOf || !after.written.madeOf || causes.length === 0) {
    return [...causes];
  }
  const edits = makerEdits(after.written, sides.before, sides.after, kind);
  const when = whenReached(after.written.madeOf.object);
  return causes.map((cause) => (cause.places ? cause : when(inMaker(cause, edits, made))));
}

/** Says of a cause that it waits, where what makes the Service is paused: its operator carries out no edit meanwhile. */
export function whenReached(
  maker: Json | undefined,
): <C extends Pick<Cause, 'outcome' | 'field' | 'why'>>(cause: C) => C {
  const isWaiting = maker !== undefined && isPaused(maker);
  return (cause) =>
    isWaiting && cause.outcome !== 'kept' && !cause.field.includes(PAUSE_ANNOTATION)
      ? { ...cause, why: `when ${maker.kind} ${titleOf(maker)} is unpaused: ${cause.why}` }
      : cause;
}

function inMaker(cause: Cause, edits: readonly MakerEdit[], { before, after }: MadeLater): Cause {
  const edit = edits.find((one) => leadsTo(one, cause));
  const { remedy } = edit?.edit ?? {};
  return {
    ...possible(cause, { after }),
    ...(remedy !== undefined && { remedy }),
    ...(edit ? placeOf(edit) : inPart(cause, before, after)),
  };
}

/**
 * The field by which the balancer of a Service that an operator makes is on one side alone; nothing where it is written itself.
 *
 * @param balancer the balancer
 * @param has the side that has it
 * @param lacks the other side
 */
export function decidingField(
  { written }: SideBalancer,
  has: Side,
  lacks: Side,
  kind?: ControllerDefinition,
): Deciding | undefined {
  const edits = makerEdits(written, has, lacks, kind);
  const first = edits.find(isOfWholeService);
  if (!first) {
    return undefined;
  }
  const worse = edits.find((other) => other.edit.remedy !== undefined && isBeside(other, first));
  const { path: part = [] } = written.madeOf ?? {};
  const isInPart = first.title === undefined && part.every((step, i) => (first.before ?? first).path[i] === step);
  const dropped = edits.find(({ becomes, edit }) => becomes === 'metadata.finalizers' && edit.onEdit === 'orphans');
  const { from, to } = dropped ?? {};
  return {
    ...changedBy(first),
    why: first.edit.what,
    remedy: worse?.edit.remedy ?? first.edit.remedy,
    beside: worse ? [causeOf(changedBy(worse), saidBy(worse.edit))] : [],
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

/** Whether it is of the same field, and ends no balancer. */
function isBeside(edit: MakerEdit, { title, path }: MakerEdit): boolean {
  const isSame = edit.title === title && fieldAt(edit.path) === fieldAt(path);
  return isSame && edit.edit.onEdit === 'interrupted';
}

/** A whole object comes or goes by its name. */
function nameIn(object: unknown): unknown {
  return isMap(object) ? mapIn(object, 'metadata').name : undefined;
}

/** A field that becomes one of its Service changes it; whether there is one depends on others. */
function isOfWholeService({ edit, becomes }: MakerEdit): boolean {
  return ENDS.has(edit.onEdit) && (becomes === undefined || becomes === 'spec.type');
}

/** By which field of its maker a balancer is on one side alone. */
export interface Deciding extends Changed {
  readonly why: string;
  /** What to do about it, where that is known of the field. */
  readonly remedy?: string;
  /** What the same field does to other balancers of the cluster as well, about which something must be done first. */
  readonly beside: readonly Cause[];
  /** Whether its Service stays, with another type. */
  readonly isOtherType: boolean;
  /** The annotations that its Service has then. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Finalizers that are no longer declared, and can be taken off before the Service is deleted. */
  readonly dropped: readonly string[];
}

/** With a remedy that can be done: the Service is not theirs who change what it is made of. */
function possible<S extends Pick<Cause, 'outcome' | 'remedy'>>(said: S, { after }: Pick<MadeLater, 'after'>): S {
  const remedy = after.written.madeOf && madeRemedy(said.outcome, after.written.madeOf.object);
  return isCommonRemedy(said) && remedy !== undefined ? { ...said, remedy } : said;
}

/** What the Services of both sides show needs no telling, nor what does nothing. */
function isOfLiveService({ becomes, isShown, edit: { onEdit } }: MakerEdit): boolean {
  return becomes === undefined && !isShown && onEdit !== 'kept';
}

/** Whether a field of the maker becomes the field of a cause. */
function leadsTo(edit: MakerEdit, { path, from, to }: Cause): boolean {
  const { becomes } = edit;
  if (path[1] === 'annotations') {
    return becomes === 'metadata.annotations' && edit.path.at(-1) === path.at(-1);
  }
  if (becomes === undefined && path[1] === 'ports') {
    return isOfPort(edit, [from, to]);
  }
  return becomes === rowOf(path);
}

/** Whether a listener, or its number, is that of a port that comes, goes or gets another number. */
function isOfPort({ path, from, to }: MakerEdit, texts: readonly (string | undefined)[]): boolean {
  const numbers = texts.map((text) => /(\d+)(\/[A-Z]+)?$/.exec(text ?? '')?.[1]);
  const [old, now] = [from, to].map((value) => (isMap(value) ? value.port : value)).map(String);
  const isListener = path.at(-1) === 'port' || path.at(-2) === 'listeners';
  return (
    isListener && ((numbers[0] !== undefined && numbers[0] === old) || (numbers[1] !== undefined && numbers[1] === now))
  );
}

/** A field by its path without places in lists: `spec.ports[].port`. */
function rowOf(path: YamlPath): string {
  return fieldAt(path).replace(/\[\d+\]/g, '[]');
}

function placeOf({ title, path, before, after }: MakerEdit): Pick<Cause, 'field' | 'path' | 'places'> {
  const field = fieldAt(path) || 'metadata.name';
  return {
    field: title === undefined ? field : `${title}, ${field}`,
    path,
    places: { ...(before && { before }), ...(after && { after }) },
  };
}

/** The field that is edited, where it is on both sides. */
export function changedBy(edit: MakerEdit): Changed {
  const [from, to] = edit.path.length === 0 ? [nameIn(edit.from), nameIn(edit.to)] : [edit.from, edit.to];
  return { ...placeOf(edit), from, to };
}

/** What no field of the maker is known to become is somewhere in the part that makes the Service. */
function inPart({ field }: Cause, before: SideBalancer, after: SideBalancer): Pick<Cause, 'field' | 'path' | 'places'> {
  const [old, now] = [before, after].map(({ written }) => ({ manifest: written, path: written.madeOf?.path ?? [] }));
  const part = fieldAt(now.path);
  return {
    field: part === '' ? field : `${part}: ${field} of its Service`,
    path: now.path,
    places: { before: old, after: now },
  };
}

/** Several things that one field does are one cause: the worst, with all of them. */
function merged(causes: readonly Cause[]): Cause[] {
  const byField = new Map<string, Cause>();
  for (const cause of causes) {
    const known = byField.get(cause.field);
    byField.set(cause.field, known ? both(known, cause) : cause);
  }
  return [...byField.values()];
}

function both(one: Cause, other: Cause): Cause {
  const isWorse = OUTCOMES.indexOf(other.outcome) < OUTCOMES.indexOf(one.outcome);
  const [worst, less] = isWorse ? [other, one] : [one, other];
  return worst.why.includes(less.why) ? worst : { ...worst, why: `${worst.why}; ${less.why}` };
}

import { type Edit, moreOf } from '../contract/edit';
import { isSet } from '../contract/json';
import { printable } from '../contract/printable';
import type { YamlPath } from '../contract/yaml-source';
import type { Cause } from './balancer-change';
import { OUTCOMES, type Outcome, outcomeOf } from './outcome';

/** What an edit of something does, before it is known where that is written. */
export type Said = Pick<
  Cause,
  'outcome' | 'why' | 'remedy' | 'source' | 'needs' | 'whom' | 'lasts' | 'staysAsMade' | 'notApplied'
>;

/** What is changed, and where. */
export type Changed = Pick<Cause, 'field' | 'path' | 'pathBefore' | 'places'> & {
  readonly from?: unknown;
  readonly to?: unknown;
};

/** What to do instead, by what would happen. */
const REMEDIES: Partial<Record<Outcome, string>> = {
  orphaned: 'leave it as it is, or make another Service and delete this one as it is',
  deleted: 'leave it as it is until no client needs the balancer',
  replaced: 'make a second Service with the new value, move clients and DNS to it, then delete this one',
  refused: 'take it back, and make another Service with the new value where it is needed',
  interrupted: 'make the change when clients can reconnect, or on a second Service first',
};

export function saidBy({ onEdit, what, source, ...rest }: Edit, more: Partial<Said> = {}): Said {
  const outcome = outcomeOf(onEdit);
  const needs = outcome === 'unknown' ? { needs: [what] } : {};
  const said = { outcome, ...moreOf(rest), source, ...needs };
  return withRemedy({ ...said, ...(onEdit === 'ignored' ? notApplied(what, rest) : { why: what }), ...more });
}

/** What is said of an edit that leaves the balancer as it is. */
function notApplied(what: string, { staysAsMade, remedy = NOT_APPLIED }: Pick<Edit, 'staysAsMade' | 'remedy'>) {
  return { why: `not applied to the balancer: ${what}`, notApplied: true as const, ...(staysAsMade && { remedy }) };
}

/** What to do instead of an edit that is for new balancers alone. */
const NOT_APPLIED = 'take it back, or make another Service where the new value is needed';

/** The same with what is to be done, where that does not say so itself. */
export function withRemedy(said: Said): Said {
  const remedy = said.remedy ?? REMEDIES[said.outcome];
  return remedy === undefined ? said : { ...said, remedy };
}

/** Whether a remedy is the one for all changes with its outcome. */
export function isCommonRemedy({ outcome, remedy }: Pick<Cause, 'outcome' | 'remedy'>): boolean {
  return remedy !== undefined && (remedy === NOT_APPLIED || remedy === REMEDIES[outcome]);
}

export function isWorse(one: Pick<Cause, 'outcome'>, other: Pick<Cause, 'outcome'>): boolean {
  return OUTCOMES.indexOf(one.outcome) < OUTCOMES.indexOf(other.outcome);
}

export function causeOf({ from, to, ...where }: Changed, { needs, ...said }: Said): Cause {
  const [before, after] = [textOf(from), textOf(to)];
  return {
    ...said,
    ...(said.outcome === 'unknown' && { needs: needs ?? [said.why] }),
    ...where,
    ...(before !== undefined && { from: before }),
    ...(after !== undefined && { to: after }),
  };
}

const LONGEST = 80;

/** A value as it can be in a line; nothing for what is not there. */
export function textOf(value: unknown): string | undefined {
  if (!isSet(value)) {
    return undefined;
  }
  const text = printable(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** How messages call a field by its steps: `spec.ports[0].port`. */
export function fieldAt(path: YamlPath): string {
  return path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : stepIn(step))).join('');
}

function stepIn(key: string): string {
  return /^\w[\w-]*$/.test(key) ? `.${key}` : `['${printable(key)}']`;
}

/** The same, with an annotation of an object by its key alone. */
export function annotationOrField(path: YamlPath): string {
  return path[0] === 'metadata' && path[1] === 'annotations' && path.length === 3 ? String(path[2]) : fieldAt(path);
}

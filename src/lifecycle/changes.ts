import { cachedIn } from '../contract/json';
import {
  type Change,
  type ChangeCase,
  declaresAnew,
  isApplied,
  isForTheOwner,
  isPossible,
  isWritten,
  machineOfChange,
  refuses,
  startsOf,
} from './change-cases';
import { CHANGE_FACTS } from './changes.facts';
import { explore, type StatePath } from './checker';
import { type ChangeOutcome, finalLabel, labelAtRest, labelOfTheServed, rank } from './outcomes';
import { OWNERS, type Owner, type SecondController } from './owners';
import { BESIDE_IS } from './owners.facts';
import type { Policy, Writer } from './scenario';
import type { State } from './state';
import { FILE_WRITES, OPERATOR_WRITES } from './writers.facts';

// Effects of a change on a live balancer at rest, in every order of what follows.

interface ChangeTrace {
  readonly name: string;
  readonly start: number;
  readonly way: StatePath;
}

export interface ChangeAnswer extends ChangeCase {
  readonly outcome: ChangeOutcome;
  readonly when: 'now' | 'when deleted';
  /** Outcome of a later deletion of the Service, which is the same without the change. */
  readonly anyway?: ChangeOutcome;
  readonly trace?: ChangeTrace;
}

export const CHANGE_ANSWERS = new Map<string, ChangeAnswer | undefined>();

/** Searches the model for the worst outcome of a case, once per process; undefined if the owner never serves a balancer in it. */
export function changeAnswer(one: ChangeCase): ChangeAnswer | undefined {
  const { owner, beside, writer, change, before, after, keeper } = one;
  const key = [owner.name, owner.versions, beside, writer, change, before, after, keeper].join('|');
  return cachedIn(CHANGE_ANSWERS, key, () => searched(one));
}

function searched(one: ChangeCase): ChangeAnswer | undefined {
  const { worst: now, rests } = resultNow(one);
  if (!now) {
    return undefined;
  }
  const later = resultLater(one, rests);
  if (later && one.change !== 'nothing' && rank(later.outcome) < rank(now.outcome)) {
    const before = changeAnswer({ ...one, change: 'nothing', after: one.before });
    if (later.outcome !== before?.anyway) {
      return { ...one, ...later, when: 'when deleted' };
    }
  }
  const { outcome, trace } = now;
  return {
    ...one,
    outcome,
    when: 'now',
    ...(later ? { anyway: later.outcome } : {}),
    ...(outcome !== 'kept' && outcome !== 'refused' ? { trace } : {}),
  };
}

interface Found {
  readonly outcome: ChangeOutcome;
  readonly trace: ChangeTrace;
}

interface Rest extends Omit<ChangeTrace, 'name'> {
  readonly state: State;
}

function resultNow(one: ChangeCase): { readonly worst?: Found; readonly rests: readonly Rest[] } {
  const rests: Rest[] = [];
  const found: Found[] = [];
  const machine = machineOfChange(one, false);
  const label = isForTheOwner(one) ? labelOfTheServed : labelAtRest;
  for (const [start, from] of startsOf(one).entries()) {
    const { labelled, broken } = explore(machine, from, label);
    for (const [text, way] of labelled) {
      const [outcome, rest] = text.split(' at ') as [ChangeOutcome, string?];
      found.push(foundBy(one, outcome, { start, way }));
      const state = way.states[way.states.length - 1];
      if (rest !== undefined && isApplied(one, state)) {
        rests.push({ start, way, state });
      }
    }
    const endless = broken.get('no-rest');
    if (endless) {
      found.push(foundBy(one, 'unfinished', { start, way: endless }));
    }
  }
  const worst = worstOf(found);
  const isRefused = worst?.outcome === 'kept' && rests.length > 0 && refuses(one);
  return { worst: worst && isRefused ? { ...worst, outcome: 'refused' } : worst, rests };
}

function resultLater(one: ChangeCase, rests: readonly Rest[]): Found | undefined {
  const machine = machineOfChange(one, true);
  const live = rests.filter(({ state }) => state.object === 'live');
  return worstOf(
    live.flatMap(({ start, way, state }) =>
      [...explore(machine, state, finalLabel).labelled].map(([outcome, after]) => {
        const steps = [...way.steps, ...after.steps];
        const states = [...way.states, ...after.states.slice(1)];
        return foundBy(one, outcome as ChangeOutcome, { start, way: { steps, states } });
      }),
    ),
  );
}

function foundBy({ change }: ChangeCase, outcome: ChangeOutcome, trace: Omit<ChangeTrace, 'name'>): Found {
  return { outcome, trace: { name: traceName(outcome, change), ...trace } };
}

export function traceName(outcome: ChangeOutcome | '', change: Change): string {
  return `${outcome}-${change}`.replaceAll(' ', '-');
}

function worstOf<T extends { readonly outcome: ChangeOutcome; readonly trace?: ChangeTrace }>(
  all: readonly T[],
): T | undefined {
  const steps = ({ trace }: T) => trace?.way.steps.length ?? 0;
  return [...all].sort((a, b) => rank(a.outcome) - rank(b.outcome) || steps(a) - steps(b))[0];
}

/** A question to the model about a change; a part that is left out may be anything. */
export interface ChangeQuestion extends Pick<ChangeCase, 'change' | 'before' | 'keeper'> {
  readonly owner: string;
  readonly versions?: string;
  readonly beside?: SecondController;
  /** One writer, or all possible writers: the worst result counts. */
  readonly writer: Writer | readonly Writer[];
  /** @default - the same policy as before */
  readonly after?: Policy;
}

export function worstChangeAnswer(question: ChangeQuestion): ChangeAnswer | undefined {
  const { owner: name, versions, beside: asked, writer } = question;
  const cases = OWNERS.filter((owner) => owner.name === name && (versions ?? owner.versions) === owner.versions)
    .flatMap((owner) => owner.beside.map((beside) => ({ owner, beside })))
    .filter(({ beside }) => asked === undefined || beside === asked)
    .flatMap(({ owner, beside }) => [writer].flat().map((each) => caseOf(question, owner, beside, each as Writer)));
  return worstOf(cases.flatMap((one) => (isPossible(one) ? (changeAnswer(one) ?? []) : [])));
}

/** The case behind a question: `create` never writes again, and `recreate` always creates a new Service. */
function caseOf(question: ChangeQuestion, owner: Owner, beside: SecondController, asked: Writer): ChangeCase {
  const { change, before, keeper } = question;
  const { declares } = CHANGE_FACTS[change];
  // a claim by annotation has no class that could be left out, and a keeper puts it back
  const writer = asked === 'put-class-null' && (keeper || owner.byAnnotation) ? 'put' : asked;
  const after = question.after ?? declares ?? before;
  const one = { owner, beside, writer, before, ...(keeper && { keeper }) };
  if (writer === 'create' && isWritten(change)) {
    return { ...one, change: 'nothing', after: before };
  }
  if (writer === 'recreate' && (change === 'nothing' || declares)) {
    return { ...one, change: 'deleted and created again', after };
  }
  if (declares && before === after) {
    return { ...one, change: 'nothing', after };
  }
  return { ...one, change, after: declaresAnew(change, writer) ? after : before };
}

export interface KnownService {
  readonly owner: string;
  /** True if it has a class; without one, an annotation or its type claims it. */
  readonly hasClass: boolean;
  readonly finalizers: readonly string[];
  readonly own: readonly string[];
  readonly controllers?: readonly string[];
  /** Writer: files, or an operator, which keeps finalizers of others or strips them. */
  readonly writer: 'files' | keyof typeof OPERATOR_WRITES;
}

/** States of a Service in the tables of the model; if several may be meant, the worst counts. */
export interface ModelCase {
  readonly owner: Owner;
  readonly besides: readonly SecondController[];
  readonly policy: Policy;
  readonly writers: readonly Writer[];
}

export function modelCaseOf(known: KnownService): ModelCase | undefined {
  const named = OWNERS.filter(({ name }) => name === known.owner);
  const owner = named.find(({ byAnnotation = false }) => byAnnotation !== known.hasClass) ?? named[0];
  return (
    owner && {
      owner,
      besides: besidesOf(owner, known),
      policy: policyOf(known),
      writers: known.writer === 'files' ? FILE_WRITES : OPERATOR_WRITES[known.writer],
    }
  );
}

export function policyOf({ finalizers, own }: Pick<KnownService, 'finalizers' | 'own'>): Policy {
  if (finalizers.some((finalizer) => own.includes(finalizer))) {
    return 'declared';
  }
  return finalizers.length > 0 ? 'wrong' : 'left';
}

/** A second controller of the same cluster name is a mistake of its own: no Service shows it. */
const NEVER_ASSUMED: SecondController = 'one of the same cluster name';

/** None where a finalizer is on it that no controller of the model removes, and the model has its owner beside one that does. */
function besidesOf({ beside }: Owner, { finalizers, own, controllers }: KnownService): readonly SecondController[] {
  const serviceControllers = OWNERS.filter(({ isServiceController }) => isServiceController);
  const isStray = (finalizer: string) =>
    !own.includes(finalizer) && !serviceControllers.some((owner) => owner.finalizer === finalizer);
  const hidden: readonly SecondController[] = finalizers.some(isStray)
    ? [NEVER_ASSUMED, 'service controller']
    : [NEVER_ASSUMED];
  const possible = beside.filter((each) => !hidden.includes(each));
  if (controllers === undefined) {
    return possible;
  }
  const runs = (each: SecondController) =>
    each === 'service controller'
      ? serviceControllers.some(({ name }) => controllers.includes(name))
      : controllers.includes(BESIDE_IS[each] ?? '');
  const company = possible.find(runs) ?? 'alone';
  return possible.includes(company) ? [company] : possible;
}

import { explore, type Outcome, type Trace } from './checker';
import type { Beside, Owner } from './owners';
import { PROPERTIES } from './properties';
import { ENDINGS, type Fault, firstState, machineOf, POLICIES, type Policy, type Scenario } from './scenario';
import { TURNS, type Turn, WRITERS, type Writer } from './writers';

/** One line of the table: who owns, who writes, what is declared and what changes. */
export interface Case {
  readonly owner: Owner;
  readonly beside: Beside;
  readonly policy: Policy;
  readonly writer: Writer;
  readonly turn: Turn;
}

/** A trace with what it takes to walk it again. */
export interface FoundTrace {
  readonly name: string;
  readonly trace: Trace;
  readonly scenario: Scenario;
}

export interface Verdict {
  readonly outcome: 'safe' | 'safe if' | 'unsafe';
  /** Of `safe if`: what must not happen. */
  readonly unless: readonly Fault[];
  /** The shortest way to the worst that can happen: by itself where it is unsafe, by the first of the faults otherwise. */
  readonly found?: FoundTrace;
}

export const TRIALS: readonly Fault[] = ['crash', 'lag', 'lost answer'];

export function casesOf(owners: readonly Owner[]): Case[] {
  const cases: Case[] = [];
  for (const owner of owners) {
    for (const beside of owner.beside) {
      for (const turn of TURNS) {
        for (const policy of POLICIES) {
          for (const writer of WRITERS) {
            const one = { owner, beside, policy, writer, turn };
            if (hasSense(one)) {
              cases.push(one);
            }
          }
        }
      }
    }
  }
  return cases;
}

function hasSense({ owner, policy, writer, turn }: Case): boolean {
  if (policy === 'declared' && owner.finalizer === undefined) {
    return false;
  }
  switch (turn) {
    case 'nothing':
      return true;
    case 'drops':
      return policy !== 'left' && writer !== 'create' && writer !== 'recreate';
    case 'declares':
      return policy !== 'declared' && owner.finalizer !== undefined && writer !== 'create' && writer !== 'recreate';
    case 'again':
    case 'type':
      return writer !== 'recreate';
    default:
      return owner.isServiceController === true && writer !== 'recreate';
  }
}

export type Count = (outcome: Outcome) => void;

/** Searches every order of a case, over all ways of deletion, without faults and with each of them. */
export function verdictOf(one: Case, count: Count = () => undefined): Verdict {
  const worst = (faults: readonly Fault[]) => worstOf(one, faults, count);
  const plain = worst([]);
  if (plain) {
    return { outcome: 'unsafe', unless: [], found: plain };
  }
  const found = TRIALS.map((fault) => [fault, worst([fault])] as const).filter(([, trace]) => trace !== undefined);
  if (found.length === 0) {
    // none by itself: all of them together
    const together = worst(TRIALS);
    return together ? { outcome: 'safe if', unless: TRIALS, found: together } : { outcome: 'safe', unless: [] };
  }
  return { outcome: 'safe if', unless: found.map(([fault]) => fault), found: found[0][1] };
}

/** The shortest trace to the worst property that does not hold, over all ways of deletion. */
function worstOf(one: Case, faults: readonly Fault[], count: Count): FoundTrace | undefined {
  let best: FoundTrace | undefined;
  for (const ending of ENDINGS) {
    const scenario: Scenario = { ...one, ending, faults, edited: true };
    const outcome = explore(machineOf(scenario), firstState(scenario));
    count(outcome);
    const property = PROPERTIES.find((each) => outcome.broken.has(each));
    const trace = property && outcome.broken.get(property);
    if (trace && (best === undefined || isWorse(trace, best.trace))) {
      best = { name: nameOf(trace, one.policy), trace, scenario };
    }
  }
  return best;
}

function isWorse(a: Trace, b: Trace): boolean {
  const [worseA, worseB] = [a, b].map(({ property }) => PROPERTIES.indexOf(property));
  return worseA < worseB || (worseA === worseB && a.steps.length < b.steps.length);
}

const BY_POLICY: Readonly<Record<Policy, string>> = {
  declared: 'declared',
  left: 'undeclared',
  wrong: 'wrong-finalizer',
};

/** The name of a trace: what breaks, and the step that turned it. */
export function nameOf({ property, steps }: Trace, policy: Policy): string {
  return `${property}-${steps.find(({ turn }) => turn !== undefined)?.turn ?? BY_POLICY[policy]}`;
}

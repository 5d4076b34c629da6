import { explore, type Trace } from './checker';
import { PROPERTIES } from './outcomes';
import type { Owner, SecondController } from './owners';
import {
  ENDINGS,
  type Fault,
  firstState,
  machineOf,
  POLICIES,
  type Policy,
  type Scenario,
  TURNS,
  type UserAction,
  WRITERS,
  type Writer,
} from './scenario';

export interface Case {
  readonly owner: Owner;
  readonly beside: SecondController;
  readonly policy: Policy;
  readonly writer: Writer;
  readonly turn: UserAction;
}

export interface FoundTrace {
  readonly name: string;
  readonly trace: Trace;
  readonly scenario: Scenario;
}

export interface SafetyResult {
  readonly outcome: 'safe' | 'safe if' | 'unsafe';
  /** Of `safe if`: what must not happen. */
  readonly unless: readonly Fault[];
  /** The shortest way to the worst that can happen: by itself where it is unsafe, by the first of the faults otherwise. */
  readonly found?: FoundTrace;
}

export const TRIALS: readonly Fault[] = ['crash', 'lag', 'lost answer'];

export function casesOf(owners: readonly Owner[]): Case[] {
  return owners
    .flatMap((owner) => owner.beside.map((beside) => ({ owner, beside })))
    .flatMap((one) => TURNS.map((turn) => ({ ...one, turn })))
    .flatMap((one) => POLICIES.map((policy) => ({ ...one, policy })))
    .flatMap((one) => WRITERS.map((writer) => ({ ...one, writer })))
    .filter(hasSense);
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

export function safetyOf(one: Case): SafetyResult {
  const plain = worstOf(one, []);
  if (plain) {
    return { outcome: 'unsafe', unless: [], found: plain };
  }
  const trials = TRIALS.map((fault) => ({ unless: [fault], found: worstOf(one, [fault]) })).filter(
    ({ found }) => found,
  );
  if (trials.length === 0) {
    // none by itself: all of them together
    const found = worstOf(one, TRIALS);
    return found ? { outcome: 'safe if', unless: TRIALS, found } : { outcome: 'safe', unless: [] };
  }
  return { outcome: 'safe if', unless: trials.flatMap(({ unless }) => unless), found: trials[0].found };
}

/** The shortest trace to the worst property that does not hold, over all ways of deletion; the first of several. */
function worstOf(one: Case, faults: readonly Fault[]): FoundTrace | undefined {
  const rank = ({ trace }: FoundTrace) => PROPERTIES.indexOf(trace.property);
  const found = ENDINGS.flatMap((ending): FoundTrace[] => {
    const scenario: Scenario = { ...one, ending, faults, edited: true };
    const { broken } = explore(machineOf(scenario), firstState(scenario));
    const property = PROPERTIES.find((each) => broken.has(each));
    const trace = property && broken.get(property);
    return trace ? [{ name: nameOf(trace, one.policy), trace, scenario }] : [];
  });
  return found.sort((a, b) => rank(a) - rank(b) || a.trace.steps.length - b.trace.steps.length)[0];
}

const BY_POLICY: Readonly<Record<Policy, string>> = {
  declared: 'declared',
  left: 'undeclared',
  wrong: 'wrong-finalizer',
};

export function nameOf({ property, steps }: Trace, policy: Policy): string {
  return `${property}-${steps.find(({ turn }) => turn !== undefined)?.turn ?? BY_POLICY[policy]}`;
}

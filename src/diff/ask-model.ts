import { mapIn, mapsIn } from '../contract/json';
import { makerWrites } from '../later/writers';
import type { Change } from '../lifecycle/change-cases';
import type { ChangeOutcome } from '../lifecycle/change-outcomes';
import { type ChangeAnswer, worstChangeAnswer } from '../lifecycle/change-results';
import { type ModelCase, modelCaseOf, policyOf } from '../lifecycle/model-case';
import type { Policy } from '../lifecycle/scenario';
import { FILE_WRITES, type Writer } from '../lifecycle/writers.facts';
import { KeptServices } from '../policies/policy-options';
import { classOf } from '../rules/service-json';
import { isStripped } from './live-object';
import type { Outcome } from './outcome';
import { finalizersFor, kindOf } from './owners';
import { isWorse } from './said';
import type { SideBalancer, Sides } from './side';

// Results of changes, asked of the lifecycle model.

export interface Answer {
  readonly outcome: Outcome;
  /** What a deletion afterwards comes to, as it did before the change. */
  readonly anyway?: Outcome;
  /** The name of the shortest trace that shows it. */
  readonly trace?: string;
}

/** What is asked: a change, and what the manifests declare before and after it. */
export interface Asked {
  readonly change: Change;
  readonly before?: Policy;
  /** Where that is another. */
  readonly after?: Policy;
  /** Finalizers that the owner does not remove, where they are not those of the older manifest. */
  readonly foreign?: readonly string[];
}

const OUTCOME_OF: Readonly<Record<ChangeOutcome, Outcome>> = {
  orphaned: 'orphaned',
  stuck: 'stuck',
  lost: 'deleted',
  replaced: 'replaced',
  interrupted: 'interrupted',
  unfinished: 'refused',
  'handed over': 'handed over',
  deleted: 'deleted',
  refused: 'refused',
  kept: 'kept',
};

/** What the model says of a change of a balancer; nothing where it does not have its owner, or not this change of it. */
export function askModel(balancer: SideBalancer, asked: Asked, sides: Sides): Answer | undefined {
  return answerTo(balancer, asked, sides, writersOf(balancer, sides), isKept(balancer, sides));
}

/**
 * What the model says of a change after which the owner has to clean up. A live Service without the finalizer of its owner was
 * stripped before: the owner sees as little of it as where the same write strips it.
 */
export function askCleanup(balancer: SideBalancer, asked: Asked, sides: Sides): Answer | undefined {
  if (!isStripped(balancer, sides.before)) {
    return askModel(balancer, asked, sides);
  }
  return asked.change === 'type away' || asked.change === 'annotation away'
    ? answerTo(balancer, { ...asked, before: 'left', after: 'left' }, sides, ['put'])
    : answerTo(balancer, STRIPPED, sides, ['server-apply']);
}

const STRIPPED = { change: 'finalizer dropped', before: 'declared', after: 'left' } as const;

function answerTo(balancer: SideBalancer, asked: Asked, sides: Sides, writer: readonly Writer[], keeper = false) {
  const { change, before, after } = asked;
  const { own, foreign } = finalizersFor(balancer);
  const one = modelCaseOf({
    owner: balancer.owner ?? '',
    hasClass: classOf(balancer.service) !== undefined,
    finalizers: [...own, ...(asked.foreign ?? foreign)],
    own: kindOf(balancer)?.finalizers ?? [],
    controllers: sides.after.controllers ?? sides.before.controllers,
    writer: 'files',
  });
  const answers = (one?.besides ?? []).flatMap((beside) => {
    const { owner, policy } = one as ModelCase;
    const question = { owner: owner.name, versions: owner.versions, beside, writer, change, after, keeper };
    const found = worstChangeAnswer({ ...question, before: before ?? policy });
    return found ? [answerOf(found)] : [];
  });
  return answers.reduce<Answer | undefined>(
    (worst, next) => (worst && !isWorse(next, worst) ? worst : next),
    undefined,
  );
}

/** What who asks for the change wants, or what changes nothing: its trace shows nothing to look at. */
const IS_AS_ASKED: ReadonlySet<ChangeOutcome> = new Set(['deleted', 'refused', 'kept']);

function answerOf({ outcome, anyway, trace }: ChangeAnswer): Answer {
  return {
    outcome: OUTCOME_OF[outcome],
    ...(anyway && { anyway: OUTCOME_OF[anyway] }),
    ...(trace && !IS_AS_ASKED.has(outcome) && { trace: trace.name }),
  };
}

/** How a Service is written: by what makes it, or as its manifests are applied. */
export function writersOf(balancer: SideBalancer, sides: Sides): readonly Writer[] {
  const { before, after, options } = sides;
  return balancer.written.madeOf
    ? makerWrites(balancer.written, { versions: { ...before.versions, ...after.versions } })
    : options.writer
      ? [options.writer]
      : FILE_WRITES;
}

/** Whether a keeper puts back what a write of the Service drops. */
export function isKept({ written, service }: SideBalancer, { before, after }: Sides): boolean {
  const keepers = [before.keeper, after.keeper];
  const isOwned = written.madeOf !== undefined || mapsIn(mapIn(service, 'metadata'), 'ownerReferences').length > 0;
  return keepers.every((keeper) => keeper === KeptServices.ALL || (keeper === KeptServices.OWNED && isOwned));
}

/** What the finalizers that a manifest declares are to the owner. */
export function policyFor(balancer: SideBalancer, finalizers: readonly string[]): Policy {
  const { own, foreign } = finalizersFor(balancer, finalizers);
  return policyOf({ finalizers: [...own, ...foreign], own });
}

import { isWorse, type Outcome } from '../contract/edit';
import { list, mapIn, mapsIn } from '../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import type { Change } from '../lifecycle/change-cases';
import { type ChangeAnswer, type ModelCase, modelCaseOf, policyOf, worstChangeAnswer } from '../lifecycle/changes';
import { type ChangeOutcome, outcomeOf } from '../lifecycle/outcomes';
import type { Policy, Writer } from '../lifecycle/scenario';
import { FILE_WRITES } from '../lifecycle/writers.facts';
import { KeptServices } from '../policies/policy-options';
import { makerWrites } from '../predicted/operator-services';
import type { ControllerDefinition } from '../rules/controller-definition';
import { allKinds } from '../rules/known-kinds';
import type { Manifest } from '../rules/manifest-objects';
import { Applied, classOf, finalizersOf } from '../rules/service-json';
import { type BalancerInSides, kindOf, type SideBalancer, type Sides } from './side';

// Who owns a balancer, what it removes, and whether it is there after a change.

/** The finalizers of a Service: those that its owner removes, those of other known controllers, and those of which it is not known. */
export interface Finalizers {
  readonly own: readonly string[];
  readonly foreign: readonly string[];
  readonly strange: readonly string[];
}

/** The finalizers of a Service, as its owner sees them. */
export function finalizersFor(
  balancer: SideBalancer,
  all: readonly string[] = finalizersOf(balancer.service),
): Finalizers {
  const kind = kindOf(balancer);
  const own = all.filter((finalizer) => kind && isOf(finalizer, kind));
  const foreign = all.filter((finalizer) => kind && !own.includes(finalizer) && isOfController(finalizer));
  return { own, foreign, strange: all.filter((one) => !own.includes(one) && !foreign.includes(one)) };
}

function isOf(finalizer: string, { finalizers, untouchableFinalizers = [] }: ControllerDefinition): boolean {
  return finalizers.includes(finalizer) || untouchableFinalizers.includes(finalizer);
}

/** Whether a finalizer is that of some controller that makes balancers. */
export function isOfController(finalizer: string): boolean {
  return finalizer === LOAD_BALANCER_CLEANUP_FINALIZER || allKinds().some((kind) => isOf(finalizer, kind));
}

// What of an object of a cluster was in a manifest, and what controllers have written since.

/** What shows who wrote a live Service, where who applies it leaves what others have written; nothing where that is not known. */
export function appliedTo({ before: { service }, sides }: BalancerInSides): Applied | undefined {
  const applied = leavesOthers(sides) ? new Applied(service) : undefined;
  return applied?.isKnown ? applied : undefined;
}

/** Whether what others have written on a live object stays: the manifest does not say it, and who applies it takes out only what it said. */
export function leavesOthers({ before, options }: Sides): boolean {
  return before.isLive === true && !WHOLE.has(options.writer);
}

/** Whether the owner of a live Service wrote an annotation, and who applies it leaves what others have written. */
export function isOfOwner(
  { before, sides }: BalancerInSides,
  kind: ControllerDefinition | undefined,
  key: string,
): boolean {
  const isWritten = kind?.writtenAnnotations?.includes(key) === true;
  return isWritten && leavesOthers(sides) && !new Applied(before.service).hasAnnotation(key);
}

const WHOLE: ReadonlySet<Writer | undefined> = new Set<Writer>(['put', 'put-class-null', 'recreate']);

/** Whether manifests were read from a cluster: all have what the API server alone writes. */
export function isDumped(manifests: readonly Manifest[]): boolean {
  const isServed = ({ object }: Manifest) => SERVER_FIELDS.some((field) => field in mapIn(object, 'metadata'));
  return manifests.length > 0 && manifests.every(isServed);
}

const SERVER_FIELDS = ['uid', 'resourceVersion', 'managedFields'];

/** The finalizers that the manifest of a balancer declares; nothing where a live object does not show it. */
export function declaredFinalizers({ before: { service }, sides }: BalancerInSides): readonly string[] | undefined {
  const all = finalizersOf(service);
  if (!sides.before.isLive) {
    return all;
  }
  const applied = new Applied(service);
  return applied.isKnown ? all.filter((finalizer) => applied.hasFinalizer(finalizer)) : undefined;
}

/** Whether a live Service with an address has lost the finalizer that its owner adds before it makes a balancer. */
export function isStripped({ before, sides }: BalancerInSides): boolean {
  const { ingress } = mapIn(mapIn(before.service, 'status'), 'loadBalancer');
  return (
    sides.before.isLive === true &&
    before.written.madeOf === undefined &&
    list(ingress).length > 0 &&
    (kindOf(before)?.finalizers.length ?? 0) > 0 &&
    finalizersFor(before).own.length === 0
  );
}

// Results of changes, asked of the lifecycle model.

export interface LifecycleResult {
  readonly outcome: Outcome;
  /** What a deletion afterwards comes to, as it did before the change. */
  readonly anyway?: Outcome;
  /** The name of the shortest trace that shows it. */
  readonly trace?: string;
}

/** What is asked: a change, and what the manifests declare before and after it. */
interface LifecycleQuery {
  readonly change: Change;
  readonly before?: Policy;
  readonly after?: Policy;
  /** Finalizers that the owner does not remove, where they are not those of the older manifest. */
  readonly foreign?: readonly string[];
}

/** What the model says of a change of a balancer; nothing where it does not have its owner, or not this change of it. */
export function queryLifecycle({ before, sides }: BalancerInSides, asked: LifecycleQuery): LifecycleResult | undefined {
  return resultOf(before, asked, sides, writersOf(before, sides), isKept(before, sides));
}

/**
 * What the model says of a change after which the owner has to clean up. A live Service without the finalizer of its owner was
 * stripped before: the owner sees as little of it as where the same write strips it.
 */
export function queryCleanup(one: BalancerInSides, asked: LifecycleQuery): LifecycleResult | undefined {
  if (!isStripped(one)) {
    return queryLifecycle(one, asked);
  }
  return asked.change === 'type away' || asked.change === 'annotation away'
    ? resultOf(one.before, { ...asked, before: 'left', after: 'left' }, one.sides, ['put'])
    : resultOf(one.before, STRIPPED, one.sides, ['server-apply']);
}

const STRIPPED = { change: 'finalizer dropped', before: 'declared', after: 'left' } as const;

/** The same of a write that takes the Service from its owner, and leaves it some finalizers. */
export function queryRelease(one: BalancerInSides, asked: LifecycleQuery, left: readonly string[]) {
  const after = policyFor(one.before, left);
  const declared = declaredFinalizers(one);
  return queryCleanup(one, { ...asked, before: declared ? policyFor(one.before, declared) : after, after });
}

/** What takes a Service away comes to: what the model says of it, if that is worse. */
export function lossOf<O extends Outcome>(
  answer: LifecycleResult | undefined,
  otherwise: O,
): { readonly outcome: O | 'orphaned' | 'stuck'; readonly trace?: string } {
  const { outcome, trace } = answer ?? {};
  return { outcome: outcome === 'orphaned' || outcome === 'stuck' ? outcome : otherwise, trace };
}

function resultOf(
  balancer: SideBalancer,
  asked: LifecycleQuery,
  sides: Sides,
  writer: readonly Writer[],
  keeper = false,
) {
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
    return found ? [lifecycleResult(found)] : [];
  });
  return answers.reduce<LifecycleResult | undefined>(
    (worst, next) => (worst && !isWorse(next, worst) ? worst : next),
    undefined,
  );
}

/** What who asks for the change wants, or what changes nothing: its trace shows nothing to look at. */
const EXPECTED: ReadonlySet<ChangeOutcome> = new Set(['deleted', 'refused', 'kept']);

function lifecycleResult({ outcome, anyway, trace }: ChangeAnswer): LifecycleResult {
  const shown = EXPECTED.has(outcome) ? undefined : trace?.name;
  return { outcome: outcomeOf(outcome), anyway: anyway && outcomeOf(anyway), trace: shown };
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
function policyFor(balancer: SideBalancer, finalizers: readonly string[]): Policy {
  const { own, foreign } = finalizersFor(balancer, finalizers);
  return policyOf({ finalizers: [...own, ...foreign], own });
}

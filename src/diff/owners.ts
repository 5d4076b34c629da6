import { type EditedValue, isWorse, type Outcome } from '../contract/edit';
import { list, mapIn, mapsIn, sameValue } from '../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import type { MadeBalancer } from '../contract/made-balancer';
import { LoadBalancerWish } from '../contract/options';
import type { Change } from '../lifecycle/change-cases';
import { type ChangeAnswer, type ModelCase, modelCaseOf, policyOf, worstChangeAnswer } from '../lifecycle/changes';
import { type ChangeOutcome, outcomeOf } from '../lifecycle/outcomes';
import type { Policy, Writer } from '../lifecycle/scenario';
import { FILE_WRITES } from '../lifecycle/writers.facts';
import { KeptServices } from '../policies/policy-options';
import { makerWrites } from '../predicted/operator-services';
import {
  type ControllerDefinition,
  type ControllerVersion,
  neededToMake,
  type ServiceField,
} from '../rules/controller-definition';
import { editOfField } from '../rules/edits-of-values';
import { allKinds, possibleClaimants, possibleOwners } from '../rules/known-kinds';
import type { Manifest } from '../rules/manifest-objects';
import { Applied, classOf, finalizersOf, portsOf } from '../rules/service-json';
import { type Consequence, consequenceIn, consequenceOf, type Effect, effectAt } from './effect';
import type { LivePair } from './pairs';
import { type BalancerInSides, installedOf, kindOf, type SideBalancer, type Sides } from './side';

// Owner of a balancer, what it removes, and whether it is there after a change.

export interface Finalizers {
  readonly own: readonly string[];
  readonly foreign: readonly string[];
  readonly strange: readonly string[];
}

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

export function isOfController(finalizer: string): boolean {
  return finalizer === LOAD_BALANCER_CLEANUP_FINALIZER || allKinds().some((kind) => isOf(finalizer, kind));
}

// Split of a live object into its manifest and the fields that controllers have written since.

export function appliedTo({ before: { service }, sides }: BalancerInSides): Applied | undefined {
  const applied = leavesOthers(sides) ? new Applied(service) : undefined;
  return applied?.isKnown ? applied : undefined;
}

/** True if what others have written on a live object stays: the manifest does not say it, and who applies it takes out only what it said. */
export function leavesOthers({ before, options }: Sides): boolean {
  return before.isLive === true && !WHOLE.has(options.writer);
}

export function isOfOwner(
  { before, sides }: BalancerInSides,
  kind: ControllerDefinition | undefined,
  key: string,
): boolean {
  const isWritten = kind?.writtenAnnotations?.includes(key) === true;
  return isWritten && leavesOthers(sides) && !new Applied(before.service).hasAnnotation(key);
}

const WHOLE: ReadonlySet<Writer | undefined> = new Set<Writer>(['put', 'put-class-null', 'recreate']);

export function isDumped(manifests: readonly Manifest[]): boolean {
  const isServed = ({ object }: Manifest) => SERVER_FIELDS.some((field) => field in mapIn(object, 'metadata'));
  return manifests.length > 0 && manifests.every(isServed);
}

const SERVER_FIELDS = ['uid', 'resourceVersion', 'managedFields'];

export function declaredFinalizers({ before: { service }, sides }: BalancerInSides): readonly string[] | undefined {
  const all = finalizersOf(service);
  if (!sides.before.isLive) {
    return all;
  }
  const applied = new Applied(service);
  return applied.isKnown ? all.filter((finalizer) => applied.hasFinalizer(finalizer)) : undefined;
}

/** True if a live Service with an address has lost the finalizer that its owner adds before it makes a balancer. */
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
  /** Outcome of a later deletion, as before the change. */
  readonly anyway?: Outcome;
  readonly trace?: string;
}

interface LifecycleQuery {
  readonly change: Change;
  readonly before?: Policy;
  readonly after?: Policy;
  readonly foreign?: readonly string[];
}

export function queryLifecycle({ before, sides }: BalancerInSides, asked: LifecycleQuery): LifecycleResult | undefined {
  return resultOf(before, asked, sides, writersOf(before, sides), isKept(before, sides));
}

/**
 * Results of the model for a change after which the owner has to clean up. A live Service without the finalizer of its owner was
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

/** Outcome of a removal of a Service: the result of the model, if that is worse. */
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

/** Intended or empty changes: their trace shows nothing to look at. */
const EXPECTED: ReadonlySet<ChangeOutcome> = new Set(['deleted', 'refused', 'kept']);

function lifecycleResult({ outcome, anyway, trace }: ChangeAnswer): LifecycleResult {
  const shown = EXPECTED.has(outcome) ? undefined : trace?.name;
  return { outcome: outcomeOf(outcome), anyway: anyway && outcomeOf(anyway), trace: shown };
}

export function writersOf(balancer: SideBalancer, sides: Sides): readonly Writer[] {
  const { before, after, options } = sides;
  return balancer.written.madeOf
    ? makerWrites(balancer.written, { versions: { ...before.versions, ...after.versions } })
    : options.writer
      ? [options.writer]
      : FILE_WRITES;
}

export function isKept({ written, service }: SideBalancer, { before, after }: Sides): boolean {
  const keepers = [before.keeper, after.keeper];
  const isOwned = written.madeOf !== undefined || mapsIn(mapIn(service, 'metadata'), 'ownerReferences').length > 0;
  return keepers.every((keeper) => keeper === KeptServices.ALL || (keeper === KeptServices.OWNED && isOwned));
}

function policyFor(balancer: SideBalancer, finalizers: readonly string[]): Policy {
  const { own, foreign } = finalizersFor(balancer, finalizers);
  return policyOf({ finalizers: [...own, ...foreign], own });
}

export interface PossibleOwner {
  readonly kind: ControllerDefinition;
  readonly before?: ControllerVersion;
  readonly after?: ControllerVersion;
}

export class PossibleOwners {
  private readonly own: readonly PossibleOwner[];
  private possible?: readonly PossibleOwner[];

  public constructor(private readonly pair: LivePair) {
    const { before, after } = pair;
    const kinds = new Set([after, before].flatMap((one) => kindOf(one) ?? []));
    this.own = [...kinds].map((kind) => ({ kind, before: versionOf(kind, before), after: versionOf(kind, after) }));
  }

  public get kind(): ControllerDefinition | undefined {
    return this.own[0]?.kind;
  }

  public get needs(): readonly string[] | undefined {
    const { owner, unowned } = this.pair.after;
    if (this.own.length > 0) {
      return undefined;
    }
    return [
      owner === undefined ? (unowned ?? 'which controller owns the balancer') : `what ${owner} makes of the change`,
    ];
  }

  public worst(
    ask: (reader: PossibleOwner) => Consequence | undefined,
    otherwise?: Consequence,
  ): Consequence | undefined {
    const own = this.own.map(ask).reduce(worse, undefined);
    if (this.own.length > 0) {
      return this.pair.after.guess === undefined ? own : this.orUnknown(own, this.possibly().map(ask));
    }
    const all = [otherwise, ...this.possibly().map(ask)];
    const worst = all.reduce(worse, undefined);
    return all.every((consequence) => effectOf(consequence) === effectOf(worst)) ? worst : this.undecided(worst);
  }

  public ofField(
    field: ServiceField,
    edited: Omit<EditedValue, 'objects'>,
    adapt = (consequence: Consequence) => consequence,
  ): Consequence {
    const value = { ...edited, objects: this.objects };
    const general = adapt(consequenceOf(editOfField(field, value)));
    return this.worst(({ kind }) => adapt(consequenceOf(editOfField(field, value, kind))), general) ?? general;
  }

  private orUnknown(
    consequence: Consequence | undefined,
    others: readonly (Consequence | undefined)[],
  ): Consequence | undefined {
    const isKept = consequence === undefined || consequence.outcome === 'kept';
    const worst = others.reduce(worse, consequence);
    return isKept && worst !== undefined && worst.outcome !== 'kept' ? this.undecided(worst) : consequence;
  }

  private undecided(worst: Consequence | undefined): Consequence | undefined {
    const { guess, otherOwner } = this.pair.after;
    const needs = this.needs ?? [guess ?? 'which controller owns the balancer'];
    const unless = this.own.map(({ kind }) => `, unless it is ${kind.name}`).join('');
    const why =
      otherOwner === undefined ? `depends on the controller: ${worst?.why}${unless}` : `depends on ${otherOwner}`;
    return worst && { outcome: 'unknown', why, needs };
  }

  private possibly(): readonly PossibleOwner[] {
    const { after, sides } = this.pair;
    const { service, guess, otherOwner } = after;
    // an owner without rules may do what any controller does
    const isPossible = ({ name }: ControllerDefinition) =>
      otherOwner !== undefined || sides.after.controllers?.includes(name) !== false;
    // a webhook that may be on is one of the ways in which a controller may be installed
    this.possible ??= (
      guess === undefined ? possibleClaimants(service).map(({ kind }) => kind) : possibleOwners(service)
    )
      .filter(isPossible)
      .map((kind) => ({ kind }));
    return this.possible;
  }

  public get objects(): EditedValue['objects'] {
    return { before: this.pair.before.service, after: this.pair.after.service };
  }
}

function effectOf(consequence: Consequence | undefined): Outcome {
  return consequence?.outcome ?? 'kept';
}

function worse(worst: Consequence | undefined, consequence: Consequence | undefined): Consequence | undefined {
  return worst === undefined || (consequence !== undefined && isWorse(consequence, worst)) ? consequence : worst;
}

function versionOf(kind: ControllerDefinition, balancer: SideBalancer): ControllerVersion | undefined {
  const installed = kindOf(balancer) === kind ? installedOf(balancer) : undefined;
  return installed && kind.versionOf?.(installed);
}

const anyEffect = (effects: readonly Effect[]) =>
  effects.some(({ outcome, staysAsMade }) => outcome !== 'kept' || staysAsMade);

const schemeOf = ({ scheme }: MadeBalancer) => scheme;

const ASPECTS: Readonly<Record<string, (made: MadeBalancer, ports: readonly string[]) => unknown>> = {
  'who can reach it': schemeOf,
  'the kind of balancer': ({ product }) => product,
  'what connections arrive at': ({ target }) => target,
  'how pods see clients': ({ clientAddress, clientAddressOfPorts }, ports) =>
    ports.map((port) => clientAddressOfPorts?.[port] ?? clientAddress),
  'which nodes serve': ({ nodeLabels }) => nodeLabels,
  'the balancer that it shares': ({ sharedBy }) => sharedBy,
  'the address that it shares': ({ addressSharedBy }) => addressSharedBy,
};

/**
 * The models of both sides differ, and no changed field states the effect on the live balancer.
 *
 * @param effects what is known already
 */
export function modelEffects(
  { before, after }: LivePair,
  readers: PossibleOwners,
  effects: readonly Effect[],
): Effect[] {
  const { made: old } = before;
  const { made: now, controller } = after;
  if (old === now || readers.kind === undefined || before.owner !== after.owner) {
    return [];
  }
  if (old === undefined || now === undefined) {
    const needs = controller ? [neededToMake(controller)] : [];
    const why = 'what is made of it is known on one side alone';
    return anyEffect(effects) ? [] : [effectAt({ field: 'spec', path: ['spec'] }, { outcome: 'unknown', why, needs })];
  }
  const numbers = portsIn(before);
  const ports = portsIn(after).filter((port) => numbers.includes(port));
  const changesScheme = ({ field, outcome }: Effect) =>
    outcome === 'replaced' || readers.kind?.catalogue.find(field)?.fact.wish === LoadBalancerWish.SCHEME;
  return Object.entries(ASPECTS).flatMap(([aspect, valueIn]) => {
    const [from, to] = [valueIn(old, ports), valueIn(now, ports)];
    const isCovered = valueIn === schemeOf ? effects.some(changesScheme) : anyEffect(effects);
    const different = { ...consequenceIn('balancer different', 'unknown', { aspect }), source: now.source };
    return isCovered || sameValue(from, to) ? [] : [effectAt({ field: 'spec', path: ['spec'], from, to }, different)];
  });
}

function portsIn({ service }: SideBalancer): string[] {
  return portsOf(service).map(({ port }) => String(port));
}

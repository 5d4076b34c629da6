import { isWorse, type Outcome } from '../contract/edit';
import { grouped, type Json, list, mapIn, mapOf, mapsIn, objectIdOf, oncePer, printable } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import type { LoadBalancerModel } from '../contract/load-balancer-model';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import type { NodePool } from '../contract/node-pool';
import { OwnershipState } from '../controllers/options';
import type { Change } from '../lifecycle/change-cases';
import { type ChangeAnswer, type ModelCase, modelCaseOf, policyOf, worstChangeAnswer } from '../lifecycle/changes';
import { type ChangeOutcome, outcomeOf } from '../lifecycle/outcomes';
import type { Policy, Writer } from '../lifecycle/scenario';
import { FILE_WRITES } from '../lifecycle/writers.facts';
import type { KeptServices } from '../policies/policy-objects';
import { makerWrites } from '../predicted/operator-faults';
import { makerTitle, type ReportedService } from '../predicted/predicted';
import { type ControllerDefinition, definitionOf, isRemovedBy, unwrapped } from '../rules/controller-definition';
import { isOfController } from '../rules/known-kinds';
import type { Manifest } from '../rules/manifest-objects';
import { groupOf } from '../rules/objects';
import { Applied, annotationsOf, classOf, finalizersOf, isService, wantsLoadBalancer } from '../rules/service-json';
import { SHARED_CLASS } from '../tenancy/tenancy.facts';

export interface DiffOptions {
  /** True if objects that are not in the manifests any more are deleted; nothing where it is not known. */
  readonly prune?: boolean;
  /** Method of applying the manifests; the worst of client-side and server-side apply if unknown. */
  readonly writer?: Writer;
}

export interface SideBalancer {
  /** `namespace/name` of the Service: the same on both sides where it is the same balancer. */
  readonly id: string;
  /** For people: the same, or what makes it: `kafka/events, listener 'external', broker 3`. */
  readonly title: string;
  /** The Service with fields of the right types alone. */
  readonly service: Json;
  readonly written: ReportedService;
  readonly owner?: string;
  /** The name of an owner without rules here, of which nothing more is known. */
  readonly otherOwner?: string;
  readonly controller?: ILoadBalancerController | ControllerDefinition;
  readonly guess?: string;
  readonly unowned?: string;
  /** True if its owner is known; with all controllers known and none that claims it, it has no balancer. */
  readonly ownership?: OwnershipState;
  readonly made?: LoadBalancerModel;
  readonly isBinding?: true;
}

export interface Install {
  readonly controller: string;
  readonly manifest: Manifest;
  readonly beside?: readonly { readonly manifest: Manifest; readonly value: unknown }[];
}

export interface Side {
  readonly name: string;
  readonly shown?: (file: string) => string;
  readonly manifests: readonly Manifest[];
  readonly balancers: readonly SideBalancer[];
  /** True if all files are declared to be sources of one cluster: else those with names of clusters are of clusters of their own. */
  readonly isDeclared?: boolean;
  /** True if this is what the cluster has, with finalizers and status as controllers left them. */
  readonly isLive?: boolean;
  readonly controllers?: readonly string[];
  readonly keeper?: KeptServices;
  readonly nodePools?: readonly NodePool[];
  readonly installs?: readonly Install[];
  /** Versions of what runs in the cluster, by name: of Kubernetes, of controllers and operators; what is not known is left out. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Objects that are left out, with reasons, a sentence each: documents that cannot be read, balancers whose number is not known. */
  readonly gaps: readonly string[];
}

export interface Sides {
  readonly before: Side;
  readonly after: Side;
  readonly options: DiffOptions;
}

export function kindOf({ controller }: SideBalancer): ControllerDefinition | undefined {
  return controller && 'bind' in controller ? definitionOf(controller) : controller;
}

export function installedOf({ controller }: SideBalancer): ILoadBalancerController | undefined {
  return controller && 'bind' in controller ? unwrapped(controller) : undefined;
}

export interface BalancerInSides {
  readonly before: SideBalancer;
  readonly sides: Sides;
}

/** True if objects that no manifest has any more are deleted; unless an option says otherwise, what a dump has stays. */
export function isPruned({ before, options: { prune } }: Sides): boolean {
  return prune === true || (prune !== false && before.isLive !== true);
}

export function hasNoBalancer({ ownership, service }: SideBalancer): boolean {
  const { ingress } = mapIn(mapIn(service, 'status'), 'loadBalancer');
  const hasAddress = Array.isArray(ingress) && ingress.length > 0;
  return ownership === OwnershipState.UNCLAIMED && !hasAddress && !isShared(service);
}

/** True if a Service has ports of a balancer that tenants share: no controller makes one for it, and its clients have it all the same. */
export function isShared(service: SideBalancer['service']): boolean {
  return classOf(service) === SHARED_CLASS;
}

// Objects of a side that are no balancers, found by their names.

const lookupOf = oncePer(({ manifests }: Side) => {
  const services = manifests.filter(({ object }) => isService(object));
  const namespaces = manifests.filter(({ object }) => object.apiVersion === 'v1' && object.kind === 'Namespace');
  return {
    services: grouped(services, ({ object }) => objectIdOf(object)),
    namespaces: new Map(namespaces.map((one) => [String(mapIn(one.object, 'metadata').name), one])),
    identities: new Set(manifests.map(({ object }) => identityOf(object))),
  };
});

export function serviceOn(side: Side, id: string, { file }: Manifest): Manifest | undefined {
  const found = (lookupOf(side).services.get(id) ?? []).filter(({ object }) => !wantsLoadBalancer(object));
  return found.find((one) => folderOf(one.file) === folderOf(file)) ?? (found.length === 1 ? found[0] : undefined);
}

/** The folder of a file: what is in one is applied together. */
export function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '';
}

/** Those of some things whose files are nearest to a file: those of other folders are of clusters of their own. */
export function nearestTo<T>(file: string, things: readonly T[], fileOf: (thing: T) => string): readonly T[] {
  const near = things.map((thing) => sharedSteps(fileOf(thing), file));
  const most = Math.max(...near);
  return things.filter((_, i) => near[i] === most);
}

export function sharedSteps(one: string, other: string): number {
  const [left, right] = [one, other].map((file) => folderOf(file).split('/'));
  const end = left.findIndex((step, i) => step !== right[i]);
  return end < 0 ? left.length : end;
}

export function namespaceOn(side: Side, name: string): Manifest | undefined {
  return lookupOf(side).namespaces.get(name);
}

export function isOn(side: Side, object: Json): boolean {
  return lookupOf(side).identities.has(identityOf(object));
}

export function identityOf(object: Json): string {
  const { namespace = 'default', name } = mapIn(object, 'metadata');
  return JSON.stringify([groupOf(object), object.kind, namespace, name]);
}

export function textsIn({ kind, data, stringData, binaryData }: Json): Json {
  const decoded = Object.entries(mapOf(data)).map(([key, text]) => [
    key,
    typeof text === 'string' ? Buffer.from(text, 'base64').toString() : text,
  ]);
  return kind === 'Secret'
    ? { ...Object.fromEntries(decoded), ...mapOf(stringData) }
    : { ...mapOf(data), ...mapOf(binaryData) };
}

export function titled(object: Json): string {
  return printable(makerTitle(object));
}

/** An annotation by which a tool treats an object in its own way. */
export interface ToolMark {
  readonly annotation: string;
  /** These values, all in a list with commas, or one alone. */
  readonly values: readonly string[];
  readonly tool: string;
  readonly source: Citation;
}

export function markOf(object: Json, marks: readonly ToolMark[]): ToolMark | undefined {
  const annotations = annotationsOf(object);
  return marks.find(({ annotation, values }) => {
    const found = String(annotations[annotation] ?? '')
      .split(',')
      .map((one) => one.trim().toLowerCase());
    return values.every((value) => found.includes(value.toLowerCase()));
  });
}

export function holdsTexts({ apiVersion, kind }: Json): boolean {
  return apiVersion === 'v1' && (kind === 'ConfigMap' || kind === 'Secret');
}

/** Two things that are one on two sides, or one that is on one of them alone. */
export type PairOf<T> = readonly [before: T | undefined, after: T | undefined];

/**
 * Things of one name on two sides, as several clusters in one repository have them: each with that of its own file, else with one that
 * is the same, as where files are moved, else with the only one that there is.
 */
export function pairByFile<T>(
  before: readonly T[],
  after: readonly T[],
  fileOf: (thing: T) => string,
  areSame: (one: T, other: T) => boolean,
): PairOf<T>[] {
  const isOnly = before.length === 1 && after.length === 1;
  return pairByLikeness(before, after, [(one, other) => fileOf(one) === fileOf(other), areSame, () => isOnly]);
}

/** Things of two sides, each with the first that is left of those that it is most like. */
export function pairByLikeness<T>(
  before: readonly T[],
  after: readonly T[],
  likenesses: readonly ((one: T, other: T) => boolean)[],
): PairOf<T>[] {
  const left = new Set(after);
  const found = new Map<T, T>();
  for (const isOne of likenesses) {
    for (const one of before.filter((each) => !found.has(each))) {
      const other = [...left].find((each) => isOne(one, each));
      if (other !== undefined) {
        found.set(one, other);
        left.delete(other);
      }
    }
  }
  return [
    ...before.map((one): PairOf<T> => [one, found.get(one)]),
    ...[...left].map((other): PairOf<T> => [undefined, other]),
  ];
}

// Owner of a balancer, what it removes, and whether it is there after a change.

export function finalizersFor(balancer: SideBalancer, all: readonly string[] = finalizersOf(balancer.service)) {
  const kind = kindOf(balancer);
  const own = all.filter((finalizer) => kind && isRemovedBy(finalizer, kind));
  const foreign = all.filter((finalizer) => kind && !own.includes(finalizer) && isOfController(finalizer));
  return { own, foreign, strange: all.filter((one) => !own.includes(one) && !foreign.includes(one)) };
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
    ? makerWrites(balancer.written, { ...before.versions, ...after.versions })
    : options.writer
      ? [options.writer]
      : FILE_WRITES;
}

export function isKept({ written, service }: SideBalancer, { before, after }: Sides): boolean {
  const keepers = [before.keeper, after.keeper];
  const isOwned = written.madeOf !== undefined || mapsIn(mapIn(service, 'metadata'), 'ownerReferences').length > 0;
  return keepers.every((keeper) => keeper === 'all' || (keeper === 'owned' && isOwned));
}

function policyFor(balancer: SideBalancer, finalizers: readonly string[]): Policy {
  const { own, foreign } = finalizersFor(balancer, finalizers);
  return policyOf({ finalizers: [...own, ...foreign], own });
}

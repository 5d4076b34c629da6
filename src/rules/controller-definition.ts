import type { AnnotationCatalogue, AnyAnnotation } from '../contract/annotation-catalogue';
import type { Edit, EditRow, UpgradeFact } from '../contract/edit';
import { isMap, type Json } from '../contract/json';
import type { Citation, Confidence } from '../contract/kubernetes.facts';
import { BalancerTarget, type LoadBalancerModel } from '../contract/load-balancer-model';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import type { ObjectEdits } from '../contract/object-edits';
import { type LoadBalancerFinding, type LoadBalancerScheme, TrafficPolicy } from '../contract/options';
import type { DescribedRule } from '../contract/rule';
import type { SchemaFields } from '../contract/schema/walk';
import type { SERVICE_FIELD_EDITS } from './field-edits.facts';
import type { ObjectContext, Rule } from './rule';
import { annotationsOf, type PortHandling, type SchemeReading } from './service-json';

export interface Claim {
  /** `maybe` where the object and what is known of the cluster do not decide it. */
  readonly claimed: 'yes' | 'no' | 'maybe';
  readonly because: string;
  /**
   * True if it takes the Service by writing its own class into it when it is created, before others see it: such a
   * claim goes before those of controllers that serve Services without a class.
   */
  readonly byDefaultingTheClass?: boolean;
}

interface ControllerFacts {
  readonly product: string;
  readonly source: Citation;
  readonly confidence: Confidence;
  /** Condition under which its finalizer is declared, if that is not the default, as text. */
  readonly finalizerNote?: string;
  /** Means by which it restricts the backend to the nodes of a pool, as text. */
  readonly nodes: string;
  /** Limits that a user must know, as text. */
  readonly remark?: string;
}

export interface ControllerIdentity {
  readonly kind: 'ServiceAccount' | 'User' | 'Group';
  readonly name: string;
  /** Of a service account. */
  readonly namespace?: string;
  readonly source: Citation;
}

/** Speed at which a controller creates balancers: it matters where an operator waits for many of them. */
export interface ProvisioningTime {
  /** Default number of balancers that it creates at a time. */
  readonly concurrency: number;
  /** Seconds from a Service to the address in its status. */
  readonly seconds: number;
  readonly confidence: Confidence;
  readonly source: Citation;
}

export interface ControllerVersion {
  readonly version: string;
  /** True if it is the one that a fact names, or newer. */
  reaches(since: string): boolean;
}

/** The address of a deleted balancer that stays: `descriptor.schema.json` describes each field. */
export interface KeptAddress {
  readonly ifReserved?: true;
  readonly ifPublic?: true;
  readonly atDeletion?: true;
  readonly unlessOff?: string;
}

/** A setting that decides which load balancers a controller finds or serves. */
export interface OwnerSetting {
  readonly flag: string;
  /** The value of the controller's chart that becomes the flag. */
  readonly chartValue: string;
  readonly default?: string;
  readonly edit: EditRow;
}

export interface BackendNodes {
  /** The labels that they have, as far as the Service says them; empty where it has every node. */
  readonly labels: Readonly<Record<string, string>>;
  /** Mechanism that excludes nodes, if it is not a label. */
  readonly restrictedBy?: string;
  /** True if nothing but the placement of the pods can keep others out. */
  readonly byPodsAlone?: boolean;
  readonly instead?: string;
}

/** Reading of the label by a controller, if it differs from the service controller of Kubernetes. */
export interface ExcludedNodes {
  /** True if each value excludes, `false` too. */
  readonly byPresence: true;
  /** The first version that reads the label. */
  readonly since?: string;
  /** Its setting that has such nodes used. */
  readonly option?: {
    readonly since: string;
    /** True if some objects show that it is on. */
    isSetIn(objects: readonly Json[]): boolean;
    readonly remedy: string;
  };
}

export interface EditedKind {
  readonly kind: string;
  readonly group: string;
  readonly who?: string;
  readonly edits: ObjectEdits;
  /** The fields of its `spec`, with what the API server fills in: that is no edit, whoever writes it. */
  readonly fields?: SchemaFields;
  /** True if each object leads to targets of a balancer that can be made elsewhere: it is looked at by itself there. */
  readonly isBinding?: true;
  /** Of a binding to a Service: the rules for it, among other objects. */
  readonly rules?: {
    check(object: Json, context: ObjectContext): Record<'errors' | 'warnings', readonly LoadBalancerFinding[]>;
  };
  /** Source of rows without a source of their own. */
  readonly source: Citation;
}

/** The fields of a Service that a balancer is made of. */
export type ServiceField = keyof typeof SERVICE_FIELD_EDITS;

/**
 * Knowledge about one kind of controller, for both directions: the constructs that write and whatever reads the
 * manifests of others. Each controller class carries its own as the hidden static `_kind`.
 */
export interface ControllerDefinition {
  readonly name: string;
  readonly facts: ControllerFacts;
  readonly catalogue: AnnotationCatalogue;
  /** Effect of an edit of each annotation on a live balancer, by key. */
  readonly annotationEdits?: ReadonlyMap<string, Edit>;
  /** Effect of an edit of each label of a Service that it reads, by key. */
  readonly labelEdits?: Readonly<Record<string, EditRow>>;
  /** Annotations by which it finds the live balancer: what becomes of that if one changes in one write with the type. */
  readonly foundBy?: ReadonlyMap<string, Edit>;
  /** Fate of the balancer in the status of a live Service if the controller does not find it by the Service as it is now. */
  misses?(live: Json): Edit | undefined;
  /** Effect of an edit of a Service field on its live balancer, if it differs from all controllers. */
  readonly fieldEdits?: Readonly<Partial<Record<ServiceField, EditRow>>>;
  /** Reason why it does not delete the balancer of a Service as written by then; undefined if no setting protects it. */
  protectsFromDeletion?(service: Json): Edit | undefined;
  /** Fate of a requested address if its Service is deleted and another existing one asks for the same. */
  readonly sameAddress?: EditRow;
  /** Other words for it, its product or its vendor. */
  readonly aliases?: readonly string[];
  /** Addresses of a balancer that has not one of each IP family, and annotations that can ask for both. */
  readonly oneFamily?: { readonly gives: string; readonly unless: readonly string[] };
  readonly keptAddresses?: Readonly<Record<string, KeptAddress>>;
  /** Settings of its installation that decide which balancers it finds and serves; what others do is unknown. */
  readonly ownerSettings?: readonly OwnerSetting[];
  readonly editedKinds?: readonly EditedKind[];
  /** Keys of ConfigMaps and Secrets that hold its cloud configuration. */
  readonly cloudConfigKeys?: RegExp;
  /** Services that the edit of such an object affects, where balancers of Services hang on objects that they are not made of. */
  reachedByEdit?(edit: RelatedEdit): Reach;
  /** Effects of other labels of a Service on its balancer, with all objects of the controller's kinds. */
  editsByLabels?(service: RelatedEdit['service'], objects: readonly Json[]): readonly LabelsEdit[];
  /** The controller that it is built on, whose annotations it reads as well. */
  readonly basedOn?: string;
  /** The oldest version from which on its changes were read. */
  readonly readFrom?: string;
  /** Changes of its versions for live balancers, beside the annotations that they first read. */
  readonly upgrades?: readonly UpgradeFact[];
  /** The keys of annotations of this Service whose values it does not look at, since it reads them only beside others. */
  ignores?(service: Json): readonly string[];
  /** The annotation whose value decides which annotations are ignored, if no rule of its own reports them. */
  readonly readBy?: string;
  readonly finalizers: readonly string[];
  /** True if nothing is left of a Service that went while it was down. */
  readonly forgets?: true;
  /** The option of its objects that has the finalizer declared, where it is not declared by default. */
  readonly finalizerOption?: string;
  /** The option of its objects that has Services claimed by annotation, where they have a class by default. */
  readonly classlessOption?: string;
  /** Finalizers that the manifest of this Service may declare; all of them by default. */
  declarable?(service: Json, controller: ILoadBalancerController | undefined): readonly string[];
  /** Unknown fact that decides the finalizers of this Service; undefined if the Service and the installation do. */
  finalizersDependOn?(service: Json, controller: ILoadBalancerController | undefined): string | undefined;
  /** Finalizers that it adds and removes by itself and that others may not write: to it they mean more than cleanup. */
  readonly untouchableFinalizers?: readonly string[];
  /** Keys of annotations that it writes by itself on live Services: a manifest without them leaves them. */
  readonly writtenAnnotations?: readonly string[];
  /** Identities that write addresses and finalizers, under the default names; empty where its vendor publishes none. */
  identities(controller: ILoadBalancerController | undefined): readonly ControllerIdentity[];
  /** The load balancer classes that it serves by default; empty where it serves Services without a class. */
  readonly classes: readonly string[];
  readonly rules: readonly Rule[];
  /** True if it takes this Service of type LoadBalancer. */
  claim(service: Json, controller: ILoadBalancerController | undefined): Claim;
  /** True if it makes a balancer for this Service although its type is another one. */
  claimsOtherTypes?(service: Json, controller: ILoadBalancerController | undefined): Claim;
  /** Objects that must be known beside a Service for its model, where the Service alone does not say it. */
  readonly madeWith?: string;
  /** Scheme of the balancer that it makes for a finished Service. */
  schemeOf(service: Json): SchemeReading;
  /** Client address that pods see, as text, if it is not what the traffic policy of Kubernetes does. */
  clientAddressOf?(service: Json): string | undefined;
  /** A controller object of this kind with its defaults, as a cluster would run it. */
  installed(): ILoadBalancerController;
  /** Other ways in which a cluster may run it, by name; the reading side cannot distinguish them from a Service alone. */
  readonly variants?: Readonly<Record<string, () => ILoadBalancerController>>;
  /** The version of the controller as it is installed, where it was set: it does not read what came later. */
  versionOf?(controller: ILoadBalancerController | undefined): ControllerVersion | undefined;
  /**
   * Speed at which it creates balancers; 0 seconds if a Service has its address at once.
   * @default - unknown
   */
  readonly provisioningTime?: ProvisioningTime;
  /**
   * The rules by which its plans report: what `bind` warns of, beside wishes that it cannot honour.
   * @default - none
   */
  readonly reports?: readonly DescribedRule[];
  /**
   * Common fields that Services of different ports need to share an address, for controllers that let them and that
   * take the address from `spec.loadBalancerIP` too; nothing where this Service shares none.
   */
  sharing?(service: Json): string | undefined;
  /** Meaning of a Service's traffic policy for this controller, if it differs from Kubernetes. */
  policyMeans?(service: Json): string | undefined;
  /** Nodes that are the backend of this Service's balancer; undefined if its pods are. */
  backendNodes?(service: Json, controller: ILoadBalancerController | undefined): BackendNodes | undefined;
  /**
   * Changes of connections by its annotations, port by port, that not every server understands; an empty list where it
   * passes them on as they are.
   * @default - unknown
   */
  handles?(service: Json): readonly PortHandling[];
  /** The variable by which this controller sends the PROXY header for Services without the annotation. */
  readonly proxyHeaderDefault?: { readonly variable: string; readonly annotation: string };
  /**
   * Model of a finished Service for the path of packets, quotas and bills; undefined if it makes none,
   * and where the Service does not say.
   */
  makes?(
    service: Json,
    controller: ILoadBalancerController | undefined,
    objects?: readonly Json[],
  ): LoadBalancerModel | undefined;
  /** The same finished Service with pods as the targets of its balancer, where this controller has such. */
  withPodTargets?(service: Json): Json;
  readonly excludedNodes?: ExcludedNodes;
  /**
   * Restriction of the backend to some nodes by objects beside the Service, as text; what annotations of the Service do is in
   * the catalogue.
   */
  restrictsNodes?(service: Json, objects: readonly Json[]): string | undefined;
}

/** The innermost controller: the one whose options rules and claims look at. */
export function unwrapped(controller: ILoadBalancerController): ILoadBalancerController {
  const inner = (controller as { readonly _inner?: ILoadBalancerController })._inner;
  return inner ? unwrapped(inner) : controller;
}

/** Scheme of a Service's balancer, in the terms of its owner; undefined if the Service does not say it. */
export function schemeIn(service: Json, kind: ControllerDefinition): LoadBalancerScheme | undefined {
  const { scheme, isSet } = kind.schemeOf(service);
  return isSet ? scheme : undefined;
}

/** A definition that is made when it is first asked for: to load a controller is not to load its catalogue and rules. */
export interface DefinedController {
  readonly definition: ControllerDefinition;
}

interface Carrier {
  readonly _kind?: DefinedController;
}

export function definitionOf(controller: ILoadBalancerController): ControllerDefinition | undefined {
  const own = unwrapped(controller);
  return ((own as Carrier)._kind ?? (own.constructor as Carrier)._kind)?.definition;
}

/** The kinds that the classes of a module carry, in the order of their names. */
export function kindsIn(module: Readonly<Record<string, unknown>>): readonly ControllerDefinition[] {
  const kinds = new Set<ControllerDefinition>();
  for (const exported of Object.values(module)) {
    const kind = typeof exported === 'function' ? (exported as Carrier)._kind?.definition : undefined;
    if (kind) {
      kinds.add(kind);
    }
  }
  return [...kinds].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export enum Reach {
  YES = 'yes',
  NO = 'no',
  /** The Service does not say it. */
  PERHAPS = 'perhaps',
}

/** Effect of other labels of a Service, and whether objects that selected it are known to affect its balancer. */
export type LabelsEdit = { readonly edit: Edit; readonly reach: Reach };

export interface RelatedEdit {
  /** The row of the table of its kind; the empty one where the object comes or goes. */
  readonly row: string;
  /** The object; nothing on a side that does not have it. */
  readonly object: { readonly before?: Json; readonly after?: Json };
  readonly service: { readonly before: Json; readonly after: Json };
  /** All objects of the kinds of its controller. */
  readonly objects: { readonly before: readonly Json[]; readonly after: readonly Json[] };
}

// Finalizers of a controller on a Service of a cluster, whoever wrote them. What decides is the Service itself, and not
// how the controller would write another one.

/** True if a controller removes a finalizer of Services: also one that nobody else may write. */
export function isRemovedBy(finalizer: string, kind: ControllerDefinition): boolean {
  return kind.finalizers.includes(finalizer) || (kind.untouchableFinalizers ?? []).includes(finalizer);
}

/** The finalizers of which a controller has one or more on this Service. */
export function addedFinalizers(service: Json, kind: ControllerDefinition): readonly string[] {
  return [...declarableOf(service, kind), ...(kind.untouchableFinalizers ?? [])];
}

/** Those of them that are named where none is there. */
export function expectedFinalizers(service: Json, kind: ControllerDefinition): readonly string[] {
  const declarable = declarableOf(service, kind);
  return declarable.length > 0 ? declarable : (kind.untouchableFinalizers ?? []);
}

function declarableOf(service: Json, kind: ControllerDefinition): readonly string[] {
  return kind.declarable?.(service, undefined) ?? kind.finalizers;
}

/**
 * Model of a finished Service by its owner; undefined if the owner is not known well enough, or makes no
 * balancer. Whether it owns the Service is not asked.
 * @param owner the controller as it is installed, also one inside another, or its kind where nothing else is known
 */
export function balancerModelOf(
  service: Json,
  owner: ILoadBalancerController | ControllerDefinition | undefined,
  objects?: readonly Json[],
): LoadBalancerModel | undefined {
  if (owner === undefined || !isMap(service)) {
    return undefined;
  }
  const controller = 'bind' in owner ? unwrapped(owner) : undefined;
  const kind = 'bind' in owner ? definitionOf(owner) : owner;
  return kind?.makes?.(service, controller, objects);
}

export function neededToMake(owner: ILoadBalancerController | ControllerDefinition): string {
  const kind = 'bind' in owner ? definitionOf(owner) : owner;
  return `needs ${kind?.madeWith ?? `what ${owner.name} makes of it, which is not known here`}`;
}

/** The annotation that would turn the health check of nodes on, if a Service has none. */
export function missingHealthCheckOf(service: Json, kind: ControllerDefinition | undefined): AnyAnnotation | undefined {
  const entry = kind?.catalogue.annotations.find(({ fact }) => fact.healthCheckSwitch);
  const isOn = entry?.on(annotationsOf(service)) ?? entry?.fact.default === 'true';
  return isOn === true ? undefined : entry;
}

/**
 * Models of a finished Service with another traffic policy, and with pods as targets.
 * @param owner the controller as it is installed, or its kind where nothing else is known
 */
export function alternativesOf(service: Json, owner: ILoadBalancerController | ControllerDefinition) {
  const made = balancerModelOf(service, owner);
  const kind = 'bind' in owner ? definitionOf(owner) : owner;
  const withPolicy = (policy: TrafficPolicy) =>
    balancerModelOf({ ...service, spec: { ...service.spec, externalTrafficPolicy: policy } }, owner);
  const toPods = kind?.withPodTargets?.(service);
  const ip = toPods && balancerModelOf(toPods, owner);
  const alternatives = {
    ip: ip?.target === BalancerTarget.POD ? ip : { cannot: `${owner.name} has no pods as targets` },
  };
  if (made?.target === BalancerTarget.POD) {
    return alternatives;
  }
  const local = withPolicy(TrafficPolicy.LOCAL);
  return { ...alternatives, local, cluster: withPolicy(TrafficPolicy.CLUSTER), pinned: local };
}

import type { Json } from '../contract/json';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import type { MadeBalancer } from '../contract/made-balancer';
import type { NodePool } from '../contract/node-pool';
import type { OwnershipState } from '../controllers/load-balancer-owner';
import type { ReportedService } from '../later/later';
import type { KeptServices } from '../policies/policy-options';
import type { ControllerDefinition } from '../rules/controller-definition';
import type { Manifest } from '../rules/manifest-objects';
import type { DiffOptions } from './diff-options';

/** A load balanced Service of one side, or one that an operator makes of an object of it. */
export interface SideBalancer {
  /** `namespace/name` of the Service: the same on both sides where it is the same balancer. */
  readonly id: string;
  /** For people: the same, or what makes it: `kafka/events, listener 'external', broker 3`. */
  readonly title: string;
  /** The Service with fields of the right types alone. */
  readonly service: Json;
  /** Where it is written, or what makes it. */
  readonly written: ReportedService;
  /** The name of its owner; nothing where it is not known. */
  readonly owner?: string;
  /** The name of an owner without rules here, of which nothing more is known. */
  readonly otherOwner?: string;
  /** Its owner as it is installed, or its kind. */
  readonly controller?: ILoadBalancerController | ControllerDefinition;
  /** Whether the owner is a guess, and why. */
  readonly guess?: string;
  /** Why there is no owner, or what must be known to name one: `needs controllers in load-balancers.yaml`. */
  readonly unowned?: string;
  /** Whether its owner is known; with all controllers known and none that claims it, it has no balancer. */
  readonly ownership?: OwnershipState;
  readonly made?: MadeBalancer;
  /** Whether it is no balancer, and gives targets to one that is made elsewhere, and paid for there. */
  readonly isBinding?: true;
}

/** What installs a controller: its workload, or the release of a chart. */
export interface Install {
  readonly controller: string;
  readonly manifest: Manifest;
  /** Objects that it names: its configuration and its account. */
  readonly beside?: readonly InstallInput[];
}

/** An object beside an installation. */
export interface InstallInput {
  readonly manifest: Manifest;
  /** What of it decides. */
  readonly value: unknown;
}

/** One side of a difference: what is applied, or will be. */
export interface Side {
  /** How messages call it: `main`, `k8s/`, `the live cluster`. */
  readonly name: string;
  /** All objects, the Services and what they are made of among them. */
  readonly manifests: readonly Manifest[];
  readonly balancers: readonly SideBalancer[];
  /** Whether this is what the cluster has, with finalizers and status as controllers left them. */
  readonly isLive?: boolean;
  /** The names of all controllers that run; nothing where it is not known. */
  readonly controllers?: readonly string[];
  /** The Services whose finalizers and classes a LoadBalancerKeeper keeps. */
  readonly keeper?: KeptServices;
  /** The node pools of the cluster; nothing where they are not known. */
  readonly nodePools?: readonly NodePool[];
  /** What installs controllers, as far as it is among the objects. */
  readonly installs?: readonly Install[];
  /** Versions of what runs in the cluster, by name: of Kubernetes, of controllers and operators; what is not known is left out. */
  readonly versions?: Readonly<Record<string, string>>;
  /** What is not in it and why, a sentence each: documents that cannot be read, balancers whose number is not known. */
  readonly gaps: readonly string[];
}

/** What is compared, and how the newer side is applied. */
export interface Sides {
  readonly before: Side;
  readonly after: Side;
  readonly options: DiffOptions;
}

import type { Json } from '../../contract/json';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { ILoadBalancerController } from '../../contract/load-balancer-controller';
import type { NodePool } from '../../contract/node-pool';
import type { Outcome } from '../../contract/outcome';
import type { SchemaField } from '../../contract/schema/field';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import type { KeptServices } from '../../policies/policy-options';
import type { Acceptance, KnownContext, Place } from '../check-report';

/** A key of the context file. */
export interface ContextField extends SchemaField {
  /** What it is, for editors. */
  readonly says: string;
  /** A value as one writes it. */
  readonly example: string;
  /** Whether it is a version: YAML reads `1.30` as the number 1.3. */
  readonly isVersion?: true;
  /** The fields of each entry of a list, or of a map whose keys are names. */
  readonly entries?: ContextFields;
  /** The fields of a map. */
  readonly within?: ContextFields;
  /** What the keys of a map of numbers match. */
  readonly amounts?: RegExp;
  /** Whether each entry is a controller: its name, or a map with its name and options. */
  readonly ofControllers?: true;
}

export type ContextFields = Readonly<Record<string, ContextField>>;

/** A controller as it runs in a cluster. */
export interface InstalledController {
  readonly name: string;
  /** Its options by the keys of the context file; versions are texts. */
  readonly options: Readonly<Json>;
}

/** A finding that somebody accepted: of one rule, at one object or at all. */
export interface AcceptedFinding extends Acceptance {
  /** True if it is accepted in all clusters of the file. */
  readonly isForAll?: true;
  readonly rule: string;
  /** `namespace/name`, or `Kind namespace/name`; without it, the finding is accepted at every object. */
  readonly object?: string;
  /** Where the context file has it. */
  readonly place: Place;
}

/** What a change does to a balancer, where somebody accepted it. */
export interface AcceptedLoss extends Acceptance {
  /** True if it is accepted in all clusters. */
  readonly isForAll?: true;
  readonly outcome: Outcome;
  /** `namespace/name`, or `Kind namespace/name`: the Service, or what it is made of. */
  readonly object: string;
  /** Where the context file has it; nowhere where the command line has it. */
  readonly place?: Place;
}

/** What the balancers of the set may cost and use. */
export interface WrittenBudget {
  readonly maxMonthlyCost?: Readonly<Record<string, number>>;
  readonly maxQuotaPercent?: number;
  readonly zones?: number;
  readonly gbPerMonth?: number;
  readonly connections?: number;
  readonly quotas?: Readonly<Record<string, number>>;
  /** Where the context file has it. */
  readonly place: Place;
  /** Where it has each limit. */
  readonly places: Readonly<Record<string, Place>>;
}

/** Controllers that the command line names. */
export type ControllersNamed = Pick<CheckContext, 'controllers' | 'installed'>;

/** What is known of the cluster that some manifests are applied to; what is left out is unknown. */
export interface CheckContext {
  /** What is known, and from where, for the first lines of the output. */
  readonly known: readonly KnownContext[];
  /** All controllers that run in the cluster. */
  readonly controllers?: readonly ILoadBalancerController[];
  /** The same as they are written, with their options. */
  readonly installed?: readonly InstalledController[];
  /** Versions that are named beside the files, of controllers and of what they run on, by name. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Whether the controllers are a guess: errors that rest on it are warnings. */
  readonly areControllersInferred?: boolean;
  readonly kubernetes?: KubernetesVersion;
  readonly strimzi?: StrimziVersion;
  /** Whether the version of Strimzi is a guess. */
  readonly isStrimziInferred?: boolean;
  /** Whether Strimzi is older than all versions that are known here; its version is unset then. */
  readonly isStrimziOlder?: boolean;
  /** The Services whose finalizers and classes a LoadBalancerKeeper keeps. */
  readonly keeper?: KeptServices;
  /** Node pools by name. */
  readonly nodePools?: Readonly<Record<string, NodePool>>;
  readonly region?: string;
  /** Whether the region is a guess: errors that rest on it are warnings. */
  readonly isRegionInferred?: boolean;
  /** Namespaces of the platform, whose objects tenants do not write. */
  readonly platformNamespaces?: readonly string[];
  readonly accepted: readonly AcceptedFinding[];
  readonly acceptedLosses?: readonly AcceptedLoss[];
  readonly budget?: WrittenBudget;
}

/** Nothing is known. */
export const NO_CONTEXT: CheckContext = { known: [], accepted: [] };

/** A chart as the context file has it. */
export interface HelmSource {
  /** The folder of the chart, from the folder of the file. */
  readonly chart: string;
  readonly release?: string;
  readonly namespace?: string;
  readonly values?: readonly string[];
}

/** A source of a cluster as the context file has it; paths are from the folder of the file. */
export type WrittenSource = { readonly place: Place } & (
  | HelmSource
  | { readonly kustomize: string }
  | { readonly files: readonly string[] }
);

/** A cluster as the context file has it. */
export interface WrittenCluster {
  readonly name: string;
  readonly context: CheckContext;
  readonly sources: readonly WrittenSource[];
}

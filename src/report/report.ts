import type { Json } from '../contract/json';
import type { MadeBalancer } from '../contract/made-balancer';
import type { Bill } from '../cost/bill';
import type { QuotaUse, QuotaUses } from '../cost/quota-use';
import type { Sharing } from '../cost/sharing';
import type { Unknown } from '../traffic/fraction';
import type { Path } from '../traffic/path';
import type { Alternative, Cannot, Loss, Variant } from '../traffic/what-if';

/** A balancer that is reported, before anything is computed of it: a Service, or what an operator will make one for. */
export interface ReportedService {
  /** The finished Service, or the one that an operator will write. */
  readonly service: Json;
  readonly namespace: string;
  readonly name: string;
  /** Who owns it, in words: `aws-load-balancer-controller`, `unknown`. */
  readonly owner: string;
  /** Whether the owner is a guess: another controller might own it. */
  readonly isGuess?: boolean;
  /** What it makes; unset where that is unknown, with the reason. */
  readonly made?: MadeBalancer;
  /** Why it is not known what is made, or where its packets go: `needs …`. */
  readonly unknown?: string;
  /** What makes the Service: `Kafka kafka/events, listener external`. */
  readonly madeBy?: string;
  readonly tenant?: string;
  /** The finished workloads that it selects, where they are known. */
  readonly workloads: readonly Json[];
  /** Where it stands: `k8s/edge.yaml:12`, or the path of its construct. */
  readonly place: string;
}

/** The path of the packets of Services that have the same: one row of a report. */
export interface ReportedPath {
  readonly services: readonly string[];
  readonly owner?: string;
  /** What is made of them, for people: `Network Load Balancer, internet-facing`. */
  readonly balancer: string;
  /** The traffic policy and what the targets are: `Cluster, targets are nodes`. */
  readonly policy?: string;
  readonly path: Path | Unknown;
  /** What of the path holds on any nodes, where the nodes and so the shares are not known. */
  readonly onAnyNodes?: { readonly path: string; readonly clients: string };
  readonly words: string;
  readonly alternatives: readonly (Alternative | (Cannot & { readonly variant: Variant }))[];
  readonly alternativeWords?: readonly string[];
  readonly lossOfNode?: Loss | Unknown;
  readonly lossOfZone?: Loss | Unknown;
}

/** The balancers of one owner: one row of the table that a report begins with. */
export interface ReportedOwner {
  readonly owner: string;
  readonly isGuess: boolean;
  /** How many balancers are made; of those that nothing is known of, how many Services there are. */
  readonly balancers: number;
  /** The quota that is met first; unset where no use is known. */
  readonly quota?: QuotaUse;
  /** `USD 164.25`, with `at least` where a term is missing, or why it is not known. */
  readonly amount: string;
  /** `6 × (0.0225 × 730 h + 3 zones × 3.65 public IPv4)`; unset where nothing is billed. */
  readonly terms?: string;
}

/** A mistake in the manifests, or something that surprises. */
export interface ReportedFinding {
  readonly level: 'error' | 'warning';
  readonly ruleId: string;
  readonly object: string;
  readonly what: string;
  readonly remedy: string;
  readonly place: string;
}

/** Everything that a report says, as data: what is printed adds nothing but words. */
export interface Report {
  readonly balancers: readonly ReportedService[];
  readonly owners: readonly ReportedOwner[];
  readonly paths: readonly ReportedPath[];
  readonly bill: Bill;
  /** The month of the newest price: `2026-11`; unset where the tables have no price for what is made. */
  readonly pricesOf?: string;
  readonly quotas: QuotaUses;
  readonly sharing: Sharing;
  /** Errors, then warnings; unset if the manifests were not checked. */
  readonly findings?: readonly ReportedFinding[];
  readonly assumptions: readonly string[];
  /** What must be known for more: `needs …`, each once. */
  readonly needs: readonly string[];
  /** What is not in the figures, and what to look at, each once. */
  readonly notes: readonly string[];
}

/** What is needed, without its details, which the list of needs has. */
export function withoutDetails(need: string): string {
  return need.split(':')[0];
}

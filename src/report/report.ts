import type { Json } from '../contract/json';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import type { MadeBalancer } from '../contract/made-balancer';
import type { Bill } from '../cost/bill';
import type { QuotaUse, QuotaUses } from '../cost/quota-use';
import type { Sharing } from '../cost/sharing';
import type { ControllerDefinition } from '../rules/controller-definition';
import type { Unknown } from '../traffic/fraction';
import type { Path } from '../traffic/path';
import type { Alternative, Cannot, Loss, Variant } from '../traffic/what-if';
import type { LoadBalancerFigures } from './load-balancer-figures';

export interface ReportedService {
  readonly service: Json;
  readonly namespace: string;
  readonly name: string;
  readonly owner: string;
  readonly isGuess?: boolean;
  readonly made?: MadeBalancer;
  /** Why it is not known what is made, or where its packets go: `needs …`. */
  readonly unknown?: string;
  /** What makes the Service: `Kafka kafka/events, listener external`. */
  readonly madeBy?: string;
  readonly tenant?: string;
  readonly workloads: readonly Json[];
  /** Where it stands: `k8s/edge.yaml:12`, or the path of its construct. */
  readonly place: string;
}

export interface ReportedPath {
  readonly services: readonly string[];
  readonly owner?: string;
  readonly balancer: string;
  readonly policy?: string;
  readonly path: Path | Unknown;
  readonly onAnyNodes?: { readonly path: string; readonly clients: string };
  readonly words: string;
  readonly alternatives: readonly (Alternative | (Cannot & { readonly variant: Variant }))[];
  readonly alternativeWords?: readonly string[];
  readonly lossOfNode?: Loss | Unknown;
  readonly lossOfZone?: Loss | Unknown;
}

export interface ReportedOwner {
  readonly owner: string;
  readonly isGuess: boolean;
  /** How many balancers are made; of those that nothing is known of, how many Services there are. */
  readonly balancers: number;
  readonly quota?: QuotaUse;
  /** `USD 164.25`, with `at least` where a term is missing, or why it is not known. */
  readonly amount: string;
  /** `6 × (0.0225 × 730 h + 3 zones × 3.65 public IPv4)`; unset where nothing is billed. */
  readonly terms?: string;
}

export interface ReportedFinding extends Readonly<Record<'ruleId' | 'object' | 'what' | 'remedy' | 'place', string>> {
  readonly level: 'error' | 'warning';
}

export interface Report {
  readonly balancers: readonly ReportedService[];
  readonly owners: readonly ReportedOwner[];
  readonly paths: readonly ReportedPath[];
  readonly bill: Bill;
  readonly pricesOf?: string;
  readonly quotas: QuotaUses;
  readonly sharing: Sharing;
  /** Errors, then warnings; unset if the manifests were not checked. */
  readonly findings?: readonly ReportedFinding[];
  readonly assumptions: readonly string[];
  readonly needs: readonly string[];
  readonly notes: readonly string[];
}

export function withoutDetails(need: string): string {
  return need.split(':')[0];
}

export interface ReportOptions extends Omit<LoadBalancerFigures, 'clusterObjects'> {
  readonly objects?: readonly unknown[];
  readonly zonesOfPools?: readonly string[];
  /** Of these, the gigabytes that clients on the internet receive. */
  readonly gbOutPerMonth?: number;
  readonly variants?: readonly Variant[];
  readonly today?: string;
  readonly assumptions?: readonly string[];
  readonly notes?: readonly string[];
  readonly needs?: readonly string[];
}

export interface BalancerToReport extends ReportedService {
  readonly controller?: ILoadBalancerController | ControllerDefinition;
}

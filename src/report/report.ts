import type { Json } from '../contract/json';
import type { MadeBalancer } from '../contract/made-balancer';
import type { Bill } from '../cost/bill';
import type { QuotaUses } from '../cost/quota-use';
import type { Sharing } from '../cost/sharing';
import type { Unknown } from '../traffic/figure';
import type { GrowthOfService } from '../traffic/growth';
import type { Loss } from '../traffic/loss';
import type { Path } from '../traffic/path';
import type { Alternative, Cannot, Variant } from '../traffic/what-if';

/** A balancer that is reported, before anything is computed of it: a Service, or what an operator will make one for. */
export interface ReportedService {
  /** The finished Service, or the one that an operator will write. */
  readonly service: Json;
  readonly namespace: string;
  readonly name: string;
  /** Who owns it, in words: `aws-load-balancer-controller`, `unknown`. */
  readonly owner: string;
  /** What it makes; unset where that is unknown, with the reason. */
  readonly made?: MadeBalancer;
  /** Why it is not known what is made: `needs …`. */
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
  /** The Services, `namespace/name`, in order. */
  readonly services: readonly string[];
  /** What is made of them, for people: `Network Load Balancer, internet-facing`. */
  readonly balancer: string;
  readonly path: Path | Unknown;
  /** The line in words. */
  readonly words: string;
  readonly alternatives: readonly (Alternative | (Cannot & { readonly variant: Variant }))[];
  /** The worst loss of a node, and of a zone. */
  readonly lossOfNode?: Loss | Unknown;
  readonly lossOfZone?: Loss | Unknown;
  readonly growth?: GrowthOfService | Unknown;
}

/** Everything that a report says, as data: what is printed adds nothing but words. */
export interface Report {
  readonly balancers: readonly ReportedService[];
  readonly paths: readonly ReportedPath[];
  readonly bill: Bill;
  readonly quotas: QuotaUses;
  readonly sharing: Sharing;
  /** What was taken for granted, each once. */
  readonly assumptions: readonly string[];
  /** What must be known for more: `needs …`, each once. */
  readonly needs: readonly string[];
}

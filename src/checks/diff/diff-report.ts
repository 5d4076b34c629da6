import type { Citation } from '../../contract/kubernetes.facts';
import type { Outcome } from '../../contract/outcome';
import type { Acceptance, KnownContext, Place, UnreadableDocument } from '../check-report';

/** Where something is written, by side. */
export interface PlaceOnSide extends Place {
  /** How people call it: of a revision, its name is before the file. */
  readonly shown: string;
}

/** Why a change is what it is, as it is reported. */
export interface ReportedCause {
  readonly outcome: Outcome;
  readonly field: string;
  readonly from?: string;
  readonly to?: string;
  readonly why: string;
  /** When it happens at all, if that is not known. */
  readonly condition?: string;
  readonly whom?: string;
  readonly lasts?: string;
  readonly remedy?: string;
  /** Whether the edit has no effect on the live balancer. */
  readonly notApplied?: true;
  /** What has to be done before the change is applied. */
  readonly first?: string;
  readonly source?: Citation;
  /** The name of a trace that `explain` prints. */
  readonly trace?: string;
  readonly needs?: readonly string[];
  /** Where it is written on the older side. */
  readonly before?: PlaceOnSide;
  /** Where it is written on the newer side. */
  readonly after?: PlaceOnSide;
  readonly accepted?: Acceptance;
}

/** A balancer as one side has it. */
export interface ReportedBalancer {
  readonly id: string;
  readonly owner?: string;
  /** Whether the owner is a guess, and why. */
  readonly guess?: string;
  /** The product: `Network Load Balancer`. */
  readonly product?: string;
  /** What it is made of, where it is in no file itself. */
  readonly madeBy?: string;
  /** The object that it is made of: `Kafka kafka/events`. */
  readonly maker?: string;
  readonly place: PlaceOnSide;
}

/** What becomes of one balancer. */
export interface ReportedChange {
  readonly outcome: Outcome;
  readonly title: string;
  readonly before?: ReportedBalancer;
  readonly after?: ReportedBalancer;
  /** The id of the one that takes its place, and of the one whose place it takes. */
  readonly movedTo?: string;
  readonly movedFrom?: string;
  /** Worst first. */
  readonly causes: readonly ReportedCause[];
}

/** What has to be done before the change is applied. */
export interface ReportedStep {
  readonly step: string;
  /** What changes: `strimzi 0.49.1 -> 1.2.0`. */
  readonly of: string;
  /** The balancers that it is for, as they are called. */
  readonly balancers: readonly string[];
}

/** A side, for people. */
export interface ReportedSide {
  readonly name: string;
  readonly isLive: boolean;
  readonly objects: number;
  readonly balancers: number;
}

/** What both sides cost a month by list price. */
export interface ReportedMoney {
  /** `+$42.34 a month`, or what is known of it. */
  readonly brief: string;
  /** `USD 164.25 -> USD 27.38: - 5 × (…)`. */
  readonly text: string;
  readonly isKnown: boolean;
  /** What is not counted and why, a clause each. */
  readonly unknown: readonly string[];
}

/** Everything that a difference says: what is printed adds nothing but words. */
export interface DiffReport {
  readonly before: ReportedSide;
  readonly after: ReportedSide;
  readonly context: readonly KnownContext[];
  /** Worst first. */
  readonly changes: readonly ReportedChange[];
  /** What has to be done first, each step once. */
  readonly steps: readonly ReportedStep[];
  readonly unreadable: readonly (UnreadableDocument & { readonly side: 'before' | 'after' })[];
  /** What is not compared and why, a sentence each. */
  readonly notes: readonly string[];
  /** Notes that hold only if they hold in all clusters. */
  readonly idleForAll: readonly string[];
  /** Whether a note tells of load balancers that may be made, and that are not compared. */
  readonly mayHaveMore?: boolean;
  readonly money?: ReportedMoney;
}

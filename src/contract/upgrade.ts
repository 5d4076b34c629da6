import type { Json } from './json';
import type { Citation, Confidence } from './kubernetes.facts';
import type { Outcome } from './outcome';

/** What another version does to a live balancer. */
export interface UpgradeEffect {
  readonly outcome: Outcome;
  readonly notApplied?: true;
  /** What happens, in one short clause. */
  readonly what: string;
  /** What has to be done before it. */
  readonly first?: string;
}

/** A live balancer, as far as versions matter to it. */
export interface UpgradedBalancer {
  /** The finished Service. */
  readonly service: Json;
  /** What an operator makes it of. */
  readonly maker?: Json;
  /** The finalizers that its owner adds and removes; none where the owner is not known. */
  readonly finalizers: readonly string[];
  /** The version afterwards. */
  readonly to: string;
  /** Versions of what runs afterwards, by name, as far as they are known. */
  readonly versions: Readonly<Record<string, string>>;
  /** What is beside it afterwards: all objects that are no Services. */
  readonly beside: readonly Json[];
}

/** What a version changed. */
export interface UpgradeFact {
  /** What it is the version of, where that is not who has the fact. */
  readonly product?: string;
  /** The first version that is so; without it, every other version. */
  readonly since?: string;
  /** Whether a balancer is concerned; without it, each one is. */
  concerns?(balancer: UpgradedBalancer): boolean;
  /** What becomes of it with an upgrade to that version or past it. */
  readonly up?: UpgradeEffect;
  /** What becomes of it with a downgrade to before that version. */
  readonly down?: UpgradeEffect;
  readonly source: Citation;
  readonly confidence: Confidence;
}

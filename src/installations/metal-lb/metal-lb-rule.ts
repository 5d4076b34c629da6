import type { Citation } from '../../contract/kubernetes.facts';
import type { Json } from '../../contract/late-rendering';
import type { Verdict } from '../../rules/rule';

/** Another object of MetalLB in the app. */
export interface MetalLbNeighbour {
  readonly path: string;
  readonly json: Json;
  /** Whether it was made before the one that is judged: of two that do not fit the second is wrong. */
  readonly isEarlier: boolean;
  /** Whether it stands in the chart of the one that is judged: what does not is perhaps of another cluster. */
  readonly isInSameChart: boolean;
}

/** Judges a finished object of MetalLB. */
export interface MetalLbRule {
  readonly id: string;
  readonly severity: 'error' | 'warning';
  /** The kinds that it judges. */
  readonly kinds: readonly string[];
  /** The rule as a sentence. */
  readonly says: string;
  readonly source: Citation;
  /** Nothing where the rule is kept or does not apply. */
  judge(json: Json, neighbours: readonly MetalLbNeighbour[]): Verdict | readonly Verdict[] | undefined;
}

/** A list in a finished object. */
export function listIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** What stands twice in a list. */
export function twiceIn(values: readonly unknown[]): string | undefined {
  const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return texts.find((text, i) => texts.indexOf(text) !== i);
}

/** Whether a value is a whole number of a range. */
export function isWhole(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

import { findingsIn } from '../../contract/finding';
import type { Json } from '../../contract/json';
import type { RuleOf } from '../../contract/rule-of';
import type { MetalLbMode } from '../../controllers/metal-lb/annotations';

/** Another object of MetalLB in the app. */
export interface MetalLbNeighbour {
  readonly path: string;
  readonly json: Json;
  /** Whether it was made before the one that is judged: of two that do not fit the second is wrong. */
  readonly isEarlier: boolean;
  /** Whether it stands in the chart of the one that is judged: what does not is perhaps of another cluster. */
  readonly isInSameChart: boolean;
  /** Whether its chart and that of the one that is judged hold an object of one name: they are for different clusters. */
  readonly isApart: boolean;
}

/** What else of the app is about a pool. */
export interface MetalLbUse {
  /** The finished Services of the app that are for MetalLB. */
  readonly services: readonly Json[];
  /** The modes that controllers were made in for the pool that is judged. */
  readonly modes: readonly MetalLbMode[];
}

/** Judges a finished object of MetalLB. */
export interface MetalLbRule extends RuleOf<[json: Json, neighbours: readonly MetalLbNeighbour[], use: MetalLbUse]> {
  /** The kinds that it judges. */
  readonly kinds: readonly string[];
  /** The neighbours that it is told: those of the chart, of all charts that may be of the cluster, or of the app. */
  readonly reach: 'chart' | 'cluster' | 'app';
}

/** The neighbours that a rule is told. */
export function within(
  reach: MetalLbRule['reach'],
  neighbours: readonly MetalLbNeighbour[],
): readonly MetalLbNeighbour[] {
  return neighbours.filter(
    ({ isApart, isInSameChart }) => reach === 'app' || isInSameChart || (reach === 'cluster' && !isApart),
  );
}

/** The same rule for objects of different charts: nobody knows whether these are applied to one cluster. */
export function acrossCharts(rule: MetalLbRule): MetalLbRule {
  const verdictsOf = (...seen: Parameters<MetalLbRule['judge']>) => findingsIn(rule.judge(...seen));
  return {
    ...rule,
    id: `${rule.id}-in-app`,
    severity: 'warning',
    reach: 'cluster',
    says: `The same for objects in different charts, where these are for one cluster: ${rule.says}`,
    judge(json, neighbours, use) {
      const elsewhere = neighbours.filter(({ isInSameChart }) => !isInSameChart);
      const alone = new Set(verdictsOf(json, [], use).map(({ what }) => what));
      return verdictsOf(json, elsewhere, use)
        .filter(({ what }) => !alone.has(what))
        .map(({ remedy, ...verdict }) => ({
          ...verdict,
          remedy: `${remedy}, or acknowledge it where the charts are applied to different clusters of Kubernetes`,
        }));
    },
  };
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

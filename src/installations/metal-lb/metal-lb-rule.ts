import { findingsIn } from '../../contract/finding';
import type { Json } from '../../contract/json';
import { METALLB_ADVERTISEMENTS, type MetalLbMode } from '../../controllers/metal-lb/facts';
import type { Rule } from '../../rules/rule';

/** Another object of MetalLB in the app. */
export interface MetalLbNeighbour {
  readonly path: string;
  readonly json: Json;
  /** Whether it was made before the one that is validated: of two that do not fit, the second is reported. */
  readonly isEarlier: boolean;
  /** Whether it is in the chart of the one that is validated; an object of another chart may be for another cluster. */
  readonly isInSameChart: boolean;
  /** Whether its chart and that of the one that is validated hold an object of one name: they are for different clusters. */
  readonly isApart: boolean;
}

/** What is known beside a finished object of MetalLB. */
export interface MetalLbContext {
  /** The other objects of MetalLB in its chart. */
  readonly inChart: readonly MetalLbNeighbour[];
  /** Those of all charts that may be for the same cluster. */
  readonly inCluster: readonly MetalLbNeighbour[];
  /** Those of the app. */
  readonly inApp: readonly MetalLbNeighbour[];
  /** The finished Services of the app that are for MetalLB. */
  readonly services: readonly Json[];
  /** The modes that controllers were made in for a pool. */
  readonly modes: readonly MetalLbMode[];
  /** The namespaces in which MetalLB is known to run. */
  readonly namespaces: readonly string[];
}

/** The same rule for objects of different charts, which may be for one cluster or for several. */
export function acrossCharts(rule: Rule<MetalLbContext>): Rule<MetalLbContext> {
  return {
    ...rule,
    id: `${rule.id}-in-app`,
    severity: 'warning',
    says: `the same for objects in different charts, where these are for one cluster: ${rule.says}`,
    judge(json, context) {
      const found = (inChart: readonly MetalLbNeighbour[]) => findingsIn(rule.judge(json, { ...context, inChart }));
      const alone = new Set(found([]).map(({ what }) => what));
      return found(context.inCluster.filter(({ isInSameChart }) => !isInSameChart))
        .filter(({ what }) => !alone.has(what))
        .map(({ remedy, ...finding }) => ({
          ...finding,
          remedy: `${remedy}, or acknowledge it where the charts are applied to different clusters of Kubernetes`,
        }));
    },
  };
}

/** A list in a finished object. */
export function listIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** A value that a list has twice. */
export function twiceIn(values: readonly unknown[]): string | undefined {
  const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return texts.find((text, i) => texts.indexOf(text) !== i);
}

/** Whether an object announces a pool, as far as can be known: labels of pools are not looked into. */
export function announcesPool({ kind, metadata = {}, spec = {} }: Json, pool: Json): boolean {
  return (
    Object.values(METALLB_ADVERTISEMENTS).includes(kind) &&
    metadata.namespace === pool.metadata?.namespace &&
    (spec.ipAddressPoolSelectors?.length > 0 ||
      !(spec.ipAddressPools?.length > 0) ||
      spec.ipAddressPools.includes(pool.metadata?.name))
  );
}

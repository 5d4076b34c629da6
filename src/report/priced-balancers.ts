import { type Json, mapIn, mapsIn } from '../contract/json';
import type { BilledBalancer } from '../cost/balancers';
import type { BillOptions } from '../cost/charges';
import { isUnknown } from '../traffic/fraction';
import { crossingsOf } from '../traffic/shares';
import type { ReportedCluster } from './cluster';
import type { PathGroup } from './paths';
import type { ReportOptions } from './report-options';

/** Balancers as a bill and quotas count them, and what both are computed with. */
export interface PricedBalancers {
  readonly billed: readonly BilledBalancer[];
  readonly options: BillOptions & Pick<ReportOptions, 'quotas'>;
  /** What was taken for granted of the zones, where a balancer is in as many as there are. */
  readonly assumedZones: readonly string[];
}

/** Balancers whose packets have the same way, or of which no way is known. */
interface PricedGroup {
  readonly members: PathGroup['members'];
  readonly row: Pick<PathGroup['row'], 'path'>;
}

export function pricedBalancers(
  groups: readonly PricedGroup[],
  cluster: ReportedCluster,
  options: ReportOptions,
): PricedBalancers {
  const { region, gbPerMonth, gbOutPerMonth, connections, quotas, prices } = options;
  const { zones, assumedZones } = zonesFor(cluster, options);
  return {
    billed: groups.flatMap(billedIn),
    options: { zones, region, gbPerMonth, gbOutPerMonth, active: connections, quotas, prices },
    assumedZones,
  };
}

function zonesFor(
  cluster: ReportedCluster,
  { zones, zonesOfPools = [] }: ReportOptions,
): { readonly zones?: number; readonly assumedZones: readonly string[] } {
  if (zones !== undefined) {
    return { zones, assumedZones: [] };
  }
  const [known, of] = cluster.zones.length > 0 ? [cluster.zones, 'nodes'] : [zonesOfPools, 'node pools'];
  return known.length > 0
    ? {
        zones: known.length,
        assumedZones: [
          `a balancer is in the ${known.length} zone${known.length === 1 ? '' : 's'} of the ${of}, unless its Service names its own`,
        ],
      }
    : { assumedZones: [] };
}

function billedIn({ members, row: { path } }: PricedGroup): BilledBalancer[] {
  const targets = isUnknown(path) ? undefined : path.shares.targets.filter(({ state }) => state !== 'left out').length;
  const crossings = isUnknown(path) ? undefined : crossingsOf(path.shares);
  const zoneCrossings = crossings && !isUnknown(crossings) ? crossings.value : undefined;
  return members.flatMap(({ made, owner, namespace, name, tenant, service }) =>
    made
      ? {
          made,
          owner,
          namespace,
          name,
          ports: listenersIn(service),
          ...(tenant === undefined ? {} : { tenant }),
          ...(targets === undefined ? {} : { targets }),
          ...(zoneCrossings === undefined ? {} : { zoneCrossings }),
        }
      : [],
  );
}

/** The ports of a Service as listeners: `443/TCP`. */
export function listenersIn(service: Json): string[] {
  return mapsIn(mapIn(service, 'spec'), 'ports')
    .filter(({ port }) => Number.isInteger(port))
    .map(({ port, protocol }) => `${port}/${typeof protocol === 'string' ? protocol : 'TCP'}`);
}

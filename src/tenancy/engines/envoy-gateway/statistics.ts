import type { KnownTenants, Reading, Sample, StatisticsReader, TrafficCounter } from '../contract/publishing';
import { ENVOY_PORT_SHIFT, ENVOY_STATISTICS } from './facts';

interface EnvoyCounters {
  readonly clusters: Readonly<Record<string, TrafficCounter | undefined>>;
  readonly listeners: Readonly<Record<string, { readonly counted: TrafficCounter; readonly label: string }>>;
  readonly clusterName: RegExp;
  readonly listenerName: RegExp;
}

const { clusters, listeners, clusterName, listenerName }: EnvoyCounters = ENVOY_STATISTICS;

/** Bytes and connections by the names of clusters, which are those of routes; what is refused by the ports of listeners. */
export const ENVOY_READER: StatisticsReader = {
  port: ENVOY_STATISTICS.port,
  path: ENVOY_STATISTICS.path,
  read: (samples, tenants) =>
    samples.flatMap((sample) => {
      const ofCluster = clusters[sample.name];
      const ofListener = listeners[sample.name];
      return [
        ...(ofCluster ? readCluster(sample, ofCluster, tenants) : []),
        ...(ofListener ? readListener(sample, ofListener, tenants) : []),
      ];
    }),
};

function readCluster({ labels, value, name }: Sample, counted: TrafficCounter, tenants: KnownTenants): Reading[] {
  const [, tenant] = clusterName.exec(labels[ENVOY_STATISTICS.clusterLabel] ?? '') ?? [];
  return tenant !== undefined && tenants.isTenant(tenant)
    ? [{ tenant, counted, value, of: `${name} ${labels[ENVOY_STATISTICS.clusterLabel]}` }]
    : [];
}

function readListener(
  { labels, value, name }: Sample,
  { counted, label }: (typeof listeners)[string],
  tenants: KnownTenants,
): Reading[] {
  const podPort = Number(listenerName.exec(labels[label] ?? '')?.[1]);
  const { below, by } = ENVOY_PORT_SHIFT;
  // a low port is bound higher up, and none that is bound there itself is published beside it
  const port = [podPort, podPort - by].find((one, i) => (i === 0 || one < below) && tenants.ownerOf(one) !== undefined);
  const owner = port === undefined ? undefined : tenants.ownerOf(port);
  return owner ? [{ ...owner, counted, value, port, of: `${name} ${labels[label]}` }] : [];
}

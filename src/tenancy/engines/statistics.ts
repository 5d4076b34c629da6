import type { StatisticsReader } from './contract/publishing';
import { ENVOY_READER } from './envoy-gateway/statistics';
import { HAPROXY_READER } from './haproxy/statistics';

/** Readers of proxies by the name that an engine says; an engine that is not here has no proxies that count tenants. */
export const STATISTICS_READERS = new Map<string | undefined, StatisticsReader>([
  ['envoy-gateway', ENVOY_READER],
  ['haproxy', HAPROXY_READER],
]);

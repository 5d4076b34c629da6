import type { StatisticsReader } from './contract/statistics';
import { ENVOY_READER } from './envoy-gateway/statistics';
import { HAPROXY_READER } from './haproxy/statistics';

/** How proxies are read at run time, by the name that an engine says; who is not here has no proxies that count tenants. */
export const STATISTICS_READERS: Readonly<Record<string, StatisticsReader>> = {
  'envoy-gateway': ENVOY_READER,
  haproxy: HAPROXY_READER,
};

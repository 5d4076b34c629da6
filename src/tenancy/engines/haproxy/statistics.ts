import type { StatisticsReader, TrafficCounter } from '../contract/publishing';
import { HAPROXY_STATISTICS } from './facts';

interface HaproxyCounters {
  readonly frontends: Readonly<Record<string, TrafficCounter | undefined>>;
  readonly denied: readonly string[];
  readonly label: string;
  readonly frontendName: RegExp;
}

const { frontends, denied, label, frontendName }: HaproxyCounters = HAPROXY_STATISTICS;

export const HAPROXY_READER: StatisticsReader = {
  port: HAPROXY_STATISTICS.port,
  path: HAPROXY_STATISTICS.path,
  read: (samples, tenants) =>
    samples.flatMap(({ name, labels, value }) => {
      const [, tenant, service] = frontendName.exec(labels[label] ?? '') ?? [];
      if (tenant === undefined || !tenants.isTenant(tenant)) {
        return [];
      }
      const of = `${name} ${labels[label]}`;
      // HAProxy has one counter for all that its rules refuse
      const counted = denied.includes(name)
        ? tenants.isLimitedAlone(tenant)
          ? 'limited'
          : 'refused'
        : frontends[name];
      return counted ? [{ tenant, service, counted, value, of }] : [];
    }),
};

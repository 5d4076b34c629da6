import type { Json } from '../contract/json';
import type { MadeBalancer } from '../contract/made-balancer';
import { titleOf } from './cluster';
import type { Report, ReportedService } from './report';

/** A report for programs: all figures with their terms, and of each balancer what is made, not the whole manifest. */
export function reportJson(report: Report): string {
  const { balancers, ...figures } = report;
  return `${JSON.stringify({ balancers: balancers.map(balancerOf), ...figures }, finite, 2)}\n`;
}

/** Limits are among the quotas. */
function balancerOf({ service: _, workloads, made, ...balancer }: ReportedService): Json {
  const { limits: __, ...said } = made ?? ({} as Partial<MadeBalancer>);
  return { ...balancer, ...(made ? { made: said } : {}), workloads: workloads.map(titleOf) };
}

/** What is no number has no place in JSON, which would have nothing instead of it. */
function finite(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Error(`${key} of the report is not a number; report this as a fault of the library`);
  }
  return value;
}

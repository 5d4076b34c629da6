import type { DescribedRule } from '../../contract/rule-of';

/** What is told of Services that are created at run time and share a load balancer. */
export const SHARED_SERVICES_FINDINGS: readonly DescribedRule[] = [
  {
    id: 'no-runtime-ports',
    severity: 'error',
    says: 'some tenant has ports for Services that are created at run time; a warning where there are attached Services that get a status',
  },
  {
    id: 'runtime-ports-exceed-balancer',
    severity: 'warning',
    says: 'the first balancer has room for all ports that tenants may have at run time',
  },
  {
    id: 'runtime-own-port',
    severity: 'error',
    says: 'ports of Services that are created at run time are none that the balancer needs itself',
  },
  {
    id: 'engine-without-run-time',
    severity: 'error',
    says: 'Services that are created at run time are published by an engine that makes or takes a Gateway',
  },
  {
    id: 'run-time-namespace',
    severity: 'error',
    says: 'the namespaces of the hook and of the balancer are known, since one names the other',
  },
];

import type { DescribedRule } from '../../contract/rule-of';

/** What is told of objects that keep tenants apart, as they are written. */
const FENCE_FINDINGS: readonly DescribedRule[] = [
  {
    id: 'fence-removed',
    severity: 'error',
    says: 'policies between tenants, balancers and what tenants publish there are written, unless all tenants are one team',
  },
  {
    id: 'fence-weakened',
    severity: 'error',
    says: 'patches leave policies between tenants, balancers and what tenants publish there as strict as they were made, unless all tenants are one team',
  },
];

/** What is told of a shared load balancer, its tenants, and what they attach to it. */
export const TENANCY_FINDINGS: readonly DescribedRule[] = [
  ...FENCE_FINDINGS,
  {
    id: 'tenant-unknown',
    severity: 'error',
    says: 'whoever publishes a Service at a shared load balancer was added to it as a tenant',
  },
  {
    id: 'fence-policies',
    severity: 'error',
    says: 'policies keep tenants to their own ports and host names, unless all tenants are one team',
  },
  {
    id: 'fence-platform',
    severity: 'error',
    says: 'where the engine does not keep tenants apart, somebody is named who alone writes its kinds in their namespaces, unless all tenants are one team',
  },
  {
    id: 'too-many-listeners',
    severity: 'error',
    says: 'what a tenant has at one balancer fits into a ListenerSet',
  },
  { id: 'limit-no-number', severity: 'error', says: 'limits of a tenant are whole numbers' },
  { id: 'no-hostnames', severity: 'error', says: 'a list of host names has one at least' },
  { id: 'bad-hostname', severity: 'error', says: 'host names are written in lower case, as DNS has them' },
  { id: 'shared-settings', severity: 'error', says: 'the ports of the balancer itself are ports, and two' },
  {
    id: 'limits-open',
    severity: 'warning',
    says: 'where tenants have limits, somebody is named who alone writes the kinds in which they stand',
  },
  {
    id: 'tenant-labels-differ',
    severity: 'warning',
    says: 'the namespaces that may attach to a shared load balancer are those that a guard of the app is for',
  },
  { id: 'balancer-idle', severity: 'warning', says: 'every balancer that the lock file has serves somebody' },
  {
    id: 'shared-name-twice',
    severity: 'error',
    says: 'two shared load balancers of one lock file have different names',
  },
  {
    id: 'shared-gateway-twice',
    severity: 'error',
    says: 'one shared load balancer gives out the ports of a Gateway that exists',
  },
  { id: 'tenant-name', severity: 'error', says: 'a tenant has the name of a namespace' },
  {
    id: 'tenant-of-platform',
    severity: 'error',
    says: 'no tenant has the namespace of the balancer, or of somebody whom the fences do not judge',
  },
  { id: 'no-ports', severity: 'error', says: 'a Service that is attached publishes a port' },
  { id: 'port-twice', severity: 'error', says: 'a Service publishes each of its ports once' },
  { id: 'bad-range', severity: 'error', says: 'source ranges are CIDRs' },
  {
    id: 'host-of-others',
    severity: 'error',
    says: 'a host name of TLS is one label in the domain of its tenant',
  },
  {
    id: 'engine-cannot-enforce',
    severity: 'error',
    says: 'the engine can enforce what each tenant has: host names of TLS, source ranges of each Service, limits of connections and of bandwidth',
  },
  {
    id: 'limit-too-small',
    severity: 'error',
    says: 'a limit is at least 1 when it is divided by the replicas of the engine, and by ports where it holds for each',
  },
  {
    id: 'too-many-ports',
    severity: 'error',
    says: 'a tenant publishes no more ports than it may have, and all of them no more than the balancers carry',
  },
];

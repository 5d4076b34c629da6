import { errorRule, warningRule } from '../fault';

// Rules of a shared load balancer, its tenants, and what they attach to it.

export const ISOLATION_REMOVED = errorRule(
  'isolation-removed',
  'policies between tenants, balancers and what tenants publish there are written, unless all tenants are one team',
);
export const ISOLATION_WEAKENED = errorRule(
  'isolation-weakened',
  'patches leave policies between tenants, balancers and what tenants publish there as strict as they were made, unless all tenants are one team',
);
export const ISOLATION_POLICIES = errorRule(
  'isolation-policies',
  'policies keep tenants to their own ports and host names, unless all tenants are one team',
);
export const ISOLATION_PLATFORM = errorRule(
  'isolation-platform',
  'where the engine does not isolate tenants, `platform` names who alone may write its kinds in their namespaces, unless all tenants are one team',
);
export const TENANT_UNKNOWN = errorRule(
  'tenant-unknown',
  'a Service at a shared load balancer belongs to a tenant that was added',
);
export const TOO_MANY_LISTENERS = errorRule('too-many-listeners', 'more than 50 listeners');
export const LIMIT_NO_NUMBER = errorRule('limit-no-number', 'limits of a tenant are whole numbers');
export const NO_HOSTNAMES = errorRule('no-hostnames', 'a list of host names is not empty');
export const BAD_HOSTNAME = errorRule('bad-hostname', 'host names are lower-case DNS names');
export const SHARED_SETTINGS = errorRule('shared-settings', 'the ports of the balancer itself are two different ports');
export const LIMITS_OPEN = warningRule(
  'limits-open',
  'where tenants have limits, `platform` names who alone may write the kinds that hold them',
);
export const LISTENERS_OPEN = warningRule(
  'listeners-open',
  'tenants that write listeners themselves do not have limits that they can leave behind with a listener',
);
export const TENANT_LABELS_DIFFER = warningRule(
  'tenant-labels-differ',
  'the namespaces that may attach to a shared load balancer are those that a guard of the app selects',
);
export const BALANCER_IDLE = warningRule('balancer-idle', 'every balancer in the lock file has a port in use');
export const SHARED_NAME_TWICE = errorRule(
  'shared-name-twice',
  'two shared load balancers of one lock file have different names',
);
export const SHARED_GATEWAY_TWICE = errorRule(
  'shared-gateway-twice',
  'an existing Gateway belongs to one shared load balancer',
);
export const SHARED_NOT_PROTECTED = errorRule(
  'shared-not-protected',
  'a shared load balancer that is protected is made by its engine',
);
export const TENANT_NAME = errorRule('tenant-name', 'a tenant has the name of a namespace');
export const TENANT_OF_PLATFORM = errorRule(
  'tenant-of-platform',
  'no tenant has the namespace of the balancer, or of an identity that the policies exempt',
);
export const NO_PORTS = errorRule('no-ports', 'an attached Service publishes a port');
export const PORT_TWICE = errorRule('port-twice', 'a Service publishes each of its ports once');
export const BAD_RANGE = errorRule('bad-range', 'source range that is not a CIDR');
export const HOST_OF_OTHERS = errorRule('host-of-others', 'a TLS host name is one label in the domain of its tenant');
export const ENGINE_CANNOT_ENFORCE = errorRule(
  'engine-cannot-enforce',
  'the engine can enforce what each tenant has: TLS host names, source ranges of each Service, limits of connections and of bandwidth',
);
export const LIMIT_TOO_SMALL = errorRule(
  'limit-too-small',
  'a limit is at least 1 when it is divided by the replicas of the engine, and by ports where it holds for each port',
);
export const RUNTIME_OWN_PORT = errorRule(
  'runtime-own-port',
  "ports of Services that are created at run time do not include the balancer's own port",
);

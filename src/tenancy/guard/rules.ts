import { errorRule, warningRule } from '../fault';

// Rules of quotas, policies and permissions of tenants.

export const GUARD_DEDICATED = errorRule(
  'guard-dedicated',
  'dedicated load balancers have classes and namespaces, and are not counted together with shared Services of type LoadBalancer',
);
export const GUARD_EXEMPT = errorRule(
  'guard-exempt',
  'an exempt identity is no tenant: it does not run in the namespace of one, does not belong to one, and is not a group of all users',
);
export const GUARD_CONTROLLER = warningRule(
  'guard-controller',
  'the controllers of the classes that tenants may use are known by name, so that they can write addresses',
);
export const SHARED_CLASS_UNSERVED = warningRule(
  'shared-class-unserved',
  'something in the app serves the shared class that tenants may use: else their Services wait for an address forever',
);
export const GUARD_SHARED = errorRule(
  'guard-shared',
  'settings of shared Services are for guards that allow some: something in the app serves their class, or sharedServices is true',
);
export const NAMESPACE_LABELS = errorRule(
  'namespace-labels',
  'the namespaces of tenants have a label: without one a policy would hold in every namespace',
);
export const NO_NAMESPACE = errorRule('no-namespace', 'quotas and permissions name namespaces, each once');
export const QUOTA_LIMIT = errorRule('quota-limit', 'a quota limits something');
export const ALLOWED_CLASS = errorRule(
  'allowed-class',
  'a class that tenants may use has a valid name, and is allowed once',
);
export const CLASS_LABEL = errorRule('class-label', 'the label of shared Services is a valid label');
export const CLASS_DEFAULT_KUBERNETES = errorRule(
  'class-default-kubernetes',
  'the API server gives Services a class from Kubernetes 1.36 on; older ones need another mechanism',
);
export const CLASS_DEFAULT_WEBHOOK = errorRule(
  'class-default-webhook',
  'one label selects the namespaces that the webhook of a controller leaves out',
);
export const POLICY_KUBERNETES = errorRule(
  'policy-kubernetes',
  'the API server supports policies that can validate ranges of addresses',
);
export const POLICY_NAME = errorRule('policy-name', 'policies have a valid name');
export const POLICY_NAME_TWICE = errorRule('policy-name-twice', 'a cluster-scoped object is made once in an app');
export const POLICY_HELP = errorRule(
  'policy-help',
  'the sentence that ends refusals is one short line: the API server drops messages that are too long',
);
export const POLICY_LIMIT = errorRule('policy-limit', 'limits are whole numbers that can be enforced');
export const POLICY_GATEWAYS = errorRule('policy-gateways', 'policies between listeners name a shared Gateway');
export const POLICY_PORTS = errorRule('policy-ports', 'ports of tenants are ranges, and are set in one place');
export const POLICY_PORTS_TWICE = errorRule('policy-ports-twice', 'no two namespaces get one port of a Gateway');
export const POLICY_HOSTNAMES = errorRule(
  'policy-hostnames',
  'host names of tenants are DNS names, and are checked where tenants share a port by them',
);
export const POLICY_HOSTNAMES_TWICE = errorRule('policy-hostnames-twice', 'no two namespaces may use one host name');
export const POLICY_DNS = errorRule('policy-dns', 'the domains in which tenants may have names are DNS names');
export const POLICY_SIZE = errorRule(
  'policy-size',
  'a policy is small enough for the API server: what names every tenant has a limit',
);
export const TENANT_SUBJECTS = errorRule(
  'tenant-subjects',
  'the permissions of a namespace are bound once, to at least one subject',
);

import { errorRule, warningRule } from '../fault';

// Rules of the files of tenants, and of what they share.

export const TENANT_FILE_ADDRESS = errorRule(
  'tenant-file-address',
  'the manifests of a tenant are a local file, not a URL',
);
export const TENANT_FILE_MISSING = errorRule('tenant-file-missing', 'the file of a tenant exists');
export const TENANT_FILE_YAML = errorRule(
  'tenant-file-yaml',
  'the file of a tenant is YAML that kubectl reads, with no duplicate key and no unrendered template',
);
export const TENANT_FILE_MERGE = errorRule('tenant-file-merge', 'the file of a tenant has no merge markers');
export const TENANT_FILE_OBJECT = errorRule(
  'tenant-file-object',
  'the file of a tenant holds objects of Kubernetes, each with its name',
);
export const TENANT_FILE_WITHOUT_SERVICES = errorRule(
  'tenant-file-without-services',
  'the file of a tenant holds something to share: a Service of type LoadBalancer, or a Kafka that makes some',
);
export const TENANT_FIELD = errorRule(
  'tenant-field',
  "fields of a tenant's objects have the type that the API server takes: a list, a map, a string",
);
export const TENANT_OBJECT_TWICE = errorRule('tenant-object-twice', 'no object is in the files of a tenant twice');
export const TENANT_NAMESPACE = errorRule('tenant-namespace', 'the objects of a tenant are in its namespace');
export const TENANT_RESERVED = errorRule(
  'tenant-reserved',
  'the file of a tenant holds nothing that is reserved for the platform: limits of tenants, what they share, and rights to change either',
);
export const TENANT_ANNOTATION = errorRule(
  'tenant-annotation',
  'the Services of a tenant have no annotation that reaches the configuration of all tenants',
);
export const INGRESS_NGINX_RETIRED = errorRule(
  'ingress-nginx-retired',
  'TCP is not forwarded through ingress-nginx, which is retired',
);
export const TENANT_PROTOCOL = errorRule('tenant-protocol', 'a Service that shares a balancer has TCP ports alone');
export const TENANT_PORT = errorRule('tenant-port', 'a Service that shares a balancer has ports, each a number');
export const TENANT_HEADLESS = errorRule('tenant-headless', 'headless Service of type LoadBalancer');
export const TENANT_KAFKA = errorRule(
  'tenant-kafka',
  'the brokers of a Kafka that shares a balancer are known, each with its id and its pool',
);
export const TENANT_KAFKA_OLD = errorRule('tenant-kafka-old', 'the listeners of a Kafka are a list');
export const TENANT_KAFKA_VERSION = errorRule(
  'tenant-kafka-version',
  'the version of the operator of a Kafka that shares a balancer is known',
);
export const TENANT_KAFKA_LISTENER = errorRule(
  'tenant-kafka-listener',
  'each listener that shares a balancer has a name of its own',
);
export const TENANT_KAFKA_TLS = errorRule(
  'tenant-kafka-tls',
  'a listener that is found by the name of the server speaks TLS',
);
export const TENANT_KAFKA_HOSTNAME = errorRule(
  'tenant-kafka-hostname',
  'brokers that share a balancer have a name to advertise',
);
export const TENANT_KAFKA_PORTS = errorRule(
  'tenant-kafka-ports',
  'brokers without names of their own get ports of their own, by PortConflictPolicy.REMAP',
);
export const TENANT_KAFKA_HOST = errorRule(
  'tenant-kafka-host',
  'the names that brokers get at a shared balancer are valid DNS names',
);
export const SHARED_SERVICE_PATCHED = errorRule(
  'shared-service-patched',
  'the ports and source ranges of a shared Service are those of its file, whatever patches change',
);
export const LOST_IN_SHARING = warningRule(
  'lost-in-sharing',
  'the tenant knows which settings do not apply as written behind a shared balancer',
);
export const ORPHANED_IN_SHARING = warningRule(
  'orphaned-in-sharing',
  'a live balancer is given up before its Service shares another: type and finalizer never go in one change',
);
export const STATUS_AT_RUN_TIME = warningRule(
  'status-at-run-time',
  'something writes the status of a Service that stays a LoadBalancer',
);
export const TENANT_BEYOND_NAMESPACE = warningRule(
  'tenant-beyond-namespace',
  'cluster-scoped objects of a tenant are reviewed before they are applied',
);
export const TENANT_BINDING = warningRule(
  'tenant-binding',
  "a role that a tenant's file binds and does not hold is reviewed",
);
export const TENANT_ENDPOINTS = warningRule(
  'tenant-endpoints',
  "a tenant's software does not decide which addresses are behind a Service, unless the platform trusts it with that",
);
export const TENANT_BALANCER_OF_ITS_OWN = warningRule(
  'tenant-balancer-of-its-own',
  'the file of a tenant requests no balancer of its own by another kind than a Service: an Ingress of a cloud, or a resource of the cloud itself',
);
export const TENANT_SERVICE_OF_OPERATOR = warningRule(
  'tenant-service-of-operator',
  "a load balancer that an operator makes of a tenant's object is shared at run time",
);

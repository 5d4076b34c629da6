import type { DescribedRule } from '../../contract/rule-of';

/** What is told of the file of a tenant, and of what it shares. */
export const TENANT_MANIFESTS_FINDINGS: readonly DescribedRule[] = [
  { id: 'tenant-file-address', severity: 'error', says: 'the manifests of a tenant are a file, and no address' },
  { id: 'tenant-file-missing', severity: 'error', says: 'the file of a tenant is there' },
  {
    id: 'tenant-file-yaml',
    severity: 'error',
    says: 'the file of a tenant is YAML that kubectl reads, with no key twice and nothing left of a template',
  },
  { id: 'tenant-file-merge', severity: 'error', says: 'no merge left its marks in the file of a tenant' },
  {
    id: 'tenant-file-object',
    severity: 'error',
    says: 'what stands in the file of a tenant are objects of Kubernetes, each with its name',
  },
  {
    id: 'tenant-file-without-services',
    severity: 'error',
    says: 'the file of a tenant holds something to share: a Service of type LoadBalancer, or a Kafka that makes some',
  },
  {
    id: 'tenant-field',
    severity: 'error',
    says: 'what is read of the objects of a tenant is of the kind that the API server takes: a list, a map, a text',
  },
  { id: 'tenant-object-twice', severity: 'error', says: 'no object stands twice in the file of a tenant' },
  { id: 'tenant-namespace', severity: 'error', says: 'the objects of a tenant are in its namespace' },
  {
    id: 'tenant-fence',
    severity: 'error',
    says: 'the file of a tenant holds nothing that limits tenants, gives out what they share, or rights to do so',
  },
  {
    id: 'tenant-annotation',
    severity: 'error',
    says: 'the Services of a tenant have no annotation that reaches the configuration of all tenants',
  },
  {
    id: 'ingress-nginx-retired',
    severity: 'error',
    says: 'TCP is not forwarded through ingress-nginx, which is retired',
  },
  { id: 'tenant-protocol', severity: 'error', says: 'a Service that shares a balancer has ports of TCP alone' },
  { id: 'tenant-port', severity: 'error', says: 'a Service that shares a balancer has ports, each a number' },
  { id: 'tenant-headless', severity: 'error', says: 'a Service of type LoadBalancer is not headless' },
  {
    id: 'tenant-kafka',
    severity: 'error',
    says: 'the brokers of a Kafka that shares a balancer are known, each with its id and its pool',
  },
  { id: 'tenant-kafka-old', severity: 'error', says: 'the listeners of a Kafka are a list' },
  {
    id: 'tenant-kafka-version',
    severity: 'error',
    says: 'of a Kafka that shares a balancer the version of its operator is known',
  },
  {
    id: 'tenant-kafka-listener',
    severity: 'error',
    says: 'each listener that shares a balancer has a name of its own',
  },
  {
    id: 'tenant-kafka-tls',
    severity: 'error',
    says: 'a listener that is found by the name of the server speaks TLS',
  },
  {
    id: 'tenant-kafka-hostname',
    severity: 'error',
    says: 'brokers that share a balancer have a name to tell their clients',
  },
  {
    id: 'tenant-kafka-ports',
    severity: 'error',
    says: 'brokers without names of their own get ports of their own, by PortConflictPolicy.REMAP',
  },
  {
    id: 'tenant-kafka-host',
    severity: 'error',
    says: 'the names that brokers get at a shared balancer are names of DNS',
  },
  {
    id: 'shared-service-patched',
    severity: 'error',
    says: 'the ports and source ranges of a shared Service are those of its file, whatever patches say',
  },
  {
    id: 'lost-in-sharing',
    severity: 'warning',
    says: 'what a manifest says of a balancer of its own is told to the tenant where it means nothing at a shared one',
  },
  {
    id: 'status-at-run-time',
    severity: 'warning',
    says: 'a Service that stays a LoadBalancer has somebody who writes its status',
  },
  {
    id: 'tenant-beyond-namespace',
    severity: 'warning',
    says: 'what belongs to the whole cluster is looked through before it is applied for a tenant',
  },
  {
    id: 'tenant-binding',
    severity: 'warning',
    says: 'rights that a tenant is given by its own file are looked through where they stand elsewhere',
  },
  {
    id: 'tenant-endpoints',
    severity: 'warning',
    says: 'the software of a tenant does not decide by itself which addresses are behind a Service, unless the platform trusts it with that',
  },
  {
    id: 'tenant-balancer-of-its-own',
    severity: 'warning',
    says: 'the file of a tenant asks for no balancer of its own by another kind than a Service: an Ingress of a cloud, or a resource of the cloud itself',
  },
  {
    id: 'tenant-service-of-operator',
    severity: 'warning',
    says: 'what has an operator make a balancer is shared at run time',
  },
];

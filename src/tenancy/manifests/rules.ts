import type { Finding } from '../../contract/finding';
import type { Json } from '../../contract/json';
import { BOOLEAN, TEXT, TEXTS } from '../../contract/schema/common.facts';
import { listOf, mapOf, type SchemaFields, Shape } from '../../contract/schema/field';
import { misfitsIn } from '../../contract/schema/walk';
import { errorRules, warningRules } from '../fault';

export const MANIFESTS = {
  ...errorRules({
    'tenant-file-address': 'the file of a tenant is a URL',
    'tenant-file-missing': 'the file of a tenant cannot be read',
    'tenant-file-yaml': 'the file of a tenant is not valid YAML, has a key twice, or a template that was not rendered',
    'tenant-file-merge': 'the file of a tenant has merge markers',
    'tenant-file-object': 'the file of a tenant has something that is not a Kubernetes object with a name',
    'tenant-file-without-services': 'the file of a tenant has no load balancer to share',
    'tenant-field': 'a field has a type that the API server refuses',
    'tenant-object-twice': 'an object is in the files of a tenant twice',
    'tenant-namespace': 'an object is not in the namespace of the tenant',
    'tenant-reserved': 'the file of a tenant has an object or a right that is reserved for the platform',
    'tenant-annotation': 'an annotation of a Service changes the configuration of all tenants',
    'ingress-nginx-retired': 'TCP is forwarded through ingress-nginx, which is retired',
    'tenant-protocol': 'a port to share is not TCP',
    'tenant-port': 'a Service to share has no ports, or a port without a valid number',
    'tenant-headless': 'a Service of type LoadBalancer is headless',
    'tenant-kafka': 'the brokers of a Kafka are unknown',
    'tenant-kafka-old': 'the listeners of a Kafka are a map',
    'tenant-kafka-version': 'the version of the operator of a Kafka is unknown',
    'tenant-kafka-listener': 'a listener has no name, or the name of another',
    'tenant-kafka-tls': 'a listener that is found by host name does not use TLS',
    'tenant-kafka-hostname': 'brokers have no name to advertise',
    'tenant-kafka-ports': 'brokers that need ports of their own do not get them without PortConflictPolicy.REMAP',
    'tenant-kafka-host': 'the name of a broker is too long for DNS',
    'shared-service-patched': 'a patch changes ports or source ranges of a shared Service',
  }),
  ...warningRules({
    'lost-in-sharing': 'settings of a tenant have no effect behind a shared balancer',
    'orphaned-in-sharing': 'a live balancer is orphaned: type and finalizer go in one change',
    'status-at-run-time': 'nothing writes the status of a Service that stays a LoadBalancer',
    'tenant-beyond-namespace': 'the file of a tenant has a cluster-scoped object to review',
    'tenant-binding': 'the file of a tenant binds a role that it does not hold',
    'tenant-endpoints': 'software of a tenant can lead a Service to any address',
    'tenant-balancer-of-its-own': "an Ingress or a resource of a cloud makes a load balancer of the tenant's own",
    'tenant-service-of-operator': "an operator makes a load balancer of a tenant's object",
  }),
};

// Rules of the files of tenants, and of what they share.

const REMEDIES: Readonly<Record<string, string>> = {
  [Shape.TEXT]: 'write a string there, in quotes where it looks like a number',
  [Shape.SCALAR]: 'write one string there, in quotes where it has other signs',
  [Shape.MAP]: 'write a map there, `key: value`',
  [Shape.SCALARS]: 'write a map there, `key: value`',
  [Shape.BOOLEAN]: 'write true or false there, without quotes',
  [Shape.TEXTS]: 'write a list there, `[a, b]` or a line `- a` for each',
};

const RELEASE = { product: 'Kubernetes', version: '', readFrom: '', oldApi: false, has: () => true };

/** Fields of the wrong type, which readers would take for missing. Null is of each type, as for the API server. */
export function fieldFindings(who: string, map: Json, fields: SchemaFields, at = ''): Finding[] {
  return misfitsIn({ map, fields, open: true, where: '', at, release: RELEASE }).map((misfit) => ({
    what: `${who} has ${misfit.where} ${misfit.value}, which the API server refuses`,
    remedy: REMEDIES[misfit.takes ?? ''] ?? `write ${misfit.takes} there`,
    at: misfit.at,
  }));
}

export const SCALARS = { shape: Shape.SCALARS };
export const RANGES = { shape: Shape.TEXTS, pattern: /\S/, takes: "an address with a prefix, such as '10.0.0.0/16'," };

export const METADATA_FIELDS: SchemaFields = {
  metadata: mapOf({ namespace: TEXT, annotations: SCALARS, labels: SCALARS, finalizers: TEXTS }),
};

export const SERVICE_FIELDS: SchemaFields = {
  spec: mapOf({
    ports: listOf({ protocol: TEXT }),
    loadBalancerSourceRanges: RANGES,
    loadBalancerClass: TEXT,
    loadBalancerIP: TEXT,
    externalTrafficPolicy: TEXT,
    clusterIP: TEXT,
    allocateLoadBalancerNodePorts: BOOLEAN,
  }),
};

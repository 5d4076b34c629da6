import type { Json } from '../../contract/json';
import { EXTERNAL_DNS_HOSTNAME_ANNOTATIONS } from '../../contract/kubernetes.facts';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { type ControllerDefinition, knownKinds } from '../../rules/controller-definition';
import type { Handling, PortHandling } from '../../rules/port-handling';
import { annotationsOf, portsOf } from '../../rules/service-json';
import { lostFinalizers } from './finalizers-in-sharing';
import { BALANCER_PREFIXES, DNS_PREFIXES, RESTRICTING } from './tenant-manifests.facts';

/** What a manifest sets without effect at a shared address. */
export interface LostWord {
  /** The field, or the key of the annotation. */
  readonly field: string;
  readonly value: string;
  /** What holds now, as a clause. */
  readonly now: string;
}

/**
 * What of a load balanced Service loses its meaning once it shares a balancer.
 *
 * @param keepsType whether it stays a LoadBalancer
 */
export function lostInSharing(service: Json, hostname: string | undefined, keepsType = false): LostWord[] {
  return [
    ...lostFields(service),
    ...lostFinalizers(service, keepsType),
    ...lostAnnotations(annotationsOf(service), hostname, service),
  ];
}

const FIELDS: Readonly<Record<string, { readonly now: string; readonly isHeeded?: unknown }>> = {
  loadBalancerClass: { now: 'the shared load balancer serves it, and no other' },
  externalTrafficPolicy: {
    now: 'the shared load balancer decides which pods get a connection, and whether they see the address of the client',
    isHeeded: 'Cluster',
  },
  healthCheckNodePort: { now: 'no node is asked' },
  loadBalancerIP: { now: 'the address is that of the shared load balancer' },
  allocateLoadBalancerNodePorts: { now: 'it has no node ports', isHeeded: false },
  sessionAffinity: { now: 'it holds for clients inside the cluster alone', isHeeded: 'None' },
};

function lostFields({ spec }: Json): LostWord[] {
  const fields = Object.keys(FIELDS)
    .filter((field) => spec[field] !== undefined && spec[field] !== FIELDS[field].isHeeded)
    .map((field) => ({ field: `spec.${field}`, value: String(spec[field]), now: FIELDS[field].now }));
  const nodePorts = portsOf({ spec }).flatMap(({ nodePort }) => nodePort ?? []);
  return nodePorts.length === 0
    ? fields
    : [...fields, { field: 'spec.ports.nodePort', value: nodePorts.join(', '), now: 'it has no node ports' }];
}

/** Whether an annotation speaks to those who make load balancers, or DNS names of their addresses. */
export function speaksToBalancers(key: string, annotations: Json): boolean {
  if (DNS_PREFIXES.some((prefix) => key.startsWith(prefix))) {
    // a target that is written down is heeded, whatever the type of the Service
    return !DNS_PREFIXES.some((prefix) => annotations[`${prefix}target`] !== undefined);
  }
  return readersOf(key).isOfBalancers;
}

/** The annotations of a listener or a Service that are not heeded any more. */
export function lostAnnotations(annotations: Json, hostname: string | undefined, service?: Json): LostWord[] {
  const lost = Object.keys(annotations).filter(
    (key) => speaksToBalancers(key, annotations) && readersOf(key).wish !== LoadBalancerWish.SOURCE_RANGES,
  );
  const handlers = service ? new Set(lost.flatMap((key) => readersOf(key).kinds)) : [];
  const handled = [...handlers].flatMap((kind) => kind.handles?.(service as Json) ?? []);
  return lost.map((field) => ({
    field,
    value: String(annotations[field]),
    now: meaningOf(field, hostname, handled),
  }));
}

const WISHES: Readonly<Partial<Record<LoadBalancerWish, string>>> = {
  [LoadBalancerWish.SCHEME]: 'who can reach it is decided by the shared load balancer, which may be public',
  [LoadBalancerWish.STATIC_ADDRESSES]: 'the address is that of the shared load balancer',
  [LoadBalancerWish.PROXY_PROTOCOL]:
    'pods get the header of the PROXY protocol only where the shared load balancer sends it to all, and servers that demand it refuse connections without',
  [LoadBalancerWish.HEALTH_CHECK]: 'the shared load balancer asks in its own way whether a pod is healthy',
  [LoadBalancerWish.BACKEND_NODES]: 'pods get connections on whichever nodes they are',
  [LoadBalancerWish.IP_FAMILIES]: 'the IP families are those of the shared load balancer',
};

const HANDLINGS: Readonly<Record<Handling, string>> = {
  'proxy-protocol': WISHES[LoadBalancerWish.PROXY_PROTOCOL] as string,
  'terminates-tls': 'only the pods end the TLS of clients',
  'encrypts-again': 'pods get what the client sends, as it is',
  'speaks-http': 'connections are TCP, and no header is added',
  'checks-by-http': WISHES[LoadBalancerWish.HEALTH_CHECK] as string,
};

function meaningOf(key: string, hostname: string | undefined, handled: readonly PortHandling[]): string {
  if (EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.includes(key)) {
    return `no controller makes this name any more: make it an alias of ${hostname ?? 'the address of the shared load balancer'}`;
  }
  const handling = handled.find(({ annotation }) => annotation === key);
  const { wish } = readersOf(key);
  return (
    (handling && HANDLINGS[handling.does]) ??
    (wish && WISHES[wish]) ??
    (RESTRICTING.test(key) ? 'it keeps no client out any more: write source ranges' : 'no controller reads it')
  );
}

/** Who makes load balancers and reads an annotation. */
interface AnnotationReaders {
  readonly kinds: readonly ControllerDefinition[];
  /** What it asks of a balancer, where that has a value. */
  readonly wish?: LoadBalancerWish;
  /** Whether it is for makers of load balancers alone, known here or not. */
  readonly isOfBalancers: boolean;
}

/** Apps have few different keys, and many annotations. */
const KNOWN = new Map<string, AnnotationReaders>();

/** Who reads an annotation. */
function readersOf(key: string): AnnotationReaders {
  const known = KNOWN.get(key);
  if (known) {
    return known;
  }
  const kinds = knownKinds().filter(({ catalogue }) => catalogue.find(key));
  const wishes = kinds.map(({ catalogue }) => catalogue.find(key)?.fact.wish);
  const readers = {
    kinds,
    wish: wishes.find((wish) => wish !== undefined),
    isOfBalancers:
      kinds.length > 0 ||
      BALANCER_PREFIXES.some((prefix) => key.startsWith(prefix)) ||
      knownKinds().some(({ catalogue }) => catalogue.claims(key)),
  };
  if (KNOWN.size < 1_000) {
    KNOWN.set(key, readers);
  }
  return readers;
}

/** The source ranges that annotations of controllers say, each beside the others. */
export function rangesIn(annotations: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(annotations)
    .filter((key) => readersOf(key).wish === LoadBalancerWish.SOURCE_RANGES)
    .flatMap((key) => String(annotations[key]).split(','));
}

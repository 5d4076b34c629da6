import { isIP } from 'node:net';
import { isMap, type Json, list } from '../../contract/json';
import { SOURCE_RANGES_ANNOTATION } from '../../contract/kubernetes.facts';
import { groupOf } from '../../rules/objects';
import { annotationsOf } from '../../rules/service-json';
import type { AllowedClass } from './allowed-class';
import type { ServiceLimits } from './load-balancer-admission-policy.options';
import { DEFAULT_IPV6_PREFIX, DEFAULT_MAX_RANGES } from './service-conditions';

/** A fault of a Service: whether it is there, and what the policy says then. */
type Refusal = readonly [is: boolean, says: string];

/** What the policy for Services will refuse of a finished Service. What the API server itself gives it is not known. */
export function serviceRefusals(classes: readonly AllowedClass[], limits: ServiceLimits) {
  return (object: Json, namespace: string): string[] => {
    if (object.kind !== 'Service' || groupOf(object) !== '' || !isMap(object.spec)) {
      return [];
    }
    const { spec } = object;
    const usable = classes.filter(({ _namespaces }) => _namespaces?.includes(namespace) ?? true);
    const isBalanced = spec.type === 'LoadBalancer';
    const ofType =
      isBalanced && usable.length === 0
        ? [TYPE_FAULT]
        : [...(isBalanced ? balancerFaults(object, usable, limits) : []), ...nodePortFaults(spec, usable, limits)];
    const faults = [...ofType, ...addressFaults(spec, limits)];
    return faults.filter(([is]) => is).map(([, says]) => says);
  };
}

const TYPE_FAULT: Refusal = [
  true,
  'Services of type LoadBalancer are not allowed in this namespace: use type ClusterIP',
];

function balancerFaults(service: Json, classes: readonly AllowedClass[], limits: ServiceLimits): Refusal[] {
  const { spec } = service;
  const annotations = annotationsOf(service);
  const named = classes.find(({ loadBalancerClass }) => loadBalancerClass === spec.loadBalancerClass);
  const ports = list<Json>(spec.ports);
  const { maxPorts = Number.POSITIVE_INFINITY, portRange } = limits;
  const outside = portRange ? ports.filter(({ port }) => port < portRange.first || port > portRange.last) : [];
  return [
    [
      !named && spec.loadBalancerClass !== undefined,
      `spec.loadBalancerClass ${spec.loadBalancerClass} is not allowed: use ${classes.map((one) => one.loadBalancerClass).join(' or ')}`,
    ],
    ...(named?._annotations ?? []).map(
      ([key, value]): Refusal => [
        annotations[key] !== value,
        `class ${spec.loadBalancerClass} needs the annotation ${key}: ${value}`,
      ],
    ),
    ...(named?._forbiddenAnnotations ?? []).map(
      (key): Refusal => [
        key in annotations,
        `the annotation ${key} is not allowed with class ${spec.loadBalancerClass}: remove it`,
      ],
    ),
    ...rangeFaults(spec, annotations, limits),
    [
      ports.length > maxPorts,
      `spec.ports has ${ports.length} ports: a Service of type LoadBalancer may have ${maxPorts}`,
    ],
    [
      outside.length > 0,
      `ports outside ${portRange?.first} to ${portRange?.last}: ${outside.map(({ port }) => port).join(', ')}`,
    ],
  ];
}

function rangeFaults(spec: Json, annotations: Json, limits: ServiceLimits): Refusal[] {
  const { minSourceRangePrefix: ipv4, minSourceRangePrefixIpv6: ipv6 = DEFAULT_IPV6_PREFIX, maxSourceRanges } = limits;
  if (ipv4 === undefined && maxSourceRanges === undefined) {
    return [];
  }
  const ranges = list<unknown>(spec.loadBalancerSourceRanges).map(String);
  const most = maxSourceRanges ?? DEFAULT_MAX_RANGES;
  const wide = ipv4 === undefined ? [] : ranges.filter((range) => isWide(range, ipv4, ipv6));
  return [
    [ranges.length > most, `spec.loadBalancerSourceRanges has ${ranges.length} ranges: name at most ${most}`],
    [
      ipv4 !== undefined && ranges.length === 0,
      'spec.loadBalancerSourceRanges is missing: name the clients that may connect',
    ],
    [
      ranges.length <= most && wide.length > 0,
      `source ranges too wide or badly written (IPv4 /${ipv4} or longer, IPv6 /${ipv6} or longer): ${wide.join(', ')}`,
    ],
    [
      SOURCE_RANGES_ANNOTATION in annotations,
      `the annotation ${SOURCE_RANGES_ANNOTATION} is not allowed: use spec.loadBalancerSourceRanges`,
    ],
  ];
}

function isWide(range: string, ipv4: number, ipv6: number): boolean {
  const [address, prefix, ...rest] = range.split('/');
  const family = isIP(address);
  return (
    family === 0 || rest.length > 0 || !/^\d+$/.test(prefix ?? '') || Number(prefix) < (family === 4 ? ipv4 : ipv6)
  );
}

function nodePortFaults(spec: Json, classes: readonly AllowedClass[], limits: ServiceLimits): Refusal[] {
  const isFree = classes.some(
    (one) => one._nodePorts && spec.type === 'LoadBalancer' && one.loadBalancerClass === spec.loadBalancerClass,
  );
  if (limits.forbidNodePorts === false || isFree) {
    return [];
  }
  const named = list<Json>(spec.ports).flatMap(({ nodePort }) => (nodePort ? [nodePort] : []));
  const which = named.length > 0 ? ` (${named.join(', ')})` : '';
  const remedy =
    spec.type === 'LoadBalancer'
      ? 'set spec.allocateLoadBalancerNodePorts to false and name no nodePort'
      : 'use type ClusterIP';
  const isLocal = spec.externalTrafficPolicy === 'Local' && spec.type === 'LoadBalancer';
  return [
    [spec.type === 'NodePort' || named.length > 0, `node ports are not allowed${which}: ${remedy}`],
    [
      Boolean(spec.healthCheckNodePort) || isLocal,
      'externalTrafficPolicy Local takes a health check node port, which is not allowed: use Cluster',
    ],
  ];
}

function addressFaults(spec: Json, { forbidExternalIps, forbidLoadBalancerIp }: ServiceLimits): Refusal[] {
  return [
    [forbidExternalIps !== false && list(spec.externalIPs).length > 0, 'spec.externalIPs is not allowed: remove it'],
    [
      forbidLoadBalancerIp !== false && (spec.loadBalancerIP ?? '') !== '',
      "spec.loadBalancerIP is not allowed, since the address may be another's: remove it",
    ],
  ];
}

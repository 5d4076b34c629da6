import { SOURCE_RANGES_ANNOTATION } from '../../contract/kubernetes.facts';
import { type CelFault, type CelVariable, celText, celTexts } from './admission';
import type { AllowedClass } from './allowed-class';
import type { ServiceLimits } from './load-balancer-admission-policy.options';

/** What expressions about Services call by a short name. */
export const SERVICE_VARIABLES: readonly CelVariable[] = [
  { name: 'lb', expression: "object.spec.?type.orValue('') == 'LoadBalancer'" },
  { name: 'cls', expression: "object.spec.?loadBalancerClass.orValue('')" },
  { name: 'ann', expression: 'object.metadata.?annotations.orValue({})' },
  { name: 'ranges', expression: 'object.spec.?loadBalancerSourceRanges.orValue([])' },
  { name: 'ports', expression: 'object.spec.?ports.orValue([])' },
];

/** The classes that the namespace of a request may use. */
export function allowedVariable(classes: readonly AllowedClass[]): CelVariable {
  const lists = classes.map(({ loadBalancerClass, _namespaces }) => {
    const list = celTexts([loadBalancerClass]);
    return _namespaces ? `(request.namespace in ${celTexts(_namespaces)} ? ${list} : [])` : list;
  });
  return { name: 'allowed', expression: lists.join(' + ') || '[]' };
}

const DEFAULT_MAX_RANGES = 20;
const DEFAULT_IPV6_PREFIX = 48;

/** Everything that can be wrong with a Service of a tenant. */
export function serviceFaults(classes: readonly AllowedClass[], limits: ServiceLimits): CelFault[] {
  return [
    ...classFaults(classes),
    ...annotationFaults(classes),
    // if no class is allowed, the type is the only fault
    ...(classes.length === 0 ? [] : [...rangeFaults(limits), ...portFaults(limits)]),
    ...(limits.forbidNodePorts === false ? [] : nodePortFaults(classes)),
    ...(limits.forbidExternalIps === false
      ? []
      : [
          {
            when: 'size(object.spec.?externalIPs.orValue([])) > 0',
            says: celText('spec.externalIPs is not allowed: remove it'),
          },
        ]),
    ...(limits.forbidLoadBalancerIp === false
      ? []
      : [
          {
            when: "object.spec.?loadBalancerIP.orValue('') != ''",
            says: celText("spec.loadBalancerIP is not allowed, since the address may be another's: remove it"),
          },
        ]),
  ];
}

/** What load balancers alone have. */
const BALANCED = 'variables.lb';

/** What is wrong with the class, and which there are. */
function classFaults(classes: readonly AllowedClass[]): CelFault[] {
  const isSomeAllowed = classes.some(({ _namespaces }) => _namespaces === undefined);
  const none: CelFault = {
    among: BALANCED,
    when: 'size(variables.allowed) == 0',
    says: celText('Services of type LoadBalancer are not allowed in this namespace: use type ClusterIP'),
  };
  const other: CelFault = {
    among: BALANCED,
    when: `${isSomeAllowed ? '' : 'size(variables.allowed) > 0 && '}!(variables.cls in variables.allowed)`,
    says: [
      "'spec.loadBalancerClass ' + (variables.cls == '' ? 'is missing' : variables.cls + ' is not allowed')",
      "': use ' + variables.allowed.join(' or ')",
      "(oldObject != null && oldObject.spec.?type.orValue('') == 'LoadBalancer' ? ' (the class of a live Service cannot change: delete it and create it again)' : '')",
    ].join(' + '),
  };
  return classes.length === 0 ? [none] : isSomeAllowed ? [other] : [none, other];
}

function annotationFaults(classes: readonly AllowedClass[]): CelFault[] {
  return classes.flatMap((allowed) => {
    const among = `${BALANCED} && variables.cls == ${celText(allowed.loadBalancerClass)}`;
    return [
      ...allowed._annotations.map(([key, value]) => ({
        among,
        when: `variables.ann[?${celText(key)}].orValue('') != ${celText(value)}`,
        says: celText(`class ${allowed.loadBalancerClass} needs the annotation ${key}: ${value}`),
      })),
      ...allowed._forbiddenAnnotations.map((key) => ({
        among,
        when: `${celText(key)} in variables.ann`,
        says: celText(`the annotation ${key} is not allowed with class ${allowed.loadBalancerClass}: remove it`),
      })),
    ];
  });
}

function rangeFaults(limits: ServiceLimits): CelFault[] {
  const { minSourceRangePrefix: ipv4, minSourceRangePrefixIpv6: ipv6 = DEFAULT_IPV6_PREFIX, maxSourceRanges } = limits;
  if (ipv4 === undefined && maxSourceRanges === undefined) {
    return [];
  }
  const most = maxSourceRanges ?? DEFAULT_MAX_RANGES;
  // ' 10.0.0.0/8 ' passes the validation of the API server, and is no CIDR to those who read it
  const isWide = `!isCIDR(r) || cidr(r).prefixLength() < (cidr(r).ip().family() == 4 ? ${ipv4} : ${ipv6})`;
  return [
    {
      among: BALANCED,
      when: `size(variables.ranges) > ${most}`,
      says: `'spec.loadBalancerSourceRanges has ' + string(size(variables.ranges)) + ' ranges: name at most ${most}'`,
    },
    ...(ipv4 === undefined
      ? []
      : [
          {
            among: BALANCED,
            when: 'size(variables.ranges) == 0',
            says: celText('spec.loadBalancerSourceRanges is missing: name the clients that may connect'),
          },
          {
            // not for a list that is too long anyway: the cost of an expression is limited
            among: BALANCED,
            when: `size(variables.ranges) <= ${most} && variables.ranges.exists(r, ${isWide})`,
            says: `'source ranges too wide or badly written (IPv4 /${ipv4} or longer, IPv6 /${ipv6} or longer): ' + variables.ranges.filter(r, ${isWide}).join(', ')`,
          },
        ]),
    {
      among: BALANCED,
      when: `${celText(SOURCE_RANGES_ANNOTATION)} in variables.ann`,
      says: celText(`the annotation ${SOURCE_RANGES_ANNOTATION} is not allowed: use spec.loadBalancerSourceRanges`),
    },
  ];
}

function portFaults({ maxPorts, portRange }: ServiceLimits): CelFault[] {
  const isOutside = portRange && `p.port < ${portRange.first} || p.port > ${portRange.last}`;
  return [
    ...(maxPorts === undefined
      ? []
      : [
          {
            among: BALANCED,
            when: `size(variables.ports) > ${maxPorts}`,
            says: `'spec.ports has ' + string(size(variables.ports)) + ' ports: a Service of type LoadBalancer may have ${maxPorts}'`,
          },
        ]),
    ...(portRange === undefined
      ? []
      : [
          {
            among: BALANCED,
            when: `variables.ports.exists(p, ${isOutside})`,
            says: `'ports outside ${portRange.first} to ${portRange.last}: ' + variables.ports.filter(p, ${isOutside}).map(p, string(p.port)).join(', ')`,
          },
        ]),
  ];
}

function nodePortFaults(classes: readonly AllowedClass[]): CelFault[] {
  const free = classes.filter(({ _nodePorts }) => _nodePorts).map(({ loadBalancerClass }) => loadBalancerClass);
  const ofFree = free.length === 0 ? '' : ` && !(variables.lb && variables.cls in ${celTexts(free)})`;
  const judged = classes.length === 0 ? ' && !variables.lb' : ofFree;
  // the class default takes node ports that the API server gave from Services of the shared class: the class is the fault
  const isAsked = classes.some(({ _isShared }) => _isShared)
    ? ' && (!variables.lb || variables.cls in variables.allowed || !object.spec.?allocateLoadBalancerNodePorts.orValue(true))'
    : '';
  return [
    {
      when: `variables.ports.exists(p, p.?nodePort.orValue(0) != 0)${judged}${isAsked}`,
      says: `'node ports are not allowed (' + variables.ports.filter(p, p.?nodePort.orValue(0) != 0).map(p, string(p.nodePort)).join(', ') + '): ' + (variables.lb ? 'set spec.allocateLoadBalancerNodePorts to false and name no nodePort' : 'use type ClusterIP')`,
    },
    {
      when: `object.spec.?healthCheckNodePort.orValue(0) != 0${judged}`,
      says: celText('externalTrafficPolicy Local takes a health check node port, which is not allowed: use Cluster'),
    },
  ];
}

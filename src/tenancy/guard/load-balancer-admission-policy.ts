import { type ApiObject, Names } from 'cdk8s';
import { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { SOURCE_RANGES_ANNOTATION } from '../../contract/kubernetes.facts';
import { knownKinds } from '../../rules/controller-definition';
import { judgeProps } from '../../rules/judge-props';
import { refuseFirst } from '../fault';
import type { AllowedClass } from './allowed-class';
import { namespaceSelector } from './app-state';
import { exemptByDefault, judgeControllers, tenantsAmong } from './exemptions';
import { SERVICE_ACCOUNT_GROUP_PREFIX } from './guard.facts';
import type { LoadBalancerAdmissionPolicyProps, ServiceLimits } from './options';
import {
  ALWAYS,
  type CelFault,
  type CelVariable,
  celFinalizers,
  celText,
  celTexts,
  type DenyPolicy,
  denyPolicy,
  requirePolicySupport,
  SPEC_OR_ANNOTATIONS_CHANGED,
} from './policy';
import { classesFault, limitFaults } from './rules';

const SERVICE_VARIABLES: readonly CelVariable[] = [
  { name: 'lb', expression: "object.spec.?type.orValue('') == 'LoadBalancer'" },
  { name: 'cls', expression: "object.spec.?loadBalancerClass.orValue('')" },
  { name: 'ann', expression: 'object.metadata.?annotations.orValue({})' },
  { name: 'ranges', expression: 'object.spec.?loadBalancerSourceRanges.orValue([])' },
  { name: 'ports', expression: 'object.spec.?ports.orValue([])' },
];

function allowedVariable(classes: readonly AllowedClass[]): CelVariable {
  const lists = classes.map(({ loadBalancerClass, _namespaces }) => {
    const list = celTexts([loadBalancerClass]);
    return _namespaces ? `(request.namespace in ${celTexts(_namespaces)} ? ${list} : [])` : list;
  });
  return { name: 'allowed', expression: lists.join(' + ') || '[]' };
}

const DEFAULT_MAX_RANGES = 20;
const DEFAULT_IPV6_PREFIX = 48;

function serviceFaults(classes: readonly AllowedClass[], limits: ServiceLimits): CelFault[] {
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

const BALANCED = 'variables.lb';

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

const STATUS_MESSAGE =
  'services/status is written by load balancer controllers alone, its labels and annotations included: change the Service itself';

/**
 * Checks the Services of tenants (ValidatingAdmissionPolicy): classes and what they need, source ranges, ports, node ports,
 * external IPs; and keeps the status of Services for controllers. A refusal names everything that is wrong, and what to do.
 *
 * It checks changes of `spec` and annotations by all identities that are not exempt, whether the Service is being deleted or not: what
 * was there before can still be labelled and deleted. Finalizers of load balancers stay until their controllers remove them, or a
 * tenant could leave a balancer behind that nothing counts. The first requests after its creation slip through, for about a second.
 * It can count nothing: see `LoadBalancerQuota`.
 *
 * @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export class LoadBalancerAdmissionPolicy extends Construct {
  /** The policy for Services, for patches and dependencies. */
  public readonly policy: ApiObject;

  /** The policy that keeps finalizers of load balancers on Services. */
  public readonly finalizerPolicy: ApiObject;

  /** The policy for `services/status`, where there is one. */
  public readonly statusPolicy?: ApiObject;

  /**
   * A policy for the Services of tenants.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what tenants may say
   * @throws on labels that select every namespace, classes that are not valid, limits out of range, names that are made twice, exemptions
   * of all users, and API servers that are too old
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerAdmissionPolicyProps) {
    judgeProps(scope, id, 'LoadBalancerAdmissionPolicyProps', props);
    super(scope, id);
    const { allowedClasses, exempt = exemptByDefault(allowedClasses), help } = props;
    const selector = namespaceSelector(this, props.namespaceLabels);
    requirePolicySupport(this, props.kubernetes ?? DEFAULT_KUBERNETES, help);
    refuseFirst(this, [classesFault(allowedClasses), ...limitFaults(props), tenantsAmong(exempt)]);
    const name = props.name ?? Names.toDnsLabel(this);
    const common = { namespaceSelector: selector, exempt, help };
    const allowed = () => allowedClasses.filter(({ _isAllowed }) => _isAllowed());
    this.policy = denyPolicy(this, 'Policy', () => ({
      ...common,
      name,
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['services'] }],
      conditions: [SPEC_OR_ANNOTATIONS_CHANGED],
      variables: [...SERVICE_VARIABLES, allowedVariable(allowed())],
      faults: serviceFaults(allowed(), props),
      message: 'the Service says something that is not allowed in this namespace',
    }));
    judgeControllers(this, this.policy, props);
    this.finalizerPolicy = finalizerPolicy(this, allowedClasses, { ...common, name: `${name}-finalizers` });
    if (props.guardStatus ?? true) {
      this.statusPolicy = denyPolicy(this, 'StatusPolicy', {
        ...common,
        name: `${name}-status`,
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['services/status'] }],
        // finalizers are removed through the status as well, by controllers whose names are not published
        conditions: [{ name: 'more-or-by-tenant', expression: `!(${FINALIZERS_ALONE}) || ${MADE_BY_TENANT}` }],
        faults: [{ when: ALWAYS, says: celText(STATUS_MESSAGE) }],
        message: STATUS_MESSAGE,
      });
    }
  }
}

/**
 * True for requests of tenants, as far as a request shows: of service accounts of the namespace itself, and of all identities that may not
 * write the status of Services in all namespaces. What serves tenants of all namespaces may, whatever it is called.
 */
const MADE_BY_TENANT = [
  `request.userInfo.?groups.orValue([]).exists(g, g == ${celText(SERVICE_ACCOUNT_GROUP_PREFIX)} + request.namespace)`,
  `!(${['update', 'patch']
    .map((verb) => `authorizer.group('').resource('services').subresource('status').check('${verb}').allowed()`)
    .join(' || ')})`,
].join(' || ');

/** True where a request at `services/status` changes nothing but finalizers: all else that it could write is compared. */
const FINALIZERS_ALONE = [
  'object.?status == oldObject.?status',
  ...['labels', 'annotations'].map((field) => same(field, '{}')),
  same('ownerReferences', '[]'),
].join(' && ');

function same(field: string, none: string): string {
  const [now, before] = ['object', 'oldObject'].map((of) => `${of}.metadata.?${field}.orValue(${none})`);
  return `${now} == ${before}`;
}

/**
 * Keeps finalizers of load balancers on Services of tenants: without one the controller does not see that it has to delete the
 * balancer, which then stays, costs, and is counted by no quota. From a Service that is being deleted, or has its type no more, it is
 * removed by a controller that is not exempt as well, and by an administrator.
 */
function finalizerPolicy(
  host: Construct,
  classes: readonly AllowedClass[],
  policy: Pick<DenyPolicy, 'name' | 'namespaceSelector' | 'exempt' | 'help'>,
): ApiObject {
  const kept = celTexts(finalizersOf(classes));
  const removed = `${celFinalizers('oldObject')}.filter(f, f in ${kept} && !(f in ${celFinalizers('object')}))`;
  const live = "oldObject.spec.?type.orValue('') == 'LoadBalancer' && !has(oldObject.metadata.deletionTimestamp)";
  return denyPolicy(host, 'FinalizerPolicy', {
    ...policy,
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['services'] }],
    // who may do what is asked here: where messages are made, the answer would cost too much
    conditions: [
      { name: 'finalizer-removed', expression: `size(${removed}) > 0` },
      { name: 'live-or-by-tenant', expression: `(${live}) || ${MADE_BY_TENANT}` },
    ],
    faults: [
      {
        when: ALWAYS,
        says: `'metadata.finalizers must keep ' + ${removed}.join(', ') + ': its controller removes it once the load balancer is gone; without it the load balancer would stay. Delete the Service, or change its type, and leave the finalizer'`,
      },
    ],
    message: 'metadata.finalizers must keep what a load balancer controller put there: it removes that itself',
  });
}

function finalizersOf(classes: readonly AllowedClass[]): string[] {
  const all = [
    ...knownKinds().flatMap(({ finalizers, untouchableFinalizers = [] }) => [...finalizers, ...untouchableFinalizers]),
    ...classes.flatMap(({ _finalizers }) => _finalizers),
  ];
  return [...new Set(all)].sort();
}

import { type ApiObject, Names } from 'cdk8s';
import { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { knownKinds } from '../../rules/known-kinds';
import { CheckResult } from '../../rules/rule-set';
import { validateObject } from '../../rules/synth-object';
import { validateProps } from '../../rules/warnings';
import { type Fault, faultOf, findingsOfFaults, refuseFirst } from '../fault';
import type { AllowedClass } from './allowed-class';
import type { LoadBalancerAdmissionPolicyProps } from './guard.options';
import type { ServiceLimits } from './options';
import { SERVICE_FINALIZERS, SERVICE_STATUS, SERVICES } from './policies.facts';
import { type CelFault, celText, celTexts, denyPolicy, requirePolicySupport } from './policy';
import { faultsOf, policyOf } from './policy-template';
import { exemptByDefault, GUARD, isServed, limitFaults, namespaceSelector, tenantsAmong } from './rules';

const DEFAULT_MAX_RANGES = 20;
const DEFAULT_IPV6_PREFIX = 48;

function servicePolicy(classes: readonly AllowedClass[], limits: ServiceLimits) {
  const { minSourceRangePrefix: ipv4, minSourceRangePrefixIpv6: ipv6 = DEFAULT_IPV6_PREFIX, maxSourceRanges } = limits;
  const { portRange, maxPorts } = limits;
  const isSomeAllowed = classes.some(({ _options }) => _options.namespaces === undefined);
  const allowed = classes.map(({ loadBalancerClass, _options: { namespaces } }) => {
    const list = celTexts([loadBalancerClass]);
    return namespaces ? `(request.namespace in ${celTexts(namespaces)} ? ${list} : [])` : list;
  });
  const free = classes.filter(({ _options }) => _options.nodePorts).map(({ loadBalancerClass }) => loadBalancerClass);
  const ofFree = free.length === 0 ? '' : ` && !(variables.lb && variables.cls in ${celTexts(free)})`;
  // if no class is allowed, the type is the only fault
  const own = classes.length > 0;
  const flag = (is: boolean | undefined) => (is ? 'true' : undefined);
  const limit = (value: number | undefined) => (own && value !== undefined ? `${value}` : undefined);
  const params = {
    allowed: allowed.join(' + ') || '[]',
    allowedEverywhere: flag(isSomeAllowed),
    classes: flag(own),
    unlessNone: isSomeAllowed ? '' : 'size(variables.allowed) > 0 && ',
    ranges: flag(own && (ipv4 !== undefined || maxSourceRanges !== undefined)),
    most: `${maxSourceRanges ?? DEFAULT_MAX_RANGES}`,
    ipv4: limit(ipv4),
    ipv6: `${ipv6}`,
    maxPorts: limit(maxPorts),
    firstPort: limit(portRange?.first),
    lastPort: limit(portRange?.last),
    nodePorts: flag(limits.forbidNodePorts === false),
    checked: own ? ofFree : ' && !variables.lb',
    asked: classes.some(({ _isShared }) => _isShared) ? SERVICES.asked : '',
    externalIps: flag(limits.forbidExternalIps === false),
    loadBalancerIp: flag(limits.forbidLoadBalancerIp === false),
  };
  const policy = policyOf(SERVICES, params);
  const faults = [
    ...faultsOf(SERVICES.classFaults, params, SERVICES),
    ...classes.flatMap(annotationFaults),
    ...policy.faults,
  ];
  return { ...policy, faults };
}

function annotationFaults({ loadBalancerClass, _options, _forbiddenAnnotations }: AllowedClass): CelFault[] {
  const of = { class: celText(loadBalancerClass) };
  return [
    ...Object.entries(_options.annotations ?? {}).flatMap(([key, value]) => {
      const needs = celText(`class ${loadBalancerClass} needs the annotation ${key}: ${value}`);
      return faultsOf(SERVICES.needsAnnotation, { ...of, needs, key: celText(key), value: celText(value) }, SERVICES);
    }),
    ..._forbiddenAnnotations.flatMap((key) => {
      const forbids = celText(`the annotation ${key} is not allowed with class ${loadBalancerClass}: remove it`);
      return faultsOf(SERVICES.forbidsAnnotation, { ...of, forbids, key: celText(key) }, SERVICES);
    }),
  ];
}

/**
 * Checks the Services of tenants (ValidatingAdmissionPolicy): classes and what they need, source ranges, ports, node ports,
 * external IPs; and keeps the status of Services for controllers. A refusal names everything that is wrong, and what to do.
 *
 * It checks changes of `spec` and annotations by all identities that are not exempt, whether the Service is being deleted or not: what
 * was there before can still be labelled and deleted. Finalizers of load balancers stay until their controllers remove them, or a
 * tenant could leave a balancer behind that nothing counts. The first requests after its creation slip through, for about a second.
 * It can count nothing: quotas of `TenantLoadBalancerGuard` do.
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
   * @param props what tenants may say
   * @throws on labels that select every namespace, classes that are not valid, limits out of range, names that are made twice, exemptions
   * of all users, and API servers that are too old
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerAdmissionPolicyProps) {
    validateProps(scope, id, 'LoadBalancerAdmissionPolicyProps', props);
    super(scope, id);
    const { allowedClasses, exempt = exemptByDefault(allowedClasses), help } = props;
    const selector = namespaceSelector(this, props.namespaceLabels);
    requirePolicySupport(this, props.kubernetes ?? DEFAULT_KUBERNETES, help);
    refuseFirst(this, [classesFault(allowedClasses), ...limitFaults(props), tenantsAmong(exempt)]);
    const name = props.name ?? Names.toDnsLabel(this);
    const common = { namespaceSelector: selector, exempt, help };
    const allowed = () => allowedClasses.filter(({ _isAllowed }) => _isAllowed());
    this.policy = denyPolicy(this, 'Policy', () => ({ ...common, ...servicePolicy(allowed(), props), name }));
    checkControllers(this, this.policy, props);
    const kept = celTexts(finalizersOf(allowedClasses));
    const finalizers = { ...common, ...policyOf(SERVICE_FINALIZERS, { kept }), name: `${name}-finalizers` };
    this.finalizerPolicy = denyPolicy(this, 'FinalizerPolicy', finalizers);
    if (props.guardStatus ?? true) {
      const status = { ...common, ...policyOf(SERVICE_STATUS), name: `${name}-status` };
      this.statusPolicy = denyPolicy(this, 'StatusPolicy', status);
    }
  }
}

function finalizersOf(classes: readonly AllowedClass[]): string[] {
  const all = [
    ...knownKinds().flatMap(({ finalizers, untouchableFinalizers = [] }) => [...finalizers, ...untouchableFinalizers]),
    ...classes.flatMap(({ _options }) => _options.finalizers ?? []),
  ];
  return [...new Set(all)].sort();
}

function classesFault(classes: readonly AllowedClass[]): Fault | undefined {
  const names = classes.map(({ loadBalancerClass }) => loadBalancerClass);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return (
    classes.map(({ _fault }) => _fault).find((fault) => fault) ??
    (twice === undefined ? undefined : faultOf(GUARD.classIsAllowedTwice, { twice }))
  );
}

function checkControllers(
  host: Construct,
  policy: ApiObject,
  { allowedClasses, exempt, guardStatus = true, namespaceLabels }: LoadBalancerAdmissionPolicyProps,
): void {
  const isChecked = exempt === undefined && guardStatus;
  const own = allowedClasses.filter(({ _isShared }) => !_isShared);
  const unknown = isChecked ? own.filter(({ _identities }) => _identities.length === 0) : [];
  const unserved = () =>
    allowedClasses
      .filter(({ _isShared, _isAllowed }) => _isShared && _isAllowed())
      .filter(({ loadBalancerClass }) => !isServed(host, { loadBalancerClass, namespaceLabels }))
      .map(({ loadBalancerClass }) =>
        faultOf(GUARD['shared-class-without-controller'], { loadBalancerClass }, loadBalancerClass),
      );
  const findings = unknown.map(({ loadBalancerClass }) =>
    faultOf(GUARD['guard-controller-unknown'], { loadBalancerClass }, loadBalancerClass),
  );
  validateObject(host, policy, {
    check: () => CheckResult.of([], findingsOfFaults([...unserved(), ...findings], 'kubernetes')),
  });
}

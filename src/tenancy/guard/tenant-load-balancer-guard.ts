import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import { defined, omitKeys } from '../../contract/json';
import { CheckResult } from '../../rules/rule-set';
import { validateObject } from '../../rules/synth-object';
import { validateProps } from '../../rules/warnings';
import { type Fault, faultOf, faultsIn, findingsOfFaults, refuseFirst } from '../fault';
import { GATEWAY_API, SHARED_CLASS } from '../tenancy.facts';
import { AllowedClass } from './allowed-class';
import { OLDER_MECHANISM, VALIDATING_POLICY } from './guard.facts';
import type { GuardedTenant, TenantLoadBalancerGuardProps } from './guard.options';
import { LoadBalancerAdmissionPolicy } from './load-balancer-admission-policy';
import { ClassDefaultMechanism, LoadBalancerClassDefault } from './load-balancer-class-default';
import type { ServiceLimits } from './options';
import { dnsDomainsFault, dnsNamePolicy, ingressClassesFault, ingressPolicy } from './platform-policies';
import { freeName } from './policy';
import {
  exemptByDefault,
  GUARD,
  isServed,
  namespaceSelector,
  onceServed,
  refuseWrongNamespaces,
  registerGuard,
  tenantsAmong,
  wholeNumberFault,
} from './rules';
import { TenantRole } from './tenant-role';

/**
 * Keeps the load balancers of tenants within bounds: policies for their Services, the finalizers and the status of these, and on
 * request for their Ingresses; a class for Services that name none, and quotas and permissions for the tenants that are known by name.
 * Whatever else makes load balancers, such as kinds of clouds, is a matter of permissions.
 *
 * Install it before tenants come: Services that exist keep what they have until they change, and the first requests after its creation
 * slip through, for about a second.
 *
 * @example
 * new TenantLoadBalancerGuard(chart, 'Guard', {
 *   namespaceLabels: { 'example.com/tenant': 'true' },
 *   minSourceRangePrefix: 16,
 *   kubernetes: KubernetesVersion.V1_36,
 * });
 */
export class TenantLoadBalancerGuard extends Construct {
  /** The policy for Services. */
  public readonly admissionPolicy: LoadBalancerAdmissionPolicy;

  /** The policy for the classes of Ingresses, where there is one. */
  public readonly ingressPolicy?: ApiObject;

  /** The policy for names of DNS, where there is one. */
  public readonly dnsPolicy?: ApiObject;

  /**
   * The ResourceQuotas of the tenants that are known by name, where something is counted. One Service too many is refused at once, instead of
   * waiting for an address for ever. What a namespace has already it keeps, and it may then have no further one.
   */
  public readonly quotas: ApiObject[];

  /** The permissions of the tenants that are known by name, if they have subjects. */
  public readonly role?: TenantRole;

  /**
   * Keeps the load balancers of tenants within bounds.
   *
   * @param props what tenants may have
   * @throws on what its parts refuse, on load balancers of their own beside shared Services or without classes and namespaces, and on
   * exempt identities that are tenants: that live in the namespace of one, belong to one, or are a group of all users
   */
  public constructor(scope: Construct, id: string, props: TenantLoadBalancerGuardProps) {
    validateProps(scope, id, 'TenantLoadBalancerGuardProps', props);
    super(scope, id);
    const { tenants = [], loadBalancerClass = SHARED_CLASS, namespaceLabels } = props;
    const { dedicatedClasses = [] } = props;
    const owners = tenants.filter((tenant) => this.ownOf(tenant, props) > 0).map(({ namespace }) => namespace);
    const mayOwn = owners.length > 0 || (props.dedicated ?? 0) > 0;
    // undefined follows the app
    const sharesServices = props.sharedServices ?? (mayOwn ? false : undefined);
    const sharedClass = { loadBalancerClass, namespaceLabels };
    refuseWrongNamespaces(
      this,
      tenants.map(({ namespace }) => namespace),
    );
    refuseFirst(this, [
      ...faultsOf(props, mayOwn, sharesServices),
      ingressClassesFault(props.ingressClasses),
      dnsDomainsFault(props.dnsDomains),
      ...tenants.map(({ namespace, dedicated }) =>
        wholeNumberFault(
          `dedicated of tenant ${namespace}`,
          dedicated,
          0,
          100_000,
          'leave it out for that of the guard',
        ),
      ),
      tenantsAmong(
        props.exempt ?? exemptByDefault(dedicatedClasses),
        tenants.map(({ namespace }) => namespace),
        tenants.flatMap(({ subjects = [] }) => subjects),
      ),
    ]);
    registerGuard(this, namespaceLabels);
    const name = props.name ?? freeName(this, VALIDATING_POLICY, 'load-balancer-guard');
    const shared = sharesServices
      ? AllowedClass.shared(loadBalancerClass)
      : AllowedClass._sharedIf(loadBalancerClass, () => isServed(this, sharedClass));
    this.admissionPolicy = new LoadBalancerAdmissionPolicy(this, 'Services', {
      ...(omitKeys(props, OWN_PROPS) as ServiceLimits),
      namespaceLabels,
      name,
      allowedClasses: [
        ...(sharesServices === false ? [] : [shared]),
        ...dedicatedClasses.map((allowed) => allowed._within(owners)),
      ],
    });
    const common = {
      namespaceSelector: namespaceSelector(this, namespaceLabels),
      exempt: props.exempt ?? exemptByDefault(dedicatedClasses),
      help: props.help,
    };
    this.ingressPolicy =
      props.ingressClasses && ingressPolicy(this, props.ingressClasses, { ...common, name: `${name}-ingresses` });
    this.dnsPolicy = props.dnsDomains && dnsNamePolicy(this, props.dnsDomains, { ...common, name: `${name}-dns` });
    this.quotas = this.makeQuotas(name, props, sharesServices);
    this.role = this.makeRole(name, props);
    if (sharesServices) {
      this.makeClassDefault(name, props);
    } else if (sharesServices === undefined) {
      onceServed(this, sharedClass, () => this.makeClassDefault(name, props));
      validateObject(this, this.admissionPolicy.policy, {
        check: () => {
          const fault = isServed(this, sharedClass) ? undefined : sharedFault(props, loadBalancerClass);
          return CheckResult.of(findingsOfFaults(fault ? [fault] : [], 'kubernetes'));
        },
      });
    }
  }

  /** Source of the shared class of Services: undefined while nothing in the app serves it. */
  public get classDefault(): LoadBalancerClassDefault | undefined {
    return this.node.tryFindChild(CLASS_DEFAULT) as LoadBalancerClassDefault | undefined;
  }

  private makeClassDefault(name: string, props: TenantLoadBalancerGuardProps): void {
    const { loadBalancerClass, namespaceLabels, label, kubernetes } = props;
    const mechanism = props.classDefault ?? ClassDefaultMechanism.mutatingAdmissionPolicy();
    refuseFirst(this, [
      mechanism._tooOldFault(
        kubernetes ?? DEFAULT_KUBERNETES,
        `classDefault to ${OLDER_MECHANISM}, or sharedServices to false to refuse Services of type LoadBalancer`,
      ),
    ]);
    new LoadBalancerClassDefault(this, CLASS_DEFAULT, {
      name: `${name}-class`,
      namespaceLabels,
      loadBalancerClass,
      label,
      mechanism,
      kubernetes,
    });
  }

  private ownOf(tenant: GuardedTenant, { dedicated = 0 }: TenantLoadBalancerGuardProps): number {
    return tenant.dedicated ?? dedicated;
  }

  /** If shared Services are of type LoadBalancer, no other may be: the quota then counts them alone. */
  private makeQuotas(name: string, props: TenantLoadBalancerGuardProps, sharesServices?: boolean): ApiObject[] {
    const listenerSets = props.maxListenerSets ?? (props.attachments ? DEFAULT_LISTENER_SETS : undefined);
    return (props.tenants ?? []).flatMap((tenant) => {
      const { namespace } = tenant;
      const loadBalancers = sharesServices === false ? this.ownOf(tenant, props) : props.maxSharedServices;
      const hard = defined({
        // keys of kubernetes/kubernetes v1.36.3: staging/src/k8s.io/apiserver/pkg/quota/v1/generic
        'services.loadbalancers': loadBalancers?.toString(),
        [`count/listenersets.${GATEWAY_API.group}`]: listenerSets?.toString(),
      });
      const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name, namespace }, spec: { hard } };
      return Object.keys(hard).length === 0 ? [] : [new ApiObject(this, `Quota-${namespace}`, quota)];
    });
  }

  private makeRole(name: string, { tenants = [], attachments, guardedKinds }: TenantLoadBalancerGuardProps) {
    const bound = tenants.filter(({ subjects = [] }) => subjects.length > 0);
    if (bound.length === 0) {
      return undefined;
    }
    const role = new TenantRole(this, 'Role', { name, attachments, guardedKinds });
    for (const { namespace, subjects = [] } of bound) {
      role.bind(namespace, subjects);
    }
    return role;
  }
}

const CLASS_DEFAULT = 'ClassDefault';

/** ListenerSets of a tenant that writes them: one for each balancer, and some to move. */
const DEFAULT_LISTENER_SETS = 20;

function faultsOf(
  props: TenantLoadBalancerGuardProps,
  mayOwn: boolean,
  sharesServices?: boolean,
): (Fault | undefined)[] {
  const { dedicated, dedicatedClasses = [], tenants = [], maxSharedServices, maxListenerSets } = props;
  const needs = (name: string, value: number | undefined, least = 0) =>
    value !== undefined && value >= least && tenants.length === 0 && { limit: `${name} is ${value}` };
  const hasClasses = dedicatedClasses.length > 0;
  return [
    wholeNumberFault('dedicated', dedicated, 0, 100_000, 'leave it out for none'),
    wholeNumberFault('maxSharedServices', maxSharedServices, 0, 100_000, 'leave it out for no limit'),
    wholeNumberFault('maxListenerSets', maxListenerSets, 0, 100_000, 'leave it out for no limit'),
    ...faultsIn(GUARD, { 'guard-dedicated-invalid': needs('maxListenerSets', maxListenerSets) }),
    ...faultsIn(GUARD, {
      countsEveryClass: mayOwn && sharesServices === true,
      noClasses: mayOwn && !hasClasses && { dedicated: dedicated ?? 'set for tenants' },
      onlyClasses: !mayOwn && hasClasses,
      'guard-dedicated-invalid': needs('dedicated', dedicated, 1),
    }),
    sharesServices === false ? sharedFault(props) : undefined,
    ...faultsIn(GUARD, { 'guard-dedicated-invalid': needs('maxSharedServices', maxSharedServices) }),
  ];
}

/** `unserved` is the class, if it is only not allowed because nothing serves it. */
function sharedFault(props: TenantLoadBalancerGuardProps, unserved?: string): Fault | undefined {
  const settings = ['maxSharedServices', 'loadBalancerClass', 'label', 'classDefault'] as const;
  const setting = settings.find((one) => props[one] !== undefined);
  if (setting === undefined || unserved === undefined) {
    return setting && faultOf(GUARD['guard-shared-settings-ignored'], { setting });
  }
  return faultOf(GUARD.unserved, { setting, class: unserved });
}

/** Props of the guard that are no matter of the policy for Services. */
const OWN_PROPS: readonly string[] = [
  ...['attachments', 'classDefault', 'dedicated', 'dedicatedClasses', 'dnsDomains', 'guardedKinds', 'ingressClasses'],
  ...['label', 'loadBalancerClass', 'maxListenerSets', 'maxSharedServices', 'sharedServices', 'tenants'],
];

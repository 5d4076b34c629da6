import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../contract/default-kubernetes';
import type { Json } from '../contract/json';
import { KubernetesVersion } from '../contract/kubernetes-version';
import { type Fault, refuseFirst } from '../tenancy/fault';
import { celTexts, constraints, inNamespaces } from '../tenancy/guard/admission';
import { clusterObject } from '../tenancy/guard/cluster-object';
import {
  ADMISSION_API_VERSION,
  VALIDATING_BINDING,
  VALIDATING_POLICIES_SINCE,
  VALIDATING_POLICY,
} from '../tenancy/guard/guard.facts';
import { namespaceSelector } from '../tenancy/guard/namespaces';
import { POLICY_KUBERNETES } from '../tenancy/guard/rules';
import { TenancyIdentity } from '../tenancy/guard/tenancy-identity';
import type { LoadBalancerPolicyProps, PolicyAction, PolicyFailure } from './policy-options';

/** Lists that a policy reads, by name. */
export type PolicyLists = Readonly<Record<string, readonly string[]>>;

/** An admission policy, its binding, and the ConfigMap that it reads. */
export interface PolicyObjects {
  readonly id: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly bindingKind: string;
  readonly name: string;
  readonly labels?: { readonly [key: string]: string };
  readonly failurePolicy: PolicyFailure;
  readonly rules: readonly object[];
  readonly conditions: readonly { readonly name: string; readonly expression: string }[];
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  /** `mutations` or `validations`. */
  readonly does: Json;
  /** The actions of a validating policy. */
  readonly actions?: readonly PolicyAction[];
}

/** Where the policies of one construct are, and whose requests they let through. */
export class PolicyScope {
  public readonly name: string;
  private readonly namespace: string;
  private readonly selector: Json;

  public constructor(
    private readonly host: Construct,
    props: LoadBalancerPolicyProps,
    defaultName: string,
    private readonly lists: PolicyLists,
    /** False if the policies cannot read a ConfigMap: lists are then part of each expression. */
    private readonly hasParams = true,
  ) {
    const { name = defaultName, namespace = 'kube-system', namespaceLabels } = props;
    this.name = name;
    this.namespace = namespace;
    this.selector = namespaceLabels === undefined ? {} : namespaceSelector(host, namespaceLabels);
    if (hasParams) {
      const data = Object.fromEntries(Object.entries(lists).map(([key, values]) => [key, values.join('\n')]));
      new ApiObject(host, 'Lists', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data });
    }
  }

  /** The expression of a list. */
  public list(name: string): string {
    return this.hasParams ? `params.data.?${name}.orValue('').split('\\n')` : celTexts(this.lists[name]);
  }

  /** True for a request of an identity that owns load balancers. */
  public get isController(): string {
    return `(request.userInfo.username in ${this.list('users')} || request.userInfo.?groups.orValue([]).exists(g, g in ${this.list('groups')}))`;
  }

  /** Adds a policy with its binding. */
  public add(policy: PolicyObjects): ApiObject {
    const { id, apiVersion, kind, bindingKind, name, labels, failurePolicy, rules, conditions, variables, does } =
      policy;
    const { hasParams } = this;
    const made = clusterObject(this.host, id, {
      apiVersion,
      kind,
      name,
      ...(labels && { labels }),
      content: {
        spec: {
          failurePolicy,
          ...(hasParams && { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
          matchConstraints: { ...constraints(rules), ...(!hasParams && { namespaceSelector: this.selector }) },
          matchConditions: conditions,
          ...(variables && { variables }),
          ...does,
        },
      },
    });
    if (hasParams) {
      const paramRef = { name: this.name, namespace: this.namespace, parameterNotFoundAction: 'Deny' };
      const actions = policy.actions && { validationActions: policy.actions };
      const spec = { policyName: name, paramRef, ...actions, matchResources: inNamespaces(this.selector) };
      clusterObject(this.host, `${id}Binding`, { apiVersion, kind: bindingKind, name, content: { spec } });
    }
    return made;
  }

  /** Adds a validating policy. */
  public validate(policy: Omit<PolicyObjects, 'apiVersion' | 'kind' | 'bindingKind'>): ApiObject {
    const api = {
      apiVersion: ADMISSION_API_VERSION,
      kind: VALIDATING_POLICY,
      bindingKind: VALIDATING_BINDING,
    };
    return this.add({ ...api, ...policy });
  }
}

/** The user names and groups of controllers of load balancers. */
export function controllerLists(named: readonly TenancyIdentity[] = []): PolicyLists {
  const all = [...TenancyIdentity.knownControllers(), ...named];
  const namesOf = (isGroup: boolean) => [
    ...new Set(all.filter((one) => one._isGroup === isGroup).map((one) => one.username)),
  ];
  return { users: namesOf(false).sort(), groups: namesOf(true).sort() };
}

/** @throws if the API server has no validating policies */
export function requireValidatingPolicies(host: Construct, kubernetes: KubernetesVersion = DEFAULT_KUBERNETES): void {
  const fault: Fault | undefined = kubernetes.isAtLeast(KubernetesVersion.of(VALIDATING_POLICIES_SINCE))
    ? undefined
    : {
        rule: POLICY_KUBERNETES,
        what: `Kubernetes ${kubernetes.version} has no ValidatingAdmissionPolicy v1`,
        remedy: `use Kubernetes ${VALIDATING_POLICIES_SINCE} or later`,
      };
  refuseFirst(host, [fault]);
}

/** Updates of some resources. */
export function requests(operations: readonly string[], apiGroup: string, resources: readonly string[]): object {
  return { apiGroups: [apiGroup], apiVersions: ['*'], operations, resources };
}

/** The finalizers of a list that a request drops. */
export function droppedFinalizers(list: string): string {
  return `oldObject.metadata.?finalizers.orValue([]).filter(f, f in ${list} && !(f in object.metadata.?finalizers.orValue([])))`;
}

/** The annotations of an object. */
export function annotationsIn(object: 'object' | 'oldObject'): string {
  return `${object}.metadata.?annotations.orValue({})`;
}

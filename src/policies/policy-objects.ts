import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../contract/default-kubernetes';
import type { Json } from '../contract/json';
import { KubernetesVersion } from '../contract/kubernetes-version';
import type { DescribedRule } from '../contract/rule';
import { refuseFirst, rulesOf } from '../tenancy/fault';
import { ADMISSION_API_VERSION, VALIDATING_POLICIES_SINCE, VALIDATING_POLICY } from '../tenancy/guard/guard.facts';
import { celFinalizers, celText, celTexts, clusterObject, constraints, inNamespaces } from '../tenancy/guard/policy';
import { GUARD, namespaceSelector, tenantsAmong } from '../tenancy/guard/rules';
import { TenancyIdentity } from '../tenancy/guard/tenancy-identity';
import type { LoadBalancerPolicyProps, PolicyAction, PolicyFailure } from './policy-options';
import { POLICY_RULES } from './rules.facts';

export const POLICIES = rulesOf(POLICY_RULES);

/** The Services of a keeper, as its label says them: those with an owner reference, or all. */
export type KeptServices = 'owned' | 'all';

type Texts = Readonly<Record<string, string>>;
type Lists = Readonly<Record<string, readonly string[]>>;

export const VALIDATING = {
  apiVersion: ADMISSION_API_VERSION,
  kind: VALIDATING_POLICY,
  since: VALIDATING_POLICIES_SINCE,
  rule: GUARD['policy-unsupported'] as DescribedRule,
  remedy: 'pass kubernetes if the cluster is newer',
};

/** A kind of policy. One without bindings cannot read a ConfigMap either: lists are then part of each expression. */
export type PolicyApi = typeof VALIDATING & { readonly isUnbound?: boolean };

/** One policy: expressions by name, and `mutations` or `validations`. */
interface Policy extends Json {
  readonly rules: readonly object[];
  readonly conditions: Texts;
  readonly variables?: Texts;
}

export class PolicySet {
  /** True for a request of an identity that owns load balancers. */
  public readonly isController: string;
  private readonly selector: Json;
  private readonly lists: Lists;
  private readonly failurePolicy: PolicyFailure;
  private readonly params: { readonly name: string; readonly namespace: string };

  public constructor(
    private readonly host: Construct,
    private readonly api: PolicyApi,
    props: LoadBalancerPolicyProps,
    private readonly defaults: { name: string; failurePolicy: PolicyFailure; actions?: readonly PolicyAction[] },
    lists: Lists,
  ) {
    const { kubernetes = DEFAULT_KUBERNETES, controllers = [], namespaceLabels } = props;
    const { name = defaults.name, namespace = 'kube-system' } = props;
    const { kind, apiVersion, since, rule, remedy } = api;
    const what = `Kubernetes ${kubernetes.version} has no ${kind} ${apiVersion.split('/')[1]}, which comes with ${since}`;
    const isOld = !kubernetes.isAtLeast(KubernetesVersion.of(since));
    refuseFirst(host, [isOld ? { rule, what, remedy } : undefined, tenantsAmong(controllers)]);
    const all = [...TenancyIdentity._owners(), ...controllers];
    const namesOf = (isGroup: boolean) =>
      [...new Set(all.filter(({ _isGroup }) => _isGroup === isGroup).map(({ username }) => username))].sort();
    this.failurePolicy = props.failurePolicy ?? defaults.failurePolicy;
    this.params = { name, namespace };
    this.lists = { ...lists, users: namesOf(false), groups: namesOf(true) };
    this.selector = namespaceLabels === undefined ? {} : namespaceSelector(host, namespaceLabels);
    this.isController = `(request.userInfo.username in ${this.list('users')} || request.userInfo.?groups.orValue([]).exists(g, g in ${this.list('groups')}))`;
    if (!api.isUnbound) {
      const data = Object.fromEntries(Object.entries(this.lists).map(([key, values]) => [key, values.join('\n')]));
      new ApiObject(host, 'Lists', { apiVersion: 'v1', kind: 'ConfigMap', metadata: this.params, data });
    }
  }

  public list(name: string): string {
    return this.api.isUnbound ? celTexts(this.lists[name]) : `params.data.?${name}.orValue('').split('\\n')`;
  }

  public dropped(list: string): string {
    return `${celFinalizers('oldObject')}.filter(f, f in ${this.list(list)} && !(f in ${celFinalizers('object')}))`;
  }

  /** Adds a policy with its binding; the suffix is the end of its name. */
  public add(id: string, suffix: string, { rules, conditions, variables, ...does }: Policy, labels?: Texts): ApiObject {
    const { apiVersion, kind, isUnbound } = this.api;
    const name = `${this.params.name}${suffix}`;
    const spec = {
      failurePolicy: this.failurePolicy,
      ...(isUnbound ? {} : { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
      matchConstraints: { ...constraints(rules), ...(isUnbound && { namespaceSelector: this.selector }) },
      matchConditions: named(conditions),
      ...(variables && { variables: named(variables) }),
      ...does,
    };
    const made = clusterObject(this.host, id, { apiVersion, kind, name, ...(labels && { labels }), content: { spec } });
    if (!isUnbound) {
      const paramRef = { ...this.params, parameterNotFoundAction: 'Deny' };
      const actions = this.defaults.actions && { validationActions: this.defaults.actions };
      const bound = { policyName: name, paramRef, ...actions, matchResources: inNamespaces(this.selector) };
      clusterObject(this.host, `${id}Binding`, { apiVersion, kind: `${kind}Binding`, name, content: { spec: bound } });
    }
    return made;
  }
}

/** Validations from messages by expression; `{name}` in a message is that variable, a list. */
export function validations(messages: Texts): Json[] {
  return Object.entries(messages).map(([expression, message]) => {
    const parts = message.split(/\{(\w+)\}/);
    const texts = parts.map((part, i) => (i % 2 === 0 ? part && celText(part) : `variables.${part}.join(', ')`));
    const joined = texts.filter((text) => text !== '').join(' + ');
    return { expression, ...(parts.length === 1 ? { message } : { messageExpression: joined }) };
  });
}

export function requests(operations: readonly string[], resources: readonly string[], apiGroup = ''): object {
  return { apiGroups: [apiGroup], apiVersions: ['*'], operations, resources };
}

export const annotationsIn = (object: 'object' | 'oldObject') => `${object}.metadata.?annotations.orValue({})`;

const named = (all: Texts): Json[] => Object.entries(all).map(([name, expression]) => ({ name, expression }));

import { type ApiObject, Names } from 'cdk8s';
import { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import type { Json } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { validateProps } from '../../rules/warnings';
import { type Fault, faultOf, refuse, refuseFirst } from '../fault';
import { SHARED_CLASS } from '../tenancy.facts';
import {
  ADMISSION_API_VERSION,
  KYVERNO_API_VERSION,
  KYVERNO_MUTATING_POLICY,
  MUTATING_POLICIES_SINCE,
  OLDER_MECHANISM,
} from './guard.facts';
import type { LoadBalancerClassDefaultProps } from './guard.options';
import { CLASS_DEFAULT, SERVICES } from './policies.facts';
import { celText, clusterObject, constraints, inNamespaces } from './policy';
import { expandTemplate, variablesOf } from './policy-template';
import { classFault, GUARD, labelFault, namespaceSelector } from './rules';

interface ClassDefaultAsk extends LoadBalancerClassDefaultProps {
  readonly name: string;
  readonly loadBalancerClass: string;
  readonly namespaceSelector: Json;
}

interface ClassDefaultMade {
  readonly policy?: ApiObject;
  readonly webhookNamespaceSelector?: Json[];
}

type ClassDefaultWay = (host: Construct, ask: ClassDefaultAsk) => ClassDefaultMade;

const byApiServer: ClassDefaultWay = (host, ask) => {
  const { name, namespaceSelector } = ask;
  const { spec, lacks } = classDefaultSpec(ask);
  const object = (id: string, kind: string, content: Json) =>
    clusterObject(host, id, { apiVersion: ADMISSION_API_VERSION, kind, name, content: { spec: content } });
  const policy = object('Policy', 'MutatingAdmissionPolicy', {
    ...spec,
    matchConstraints: constraints(SERVICES.rules),
    // to change nothing costs as much as to change something
    matchConditions: variablesOf({ 'load-balancers-that-lack-something': lacks }),
  });
  const matchResources = inNamespaces(namespaceSelector);
  object('PolicyBinding', 'MutatingAdmissionPolicyBinding', { policyName: name, matchResources });
  return { policy };
};

/** By Kyverno, whose policies are a superset of those of the API server and need no binding. */
const byKyverno: ClassDefaultWay = (host, ask) => {
  const { name, namespaceLabels, namespaceSelector } = ask;
  const matchConstraints = { resourceRules: SERVICES.rules, namespaceSelector };
  const content = { spec: { ...classDefaultSpec(ask).spec, matchConstraints } };
  const identity = { apiVersion: KYVERNO_API_VERSION, kind: KYVERNO_MUTATING_POLICY, name };
  return {
    webhookNamespaceSelector: leavingOut(namespaceLabels),
    policy: clusterObject(host, 'Policy', { ...identity, content }),
  };
};

function byWebhook(webhookClass: string): ClassDefaultWay {
  return (host, { namespaceLabels, loadBalancerClass }) => {
    refuseFirst(host, [classFault(webhookClass)]);
    const labels = Object.entries(namespaceLabels);
    if (webhookClass === loadBalancerClass) {
      const selected = labels.map(([key, value]) => ({ key, operator: 'In', values: [value] }));
      return { webhookNamespaceSelector: selected };
    }
    const webhookNamespaceSelector = leavingOut(namespaceLabels);
    return webhookNamespaceSelector === undefined
      ? refuse(host, faultOf(GUARD['class-default-selector-missing'], { labels: labels.length }))
      : { webhookNamespaceSelector };
  };
}

/** Selector of all namespaces but those with a label; undefined if there are several, since no selector leaves out just these. */
function leavingOut(namespaceLabels: { readonly [key: string]: string }): Json[] | undefined {
  const [[key, value], ...others] = Object.entries(namespaceLabels);
  return others.length > 0 ? undefined : [{ key, operator: 'NotIn', values: [value] }];
}

function classDefaultSpec({ loadBalancerClass, label = loadBalancerClass, nodePorts }: ClassDefaultAsk) {
  const lacksNodePorts = nodePorts ? '' : CLASS_DEFAULT.lacksNodePorts;
  const params = { ours: celText(loadBalancerClass), key: celText(label), lacksNodePorts };
  const { lacks, conditions, variables, giveClass, takeNodePorts, giveLabel } = expandTemplate(CLASS_DEFAULT, params);
  const patches = [giveClass, ...(nodePorts ? [] : [takeNodePorts]), giveLabel];
  const spec: Json = {
    failurePolicy: 'Fail',
    reinvocationPolicy: 'IfNeeded',
    matchConditions: variablesOf(conditions),
    variables: variablesOf(variables),
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: patches.join('\n+ ') } }],
  };
  return { spec, lacks };
}

/**
 * Source of the class of tenants' Services.
 */
export class ClassDefaultMechanism {
  /**
   * The API server itself (MutatingAdmissionPolicy), from Kubernetes 1.36 on.
   *
   * @see https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
   */
  public static mutatingAdmissionPolicy(): ClassDefaultMechanism {
    return new ClassDefaultMechanism(byApiServer);
  }

  /**
   * Kyverno (MutatingPolicy), which must be installed; seen with version 1.19.1. While it is away, Services of type LoadBalancer can be
   * neither created nor changed in namespaces of tenants. Webhooks of controllers that give Services a class of their own may be
   * asked before Kyverno, and then win: keep them out of those namespaces.
   *
   * @see LoadBalancerClassDefault#webhookNamespaceSelector
   */
  public static kyverno(): ClassDefaultMechanism {
    return new ClassDefaultMechanism(byKyverno);
  }

  /**
   * The webhook of a load balancer controller, which gives Services the class of that controller and no other. Nothing is written: what
   * the webhook's `namespaceSelector` must be, the class default says as data. Where tenants are to get the controller's class, it
   * selects their namespaces. Where they are to get another, it leaves them out, nothing gives them a class, and
   * `LoadBalancerAdmissionPolicy` refuses Services that name none, with the class to use.
   *
   * @param webhookClass the class that the webhook gives
   */
  public static controllerWebhook(webhookClass: string): ClassDefaultMechanism {
    return new ClassDefaultMechanism(byWebhook(webhookClass));
  }

  private constructor(
    /** @internal */
    public readonly _make: ClassDefaultWay,
  ) {}

  /** @internal */
  public _tooOldFault(kubernetes: KubernetesVersion, remedy: string): Fault | undefined {
    return this._make !== byApiServer || kubernetes.isAtLeast(KubernetesVersion.of(MUTATING_POLICIES_SINCE))
      ? undefined
      : faultOf(GUARD['class-default-unsupported'], {
          version: kubernetes.version,
          mutatingPoliciesSince: MUTATING_POLICIES_SINCE,
          remedy,
        });
  }
}

/**
 * Gives Services of tenants the class of the shared balancer, so that their manifests stay as they are: the class where none is named,
 * and for that class alone no node ports and a label. A whole object that is written without the class over one that has it keeps it,
 * which the API server would refuse otherwise. No field manager owns what was defaulted, so that no later apply removes it.
 *
 * @see https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
 */
export class LoadBalancerClassDefault extends Construct {
  /** The policy, for patches and dependencies, where one is written. */
  public readonly policy?: ApiObject;

  /**
   * Required `namespaceSelector.matchExpressions` of a controller's webhook: where that webhook gives the class; and where
   * Kyverno does, of every webhook that gives another. Undefined for the API server's own policies, which come before all webhooks, and
   * for Kyverno with several labels, since no selector leaves out just the namespaces that have all of them.
   */
  // biome-ignore lint/suspicious/noExplicitAny: JSON, for the values of a chart
  public readonly webhookNamespaceSelector?: { [key: string]: any }[];

  /**
   * A class for Services that name none.
   *
   * @param props which class, and by what
   * @throws when the API server is too old for the mechanism, with those that are left; on labels that select every namespace, on a
   * class that is not valid
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerClassDefaultProps) {
    validateProps(scope, id, 'LoadBalancerClassDefaultProps', props);
    super(scope, id);
    const { loadBalancerClass = SHARED_CLASS, kubernetes = DEFAULT_KUBERNETES } = props;
    const { label = loadBalancerClass, mechanism = ClassDefaultMechanism.mutatingAdmissionPolicy() } = props;
    const selector = namespaceSelector(this, props.namespaceLabels);
    refuseFirst(this, [
      mechanism._tooOldFault(
        kubernetes,
        `mechanism to ${OLDER_MECHANISM}, or to .controllerWebhook() if tenants name the class`,
      ),
      classFault(loadBalancerClass),
      labelFault(label, 'true'),
    ]);
    const name = props.name ?? Names.toDnsLabel(this);
    const { _make: make } = mechanism;
    const made = make(this, { ...props, name, loadBalancerClass, namespaceSelector: selector });
    this.policy = made.policy;
    this.webhookNamespaceSelector = made.webhookNamespaceSelector;
  }
}

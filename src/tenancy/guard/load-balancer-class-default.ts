import { type ApiObject, Names } from 'cdk8s';
import { Construct } from 'constructs';
import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import { judgeProps } from '../../rules/judge-props';
import { refuseFirst } from '../fault';
import { SHARED_CLASS } from '../tenancy.facts';
import { classDefaultSpec, lacksDefaults, tooOldFault, wayOf } from './class-default';
import { ClassDefaultMechanism } from './class-default-mechanism';
import { OLDER_MECHANISM } from './guard.facts';
import { namespaceSelector } from './namespaces';
import { classFault, labelFault } from './prop-faults';

/**
 * One requirement of a selector of namespaces by label.
 */
export interface NamespaceRequirement {
  /** The key of the label. */
  readonly key: string;

  /** What Kubernetes calls the operator: `In`, or `NotIn`, which selects namespaces without the label too. */
  readonly relation: string;

  /** The values of the label. */
  readonly values: string[];
}

/**
 * The class of Services that name none.
 */
export interface LoadBalancerClassDefaultProps {
  /**
   * The name of the policy. It belongs to no namespace.
   *
   * @default - made by cdk8s from the construct path
   */
  readonly name?: string;

  /** Labels of the namespaces of tenants. */
  readonly namespaceLabels: { [key: string]: string };

  /**
   * The class that Services of type LoadBalancer get where they name none. A live Service without a class keeps none: the API server
   * lets no one give it one.
   *
   * @default 'cdk8s-load-balancers/shared'
   */
  readonly loadBalancerClass?: string;

  /**
   * The label that Services of the class get, with the value `true`: controllers that find Services by label cannot see a class.
   *
   * @default - the class
   */
  readonly label?: string;

  /**
   * Whether Services of the class keep their node ports.
   *
   * @default false
   */
  readonly nodePorts?: boolean;

  /**
   * What gives Services their class.
   *
   * @default ClassDefaultMechanism.mutatingAdmissionPolicy()
   */
  readonly mechanism?: ClassDefaultMechanism;

  /**
   * The version of the API server.
   *
   * @default KubernetesVersion.V1_34
   */
  readonly kubernetes?: KubernetesVersion;
}

/**
 * Gives Services of tenants the class of the shared balancer, so that their manifests stay as they are: the class where none is named,
 * and for that class alone no node ports and a label. A whole object that is written without the class over one that has it keeps it,
 * which the API server would refuse otherwise. No field manager owns what was defaulted, so that no later apply takes it away.
 *
 * @see https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
 */
export class LoadBalancerClassDefault extends Construct {
  /** The policy, for patches and dependencies, where one is written. */
  public readonly policy?: ApiObject;

  /**
   * What the `namespaceSelector.matchExpressions` of a controller's webhook must hold: where that webhook gives the class; and where
   * Kyverno does, of every webhook that gives another. Undefined for the API server's own policies, which come before all webhooks, and
   * for Kyverno with several labels, since no selector leaves out just the namespaces that have all of them.
   */
  public readonly webhookNamespaceSelector?: NamespaceRequirement[];

  /**
   * A class for Services that name none.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props which class, and by what
   * @throws when the API server is too old for the mechanism, with those that are left; on labels that select every namespace, on a
   * class that is not valid
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerClassDefaultProps) {
    judgeProps(scope, id, 'LoadBalancerClassDefaultProps', props);
    super(scope, id);
    const { loadBalancerClass = SHARED_CLASS, nodePorts = false, kubernetes = DEFAULT_KUBERNETES } = props;
    const { label = loadBalancerClass, mechanism = ClassDefaultMechanism.mutatingAdmissionPolicy() } = props;
    const selector = namespaceSelector(this, props.namespaceLabels);
    refuseFirst(this, [
      tooOldFault(
        mechanism,
        kubernetes,
        `mechanism to ${OLDER_MECHANISM}, or to .controllerWebhook() if tenants name the class`,
      ),
      classFault(loadBalancerClass),
      labelFault(label, 'true'),
    ]);
    const made = wayOf(mechanism)(this, {
      name: props.name ?? Names.toDnsLabel(this),
      namespaceLabels: props.namespaceLabels,
      namespaceSelector: selector,
      loadBalancerClass,
      spec: classDefaultSpec({ loadBalancerClass, label, nodePorts }),
      lacks: lacksDefaults({ loadBalancerClass, label, nodePorts }),
    });
    this.policy = made.policy;
    this.webhookNamespaceSelector = made.webhookNamespaceSelector;
  }
}

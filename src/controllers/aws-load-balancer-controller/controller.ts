import type { Construct } from 'constructs';
import { compareVersions } from '../../contract/compare-versions';
import { refuseWrongProps } from '../../contract/declared-types';
import { type Json, mapIn } from '../../contract/json';
import type { ILoadBalancerController, LoadBalancerRequest } from '../../contract/load-balancer-request';
import { type LoadBalancerPlan, NodeRestriction } from '../../contract/options';
import { PlanDraft } from '../../contract/plan-draft';
import type { Claim, ControllerVersion, DefinedController } from '../../rules/controller-definition';
import { annotationsOf, classOf } from '../../rules/service-json';
import { defineController } from '../shared/definition';
import { annotated } from '../shared/made';
import { ROLLOUT_HELD_CUT } from '../shared/refusals.facts';
import { answerRollout } from '../shared/rollout';
import { AWS_LBC, AWS_LBC_CLASS, AWS_LBC_CONTROLLER, AWS_LBC_FINALIZER } from './annotations';
import { encodeNlbOptions, NlbAnswers, targetTypeOf, wishesAttributes } from './answers';
import { AWS_LBC_DESCRIPTOR } from './descriptor.facts';
import { AWS_LBC_EDITED_KINDS } from './kind-edits.facts';
import {
  backendNodes,
  clientsOfLbc,
  handlingByAwsLbc,
  hasIpTargets,
  ignoredByAwsLbc,
  isProtected,
  madeByLbc,
  schemeReading,
} from './made';
import { type AwsLoadBalancerControllerNlbOptions, AwsLoadBalancerType, NlbTargetType } from './options';
import { AWS_LBC_OWNER_SETTINGS, AWS_LBC_PROTECTED } from './owner.facts';
import { STICKS_TO_NODE } from './refusals.facts';
import { AWS_LBC_RULES } from './rules';
import { AWS_LBC_UPGRADES } from './upgrades.facts';

/**
 * The AWS Load Balancer Controller: Network Load Balancers of AWS for Services.
 *
 * It serves the Services of its class, adds the finalizer `service.k8s.aws/resources` and removes it when the balancer is
 * gone. Uninstalled before its Services it leaves them, and their namespaces, hanging; and a Service whose finalizer
 * was stripped leaves its balancer behind.
 *
 * - Instance targets (the default): nodes are targets, and `backendNodes` chooses them by label. With `backendNodes` and
 *   no traffic policy set, the policy is Local, so that only nodes with a pod answer.
 * - Ip targets: pods are targets, so node ports are not allocated and the traffic policy has no effect.
 *
 * What the request says of `clientAddress` and `sessionAffinity` becomes target group attributes, and is always written,
 * since AWS keeps an attribute that is no longer set.
 */
export class AwsLoadBalancerController implements ILoadBalancerController {
  /** @internal */
  public static readonly _kind: DefinedController = defineController(() => ({
    ...AWS_LBC_DESCRIPTOR,
    // pkg/backend/endpoint_utils.go from v2.2.0 to v3.5.0
    excludedNodes: { byPresence: true },
    protectsFromDeletion: (service) => (isProtected(service) ? AWS_LBC_PROTECTED : undefined),
    ownerSettings: AWS_LBC_OWNER_SETTINGS,
    editedKinds: AWS_LBC_EDITED_KINDS,
    upgrades: AWS_LBC_UPGRADES,
    classlessOption: 'option type: AwsLoadBalancerType.EXTERNAL',
    claim,
    installed: () => AwsLoadBalancerController.nlb(),
    policyMeans: (service) =>
      hasIpTargets(annotationsOf(service))
        ? 'without effect here: pods are the targets, and no node forwards'
        : undefined,
    handles: handlingByAwsLbc,
    claimsOtherTypes: (service, controller) =>
      classOf(service) === undefined ? claimByAnnotations(service) : claim(service, controller),
    schemeOf: schemeReading,
    ignores: ignoredByAwsLbc,
    makes: madeByLbc,
    withPodTargets: (service) => annotated(service, AWS_LBC.targetType.key(), NlbTargetType.IP),
    clientAddressOf: clientsOfLbc,
    backendNodes,
    variants: {
      serviceMutatorWebhook: () => AwsLoadBalancerController.nlb({ serviceMutatorWebhook: true }),
    },
    reports: [STICKS_TO_NODE, ROLLOUT_HELD_CUT],
    versionOf: (controller) => versionOf((controller as { _version?: string } | undefined)?._version),
    rules: AWS_LBC_RULES,
  }));

  /**
   * A Network Load Balancer of the AWS Load Balancer Controller.
   *
   * @param options what the request does not decide
   * @throws on a value that the controller would refuse, and on options that contradict each other
   */
  public static nlb(options: AwsLoadBalancerControllerNlbOptions = {}): AwsLoadBalancerController {
    refuseWrongProps('AwsLoadBalancerController.nlb', 'AwsLoadBalancerControllerNlbOptions', options);
    return new AwsLoadBalancerController(options);
  }

  /**
   * As `nlb`, of a controller whose version is known.
   *
   * @internal
   */
  public static _installedNlb(
    options: AwsLoadBalancerControllerNlbOptions,
    version: string,
  ): AwsLoadBalancerController {
    refuseWrongProps('AwsLoadBalancerController.nlb', 'AwsLoadBalancerControllerNlbOptions', options);
    return new AwsLoadBalancerController(options, version);
  }

  /** `aws-load-balancer-controller` */
  public readonly name = AWS_LBC_CONTROLLER;

  /** @internal */
  public readonly _class: string;
  /** @internal */
  public readonly _webhook: boolean;
  /**
   * True if the options leave out the webhook, which the chart switches on since v2.5.0.
   * helm/aws-load-balancer-controller/values.yaml (enableServiceMutatorWebhook), v3.5.0
   *
   * @internal
   */
  public readonly _isWebhookUnsaid: boolean;
  /** @internal */
  public readonly _version?: string;

  private readonly annotations: Record<string, string>;
  /** The annotations without attributes, which a request sets as well. */
  private readonly withoutAttributes: Record<string, string>;

  private constructor(
    private readonly options: AwsLoadBalancerControllerNlbOptions,
    version?: string,
  ) {
    this._version = version;
    this._class = options.loadBalancerClass ?? AWS_LBC_CLASS;
    this._webhook = options.serviceMutatorWebhook === true;
    this._isWebhookUnsaid =
      options.serviceMutatorWebhook === undefined && versionOf(version)?.reaches('v2.5.0') !== false;
    this.annotations = encodeNlbOptions(options, this._class);
    const { [AWS_LBC.targetGroupAttributes.key()]: _, ...others } = this.annotations;
    this.withoutAttributes = others;
  }

  /**
   * Answers a request.
   *
   * @param scope not used: there are no side objects
   * @param request the wishes
   */
  public bind(scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan {
    void scope;
    const { options } = this;
    const fixed = wishesAttributes(request) ? this.withoutAttributes : this.annotations;
    const draft = new PlanDraft(this.name, request, fixed);

    const answers = new NlbAnswers(draft, request, options);
    const policy = answers.answer();

    return draft.done({
      finalizer: AWS_LBC_FINALIZER,
      rollout: answerRollout(draft, request, policy, madeByLbc),
      loadBalancerClass: options.type === undefined ? this._class : undefined,
      externalTrafficPolicy: policy,
      allocateLoadBalancerNodePorts: targetTypeOf(options) === NlbTargetType.IP ? false : undefined,
      sourceRanges: answers.answerSourceRanges(),
      ipFamilies: request.ipFamilies,
      nodeRestriction: draft.has(AWS_LBC.targetNodeLabels) ? NodeRestriction.ON_SERVICE : NodeRestriction.NONE,
    });
  }
}

function versionOf(version: string | undefined): ControllerVersion | undefined {
  const known = version?.replace(/^v|[-+].*$/g, '');
  return known === undefined
    ? undefined
    : { version: known, reaches: (since) => compareVersions(known, since.replace(/^v/, '')) >= 0 };
}

/** The class decides; without one the annotations do. pkg/service/service_utils.go, v3.5.0 */
function claim(service: Json, controller: ILoadBalancerController | undefined): Claim {
  const installed = controller instanceof AwsLoadBalancerController ? controller : undefined;
  const served = installed?._class ?? AWS_LBC_CLASS;
  const loadBalancerClass = classOf(service);
  if (loadBalancerClass !== undefined) {
    return loadBalancerClass === served
      ? { claimed: 'yes', because: `it serves class ${served}` }
      : { claimed: 'no', because: `it serves class ${served}, and this Service has '${loadBalancerClass}'` };
  }
  // the webhook sees the creation of a Service alone: config/webhook/manifests.yaml
  if (installed?._webhook && mapIn(service, 'metadata').uid === undefined) {
    const because = `its webhook gives class ${served} to a Service that is created without one`;
    return { claimed: 'yes', because, byDefaultingTheClass: true };
  }
  return claimByAnnotations(service);
}

function claimByAnnotations(service: Json): Claim {
  const annotations = annotationsOf(service);
  const type = annotations[AWS_LBC.type.key()];
  if (type === AwsLoadBalancerType.NLB_IP) {
    return { claimed: 'yes', because: `the Service has type ${type} and no class` };
  }
  if (type !== AwsLoadBalancerType.EXTERNAL) {
    return { claimed: 'no', because: `the Service has neither its class nor a type annotation for it` };
  }
  const targetType = annotations[AWS_LBC.targetType.key()];
  return targetType === NlbTargetType.IP || targetType === NlbTargetType.INSTANCE
    ? { claimed: 'yes', because: `the Service has type ${type} with target type ${targetType} and no class` }
    : { claimed: 'no', because: `type ${type} claims a Service only together with target type ip or instance` };
}

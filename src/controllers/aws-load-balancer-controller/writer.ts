import { compareVersions } from '../../contract/compare-versions';
import { type Json, mapIn } from '../../contract/json';
import type { ILoadBalancerController, LoadBalancerRequest } from '../../contract/load-balancer-request';
import { type LoadBalancerPlan, NodeRestriction } from '../../contract/options';
import { PlanDraft } from '../../contract/plan-draft';
import type { Claim, ControllerDefinition, ControllerVersion } from '../../rules/controller-definition';
import { annotationsOf, classOf } from '../../rules/service-json';
import { annotated } from '../shared/model';
import { ROLLOUT_HELD_CUT } from '../shared/refusals.facts';
import { answerRollout } from '../shared/rollout';
import { AWS_LBC, AWS_LBC_CLASS, AWS_LBC_CONTROLLER, AWS_LBC_FINALIZER } from './annotations';
import { encodeNlbOptions, NlbAnswers, targetTypeOf, wishesAttributes } from './answers';
import type { AwsLoadBalancerController } from './controller';
import { AWS_LBC_DESCRIPTOR } from './descriptor.facts';
import { AWS_LBC_EDITED_KINDS } from './kind-edits.facts';
import {
  backendNodes,
  clientsOfLbc,
  handlingByAwsLbc,
  hasIpTargets,
  ignoredByAwsLbc,
  isProtected,
  lbcModel,
  schemeReading,
} from './model';
import { type AwsLoadBalancerControllerNlbOptions, AwsLoadBalancerType, NlbTargetType } from './options';
import { AWS_LBC_OWNER_SETTINGS, AWS_LBC_PROTECTED } from './owner.facts';
import { STICKS_TO_NODE } from './refusals.facts';
import { AWS_LBC_RULES } from './rules';
import { AWS_LBC_UPGRADES } from './upgrades.facts';

export const definition = (own: typeof AwsLoadBalancerController): ControllerDefinition => ({
  ...AWS_LBC_DESCRIPTOR,
  // pkg/backend/endpoint_utils.go from v2.2.0 to v3.5.0
  excludedNodes: { byPresence: true },
  protectsFromDeletion: (service) => (isProtected(service) ? AWS_LBC_PROTECTED : undefined),
  ownerSettings: AWS_LBC_OWNER_SETTINGS,
  editedKinds: AWS_LBC_EDITED_KINDS,
  upgrades: AWS_LBC_UPGRADES,
  classlessOption: 'option type: AwsLoadBalancerType.EXTERNAL',
  claim,
  installed: () => own.nlb(),
  policyMeans: (service) =>
    hasIpTargets(annotationsOf(service))
      ? 'without effect here: pods are the targets, and no node forwards'
      : undefined,
  handles: handlingByAwsLbc,
  claimsOtherTypes: (service, controller) =>
    classOf(service) === undefined ? claimByAnnotations(service) : claim(service, controller),
  schemeOf: schemeReading,
  ignores: ignoredByAwsLbc,
  makes: lbcModel,
  withPodTargets: (service) => annotated(service, AWS_LBC.targetType.key(), NlbTargetType.IP),
  clientAddressOf: clientsOfLbc,
  backendNodes,
  variants: {
    serviceMutatorWebhook: () => own.nlb({ serviceMutatorWebhook: true }),
  },
  reports: [STICKS_TO_NODE, ROLLOUT_HELD_CUT],
  versionOf: (controller) =>
    versionOf((controller as Partial<AwsLoadBalancerController> | undefined)?._writer?.version),
  rules: AWS_LBC_RULES,
});

export class AwsLoadBalancerControllerWriter {
  public readonly servedClass: string;
  public readonly hasWebhook: boolean;
  /**
   * True if the options leave out the webhook, which the chart switches on since v2.5.0.
   * helm/aws-load-balancer-controller/values.yaml (enableServiceMutatorWebhook), v3.5.0
   */
  public readonly isWebhookUnsaid: boolean;
  private readonly annotations: Record<string, string>;
  /** The annotations without attributes, which a request sets as well. */
  private readonly withoutAttributes: Record<string, string>;

  public constructor(
    private readonly options: AwsLoadBalancerControllerNlbOptions,
    public readonly version?: string,
  ) {
    this.servedClass = options.loadBalancerClass ?? AWS_LBC_CLASS;
    this.hasWebhook = options.serviceMutatorWebhook === true;
    this.isWebhookUnsaid =
      options.serviceMutatorWebhook === undefined && versionOf(version)?.reaches('v2.5.0') !== false;
    this.annotations = encodeNlbOptions(options, this.servedClass);
    const { [AWS_LBC.targetGroupAttributes.key()]: _, ...others } = this.annotations;
    this.withoutAttributes = others;
  }

  public bind(request: LoadBalancerRequest): LoadBalancerPlan {
    const { options } = this;
    const fixed = wishesAttributes(request) ? this.withoutAttributes : this.annotations;
    const draft = new PlanDraft(AWS_LBC_CONTROLLER, request, fixed);

    const answers = new NlbAnswers(draft, request, options);
    const policy = answers.answer();

    return draft.done({
      finalizer: AWS_LBC_FINALIZER,
      rollout: answerRollout(draft, request, policy, lbcModel),
      loadBalancerClass: options.type === undefined ? this.servedClass : undefined,
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
  const installed = (controller as Partial<AwsLoadBalancerController> | undefined)?._writer;
  const served = installed?.servedClass ?? AWS_LBC_CLASS;
  const loadBalancerClass = classOf(service);
  if (loadBalancerClass !== undefined) {
    return loadBalancerClass === served
      ? { claimed: 'yes', because: `it serves class ${served}` }
      : { claimed: 'no', because: `it serves class ${served}, and this Service has '${loadBalancerClass}'` };
  }
  // the webhook sees the creation of a Service alone: config/webhook/manifests.yaml
  if (installed?.hasWebhook && mapIn(service, 'metadata').uid === undefined) {
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

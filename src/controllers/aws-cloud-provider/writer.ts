import { Duration } from 'cdk8s';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../contract/kubernetes.facts';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import {
  ClientAddress,
  type HealthCheck,
  IpFamily,
  type LoadBalancerPlan,
  LoadBalancerWish,
  NodeRestriction,
  PortProtocol,
  type RolloutPlan,
  TrafficPolicy,
} from '../../contract/options';
import { PlanDraft } from '../../contract/plan-draft';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { annotationsOf } from '../../rules/service-json';
import { annotateHealthCheck, answerClientByProxy, answerScheme, honourTrafficPolicy } from '../shared/answers';
import { claimsWithoutClass, encodeOptions } from '../shared/definition';
import { POD_MUST_SPEAK_PROXY_PROTOCOL, ROLLOUT_HELD_CUT } from '../shared/refusals.facts';
import { answerRollout, lifeAfter } from '../shared/rollout';
import { AWS_CLOUD, AWS_CLOUD_CATALOGUE, AWS_CLOUD_CONTROLLER, AWS_CLOUD_GROUPS } from './annotations';
import type { AwsCloudProvider } from './controller';
import { AWS_CLOUD_DESCRIPTOR } from './descriptor.facts';
import { IMPLEMENTED_ELSEWHERE, NLB_TYPE } from './facts';
import {
  type AwsCloudKnown,
  awsCloudModelOf,
  backendNodes,
  clientsOfAwsCloud,
  handlingByAwsCloud,
  isInternal,
  schemeOf,
} from './model';
import {
  AwsBackendProtocol,
  type AwsCloudProviderClassicOptions,
  type AwsCloudProviderNlbOptions,
  type AwsCloudProviderTargetGroupAttributes,
} from './options';
import { missedByAwsCloud } from './predicates';
import { REFUSALS } from './refusals.facts';
import { AWS_CLOUD_RULES, ignoredByAwsCloud } from './rules';
import { AWS_CLOUD_UPGRADES } from './upgrades.facts';

interface Balancer {
  readonly isNlb: boolean;
  readonly annotations: Readonly<Record<string, string>>;
  /** Attributes of target groups from the options; a request sets some of them, too. */
  readonly attributes: AwsCloudProviderTargetGroupAttributes;
}

export const definition = (own: typeof AwsCloudProvider): ControllerDefinition => ({
  ...AWS_CLOUD_DESCRIPTOR,
  misses: missedByAwsCloud,
  upgrades: AWS_CLOUD_UPGRADES,
  claim(service) {
    const type: unknown = annotationsOf(service)[AWS_CLOUD.type.key()];
    const claim = claimsWithoutClass(service);
    if (claim.claimed === 'yes' && IMPLEMENTED_ELSEWHERE.includes(type as string)) {
      return {
        claimed: 'no',
        because: `type '${type}' leaves the Service to aws-load-balancer-controller`,
      };
    }
    const reach = isInternal(service) ? 'an internal' : 'a public';
    const product = type === NLB_TYPE ? 'Network' : 'Classic';
    return claim.claimed === 'yes'
      ? { ...claim, because: `${claim.because}, and its annotations ask for ${reach} ${product} Load Balancer` }
      : claim;
  },
  handles: handlingByAwsCloud,
  schemeOf,
  ignores: ignoredByAwsCloud,
  makes: awsCloudModelOf,
  clientAddressOf: clientsOfAwsCloud,
  backendNodes,
  installed: () => own.classic(),
  reports: [POD_MUST_SPEAK_PROXY_PROTOCOL, ROLLOUT_HELD_CUT],
  rules: AWS_CLOUD_RULES,
});

export class AwsCloudProviderWriter {
  public readonly known: AwsCloudKnown;
  private readonly balancer: Balancer;

  public constructor(
    way: string,
    options: AwsCloudProviderNlbOptions & AwsCloudProviderClassicOptions,
    managesGroups?: boolean,
  ) {
    const isNlb = way === 'nlb';
    this.known = { version: options.version, managesGroups };
    const encoded = encodeOptions(AWS_CLOUD_CONTROLLER, AWS_CLOUD_CATALOGUE, options);
    refuseStrays(encoded, options, isNlb);
    // a request sets these as well
    const { [AWS_CLOUD.targetGroupAttributes.key()]: _, ...others } = encoded;
    const annotations = isNlb ? { ...others, [AWS_CLOUD.type.key()]: NLB_TYPE } : others;
    this.balancer = { isNlb, annotations, attributes: options.targetGroupAttributes ?? {} };
  }

  public bind(request: LoadBalancerRequest): LoadBalancerPlan {
    const { balancer } = this;
    const draft = new PlanDraft(AWS_CLOUD_CONTROLLER, request, balancer.annotations);

    answerScheme(draft, request, AWS_CLOUD.internal, !request.internetFacing);
    answerProtocols(draft, request, balancer);
    honourTrafficPolicy(draft, request);
    if (balancer.isNlb) {
      answerByTargetGroups(draft, request, balancer);
    } else {
      answerByListeners(draft, request);
    }
    if (request.sessionAffinity) {
      draft.refuseBy(REFUSALS.sessionAffinity, { value: 'ClientIP' });
    }
    if (request.ipFamilies && !request.ipFamilies.includes(IpFamily.IPV6)) {
      draft.honour(LoadBalancerWish.IP_FAMILIES, 'balancers are IPv4');
    }
    answerBackendNodes(draft, request);
    draft.honourIf({ sourceRanges: 'spec.loadBalancerSourceRanges' });
    answerStaticAddresses(draft, request, balancer);
    answerHealthCheck(draft, request.healthCheck, balancer);

    const policy = request.trafficPolicy ?? (needsLocal(request, balancer) ? TrafficPolicy.LOCAL : undefined);
    const rollout = answerRollout(draft, request, policy, (service) => awsCloudModelOf(service, { _writer: this }));

    return draft.done({
      finalizer: LOAD_BALANCER_CLEANUP_FINALIZER,
      rollout: drainConnections(draft, request, rollout, balancer),
      externalTrafficPolicy: policy,
      ipFamilies: request.ipFamilies,
      sourceRanges: request.sourceRanges,
      nodeRestriction: draft.has(AWS_CLOUD.targetNodeLabels) ? NodeRestriction.ON_SERVICE : NodeRestriction.NONE,
    });
  }
}

function refuseStrays(
  annotations: Record<string, string>,
  options: AwsCloudProviderClassicOptions,
  isNlb: boolean,
): void {
  const [own, other] = isNlb ? ['nlb', 'classic'] : ['classic', 'nlb'];
  const stray = (isNlb ? AWS_CLOUD_GROUPS.classic : AWS_CLOUD_GROUPS.network).find(
    (entry) => annotations[entry.key()] !== undefined,
  );
  if (stray) {
    throw new Error(
      `${AWS_CLOUD_CONTROLLER}: option ${stray.fact.option} has no effect on AwsCloudProvider.${own}(); leave it out, or use AwsCloudProvider.${other}()`,
    );
  }
  if (isNlb && (options.backendProtocol ?? AwsBackendProtocol.SSL) !== AwsBackendProtocol.SSL) {
    throw new Error(
      `${AWS_CLOUD_CONTROLLER}: option backendProtocol '${options.backendProtocol}' has no effect on AwsCloudProvider.nlb(); use '${AwsBackendProtocol.SSL}', or leave it out`,
    );
  }
}

/** True if the policy must be Local: with Cluster, a node hides the address of the client. */
function needsLocal(request: LoadBalancerRequest, balancer: Balancer): boolean {
  const preserved = balancer.isNlb && request.clientAddress === ClientAddress.PRESERVE && !isHeaded(request, balancer);
  return request.backendNodes !== undefined || preserved || request.rollout !== undefined;
}

function isHeaded(request: LoadBalancerRequest, balancer: Balancer): boolean {
  return request.proxyProtocol === true || balancer.attributes.proxyProtocolV2 === true;
}

function answerProtocols(draft: PlanDraft, request: LoadBalancerRequest, balancer: Balancer): void {
  const protocols = request.protocols.join(' and ');
  if (request.protocols.length > 1) {
    draft.refuseBy(REFUSALS.mixedProtocols, { value: protocols });
  } else if (balancer.isNlb && protocols === PortProtocol.UDP) {
    draft.honour(LoadBalancerWish.PROTOCOLS, 'UDP listeners');
  } else if (protocols === PortProtocol.UDP) {
    draft.refuseBy(REFUSALS.udpOfClassic, { value: protocols });
  }
}

/** The client address at targets of a Network Load Balancer, in one annotation with the attributes of the options. */
function answerByTargetGroups(draft: PlanDraft, request: LoadBalancerRequest, balancer: Balancer): void {
  const attributes: { preserveClientIp?: boolean; proxyProtocolV2?: boolean } = { ...balancer.attributes };
  const want = (wish: LoadBalancerWish, attribute: keyof typeof attributes, value: boolean) => {
    if ((attributes[attribute] ?? value) !== value) {
      draft.refuseBy(
        { wish, ...REFUSALS.attributeTwice },
        { value: String(value), wish, attribute, other: attributes[attribute] },
      );
      return;
    }
    attributes[attribute] = value;
    draft.honour(wish, `${attribute} ${value}`);
  };

  if (request.proxyProtocol !== undefined) {
    want(LoadBalancerWish.PROXY_PROTOCOL, 'proxyProtocolV2', request.proxyProtocol);
  }
  if (request.clientAddress === ClientAddress.REPLACE && request.protocols.includes(PortProtocol.UDP)) {
    draft.refuseBy(REFUSALS.addressOfUdp, { value: ClientAddress.REPLACE });
  } else if (request.clientAddress === ClientAddress.REPLACE) {
    want(LoadBalancerWish.CLIENT_ADDRESS, 'preserveClientIp', false);
  } else if (request.clientAddress === ClientAddress.PRESERVE && isHeaded(request, balancer)) {
    draft.honour(LoadBalancerWish.CLIENT_ADDRESS, 'proxy protocol v2');
  } else if (request.clientAddress === ClientAddress.PRESERVE && request.trafficPolicy === TrafficPolicy.CLUSTER) {
    draft.refuseBy(REFUSALS.addressByCluster, { value: TrafficPolicy.CLUSTER });
  } else if (request.clientAddress === ClientAddress.PRESERVE && attributes.preserveClientIp !== undefined) {
    want(LoadBalancerWish.CLIENT_ADDRESS, 'preserveClientIp', true);
  } else if (request.clientAddress === ClientAddress.PRESERVE) {
    draft.honour(LoadBalancerWish.CLIENT_ADDRESS, 'instances see it, and with externalTrafficPolicy Local their pods');
  }
  if (Object.keys(attributes).length > 0) {
    draft.annotate(undefined, AWS_CLOUD.targetGroupAttributes, attributes);
  }
}

/** A Classic Load Balancer ends connections and makes new ones. */
function answerByListeners(draft: PlanDraft, request: LoadBalancerRequest): void {
  const on = draft.has(AWS_CLOUD.proxyProtocol);
  if (request.proxyProtocol === true) {
    draft.annotate(LoadBalancerWish.PROXY_PROTOCOL, AWS_CLOUD.proxyProtocol, true);
  } else if (request.proxyProtocol === false && !on) {
    draft.honour(LoadBalancerWish.PROXY_PROTOCOL, 'off by default');
  } else if (request.proxyProtocol === false) {
    draft.refuseBy(REFUSALS.proxyProtocolOn, { value: 'false' });
  }

  answerClientByProxy(draft, request, AWS_CLOUD.proxyProtocol, 'use AwsCloudProvider.nlb()');
}

function answerStaticAddresses(draft: PlanDraft, request: LoadBalancerRequest, balancer: Balancer): void {
  const addresses = request.staticAddresses;
  if (!addresses) {
    return;
  }
  const wish = LoadBalancerWish.STATIC_ADDRESSES;
  if (!balancer.isNlb) {
    draft.refuseBy(REFUSALS.fixedAddresses, { value: addresses.join(', ') });
    return;
  }
  const isPublic = request.internetFacing || balancer.annotations[AWS_CLOUD.internal.key()] === 'false';
  draft.annotate(wish, isPublic ? AWS_CLOUD.eipAllocations : AWS_CLOUD.privateIpv4Addresses, addresses);
}

function answerBackendNodes(draft: PlanDraft, request: LoadBalancerRequest): void {
  if (request.backendNodes) {
    const wish = LoadBalancerWish.BACKEND_NODES;
    draft.annotate(wish, AWS_CLOUD.targetNodeLabels, request.backendNodes.labels);
    // kubernetes/cloud-provider v0.36.3, controllers/service/controller.go: shouldSyncUpdatedNode does not look at labels
    draft.honour(wish, 'looked up when the Service or the set of nodes changes');
  }
}

/** A health check, field by field; the timeout of a Network Load Balancer is not the controller's to set. */
function answerHealthCheck(draft: PlanDraft, check: HealthCheck | undefined, balancer: Balancer): void {
  if (!check) {
    return;
  }
  const wish = LoadBalancerWish.HEALTH_CHECK;
  if (balancer.isNlb && check.timeout) {
    const seconds = check.timeout.toSeconds({ integral: false });
    draft.refuseBy(REFUSALS.healthCheckTimeout, { value: String(seconds) });
    return;
  }
  draft.honour(wish, 'health check annotations');
  annotateHealthCheck(draft, AWS_CLOUD, check);
}

/** A Classic Load Balancer closes the connections of a node that fails its check, unless it drains them. */
function drainConnections(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  plan: RolloutPlan | undefined,
  { isNlb }: Balancer,
): RolloutPlan | undefined {
  if (plan && !isNlb) {
    const life = lifeAfter(request, plan.stopsSendingAfter.toSeconds());
    const wish = LoadBalancerWish.ROLLOUT;
    draft.annotate(wish, AWS_CLOUD.connectionDrainingEnabled, true);
    if (!draft.isAtLeast(wish, AWS_CLOUD.connectionDrainingTimeout, life)) {
      draft.annotate(wish, AWS_CLOUD.connectionDrainingTimeout, Duration.seconds(life));
    }
  }
  return plan;
}

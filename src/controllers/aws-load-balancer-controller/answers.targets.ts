import { Duration } from 'cdk8s';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { ClientAddress, LoadBalancerWish, PortProtocol, TrafficPolicy } from '../../contract/options';
import { type PlanDraft, tooShort } from '../../contract/plan-draft';
import type { DescribedRule } from '../../contract/rule';
import { NLB_AFTER_REMOVAL } from '../aws/notices.facts';
import { refusal } from '../shared/answers';
import { lifeAfter } from '../shared/rollout';
import { AWS_LBC } from './annotations';
import { isUdp } from './answers';
import { targetGroupAttributeKey } from './codecs';
import { AWS_ATTRIBUTES } from './facts';
import {
  AwsLoadBalancerType,
  NlbStickinessType,
  type NlbTargetGroupAttributes,
  NlbTargetType,
  type AwsLoadBalancerControllerNlbOptions as Options,
} from './options';
import { REFUSALS } from './refusals.facts';

/** What stickiness of instance targets does not reach. */
export const STICKS_TO_NODE: DescribedRule = {
  id: 'sticks-to-node',
  severity: 'warning',
  says: 'session affinity keeps a client at a node instead of a pod',
  source: AWS_ATTRIBUTES,
};

type WishedAttributes = {
  -readonly [M in
    | 'preserveClientIp'
    | 'stickiness'
    | 'stickinessType'
    | 'unhealthyConnectionTermination'
    | 'deregistrationDelay']?: NlbTargetGroupAttributes[M];
};

/** The target type by the options. */
export function targetTypeOf({ targetType, type }: Options): NlbTargetType {
  return targetType ?? (type === AwsLoadBalancerType.NLB_IP ? NlbTargetType.IP : NlbTargetType.INSTANCE);
}

function hasIpTargets(options: Options): boolean {
  return targetTypeOf(options) === NlbTargetType.IP;
}

/** Whether a request wishes for target group attributes. */
export function wishesAttributes(request: LoadBalancerRequest): boolean {
  return request.clientAddress !== undefined || request.sessionAffinity !== undefined || request.rollout !== undefined;
}

/**
 * The wishes that become target group attributes, written as one with those of the options. Returns whether the address
 * of the client has to survive the nodes too.
 */
export function answerByAttributes(draft: PlanDraft, request: LoadBalancerRequest, options: Options): boolean {
  const attributes: WishedAttributes = {};
  answerSessionAffinity(draft, request, options, attributes);
  const preserves = answerClientAddress(draft, request, options, attributes);
  drainTargets(draft, request, options, attributes);
  const merged = { ...options.targetGroupAttributes, ...attributes };
  if (wishesAttributes(request) && Object.keys(merged).length > 0) {
    draft.annotate(undefined, AWS_LBC.targetGroupAttributes, merged);
  }
  return preserves;
}

/** Proxy protocol, for every port or for none. */
export function answerProxyProtocol(draft: PlanDraft, request: LoadBalancerRequest, options: Options): void {
  const wish = LoadBalancerWish.PROXY_PROTOCOL;
  const { proxyProtocol, proxyProtocolPerTargetGroup, targetGroupAttributes, targetGroupAttributesPerPort } = options;
  const some =
    proxyProtocol ||
    proxyProtocolPerTargetGroup ||
    targetGroupAttributes?.proxyProtocolV2 ||
    targetGroupAttributesPerPort?.some(({ attributes }) => attributes.proxyProtocolV2);
  if (request.proxyProtocol === true && proxyProtocolPerTargetGroup) {
    draft.refuse(
      wish,
      refusal(REFUSALS.proxyProtocolForSome, { value: 'true', ports: proxyProtocolPerTargetGroup.join(', ') }),
    );
  } else if (request.proxyProtocol === true) {
    draft.annotate(wish, AWS_LBC.proxyProtocol, true);
  } else if (request.proxyProtocol === false && some) {
    draft.refuse(wish, refusal(REFUSALS.proxyProtocolOn, { value: 'false' }));
  } else if (request.proxyProtocol === false) {
    draft.honour(wish, 'the controller switches it off where nothing asks for it');
  }
}

/** Node labels choose among instance targets. */
export function answerBackendNodes(draft: PlanDraft, request: LoadBalancerRequest, options: Options): void {
  const pool = request.backendNodes;
  if (!pool) {
    return;
  }
  if (hasIpTargets(options)) {
    draft.refuse(LoadBalancerWish.BACKEND_NODES, refusal(REFUSALS.nodesOfPods, { value: pool.name }));
    return;
  }
  draft.annotate(LoadBalancerWish.BACKEND_NODES, AWS_LBC.targetNodeLabels, pool.labels);
}

function answerSessionAffinity(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  options: Options,
  attributes: WishedAttributes,
): void {
  const wish = LoadBalancerWish.SESSION_AFFINITY;
  const timeout = request.sessionAffinity?.timeout;
  if (!request.sessionAffinity) {
    return;
  }
  if (timeout) {
    draft.refuse(wish, refusal(REFUSALS.affinityTimeout, { value: String(timeout.toSeconds()) }));
    return;
  }
  if (options.sslCert) {
    draft.refuse(wish, {
      what: 'sessionAffinity cannot be had with sslCert: TLS listeners keep no client on its target',
      remedy: 'end TLS in the pods, or leave sessionAffinity out',
    });
    return;
  }
  wishAttribute(draft, request, options, wish, attributes, 'stickiness', true);
  wishAttribute(draft, request, options, wish, attributes, 'stickinessType', NlbStickinessType.SOURCE_IP);
  if (!hasIpTargets(options)) {
    draft.warn(wish, STICKS_TO_NODE, {
      what: 'a client is kept on one node by instance targets, not on one of the pods behind it',
      remedy: 'use ip targets, or policy Local with one pod on each node',
    });
  }
}

function answerClientAddress(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  options: Options,
  attributes: WishedAttributes,
): boolean {
  const wish = LoadBalancerWish.CLIENT_ADDRESS;
  if (request.clientAddress === undefined) {
    return false;
  }
  const preserve = request.clientAddress === ClientAddress.PRESERVE;
  if (preserve && !hasIpTargets(options) && request.trafficPolicy === TrafficPolicy.CLUSTER) {
    draft.refuse(wish, refusal(REFUSALS.addressByCluster, { value: TrafficPolicy.CLUSTER }));
    return false;
  }
  const udp = request.ports.find(isUdp);
  if (!preserve && udp) {
    draft.refuse(wish, refusal(REFUSALS.addressOfUdp, { value: PortProtocol.UDP, port: udp.port }));
    return false;
  }
  wishAttribute(draft, request, options, wish, attributes, 'preserveClientIp', preserve);
  if (preserve && !hasIpTargets(options)) {
    draft.honour(wish, `externalTrafficPolicy ${TrafficPolicy.LOCAL}`);
  } else if (!preserve && !hasIpTargets(options)) {
    const local =
      request.trafficPolicy === TrafficPolicy.LOCAL ||
      request.backendNodes !== undefined ||
      request.rollout !== undefined;
    const seen = local && request.trafficPolicy !== TrafficPolicy.CLUSTER ? 'the balancer' : 'a node, or the balancer';
    draft.honour(wish, `the pod sees ${seen}`);
  }
  return preserve;
}

function drainTargets(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  options: Options,
  attributes: WishedAttributes,
): void {
  const wish = LoadBalancerWish.ROLLOUT;
  if (!request.rollout) {
    return;
  }
  if (!hasIpTargets(options)) {
    // attributes of unhealthy targets are for TCP and TLS
    if (!request.ports.some(isUdp)) {
      wishAttribute(draft, request, options, wish, attributes, 'unhealthyConnectionTermination', false);
    }
    return;
  }
  const life = lifeAfter(request, request.rollout.balancerTime?.toSeconds() ?? NLB_AFTER_REMOVAL);
  const short = givenAttributes(request, options)
    .map(([option, given]) => ({ option, seconds: given?.deregistrationDelay?.toSeconds() ?? life }))
    .find(({ seconds }) => seconds < life);
  if (short) {
    draft.refuse(wish, tooShort(wish, `${short.option}.deregistrationDelay`, short.seconds, life));
  } else if (options.targetGroupAttributes?.deregistrationDelay === undefined) {
    attributes.deregistrationDelay = Duration.seconds(life);
    draft.honour(wish, `${targetGroupAttributeKey('deregistrationDelay')}=${life}`);
  }
}

function givenAttributes(
  request: LoadBalancerRequest,
  { targetGroupAttributes, targetGroupAttributesPerPort }: Options,
): [string, NlbTargetGroupAttributes | undefined][] {
  const perPort = (targetGroupAttributesPerPort ?? [])
    .filter(({ port }) => request.ports.some((other) => other.port === port))
    .map((own): [string, NlbTargetGroupAttributes] => [`targetGroupAttributesPerPort ${own.port}`, own.attributes]);
  return [['targetGroupAttributes', targetGroupAttributes], ...perPort];
}

function wishAttribute<M extends keyof WishedAttributes>(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  options: Options,
  wish: LoadBalancerWish,
  attributes: WishedAttributes,
  member: M,
  value: NonNullable<WishedAttributes[M]>,
): void {
  const key = targetGroupAttributeKey(member);
  const given = givenAttributes(request, options);
  const other = given.find(([, own]) => own?.[member] !== undefined && own[member] !== value);
  if (other) {
    draft.refuse(
      wish,
      refusal(REFUSALS.attributeTwice, {
        value: String(value),
        wish,
        key,
        option: other[0],
        other: other[1]?.[member],
      }),
    );
    return;
  }
  attributes[member] = value;
  draft.honour(wish, `${key}=${value}`);
}

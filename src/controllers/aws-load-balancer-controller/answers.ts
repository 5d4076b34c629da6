import { Duration } from 'cdk8s';
import type { Annotation } from '../../contract/annotation-catalogue';
import type { Json } from '../../contract/json';
import { isIpv6, labelKeyFault } from '../../contract/kubernetes-syntax';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import {
  ClientAddress,
  HealthCheckProtocol,
  IpFamily,
  type LoadBalancerPort,
  LoadBalancerScheme,
  LoadBalancerWish,
  PortProtocol,
  TrafficPolicy,
} from '../../contract/options';
import { type PlanDraft, tooShort } from '../../contract/plan-draft';
import { NLB_AFTER_REMOVAL } from '../aws/notices.facts';
import { annotateHealthCheck, honourTrafficPolicy } from '../shared/answers';
import { encodeOptions } from '../shared/definition';
import { lifeAfter } from '../shared/rollout';
import { AWS_LBC, AWS_LBC_CATALOGUE, AWS_LBC_CONTROLLER } from './annotations';
import { targetGroupAttributeKey } from './codecs';
import {
  AwsLoadBalancerType,
  NlbIpAddressType,
  NlbStickinessType,
  type NlbTargetGroupAttributes,
  NlbTargetType,
  type AwsLoadBalancerControllerNlbOptions as Options,
} from './options';
import { REFUSALS, STICKS_TO_NODE } from './refusals.facts';
import { contradictionsIn } from './rules';

type WishedAttributes = {
  -readonly [M in
    | 'preserveClientIp'
    | 'stickiness'
    | 'stickinessType'
    | 'unhealthyConnectionTermination'
    | 'deregistrationDelay']?: NlbTargetGroupAttributes[M];
};

export function targetTypeOf({ targetType, type }: Options): NlbTargetType {
  return targetType ?? (type === AwsLoadBalancerType.NLB_IP ? NlbTargetType.IP : NlbTargetType.INSTANCE);
}

export function wishesAttributes(request: LoadBalancerRequest): boolean {
  return request.clientAddress !== undefined || request.sessionAffinity !== undefined || request.rollout !== undefined;
}

const isUdp = (port: LoadBalancerPort) => port.protocol === PortProtocol.UDP;

export class NlbAnswers {
  private readonly toPods: boolean;
  private readonly isDualstack: boolean;
  private readonly isPublic: boolean;
  private readonly attributes: WishedAttributes = {};

  public constructor(
    private readonly draft: PlanDraft,
    private readonly request: LoadBalancerRequest,
    private readonly options: Options,
  ) {
    this.toPods = targetTypeOf(options) === NlbTargetType.IP;
    this.isDualstack = request.ipFamilies
      ? request.ipFamilies.includes(IpFamily.IPV6)
      : options.ipAddressType === NlbIpAddressType.DUALSTACK;
    const byOption = options.scheme === LoadBalancerScheme.INTERNET_FACING || options.loadBalancerInternal === false;
    this.isPublic = request.scheme === undefined ? byOption : request.internetFacing;
  }

  /** Answers all wishes but those for source ranges and a rollout. Returns the traffic policy. */
  public answer(): TrafficPolicy | undefined {
    const { draft, request } = this;
    this.answerScheme();
    // an IPv6 family needs a dualstack balancer, even alone
    if (request.ipFamilies) {
      const type = this.isDualstack ? NlbIpAddressType.DUALSTACK : NlbIpAddressType.IPV4;
      draft.annotate(LoadBalancerWish.IP_FAMILIES, AWS_LBC.ipAddressType, type);
    }
    this.answerProtocols();
    this.answerProxyProtocol();
    this.answerHealthCheck();
    this.answerStaticAddresses();
    if (request.backendNodes && this.toPods) {
      draft.refuseBy(REFUSALS.nodesOfPods, { value: request.backendNodes.name });
    } else if (request.backendNodes) {
      draft.annotate(LoadBalancerWish.BACKEND_NODES, AWS_LBC.targetNodeLabels, request.backendNodes.labels);
    }
    const preserves = this.answerByAttributes();
    honourTrafficPolicy(draft, request);
    const isOfNodes = preserves || request.backendNodes !== undefined || request.rollout !== undefined;
    return request.trafficPolicy ?? (!this.toPods && isOfNodes ? TrafficPolicy.LOCAL : undefined);
  }

  public answerSourceRanges(): string[] | undefined {
    const { draft, options } = this;
    const ranges = this.request.sourceRanges;
    const { loadBalancerSourceRanges: old, securityGroups } = options;
    const ipv6 = this.isDualstack ? undefined : ranges?.find(isIpv6);
    if (!ranges) {
      return undefined;
    }
    if (securityGroups) {
      draft.refuseBy(REFUSALS.rangesBesideGroups, { value: ranges.join(', '), groups: securityGroups.join(', ') });
    } else if (ipv6) {
      draft.refuseBy(REFUSALS.rangeNotDualstack, { value: ipv6 });
    } else if (old && old.join() !== ranges.join()) {
      draft.refuseBy(REFUSALS.rangesTwice, { value: ranges.join(', '), old: old.join(', ') });
    } else {
      draft.honour(LoadBalancerWish.SOURCE_RANGES, 'spec.loadBalancerSourceRanges');
      return ranges;
    }
    return undefined;
  }

  /** The scheme, by whichever spelling the options use; internal by default. */
  private answerScheme(): void {
    const { draft, request } = this;
    const wish = request.scheme === undefined ? undefined : LoadBalancerWish.SCHEME;
    if (this.options.loadBalancerInternal !== undefined) {
      if (wish) draft.annotate(wish, AWS_LBC.internal, !request.internetFacing);
    } else if (wish || !draft.has(AWS_LBC.scheme)) {
      draft.annotate(wish, AWS_LBC.scheme, request.scheme ?? LoadBalancerScheme.INTERNAL);
    }
  }

  private answerProtocols(): void {
    const { draft } = this;
    const { ports } = this.request;
    const wish = LoadBalancerWish.PROTOCOLS;
    const sctp = ports.find((port) => port.protocol === PortProtocol.SCTP);
    if (sctp) {
      draft.refuseBy(REFUSALS.sctp, { value: PortProtocol.SCTP, port: sctp.port });
    } else if (ports.some(isUdp)) {
      draft.honour(wish, 'UDP listeners');
      if (ports.filter(isUdp).some(({ port }) => ports.some((other) => other.port === port && !isUdp(other)))) {
        draft.annotate(wish, AWS_LBC.enableTcpUdpListener, true);
      }
      if (this.isDualstack) {
        draft.annotate(wish, AWS_LBC.enablePrefixForIpv6SourceNat, true);
      }
    }
  }

  private answerProxyProtocol(): void {
    const { draft, request } = this;
    const { proxyProtocol, proxyProtocolPerTargetGroup, targetGroupAttributes, targetGroupAttributesPerPort } =
      this.options;
    const some =
      proxyProtocol ||
      proxyProtocolPerTargetGroup ||
      targetGroupAttributes?.proxyProtocolV2 ||
      targetGroupAttributesPerPort?.some(({ attributes }) => attributes.proxyProtocolV2);
    if (request.proxyProtocol === true && proxyProtocolPerTargetGroup) {
      draft.refuseBy(REFUSALS.proxyProtocolForSome, { value: 'true', ports: proxyProtocolPerTargetGroup.join(', ') });
    } else if (request.proxyProtocol === true) {
      draft.annotate(LoadBalancerWish.PROXY_PROTOCOL, AWS_LBC.proxyProtocol, true);
    } else if (request.proxyProtocol === false && some) {
      draft.refuseBy(REFUSALS.proxyProtocolOn, { value: 'false' });
    } else if (request.proxyProtocol === false) {
      draft.honour(LoadBalancerWish.PROXY_PROTOCOL, 'the controller switches it off where nothing asks for it');
    }
  }

  private answerHealthCheck(): void {
    const check = this.request.healthCheck;
    const protocol = check?.protocol ?? this.options.healthCheckProtocol;
    if (check?.path !== undefined && protocol === HealthCheckProtocol.TCP) {
      this.draft.refuseBy(REFUSALS.pathOfTcp, { value: check.path });
    } else if (check) {
      this.draft.honour(LoadBalancerWish.HEALTH_CHECK, 'health check of the target groups');
      const implied = check.path && !protocol ? HealthCheckProtocol.HTTP : undefined;
      annotateHealthCheck(this.draft, AWS_LBC, { ...check, protocol: check.protocol ?? implied });
    }
  }

  private answerStaticAddresses(): void {
    const { draft, isPublic } = this;
    const addresses = this.request.staticAddresses ?? [];
    const wish = LoadBalancerWish.STATIC_ADDRESSES;
    const ipv6 = addresses.filter(isIpv6);
    const others = addresses.filter((address) => !isIpv6(address));
    const odd = others.find((address) => address.startsWith('eipalloc-') !== isPublic);
    if (odd !== undefined) {
      draft.refuseBy(isPublic ? REFUSALS.publicAddress : REFUSALS.internalAddress, { value: odd });
    } else if (ipv6.length > 0 && !this.isDualstack) {
      draft.refuseBy(REFUSALS.addressNotDualstack, { value: ipv6[0] });
    } else {
      if (others.length > 0)
        draft.annotate(wish, isPublic ? AWS_LBC.eipAllocations : AWS_LBC.privateIpv4Addresses, others);
      if (ipv6.length > 0) draft.annotate(wish, AWS_LBC.ipv6Addresses, ipv6);
    }
  }

  /**
   * The wishes that become target group attributes, written as one with those of the options. Returns whether the address
   * of the client has to survive the nodes too.
   */
  private answerByAttributes(): boolean {
    this.answerSessionAffinity();
    const preserves = this.answerClientAddress();
    this.drainTargets();
    const merged = { ...this.options.targetGroupAttributes, ...this.attributes };
    if (wishesAttributes(this.request) && Object.keys(merged).length > 0) {
      this.draft.annotate(undefined, AWS_LBC.targetGroupAttributes, merged);
    }
    return preserves;
  }

  private answerSessionAffinity(): void {
    const { sessionAffinity } = this.request;
    const wish = LoadBalancerWish.SESSION_AFFINITY;
    if (sessionAffinity?.timeout) {
      this.draft.refuseBy(REFUSALS.affinityTimeout, { value: String(sessionAffinity.timeout.toSeconds()) });
    } else if (sessionAffinity && this.options.sslCert) {
      this.draft.refuseBy(REFUSALS.affinityOfTls);
    } else if (sessionAffinity) {
      this.set(wish, 'stickiness', true);
      this.set(wish, 'stickinessType', NlbStickinessType.SOURCE_IP);
      if (!this.toPods) {
        this.draft.warn(wish, STICKS_TO_NODE, {});
      }
    }
  }

  private answerClientAddress(): boolean {
    const { draft, request, toPods } = this;
    const wish = LoadBalancerWish.CLIENT_ADDRESS;
    const preserve = request.clientAddress === ClientAddress.PRESERVE;
    const udp = preserve ? undefined : request.ports.find(isUdp);
    if (request.clientAddress === undefined) {
      return false;
    }
    if (preserve && !toPods && request.trafficPolicy === TrafficPolicy.CLUSTER) {
      draft.refuseBy(REFUSALS.addressByCluster, { value: TrafficPolicy.CLUSTER });
      return false;
    }
    if (udp) {
      draft.refuseBy(REFUSALS.addressOfUdp, { value: PortProtocol.UDP, port: udp.port });
      return false;
    }
    this.set(wish, 'preserveClientIp', preserve);
    if (preserve && !toPods) {
      draft.honour(wish, `externalTrafficPolicy ${TrafficPolicy.LOCAL}`);
    } else if (!toPods) {
      const { trafficPolicy = TrafficPolicy.LOCAL, backendNodes, rollout } = request;
      const isSet = request.trafficPolicy !== undefined || backendNodes !== undefined || rollout !== undefined;
      const isLocal = isSet && trafficPolicy === TrafficPolicy.LOCAL;
      draft.honour(wish, `the pod sees ${isLocal ? 'the balancer' : 'a node, or the balancer'}`);
    }
    return preserve;
  }

  private drainTargets(): void {
    const { draft, request } = this;
    const wish = LoadBalancerWish.ROLLOUT;
    if (!request.rollout) {
      return;
    }
    if (!this.toPods) {
      // attributes of unhealthy targets are for TCP and TLS
      if (!request.ports.some(isUdp)) {
        this.set(wish, 'unhealthyConnectionTermination', false);
      }
      return;
    }
    const life = lifeAfter(request, request.rollout.balancerTime?.toSeconds() ?? NLB_AFTER_REMOVAL);
    const short = this.givenAttributes()
      .map(([option, given]) => ({ option, seconds: given?.deregistrationDelay?.toSeconds() ?? life }))
      .find(({ seconds }) => seconds < life);
    if (short) {
      draft.refuse(wish, tooShort(wish, `${short.option}.deregistrationDelay`, short.seconds, life));
    } else if (this.options.targetGroupAttributes?.deregistrationDelay === undefined) {
      this.attributes.deregistrationDelay = Duration.seconds(life);
      draft.honour(wish, `${targetGroupAttributeKey('deregistrationDelay')}=${life}`);
    }
  }

  private givenAttributes(): [string, NlbTargetGroupAttributes | undefined][] {
    const perPort = (this.options.targetGroupAttributesPerPort ?? [])
      .filter(({ port }) => this.request.ports.some((other) => other.port === port))
      .map((own): [string, NlbTargetGroupAttributes] => [`targetGroupAttributesPerPort ${own.port}`, own.attributes]);
    return [['targetGroupAttributes', this.options.targetGroupAttributes], ...perPort];
  }

  private set<M extends keyof WishedAttributes>(
    wish: LoadBalancerWish,
    member: M,
    value: NonNullable<WishedAttributes[M]>,
  ): void {
    const key = targetGroupAttributeKey(member);
    const other = this.givenAttributes().find(([, own]) => own?.[member] !== undefined && own[member] !== value);
    if (other) {
      const found = { value: String(value), wish, key, option: other[0], other: other[1]?.[member] };
      this.draft.refuseBy({ wish, ...REFUSALS.attributeTwice }, found);
      return;
    }
    this.attributes[member] = value;
    this.draft.honour(wish, `${key}=${value}`);
  }
}

/** @throws on a value that the controller would refuse, and on options that contradict each other */
export function encodeNlbOptions(options: Options, loadBalancerClass: string): Record<string, string> {
  const targetType = targetTypeOf(options);
  const perPort = options.targetGroupAttributesPerPort?.map(({ port, attributes }) => ({ port, ...attributes }));
  const annotations = {
    ...encodeOptions(AWS_LBC_CONTROLLER, AWS_LBC_CATALOGUE, { ...options, targetType }),
    ...encodeMany('listenerAttributes', AWS_LBC.listenerAttributes, options.listenerAttributes),
    ...encodeMany('actions', AWS_LBC.actions, options.actions),
    ...encodeMany('targetGroupAttributesPerPort', AWS_LBC.targetGroupAttributesPerPort, perPort),
  };
  const classFault = labelKeyFault(loadBalancerClass);
  if (classFault || !loadBalancerClass.includes('/')) {
    throw new Error(
      `${AWS_LBC_CONTROLLER}: option loadBalancerClass: ${classFault ?? `'${loadBalancerClass}' has no domain`}; write domain/name`,
    );
  }
  if (options.type === AwsLoadBalancerType.NLB_IP && targetType !== NlbTargetType.IP) {
    throw new Error(
      `${AWS_LBC_CONTROLLER}: type '${options.type}' implies ip targets, not '${targetType}'; leave targetType out, or use EXTERNAL`,
    );
  }
  if (options.scheme !== undefined && options.loadBalancerInternal !== undefined) {
    throw new Error(`${AWS_LBC_CONTROLLER}: internal is not read beside scheme '${options.scheme}'; use scheme alone`);
  }
  refuseContradictions(annotations);
  return annotations;
}

function encodeMany<T extends { readonly port: number; readonly protocol?: string }>(
  option: string,
  entry: Annotation<Omit<T, 'port' | 'protocol'>>,
  values: readonly T[] = [],
): Record<string, string> {
  const annotations: Record<string, string> = {};
  for (const { port, protocol, ...value } of values) {
    const key = entry.key({ port, protocol: protocol ?? '' });
    try {
      if (!Number.isInteger(port) || port < 1 || port > 65535 || !entry.match(key)) {
        throw new Error(`'${[protocol, port].filter(Boolean).join('-')}' is not a listener`);
      }
      if (key in annotations) {
        throw new Error(`port ${port} is set twice`);
      }
      annotations[key] = entry.fact.codec.encode(value);
    } catch (error) {
      throw new Error(
        `${AWS_LBC_CONTROLLER}: option ${option}: ${(error as Error).message}; use ${entry.fact.codec.says}`,
      );
    }
  }
  return annotations;
}

/** Faults in the options alone are wrong for every Service. */
function refuseContradictions(annotations: Record<string, string>): void {
  const alone: Json = { metadata: { annotations } };
  const context = { kubernetes: KubernetesVersion.V1_34 };
  const found = contradictionsIn(annotations).flatMap((rule) => rule.check(alone, context) ?? []);
  if (found.length > 0) {
    throw new Error(`${AWS_LBC_CONTROLLER}: ${found[0].what}; ${found[0].remedy}`);
  }
}

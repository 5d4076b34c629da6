import type { Construct } from 'constructs';
import type { Annotation } from '../contract/annotation-catalogue';
import { ClientAddress } from '../contract/client-address';
import { type HealthCheck, HealthCheckProtocol } from '../contract/health-check';
import { IpFamily } from '../contract/ip-family';
import { Confidence } from '../contract/kubernetes.facts';
import { isIpv6, labelKeyFault } from '../contract/kubernetes-syntax';
import { KubernetesVersion } from '../contract/kubernetes-version';
import type { Json } from '../contract/late-rendering';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import type { LoadBalancerPlan } from '../contract/load-balancer-plan';
import { type LoadBalancerPort, PortProtocol } from '../contract/load-balancer-port';
import type { LoadBalancerRequest } from '../contract/load-balancer-request';
import { LoadBalancerScheme } from '../contract/load-balancer-scheme';
import { LoadBalancerWish } from '../contract/load-balancer-wish';
import { NodeRestriction } from '../contract/node-restriction';
import { PlanDraft } from '../contract/plan-draft';
import { TrafficPolicy } from '../contract/traffic-policy';
import type { Claim, ControllerKind } from '../rules/controller-kind';
import { annotationsOf, classOf } from '../rules/service-json';
import {
  AWS,
  AWS_LBC,
  AWS_LBC_CATALOGUE,
  AWS_LBC_CLASS,
  AWS_LBC_FINALIZER,
  AWS_LBC_SOURCE,
  targetGroupAttributeKey,
} from './aws-load-balancer-controller.annotations';
import {
  type AwsLoadBalancerControllerNlbOptions,
  AwsLoadBalancerType,
  NlbIpAddressType,
  NlbStickinessType,
  type NlbTargetGroupAttributes,
  NlbTargetType,
} from './aws-load-balancer-controller.options';
import { AWS_LBC_RULES, contradictionsIn } from './aws-load-balancer-controller.rules';
import { defineKind } from './define-kind';
import { encodeOptions } from './encode-options';

/** The target group attributes that wishes decide. */
type WishedAttributes = {
  -readonly [M in 'preserveClientIp' | 'stickiness' | 'stickinessType']?: NlbTargetGroupAttributes[M];
};

/**
 * The AWS Load Balancer Controller: Network Load Balancers of AWS for Services.
 *
 * It serves the Services of its class, adds the finalizer `service.k8s.aws/resources` and removes it when the balancer is
 * gone. Uninstalled before its Services it leaves them, and their namespaces, hanging; and a Service whose finalizer
 * somebody stripped leaves its balancer behind.
 *
 * - Instance targets (the default): nodes are targets, and `backendNodes` chooses them by label. With `backendNodes` and
 *   no traffic policy said, the policy is Local, so that only nodes with a pod answer.
 * - Ip targets: pods are targets, so node ports are not allocated and the traffic policy has no effect.
 *
 * What the request says of `clientAddress` and `sessionAffinity` becomes target group attributes, and is always written,
 * since AWS keeps an attribute that is no longer said.
 */
export class AwsLoadBalancerController implements ILoadBalancerController {
  /** @internal */
  public static readonly _kind: ControllerKind = defineKind({
    name: AWS_LBC,
    facts: {
      product: 'AWS Network Load Balancer',
      source: AWS_LBC_SOURCE,
      confidence: Confidence.SEEN,
      nodes: 'labels on the Service with instance targets; the pods alone with ip targets',
      remark: 'no webhook validates Services: a mistake is an event, and no balancer',
    },
    catalogue: AWS_LBC_CATALOGUE,
    finalizers: [AWS_LBC_FINALIZER],
    classes: [AWS_LBC_CLASS],
    claim,
    installed: () => AwsLoadBalancerController.nlb(),
    rules: AWS_LBC_RULES,
  });

  /**
   * A Network Load Balancer of the AWS Load Balancer Controller.
   *
   * @param options what the request does not say
   * @throws on a value that the controller would refuse, and on options that contradict each other
   */
  public static nlb(options: AwsLoadBalancerControllerNlbOptions = {}): AwsLoadBalancerController {
    return new AwsLoadBalancerController(options);
  }

  /** `aws-load-balancer-controller` */
  public readonly name = AWS_LBC;

  /** @internal */
  public readonly _class: string;
  /** @internal */
  public readonly _webhook: boolean;

  private readonly ip: boolean;
  private readonly annotations: Record<string, string>;
  private readonly withoutAttributes: Record<string, string>;

  private constructor(private readonly options: AwsLoadBalancerControllerNlbOptions) {
    this._class = options.loadBalancerClass ?? AWS_LBC_CLASS;
    this._webhook = options.serviceMutatorWebhook === true;
    const old = options.type === AwsLoadBalancerType.NLB_IP;
    const targetType = options.targetType ?? (old ? NlbTargetType.IP : NlbTargetType.INSTANCE);
    this.ip = targetType === NlbTargetType.IP;
    this.annotations = {
      ...encodeOptions(AWS_LBC, AWS_LBC_CATALOGUE, { ...options, targetType }),
      ...this.encodeMany('listenerAttributes', AWS.listenerAttributes, options.listenerAttributes),
      ...this.encodeMany('actions', AWS.actions, options.actions),
      ...this.encodeMany(
        'targetGroupAttributesPerPort',
        AWS.targetGroupAttributesPerPort,
        options.targetGroupAttributesPerPort?.map(({ port, attributes }) => ({ port, ...attributes })),
      ),
    };
    const { [AWS.targetGroupAttributes.key()]: _, ...others } = this.annotations;
    this.withoutAttributes = others;

    const classFault = labelKeyFault(this._class);
    if (classFault || !this._class.includes('/')) {
      throw new Error(
        `${AWS_LBC}: option loadBalancerClass: ${classFault ?? `'${this._class}' has no domain`}; write domain/name`,
      );
    }
    if (old && !this.ip) {
      throw new Error(
        `${AWS_LBC}: type '${options.type}' implies ip targets, not '${targetType}'; leave targetType out, or use EXTERNAL`,
      );
    }
    if (options.scheme !== undefined && options.internal !== undefined) {
      throw new Error(`${AWS_LBC}: internal is not read beside scheme '${options.scheme}'; use scheme alone`);
    }
    this.refuseContradictions();
  }

  /**
   * Answers a request.
   *
   * @param _scope not used: there are no side objects
   * @param request what is wished for
   */
  public bind(_scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan {
    const wishes = request.clientAddress !== undefined || request.sessionAffinity !== undefined;
    const draft = new PlanDraft(this.name, request, wishes ? this.withoutAttributes : this.annotations);
    const attributes: WishedAttributes = {};

    this.answerScheme(draft, request);
    this.answerIpFamilies(draft, request);
    this.answerProtocols(draft, request);
    this.answerProxyProtocol(draft, request);
    this.answerHealthCheck(draft, request.healthCheck);
    this.answerStaticAddresses(draft, request);
    this.answerBackendNodes(draft, request);
    this.answerSessionAffinity(draft, request, attributes);
    const preserves = this.answerClientAddress(draft, request, attributes);
    if (wishes) {
      const merged = { ...this.options.targetGroupAttributes, ...attributes };
      if (Object.keys(merged).length > 0) {
        draft.annotate(undefined, AWS.targetGroupAttributes, merged);
      }
    }
    if (request.trafficPolicy) {
      draft.honour(LoadBalancerWish.TRAFFIC_POLICY, `externalTrafficPolicy ${request.trafficPolicy}`);
    }
    const needsLocal = !this.ip && (preserves || request.backendNodes !== undefined);

    return draft.done({
      finalizer: AWS_LBC_FINALIZER,
      loadBalancerClass: this.options.type === undefined ? this._class : undefined,
      externalTrafficPolicy: request.trafficPolicy ?? (needsLocal ? TrafficPolicy.LOCAL : undefined),
      allocateLoadBalancerNodePorts: this.ip ? false : undefined,
      sourceRanges: this.answerSourceRanges(draft, request),
      ipFamilies: request.ipFamilies,
      nodeRestriction: draft.has(AWS.targetNodeLabels) ? NodeRestriction.ON_SERVICE : NodeRestriction.NONE,
    });
  }

  private answerScheme(draft: PlanDraft, request: LoadBalancerRequest): void {
    const wish = request.scheme === undefined ? undefined : LoadBalancerWish.SCHEME;
    if (this.options.internal !== undefined) {
      if (wish) draft.annotate(wish, AWS.internal, !request.internetFacing);
    } else if (wish || !draft.has(AWS.scheme)) {
      draft.annotate(wish, AWS.scheme, request.scheme ?? LoadBalancerScheme.INTERNAL);
    }
  }

  /** Whether the balancer will be public, by what the request or an option says. */
  private isPublic(request: LoadBalancerRequest): boolean {
    const byOption = this.options.scheme === LoadBalancerScheme.INTERNET_FACING || this.options.internal === false;
    return request.scheme === undefined ? byOption : request.internetFacing;
  }

  /** An IPv6 family needs a dualstack balancer, even alone. */
  private answerIpFamilies(draft: PlanDraft, request: LoadBalancerRequest): void {
    if (request.ipFamilies) {
      const type = request.ipFamilies.includes(IpFamily.IPV6) ? NlbIpAddressType.DUALSTACK : NlbIpAddressType.IPV4;
      draft.annotate(LoadBalancerWish.IP_FAMILIES, AWS.ipAddressType, type);
    }
  }

  private isDualstack(request: LoadBalancerRequest): boolean {
    return request.ipFamilies
      ? request.ipFamilies.includes(IpFamily.IPV6)
      : this.options.ipAddressType === NlbIpAddressType.DUALSTACK;
  }

  private answerProtocols(draft: PlanDraft, request: LoadBalancerRequest): void {
    const wish = LoadBalancerWish.PROTOCOLS;
    const sctp = request.ports.find((port) => port.protocol === PortProtocol.SCTP);
    if (sctp) {
      draft.refuse(wish, {
        what: `port ${sctp.port} is SCTP, and a Network Load Balancer has TCP and UDP only`,
        wayOut: 'balance TCP and UDP only',
        value: PortProtocol.SCTP,
      });
      return;
    }
    const udp = request.ports.filter(isUdp);
    if (udp.length === 0) {
      return;
    }
    draft.honour(wish, 'UDP listeners');
    if (udp.some((port) => request.ports.some((other) => other.port === port.port && !isUdp(other)))) {
      draft.annotate(wish, AWS.enableTcpUdpListener, true);
    }
    if (this.isDualstack(request)) {
      draft.annotate(wish, AWS.enablePrefixForIpv6SourceNat, true);
    }
  }

  private answerProxyProtocol(draft: PlanDraft, request: LoadBalancerRequest): void {
    const wish = LoadBalancerWish.PROXY_PROTOCOL;
    const { proxyProtocol, proxyProtocolPerTargetGroup, targetGroupAttributes, targetGroupAttributesPerPort } =
      this.options;
    const some =
      proxyProtocol ||
      proxyProtocolPerTargetGroup ||
      targetGroupAttributes?.proxyProtocolV2 ||
      targetGroupAttributesPerPort?.some(({ attributes }) => attributes.proxyProtocolV2);
    if (request.proxyProtocol === true && proxyProtocolPerTargetGroup) {
      draft.refuse(wish, {
        what: `proxyProtocol asks for every port, but the controller's option proxyProtocolPerTargetGroup says ${proxyProtocolPerTargetGroup.join(', ')}`,
        wayOut: 'say it in one place',
        value: 'true',
      });
    } else if (request.proxyProtocol === true) {
      draft.annotate(wish, AWS.proxyProtocol, true);
    } else if (request.proxyProtocol === false && some) {
      draft.refuse(wish, {
        what: 'proxyProtocol asks for none, but an option of the controller switches it on',
        wayOut: 'say it in one place',
        value: 'false',
      });
    } else if (request.proxyProtocol === false) {
      draft.honour(wish, 'the controller switches it off where nothing asks for it');
    }
  }

  private answerHealthCheck(draft: PlanDraft, check: HealthCheck | undefined): void {
    if (!check) {
      return;
    }
    const wish = LoadBalancerWish.HEALTH_CHECK;
    const write = <T>(entry: Annotation<T>, value: T | undefined) => {
      if (value !== undefined) draft.annotate(wish, entry, value);
    };
    const protocol = check.protocol ?? this.options.healthCheckProtocol;
    if (check.path !== undefined && protocol === HealthCheckProtocol.TCP) {
      draft.refuse(wish, {
        what: `the health check has the path '${check.path}', which TCP ignores`,
        wayOut: 'check by HTTP or HTTPS, or leave the path out',
        value: check.path,
      });
      return;
    }
    draft.honour(wish, 'health check of the target groups');
    write(AWS.healthCheckProtocol, check.protocol ?? (check.path && !protocol ? HealthCheckProtocol.HTTP : undefined));
    write(AWS.healthCheckPort, check.port === undefined ? undefined : String(check.port));
    write(AWS.healthCheckPath, check.path);
    write(AWS.healthCheckInterval, check.interval);
    write(AWS.healthCheckTimeout, check.timeout);
    write(AWS.healthCheckHealthyThreshold, check.healthyThreshold);
    write(AWS.healthCheckUnhealthyThreshold, check.unhealthyThreshold);
  }

  private answerStaticAddresses(draft: PlanDraft, request: LoadBalancerRequest): void {
    const addresses = request.staticAddresses;
    if (!addresses) {
      return;
    }
    const wish = LoadBalancerWish.STATIC_ADDRESSES;
    const isPublic = this.isPublic(request);
    const ipv6 = addresses.filter(isIpv6);
    const others = addresses.filter((address) => !isIpv6(address));
    const isEip = (address: string) => address.startsWith('eipalloc-');
    const odd = others.find((address) => isEip(address) !== isPublic);
    if (odd !== undefined) {
      draft.refuse(wish, {
        what: isPublic
          ? `a public balancer takes elastic IPs by allocation id, not the address '${odd}'`
          : `an internal balancer takes private addresses, not the elastic IP '${odd}'`,
        wayOut: isPublic
          ? 'allocate an elastic IP for each subnet and give the ids (eipalloc-…)'
          : 'give a private IPv4 address for each subnet, or make the balancer internet-facing',
        value: odd,
      });
      return;
    }
    if (ipv6.length > 0 && !this.isDualstack(request)) {
      draft.refuse(wish, notDualstack(`the fixed address ${ipv6[0]}`, ipv6[0]));
      return;
    }
    if (others.length > 0) draft.annotate(wish, isPublic ? AWS.eipAllocations : AWS.privateIpv4Addresses, others);
    if (ipv6.length > 0) draft.annotate(wish, AWS.ipv6Addresses, ipv6);
  }

  private answerBackendNodes(draft: PlanDraft, request: LoadBalancerRequest): void {
    const pool = request.backendNodes;
    if (!pool) {
      return;
    }
    if (this.ip) {
      draft.refuse(LoadBalancerWish.BACKEND_NODES, {
        what: `backend nodes cannot be chosen with ip targets, where pods are the targets, so not those of pool '${pool.name}'`,
        wayOut: 'use NlbTargetType.INSTANCE, or only pin the pods with NodePool.pin',
        value: pool.name,
      });
      return;
    }
    draft.annotate(LoadBalancerWish.BACKEND_NODES, AWS.targetNodeLabels, pool.labels);
  }

  private answerSessionAffinity(draft: PlanDraft, request: LoadBalancerRequest, attributes: WishedAttributes): void {
    const wish = LoadBalancerWish.SESSION_AFFINITY;
    const timeout = request.sessionAffinity?.timeout;
    if (!request.sessionAffinity) {
      return;
    }
    if (timeout) {
      draft.refuse(wish, {
        what: `sessionAffinity cannot end after ${timeout.toSeconds()} seconds: the stickiness of a target group has no timeout`,
        wayOut: 'leave the timeout out: stickiness.enabled=true,stickiness.type=source_ip is then written',
        value: String(timeout.toSeconds()),
      });
      return;
    }
    if (this.options.sslCert) {
      draft.refuse(wish, {
        what: 'sessionAffinity cannot be had with sslCert: TLS listeners keep no client on its target',
        wayOut: 'end TLS in the pods, or leave sessionAffinity out',
      });
      return;
    }
    this.wishAttribute(draft, request, wish, attributes, 'stickiness', true);
    this.wishAttribute(draft, request, wish, attributes, 'stickinessType', NlbStickinessType.SOURCE_IP);
    if (!this.ip) {
      draft.warn(wish, 'sticks-to-node', {
        what: 'a client is kept on one node by instance targets, not on one of the pods behind it',
        wayOut: 'use ip targets, or policy Local with one pod on each node',
      });
    }
  }

  /** Returns whether the address of the client has to survive the nodes too. */
  private answerClientAddress(draft: PlanDraft, request: LoadBalancerRequest, attributes: WishedAttributes): boolean {
    const wish = LoadBalancerWish.CLIENT_ADDRESS;
    if (request.clientAddress === undefined) {
      return false;
    }
    const preserve = request.clientAddress === ClientAddress.PRESERVE;
    if (preserve && !this.ip && request.trafficPolicy === TrafficPolicy.CLUSTER) {
      draft.refuse(wish, {
        what: 'the client address does not survive instance targets with traffic policy Cluster, where nodes replace it',
        wayOut: 'leave the traffic policy to the controller, or use ip targets',
        value: TrafficPolicy.CLUSTER,
      });
      return false;
    }
    const udp = request.ports.find(isUdp);
    if (!preserve && udp) {
      draft.refuse(wish, {
        what: `the client address cannot be replaced for port ${udp.port}, because a Network Load Balancer always keeps it for UDP`,
        wayOut: 'leave clientAddress out, or balance UDP by a Service of its own',
        value: PortProtocol.UDP,
      });
      return false;
    }
    this.wishAttribute(draft, request, wish, attributes, 'preserveClientIp', preserve);
    if (preserve && !this.ip) {
      draft.honour(wish, `externalTrafficPolicy ${TrafficPolicy.LOCAL}`);
    } else if (!preserve && !this.ip) {
      const local = request.trafficPolicy === TrafficPolicy.LOCAL || request.backendNodes !== undefined;
      const seen =
        local && request.trafficPolicy !== TrafficPolicy.CLUSTER ? 'the balancer' : 'a node, or the balancer';
      draft.honour(wish, `the pod sees ${seen}`);
    }
    return preserve;
  }

  /** A target group attribute for a wish; one that an option says otherwise, for all ports or for one, is a problem. */
  private wishAttribute<M extends keyof WishedAttributes>(
    draft: PlanDraft,
    request: LoadBalancerRequest,
    wish: LoadBalancerWish,
    attributes: WishedAttributes,
    member: M,
    value: NonNullable<WishedAttributes[M]>,
  ): void {
    const key = targetGroupAttributeKey(member);
    const { targetGroupAttributes, targetGroupAttributesPerPort } = this.options;
    const perPort = (targetGroupAttributesPerPort ?? [])
      .filter(({ port }) => request.ports.some((other) => other.port === port))
      .map((own): [string, NlbTargetGroupAttributes] => [`targetGroupAttributesPerPort ${own.port}`, own.attributes]);
    const said: [string, NlbTargetGroupAttributes | undefined][] = [
      ['targetGroupAttributes', targetGroupAttributes],
      ...perPort,
    ];
    const other = said.find(([, own]) => own?.[member] !== undefined && own[member] !== value);
    if (other) {
      draft.refuse(wish, {
        what: `${wish} asks for ${key}=${value}, but the controller's option ${other[0]} already says '${other[1]?.[member]}'`,
        wayOut: 'say it in one place',
        value: String(value),
      });
      return;
    }
    attributes[member] = value;
    draft.honour(wish, `${key}=${value}`);
  }

  private answerSourceRanges(draft: PlanDraft, request: LoadBalancerRequest): string[] | undefined {
    const ranges = request.sourceRanges;
    if (!ranges) {
      return undefined;
    }
    const wish = LoadBalancerWish.SOURCE_RANGES;
    const { loadBalancerSourceRanges: old, securityGroups } = this.options;
    const ipv6 = this.isDualstack(request) ? undefined : ranges.find(isIpv6);
    if (securityGroups) {
      draft.refuse(wish, {
        what: `source ranges ${ranges.join(', ')} are ignored with the option securityGroups, ${securityGroups.join(', ')}`,
        wayOut: 'write them as rules of those groups, or leave the groups to the controller',
        value: ranges.join(', '),
      });
    } else if (ipv6) {
      draft.refuse(wish, notDualstack(`the source range ${ipv6}`, ipv6));
    } else if (old && old.join() !== ranges.join()) {
      draft.refuse(wish, {
        what: `sourceRanges asks for ${ranges.join(', ')}, but the controller's option loadBalancerSourceRanges already says '${old.join(', ')}'`,
        wayOut: 'say it in one place',
        value: ranges.join(', '),
      });
    } else {
      draft.honour(wish, 'spec.loadBalancerSourceRanges');
      return ranges;
    }
    return undefined;
  }

  /** The annotations of an option that is said for single ports. */
  private encodeMany<T extends { readonly port: number; readonly protocol?: string }>(
    option: string,
    entry: Annotation<Omit<T, 'port' | 'protocol'>>,
    values: readonly T[] = [],
  ): Record<string, string> {
    const annotations: Record<string, string> = {};
    for (const { port, protocol, ...value } of values) {
      const key = entry.key({ port, protocol: protocol ?? '' });
      try {
        if (!Number.isInteger(port) || port < 1 || port > 65535 || !entry.match(key)) {
          throw new Error(`'${[protocol, port].filter(Boolean).join('-')}' is no listener`);
        }
        if (key in annotations) {
          throw new Error(`port ${port} stands twice`);
        }
        annotations[key] = entry.fact.codec.encode(value);
      } catch (error) {
        throw new Error(`${AWS_LBC}: option ${option}: ${(error as Error).message}; use ${entry.fact.codec.says}`);
      }
    }
    return annotations;
  }

  /** What the rules find in the options alone can never be right. */
  private refuseContradictions(): void {
    const alone: Json = { metadata: { annotations: this.annotations } };
    const context = { kubernetes: KubernetesVersion.V1_34 };
    const found = contradictionsIn(this.annotations).flatMap((rule) => rule.judge(alone, context) ?? []);
    if (found.length > 0) {
      throw new Error(`${AWS_LBC}: ${found[0].what}; ${found[0].wayOut}`);
    }
  }
}

function isUdp(port: LoadBalancerPort): boolean {
  return port.protocol === PortProtocol.UDP;
}

function notDualstack(what: string, value: string) {
  return {
    what: `${what} needs a dualstack balancer, and this one is of IPv4`,
    wayOut: 'wish for ipFamilies with IPv6, or set the option ipAddressType to DUALSTACK',
    value,
  };
}

/** The class decides; without one the annotations do. pkg/service/service_utils.go, v3.5.0 */
function claim(service: Json, controller: ILoadBalancerController | undefined): Claim {
  const installed = controller instanceof AwsLoadBalancerController ? controller : undefined;
  const served = installed?._class ?? AWS_LBC_CLASS;
  const loadBalancerClass = classOf(service);
  const annotations = annotationsOf(service);
  const type = annotations[AWS.type.key()];
  if (loadBalancerClass !== undefined) {
    return loadBalancerClass === served
      ? { claimed: 'yes', because: `it serves class ${served}` }
      : { claimed: 'no', because: `it serves class ${served}, and this Service has '${loadBalancerClass}'` };
  }
  if (installed?._webhook) {
    return { claimed: 'yes', because: `its webhook gives class ${served} to a Service that is created without one` };
  }
  if (type === AwsLoadBalancerType.NLB_IP) {
    return { claimed: 'yes', because: `the Service has type ${type} and no class` };
  }
  if (type !== AwsLoadBalancerType.EXTERNAL) {
    return { claimed: 'no', because: `the Service has neither class ${served} nor a type annotation for it` };
  }
  const targetType = annotations[AWS.targetType.key()];
  return targetType === NlbTargetType.IP || targetType === NlbTargetType.INSTANCE
    ? { claimed: 'yes', because: `the Service has type ${type} with target type ${targetType} and no class` }
    : { claimed: 'no', because: `type ${type} claims a Service only together with target type ip or instance` };
}

import type { Construct } from 'constructs';
import { ClientAddress } from '../contract/client-address';
import { IpFamily } from '../contract/ip-family';
import { Confidence, LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import type { LoadBalancerPlan } from '../contract/load-balancer-plan';
import { PortProtocol } from '../contract/load-balancer-port';
import type { LoadBalancerRequest } from '../contract/load-balancer-request';
import { LoadBalancerWish } from '../contract/load-balancer-wish';
import { NodeRestriction } from '../contract/node-restriction';
import { PlanDraft } from '../contract/plan-draft';
import { TrafficPolicy } from '../contract/traffic-policy';
import type { ControllerKind } from '../rules/controller-kind';
import { annotationsOf } from '../rules/service-json';
import {
  AWS_CLOUD,
  AWS_CLOUD_CATALOGUE,
  AWS_CLOUD_CONTROLLER,
  AWS_CLOUD_SOURCE,
  CLASSIC_ONLY,
  IMPLEMENTED_ELSEWHERE,
  NLB_ONLY,
  NLB_TYPE,
} from './aws-cloud-provider.annotations';
import {
  AwsBackendProtocol,
  type AwsCloudProviderClassicOptions,
  type AwsCloudProviderNlbOptions,
  type AwsCloudProviderTargetGroupAttributes,
} from './aws-cloud-provider.options';
import { AWS_CLOUD_RULES } from './aws-cloud-provider.rules';
import { claimsWithoutClass } from './claims';
import { defineKind } from './define-kind';
import { encodeOptions } from './encode-options';

/**
 * The AWS cloud provider: the cloud controller manager of Kubernetes on AWS. It makes Classic Load Balancers, and
 * Network Load Balancers where asked to, always with instances as targets.
 *
 * It serves Services without a class, through the service controller of Kubernetes, so the finalizer is that of KEP-980.
 * Where the AWS Load Balancer Controller runs with its webhook for Services, that one takes new Services without a class
 * away; on EKS Auto Mode the class is defaulted. Its balancers are named after the UID of the Service: a Service that is
 * made anew gets a new balancer, and an orphan cannot be adopted.
 *
 * The backend is restricted to a node pool by labels on the Service, and the traffic by policy Local.
 */
export class AwsCloudProvider implements ILoadBalancerController {
  /** @internal */
  public static readonly _kind: ControllerKind = defineKind({
    name: AWS_CLOUD_CONTROLLER,
    facts: {
      product: 'Classic Load Balancer, Network Load Balancer',
      source: AWS_CLOUD_SOURCE,
      confidence: Confidence.SOURCE,
      nodes: 'labels on the Service',
      remark: 'instances are the targets; one protocol a Service; Classic: TCP only',
    },
    catalogue: AWS_CLOUD_CATALOGUE,
    finalizers: [LOAD_BALANCER_CLEANUP_FINALIZER],
    classes: [],
    claim(service) {
      const type: unknown = annotationsOf(service)[AWS_CLOUD.type.key()];
      const claim = claimsWithoutClass(service);
      return claim.claimed === 'yes' && IMPLEMENTED_ELSEWHERE.includes(String(type))
        ? { claimed: 'no', because: `type '${type}' is implemented elsewhere: it adds its finalizer and releases it` }
        : claim;
    },
    installed: () => AwsCloudProvider.classic(),
    rules: AWS_CLOUD_RULES,
  });

  /**
   * A Network Load Balancer.
   *
   * @param options what the request does not say
   * @throws on a value that the controller would refuse, and on an option of a Classic Load Balancer
   */
  public static nlb(options: AwsCloudProviderNlbOptions = {}): AwsCloudProvider {
    return new AwsCloudProvider(options, true);
  }

  /**
   * A Classic Load Balancer, which terminates TCP: the pods see its address, or must speak proxy protocol.
   *
   * @param options what the request does not say
   * @throws on a value that the controller would refuse, and on an option of a Network Load Balancer
   */
  public static classic(options: AwsCloudProviderClassicOptions = {}): AwsCloudProvider {
    return new AwsCloudProvider(options, false);
  }

  /** `cloud-provider-aws` */
  public readonly name = AWS_CLOUD_CONTROLLER;

  private readonly annotations: Record<string, string>;
  private readonly attributes: AwsCloudProviderTargetGroupAttributes;

  private constructor(
    options: AwsCloudProviderNlbOptions & AwsCloudProviderClassicOptions,
    private readonly isNlb: boolean,
  ) {
    const annotations = encodeOptions(AWS_CLOUD_CONTROLLER, AWS_CLOUD_CATALOGUE, options);
    refuseStrays(annotations, options, isNlb);
    // a request has its say in these as well
    delete annotations[AWS_CLOUD.targetGroupAttributes.key()];
    this.annotations = isNlb ? { ...annotations, [AWS_CLOUD.type.key()]: NLB_TYPE } : annotations;
    this.attributes = options.targetGroupAttributes ?? {};
  }

  /**
   * Answers a request.
   *
   * @param _scope not used: there are no side objects
   * @param request what is wished for
   */
  public bind(_scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan {
    const draft = new PlanDraft(this.name, request, this.annotations);

    const scheme = request.scheme === undefined ? undefined : LoadBalancerWish.SCHEME;
    if (scheme || !draft.has(AWS_CLOUD.internal)) {
      draft.annotate(scheme, AWS_CLOUD.internal, !request.internetFacing);
    }
    this.answerProtocols(draft, request);
    if (request.trafficPolicy) {
      draft.honour(LoadBalancerWish.TRAFFIC_POLICY, `externalTrafficPolicy ${request.trafficPolicy}`);
    }
    if (this.isNlb) {
      this.answerByTargetGroups(draft, request);
    } else {
      answerByListeners(draft, request);
    }
    if (request.sessionAffinity) {
      draft.refuse(LoadBalancerWish.SESSION_AFFINITY, {
        what: 'sessionAffinity must be None',
        wayOut: 'leave it out, or use a controller that honours it',
        value: 'ClientIP',
      });
    }
    if (request.ipFamilies && !request.ipFamilies.includes(IpFamily.IPV6)) {
      draft.honour(LoadBalancerWish.IP_FAMILIES, 'balancers are IPv4');
    }
    if (request.backendNodes) {
      draft.annotate(LoadBalancerWish.BACKEND_NODES, AWS_CLOUD.targetNodeLabels, request.backendNodes.labels);
    }
    if (request.sourceRanges) {
      draft.honour(LoadBalancerWish.SOURCE_RANGES, 'spec.loadBalancerSourceRanges');
    }
    this.answerStaticAddresses(draft, request);
    answerHealthCheck(draft, request);

    return draft.done({
      finalizer: LOAD_BALANCER_CLEANUP_FINALIZER,
      externalTrafficPolicy: request.trafficPolicy ?? (this.needsLocal(request) ? TrafficPolicy.LOCAL : undefined),
      ipFamilies: request.ipFamilies,
      sourceRanges: request.sourceRanges,
      nodeRestriction: draft.has(AWS_CLOUD.targetNodeLabels) ? NodeRestriction.ON_SERVICE : NodeRestriction.NONE,
    });
  }

  /** A node hides the client behind its own address unless it serves its own pods only. */
  private needsLocal(request: LoadBalancerRequest): boolean {
    const preserved = this.isNlb && request.clientAddress === ClientAddress.PRESERVE && !this.headed(request);
    return request.backendNodes !== undefined || preserved;
  }

  /** Whether connections tell the client's address in a header, which survives every hop. */
  private headed(request: LoadBalancerRequest): boolean {
    return request.proxyProtocol === true || this.attributes.proxyProtocolV2 === true;
  }

  private answerProtocols(draft: PlanDraft, request: LoadBalancerRequest): void {
    const said = request.protocols.join(' and ');
    if (request.protocols.length > 1) {
      draft.refuse(LoadBalancerWish.PROTOCOLS, {
        what: `one Service cannot mix ${said}`,
        wayOut: 'make one Service for each protocol',
        value: said,
      });
    } else if (this.isNlb && said === PortProtocol.UDP) {
      draft.honour(LoadBalancerWish.PROTOCOLS, 'UDP listeners');
    } else if (said === PortProtocol.UDP) {
      draft.refuse(LoadBalancerWish.PROTOCOLS, {
        what: 'a Classic Load Balancer cannot balance UDP',
        wayOut: 'use AwsCloudProvider.nlb()',
        value: said,
      });
    }
  }

  private answerByTargetGroups(draft: PlanDraft, request: LoadBalancerRequest): void {
    const attributes: { preserveClientIp?: boolean; proxyProtocolV2?: boolean } = { ...this.attributes };
    const want = (wish: LoadBalancerWish, attribute: keyof typeof attributes, value: boolean) => {
      if ((attributes[attribute] ?? value) !== value) {
        draft.refuse(wish, {
          what: `${wish} asks for ${attribute} ${value}, but the option targetGroupAttributes says ${attributes[attribute]}`,
          wayOut: 'say it in one place',
          value: String(value),
        });
        return;
      }
      attributes[attribute] = value;
      draft.honour(wish, `${attribute} ${value}`);
    };

    if (request.proxyProtocol !== undefined) {
      want(LoadBalancerWish.PROXY_PROTOCOL, 'proxyProtocolV2', request.proxyProtocol);
    }
    if (request.clientAddress === ClientAddress.REPLACE) {
      want(LoadBalancerWish.CLIENT_ADDRESS, 'preserveClientIp', false);
    } else if (request.clientAddress === ClientAddress.PRESERVE && this.headed(request)) {
      draft.honour(LoadBalancerWish.CLIENT_ADDRESS, 'proxy protocol v2');
    } else if (request.clientAddress === ClientAddress.PRESERVE && request.trafficPolicy === TrafficPolicy.CLUSTER) {
      draft.refuse(LoadBalancerWish.CLIENT_ADDRESS, {
        what: 'with externalTrafficPolicy Cluster nodes replace the client address by their own',
        wayOut: 'leave trafficPolicy out, set it to LOCAL, or use proxyProtocol',
        value: TrafficPolicy.CLUSTER,
      });
    } else if (request.clientAddress === ClientAddress.PRESERVE && attributes.preserveClientIp !== undefined) {
      want(LoadBalancerWish.CLIENT_ADDRESS, 'preserveClientIp', true);
    } else if (request.clientAddress === ClientAddress.PRESERVE) {
      draft.honour(
        LoadBalancerWish.CLIENT_ADDRESS,
        'instances see it, and with externalTrafficPolicy Local their pods',
      );
    }
    if (Object.keys(attributes).length > 0) {
      draft.annotate(undefined, AWS_CLOUD.targetGroupAttributes, attributes);
    }
  }

  private answerStaticAddresses(draft: PlanDraft, request: LoadBalancerRequest): void {
    const addresses = request.staticAddresses;
    if (!addresses) {
      return;
    }
    const wish = LoadBalancerWish.STATIC_ADDRESSES;
    if (!this.isNlb) {
      draft.refuse(wish, {
        what: `a Classic Load Balancer has no fixed addresses, with value ${addresses.join(', ')}`,
        wayOut: 'use AwsCloudProvider.nlb()',
        value: addresses.join(', '),
      });
      return;
    }
    const isPublic = request.internetFacing || this.annotations[AWS_CLOUD.internal.key()] === 'false';
    draft.annotate(wish, isPublic ? AWS_CLOUD.eipAllocations : AWS_CLOUD.privateIpv4Addresses, addresses);
  }
}

/** Throws on an option that the other kind of balancer would understand. */
function refuseStrays(
  annotations: Record<string, string>,
  options: AwsCloudProviderClassicOptions,
  isNlb: boolean,
): void {
  const [own, other] = isNlb ? ['nlb', 'classic'] : ['classic', 'nlb'];
  const stray = (isNlb ? CLASSIC_ONLY : NLB_ONLY).find((entry) => annotations[entry.key()] !== undefined);
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

/** A Classic Load Balancer ends connections and makes new ones. */
function answerByListeners(draft: PlanDraft, request: LoadBalancerRequest): void {
  const on = draft.has(AWS_CLOUD.proxyProtocol);
  if (request.proxyProtocol === true) {
    draft.annotate(LoadBalancerWish.PROXY_PROTOCOL, AWS_CLOUD.proxyProtocol, true);
  } else if (request.proxyProtocol === false && !on) {
    draft.honour(LoadBalancerWish.PROXY_PROTOCOL, 'off by default');
  } else if (request.proxyProtocol === false) {
    draft.refuse(LoadBalancerWish.PROXY_PROTOCOL, {
      what: 'proxyProtocol false contradicts the option proxyProtocol',
      wayOut: 'say it in one place',
      value: 'false',
    });
  }

  const wish = LoadBalancerWish.CLIENT_ADDRESS;
  if (request.clientAddress === ClientAddress.REPLACE) {
    draft.honour(wish, 'the pod sees the balancer');
  } else if (request.clientAddress === ClientAddress.PRESERVE && request.proxyProtocol === false) {
    draft.refuse(wish, {
      what: 'behind a Classic Load Balancer the client address survives by proxy protocol only, which the request switches off',
      wayOut: 'leave proxyProtocol out, or use AwsCloudProvider.nlb()',
      value: 'proxyProtocol: false',
    });
  } else if (request.clientAddress === ClientAddress.PRESERVE) {
    draft.annotate(wish, AWS_CLOUD.proxyProtocol, true);
    draft.warn(wish, 'pod-must-speak-proxy-protocol', {
      what: 'the client address is kept by proxy protocol, which every pod behind this Service must understand',
      wayOut: 'switch it on in the pods, or use AwsCloudProvider.nlb()',
    });
  }
}

function answerHealthCheck(draft: PlanDraft, request: LoadBalancerRequest): void {
  const check = request.healthCheck;
  if (!check) {
    return;
  }
  const wish = LoadBalancerWish.HEALTH_CHECK;
  draft.honour(wish, 'health check annotations');
  if (check.protocol) draft.annotate(wish, AWS_CLOUD.healthCheckProtocol, check.protocol);
  if (check.port !== undefined) draft.annotate(wish, AWS_CLOUD.healthCheckPort, String(check.port));
  if (check.path !== undefined) draft.annotate(wish, AWS_CLOUD.healthCheckPath, check.path);
  if (check.interval) draft.annotate(wish, AWS_CLOUD.healthCheckInterval, check.interval);
  if (check.timeout) draft.annotate(wish, AWS_CLOUD.healthCheckTimeout, check.timeout);
  if (check.healthyThreshold !== undefined) {
    draft.annotate(wish, AWS_CLOUD.healthCheckHealthyThreshold, check.healthyThreshold);
  }
  if (check.unhealthyThreshold !== undefined) {
    draft.annotate(wish, AWS_CLOUD.healthCheckUnhealthyThreshold, check.unhealthyThreshold);
  }
}

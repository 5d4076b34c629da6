import { isIP } from 'node:net';
import type { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import type { Json } from '../../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../contract/kubernetes.facts';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import type { ILoadBalancerController, LoadBalancerRequest } from '../../contract/load-balancer-request';
import type { MadeBalancer } from '../../contract/made-balancer';
import {
  IpFamily,
  type LoadBalancerPlan,
  LoadBalancerWish,
  NodeRestriction,
  PortProtocol,
  TrafficPolicy,
} from '../../contract/options';
import { PlanDraft } from '../../contract/plan-draft';
import type { DefinedController } from '../../rules/controller-definition';
import { classOf } from '../../rules/service-json';
import { answerByPolicy, honourTrafficPolicy, refuseProxyProtocol } from '../shared/answers';
import { defineController, encodeOptions } from '../shared/definition';
import { answerRollout } from '../shared/rollout';
import { GKE, GKE_CATALOGUE, GKE_CLASS, GKE_CONTROLLER, GKE_GROUPS } from './annotations';
import { GKE_DESCRIPTOR } from './descriptor.facts';
import { isOfOlderGeneration, madeByGke, schemeOf } from './made';
import { GkeLoadBalancerGeneration, type GkeOptions } from './options';
import { REFUSALS } from './refusals.facts';
import { GKE_RULES } from './rules';

/**
 * Passthrough Network Load Balancers of GKE, external and internal. Packets reach the nodes as the client sent them; a
 * pod sees the address of the client with traffic policy Local.
 *
 * There is no selector for nodes. With policy Local only nodes that run a pod of the Service get traffic, so the
 * placement of the pods is the backend.
 *
 * GKE's own finalizers decide which of its controllers has a Service, and are never written. The finalizer of KEP-980 is
 * declared for the legacy generations only, which go through the service controller of Kubernetes or a fork of it.
 */
export class Gke implements ILoadBalancerController {
  /** @internal */
  public static readonly _kind: DefinedController = defineController(() => ({
    ...GKE_DESCRIPTOR,
    // packets reach the nodes as the client sent them
    handles: () => [],
    declarable: (service, controller) =>
      (controller instanceof Gke ? controller.isLegacy : isOfOlderGeneration(service))
        ? [LOAD_BALANCER_CLEANUP_FINALIZER]
        : [],
    writtenAnnotations: GKE_GROUPS.written.map(({ fact }) => fact.key),
    claim(service) {
      const loadBalancerClass = classOf(service);
      if (loadBalancerClass === undefined) {
        return { claimed: 'yes', because: 'the Service has no class' };
      }
      return Object.values(GKE_CLASS).includes(String(loadBalancerClass))
        ? { claimed: 'yes', because: `'${loadBalancerClass}' is a class of GKE` }
        : { claimed: 'no', because: `'${loadBalancerClass}' is not a class of GKE` };
    },
    schemeOf,
    installed: () => Gke.passthrough(),
    sharing: () => '',
    // the newer controller takes only nodes with a pod for a backend of policy Local
    makes: madeByGke,
    backendNodes: (service) => (isOfOlderGeneration(service) ? { labels: {}, byPodsAlone: true } : undefined),
    variants: {
      legacy: () => Gke.passthrough({ generation: GkeLoadBalancerGeneration.LEGACY }),
      legacyClass: () => Gke.passthrough({ generation: GkeLoadBalancerGeneration.LEGACY_CLASS }),
      backendServiceAnnotation: () =>
        Gke.passthrough({ generation: GkeLoadBalancerGeneration.BACKEND_SERVICE_ANNOTATION }),
    },
    rules: GKE_RULES,
  }));

  /**
   * A passthrough Network Load Balancer.
   *
   * @param options what the request does not decide
   * @throws on a value that GKE would not read, and on an option that the generation does not know
   */
  public static passthrough(options: GkeOptions = {}): Gke {
    refuseWrongProps('Gke.passthrough', 'GkeOptions', options);
    return new Gke(options);
  }

  /** `gke` */
  public readonly name = GKE_CONTROLLER;

  private readonly annotations: Record<string, string>;
  private readonly generation: GkeLoadBalancerGeneration;

  private constructor(options: GkeOptions) {
    this.annotations = encodeOptions(GKE_CONTROLLER, GKE_CATALOGUE, options);
    this.generation = options.generation ?? GkeLoadBalancerGeneration.CLASS;
    if (!Object.values(GkeLoadBalancerGeneration).includes(this.generation)) {
      throw new Error(
        `${GKE_CONTROLLER}: option generation: '${this.generation}' is not known; use ${Object.values(GkeLoadBalancerGeneration).join(', ')}`,
      );
    }
    const stray = (this.isLegacy ? GKE_GROUPS.l4 : GKE_GROUPS.legacy).find(
      (entry) => this.annotations[entry.key()] !== undefined,
    );
    if (stray) {
      throw new Error(
        `${GKE_CONTROLLER}: option ${stray.fact.option} is not read by the controller of generation '${this.generation}'; leave it out, or choose another generation`,
      );
    }
    if (options.ipCollectionV6 !== undefined && options.loadBalancerSubnet !== undefined) {
      throw new Error(`${GKE_CONTROLLER}: options ipCollectionV6 and loadBalancerSubnet exclude each other; keep one`);
    }
  }

  private get isLegacy(): boolean {
    return (
      this.generation === GkeLoadBalancerGeneration.LEGACY || this.generation === GkeLoadBalancerGeneration.LEGACY_CLASS
    );
  }

  /**
   * Answers a request.
   *
   * @param scope not used: there are no side objects
   * @param request the wishes
   */
  public bind(scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan {
    void scope;
    const draft = new PlanDraft(this.name, request, this.annotations);
    const loadBalancerClass = this.answerScheme(draft, request);
    if (loadBalancerClass !== undefined && !request.kubernetes.isAtLeast(KubernetesVersion.V1_33)) {
      draft.refuseBy(REFUSALS.olderKubernetes, { value: request.kubernetes.version });
    }
    this.answerProtocols(draft, request);
    this.answerIpFamilies(draft, request);
    honourTrafficPolicy(draft, request);
    const weighs = draft.has(GKE.weightedLoadBalancing) ? TrafficPolicy.LOCAL : undefined;
    const externalTrafficPolicy = answerByPolicy(draft, request, weighs, 'GKE takes nodes of any pool');
    draft.honourIf({ sessionAffinity: 'spec.sessionAffinity', sourceRanges: 'spec.loadBalancerSourceRanges' });
    const loadBalancerIp = this.answerStaticAddresses(draft, request);
    refuseProxyProtocol(draft, request, REFUSALS.proxyProtocol);
    if (request.healthCheck) {
      draft.refuseBy(REFUSALS.healthCheck, { value: request.healthCheck.protocol });
    }

    return draft.done({
      finalizer: this.isLegacy ? LOAD_BALANCER_CLEANUP_FINALIZER : undefined,
      loadBalancerClass,
      rollout: answerRollout(draft, request, externalTrafficPolicy, (service) =>
        this.makes(service, loadBalancerClass),
      ),
      externalTrafficPolicy,
      ipFamilies: request.ipFamilies,
      sessionAffinity: request.sessionAffinity,
      sourceRanges: request.sourceRanges,
      loadBalancerIp,
      nodeRestriction: request.backendNodes ? NodeRestriction.BY_POD_PLACEMENT : NodeRestriction.NONE,
    });
  }

  private makes(service: Json, loadBalancerClass: string | undefined): MadeBalancer | undefined {
    return madeByGke({ ...service, spec: { ...service.spec, loadBalancerClass } });
  }

  private answerScheme(draft: PlanDraft, request: LoadBalancerRequest): string | undefined {
    const wish = request.scheme === undefined ? undefined : LoadBalancerWish.SCHEME;
    const external = request.internetFacing;
    const byClass = (loadBalancerClass: string) => {
      if (wish) {
        draft.honour(wish, `class ${loadBalancerClass}`);
      }
      return loadBalancerClass;
    };
    switch (this.generation) {
      case GkeLoadBalancerGeneration.CLASS:
        return byClass(external ? GKE_CLASS.external : GKE_CLASS.internal);
      case GkeLoadBalancerGeneration.LEGACY_CLASS:
        return byClass(external ? GKE_CLASS.externalLegacy : GKE_CLASS.internalLegacy);
      default:
    }
    if (!external) {
      draft.annotate(wish, GKE.loadBalancerType, true);
    } else if (this.generation === GkeLoadBalancerGeneration.BACKEND_SERVICE_ANNOTATION) {
      draft.annotate(wish, GKE.l4Rbs, true);
    } else {
      draft.honour(LoadBalancerWish.SCHEME, 'balancers are external by default');
    }
    return undefined;
  }

  private answerProtocols(draft: PlanDraft, request: LoadBalancerRequest): void {
    const value = request.protocols.join(' and ');
    if (request.protocols.includes(PortProtocol.SCTP)) {
      draft.refuseBy(REFUSALS.sctp, { value });
    } else if (this.isLegacy && request.protocols.length > 1) {
      draft.refuseBy(REFUSALS.mixedProtocols, { value, generation: this.generation });
    } else if (value !== PortProtocol.TCP) {
      draft.honour(LoadBalancerWish.PROTOCOLS, value);
    }
  }

  private answerIpFamilies(draft: PlanDraft, { ipFamilies }: LoadBalancerRequest): void {
    if (this.isLegacy && ipFamilies?.includes(IpFamily.IPV6)) {
      const found = { value: ipFamilies.join(', '), families: ipFamilies.join(' and '), generation: this.generation };
      draft.refuseBy(REFUSALS.ipv6, found);
    } else if (ipFamilies) {
      draft.honour(LoadBalancerWish.IP_FAMILIES, 'spec.ipFamilies');
    }
  }

  /** `spec.loadBalancerIP`, where an address is there. */
  private answerStaticAddresses(draft: PlanDraft, request: LoadBalancerRequest): string | undefined {
    const addresses = request.staticAddresses;
    if (!addresses) {
      return undefined;
    }
    const wish = LoadBalancerWish.STATIC_ADDRESSES;
    const value = addresses.join(', ');
    if (!this.isLegacy && addresses.some((address) => isIP(address) !== 0)) {
      draft.refuseBy(REFUSALS.addressByNumber, { value });
    } else if (!this.isLegacy) {
      draft.annotate(wish, GKE.loadBalancerIpAddresses, addresses);
    } else if (addresses.length !== 1 || isIP(addresses[0]) !== 4) {
      draft.refuseBy(REFUSALS.addressOfOlder, { value, generation: this.generation });
    } else {
      draft.honour(wish, `spec.loadBalancerIP ${value}`);
      return addresses[0];
    }
    return undefined;
  }
}

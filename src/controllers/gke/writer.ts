import { isIP } from 'node:net';
import type { Json } from '../../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../contract/kubernetes.facts';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import type { LoadBalancerModel } from '../../contract/load-balancer-model';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import {
  IpFamily,
  type LoadBalancerPlan,
  LoadBalancerWish,
  NodeRestriction,
  PortProtocol,
  TrafficPolicy,
} from '../../contract/options';
import { PlanDraft } from '../../contract/plan-draft';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { classOf } from '../../rules/service-json';
import { answerByPolicy, honourTrafficPolicy, refuseProxyProtocol } from '../shared/answers';
import { encodeOptions } from '../shared/definition';
import { answerRollout } from '../shared/rollout';
import { GKE, GKE_CATALOGUE, GKE_CLASS, GKE_CONTROLLER, GKE_GROUPS } from './annotations';
import type { Gke } from './controller';
import { GKE_DESCRIPTOR } from './descriptor.facts';
import { gkeModel, isOfOlderGeneration, schemeOf } from './model';
import { GkeLoadBalancerGeneration, type GkeOptions } from './options';
import { REFUSALS } from './refusals.facts';
import { GKE_RULES } from './rules';

export const definition = (own: typeof Gke): ControllerDefinition => ({
  ...GKE_DESCRIPTOR,
  // packets reach the nodes as the client sent them
  handles: () => [],
  declarable: (service, controller) =>
    ((controller as Partial<Gke> | undefined)?._writer?.isLegacy ?? isOfOlderGeneration(service))
      ? [LOAD_BALANCER_CLEANUP_FINALIZER]
      : [],
  finalizersDependOn: (service, controller) =>
    classOf(service) === undefined &&
    isOfOlderGeneration(service) &&
    !(controller as Partial<Gke> | undefined)?._writer?.isLegacy
      ? 'finalizers that the GKE cluster decides; name the generation of gke in load-balancers.yaml, set the class of a new listener'
      : undefined,
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
  installed: () => own.passthrough(),
  sharing: () => '',
  // the newer controller takes only nodes with a pod for a backend of policy Local
  makes: gkeModel,
  backendNodes: (service) => (isOfOlderGeneration(service) ? { labels: {}, byPodsAlone: true } : undefined),
  variants: {
    legacy: () => own.passthrough({ generation: GkeLoadBalancerGeneration.LEGACY }),
    legacyClass: () => own.passthrough({ generation: GkeLoadBalancerGeneration.LEGACY_CLASS }),
    backendServiceAnnotation: () =>
      own.passthrough({ generation: GkeLoadBalancerGeneration.BACKEND_SERVICE_ANNOTATION }),
  },
  rules: GKE_RULES,
});

export class GkeWriter {
  private readonly annotations: Record<string, string>;
  private readonly generation: GkeLoadBalancerGeneration;

  public constructor(options: GkeOptions) {
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

  public get isLegacy(): boolean {
    return (
      this.generation === GkeLoadBalancerGeneration.LEGACY || this.generation === GkeLoadBalancerGeneration.LEGACY_CLASS
    );
  }

  public bind(request: LoadBalancerRequest): LoadBalancerPlan {
    const draft = new PlanDraft(GKE_CONTROLLER, request, this.annotations);
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

  private makes(service: Json, loadBalancerClass: string | undefined): LoadBalancerModel | undefined {
    return gkeModel({ ...service, spec: { ...service.spec, loadBalancerClass } });
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

import type { Construct } from 'constructs';
import type { Annotation } from '../../contract/annotation-catalogue';
import { refuseWrongProps } from '../../contract/declared-types';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../contract/kubernetes.facts';
import type {
  ILoadBalancerController,
  ISharingLoadBalancerController,
  LoadBalancerRequest,
} from '../../contract/load-balancer-request';
import { type LoadBalancerPlan, LoadBalancerWish, PortProtocol } from '../../contract/options';
import { PlanDraft } from '../../contract/plan-draft';
import type { DefinedController } from '../../rules/controller-definition';
import { defineController } from '../shared/definition';
import { answerRollout } from '../shared/rollout';
import { AZURE, AZURE_CONTROLLER } from './annotations';
import {
  answerBackendNodes,
  answerHealthCheck,
  answerStaticAddresses,
  answerTraffic,
  entryOf,
  restrictionOf,
} from './answers';
import { AZURE_DESCRIPTOR } from './descriptor.facts';
import { type AnyAzureOptions, type AzureInstallation, encodeAzureOptions } from './encoding';
import { madeByAzure } from './made';
import type { AzureBasicOptions, AzureMultipleStandardOptions, AzureStandardOptions } from './options';
import { type AzureSku, backendNodes, forwardsSctp, handlingByAzure, ignoredByAzure, schemeOf } from './reading';
import { AZURE_RULES } from './rules';
import { AZURE_UPGRADES } from './upgrades.facts';

const OPTIONS = ['AzureStandardOptions', 'AzureBasicOptions', 'AzureMultipleStandardOptions'];

/**
 * The Azure cloud provider: the Azure Load Balancer of AKS and of clusters that run it themselves.
 *
 * It serves Services without a class, through the service controller of Kubernetes, so the finalizer is that of KEP-980,
 * and a class of any kind means that no Azure balancer is made.
 *
 * A Service does not make a balancer here but a frontend: a cluster has one balancer for its public and one for its
 * internal Services (with `multipleStandard` one pair a configuration, with `basic` one pair a VM set). What the plan
 * counts as load balancers are frontends: one for a Service of its own, none for one that shares an address.
 */
export class AzureCloudProvider implements ISharingLoadBalancerController {
  /** @internal */
  public static readonly _kind: DefinedController = defineController(() => ({
    ...AZURE_DESCRIPTOR,
    cloudConfigKeys: /^cloud-config$|(^|[-.])azure\.json$/,
    upgrades: AZURE_UPGRADES,
    // pkg/provider/azure.go of v1.36.5
    excludedNodes: { byPresence: true },
    handles: handlingByAzure,
    schemeOf,
    ignores: ignoredByAzure,
    makes: madeByAzure,
    sharing: () => '',
    backendNodes,
    // of a cluster that is not described; it answers like a single Standard balancer, which AKS makes today
    installed: () => new AzureCloudProvider('standard', {}, undefined, false),
    variants: {
      multipleStandard: () => AzureCloudProvider.multipleStandard(),
      basic: () => AzureCloudProvider.basic(),
    },
    rules: AZURE_RULES,
  }));

  /**
   * A cluster with Standard balancers, one for each scheme: what AKS makes today.
   *
   * Every node of every pool is a backend. Traffic is kept on the wished nodes by the pods alone, with traffic policy
   * Local: nodes without a pod fail the probe within ten seconds.
   *
   * @param options what the request does not decide
   * @throws on a value that the controller would refuse
   */
  public static standard(options: AzureStandardOptions = {}): AzureCloudProvider {
    refuseWrongProps('AzureCloudProvider.standard', 'AzureStandardOptions', options, ...OPTIONS);
    return new AzureCloudProvider('standard', options);
  }

  /**
   * A cluster with several Standard balancers, each with a configuration of its own that says which nodes it serves. A
   * public preview of AKS: it may change, and is not for production.
   *
   * With traffic policy Local a Service has a backend pool of its own, which holds the nodes of its endpoints (filled
   * every 30 seconds). The configurations are made with `az aks loadbalancer add`; nothing in a manifest makes them.
   *
   * @param options what the request does not decide
   * @throws on a value that the controller would refuse
   */
  public static multipleStandard(options: AzureMultipleStandardOptions = {}): AzureCloudProvider {
    refuseWrongProps('AzureCloudProvider.multipleStandard', 'AzureMultipleStandardOptions', options, ...OPTIONS);
    return new AzureCloudProvider('multiple-standard', options);
  }

  /**
   * A cluster with Basic balancers, each for the nodes of one VM set: Azure Stack Hub, and clusters of the past. Azure
   * retired Basic balancers on 2025-09-30, so every Service carries the warning `azure-basic-retired`.
   *
   * @param options what the request does not decide
   * @throws on a value that the controller would refuse
   */
  public static basic(options: AzureBasicOptions = {}): AzureCloudProvider {
    refuseWrongProps('AzureCloudProvider.basic', 'AzureBasicOptions', options, ...OPTIONS);
    return new AzureCloudProvider('basic', options);
  }

  /** `cloud-provider-azure` */
  public readonly name = AZURE_CONTROLLER;

  /**
   * The balancers that the cluster has; undefined where that is unknown.
   * @internal
   */
  public readonly _sku?: AzureSku;

  private readonly installation: AzureInstallation;

  private constructor(
    sku: AzureSku,
    private readonly options: AnyAzureOptions,
    sharedAddress?: string,
    given = true,
  ) {
    this._sku = given ? sku : undefined;
    this.installation = { sku, sharedAddress, annotations: encodeAzureOptions(sku, options) };
  }

  /**
   * A controller like this one whose Services share one frontend.
   *
   * @param key an IP address, or for public balancers the name of a public IP. A public address must exist already; the
   *   Services on it must not use the same port and protocol
   * @throws when configurations are chosen as well: the address decides the balancer
   */
  public shared(key: string): ILoadBalancerController {
    // whatever an option may not be, a key may not be either
    const { sku } = this.installation;
    encodeAzureOptions(sku, { ...this.options, [entryOf(key).fact.option as string]: key });
    return new AzureCloudProvider(sku, this.options, key, this._sku !== undefined);
  }

  /**
   * Answers a request.
   *
   * @param scope not used: there are no side objects
   * @param request the wishes
   */
  public bind(scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan {
    void scope;
    const { sku, annotations, sharedAddress } = this.installation;
    const draft = new PlanDraft(this.name, request, annotations);
    const internal = this.isInternal(request);

    this.answerScheme(draft, request);
    this.answerProtocols(draft, request, internal);
    const trafficPolicy = answerTraffic(draft, request, sku);
    answerBackendNodes(draft, request, this.installation);
    this.answerSourceRanges(draft, request);
    answerStaticAddresses(draft, request, this.installation, internal);
    this.answerProxyProtocol(draft, request);
    answerHealthCheck(draft, request, sku, trafficPolicy);
    if (request.sessionAffinity) {
      draft.honour(LoadBalancerWish.SESSION_AFFINITY, 'rules with load distribution SourceIP');
    }
    if (request.ipFamilies) {
      draft.honour(LoadBalancerWish.IP_FAMILIES, 'a frontend for each of spec.ipFamilies');
    }

    return draft.done({
      finalizer: LOAD_BALANCER_CLEANUP_FINALIZER,
      rollout: answerRollout(draft, request, trafficPolicy, (service) => madeByAzure(service, this)),
      externalTrafficPolicy: trafficPolicy,
      sessionAffinity: request.sessionAffinity,
      ipFamilies: request.ipFamilies,
      sourceRanges: this.ownRanges === undefined ? request.sourceRanges : undefined,
      nodeRestriction: restrictionOf(request, sku),
      loadBalancers: sharedAddress === undefined ? 1 : 0,
    });
  }

  /** By which option the network security group has ranges already. */
  private get ownRanges(): Annotation<string[]> | undefined {
    return [AZURE.allowedIpRanges, AZURE.loadBalancerSourceRanges].find(
      (entry) => entry.key() in this.installation.annotations,
    );
  }

  private isInternal(request: LoadBalancerRequest): boolean {
    return AZURE.loadBalancerInternal.on(this.installation.annotations) ?? !request.internetFacing;
  }

  private answerScheme(draft: PlanDraft, request: LoadBalancerRequest): void {
    const wish = request.scheme === undefined ? undefined : LoadBalancerWish.SCHEME;
    if (request.internetFacing && !draft.has(AZURE.loadBalancerInternal)) {
      draft.honour(LoadBalancerWish.SCHEME, 'balancers are public by default');
    } else if (wish || !draft.has(AZURE.loadBalancerInternal)) {
      draft.annotate(wish, AZURE.loadBalancerInternal, !request.internetFacing);
    }
  }

  private answerProtocols(draft: PlanDraft, request: LoadBalancerRequest, internal: boolean): void {
    const wish = LoadBalancerWish.PROTOCOLS;
    const sctp = request.ports.find((port) => port.protocol === PortProtocol.SCTP);
    if (sctp && !forwardsSctp(internal, this.installation.sku)) {
      draft.refuse(wish, {
        what: `${internal ? 'a Basic' : 'a public'} balancer cannot forward SCTP port ${sctp.port}`,
        remedy: 'use an internal Standard balancer, or another protocol',
        value: PortProtocol.SCTP,
      });
    } else if (request.wishes.includes(wish)) {
      draft.honour(wish, 'a rule for each port; only TCP is probed');
    }
  }

  private answerSourceRanges(draft: PlanDraft, request: LoadBalancerRequest): void {
    const wish = LoadBalancerWish.SOURCE_RANGES;
    if (request.sourceRanges && this.ownRanges) {
      draft.refuse(wish, {
        what: `sourceRanges '${request.sourceRanges.join(',')}' cannot be set beside the option ${this.ownRanges.fact.option}`,
        remedy: 'set the ranges in one place',
        value: request.sourceRanges.join(','),
      });
    } else if (request.sourceRanges) {
      draft.honour(wish, 'spec.loadBalancerSourceRanges');
    }
  }

  private answerProxyProtocol(draft: PlanDraft, request: LoadBalancerRequest): void {
    const wish = LoadBalancerWish.PROXY_PROTOCOL;
    if (request.proxyProtocol === undefined) {
      return;
    }
    if (AZURE.plsCreate.on(this.installation.annotations)) {
      draft.annotate(wish, AZURE.plsProxyProtocol, request.proxyProtocol);
    } else if (request.proxyProtocol) {
      draft.refuse(wish, {
        what: 'an Azure Load Balancer does not support proxyProtocol, only its private link service does',
        remedy: 'set the option plsCreate, or use clientAddress PRESERVE',
        value: 'true',
      });
    } else {
      draft.honour(wish, 'the balancer never speaks it');
    }
  }
}

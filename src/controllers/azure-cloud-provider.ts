import { isIP } from 'node:net';
import type { Construct } from 'constructs';
import type { Annotation, AnyAnnotation } from '../contract/annotation-catalogue';
import { ClientAddress } from '../contract/client-address';
import { HealthCheckProtocol } from '../contract/health-check';
import { Confidence, LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import { isIpv6 } from '../contract/kubernetes-syntax';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import type { LoadBalancerPlan } from '../contract/load-balancer-plan';
import { PortProtocol } from '../contract/load-balancer-port';
import type { LoadBalancerRequest } from '../contract/load-balancer-request';
import { LoadBalancerWish } from '../contract/load-balancer-wish';
import { NodeRestriction } from '../contract/node-restriction';
import { type DraftFinding, PlanDraft } from '../contract/plan-draft';
import type { ISharingLoadBalancerController } from '../contract/sharing-load-balancer-controller';
import { TrafficPolicy } from '../contract/traffic-policy';
import type { ControllerKind } from '../rules/controller-kind';
import {
  AUTOMATIC_VM_SET,
  AZURE,
  AZURE_CATALOGUE,
  AZURE_CONTROLLER,
  AZURE_IGNORED,
  AZURE_SOURCE,
  type AzureSku,
} from './azure-cloud-provider.annotations';
import { type AnyAzureOptions, encodeAzureOptions } from './azure-cloud-provider.encoding';
import type {
  AzureBasicOptions,
  AzureMultipleStandardOptions,
  AzureStandardOptions,
} from './azure-cloud-provider.options';
import { forwardsSctp, isPublicAddress } from './azure-cloud-provider.reading';
import { AZURE_RULES } from './azure-cloud-provider.rules';
import { claimsWithoutClass } from './claims';
import { defineKind } from './define-kind';

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
  public static readonly _kind: ControllerKind = defineKind({
    name: AZURE_CONTROLLER,
    facts: {
      product: 'Azure Load Balancer',
      source: AZURE_SOURCE,
      confidence: Confidence.SOURCE,
      nodes: 'Standard: pinned pods; multiple Standard: configurations; Basic: the name of a VM set',
      remark: 'one balancer for all Services of a scheme; Basic is retired',
    },
    catalogue: AZURE_CATALOGUE,
    finalizers: [LOAD_BALANCER_CLEANUP_FINALIZER],
    classes: [],
    claim: claimsWithoutClass,
    installed: () => AzureCloudProvider.standard(),
    rules: AZURE_RULES,
  });

  /**
   * A cluster with Standard balancers, one for each scheme: what AKS makes today.
   *
   * Every node of every pool is a backend. Traffic is kept on the wished nodes by the pods alone, with traffic policy
   * Local: nodes without a pod fail the probe within ten seconds.
   *
   * @param options what the request does not say
   * @throws on a value that the controller would refuse
   */
  public static standard(options: AzureStandardOptions = {}): AzureCloudProvider {
    return new AzureCloudProvider('standard', options);
  }

  /**
   * A cluster with several Standard balancers, each with a configuration of its own that says which nodes it serves. A
   * public preview of AKS: it may change, and is not for production.
   *
   * With traffic policy Local a Service has a backend pool of its own, which holds the nodes of its endpoints (filled
   * every 30 seconds). The configurations are made with `az aks loadbalancer add`; nothing in a manifest makes them.
   *
   * @param options what the request does not say
   * @throws on a value that the controller would refuse
   */
  public static multipleStandard(options: AzureMultipleStandardOptions = {}): AzureCloudProvider {
    return new AzureCloudProvider('multiple-standard', options);
  }

  /**
   * A cluster with Basic balancers, each for the nodes of one VM set: Azure Stack Hub, and clusters of the past. Azure
   * retired Basic balancers on 2025-09-30, so every plan carries the warning `azure-basic-retired`.
   *
   * @param options what the request does not say
   * @throws on a value that the controller would refuse
   */
  public static basic(options: AzureBasicOptions = {}): AzureCloudProvider {
    return new AzureCloudProvider('basic', options);
  }

  /** `cloud-provider-azure` */
  public readonly name = AZURE_CONTROLLER;

  private readonly annotations: Record<string, string>;

  private constructor(
    /** @internal */
    public readonly _sku: AzureSku,
    private readonly options: AnyAzureOptions,
    private readonly sharedAddress?: string,
  ) {
    this.annotations = encodeAzureOptions(_sku, options);
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
    encodeAzureOptions(this._sku, { ...this.options, [entryOf(key).fact.option as string]: key });
    return new AzureCloudProvider(this._sku, this.options, key);
  }

  /**
   * Answers a request.
   *
   * @param _scope not used: there are no side objects
   * @param request what is wished for
   */
  public bind(_scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan {
    const draft = new PlanDraft(this.name, request, this.annotations);
    const internal = this.isInternal(request);
    if (this._sku === 'basic') {
      draft.warn(undefined, 'azure-basic-retired', {
        what: 'Basic load balancers were retired on 2025-09-30, and AKS moves the availability sets of such clusters',
        wayOut: 'use AzureCloudProvider.standard() or multipleStandard()',
      });
    }

    this.answerScheme(draft, request);
    this.answerProtocols(draft, request, internal);
    const trafficPolicy = this.answerTraffic(draft, request);
    this.answerBackendNodes(draft, request);
    this.answerSourceRanges(draft, request);
    this.answerStaticAddresses(draft, request, internal);
    this.answerProxyProtocol(draft, request);
    this.answerHealthCheck(draft, request, trafficPolicy);
    if (request.sessionAffinity) {
      draft.honour(LoadBalancerWish.SESSION_AFFINITY, 'rules with load distribution SourceIP');
    }
    if (request.ipFamilies) {
      draft.honour(LoadBalancerWish.IP_FAMILIES, 'a frontend for each of spec.ipFamilies');
    }

    return draft.done({
      finalizer: LOAD_BALANCER_CLEANUP_FINALIZER,
      externalTrafficPolicy: trafficPolicy,
      sessionAffinity: request.sessionAffinity,
      ipFamilies: request.ipFamilies,
      sourceRanges: this.ownRanges === undefined ? request.sourceRanges : undefined,
      nodeRestriction: this.restriction(request),
      loadBalancers: this.sharedAddress === undefined ? 1 : 0,
    });
  }

  /** By which option the network security group has ranges already. */
  private get ownRanges(): Annotation<string[]> | undefined {
    return [AZURE.allowedIpRanges, AZURE.loadBalancerSourceRanges].find((entry) => entry.key() in this.annotations);
  }

  private isInternal(request: LoadBalancerRequest): boolean {
    return AZURE.loadBalancerInternal.on(this.annotations) ?? !request.internetFacing;
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
    if (sctp && !forwardsSctp(internal, this._sku)) {
      draft.refuse(wish, {
        what: `${internal ? 'a Basic' : 'a public'} balancer cannot forward SCTP port ${sctp.port}`,
        wayOut: 'use an internal Standard balancer, or another protocol',
        value: PortProtocol.SCTP,
      });
    } else if (request.wishes.includes(wish)) {
      draft.honour(wish, 'a rule for each port; only TCP is probed');
    }
  }

  /** The traffic policy, and the wishes that stand or fall with it. */
  private answerTraffic(draft: PlanDraft, request: LoadBalancerRequest): TrafficPolicy | undefined {
    const byPods = request.backendNodes !== undefined && this._sku === 'standard';
    const wish = LoadBalancerWish.CLIENT_ADDRESS;
    const said = request.trafficPolicy;
    if (said) {
      draft.honour(LoadBalancerWish.TRAFFIC_POLICY, `externalTrafficPolicy ${said}`);
    }
    if (request.clientAddress === ClientAddress.REPLACE) {
      if (said === TrafficPolicy.LOCAL || (byPods && !said)) {
        draft.refuse(wish, {
          what: `clientAddress cannot be replaced with traffic policy Local${said ? '' : ', which backendNodes needs'}`,
          wayOut: 'use traffic policy Cluster, or leave clientAddress out',
          value: ClientAddress.REPLACE,
        });
        return TrafficPolicy.LOCAL;
      }
      draft.honour(wish, 'externalTrafficPolicy Cluster');
      return TrafficPolicy.CLUSTER;
    }
    if (request.clientAddress === ClientAddress.PRESERVE) {
      if (said === TrafficPolicy.CLUSTER) {
        draft.refuse(wish, {
          what: 'clientAddress cannot be preserved with traffic policy Cluster, by which the node replaces it',
          wayOut: 'use traffic policy Local, or leave it out',
          value: ClientAddress.PRESERVE,
        });
        return said;
      }
      draft.honour(wish, 'externalTrafficPolicy Local');
      return TrafficPolicy.LOCAL;
    }
    return said ?? (request.backendNodes ? TrafficPolicy.LOCAL : undefined);
  }

  private restriction(request: LoadBalancerRequest): NodeRestriction {
    if (!request.backendNodes) {
      return NodeRestriction.NONE;
    }
    return this._sku === 'standard' ? NodeRestriction.BY_POD_PLACEMENT : NodeRestriction.ON_SERVICE;
  }

  private answerBackendNodes(draft: PlanDraft, request: LoadBalancerRequest): void {
    const wish = LoadBalancerWish.BACKEND_NODES;
    const pool = request.backendNodes;
    if (!pool) {
      return;
    }
    if (this._sku === 'standard') {
      if (request.trafficPolicy === TrafficPolicy.CLUSTER) {
        draft.refuse(wish, {
          what: `backendNodes '${pool.name}' cannot be kept with traffic policy Cluster: every node of a single Standard balancer is a backend`,
          wayOut: 'use traffic policy Local, or leave it out',
          value: pool.name,
        });
      } else {
        draft.honour(wish, 'externalTrafficPolicy Local: nodes without a pod fail the probe');
      }
      return;
    }
    const entry: AnyAnnotation = this._sku === 'basic' ? AZURE.mode : AZURE.configurations;
    const chosen = this.annotations[entry.key()];
    if (chosen !== undefined && chosen !== AUTOMATIC_VM_SET) {
      draft.honour(wish, `${entry.key()}: ${chosen}`);
      return;
    }
    draft.refuse(
      wish,
      this._sku === 'basic'
        ? {
            what: `backendNodes '${pool.name}' cannot be kept ${chosen ? 'while the controller chooses the VM set' : 'without the name of their VM set, which Azure numbers by itself'}`,
            wayOut: `pass AzureCloudProvider.basic({ virtualMachineSet }), such as '<pool>-availabilitySet-27255451'`,
            value: pool.name,
          }
        : {
            what: `backendNodes '${pool.name}' cannot be kept without the configurations whose balancers serve them`,
            wayOut: 'pass AzureCloudProvider.multipleStandard({ configurations })',
            value: pool.name,
          },
    );
  }

  private answerSourceRanges(draft: PlanDraft, request: LoadBalancerRequest): void {
    const wish = LoadBalancerWish.SOURCE_RANGES;
    if (request.sourceRanges && this.ownRanges) {
      draft.refuse(wish, {
        what: `sourceRanges '${request.sourceRanges.join(',')}' cannot stand beside the option ${this.ownRanges.fact.option}`,
        wayOut: 'say the ranges in one place',
        value: request.sourceRanges.join(','),
      });
    } else if (request.sourceRanges) {
      draft.honour(wish, 'spec.loadBalancerSourceRanges');
    }
  }

  private answerStaticAddresses(draft: PlanDraft, request: LoadBalancerRequest, internal: boolean): void {
    const wish = request.staticAddresses ? LoadBalancerWish.STATIC_ADDRESSES : undefined;
    const shared = this.sharedAddress === undefined ? [] : [this.sharedAddress];
    const addresses = [...new Set([...(request.staticAddresses ?? []), ...shared])];
    for (const address of addresses) {
      const wrong = this.addressFault(address, addresses, internal);
      if (wrong) {
        draft.refuse(wish, { ...wrong, value: address });
      } else {
        draft.annotate(wish, entryOf(address), address);
      }
    }
  }

  /** Why the frontend cannot have an address or the public IP of a name. */
  private addressFault(address: string, all: string[], internal: boolean): Omit<DraftFinding, 'value'> | undefined {
    const entry = entryOf(address);
    const other = all.find((one) => one !== address && entryOf(one) === entry);
    if (internal && !isIP(address)) {
      return {
        what: `an internal balancer cannot have a public IP, with value '${address}'`,
        wayOut: 'use a private IP address, or a public balancer',
      };
    }
    if (!internal && isIP(address) && !isPublicAddress(address)) {
      return {
        what: `a public balancer cannot have the address '${address}'`,
        wayOut: 'use the address of a public IP, or an internal balancer',
      };
    }
    if (all.some((one) => (isIP(one) === 0) !== (isIP(address) === 0))) {
      return { what: `names and addresses cannot be mixed, as in '${all.join(', ')}'`, wayOut: 'use either' };
    }
    if (other !== undefined) {
      return {
        what: `a frontend cannot have both '${address}' and '${other}'`,
        wayOut: 'use one address of each family, or one name and the option pipNameIpv6',
      };
    }
    if (AZURE_IGNORED[this._sku].includes(entry)) {
      return { what: `a Basic balancer cannot have a fixed address '${address}'`, wayOut: 'use an IPv4 address' };
    }
    return AZURE.configurations.key() in this.annotations
      ? {
          what: `'${address}' cannot be fixed while configurations choose the balancer`,
          wayOut: 'leave out the option configurations: the address decides',
        }
      : undefined;
  }

  private answerProxyProtocol(draft: PlanDraft, request: LoadBalancerRequest): void {
    const wish = LoadBalancerWish.PROXY_PROTOCOL;
    if (request.proxyProtocol === undefined) {
      return;
    }
    if (AZURE.plsCreate.on(this.annotations)) {
      draft.annotate(wish, AZURE.plsProxyProtocol, request.proxyProtocol);
    } else if (request.proxyProtocol) {
      draft.refuse(wish, {
        what: 'proxyProtocol is spoken by private link services only, not by an Azure Load Balancer',
        wayOut: 'set the option plsCreate, or use clientAddress PRESERVE',
        value: 'true',
      });
    } else {
      draft.honour(wish, 'the balancer never speaks it');
    }
  }

  private answerHealthCheck(draft: PlanDraft, request: LoadBalancerRequest, policy: TrafficPolicy | undefined): void {
    const check = request.healthCheck;
    if (!check) {
      return;
    }
    const wish = LoadBalancerWish.HEALTH_CHECK;
    const probed = request.ports.filter((port) => (port.protocol ?? PortProtocol.TCP) === PortProtocol.TCP);
    if (probed.length === 0 && policy !== TrafficPolicy.LOCAL) {
      draft.refuse(wish, {
        what: `ports of ${request.protocols.join(' and ')} have no healthCheck with traffic policy Cluster`,
        wayOut: 'leave it out, or use traffic policy Local',
        value: request.protocols.join(','),
      });
      return;
    }
    draft.honour(wish, `${check.protocol ?? HealthCheckProtocol.TCP} probe`);
    if (check.protocol === HealthCheckProtocol.HTTPS && this._sku === 'basic') {
      draft.refuse(wish, {
        what: 'a Basic balancer cannot probe by https and falls back to tcp',
        wayOut: 'probe by http or tcp',
        value: HealthCheckProtocol.HTTPS,
      });
    } else if (check.protocol) {
      draft.annotate(wish, AZURE.healthProbeProtocol, check.protocol);
      // appProtocol of a port goes before the annotation of the Service, that of the port before both
      for (const { port } of probed.filter(
        (one) => one.appProtocol && one.appProtocol.toLowerCase() !== check.protocol,
      )) {
        draft.annotate(wish, AZURE.portHealthProbeProtocol, check.protocol, { port });
      }
    }
    if (check.port !== undefined) {
      for (const { port } of probed) {
        draft.annotate(wish, AZURE.portHealthProbePort, String(check.port), { port });
      }
    }
    if (check.path !== undefined) draft.annotate(wish, AZURE.healthProbeRequestPath, check.path);
    if (check.interval) draft.annotate(wish, AZURE.healthProbeInterval, check.interval);
    if (check.unhealthyThreshold !== undefined) {
      draft.annotate(wish, AZURE.healthProbeNumOfProbe, check.unhealthyThreshold);
    }
    for (const [word, value] of [
      ['healthyThreshold', check.healthyThreshold],
      ['timeout', check.timeout?.toSeconds()],
    ] as const) {
      if (value !== undefined) {
        draft.refuse(wish, {
          what: `a probe of Azure has no ${word}, with value ${value}`,
          wayOut: 'leave it out; interval and unhealthyThreshold say when a node is taken out',
          value: String(value),
        });
      }
    }
  }
}

/** Where an address, or the name of a public IP, is written. */
function entryOf(address: string): Annotation<string> {
  if (!isIP(address)) {
    return AZURE.pipName;
  }
  return isIpv6(address) ? AZURE.loadBalancerIpv6 : AZURE.loadBalancerIpv4;
}

import type { Construct } from 'constructs';
import type { Annotation } from '../../contract/annotation-catalogue';
import { refuseWrongProps } from '../../contract/declared-types';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../contract/kubernetes.facts';
import { portFault } from '../../contract/kubernetes-syntax';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import type {
  ILoadBalancerController,
  ISharingLoadBalancerController,
  LoadBalancerRequest,
} from '../../contract/load-balancer-request';
import { HealthCheckProtocol, type LoadBalancerPlan, LoadBalancerWish, PortProtocol } from '../../contract/options';
import { PlanDraft } from '../../contract/plan-draft';
import type { DefinedController } from '../../rules/controller-definition';
import { refuseProxyProtocol } from '../shared/answers';
import { defineController, encodeOptions } from '../shared/definition';
import { answerRollout } from '../shared/rollout';
import { AZURE, AZURE_CATALOGUE, AZURE_CONTROLLER, AZURE_GROUPS } from './annotations';
import {
  answerBackendNodes,
  answerHealthCheck,
  answerStaticAddresses,
  answerTraffic,
  entryOf,
  restrictionOf,
} from './answers';
import { AUTOMATIC_VM_SET } from './codecs';
import { AZURE_DESCRIPTOR } from './descriptor.facts';
import {
  type AnyAzureOptions,
  AZURE_IGNORED,
  type AzureInstallation,
  type AzureSku,
  backendNodes,
  forwardsSctp,
  handlingByAzure,
  ignoredByAzure,
  madeByAzure,
  schemeOf,
} from './made';
import type { AzureBasicOptions, AzureMultipleStandardOptions, AzureStandardOptions } from './options';
import { REFUSALS } from './refusals.facts';
import { AZURE_OPTION_RULES, AZURE_RULES } from './rules';
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
    if (request.proxyProtocol !== undefined && AZURE.plsCreate.on(annotations)) {
      draft.annotate(LoadBalancerWish.PROXY_PROTOCOL, AZURE.plsProxyProtocol, request.proxyProtocol);
    } else {
      refuseProxyProtocol(draft, request, REFUSALS.proxyProtocol);
    }
    answerHealthCheck(draft, request, sku, trafficPolicy);
    draft.honourIf({
      sessionAffinity: 'rules with load distribution SourceIP',
      ipFamilies: 'a frontend for each of spec.ipFamilies',
    });

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
    const sctp = request.ports.find((port) => port.protocol === PortProtocol.SCTP);
    if (sctp && !forwardsSctp(internal, this.installation.sku)) {
      draft.refuseBy(REFUSALS.sctp, {
        value: PortProtocol.SCTP,
        balancer: internal ? 'a Basic' : 'a public',
        port: sctp.port,
      });
    } else {
      draft.honourIf({ protocols: 'a rule for each port; only TCP is probed' });
    }
  }

  private answerSourceRanges(draft: PlanDraft, request: LoadBalancerRequest): void {
    const { fact: { option } = {} } = this.ownRanges ?? {};
    if (request.sourceRanges && option) {
      draft.refuseBy(REFUSALS.rangesTwice, { value: request.sourceRanges.join(','), option });
    } else {
      draft.honourIf({ sourceRanges: 'spec.loadBalancerSourceRanges' });
    }
  }
}

const FACTORIES: Readonly<Record<AzureSku, string>> = {
  standard: 'standard()',
  'multiple-standard': 'multipleStandard()',
  basic: 'basic()',
};

function encodeAzureOptions(sku: AzureSku, options: AnyAzureOptions): Record<string, string> {
  refuseIgnored(sku, options);
  const annotations = {
    ...encodeOptions(AZURE_CONTROLLER, AZURE_CATALOGUE, options),
    ...encodeVirtualMachineSet(options),
    ...encodePorts(options),
  };
  refuseContradictions(annotations);
  return annotations;
}

function fault(what: string, remedy: string): Error {
  return new Error(`${AZURE_CONTROLLER}: ${what}; ${remedy}`);
}

function refuseIgnored(sku: AzureSku, options: AnyAzureOptions): void {
  const ignored = AZURE_IGNORED[sku].map((entry) => entry.fact.option as string);
  if (sku !== 'basic') {
    ignored.push('automaticVirtualMachineSet');
  }
  for (const [option, value] of Object.entries(options)) {
    if (value !== undefined && value !== null && ignored.includes(option)) {
      throw fault(
        `option ${option} is ignored by the balancers of ${FACTORIES[sku]}`,
        'leave it out, or use the factory that fits the cluster: standard(), multipleStandard() or basic()',
      );
    }
  }
  const protocols = {
    healthProbeProtocol: [options.healthProbeProtocol],
    portHealthProbeProtocol: Object.values(options.portHealthProbeProtocol ?? {}),
  };
  for (const [option, written] of Object.entries(protocols)) {
    if (sku === 'basic' && written.includes(HealthCheckProtocol.HTTPS)) {
      throw fault(`option ${option}: a Basic balancer takes 'https' for tcp`, 'probe by http or tcp');
    }
  }
}

function encodeVirtualMachineSet(options: AnyAzureOptions): Record<string, string> {
  if (!options.automaticVirtualMachineSet) {
    return {};
  }
  if (options.virtualMachineSet !== undefined) {
    throw fault(
      `option automaticVirtualMachineSet excludes virtualMachineSet '${options.virtualMachineSet}'`,
      'keep the one that the Service needs',
    );
  }
  return { [AZURE.mode.key()]: AZURE.mode.encode(AUTOMATIC_VM_SET) };
}

function encodePorts(options: object): Record<string, string> {
  const annotations: Record<string, string> = {};
  for (const { key, port, entry, value } of portOptions(options)) {
    const wrong = /^[1-9]\d*$/.test(port) ? portFault(Number(port)) : `'${port}' is not a port number`;
    if (wrong) {
      throw fault(`option ${entry.fact.option}: ${wrong}`, 'use the numbers of ports of the Service as keys');
    }
    try {
      annotations[key] = entry.fact.codec.encode(value);
    } catch (error) {
      throw fault(
        `option ${entry.fact.option}: port ${port}: ${(error as Error).message}`,
        `use ${entry.fact.codec.says}`,
      );
    }
  }
  return annotations;
}

function portOptions(options: object) {
  const given = options as Record<string, Record<string, unknown> | undefined>;
  return AZURE_GROUPS.ports.flatMap((entry) =>
    Object.entries(given[entry.fact.option as string] ?? {}).map(([port, value]) => ({
      entry,
      key: entry.key({ port }),
      port,
      value,
    })),
  );
}

/** What no Service could put right is refused at once, by the rules that validate finished Services. */
function refuseContradictions(annotations: Record<string, string>): void {
  const named = Object.keys(annotations).flatMap((key) =>
    AZURE_GROUPS.ports.flatMap((entry) => entry.match(key)?.port ?? []),
  );
  const ports = [...new Set(named.length > 0 ? named : ['443'])].map((port) => ({ port }));
  for (const rule of AZURE_OPTION_RULES) {
    const written = rule.judge({ metadata: { annotations }, spec: { ports } }, { kubernetes: KubernetesVersion.V1_34 });
    for (const finding of written === undefined ? [] : [written].flat()) {
      throw fault(finding.what, finding.remedy);
    }
  }
}

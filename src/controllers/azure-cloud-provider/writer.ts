import type { Annotation } from '../../contract/annotation-catalogue';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../contract/kubernetes.facts';
import { portFault } from '../../contract/kubernetes-syntax';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { HealthCheckProtocol, type LoadBalancerPlan, LoadBalancerWish, PortProtocol } from '../../contract/options';
import { PlanDraft } from '../../contract/plan-draft';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { refuseProxyProtocol } from '../shared/answers';
import { encodeOptions } from '../shared/definition';
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
import type { AzureCloudProvider } from './controller';
import { AZURE_DESCRIPTOR } from './descriptor.facts';
import {
  type AnyAzureOptions,
  AZURE_IGNORED,
  type AzureInstallation,
  type AzureSku,
  azureModel,
  backendNodes,
  forwardsSctp,
  handlingByAzure,
  ignoredByAzure,
  schemeOf,
} from './model';
import { REFUSALS } from './refusals.facts';
import { AZURE_OPTION_RULES, AZURE_RULES } from './rules';
import { AZURE_UPGRADES } from './upgrades.facts';

export const definition = (own: typeof AzureCloudProvider): ControllerDefinition => ({
  ...AZURE_DESCRIPTOR,
  cloudConfigKeys: /^cloud-config$|(^|[-.])azure\.json$/,
  upgrades: AZURE_UPGRADES,
  // pkg/provider/azure.go of v1.36.5
  excludedNodes: { byPresence: true },
  handles: handlingByAzure,
  schemeOf,
  ignores: ignoredByAzure,
  makes: azureModel,
  sharing: () => '',
  backendNodes,
  // of a cluster that is not described; it answers like a single Standard balancer, which AKS makes today
  installed: () => own._of(new AzureCloudProviderWriter('standard', {}, undefined, false)),
  variants: {
    multipleStandard: () => own.multipleStandard(),
    basic: () => own.basic(),
  },
  rules: AZURE_RULES,
});

export class AzureCloudProviderWriter {
  public readonly sku?: AzureSku;
  private readonly installation: AzureInstallation;

  public constructor(
    private readonly way: string,
    private readonly options: AnyAzureOptions,
    sharedAddress?: string,
    private readonly isDescribed = true,
  ) {
    const sku = way === 'multipleStandard' ? 'multiple-standard' : (way as AzureSku);
    this.sku = isDescribed ? sku : undefined;
    this.installation = { sku, sharedAddress, annotations: encodeAzureOptions(sku, options) };
  }

  public shared(key: string): AzureCloudProviderWriter {
    // whatever an option may not be, a key may not be either
    encodeAzureOptions(this.installation.sku, { ...this.options, [entryOf(key).fact.option as string]: key });
    return new AzureCloudProviderWriter(this.way, this.options, key, this.isDescribed);
  }

  public bind(request: LoadBalancerRequest): LoadBalancerPlan {
    const { sku, annotations, sharedAddress } = this.installation;
    const draft = new PlanDraft(AZURE_CONTROLLER, request, annotations);
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
      rollout: answerRollout(draft, request, trafficPolicy, (service) => azureModel(service, { _writer: this })),
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

/** Options that are wrong for every Service are refused at once, by the rules that validate finished Services. */
function refuseContradictions(annotations: Record<string, string>): void {
  const named = Object.keys(annotations).flatMap((key) =>
    AZURE_GROUPS.ports.flatMap((entry) => entry.match(key)?.port ?? []),
  );
  const ports = [...new Set(named.length > 0 ? named : ['443'])].map((port) => ({ port }));
  for (const rule of AZURE_OPTION_RULES) {
    const written = rule.check({ metadata: { annotations }, spec: { ports } }, { kubernetes: KubernetesVersion.V1_34 });
    for (const finding of written === undefined ? [] : [written].flat()) {
      throw fault(finding.what, finding.remedy);
    }
  }
}

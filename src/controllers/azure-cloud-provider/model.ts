import { isIP } from 'node:net';
import { isInAny, rangesIn } from '../../contract/address-ranges';
import type { Annotation, AnyAnnotation } from '../../contract/annotation-catalogue';
import { type Json, list } from '../../contract/json';
import { Confidence } from '../../contract/kubernetes.facts';
import {
  BalancerChoice,
  type BalancerHealthCheck,
  BalancerTarget,
  ClientAddressMeans,
  type LoadBalancerModel,
} from '../../contract/load-balancer-model';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import type { BackendNodes } from '../../rules/controller-definition';
import {
  annotationsOf,
  isLocal,
  type PortHandling,
  portAt,
  portHandling,
  portsOf,
  type SchemeReading,
} from '../../rules/service-json';
import {
  answererOnNode,
  familiesOf,
  healthCheckNodePortOf,
  limitsBy,
  nodePortOf,
  oneAddress,
  schemeBy,
} from '../shared/model';
import { HEALTH_CHECK_NODE_PORT_PATH } from '../shared/model.facts';
import { AZURE, AZURE_GROUPS, AZURE_SOURCE } from './annotations';
import { AUTOMATIC_VM_SET } from './codecs';
import { AKS_BALANCER, AZURE_INTERNAL_SUFFIX, AZURE_LIMITS, AZURE_POOL_SECONDS } from './facts';
import type { AzureBasicOptions, AzureCloudProviderOptions, AzureStandardOptions } from './options';

/** Model of a Service of the Azure cloud provider: a frontend of a balancer that other Services use too. */
export function azureModel(service: Json, controller?: object): LoadBalancerModel {
  const reading = new AzureReading(service, { controller });
  const sku = skuOf(reading);
  const isBasic = sku === 'basic';
  const listeners = rulesOf(reading, sku);
  return {
    product: isBasic ? 'azure/basic' : 'azure/standard',
    name: `${isBasic ? 'Basic' : 'Standard'} Load Balancer`,
    scheme: schemeOf(service).scheme,
    target: floats(reading) ? BalancerTarget.NODE_WITH_ADDRESS : BalancerTarget.NODE_PORT,
    choice: BalancerChoice.EVEN,
    clientAddress:
      reading.isOn(AZURE.plsCreate) && reading.isOn(AZURE.plsProxyProtocol)
        ? ClientAddressMeans.PROXY_PROTOCOL
        : ClientAddressMeans.SOURCE,
    healthCheck: healthCheckOf(reading),
    // several Standard balancers have a backend pool for each Service with policy Local
    ...(sku === 'multiple-standard' && isLocal(service)
      ? { onlyNodesWithPods: true, notices: { afterAdding: AZURE_POOL_SECONDS } }
      : {}),
    listeners,
    publicAddresses: oneAddress(service, !reading.internal),
    sharedBy: balancerOf(reading, sku),
    addressSharedBy: reading.internal ? undefined : addressOf(reading),
    limits: limitsBy(AZURE_LIMITS[isBasic ? 'basic' : 'standard'], listeners),
    source: { ...AZURE_SOURCE, file: 'pkg/provider/azure_loadbalancer.go' },
    confidence: Confidence.SOURCE,
  };
}

/** The balancers that the cluster has, as far as that is known; AKS makes a Standard one unless it is told otherwise. */
function skuOf({ sku, annotations }: AzureReading): AzureSku {
  return sku ?? (AZURE.configurations.key() in annotations ? 'multiple-standard' : 'standard');
}

/** True if packets keep the address of the frontend: that of an internal one of IPv6 cannot float. */
function floats(reading: AzureReading): boolean {
  const isOfIpv6 = familiesOf(reading.service).every((family) => family === 'IPv6');
  return !reading.isOn(AZURE.disableFloatingIp) && !(reading.internal && isOfIpv6);
}

function rulesOf(reading: AzureReading, sku: AzureSku): number {
  const forAll = reading.internal && sku !== 'basic' && reading.isOn(AZURE.enableHighAvailabilityPorts);
  const ports = reading.ports.filter((port) => !reading.isOn(AZURE.portNoLbRule, port));
  return (forAll ? 1 : ports.length) * familiesOf(reading.service).length;
}

function healthCheckOf(reading: AzureReading): BalancerHealthCheck | undefined {
  const { service, probed } = reading;
  const first = reading.ports.find(
    (port) => !reading.isOn(AZURE.portNoLbRule, port) && !reading.isOn(AZURE.portNoProbeRule, port),
  );
  if (first && reading.probesNodes && !probed.includes(first)) {
    const { interval, threshold } = reading.probeSeconds(service.spec?.healthCheckNodePort);
    return {
      answeredBy: 'kube-proxy-of-service',
      protocol: 'HTTP',
      port: healthCheckNodePortOf(service),
      path: HEALTH_CHECK_NODE_PORT_PATH,
      interval,
      failures: threshold,
    };
  }
  const [asked] = probed;
  if (!asked) {
    return undefined;
  }
  const protocol = reading.probeProtocol(asked);
  const port = probedPort(reading, asked);
  const { interval, threshold } = reading.probeSeconds(asked.port);
  return {
    answeredBy: answererOnNode(service, port),
    protocol: protocol.toUpperCase(),
    port,
    ...(protocol === 'tcp' ? {} : { path: reading.probePath(asked) }),
    interval,
    failures: threshold,
  };
}

function probedPort(reading: AzureReading, asked: Json): string {
  const own = reading.probePort(asked);
  const meant = own === undefined ? asked : reading.portMeant(own);
  return own === undefined || meant ? nodePortOf(meant) : own;
}

function balancerOf(reading: AzureReading, sku: AzureSku): string | undefined {
  const name = sku === 'standard' ? AKS_BALANCER : chosenBalancer(reading, sku);
  return name === undefined ? undefined : name + (reading.internal ? AZURE_INTERNAL_SUFFIX : '');
}

function chosenBalancer({ annotations }: AzureReading, sku: AzureSku): string | undefined {
  if (sku === 'basic') {
    const set = AZURE.mode.on(annotations) ?? AKS_BALANCER;
    return set === AUTOMATIC_VM_SET ? undefined : set.toLowerCase();
  }
  const candidates = AZURE.configurations.on(annotations) ?? [];
  return candidates.length === 1 ? candidates[0].toLowerCase() : undefined;
}

function addressOf({ annotations, service }: AzureReading): string | undefined {
  const named = AZURE_GROUPS.addresses.map((entry) => entry.on(annotations)).filter((name) => name !== undefined);
  const field: unknown = service.spec?.loadBalancerIP;
  const all = named.length > 0 || typeof field !== 'string' || field === '' ? named : [field];
  return all.length > 0 ? all.join(', ').toLowerCase() : undefined;
}

const [AZURE_PORT_PREFIX] = AZURE.portNoLbRule.fact.key.split('{');

/** SKU of the Azure Load Balancers of a cluster; a cluster has one SKU only. */
export type AzureSku = 'standard' | 'multiple-standard' | 'basic';

export type AnyAzureOptions = AzureCloudProviderOptions & Partial<AzureStandardOptions & AzureBasicOptions>;

export interface AzureInstallation {
  readonly sku: AzureSku;
  readonly annotations: Readonly<Record<string, string>>;
  /** The address, or the name of the public IP, whose frontend the Services share. */
  readonly sharedAddress?: string;
}

export const AZURE_IGNORED: Readonly<Record<AzureSku, readonly AnyAnnotation[]>> = {
  standard: AZURE_GROUPS.notStandard,
  'multiple-standard': AZURE_GROUPS.notMultipleStandard,
  basic: AZURE_GROUPS.notBasic,
};

/** Addresses that are no public ones to the controller: pkg/provider/azure_publicip_repo.go. */
const NOT_PUBLIC = rangesIn(
  `0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16
  224.0.0.0/4 ::/127 fc00::/7 fe80::/10 ff00::/8`,
);

export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && !isInAny(address, NOT_PUBLIC);
}

export function forwardsSctp(internal: boolean, sku: AzureSku | undefined): boolean {
  return internal && sku !== 'basic';
}

export class AzureReading {
  public readonly annotations: Record<string, string>;
  public readonly sku: AzureSku | undefined;

  public constructor(
    public readonly service: Json,
    context?: { readonly controller?: object },
  ) {
    this.annotations = annotationsOf(service);
    this.sku = (context?.controller as { _writer?: { sku?: AzureSku } } | undefined)?._writer?.sku;
  }

  public get ports(): Json[] {
    return portsOf(this.service);
  }

  public isSet(entry: AnyAnnotation): boolean {
    const text = this.annotations[entry.key()];
    return typeof text === 'string' && text.trim() !== '';
  }

  public written(entries: readonly AnyAnnotation[]): { key: string; value: string }[] {
    return entries
      .filter((entry) => this.isSet(entry))
      .map((entry) => ({ key: entry.key(), value: this.annotations[entry.key()] }));
  }

  public isOn(entry: Annotation<boolean>, port?: Json): boolean {
    return entry.on(this.annotations, port && { port: String(port.port) }) === true;
  }

  public get internal(): boolean {
    return this.isOn(AZURE.loadBalancerInternal);
  }

  public get loadBalancerIp(): unknown {
    return this.service.spec?.loadBalancerIP;
  }

  public get ranges(): string[] {
    return list<unknown>(this.service.spec?.loadBalancerSourceRanges).filter((range) => typeof range === 'string');
  }

  /** True if an annotation holds ranges, which the network security group alone knows. */
  public get annotatesRanges(): boolean {
    return this.isSet(AZURE.allowedIpRanges) || this.isSet(AZURE.loadBalancerSourceRanges);
  }

  public get families(): string[] {
    return list(this.service.spec?.ipFamilies);
  }

  public get probesNodes(): boolean {
    return isLocal(this.service) && !(this.isOn(AZURE.plsCreate) && this.isOn(AZURE.plsProxyProtocol));
  }

  /** Ports with a probe of their own, without those that the probe of the nodes covers. */
  public get probed(): Json[] {
    return this.ports.filter(
      (port) =>
        (port.protocol ?? 'TCP') === 'TCP' &&
        !this.isOn(AZURE.portNoLbRule, port) &&
        !this.isOn(AZURE.portNoProbeRule, port) &&
        (!this.probesNodes || this.probePort(port) !== undefined),
    );
  }

  public probePort(port: Json): string | undefined {
    return AZURE.portHealthProbePort.on(this.annotations, { port: String(port.port) });
  }

  public portMeant(probePort: string): Json | undefined {
    return this.ports.find((port) => String(port.port) === probePort || this.isName(port, probePort));
  }

  public isOwnPort(probePort: string): boolean {
    return this.portMeant(probePort) !== undefined;
  }

  public isName(port: Json, name: string): boolean {
    return typeof port.name === 'string' && port.name.toLowerCase() === name.toLowerCase();
  }

  /** Protocol of the probe of a port; a value that the controller does not know means tcp. */
  public probeProtocol(port: Json): string {
    const own = this.annotations[AZURE.portHealthProbeProtocol.key({ port: String(port.port) })];
    const given = own ?? port.appProtocol ?? this.annotations[AZURE.healthProbeProtocol.key()];
    const protocol = String(given).trim().toLowerCase();
    return protocol === 'http' || protocol === 'https' ? protocol : 'tcp';
  }

  public probePath(port: Json): string {
    const own = AZURE.portHealthProbeRequestPath.on(this.annotations, { port: String(port.port) });
    return own ?? AZURE.healthProbeRequestPath.on(this.annotations) ?? '/';
  }

  /** True if appProtocol decides that the probe of a port asks for a page, and nothing says which. */
  public isPathUnset(port: Json): boolean {
    const of = { port: String(port.port) };
    const named = [
      AZURE.portHealthProbeProtocol.key(of),
      AZURE.portHealthProbeRequestPath.key(of),
      AZURE.healthProbeRequestPath.key(),
    ];
    return (
      !this.probesNodes &&
      port.appProtocol !== undefined &&
      this.probeProtocol(port) !== 'tcp' &&
      named.every((key) => this.annotations[key] === undefined)
    );
  }

  public probeSeconds(port: unknown): { interval: number; threshold: number } {
    const of = { port: String(port) };
    const interval =
      AZURE.portHealthProbeInterval.on(this.annotations, of) ?? AZURE.healthProbeInterval.on(this.annotations);
    const threshold =
      AZURE.portHealthProbeNumOfProbe.on(this.annotations, of) ?? AZURE.healthProbeNumOfProbe.on(this.annotations);
    return { interval: interval?.toSeconds() ?? 5, threshold: threshold ?? 2 };
  }

  public portAt(one: Json, field: string): string {
    return portAt(this.service, field, (port) => port === one);
  }

  public get portsWithoutNodePort(): Json[] {
    return this.service.spec?.allocateLoadBalancerNodePorts === false
      ? this.ports.filter((port) => !port.nodePort && !this.isOn(AZURE.portNoLbRule, port))
      : [];
  }

  public *ofPorts(): Generator<{ entry: AnyAnnotation; key: string; port: string }> {
    for (const key of Object.keys(this.annotations)) {
      for (const entry of key.startsWith(AZURE_PORT_PREFIX) ? AZURE_GROUPS.ports : []) {
        const match = entry.match(key);
        if (match) {
          yield { entry, key, port: match.port };
        }
      }
    }
  }
}

export function schemeOf(service: Json): SchemeReading {
  return schemeBy(service, [AZURE.loadBalancerInternal], new AzureReading(service).internal);
}

/** Every node of the balancer; several Standard ones have the nodes of the endpoints alone. */
export function backendNodes(service: Json, controller: ILoadBalancerController | undefined): BackendNodes | undefined {
  const { sku, annotations } = new AzureReading(service, { controller });
  const set = sku === 'basic' ? annotations[AZURE.mode.key()] : undefined;
  return sku === 'multiple-standard' || AZURE.configurations.key() in annotations
    ? undefined
    : { labels: {}, restrictedBy: set, byPodsAlone: true };
}

export function handlingByAzure(service: Json): PortHandling[] {
  const reading = new AzureReading(service);
  const headers = reading.isOn(AZURE.plsCreate) && reading.isOn(AZURE.plsProxyProtocol) ? reading.ports : [];
  return [
    ...headers.map(({ port }) => portHandling(service, port, 'proxy-protocol', AZURE.plsProxyProtocol.key())),
    ...reading.probed
      .filter((port) => reading.probeProtocol(port) !== 'tcp' && asksItself(reading, port))
      .map((port) => portHandling(service, port.port, 'checks-by-http', keyOf(reading, port))),
  ];
}

function asksItself(reading: AzureReading, port: Json): boolean {
  const probed = reading.probePort(port);
  return probed === undefined || reading.isOwnPort(probed) || probed === String(port.nodePort);
}

function keyOf({ annotations }: AzureReading, { port }: Json): string {
  const own = AZURE.portHealthProbeProtocol.key({ port: String(port) });
  return annotations[own] === undefined ? AZURE.healthProbeProtocol.key() : own;
}

/** The keys of paths that are not looked at, since the probes are of TCP. pkg/provider/azure_loadbalancer_healthprobe.go */
export function pathsOfTcpProbes(reading: AzureReading): readonly string[] {
  const tcp = reading.probed.filter((port) => reading.probeProtocol(port) === 'tcp');
  const isEveryOne = tcp.length > 0 && tcp.length === reading.probed.length;
  return [
    ...tcp
      .map((port) => AZURE.portHealthProbeRequestPath.key({ port: String(port.port) }))
      .filter((key) => reading.annotations[key]),
    ...(isEveryOne && reading.isSet(AZURE.healthProbeRequestPath) ? [AZURE.healthProbeRequestPath.key()] : []),
  ];
}

/**
 * The keys whose values are not looked at. The label of a public IP is, where there is one alone: pkg/provider/azure_loadbalancer.go,
 * reconcilePublicIP; the subnet of an internal balancer goes into the names of rules in any case.
 */
export function ignoredByAzure(service: Json): readonly string[] {
  const reading = new AzureReading(service);
  const link = AZURE.plsCreate.on(reading.annotations) ? [] : [AZURE.plsName, AZURE.plsIpConfigurationIpAddress];
  return [
    ...pathsOfTcpProbes(reading),
    ...(reading.internal ? [AZURE.dnsLabelName.key()] : []),
    ...link.map((entry) => entry.key()).filter((key) => reading.annotations[key]),
  ];
}

import type { Json } from '../../contract/json';
import { type Citation, Confidence } from '../../contract/kubernetes.facts';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import {
  BalancerChoice,
  type BalancerHealthCheck,
  type BalancerLimit,
  BalancerTarget,
  ClientAddressMeans,
  type MadeBalancer,
} from '../../contract/made-balancer';
import { isLocal } from '../../rules/service-json';
import { answererOnNode, familiesOf, healthCheckNodePortOf, nodePortOf, oneAddress } from '../shared/made';
import { HEALTH_CHECK_NODE_PORT_PATH } from '../shared/made.facts';
import { AZURE, AZURE_GROUPS, AZURE_SOURCE } from './annotations';
import { AUTOMATIC_VM_SET } from './codecs';
import { AzureReading, type AzureSku, schemeOf } from './reading';

const AZURE_LIMITS_SOURCE: Citation = {
  repository: 'Azure documentation',
  version: '2026-11-20',
  file: 'azure-resource-manager/management/azure-subscription-service-limits (load balancer)',
};

const AZURE_LIMITS = {
  standard: { rules: 1500, rulesOfInterface: 300, frontends: 600, pool: 1000 },
  basic: { rules: 250, rulesOfInterface: 0, frontends: 200, pool: 300 },
};

const AKS_BALANCER = 'kubernetes';

/** The suffix of internal balancers. pkg/consts/consts.go, v1.36.5 */
const AZURE_INTERNAL_SUFFIX = '-internal';

/**
 * Seconds until a node is in the pool of a Service with policy Local, where there are several Standard balancers.
 * pkg/provider/azure_local_services.go and azure.go, v1.36.5
 */
const AZURE_POOL_SECONDS = 30;

/** What the Azure cloud provider makes of a finished Service: a frontend of a balancer that other Services use too. */
export function madeByAzure(service: Json, controller: ILoadBalancerController | undefined): MadeBalancer {
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
    limits: limitsOf(AZURE_LIMITS[isBasic ? 'basic' : 'standard'], listeners),
    source: { ...AZURE_SOURCE, file: 'pkg/provider/azure_loadbalancer.go' },
    confidence: Confidence.SOURCE,
  };
}

/** The balancers that the cluster has, as far as that is known; AKS makes a Standard one unless it is told otherwise. */
function skuOf({ sku, annotations }: AzureReading): AzureSku {
  return sku ?? (AZURE.configurations.key() in annotations ? 'multiple-standard' : 'standard');
}

/** Whether packets keep the address of the frontend: that of an internal one of IPv6 cannot float. */
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

function limitsOf(
  { rules, rulesOfInterface, frontends, pool }: typeof AZURE_LIMITS.basic,
  used: number,
): BalancerLimit[] {
  const common = { source: AZURE_LIMITS_SOURCE };
  const ofInterface = { name: 'Rules per network interface', limit: rulesOfInterface, used, scope: 'node' } as const;
  return [
    { ...common, counts: 'rules', name: 'Rules per load balancer', limit: rules, used },
    ...(rulesOfInterface > 0 ? [{ ...common, counts: 'rules' as const, ...ofInterface }] : []),
    { ...common, counts: 'frontends', name: 'Frontend IP configurations per load balancer', limit: frontends, used: 1 },
    { ...common, counts: 'backends', name: 'Backend pool size', limit: pool },
  ];
}

import type { Json } from '../../contract/json';
import { type Citation, Confidence } from '../../contract/kubernetes.facts';
import {
  BalancerChoice,
  type BalancerHealthCheck,
  type BalancerLimit,
  BalancerTarget,
  ClientAddressMeans,
  type MadeBalancer,
} from '../../contract/made-balancer';
import { HealthCheckProtocol } from '../../contract/options';
import { annotationsOf, portsOf } from '../../rules/service-json';
import { answererOnNode, labelsUnlessNone, nodePortOf } from '../shared/made';
import { HCLOUD, HCLOUD_SOURCE } from './annotations';
import { backendNodes, schemeOf } from './reading';

/** The type of a balancer where neither the Service nor the controller names one. internal/hcops/load_balancer.go, v1.35.0 */
const HCLOUD_DEFAULT_TYPE = 'lb11';

/**
 * What a balancer of a type has no more of. A target is a node, whatever its ports; the controller leaves out those that are too
 * many, with an event on the node. internal/hcops/load_balancer.go, v1.35.0
 */
const HCLOUD_TYPES: Readonly<Record<string, { readonly services: number; readonly targets: number }>> = {
  lb11: { services: 5, targets: 25 },
  lb21: { services: 15, targets: 75 },
  lb31: { services: 30, targets: 150 },
};

/** Where Hetzner documents its types; the smaller two are also in the tests of hetznercloud/hcloud-python. */
const HCLOUD_TYPES_SOURCE: Citation = {
  repository: 'Hetzner Cloud API reference',
  version: '2026-11-22',
  file: 'load-balancer-types',
};

const HCLOUD_CHECK = { interval: 15, failures: 3 };

/** What the Hetzner Cloud controller manager makes of a finished Service: a proxy in one place. */
export function madeByHcloud(service: Json): MadeBalancer {
  const annotations = annotationsOf(service);
  const type = (HCLOUD.type.on(annotations) ?? HCLOUD_DEFAULT_TYPE).toLowerCase();
  const listeners = servicesOf(service).length;
  const header = HCLOUD.usesProxyProtocol.on(annotations) === true;
  return {
    product: `hetzner/${type}`,
    name: `Hetzner Cloud Load Balancer ${type.toUpperCase()}`,
    scheme: schemeOf(service).scheme,
    target: BalancerTarget.NODE_PORT,
    choice: BalancerChoice.EVEN,
    clientAddress: header ? ClientAddressMeans.PROXY_PROTOCOL : ClientAddressMeans.NONE,
    healthCheck: healthCheckOf(service),
    nodeLabels: labelsUnlessNone(backendNodes(service).labels),
    listeners,
    publicAddresses: { count: HCLOUD.disablePublicNetwork.on(annotations) === true ? 0 : 1, perZone: false },
    limits: limitsOf(type, listeners),
    source: HCLOUD_SOURCE,
    confidence: Confidence.SOURCE,
  };
}

function servicesOf(service: Json): Json[] {
  return portsOf(service).filter(({ protocol }) => (protocol ?? 'TCP') === 'TCP');
}

/** That of the first port: it goes to the node port unless another one is written. */
function healthCheckOf(service: Json): BalancerHealthCheck {
  const annotations = annotationsOf(service);
  const written = HCLOUD.healthCheckPort.on(annotations);
  const port = written === undefined ? nodePortOf(servicesOf(service)[0]) : String(written);
  const interval = HCLOUD.healthCheckInterval.on(annotations)?.toSeconds({ integral: false });
  const failures = HCLOUD.healthCheckRetries.on(annotations);
  const timeout = HCLOUD.healthCheckTimeout.on(annotations);
  // any annotation of the check brings the protocol of the balancer
  const isSet = [written, interval, failures, timeout].some((each) => each !== undefined);
  const ofBalancer = isSet ? HCLOUD.protocol.on(annotations) : undefined;
  const protocol = HCLOUD.healthCheckProtocol.on(annotations) ?? ofBalancer ?? HealthCheckProtocol.TCP;
  return {
    answeredBy: answererOnNode(service, port),
    protocol: protocol.toUpperCase(),
    port,
    ...(protocol === HealthCheckProtocol.TCP ? {} : { path: HCLOUD.healthCheckHttpPath.on(annotations) ?? '/' }),
    interval: interval ?? HCLOUD_CHECK.interval,
    failures: failures ?? HCLOUD_CHECK.failures,
  };
}

function limitsOf(type: string, used: number): BalancerLimit[] {
  const known = Object.hasOwn(HCLOUD_TYPES, type) ? HCLOUD_TYPES[type] : undefined;
  const source = HCLOUD_TYPES_SOURCE;
  return known
    ? [
        { counts: 'listeners', name: `Services of a ${type}`, limit: known.services, used, source },
        { counts: 'targets', name: `Targets of a ${type}`, limit: known.targets, beyond: 'left-out', source },
      ]
    : [];
}

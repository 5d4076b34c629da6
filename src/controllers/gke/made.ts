import type { Json } from '../../contract/json';
import { Confidence } from '../../contract/kubernetes.facts';
import {
  BalancerChoice,
  type BalancerHealthCheck,
  type BalancerLimit,
  BalancerTarget,
  ClientAddressMeans,
  type MadeBalancer,
} from '../../contract/made-balancer';
import { annotationsOf, isLocal, portsOf } from '../../rules/service-json';
import { familiesOf, healthCheckNodePortOf, oneAddress } from '../shared/made';
import { HEALTH_CHECK_NODE_PORT_PATH, KUBE_PROXY_HEALTH } from '../shared/made.facts';
import { GKE, GKE_CLASS, GKE_LEGACY_SOURCE, GKE_SOURCE } from './annotations';
import {
  GKE_CHECKS,
  GKE_LEGACY_CHECK,
  GKE_NODES_WITHOUT_SUBSETTING,
  GKE_SUBSETS,
  GKE_SUBSETS_SOURCE,
  GKE_WITHOUT_SUBSETTING_SOURCE,
} from './facts';
import { GkeWeightedLoadBalancing } from './options';
import { among, isInternal, isOfOlderGeneration, schemeOf } from './reading';

/**
 * What GKE makes of a finished Service; nothing where the balancer is the user's own. What the Service leaves to the version of GKE is
 * taken for the work of the older controller: target pools and instance groups.
 */
export function madeByGke(service: Json): MadeBalancer | undefined {
  if (among([GKE_CLASS.standaloneNeg], service)) {
    return undefined;
  }
  const isOlder = isOfOlderGeneration(service);
  const internal = isInternal(service);
  const annotations = annotationsOf(service);
  const weighs = GKE.weightedLoadBalancing.on(annotations) === GkeWeightedLoadBalancing.PODS_PER_NODE;
  const local = isLocal(service);
  return {
    product: internal ? 'gcp/passthrough-internal' : 'gcp/passthrough-external',
    name: `${internal ? 'internal' : 'external'} passthrough Network Load Balancer`,
    scheme: schemeOf(service).scheme,
    target: BalancerTarget.NODE_WITH_ADDRESS,
    choice: BalancerChoice.EVEN,
    clientAddress: ClientAddressMeans.SOURCE,
    healthCheck: healthCheckOf(service, isOlder),
    ...(local && !isOlder ? { onlyNodesWithPods: true } : {}),
    ...(local && !isOlder && weighs ? { weighedByPods: true } : {}),
    listeners: forwardingRulesOf(service, isOlder),
    publicAddresses: oneAddress(service, !internal),
    addressSharedBy: internal ? undefined : addressOf(service),
    limits: limitsOf(local, internal, isOlder),
    source: isOlder ? GKE_LEGACY_SOURCE : GKE_SOURCE,
    confidence: Confidence.SOURCE,
  };
}

function healthCheckOf(service: Json, isOlder: boolean): BalancerHealthCheck {
  const [check, answer] = isLocal(service)
    ? ([
        GKE_CHECKS.local,
        {
          answeredBy: 'kube-proxy-of-service',
          port: healthCheckNodePortOf(service),
          path: HEALTH_CHECK_NODE_PORT_PATH,
        },
      ] as const)
    : ([
        GKE_CHECKS.cluster,
        { answeredBy: 'kube-proxy', port: String(KUBE_PROXY_HEALTH.port), path: KUBE_PROXY_HEALTH.path },
      ] as const);
  return { ...answer, protocol: 'HTTP', ...(isOlder ? GKE_LEGACY_CHECK : check) };
}

/** One a protocol and family: a rule takes several ports, and the older controller knows one protocol and IPv4. */
function forwardingRulesOf(service: Json, isOlder: boolean): number {
  const protocols = new Set(portsOf(service).map(({ protocol }) => protocol ?? 'TCP'));
  return isOlder ? Math.min(protocols.size, 1) : protocols.size * familiesOf(service).length;
}

function addressOf(service: Json): string | undefined {
  const names = GKE.loadBalancerIpAddresses.on(annotationsOf(service));
  const field: unknown = service.spec?.loadBalancerIP;
  return names ? [...names].sort().join(', ') : typeof field === 'string' && field !== '' ? field : undefined;
}

function limitsOf(local: boolean, internal: boolean, isOlder: boolean): BalancerLimit[] {
  if (!isOlder) {
    const limit = GKE_SUBSETS[internal ? 'internal' : 'external'][local ? 'local' : 'cluster'];
    const name = 'Nodes in the GCE_VM_IP network endpoint groups of a Service';
    return [{ counts: 'targets', name, limit, beyond: 'left-out', source: GKE_SUBSETS_SOURCE }];
  }
  return internal
    ? [
        {
          counts: 'targets',
          name: 'Nodes of an internal passthrough Network Load Balancer without GKE subsetting',
          limit: GKE_NODES_WITHOUT_SUBSETTING,
          beyond: 'left-out',
          source: GKE_WITHOUT_SUBSETTING_SOURCE,
        },
      ]
    : [];
}

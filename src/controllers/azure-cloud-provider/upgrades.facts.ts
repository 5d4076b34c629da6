import { type Json, mapIn, mapsIn } from '../../contract/json';
import { Confidence } from '../../contract/kubernetes.facts';
import type { UpgradedBalancer, UpgradeFact } from '../../contract/upgrade';
import { KUBERNETES, ownManagerSince } from '../../rules/kubernetes-upgrades.facts';
import { annotationsOf, isLocal } from '../../rules/service-json';
import { AZURE } from './annotations';

/**
 * A port that is probed by itself: its probe was one of TCP wherever no path is set, whatever says HTTP, and asks for `/` from then on.
 * Before: v1.23.30, pkg/provider/azure_loadbalancer.go (buildHealthProbeRulesForPort)
 */
function hasPortOfHttp({ service }: UpgradedBalancer): boolean {
  const annotations = annotationsOf(service);
  const byAll = AZURE.healthProbeProtocol.on(annotations);
  const isProbed = ({ port, protocol = 'TCP', appProtocol = byAll }: Json) => {
    const parameters = { port: String(port) };
    const own = AZURE.portHealthProbeProtocol.on(annotations, parameters) ?? appProtocol;
    const path =
      AZURE.portHealthProbeRequestPath.on(annotations, parameters) ?? AZURE.healthProbeRequestPath.on(annotations);
    const isOff = [AZURE.portNoLbRule, AZURE.portNoProbeRule].some(
      (entry) => entry.on(annotations, parameters) === true,
    );
    return protocol === 'TCP' && /^https?$/i.test(String(own)) && path === undefined && !isOff;
  };
  return !isLocal(service) && mapsIn(mapIn(service, 'spec'), 'ports').some(isProbed);
}

const PROBES_BY_APP_PROTOCOL: UpgradeFact = {
  since: '1.24',
  concerns: hasPortOfHttp,
  up: {
    outcome: 'interrupted',
    what: 'probes of HTTP or HTTPS ask for / in place of a TCP connection, where no path is set: a server that answers otherwise than 200 is taken out of the balancer',
    first: 'set azure-load-balancer-health-probe-request-path to a path that answers 200',
  },
  source: {
    repository: 'kubernetes-sigs/cloud-provider-azure',
    version: 'v1.24.0',
    file: 'pkg/provider/azure_loadbalancer.go',
  },
  confidence: Confidence.SOURCE,
};

/** What versions changed; Kubernetes and its cloud provider are upgraded together. */
export const AZURE_UPGRADES: readonly UpgradeFact[] = [
  ownManagerSince('1.31'),
  PROBES_BY_APP_PROTOCOL,
  { ...PROBES_BY_APP_PROTOCOL, product: KUBERNETES },
];

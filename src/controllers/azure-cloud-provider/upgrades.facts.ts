import { isMap, mapIn, mapsIn } from '../../contract/json';
import { Confidence } from '../../contract/kubernetes.facts';
import type { UpgradeFact } from '../../contract/upgrade';
import { KUBERNETES, ownManagerSince } from '../../rules/kubernetes-upgrades.facts';
import { annotationsOf } from '../../rules/service-json';

const PROBED_PATH = /health-probe[-_]request-path$/;
const PROBE_PROTOCOL = /health-probe[-_]protocol$/;

/** From this version on the protocol of an application is the protocol of its probe, which asks for `/`. */
const PROBES_BY_APP_PROTOCOL: UpgradeFact = {
  since: '1.24',
  concerns: ({ service }) => {
    const isHttp = mapsIn(mapIn(service, 'spec'), 'ports').some(
      (port) => isMap(port) && /^https?$/i.test(String(port.appProtocol)),
    );
    const keys = Object.keys(annotationsOf(service));
    return isHttp && !keys.some((key) => PROBED_PATH.test(key) || PROBE_PROTOCOL.test(key));
  },
  up: {
    onEdit: 'interrupted',
    what: 'probes of ports with appProtocol http or https ask for / in place of a TCP connection: a server that answers otherwise than 200 is taken out of the balancer',
    first: 'set azure-load-balancer-health-probe-request-path to a path that answers 200',
  },
  source: {
    repository: 'kubernetes-sigs/cloud-provider-azure',
    version: 'v1.36.5',
    file: 'pkg/provider/azure_loadbalancer_healthprobe.go',
  },
  confidence: Confidence.DOCS,
};

/** What versions changed; Kubernetes and its cloud provider are upgraded together. */
export const AZURE_UPGRADES: readonly UpgradeFact[] = [
  ownManagerSince('1.31'),
  PROBES_BY_APP_PROTOCOL,
  { ...PROBES_BY_APP_PROTOCOL, product: KUBERNETES },
];

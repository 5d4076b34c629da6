import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import type { Rule } from '../../rules/rule';
import { AZURE } from './annotations';
import { AZURE_FILES, azureDocs } from './facts';
import { AzureReading, pathsOfTcpProbes } from './reading';

/** Every probe of a Service together may take so many seconds at most, exclusive. */
const PROBE_WINDOW_SECONDS = 120;

/** The rule about the time that a probe takes, which options alone can break. */
export const AZURE_PROBE_WINDOW: Rule = {
  id: 'azure-probe-window',
  severity: 'error',
  effect: 'refused',
  says: 'interval times number of probes is 120 seconds or more',
  source: AZURE_FILES.healthProbe,
  reads: [
    AZURE.healthProbeInterval,
    AZURE.healthProbeNumOfProbe,
    AZURE.portHealthProbeInterval,
    AZURE.portHealthProbeNumOfProbe,
  ],
  judge(service) {
    const reading = new AzureReading(service);
    const probes = [
      ...(reading.probesNodes ? [service.spec?.healthCheckNodePort] : []),
      ...reading.probed.map((port) => port.port),
    ].map((port) => reading.probeSeconds(port));
    const wide = probes.find(({ interval, threshold }) => interval * threshold >= PROBE_WINDOW_SECONDS);
    return (
      wide && {
        what: `healthProbeNumOfProbe ${wide.threshold} at a healthProbeInterval of ${wide.interval} seconds takes ${wide.interval * wide.threshold} seconds`,
        remedy: `stay below ${PROBE_WINDOW_SECONDS} seconds in all`,
        value: String(wide.interval * wide.threshold),
      }
    );
  },
};

/** The rules about how nodes are probed. */
export const AZURE_PROBE_RULES: readonly Rule[] = [
  AZURE_PROBE_WINDOW,
  {
    id: 'azure-unknown-probe-port',
    severity: 'error',
    effect: 'refused',
    says: 'probe port is not a number and not the name of a port of the Service',
    source: AZURE_FILES.healthProbe,
    reads: [AZURE.portHealthProbePort],
    judge(service) {
      const reading = new AzureReading(service);
      return reading.probed
        .map((port) => reading.probePort(port))
        .filter((name) => name !== undefined && !/^\d+$/.test(name) && !reading.isOwnPort(name))
        .map((name) => ({
          what: `a probe goes to port '${name}', which the Service lacks`,
          remedy: 'use a number, or the name of a port of the Service',
          value: name,
        }));
    },
  },
  {
    id: 'azure-no-node-port-to-probe',
    severity: 'warning',
    says: 'port without a node port for the probe of traffic policy Cluster',
    source: azureDocs('loadbalancer'),
    on: ['spec.ports'],
    judge(service) {
      const reading = new AzureReading(service);
      const bare = reading.portsWithoutNodePort;
      const blind = reading.probed.find((port) => {
        const own = reading.probePort(port);
        return bare.includes(port) && (own === undefined || reading.isOwnPort(own));
      });
      return blind && !reading.probesNodes && !reading.isOn(AZURE.disableFloatingIp)
        ? {
            what: `port ${blind.port} has no node port to probe; only a cluster with the shared health probe serves it`,
            remedy: 'use externalTrafficPolicy Local, let node ports be allocated, or name a probe port',
            value: String(blind.port),
          }
        : undefined;
    },
  },
  {
    id: 'azure-probe-path-unset',
    severity: 'warning',
    says: 'appProtocol makes the probe use HTTP, and no path is set',
    source: AZURE_FILES.healthProbe,
    on: ['spec.ports'],
    judge(service) {
      const reading = new AzureReading(service);
      return reading.probed
        .filter((port) => reading.isPathUnset(port))
        .map(({ port, appProtocol }) => ({
          what: `appProtocol ${appProtocol} of port ${port} makes the probe ask for '/' by HTTP, and nodes that answer anything but 200 get no traffic`,
          remedy: `name a page that answers 200 in ${AZURE.healthProbeRequestPath.key()}, or set ${AZURE.portHealthProbeProtocol.key({ port })} to tcp`,
          value: appProtocol,
        }));
    },
  },
  {
    id: 'azure-local-ignores-probe',
    severity: 'warning',
    effect: 'ignored',
    says: 'probe settings are ignored with externalTrafficPolicy Local',
    source: AZURE_FILES.loadBalancer,
    on: ['spec.externalTrafficPolicy'],
    judge(service) {
      const reading = new AzureReading(service);
      if (!reading.probesNodes) {
        return undefined;
      }
      const overridden = reading.probed.map((port) => String(port.port));
      const ignored = [...reading.ofPorts()]
        .filter(({ entry, port }) => isProbeSetting(entry) && !overridden.includes(port))
        .filter(({ port }) => port !== String(service.spec?.healthCheckNodePort))
        .map(({ key }) => key);
      if (overridden.length === 0) {
        const whole = [AZURE.healthProbeProtocol, AZURE.healthProbeRequestPath];
        ignored.push(...whole.filter((entry) => reading.isSet(entry)).map((entry) => entry.key()));
      }
      return ignored.map((key) => ({
        what: `${key} is ignored, because externalTrafficPolicy Local probes healthCheckNodePort`,
        remedy: 'leave it out',
        value: reading.annotations[key],
      }));
    },
  },
  {
    id: 'azure-probe-defeats-local',
    severity: 'warning',
    says: 'probe port replaces the check that keeps nodes without pods out',
    source: AZURE_FILES.healthProbe,
    reads: [AZURE.portHealthProbePort],
    judge(service) {
      const reading = new AzureReading(service);
      return (reading.probesNodes ? reading.probed : [])
        .map((port) => ({ port, own: reading.probePort(port) as string }))
        .filter(({ own }) => !reading.isOwnPort(own) && own !== String(service.spec?.healthCheckNodePort))
        .map(({ port, own }) => ({
          what: `port ${port.port} is probed on ${own}, so nodes without a pod of this Service get traffic and drop it`,
          remedy: 'leave the probe port out, or run a pod on every node',
          value: own,
        }));
    },
  },
  {
    id: 'azure-path-with-tcp',
    severity: 'warning',
    effect: 'ignored',
    says: 'probe path with a TCP probe',
    source: AZURE_FILES.healthProbe,
    reads: [AZURE.healthProbeRequestPath, AZURE.portHealthProbeRequestPath],
    judge(service) {
      const reading = new AzureReading(service);
      return pathsOfTcpProbes(reading).map((key) => ({
        what: `${key} is ignored, because the probe is tcp`,
        remedy: 'set the probe protocol to http or https',
        value: reading.annotations[key],
      }));
    },
  },
];

function isProbeSetting(entry: AnyAnnotation): boolean {
  const settings: readonly AnyAnnotation[] = [
    AZURE.portHealthProbeProtocol,
    AZURE.portHealthProbeRequestPath,
    AZURE.portHealthProbeInterval,
    AZURE.portHealthProbeNumOfProbe,
  ];
  return settings.includes(entry);
}

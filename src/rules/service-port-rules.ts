import type { Json } from '../contract/json';
import { dnsLabelFault, portFault, portNameFault } from '../contract/kubernetes-syntax';
import { eachPort, faultFinding, keyFault, refuses } from './api-server-rule';
import type { Rule } from './rule';
import { portsOf } from './service-json';

function mayLackPorts({ spec }: Json): boolean {
  return spec?.type === 'ExternalName' || spec?.clusterIP === 'None';
}

/** What the API server refuses in the ports of a Service. */
export const SERVICE_PORT_RULES: readonly Rule[] = [
  refuses('service-ports', 'no ports, or a port outside of 1 to 65535', (service) => {
    const found = portsOf(service);
    if (found.length === 0) {
      return mayLackPorts(service)
        ? undefined
        : { what: 'the Service has no ports', remedy: 'name at least one', at: '/spec/ports' };
    }
    return eachPort(service, 'port', ({ port }) =>
      faultFinding(portFault(port), 'spec.ports.port', 'use a port from 1 to 65535'),
    );
  }),
  refuses('target-port', 'invalid target port', (service) =>
    eachPort(service, 'targetPort', ({ port, targetPort }) =>
      targetPort === undefined || targetPort === 0 || targetPort === ''
        ? undefined
        : faultFinding(
            typeof targetPort === 'string' ? portNameFault(targetPort) : portFault(targetPort),
            `spec.ports, target of port ${port}`,
            'use the number or the name of a port of the pod',
          ),
    ),
  ),
  refuses('port-name', 'missing, invalid or duplicate name of a port', (service) => {
    const found = portsOf(service);
    if (found.length === 1 && !found[0].name) {
      return undefined;
    }
    const seen = new Set<unknown>();
    return eachPort(service, 'name', ({ port, name }) => {
      if (!name) {
        return { what: `port ${port} has no name beside others`, remedy: 'name every port' };
      }
      const twice = seen.has(name) ? `'${name}' names two ports` : undefined;
      seen.add(name);
      return faultFinding(
        twice ?? dnsLabelFault(String(name)),
        'spec.ports.name',
        'give each port a short name of its own',
      );
    });
  }),
  refuses('port-duplicate', 'port and protocol listed twice', (service) => {
    const found = portsOf(service);
    if (found.length < 2) {
      return undefined;
    }
    const seen = new Set<string>();
    return eachPort(service, 'port', ({ port, protocol: written }) => {
      const protocol = written || 'TCP';
      const pair = `${port}/${protocol}`;
      const twice = seen.has(pair);
      seen.add(pair);
      return twice ? { what: `port ${pair} is listed twice`, remedy: 'drop one of the two', value: pair } : undefined;
    });
  }),
  refuses('port-protocol', 'unknown protocol', (service) =>
    eachPort(service, 'protocol', ({ port, protocol }) =>
      !protocol || ['TCP', 'UDP', 'SCTP'].includes(protocol)
        ? undefined
        : {
            what: `protocol '${protocol}' of port ${port} is unknown`,
            remedy: 'use TCP, UDP or SCTP',
            value: protocol,
          },
    ),
  ),
  refuses('app-protocol', 'invalid appProtocol', (service) =>
    eachPort(service, 'appProtocol', ({ appProtocol }) =>
      appProtocol === undefined
        ? undefined
        : faultFinding(
            keyFault(String(appProtocol)),
            'spec.ports.appProtocol',
            'use a name like https or kubernetes.io/h2c',
          ),
    ),
  ),
  refuses('node-port', 'invalid or duplicate node port, or one of type ClusterIP', (service) => {
    const type = service.spec?.type || 'ClusterIP';
    if (type === 'ExternalName') {
      return undefined;
    }
    const seen = new Set<string>();
    return eachPort(service, 'nodePort', ({ nodePort, protocol: written }) => {
      if (type === 'ClusterIP') {
        return nodePort
          ? {
              what: `node port ${nodePort} is on a Service of type ClusterIP`,
              remedy: 'remove it, or make the type NodePort or LoadBalancer',
              value: String(nodePort),
            }
          : undefined;
      }
      // a node port below 1 is assigned by the API server
      if (!(nodePort > 0)) {
        return undefined;
      }
      const pair = `${nodePort}/${written || 'TCP'}`;
      const twice = seen.has(pair) ? `${pair} is listed twice` : undefined;
      seen.add(pair);
      return faultFinding(
        portFault(nodePort) ?? twice,
        'spec.ports.nodePort',
        'leave it out, or use a free one of the cluster',
      );
    });
  }),
];

import { isIP } from 'node:net';
import { type Json, list, shown } from '../contract/json';
import { STANDARD_FINALIZERS } from '../contract/kubernetes.facts';
import {
  annotationKeyFault,
  dnsLabelFault,
  dnsNameFault,
  ipFault,
  labelValueFault,
  portFault,
  portNameFault,
  serviceNameFault,
  tokenFault,
} from '../contract/kubernetes-syntax';
import { KubernetesVersion } from '../contract/kubernetes-version';
import { each, eachEntry, eachPort, faultFinding, keyFault, refuses, refusesField } from './api-server-rule';
import type { Rule } from './rule';
import { finalizersOf, portsOf } from './service-json';

const HEADLESS = 'None';

/** The API server takes zeros in front of the numbers of an address, for what was written long ago. */
function addressFault(text: unknown): string | undefined {
  return ipFault(String(text).replace(/\b0+(?=\d)/g, ''));
}

function clusterIpFault({ clusterIP, clusterIPs }: Json): string | undefined {
  const several = list<string>(clusterIPs);
  const all = several.length > 0 ? several : [clusterIP ?? ''].filter((ip) => ip !== '');
  if (several.length > 0 && several[0] !== clusterIP) {
    return `clusterIPs begins with ${several[0]}, and clusterIP is ${clusterIP || 'not set'}`;
  }
  if (all.length > 1 && all.includes(HEADLESS)) {
    return `clusterIPs has ${HEADLESS} beside addresses`;
  }
  if (all.length > 2) {
    return `clusterIPs has ${all.length} addresses, and a Service has one of each family`;
  }
  const wrong = all.filter((ip) => ip !== HEADLESS).find((ip) => addressFault(ip) !== undefined);
  const families = all.map((ip) => isIP(ip));
  return wrong !== undefined
    ? `clusterIP: ${addressFault(wrong)}`
    : families.length > 1 && families[0] === families[1]
      ? `clusterIPs has two addresses of one family: ${all.join(', ')}`
      : undefined;
}

/** What no traffic of a balancer comes from, and where Services have no address. */
const NOT_EXTERNAL = /^(0\.0\.0\.0|127\..*|169\.254\..*|224\.0\.0\..*|::|::1|fe[89ab][0-9a-f]:.*|ff[0-9a-f]2:.*)$/i;

/** What the API server refuses in a Service of type ExternalName, which has no address in the cluster. */
function elsewhereFault(spec: Json): string | undefined {
  const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy, externalName } = spec;
  const set = [
    clusterIP || list(clusterIPs).length > 0 ? 'clusterIP' : '',
    list(ipFamilies).length > 0 ? 'ipFamilies' : '',
    ipFamilyPolicy === undefined ? '' : 'ipFamilyPolicy',
  ].find((field) => field !== '');
  if (set) {
    return `${set} is on a Service of type ExternalName, which has no address in the cluster`;
  }
  const name = String(externalName ?? '').replace(/\.$/, '');
  return name === ''
    ? 'the Service is of type ExternalName, and has no externalName'
    : name.includes('*')
      ? `externalName '${name}' is not a valid DNS name`
      : dnsNameFault(name);
}

/** What the API server refuses in the addresses and names of a Service that it has in the cluster. */
export const SERVICE_ADDRESS_RULES: readonly Rule[] = [
  refuses('cluster-ip', 'invalid clusterIP or clusterIPs', ({ spec }) =>
    spec?.type === 'ExternalName'
      ? undefined
      : faultFinding(clusterIpFault(spec ?? {}), 'spec', 'leave it out: the cluster chooses an address'),
  ),
  refuses('external-name', 'ExternalName without a DNS name, or with an address', ({ spec }) =>
    spec?.type === 'ExternalName'
      ? faultFinding(elsewhereFault(spec), 'spec', 'write externalName with the name of a host, and no address')
      : undefined,
  ),
  {
    ...refusesField('externalIPs', 'external-ip', 'external IP that cannot be reached from outside', (ips) =>
      each(list(ips), (ip) =>
        faultFinding(
          addressFault(ip) ?? (NOT_EXTERNAL.test(String(ip)) ? `'${ip}' is not reached from outside` : undefined),
          'spec.externalIPs',
          'remove it, or write an address that leads to a node',
        ),
      ),
    ),
    supersedes: ['external-ips-deprecated'],
  },
];

const NAME_REMEDY = 'give it a shorter or simpler name';

/** Since when a digit may begin the name of a Service. kubernetes/kubernetes v1.36.3, pkg/features/kube_features.go */
const LETTERLESS_SINCE = KubernetesVersion.of('1.36');

/** What the API server refuses in the metadata of a Service. */
export const SERVICE_METADATA_RULES: readonly Rule[] = [
  refuses('service-name', 'invalid name of a Service', (service, { kubernetes }) => {
    const name = service.metadata?.name;
    if (typeof name === 'string') {
      const fault = kubernetes.isAtLeast(LETTERLESS_SINCE) ? dnsLabelFault(name) : serviceNameFault(name);
      const finding = faultFinding(tokenFault(name) ?? fault, 'metadata.name', NAME_REMEDY);
      return finding && { ...finding, at: '/metadata/name' };
    }
    return service.metadata?.generateName
      ? undefined
      : { what: 'the Service has no name', remedy: 'name it', at: '/metadata/name' };
  }),
  {
    id: 'generated-name',
    who: 'kubernetes',
    severity: 'warning',
    says: 'generated name creates another Service at each apply',
    source: {
      repository: 'kubernetes/kubernetes',
      version: 'v1.36.3',
      file: 'staging/src/k8s.io/apiserver/pkg/registry/rest/create.go',
    },
    judge: ({ metadata }) =>
      typeof metadata?.name !== 'string' && metadata?.generateName
        ? {
            what: `the Service has generateName ${shown(metadata.generateName)}, so each time it is created makes another balancer, and kubectl apply refuses it`,
            remedy: 'give it a name',
            value: String(metadata.generateName),
          }
        : undefined,
  },
  refuses('namespace-name', 'invalid name of a namespace', ({ metadata }) =>
    typeof metadata?.namespace === 'string'
      ? faultFinding(dnsLabelFault(metadata.namespace), 'metadata.namespace', NAME_REMEDY)
      : undefined,
  ),
  refuses('label-syntax', 'invalid label', ({ metadata }) =>
    eachEntry(metadata?.labels, (key, value) =>
      faultFinding(
        keyFault(key) ?? (typeof value === 'string' ? labelValueFault(value) : undefined),
        'metadata.labels',
        'use a label that Kubernetes accepts',
      ),
    ),
  ),
  refuses('annotation-syntax', 'invalid annotation key, or a value that is not a string', (service) =>
    eachEntry(service.metadata?.annotations, (key, value) =>
      faultFinding(
        (keyFault(key) && annotationKeyFault(key)) ?? (typeof value === 'string' ? tokenFault(value) : undefined),
        'metadata.annotations',
        'write qualified names, and values in quotes',
      ),
    ),
  ),
  refuses('finalizer-syntax', 'finalizer without a domain, or with an invalid name', (service) =>
    each(finalizersOf(service), (finalizer) =>
      faultFinding(
        typeof finalizer === 'string' && finalizer.includes('/')
          ? keyFault(finalizer)
          : STANDARD_FINALIZERS.includes(finalizer)
            ? undefined
            : `'${finalizer}' has no domain before a slash`,
        'metadata.finalizers',
        'write domain/name',
      ),
    ),
  ),
];

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

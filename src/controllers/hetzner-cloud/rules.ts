import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { isMap, type Json, list } from '../../contract/json';
import { podTemplateOf } from '../../contract/workload';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { annotationsOf, isLocal, portsOf, wantsLoadBalancer } from '../../rules/service-json';
import { HCLOUD, HCLOUD_CONTROLLER, HCLOUD_SOURCE } from './annotations';
import { HetznerCertificateType } from './options';
import { HTTP_CHECK, ignoredByHcloud } from './reading';

const OPERATIONS = { ...HCLOUD_SOURCE, file: 'internal/hcops/load_balancer.go' };

/** Variables of its environment with the default. docs/reference/load_balancer_envs.md */
const PLACEMENT_VARIABLES = ['HCLOUD_LOAD_BALANCERS_LOCATION', 'HCLOUD_LOAD_BALANCERS_NETWORK_ZONE'];

function containersOf(workload: Json): Json[] {
  return list<Json>(podTemplateOf(workload)?.spec?.containers).filter(isMap);
}

/** The workloads that run the controller. */
function managersIn(index: ObjectIndex): readonly IndexedObject[] {
  return index.once(managersIn, () =>
    [...index.of('apps', 'Deployment'), ...index.of('apps', 'DaemonSet')].filter(({ json }) =>
      containersOf(json).some(({ image }) => String(image).includes(`/${HCLOUD_CONTROLLER}`)),
    ),
  );
}

/** Whether the environment of a workload has a default, or may have one. */
function mayHavePlacement(workload: Json): boolean {
  return containersOf(workload).some(
    ({ env, envFrom }) =>
      list(envFrom).length > 0 || list<Json>(env).some((variable) => PLACEMENT_VARIABLES.includes(variable?.name)),
  );
}

/** A flag of a Service, or else the default for it in the environment of the controller; undefined if neither is known. */
function flagOf(service: Json, entry: AnyAnnotation, variable: string, managers: readonly IndexedObject[]): boolean {
  const written = entry.on(annotationsOf(service));
  const values = managers.flatMap(({ json }) => containersOf(json)).flatMap(({ env }) => list<Json>(env).filter(isMap));
  const found = values.filter(({ name }) => name === variable).map(({ value }) => String(value));
  return written === undefined ? found.length > 0 && found.every((value) => TRUE.test(value)) : written === true;
}

/** What strconv.ParseBool takes for true. */
const TRUE = /^(1|t|true)$/i;

/** What the Hetzner Cloud controller manager makes of a finished Service. */
export const HCLOUD_RULES: readonly Rule[] = [
  {
    id: 'hetzner-no-placement',
    severity: 'error',
    effect: 'refused',
    says: 'neither location nor network zone',
    source: OPERATIONS,
    judge(service, { among }) {
      const annotations = annotationsOf(service);
      const isPlaced = [HCLOUD.location, HCLOUD.networkZone, HCLOUD.name].some((entry) => annotations[entry.key()]);
      const hasBalancer = list(service.status?.loadBalancer?.ingress).length > 0;
      const managers = among && wantsLoadBalancer(service) && !isPlaced && !hasBalancer ? managersIn(among.index) : [];
      return managers.length > 0 && managers.every(({ json }) => !mayHavePlacement(json))
        ? {
            what: `the Service says neither location nor network zone, and ${managers[0].kind} ${managers[0].name} has no default: no balancer is made`,
            remedy: `set ${HCLOUD.location.key()}, or ${PLACEMENT_VARIABLES[0]} of the controller`,
          }
        : undefined;
    },
  },
  {
    id: 'hetzner-one-placement',
    severity: 'warning',
    effect: 'ignored',
    says: 'network-zone is ignored beside a location',
    source: OPERATIONS,
    reads: [HCLOUD.networkZone],
    judge(service) {
      const annotations = annotationsOf(service);
      const location = HCLOUD.location.on(annotations);
      const zone = HCLOUD.networkZone.on(annotations);
      return location && zone
        ? {
            what: `network zone '${zone}' is ignored, because location '${location}' is set as well`,
            remedy: 'keep one',
            value: zone,
          }
        : undefined;
    },
  },
  {
    id: 'hetzner-tcp-only',
    severity: 'error',
    says: 'port of another protocol than TCP',
    source: OPERATIONS,
    on: ['spec.ports'],
    judge(service) {
      const odd = portsOf(service).find((port) => (port.protocol ?? 'TCP') !== 'TCP');
      return odd && { what: `port ${odd.port} is ${odd.protocol}`, remedy: 'balance TCP only', value: odd.protocol };
    },
  },
  {
    id: 'hetzner-private-targets',
    severity: 'error',
    effect: 'refused',
    says: 'balancer without a public interface cannot reach public addresses of nodes',
    source: {
      repository: 'hetznercloud/hcloud-go',
      version: 'v2',
      file: 'hcloud/error.go (targets_without_use_private_ip)',
    },
    reads: [HCLOUD.usePrivateIp],
    judge(service) {
      const annotations = annotationsOf(service);
      return HCLOUD.disablePublicNetwork.on(annotations) === true && HCLOUD.usePrivateIp.on(annotations) === false
        ? {
            what: 'a balancer without a public interface cannot reach nodes by their public addresses, as use-private-ip false asks',
            remedy: 'set use-private-ip to true',
            value: 'false',
          }
        : undefined;
    },
  },
  {
    id: 'hetzner-no-address',
    severity: 'error',
    says: 'balancer has neither a public network nor a private address in the status',
    source: { ...HCLOUD_SOURCE, file: 'hcloud/load_balancers.go' },
    judge(service, { among }) {
      const managers = among ? managersIn(among.index) : [];
      const flag = (entry: AnyAnnotation, name: string) =>
        flagOf(service, entry, `HCLOUD_LOAD_BALANCERS_DISABLE_${name}`, managers);
      const isWithout =
        flag(HCLOUD.disablePublicNetwork, 'PUBLIC_NETWORK') && flag(HCLOUD.disablePrivateIngress, 'PRIVATE_INGRESS');
      const annotations = annotationsOf(service);
      const [key] = [HCLOUD.disablePrivateIngress, HCLOUD.disablePublicNetwork]
        .map((entry) => entry.key())
        .filter((one) => one in annotations);
      return isWithout && wantsLoadBalancer(service) && HCLOUD.hostname.on(annotations) === undefined
        ? {
            what: 'the Service stays pending for ever: its balancer has no public network, and disable-private-ingress keeps the private address out of the status',
            remedy: `set ${HCLOUD.disablePrivateIngress.key()} to false`,
            ...(key !== undefined && { at: `/metadata/annotations/${key.replaceAll('/', '~1')}` }),
          }
        : undefined;
    },
  },
  {
    id: 'hetzner-needs-node-ports',
    severity: 'error',
    says: 'port without a node port',
    source: OPERATIONS,
    on: ['spec.allocateLoadBalancerNodePorts'],
    judge(service) {
      const bare = portsOf(service).find((port) => !port.nodePort);
      return service.spec?.allocateLoadBalancerNodePorts === false && bare
        ? {
            what: `port ${bare.port} gets no node port with allocateLoadBalancerNodePorts false, and there is nothing to send to`,
            remedy: 'let Kubernetes allocate node ports',
            value: 'false',
          }
        : undefined;
    },
  },
  {
    id: 'hetzner-source-ranges',
    severity: 'error',
    effect: 'ignored',
    says: 'loadBalancerSourceRanges are not read: every client can connect',
    source: HCLOUD_SOURCE,
    on: ['spec.loadBalancerSourceRanges'],
    judge(service) {
      const ranges = list<unknown>(service.spec?.loadBalancerSourceRanges);
      return ranges.length > 0
        ? {
            what: `loadBalancerSourceRanges ${ranges.join(', ')} are not read, so every client gets through`,
            remedy: 'filter in the pods, with proxy protocol, or make the balancer internal',
            value: ranges.join(', '),
          }
        : undefined;
    },
  },
  {
    id: 'hetzner-managed-certificate-domains',
    severity: 'error',
    effect: 'refused',
    says: 'managed certificate without domains',
    source: OPERATIONS,
    reads: [HCLOUD.certificateType],
    judge(service) {
      const annotations = annotationsOf(service);
      return HCLOUD.certificateType.on(annotations) === HetznerCertificateType.MANAGED &&
        !HCLOUD.httpManagedCertificateDomains.on(annotations)
        ? {
            what: 'the certificate is managed, but no domains are named for it',
            remedy: `name them in ${HCLOUD.httpManagedCertificateDomains.key()}`,
            value: 'managed',
          }
        : undefined;
    },
  },
  {
    id: 'hetzner-local-health-port',
    severity: 'warning',
    says: 'health check port does not keep nodes without pods out with policy Local',
    source: OPERATIONS,
    on: ['spec.externalTrafficPolicy'],
    judge(service) {
      const port = HCLOUD.healthCheckPort.on(annotationsOf(service));
      const telling = [service.spec?.healthCheckNodePort, ...portsOf(service).map((each) => each.nodePort)];
      return isLocal(service) && port !== undefined && !telling.includes(port)
        ? {
            what: `health checks of port ${port} do not see whether a node has a pod, so traffic policy Local loses the connections of nodes without one`,
            remedy: 'leave the port of the health check out, so that the node port is checked',
            value: String(port),
          }
        : undefined;
    },
  },
  {
    id: 'hetzner-http-check-ignored',
    severity: 'warning',
    effect: 'ignored',
    says: 'HTTP settings of a TCP health check',
    source: OPERATIONS,
    reads: HTTP_CHECK,
    judge(service) {
      const ignored = ignoredByHcloud(service);
      return ignored.length > 0
        ? {
            what: `${ignored.join(', ')} has no effect on a health check by TCP`,
            remedy: `set ${HCLOUD.healthCheckProtocol.key()} to http or https`,
            value: annotationsOf(service)[ignored[0]],
          }
        : undefined;
    },
  },
  {
    id: 'hetzner-session-affinity',
    severity: 'warning',
    says: 'ClientIP affinity sends all clients to one pod of a node',
    source: OPERATIONS,
    on: ['spec.sessionAffinity'],
    judge(service) {
      return service.spec?.sessionAffinity === 'ClientIP'
        ? {
            what: 'sessionAffinity ClientIP sees the address of the balancer only and sends all its connections to one pod of a node',
            remedy: 'use sticky sessions of an HTTP balancer instead',
            value: 'ClientIP',
          }
        : undefined;
    },
  },
];

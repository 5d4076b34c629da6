import { unlessLive } from '../../contract/hand-over';
import type { Json } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { annotationsOf, classOf, isLocal, portsOf } from '../../rules/service-json';
import { oddProtocol } from '../shared/reading';
import { GKE, GKE_LEGACY_SOURCE } from './annotations';
import { GKE_CLASSES, gkeFile } from './facts';
import { among, DISCRETE_PORTS, findingsOf, isInternal } from './reading';

/** The timeout that strong session affinity takes, in seconds. */
const STRONG_AFFINITY_SECONDS = { min: 60, max: 57600 };

/** The rules about ports, and how connections find a node. */
export const GKE_TRAFFIC_RULES: readonly Rule[] = [
  {
    id: 'gke-weights-need-local',
    severity: 'warning',
    effect: 'ignored',
    says: 'weighted load balancing without traffic policy Local',
    source: gkeFile('pkg/l4/resources/l4netlb.go'),
    reads: [GKE.weightedLoadBalancing],
    judge: (service) =>
      isLocal(service)
        ? undefined
        : findingsOf(
            service,
            [GKE.weightedLoadBalancing],
            (key) => `${key} has no effect without externalTrafficPolicy Local (UnsupportedConfiguration)`,
            'set externalTrafficPolicy to Local, or leave it out',
          ),
  },
  {
    id: 'gke-strong-affinity',
    severity: 'error',
    effect: 'refused',
    says: 'strong session affinity without ClientIP and a timeout of 60 to 57600 seconds',
    source: gkeFile('pkg/l4/resources/l4netlb.go'),
    reads: [GKE.strongSessionAffinity],
    judge(service) {
      if (!GKE.strongSessionAffinity.on(annotationsOf(service)) || isInternal(service)) {
        return undefined;
      }
      const { min, max } = STRONG_AFFINITY_SECONDS;
      const affinity: unknown = service.spec?.sessionAffinity ?? 'None';
      const timeout: unknown = service.spec?.sessionAffinityConfig?.clientIP?.timeoutSeconds;
      const fits = affinity === 'ClientIP' && typeof timeout === 'number' && timeout >= min && timeout <= max;
      return fits
        ? undefined
        : {
            what: `strong session affinity is refused with sessionAffinity ${affinity} and timeout ${timeout ?? 'unset'}`,
            remedy: `set sessionAffinity ClientIP with a timeout of ${min} to ${max} seconds`,
            value: String(timeout ?? affinity),
          };
    },
  },
  {
    id: 'gke-all-ports',
    severity: 'warning',
    says: 'internal balancer with more than five ports takes all ports of its address',
    source: gkeFile('pkg/l4/resources/forwarding_rules.go'),
    on: ['spec.ports'],
    judge(service) {
      const count = portsOf(service).length;
      return isInternal(service) && count > DISCRETE_PORTS
        ? {
            what: `${count} ports are more than the ${DISCRETE_PORTS} that a forwarding rule can name, so it takes all ports of its address`,
            remedy: 'make two Services, or share the address with no other',
            value: String(count),
          }
        : undefined;
    },
  },
  {
    id: 'gke-protocol',
    severity: 'error',
    effect: 'refused',
    says: 'protocol other than TCP and UDP',
    source: gkeFile('pkg/l4/forwardingrules/protocol.go'),
    on: ['spec.ports'],
    judge: oddProtocol,
  },
  {
    id: 'gke-legacy-mixed-protocols',
    severity: 'error',
    effect: 'refused',
    says: 'TCP and UDP in one Service of the older controller',
    source: { ...GKE_LEGACY_SOURCE, file: 'providers/gce/gce_loadbalancer.go' },
    on: ['spec.ports'],
    judge: (service) =>
      among(GKE_CLASSES.legacy, service) && mixes(service)
        ? {
            what: `the ports mix TCP and UDP, which class '${classOf(service)}' refuses`,
            remedy: unlessLive('make one Service for each protocol, or use a class without -legacy'),
            value: 'TCP and UDP',
          }
        : undefined,
  },
  {
    id: 'gke-mixed-protocols',
    severity: 'warning',
    says: 'TCP and UDP in one Service',
    source: gkeFile('pkg/utils/utils.go'),
    on: ['spec.ports'],
    judge: (service) =>
      !among(GKE_CLASSES.legacy, service) && mixes(service)
        ? {
            what: 'the ports mix TCP and UDP, which GKE serves only where it has switched that on, and else refuses or takes for the protocol of the first port',
            remedy: 'make one Service for each protocol',
            value: 'TCP and UDP',
          }
        : undefined,
  },
];

function mixes(service: Json): boolean {
  const protocols = portsOf(service).map((port) => port.protocol ?? 'TCP');
  return protocols.includes('TCP') && protocols.includes('UDP');
}

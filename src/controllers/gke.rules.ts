import type { AnyAnnotation } from '../contract/annotation-catalogue';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import { isIpv6 } from '../contract/kubernetes-syntax';
import type { Json } from '../contract/late-rendering';
import type { Rule } from '../rules/rule';
import { annotationsOf, classOf, finalizersOf, isLocal, list, portsOf } from '../rules/service-json';
import {
  EXTERNAL_ONLY,
  GKE,
  GKE_CLASS,
  GKE_FINALIZER_PREFIX,
  GKE_LEGACY_SOURCE,
  GKE_SOURCE,
  INTERNAL_ONLY,
  L4_ONLY,
  LEGACY_ONLY,
  WRITTEN_BY_GKE,
} from './gke.annotations';

const INTERNAL_CLASSES = [GKE_CLASS.internal, GKE_CLASS.internalLegacy];
const EXTERNAL_CLASSES = [GKE_CLASS.external, GKE_CLASS.externalLegacy];
const LEGACY_CLASSES = [GKE_CLASS.externalLegacy, GKE_CLASS.internalLegacy];
const L4_CLASSES = [GKE_CLASS.external, GKE_CLASS.internal, GKE_CLASS.standaloneNeg];

/** The ports that a forwarding rule can name one by one. */
const DISCRETE_PORTS = 5;

/** The timeout that strong session affinity takes, in seconds. */
const STRONG_AFFINITY_SECONDS = { min: 60, max: 57600 };

const at = (file: string) => ({ ...GKE_SOURCE, file });
const among = (classes: readonly string[], service: Json) => classes.includes(String(classOf(service)));
const has = (service: Json, entry: AnyAnnotation) => annotationsOf(service)[entry.key()] !== undefined;

/** The first of the two type annotations that is there, as the controllers read it. */
function typeOf(service: Json): { key: string; text: string; internal: boolean } | undefined {
  const found = [GKE.loadBalancerType, GKE.oldLoadBalancerType].find((entry) => has(service, entry));
  const text = found && String(annotationsOf(service)[found.key()]);
  return found && text !== undefined
    ? { key: found.key(), text, internal: found.on(annotationsOf(service)) === true }
    : undefined;
}

/** A class of GKE decides; without one the annotation does. */
function isInternal(service: Json): boolean {
  return among(INTERNAL_CLASSES, service) || (classOf(service) === undefined && typeOf(service)?.internal === true);
}

const scheme = (service: Json) => (isInternal(service) ? 'an internal' : 'an external');

/** Says of each entry that is there what is wrong with it. */
function sayOf(service: Json, entries: readonly AnyAnnotation[], what: (key: string) => string, wayOut: string) {
  return entries
    .filter((entry) => has(service, entry))
    .map((entry) => ({ what: what(entry.key()), wayOut, value: String(annotationsOf(service)[entry.key()]) }));
}

/** What GKE refuses, and what it takes in silence and in another sense. */
export const GKE_RULES: readonly Rule[] = [
  {
    id: 'gke-ownership-finalizer',
    severity: 'error',
    says: `finalizers of ${GKE_FINALIZER_PREFIX} mark which controller of GKE has the Service, and must not be written`,
    source: at('pkg/utils/common/finalizer.go'),
    judge: (service) =>
      finalizersOf(service)
        .filter((finalizer) => String(finalizer).startsWith(GKE_FINALIZER_PREFIX))
        .map((finalizer) => ({
          what: `finalizer '${finalizer}' decides which controller of GKE takes the Service, and is added by that one`,
          wayOut: 'leave it out',
          value: String(finalizer),
        })),
  },
  {
    id: 'gke-cleanup-finalizer-of-class',
    severity: 'error',
    says: `${LOAD_BALANCER_CLEANUP_FINALIZER} has no place on Services with a class of the newer controllers`,
    source: at('pkg/utils/common/finalizer.go'),
    judge: (service) =>
      among(L4_CLASSES, service) && finalizersOf(service).includes(LOAD_BALANCER_CLEANUP_FINALIZER)
        ? {
            what: `finalizer '${LOAD_BALANCER_CLEANUP_FINALIZER}' is not of the controller that serves class '${classOf(service)}'`,
            wayOut: 'leave it out: that controller adds its own',
            value: LOAD_BALANCER_CLEANUP_FINALIZER,
          }
        : undefined,
  },
  {
    id: 'gke-public-by-class',
    severity: 'error',
    says: 'an external class makes a public balancer, whatever the type annotation says',
    source: at('pkg/l4/controllers/l4netlbcontroller.go'),
    judge(service) {
      const type = typeOf(service);
      return among(EXTERNAL_CLASSES, service) && type?.internal
        ? {
            what: `class '${classOf(service)}' makes a public balancer, although ${type.key} says '${type.text}' (ConflictingConfiguration)`,
            wayOut: `use class ${GKE_CLASS.internal}, or leave the annotation out`,
            value: type.text,
          }
        : undefined;
    },
  },
  {
    id: 'gke-internal-by-class',
    severity: 'warning',
    says: 'an internal class makes an internal balancer, whatever the type annotation says',
    source: at('pkg/l4/annotations/gce_annotations.go'),
    judge(service) {
      const type = typeOf(service);
      return among(INTERNAL_CLASSES, service) && type && !type.internal
        ? {
            what: `class '${classOf(service)}' makes an internal balancer, although ${type.key} says '${type.text}'`,
            wayOut: `use class ${GKE_CLASS.external}, or leave the annotation out`,
            value: type.text,
          }
        : undefined;
    },
  },
  {
    id: 'gke-deprecated-type',
    severity: 'warning',
    says: `${GKE.oldLoadBalancerType.key()} is the old name of ${GKE.loadBalancerType.key()}`,
    source: at('pkg/l4/annotations/gce_annotations.go'),
    judge: (service) =>
      sayOf(
        service,
        [GKE.oldLoadBalancerType],
        (key) => `${key} is deprecated`,
        `use a class, or ${GKE.loadBalancerType.key()}`,
      ),
  },
  {
    id: 'gke-other-scheme',
    severity: 'warning',
    says: 'some annotations mean something to internal balancers only, others to external ones only',
    source: GKE_SOURCE,
    judge: (service) =>
      sayOf(
        service,
        // of a standalone NEG the forwarding rules decide
        among([GKE_CLASS.standaloneNeg], service) ? [] : isInternal(service) ? EXTERNAL_ONLY : INTERNAL_ONLY,
        (key) => `${key} has no effect on ${scheme(service)} balancer`,
        'leave it out',
      ),
  },
  {
    id: 'gke-other-controller',
    severity: 'warning',
    says: 'some annotations are read by the newer controllers only, others by the older one only',
    source: GKE_LEGACY_SOURCE,
    judge: (service) =>
      sayOf(
        service,
        among(LEGACY_CLASSES, service) ? L4_ONLY : among(L4_CLASSES, service) ? LEGACY_ONLY : [],
        (key) => `${key} is not read by the controller that serves class '${classOf(service)}'`,
        'leave it out, or use another class',
      ),
  },
  {
    id: 'gke-written-by-gke',
    severity: 'warning',
    says: 'some annotations are notes of GKE itself',
    source: GKE_SOURCE,
    judge: (service) =>
      sayOf(
        service,
        WRITTEN_BY_GKE,
        (key) => `${key} is written by GKE, and a manifest that writes it as well fights with it`,
        'leave it out',
      ),
  },
  {
    id: 'gke-rbs-with-class',
    severity: 'warning',
    says: `${GKE.l4Rbs.key()} has no effect beside a class`,
    source: at('pkg/l4/controllers/l4netlbcontroller.go'),
    judge: (service) =>
      among(EXTERNAL_CLASSES, service)
        ? sayOf(
            service,
            [GKE.l4Rbs],
            (key) => `${key} has no effect beside class '${classOf(service)}'`,
            'leave it out',
          )
        : undefined,
  },
  {
    id: 'gke-standalone-forwarding-rule',
    severity: 'error',
    says: `class ${GKE_CLASS.standaloneNeg} needs forwarding rules of your own, and no other class takes them`,
    source: at('pkg/l4/controllers/standalonenegcontroller.go'),
    judge(service) {
      const standalone = among([GKE_CLASS.standaloneNeg], service);
      const key = GKE.customForwardingRule.key();
      if (standalone === has(service, GKE.customForwardingRule)) {
        return undefined;
      }
      return standalone
        ? { what: `class '${GKE_CLASS.standaloneNeg}' makes no balancer of its own`, wayOut: `name yours in ${key}` }
        : {
            what: `${key} is read with class '${GKE_CLASS.standaloneNeg}' only`,
            wayOut: 'leave it out, or use that class',
            value: String(annotationsOf(service)[key]),
          };
    },
  },
  {
    id: 'gke-static-address-twice',
    severity: 'warning',
    says: 'names of reserved addresses win over spec.loadBalancerIP',
    source: at('pkg/l4/address/to_use.go'),
    judge(service) {
      const ip: unknown = service.spec?.loadBalancerIP;
      return ip && has(service, GKE.loadBalancerIpAddresses)
        ? {
            what: `${GKE.loadBalancerIpAddresses.key()} wins over spec.loadBalancerIP '${ip}' (MixedStaticIP)`,
            wayOut: 'leave spec.loadBalancerIP out',
            value: String(ip),
          }
        : undefined;
    },
  },
  {
    id: 'gke-weights-need-local',
    severity: 'warning',
    says: 'nodes are weighed with traffic policy Local only',
    source: at('pkg/l4/resources/l4netlb.go'),
    judge: (service) =>
      isLocal(service)
        ? undefined
        : sayOf(
            service,
            [GKE.weightedLoadBalancing],
            (key) => `${key} has no effect without externalTrafficPolicy Local (UnsupportedConfiguration)`,
            'set externalTrafficPolicy to Local, or leave it out',
          ),
  },
  {
    id: 'gke-strong-affinity',
    severity: 'error',
    says: 'strong session affinity needs sessionAffinity ClientIP with a timeout of 60 to 57600 seconds',
    source: at('pkg/l4/resources/l4netlb.go'),
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
            wayOut: `set sessionAffinity ClientIP with a timeout of ${min} to ${max} seconds`,
            value: String(timeout ?? affinity),
          };
    },
  },
  {
    id: 'gke-ip-collection',
    severity: 'error',
    says: 'a collection of IPv6 addresses is for Services of IPv6 only, and excludes a subnet',
    source: at('pkg/l4/resources/l4netlb.go'),
    judge(service) {
      const collection = annotationsOf(service)[GKE.ipCollectionV6.key()];
      if (collection === undefined || isInternal(service)) {
        return undefined;
      }
      const families = list<string>(service.spec?.ipFamilies);
      const key = GKE.ipCollectionV6.key();
      const value = String(collection);
      return [
        ...(has(service, GKE.loadBalancerSubnet)
          ? [{ what: `${key} and ${GKE.loadBalancerSubnet.key()} exclude each other`, wayOut: 'keep one', value }]
          : []),
        ...(families.length === 0 || families.includes('IPv4')
          ? [
              {
                what: `${key} is refused unless the Service is IPv6 only`,
                wayOut: 'set ipFamilies to IPv6 alone',
                value,
              },
            ]
          : []),
      ];
    },
  },
  {
    id: 'gke-all-ports',
    severity: 'warning',
    says: 'an internal balancer with more than five ports takes all ports of its address',
    source: at('pkg/l4/resources/forwarding_rules.go'),
    judge(service) {
      const count = portsOf(service).length;
      return isInternal(service) && count > DISCRETE_PORTS
        ? {
            what: `${count} ports are more than the ${DISCRETE_PORTS} that a forwarding rule can name, so it takes all ports of its address`,
            wayOut: 'make two Services, or share the address with no other',
            value: String(count),
          }
        : undefined;
    },
  },
  {
    id: 'gke-source-ranges-of-family',
    severity: 'error',
    says: 'source ranges of one address family leave the other one open to everybody',
    source: at('pkg/l4/utils/sourceranges.go'),
    judge(service) {
      const spec = list<unknown>(service.spec?.loadBalancerSourceRanges).map(String);
      const ranges = spec.length > 0 ? spec : (GKE.sourceRanges.on(annotationsOf(service)) ?? []);
      const open = familiesOf(service).filter(
        (family) => !ranges.some((range) => isIpv6(range) === (family === 'IPv6')),
      );
      return ranges.length > 0
        ? open.map((family) => ({
            what: `no source range is ${family}, which leaves ${family} open to everybody who reaches the balancer`,
            wayOut: `add a range of ${family}, or leave that family out`,
            value: ranges.join(','),
          }))
        : undefined;
    },
  },
  {
    id: 'gke-protocol',
    severity: 'error',
    says: 'balancers of GKE know TCP and UDP',
    source: at('pkg/l4/forwardingrules/protocol.go'),
    judge(service) {
      const odd = portsOf(service).find((port) => !['TCP', 'UDP'].includes(port.protocol ?? 'TCP'));
      return (
        odd && {
          what: `port ${odd.port} is ${odd.protocol}`,
          wayOut: 'balance TCP or UDP',
          value: String(odd.protocol),
        }
      );
    },
  },
  {
    id: 'gke-legacy-mixed-protocols',
    severity: 'error',
    says: 'the older controller refuses a Service that mixes protocols',
    source: { ...GKE_LEGACY_SOURCE, file: 'providers/gce/gce_loadbalancer.go' },
    judge: (service) =>
      among(LEGACY_CLASSES, service) && mixes(service)
        ? {
            what: `the ports mix TCP and UDP, which class '${classOf(service)}' refuses`,
            wayOut: 'make one Service for each protocol, or use a class without -legacy',
            value: 'TCP and UDP',
          }
        : undefined,
  },
  {
    id: 'gke-mixed-protocols',
    severity: 'warning',
    says: 'mixed protocols are behind a switch of GKE; without it all ports have the protocol of the first',
    source: at('pkg/utils/utils.go'),
    judge: (service) =>
      !among(LEGACY_CLASSES, service) && mixes(service)
        ? {
            what: 'the ports mix TCP and UDP, which GKE serves only where it has switched that on, and else refuses or takes for the protocol of the first port',
            wayOut: 'make one Service for each protocol',
            value: 'TCP and UDP',
          }
        : undefined,
  },
];

function familiesOf(service: Json): string[] {
  const families = list<string>(service.spec?.ipFamilies);
  if (families.length > 0) {
    return families;
  }
  return service.spec?.ipFamilyPolicy === 'RequireDualStack' ? ['IPv4', 'IPv6'] : ['IPv4'];
}

function mixes(service: Json): boolean {
  const protocols = portsOf(service).map((port) => port.protocol ?? 'TCP');
  return protocols.includes('TCP') && protocols.includes('UDP');
}

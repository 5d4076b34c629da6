import { unlessLive } from '../../contract/hand-over';
import { type Json, list } from '../../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../contract/kubernetes.facts';
import { isIpv6 } from '../../contract/kubernetes-syntax';
import { isOfController } from '../../rules/applied';
import type { Rule } from '../../rules/rule';
import { annotationsOf, classOf, finalizersOf } from '../../rules/service-json';
import { GKE, GKE_CLASS, GKE_GROUPS, GKE_LEGACY_SOURCE, GKE_SOURCE } from './annotations';
import { GKE_CLASSES, gkeFile } from './facts';
import { among, findingsOf, has, isInternal, typeOf } from './reading';
import { GKE_TRAFFIC_RULES } from './rules.traffic';

const scheme = (service: Json) => (isInternal(service) ? 'an internal' : 'an external');

/** The rules about what class and type say, and what then is read. */
export const GKE_CLASS_RULES: readonly Rule[] = [
  {
    id: 'gke-cleanup-finalizer-of-class',
    severity: 'warning',
    says: 'finalizer of the older controller beside a class of the newer one',
    source: gkeFile('pkg/utils/common/finalizer.go'),
    on: ['spec.loadBalancerClass'],
    judge: (service) =>
      among(GKE_CLASSES.l4, service) && finalizersOf(service).includes(LOAD_BALANCER_CLEANUP_FINALIZER)
        ? {
            what: `finalizer '${LOAD_BALANCER_CLEANUP_FINALIZER}' is not of the controller that serves class '${classOf(service)}'`,
            remedy: unlessLive('leave it out: that controller adds its own'),
            value: LOAD_BALANCER_CLEANUP_FINALIZER,
          }
        : undefined,
  },
  {
    id: 'gke-public-by-class',
    severity: 'error',
    says: 'class makes the balancer public, although the type annotation is Internal',
    source: gkeFile('pkg/l4/controllers/l4netlbcontroller.go'),
    on: ['spec.loadBalancerClass'],
    judge(service) {
      const type = typeOf(service);
      return among(GKE_CLASSES.external, service) && type?.internal
        ? {
            what: `class '${classOf(service)}' makes a public balancer, although ${type.key} is '${type.text}' (ConflictingConfiguration)`,
            remedy: unlessLive(`leave the annotation out, or use class ${GKE_CLASS.internal}`),
            value: type.text,
          }
        : undefined;
    },
  },
  {
    id: 'gke-internal-by-class',
    severity: 'warning',
    says: 'class makes the balancer internal, although the type annotation is External',
    source: gkeFile('pkg/l4/annotations/gce_annotations.go'),
    on: ['spec.loadBalancerClass'],
    judge(service) {
      const type = typeOf(service);
      return among(GKE_CLASSES.internal, service) && type && !type.internal
        ? {
            what: `class '${classOf(service)}' makes an internal balancer, although ${type.key} is '${type.text}'`,
            remedy: unlessLive(`leave the annotation out, or use class ${GKE_CLASS.external}`),
            value: type.text,
          }
        : undefined;
    },
  },
  {
    id: 'gke-other-scheme',
    severity: 'warning',
    effect: 'ignored',
    says: 'annotation that a balancer of this scheme ignores',
    source: GKE_SOURCE,
    reads: [...GKE_GROUPS.external, ...GKE_GROUPS.internal],
    judge: (service) =>
      findingsOf(
        service,
        // of a standalone NEG the forwarding rules decide
        among([GKE_CLASS.standaloneNeg], service)
          ? []
          : isInternal(service)
            ? GKE_GROUPS.external
            : GKE_GROUPS.internal,
        (key) => `${key} has no effect on ${scheme(service)} balancer`,
        'leave it out',
      ),
  },
  {
    id: 'gke-other-controller',
    severity: 'warning',
    effect: 'ignored',
    says: 'annotation that the controller of this Service does not read',
    source: GKE_LEGACY_SOURCE,
    reads: [...GKE_GROUPS.l4, ...GKE_GROUPS.legacy],
    judge: (service) =>
      findingsOf(
        service,
        among(GKE_CLASSES.legacy, service) ? GKE_GROUPS.l4 : among(GKE_CLASSES.l4, service) ? GKE_GROUPS.legacy : [],
        (key) => `${key} is not read by the controller that serves class '${classOf(service)}'`,
        'leave it out, or use another class',
      ),
  },
  {
    id: 'gke-written-by-gke',
    severity: 'warning',
    says: 'annotation that GKE itself writes',
    source: GKE_SOURCE,
    reads: GKE_GROUPS.written,
    judge: (service) =>
      findingsOf(
        service,
        GKE_GROUPS.written.filter((entry) => !isOfController(service, (applied) => applied.hasAnnotation(entry.key()))),
        (key) => `${key} is written by GKE, and a manifest that writes it as well fights with it`,
        'leave it out',
      ),
  },
  {
    id: 'gke-rbs-with-class',
    severity: 'warning',
    effect: 'ignored',
    says: `${GKE.l4Rbs.key()} is ignored beside a class`,
    source: gkeFile('pkg/l4/controllers/l4netlbcontroller.go'),
    reads: [GKE.l4Rbs],
    judge: (service) =>
      among(GKE_CLASSES.external, service)
        ? findingsOf(
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
    says: `class ${GKE_CLASS.standaloneNeg} without forwarding rules, or forwarding rules with another class`,
    source: gkeFile('pkg/l4/controllers/standalonenegcontroller.go'),
    on: ['spec.loadBalancerClass'],
    reads: [GKE.customForwardingRule],
    judge(service) {
      const standalone = among([GKE_CLASS.standaloneNeg], service);
      const key = GKE.customForwardingRule.key();
      if (standalone === has(service, GKE.customForwardingRule)) {
        return undefined;
      }
      return standalone
        ? { what: `class '${GKE_CLASS.standaloneNeg}' makes no balancer of its own`, remedy: `name yours in ${key}` }
        : {
            what: `${key} is read with class '${GKE_CLASS.standaloneNeg}' only`,
            remedy: unlessLive('leave it out, or use that class'),
            value: String(annotationsOf(service)[key]),
          };
    },
  },
];

/** The rules about addresses: those of the balancer and those of clients. */
export const GKE_ADDRESS_RULES: readonly Rule[] = [
  {
    id: 'gke-static-address-twice',
    severity: 'warning',
    says: 'spec.loadBalancerIP is ignored beside names of reserved addresses',
    source: gkeFile('pkg/l4/address/to_use.go'),
    reads: [GKE.loadBalancerIpAddresses],
    judge(service) {
      const ip: unknown = service.spec?.loadBalancerIP;
      return ip && has(service, GKE.loadBalancerIpAddresses)
        ? {
            what: `${GKE.loadBalancerIpAddresses.key()} wins over spec.loadBalancerIP '${ip}' (MixedStaticIP)`,
            remedy: 'leave spec.loadBalancerIP out',
            value: String(ip),
          }
        : undefined;
    },
  },
  {
    id: 'gke-ip-collection',
    severity: 'error',
    effect: 'refused',
    says: 'IPv6 collection on a Service that is not IPv6 only, or beside a subnet',
    source: gkeFile('pkg/l4/resources/l4netlb.go'),
    reads: [GKE.ipCollectionV6],
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
          ? [{ what: `${key} and ${GKE.loadBalancerSubnet.key()} exclude each other`, remedy: 'keep one', value }]
          : []),
        ...(families.length === 0 || families.includes('IPv4')
          ? [
              {
                what: `${key} is refused unless the Service is IPv6 only`,
                remedy: 'set ipFamilies to IPv6 alone',
                value,
              },
            ]
          : []),
      ];
    },
  },
  {
    id: 'gke-source-ranges-of-family',
    severity: 'error',
    says: 'source ranges leave one address family open to every client',
    source: gkeFile('pkg/l4/utils/sourceranges.go'),
    on: ['spec.loadBalancerSourceRanges'],
    reads: [GKE.sourceRanges],
    judge(service) {
      const spec = list<unknown>(service.spec?.loadBalancerSourceRanges).map(String);
      const ranges = spec.length > 0 ? spec : (GKE.sourceRanges.on(annotationsOf(service)) ?? []);
      const open = familiesOf(service).filter(
        (family) => !ranges.some((range) => isIpv6(range) === (family === 'IPv6')),
      );
      return ranges.length > 0
        ? open.map((family) => ({
            what: `no source range is ${family}, which leaves ${family} open to every client that reaches the balancer`,
            remedy: `add a range of ${family}, or leave that family out`,
            value: ranges.join(','),
          }))
        : undefined;
    },
  },
];

function familiesOf(service: Json): string[] {
  const families = list<string>(service.spec?.ipFamilies);
  if (families.length > 0) {
    return families;
  }
  return service.spec?.ipFamilyPolicy === 'RequireDualStack' ? ['IPv4', 'IPv6'] : ['IPv4'];
}

/** What GKE refuses, and what it takes in silence and in another sense. */
export const GKE_RULES: readonly Rule[] = [...GKE_CLASS_RULES, ...GKE_ADDRESS_RULES, ...GKE_TRAFFIC_RULES];

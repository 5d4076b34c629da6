import { type Json, list } from '../../contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../contract/kubernetes.facts';
import { isIpv6 } from '../../contract/kubernetes-syntax';
import type { Rule } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import {
  annotationsOf,
  classOf,
  finalizerAt,
  finalizersOf,
  isLocal,
  isOfController,
  portsOf,
  rangeAt,
} from '../../rules/service-json';
import { unsupportedProtocol } from '../shared/model';
import { GKE, GKE_CLASS, GKE_GROUPS, GKE_SOURCE } from './annotations';
import { GKE_CLASSES } from './facts';
import { annotationsIn, DISCRETE_PORTS, has, isInternal, isOneOfClasses, typeOf } from './model';
import { GKE_RULE_ROWS } from './rules.facts';

const STRONG_AFFINITY_SECONDS = { min: 60, max: 57600 };

export const GKE_RULES: readonly Rule[] = rulesOf({
  rows: GKE_RULE_ROWS,
  source: GKE_SOURCE,
  catalogue: { ...GKE, ...GKE_GROUPS },
  read: annotationsOf,
  finds: {
    'gke-cleanup-finalizer-with-class': (_, service) =>
      isOneOfClasses(GKE_CLASSES.l4, service) &&
      finalizersOf(service).includes(LOAD_BALANCER_CLEANUP_FINALIZER) && {
        class: classOf(service),
        value: LOAD_BALANCER_CLEANUP_FINALIZER,
        at: finalizerAt(service, LOAD_BALANCER_CLEANUP_FINALIZER),
      },
    'gke-public-by-class': (_, service) => {
      const type = typeOf(service);
      return (
        isOneOfClasses(GKE_CLASSES.external, service) &&
        type?.internal && { class: classOf(service), key: type.key, value: type.text }
      );
    },
    'gke-internal-by-class': (_, service) => {
      const type = typeOf(service);
      return (
        isOneOfClasses(GKE_CLASSES.internal, service) &&
        type?.internal === false && { class: classOf(service), key: type.key, value: type.text }
      );
    },
    // of a standalone NEG the forwarding rules decide
    'gke-annotation-ignored-by-scheme': (_, service) =>
      !isOneOfClasses([GKE_CLASS.standaloneNeg], service) &&
      annotationsIn(service, isInternal(service) ? GKE_GROUPS.external : GKE_GROUPS.internal).map((written) => ({
        ...written,
        scheme: isInternal(service) ? 'an internal' : 'an external',
      })),
    'gke-annotation-for-other-controller': (_, service) => {
      const isLegacy = isOneOfClasses(GKE_CLASSES.legacy, service);
      const unread = isLegacy ? GKE_GROUPS.l4 : isOneOfClasses(GKE_CLASSES.l4, service) ? GKE_GROUPS.legacy : [];
      return annotationsIn(service, unread).map((written) => ({ ...written, class: classOf(service) }));
    },
    'gke-annotation-reserved': (_, service) =>
      annotationsIn(service, GKE_GROUPS.written).filter(
        ({ key }) => !isOfController(service, (applied) => applied.hasAnnotation(key)),
      ),
    'gke-rbs-ignored': (_, service) =>
      isOneOfClasses(GKE_CLASSES.external, service) &&
      annotationsIn(service, [GKE.l4Rbs]).map((written) => ({ ...written, class: classOf(service) })),
    'gke-standalone-class-mismatch': (_, service) => {
      const [written] = annotationsIn(service, [GKE.customForwardingRule]);
      if (isOneOfClasses([GKE_CLASS.standaloneNeg], service)) {
        return !written && { case: 'standalone', key: GKE.customForwardingRule.key() };
      }
      return written && { case: 'other', ...written };
    },
    'gke-load-balancer-ip-ignored': (_, service) =>
      service.spec?.loadBalancerIP &&
      has(service, GKE.loadBalancerIpAddresses) && { value: String(service.spec.loadBalancerIP) },
    'gke-ip-collection-unsupported': (_, service) => {
      const [collection] = annotationsIn(service, [GKE.ipCollectionV6]);
      if (collection === undefined || isInternal(service)) {
        return undefined;
      }
      const families = list<string>(service.spec?.ipFamilies);
      return [
        has(service, GKE.loadBalancerSubnet) ? { case: 'subnet', ...collection } : undefined,
        families.length === 0 || families.includes('IPv4') ? { case: 'family', ...collection } : undefined,
      ];
    },
    'gke-source-ranges-of-one-family': (annotations, service) => {
      const spec = list<unknown>(service.spec?.loadBalancerSourceRanges).map(String);
      const ranges = spec.length > 0 ? spec : (GKE.sourceRanges.on(annotations) ?? []);
      const isOpen = (family: string) => !ranges.some((range) => isIpv6(range) === (family === 'IPv6'));
      return (
        ranges.length > 0 &&
        familiesOf(service)
          .filter(isOpen)
          .map((family) => ({ family, value: ranges.join(','), at: rangeAt(service, ranges[0]) }))
      );
    },
    'gke-weights-without-local-policy': (_, service) =>
      !isLocal(service) && annotationsIn(service, [GKE.weightedLoadBalancing]),
    'gke-strong-affinity-invalid': (annotations, service) => {
      if (!GKE.strongSessionAffinity.on(annotations) || isInternal(service)) {
        return undefined;
      }
      const { min, max } = STRONG_AFFINITY_SECONDS;
      const affinity: unknown = service.spec?.sessionAffinity ?? 'None';
      const timeout: unknown = service.spec?.sessionAffinityConfig?.clientIP?.timeoutSeconds;
      const fits = affinity === 'ClientIP' && typeof timeout === 'number' && timeout >= min && timeout <= max;
      return !fits && { affinity, timeout: timeout ?? 'unset', min, max, value: String(timeout ?? affinity) };
    },
    'gke-all-ports-forwarded': (_, service) => {
      const count = portsOf(service).length;
      return isInternal(service) && count > DISCRETE_PORTS && { value: String(count) };
    },
    'gke-protocol-unsupported': unsupportedProtocol,
    'gke-mixed-protocols-unsupported': (_, service) =>
      isOneOfClasses(GKE_CLASSES.legacy, service) &&
      mixes(service) && { class: classOf(service), value: 'TCP and UDP' },
    'gke-mixed-protocols': (_, service) =>
      !isOneOfClasses(GKE_CLASSES.legacy, service) && mixes(service) && { value: 'TCP and UDP' },
  },
});

function mixes(service: Json): boolean {
  const protocols = portsOf(service).map((port) => port.protocol ?? 'TCP');
  return protocols.includes('TCP') && protocols.includes('UDP');
}

function familiesOf(service: Json): string[] {
  const families = list<string>(service.spec?.ipFamilies);
  if (families.length > 0) {
    return families;
  }
  return service.spec?.ipFamilyPolicy === 'RequireDualStack' ? ['IPv4', 'IPv6'] : ['IPv4'];
}

import type { Json } from '../../contract/json';
import { Confidence } from '../../contract/kubernetes.facts';
import type { BalancerHealthCheck, MadeBalancer } from '../../contract/made-balancer';
import { LoadBalancerScheme } from '../../contract/options';
import { annotationsOf, type SchemeReading } from '../../rules/service-json';
import { groupOfRules, madeNlb, type NlbClients, zonesBy } from '../aws/made';
import { crossZoneOf, healthCheckByLbc, listenersOf, sourceRangesOf } from '../aws-load-balancer-controller/made';
import { NlbTargetType } from '../aws-load-balancer-controller/options';
import { schemeBy } from '../shared/reading';
import { EKS, EKS_GROUPS, EKS_SOURCE } from './annotations';
import { EKS_READINESS_GATES } from './edits.facts';

export function schemeOf(service: Json): SchemeReading {
  return schemeBy(service, [EKS.scheme], EKS.scheme.on(annotationsOf(service)) !== LoadBalancerScheme.INTERNET_FACING);
}

/** Whether pods are the targets: they are unless the annotation says otherwise. */
export const hasPodTargets = (service: Json) => EKS.targetType.on(annotationsOf(service)) !== NlbTargetType.INSTANCE;

/** How clients are shown to targets, whose attributes cannot be set. */
export const clientsOf = (service: Json): NlbClients => ({
  toPods: hasPodTargets(service),
  preserves: () => undefined,
});

/** What EKS Auto Mode makes of a finished Service, as far as AWS documents it. */
export function madeByEksAutoMode(service: Json): MadeBalancer {
  const annotations = documentedOf(service);
  const listeners = listenersOf(service, annotations);
  return madeNlb(service, {
    scheme: schemeOf(service).scheme,
    clients: clientsOf(service),
    gates: EKS_READINESS_GATES,
    // it documents no annotation for attributes of target groups
    endsHeld: () => 'use ip targets',
    hasHeader: () => false,
    listeners: listeners.length,
    crossZone: crossZoneOf(annotations, []),
    zones: zonesBy(EKS.subnets.on(annotations)),
    healthCheck: healthCheckOf(service, annotations),
    group: groupOfRules(listeners.length, sourceRangesOf(service, annotations)),
    source: EKS_SOURCE,
    confidence: Confidence.DOCS,
  });
}

function documentedOf(service: Json): Readonly<Record<string, string>> {
  const known = new Set(
    Object.values(EKS)
      .filter((entry) => !EKS_GROUPS.unsupported.includes(entry))
      .map((entry) => entry.key()),
  );
  return Object.fromEntries(Object.entries(annotationsOf(service)).filter(([key]) => known.has(key)));
}

/** As the controller has it whose annotations it reads; figures only where the Service sets them, for AWS documents no defaults. */
function healthCheckOf(service: Json, annotations: Readonly<Record<string, string>>): BalancerHealthCheck {
  const { interval: _, failures: __, ...alike } = healthCheckByLbc(service, annotations, hasPodTargets(service));
  const interval = EKS.healthCheckInterval.on(annotations)?.toSeconds();
  const failures = EKS.healthCheckUnhealthyThreshold.on(annotations);
  return { ...alike, ...(interval === undefined ? {} : { interval }), ...(failures === undefined ? {} : { failures }) };
}

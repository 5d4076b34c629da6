import type { Json } from '../../contract/json';
import { Confidence } from '../../contract/kubernetes.facts';
import type { BalancerHealthCheck, MadeBalancer } from '../../contract/made-balancer';
import { annotationsOf } from '../../rules/service-json';
import { groupOfRules, madeNlb, zonesBy } from '../aws/made';
import { crossZoneOf, healthCheckByLbc } from '../aws-load-balancer-controller/made';
import { listenersOf, sourceRangesOf } from '../aws-load-balancer-controller/reading';
import { EKS, EKS_READINESS_GATES, EKS_SOURCE } from './annotations';
import { clientsOf, hasPodTargets, schemeOf } from './reading';

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
  const annotations = annotationsOf(service);
  const keys = Object.values(EKS).map((entry) => entry.key());
  return Object.fromEntries(keys.filter((key) => key in annotations).map((key) => [key, annotations[key]]));
}

/** As the controller has it whose annotations it reads; figures only where the Service sets them, for AWS documents no defaults. */
function healthCheckOf(service: Json, annotations: Readonly<Record<string, string>>): BalancerHealthCheck {
  const { interval: _, failures: __, ...alike } = healthCheckByLbc(service, annotations, hasPodTargets(service));
  const interval = EKS.healthCheckInterval.on(annotations)?.toSeconds();
  const failures = EKS.healthCheckUnhealthyThreshold.on(annotations);
  return { ...alike, ...(interval === undefined ? {} : { interval }), ...(failures === undefined ? {} : { failures }) };
}

import type { Json } from '../../contract/json';
import { LoadBalancerScheme } from '../../contract/options';
import type { SchemeReading } from '../../rules/service-json';
import { annotationsOf } from '../../rules/service-json';
import type { NlbClients } from '../aws/reading';
import { NlbTargetType } from '../aws-load-balancer-controller/options';
import { schemeBy } from '../shared/reading';
import { EKS } from './annotations';

// How this controller reads a finished Service.

/** Internal unless the annotation says otherwise. */
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

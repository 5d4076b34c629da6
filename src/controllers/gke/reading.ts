import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import type { Json } from '../../contract/json';
import type { SchemeReading } from '../../rules/service-json';
import { annotationsOf, classOf } from '../../rules/service-json';
import { schemeBy, writtenAmong } from '../shared/reading';
import { GKE } from './annotations';
import { GKE_CLASSES } from './facts';

// What rules ask of a Service again and again.

/** The ports that a forwarding rule can name one by one; an internal balancer with more takes all ports. */
export const DISCRETE_PORTS = 5;

/** Whether the Service has one of some classes. */
export const among = (classes: readonly string[], service: Json) => classes.includes(String(classOf(service)));

/** Whether an annotation is there, readable or not. */
export const has = (service: Json, entry: AnyAnnotation) => annotationsOf(service)[entry.key()] !== undefined;

/** The first of the two type annotations that is there, as the controllers read it. */
export function typeOf(service: Json): { key: string; text: string; internal: boolean } | undefined {
  const found = [GKE.loadBalancerType, GKE.oldLoadBalancerType].find((entry) => has(service, entry));
  const text = found && String(annotationsOf(service)[found.key()]);
  return found && text !== undefined
    ? { key: found.key(), text, internal: found.on(annotationsOf(service)) === true }
    : undefined;
}

/** A class of GKE decides; without one the annotation does. */
export function isInternal(service: Json): boolean {
  return among(GKE_CLASSES.internal, service) || (classOf(service) === undefined && typeOf(service)?.internal === true);
}

/** Whether the older controller makes the balancer, whose finalizer is that of every cloud provider. */
export function isOfOlderGeneration(service: Json): boolean {
  return among(GKE_CLASSES.legacy, service) || (classOf(service) === undefined && !has(service, GKE.l4Rbs));
}

/** The entries that are there. */
export function writtenIn(service: Json, entries: readonly AnyAnnotation[]): { key: string; value: string }[] {
  return writtenAmong(annotationsOf(service), entries).map(({ key, value }) => ({ key, value: String(value) }));
}

/** A class of GKE decides alone; balancers of backend services are external unless a type says otherwise. */
export function schemeOf(service: Json): SchemeReading {
  const loadBalancerClass = classOf(service);
  const reading = schemeBy(service, [GKE.loadBalancerType, GKE.oldLoadBalancerType, GKE.l4Rbs], isInternal(service));
  return loadBalancerClass === undefined
    ? reading
    : {
        ...reading,
        isSet: among([...GKE_CLASSES.internal, ...GKE_CLASSES.external], service),
        because: `class '${loadBalancerClass}' makes it so`,
      };
}

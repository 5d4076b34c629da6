import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import type { Json } from '../../contract/json';
import { Confidence } from '../../contract/kubernetes.facts';
import {
  BalancerChoice,
  type BalancerHealthCheck,
  BalancerTarget,
  ClientAddressMeans,
  type LoadBalancerModel,
} from '../../contract/load-balancer-model';
import { annotationsOf, classOf, isLocal, portsOf, type SchemeReading } from '../../rules/service-json';
import { annotationsAmong, familiesOf, healthCheckNodePortOf, limitsBy, oneAddress, schemeBy } from '../shared/model';
import { HEALTH_CHECK_NODE_PORT_PATH, KUBE_PROXY_HEALTH } from '../shared/model.facts';
import { GKE, GKE_CLASS, GKE_LEGACY_SOURCE, GKE_SOURCE } from './annotations';
import { GKE_CHECKS, GKE_CLASSES, GKE_LIMITS, GKE_LIMITS_WITHOUT_SUBSETTING } from './facts';

/**
 * Model of a Service of GKE; undefined if the balancer is the user's own. What the Service leaves to the version of GKE is
 * taken for the work of the older controller: target pools and instance groups.
 */
export function gkeModel(service: Json): LoadBalancerModel | undefined {
  if (isOneOfClasses([GKE_CLASS.standaloneNeg], service)) {
    return undefined;
  }
  const isOlder = isOfOlderGeneration(service);
  const internal = isInternal(service);
  const annotations = annotationsOf(service);
  const weighs = GKE.weightedLoadBalancing.on(annotations) === true;
  const local = isLocal(service);
  return {
    product: internal ? 'gcp/passthrough-internal' : 'gcp/passthrough-external',
    name: `${internal ? 'internal' : 'external'} passthrough Network Load Balancer`,
    scheme: schemeOf(service).scheme,
    target: BalancerTarget.NODE_WITH_ADDRESS,
    choice: BalancerChoice.EVEN,
    clientAddress: ClientAddressMeans.SOURCE,
    healthCheck: healthCheckOf(service, isOlder),
    ...(local && !isOlder ? { onlyNodesWithPods: true } : {}),
    ...(local && !isOlder && weighs ? { weighedByPods: true } : {}),
    listeners: forwardingRulesOf(service, isOlder),
    publicAddresses: oneAddress(service, !internal),
    addressSharedBy: internal ? undefined : addressOf(service),
    limits: isOlder
      ? limitsBy(internal ? GKE_LIMITS_WITHOUT_SUBSETTING : [], 0)
      : limitsBy(GKE_LIMITS[internal ? 'internal' : 'external'][local ? 'local' : 'cluster'], 0),
    source: isOlder ? GKE_LEGACY_SOURCE : GKE_SOURCE,
    confidence: Confidence.SOURCE,
  };
}

function healthCheckOf(service: Json, isOlder: boolean): BalancerHealthCheck {
  const [check, answer] = isLocal(service)
    ? ([
        GKE_CHECKS.local,
        {
          answeredBy: 'kube-proxy-of-service',
          port: healthCheckNodePortOf(service),
          path: HEALTH_CHECK_NODE_PORT_PATH,
        },
      ] as const)
    : ([
        GKE_CHECKS.cluster,
        { answeredBy: 'kube-proxy', port: String(KUBE_PROXY_HEALTH.port), path: KUBE_PROXY_HEALTH.path },
      ] as const);
  return { ...answer, protocol: 'HTTP', ...(isOlder ? GKE_CHECKS.older : check) };
}

/** One a protocol and family: a rule takes several ports, and the older controller knows one protocol and IPv4. */
function forwardingRulesOf(service: Json, isOlder: boolean): number {
  const protocols = new Set(portsOf(service).map(({ protocol }) => protocol ?? 'TCP'));
  return isOlder ? Math.min(protocols.size, 1) : protocols.size * familiesOf(service).length;
}

function addressOf(service: Json): string | undefined {
  const names = GKE.loadBalancerIpAddresses.on(annotationsOf(service));
  const field: unknown = service.spec?.loadBalancerIP;
  return names ? [...names].sort().join(', ') : typeof field === 'string' && field !== '' ? field : undefined;
}

/** The ports that a forwarding rule can name one by one; an internal balancer with more takes all ports. */
export const DISCRETE_PORTS = 5;

export const isOneOfClasses = (classes: readonly string[], service: Json) => classes.includes(String(classOf(service)));

export const has = (service: Json, entry: AnyAnnotation) => annotationsOf(service)[entry.key()] !== undefined;

/** The first of the two type annotations that is there, as the controllers read it. */
export function typeOf(service: Json): { key: string; text: string; internal: boolean } | undefined {
  const found = [GKE.loadBalancerType, GKE.oldLoadBalancerType].find((entry) => has(service, entry));
  const text = found && String(annotationsOf(service)[found.key()]);
  return found && text !== undefined
    ? { key: found.key(), text, internal: found.on(annotationsOf(service)) === true }
    : undefined;
}

export function isInternal(service: Json): boolean {
  return (
    isOneOfClasses(GKE_CLASSES.internal, service) ||
    (classOf(service) === undefined && typeOf(service)?.internal === true)
  );
}

/** True if the older controller makes the balancer, whose finalizer is that of every cloud provider. */
export function isOfOlderGeneration(service: Json): boolean {
  return isOneOfClasses(GKE_CLASSES.legacy, service) || (classOf(service) === undefined && !has(service, GKE.l4Rbs));
}

export function annotationsIn(service: Json, entries: readonly AnyAnnotation[]): { key: string; value: string }[] {
  return annotationsAmong(annotationsOf(service), entries).map(({ key, value }) => ({ key, value: String(value) }));
}

/** A class of GKE decides alone; balancers of backend services are external unless a type says otherwise. */
export function schemeOf(service: Json): SchemeReading {
  const loadBalancerClass = classOf(service);
  const reading = schemeBy(service, [GKE.loadBalancerType, GKE.oldLoadBalancerType, GKE.l4Rbs], isInternal(service));
  return loadBalancerClass === undefined
    ? reading
    : {
        ...reading,
        isSet: isOneOfClasses([...GKE_CLASSES.internal, ...GKE_CLASSES.external], service),
        because: `class '${loadBalancerClass}' makes it so`,
      };
}

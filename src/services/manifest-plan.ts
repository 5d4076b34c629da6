import { Duration } from 'cdk8s';
import { type AnnotationCatalogue, knowsSchemes } from '../contract/annotation-catalogue';
import { DEFAULT_AFFINITY_SECONDS } from '../contract/kubernetes.facts';
import type { Json } from '../contract/late-rendering';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import type { LoadBalancerPlan } from '../contract/load-balancer-plan';
import type { LoadBalancerPort, PortProtocol } from '../contract/load-balancer-port';
import type { LoadBalancerRequest } from '../contract/load-balancer-request';
import type { LoadBalancerWishes } from '../contract/load-balancer-wishes';
import { annotationsOf, classOf, isMap, list, portsOf } from '../rules/service-json';
import { renderedAnnotations, specOf } from './service-spec';

// A Service that exists as a manifest: what it says already are wishes, and the plan is rendered into it.

/** The ports of a manifest, in the words of a request. */
export function portsIn(service: Json): LoadBalancerPort[] {
  return portsOf(service).map(({ port, name, targetPort, protocol, appProtocol, nodePort }) => ({
    port,
    name,
    targetPort: typeof targetPort === 'number' ? targetPort : undefined,
    targetPortName: typeof targetPort === 'string' ? targetPort : undefined,
    protocol: protocol as PortProtocol | undefined,
    appProtocol,
    nodePort,
  }));
}

/** What the fields of a manifest wish; what the construct's props say goes before it. */
export function wishesIn(service: Json): LoadBalancerWishes {
  const spec = isMap(service.spec) ? service.spec : {};
  const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds;
  const isWished = typeof seconds === 'number' && seconds !== DEFAULT_AFFINITY_SECONDS;
  const ranges = list<string>(spec.loadBalancerSourceRanges);
  const families = list<never>(spec.ipFamilies);
  return {
    trafficPolicy: spec.externalTrafficPolicy,
    sessionAffinity:
      spec.sessionAffinity === 'ClientIP' ? { timeout: isWished ? Duration.seconds(seconds) : undefined } : undefined,
    sourceRanges: ranges.length > 0 ? ranges : undefined,
    ipFamilies: families.length > 0 ? families : undefined,
    publishNotReadyAddresses: spec.publishNotReadyAddresses,
  };
}

/** Where a manifest says one thing and the plan another: nothing is overwritten in silence. */
export function contradictionsIn(
  service: Json,
  plan: LoadBalancerPlan,
  request: LoadBalancerRequest,
): LoadBalancerFinding[] {
  const found: LoadBalancerFinding[] = [];
  const compare = (field: string, present: unknown, planned: unknown) => {
    if (present !== undefined && planned !== undefined && JSON.stringify(present) !== JSON.stringify(planned)) {
      found.push({
        ruleId: 'manifest-contradicts-plan',
        who: plan.owner,
        what: `the manifest says ${field} ${text(present)}, but the plan for this owner is ${text(planned)}`,
        wayOut: 'take it out of the manifest, or wish for the same',
        value: text(present),
      });
    }
  };
  const annotations = annotationsOf(service);
  for (const [key, planned] of Object.entries(renderedAnnotations(plan, request))) {
    compare(key, annotations[key], planned);
  }
  const { type, ...fields } = specOf(plan, request);
  for (const [field, planned] of Object.entries(fields)) {
    compare(`spec.${field}`, service.spec?.[field], planned);
  }
  if (service.spec?.loadBalancerClass !== undefined && plan.loadBalancerClass === undefined) {
    compare('spec.loadBalancerClass', service.spec.loadBalancerClass, 'no class');
  }
  if (service.spec?.type === 'ExternalName') {
    compare('spec.type', 'ExternalName', type);
  }
  return found;
}

/** The manifest with the plan in it. */
export function withPlan(service: Json, plan: LoadBalancerPlan, request: LoadBalancerRequest): Json {
  const metadata = isMap(service.metadata) ? service.metadata : {};
  const spec = isMap(service.spec) ? service.spec : {};
  const finalizers = [...new Set([...list<string>(metadata.finalizers), ...(plan.finalizers ?? [])])];
  return {
    ...service,
    metadata: sorted({
      ...metadata,
      annotations: whole({ ...annotationsOf(service), ...renderedAnnotations(plan, request) }),
      finalizers: finalizers.length > 0 ? finalizers : undefined,
      labels: whole({ ...(isMap(metadata.labels) ? metadata.labels : {}), ...plan.labels }),
    }),
    spec: sorted({ ...spec, ...known(specOf(plan, request)) }),
  };
}

function whole(map: Json): Json | undefined {
  return Object.keys(map).length > 0 ? sorted(map) : undefined;
}

function known(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function sorted(map: Json): Json {
  return Object.fromEntries(Object.entries(known(map)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function text(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

/** What a manifest that is live already makes dangerous to leave unsaid. */
export function liveFindings(
  service: Json,
  plan: LoadBalancerPlan,
  request: LoadBalancerRequest,
  catalogue: AnnotationCatalogue | undefined,
): { readonly problems: LoadBalancerFinding[]; readonly warnings: LoadBalancerFinding[] } {
  const problems: LoadBalancerFinding[] = [];
  const warnings: LoadBalancerFinding[] = [];
  if (service.spec?.type === 'LoadBalancer' && request.scheme === undefined && knowsSchemes(catalogue)) {
    problems.push({
      ruleId: 'adopted-scheme',
      who: plan.owner,
      what: 'the manifest asks for a load balancer already, and whether that is public nobody says: on many clouds it is where nothing is written',
      wayOut: 'say scheme INTERNET_FACING or INTERNAL; the other one than today makes a new balancer, or none at all',
    });
  }
  if (service.spec?.type === 'LoadBalancer' && plan.loadBalancerClass !== undefined && classOf(service) === undefined) {
    warnings.push({
      ruleId: 'class-on-live-service',
      who: plan.owner,
      what: `the manifest has no class and the plan adds '${plan.loadBalancerClass}', which the API server refuses on a Service that is live`,
      wayOut: 'let the plan claim it by annotation where the controller can, or create it anew under another name',
      value: plan.loadBalancerClass,
    });
  }
  return { problems, warnings };
}

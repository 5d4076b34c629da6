import { Duration } from 'cdk8s';
import { type SchemeSetting, schemeSetIn } from '../contract/annotation-catalogue';
import { isMap, isSet, type Json, list, sorted } from '../contract/json';
import { DEFAULT_AFFINITY_SECONDS } from '../contract/kubernetes.facts';
import type { LoadBalancerRequest } from '../contract/load-balancer-request';
import type {
  LoadBalancerFinding,
  LoadBalancerPlan,
  LoadBalancerPort,
  LoadBalancerWishes,
  PortProtocol,
} from '../contract/options';
import { findingOf } from '../contract/rule';
import { type ControllerDefinition, schemeIn } from '../rules/controller-definition';
import { annotationsOf, portsOf } from '../rules/service-json';
import type { ManifestPath, ManifestPlace } from './manifest-place';
import { MANIFEST_CONTRADICTS_PLAN } from './rules.facts';
import { renderedAnnotations, specOf } from './service-spec';

const PROPS: Readonly<Record<string, string>> = {
  externalTrafficPolicy: 'trafficPolicy',
  healthCheckNodePort: 'rollout.healthCheckNodePort',
  ipFamilies: 'ipFamilies',
  ipFamilyPolicy: 'ipFamilies',
  loadBalancerIP: 'staticAddresses',
  loadBalancerSourceRanges: 'sourceRanges',
  publishNotReadyAddresses: 'publishNotReadyAddresses',
  sessionAffinity: 'sessionAffinity',
  sessionAffinityConfig: 'sessionAffinity',
};

const TYPES: readonly unknown[] = [undefined, null, 'ClusterIP', 'NodePort', 'LoadBalancer'];

export interface PlanComparison {
  readonly plan: LoadBalancerPlan;
  readonly request: LoadBalancerRequest;
  readonly kind?: ControllerDefinition;
  readonly place: ManifestPlace;
  /** True if the owner of the plan takes a Service, where that is known. */
  readonly claims?: (service: Json) => boolean;
}

/** Conflicts of a manifest with the plan: nothing is overwritten silently. */
export function contradictionsIn(service: Json, contradicted: PlanComparison): LoadBalancerFinding[] {
  const { plan, request, kind, place } = contradicted;
  const found: LoadBalancerFinding[] = [];
  const compare = (field: string, path: ManifestPath, prop: string, present: unknown, planned: unknown) => {
    if (present === undefined || planned === undefined || JSON.stringify(present) === JSON.stringify(planned)) {
      return;
    }
    const values = {
      case: changesOwner(service, path, contradicted) ? 'owner' : 'field',
      field,
      place: place.at(path),
      planned: text(planned),
      prop,
      without: place.without(path),
      value: text(present),
    };
    found.push(findingOf(MANIFEST_CONTRADICTS_PLAN, values, plan.owner));
  };
  const annotations = annotationsOf(service);
  for (const [key, planned] of Object.entries(renderedAnnotations(plan, request))) {
    const prop = plan.annotations?.[key] === undefined ? 'dnsName' : propOf(key, kind);
    compare(key, ['metadata', 'annotations', key], prop, annotations[key], planned);
  }
  const left = found.length === 0 ? leftScheme(service, contradicted) : undefined;
  if (left) {
    compare(left.key, ['metadata', 'annotations', left.key], 'scheme', left.text, request.scheme);
  }
  const { type, ...fields } = specOf(plan, request);
  const spec = isMap(service.spec) ? service.spec : {};
  for (const [field, planned] of Object.entries(fields)) {
    compare(`spec.${field}`, ['spec', field], PROPS[field] ?? OWNER, spec[field] ?? undefined, planned);
  }
  if (isSet(spec.loadBalancerClass) && plan.loadBalancerClass === undefined) {
    compare('spec.loadBalancerClass', ['spec', 'loadBalancerClass'], OWNER, spec.loadBalancerClass, 'no class');
  }
  if (!TYPES.includes(spec.type)) {
    compare('spec.type', ['spec', 'type'], 'the construct', spec.type, type);
  }
  return found;
}

const OWNER = 'the controller';

/** An annotation that says another scheme than was wished for, where the plan says it by leaving it out. */
function leftScheme(service: Json, { plan, request, kind }: PlanComparison): SchemeSetting | undefined {
  const given = kind && schemeSetIn(annotationsOf(service), kind.catalogue);
  const result = given && schemeIn(withPlan(service, plan, request), kind);
  return request.scheme !== undefined && result !== undefined && result !== request.scheme ? given : undefined;
}

function propOf(key: string, kind: ControllerDefinition | undefined): string {
  const fact = kind?.catalogue.find(key)?.fact;
  return fact?.wish ?? (fact?.option === undefined ? OWNER : `option ${fact.option} of the controller`);
}

/** True if the owner of the plan takes the Service only when this says what the plan says. */
function changesOwner(service: Json, path: ManifestPath, { plan, request, claims }: PlanComparison): boolean {
  if (path[1] === 'loadBalancerClass') {
    return true;
  }
  if (!claims || path[1] !== 'annotations') {
    return false;
  }
  const planned = withPlan(service, plan, request);
  const { [path[2]]: present } = annotationsOf(service);
  const annotations = { ...planned.metadata.annotations, [path[2]]: present };
  return !claims({ ...planned, metadata: { ...planned.metadata, annotations } });
}

/** Field of a manifest for each member of a request, with its name in messages. */
const WISHED_BY: readonly { readonly wish: keyof LoadBalancerWishes; readonly field: string }[] = [
  { wish: 'trafficPolicy', field: 'externalTrafficPolicy' },
  { wish: 'sessionAffinity', field: 'sessionAffinity' },
  { wish: 'sourceRanges', field: 'loadBalancerSourceRanges' },
  { wish: 'ipFamilies', field: 'ipFamilies' },
];

/** Problems of a request, each with what of the manifest it is about: the user did not say it in the props. */
export function withManifest(
  problems: readonly LoadBalancerFinding[],
  service: Json,
  props: LoadBalancerWishes,
  place: ManifestPlace,
): LoadBalancerFinding[] {
  return problems.map((problem) => {
    const concerned = WISHED_BY.filter(
      ({ wish, field }) =>
        props[wish] === undefined &&
        isSet(service.spec?.[field]) &&
        (problem.wish === wish || problem.at === `/spec/${field}`),
    );
    const given = concerned.map(({ field, wish }) => {
      const path = ['spec', field];
      return `the manifest sets spec.${field} ${text(service.spec[field])}${place.at(path)}: set ${wish} in the props, or ${place.without(path)}`;
    });
    return given.length === 0 ? problem : { ...problem, remedy: [problem.remedy, ...given].join('; ') };
  });
}

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
    spec: sorted({ ...spec, ...specOf(plan, request) }),
  };
}

function whole(map: Json): Json | undefined {
  return Object.keys(map).length > 0 ? sorted(map) : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

// The request that a manifest expresses.

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

/**
 * The request of a manifest; the props of the construct take precedence.
 *
 * @param service the manifest
 * @param kind what is known of the owner, in whose terms the manifest says who can reach the balancer
 */
export function wishesIn(service: Json, kind?: ControllerDefinition): LoadBalancerWishes {
  const spec = isMap(service.spec) ? service.spec : {};
  const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds;
  // the API server writes its default into every Service, and so into every export
  const isTimed = typeof seconds === 'number' && seconds !== DEFAULT_AFFINITY_SECONDS;
  const ranges = list<string>(spec.loadBalancerSourceRanges);
  const families = list<never>(spec.ipFamilies);
  // which family comes first, while the cluster decides whether there is a second one: there is no such wish
  const isOpen = spec.ipFamilyPolicy === 'PreferDualStack' && families.length < 2;
  return {
    scheme: spec.type === 'LoadBalancer' && kind ? schemeIn(service, kind) : undefined,
    trafficPolicy: spec.externalTrafficPolicy ?? undefined,
    sessionAffinity:
      spec.sessionAffinity === 'ClientIP' ? { timeout: isTimed ? Duration.seconds(seconds) : undefined } : undefined,
    sourceRanges: ranges.length > 0 ? ranges : undefined,
    ipFamilies: families.length > 0 && !isOpen ? families : undefined,
    publishNotReadyAddresses: spec.publishNotReadyAddresses ?? undefined,
  };
}

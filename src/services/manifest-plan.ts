import { type SchemeSetting, schemeSetIn } from '../contract/annotation-catalogue';
import { defined, isMap, isSet, type Json, list, sorted } from '../contract/json';
import type { LoadBalancerRequest } from '../contract/load-balancer-request';
import type { LoadBalancerFinding, LoadBalancerPlan, LoadBalancerWishes } from '../contract/options';
import { type ControllerDefinition, schemeIn } from '../rules/controller-definition';
import { annotationsOf } from '../rules/service-json';
import { HAND_IT_OVER } from './live-service';
import type { ManifestPath, ManifestPlace } from './manifest-place';
import { MANIFEST_CONTRADICTS_PLAN } from './service-rules';
import { renderedAnnotations, specOf } from './service-spec';

// A Service that exists as a manifest, and the plan that is rendered into it.

/** The prop that decides a field of a Service. */
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

/** The types of Services that can get a balancer. */
const TYPES: readonly unknown[] = [undefined, null, 'ClusterIP', 'NodePort', 'LoadBalancer'];

/** Who says what a manifest contradicts. */
export interface Contradicted {
  readonly plan: LoadBalancerPlan;
  readonly request: LoadBalancerRequest;
  readonly kind?: ControllerDefinition;
  readonly place: ManifestPlace;
  /** Whether the owner of the plan takes a Service, where that is known. */
  readonly claims?: (service: Json) => boolean;
}

/** Where a manifest says one thing and the plan another: nothing is overwritten in silence. */
export function contradictionsIn(service: Json, contradicted: Contradicted): LoadBalancerFinding[] {
  const { plan, request, kind, place } = contradicted;
  const found: LoadBalancerFinding[] = [];
  const compare = (field: string, path: ManifestPath, prop: string, present: unknown, planned: unknown) => {
    if (present === undefined || planned === undefined || JSON.stringify(present) === JSON.stringify(planned)) {
      return;
    }
    found.push({
      ruleId: MANIFEST_CONTRADICTS_PLAN.id,
      who: plan.owner,
      what: `the manifest sets ${field} ${text(present)}${place.at(path)}, but the plan for this owner is ${text(planned)}, which ${prop} decides`,
      remedy: changesOwner(service, path, contradicted)
        ? `choose the controller that claims it as it is, or ${HAND_IT_OVER}`
        : `set the same with ${prop}; or ${place.without(path)}`,
      value: text(present),
    });
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
    const path = ['spec', 'type'];
    compare('spec.type', path, 'the construct', spec.type, type);
  }
  return found;
}

const OWNER = 'the controller';

/** An annotation that says another scheme than was wished for, where the plan says it by leaving it out. */
function leftScheme(service: Json, { plan, request, kind }: Contradicted): SchemeSetting | undefined {
  const given = kind && schemeSetIn(annotationsOf(service), kind.catalogue);
  const result = given && schemeIn(withPlan(service, plan, request), kind);
  return request.scheme !== undefined && result !== undefined && result !== request.scheme ? given : undefined;
}

/** What decides an annotation of a plan. */
function propOf(key: string, kind: ControllerDefinition | undefined): string {
  const fact = kind?.catalogue.find(key)?.fact;
  return fact?.wish ?? (fact?.option === undefined ? OWNER : `option ${fact.option} of the controller`);
}

/** Whether the owner of the plan takes the Service only when this says what the plan says. */
function changesOwner(service: Json, path: ManifestPath, { plan, request, claims }: Contradicted): boolean {
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

/** What of a manifest each wish is read from, and how a message speaks of it. */
const WISHED_BY: readonly {
  readonly wish: keyof LoadBalancerWishes;
  readonly field: string;
  readonly words: RegExp;
}[] = [
  { wish: 'trafficPolicy', field: 'externalTrafficPolicy', words: /traffic ?policy/i },
  { wish: 'sessionAffinity', field: 'sessionAffinity', words: /session ?affinity|stickiness/i },
  { wish: 'sourceRanges', field: 'loadBalancerSourceRanges', words: /source ?ranges?/i },
  { wish: 'ipFamilies', field: 'ipFamilies', words: /ip ?famil|IPv6/i },
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
      ({ wish, field, words }) =>
        props[wish] === undefined &&
        isSet(service.spec?.[field]) &&
        (problem.wish === wish || words.test(`${problem.what} ${problem.remedy}`)),
    );
    const given = concerned.map(({ field, wish }) => {
      const path = ['spec', field];
      return `the manifest sets spec.${field} ${text(service.spec[field])}${place.at(path)}: set ${wish} in the props, or ${place.without(path)}`;
    });
    return given.length === 0 ? problem : { ...problem, remedy: [problem.remedy, ...given].join('; ') };
  });
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
    spec: sorted({ ...spec, ...defined(specOf(plan, request)) }),
  };
}

function whole(map: Json): Json | undefined {
  return Object.keys(map).length > 0 ? sorted(map) : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

import { type Json, mapIn, mapOf, mapsIn, ownValue, shown, unquoted } from '../contract/json';
import { someOf } from '../contract/rule';
import { NLB_CONFIGURATION_KIND, NLB_GATEWAY_CONTROLLER } from '../controllers/aws-load-balancer-controller/facts';
import { GATEWAY_GROUP, GATEWAY_KIND } from '../gateway/gateway.facts';
import { isRouteAttached } from '../gateway/gateway-app-rules';
import { type Manifest, ManifestIndex } from '../rules/manifest-objects';
import {
  ENVOY_GATEWAY_CONTROLLER,
  ENVOY_GATEWAY_NAMESPACE,
  ENVOY_SELECTOR,
} from '../tenancy/engines/envoy-gateway/facts';
import { ENVOY_GATEWAY_GROUP } from '../tenancy/guard/guard.facts';
import { classOn, ENVOY_PROXY_KIND, nameIn, parentsOf, relatedTo, servicesOf } from './gateway-relations';
import { isBalanced, isKindOf, serviceOf, valueAt } from './operator-services';
import { OPERATORS } from './operators/operators.facts';
import { type PredictedNlb, type PredictedObjects, type ReportedService, titleOf, titleWithPlace } from './predicted';

const ENVOY_SERVICE = ['spec', 'provider', 'kubernetes', 'envoyService'];

export function commandForClass(name: string): string {
  return `kubectl get gatewayclass ${name} -o yaml`;
}

export function balancersOfGateways(manifests: readonly Manifest[]): PredictedObjects {
  const set = new GatewaySet(manifests);
  const found = {
    services: [],
    possible: [] as ReportedService[],
    nlbs: [] as PredictedNlb[],
    notes: [] as string[],
    unlisted: [] as Manifest[],
    others: 0,
  };
  const used = new Set<Json>();
  for (const gateway of manifests.filter(({ object }) => isOfGroup(object, GATEWAY_GROUP, GATEWAY_KIND))) {
    const { gatewayClassName } = mapIn(gateway.object, 'spec');
    const controller = set.controllerOf(gateway.object);
    if (controller === ENVOY_GATEWAY_CONTROLLER) {
      addEnvoy(found, gateway, set, used);
    } else if (gatewayOperator(controller)) {
      addOfOperator(found, gateway, set, controller);
    } else if (controller === NLB_GATEWAY_CONTROLLER) {
      const nlb = nlbOf(gateway, set);
      found.nlbs.push(nlb);
      found.notes.push(nlb.note);
      found.unlisted.push(gateway);
      found.others += 1;
    } else {
      found.unlisted.push(gateway);
      found.notes.push(
        `${titleWithPlace(gateway)}: ${ofClass(gatewayClassName, controller)}, so whether a load balancer is made of it is not known`,
      );
    }
  }
  for (const proxy of manifests) {
    const { object } = proxy;
    if (isOfGroup(object, ENVOY_GATEWAY_GROUP, ENVOY_PROXY_KIND) && !used.has(object)) {
      found.possible.push(...ofUnknownGateway(proxy));
      found.unlisted.push(proxy);
      found.notes.push(
        `${titleWithPlace(proxy)}: Envoy Gateway makes a load balancer for each Gateway with these parameters, and none of these files holds one`,
      );
    }
  }
  return found;
}

function isOfGroup({ kind, apiVersion }: Json, group: string, wanted: string): boolean {
  return kind === wanted && String(apiVersion).startsWith(`${group}/`);
}

function ofClass(name: unknown, controller: unknown): string {
  if (typeof name !== 'string' || name === '') {
    return 'it names no class in spec.gatewayClassName';
  }
  return controller === undefined
    ? `its class ${shown(name)} is not among these files (${commandForClass(name)} has it)`
    : `its class ${shown(name)} has controller ${shown(controller)}`;
}

function nlbOf(gateway: Manifest, set: GatewaySet): PredictedNlb {
  const { object } = gateway;
  const { found, missing } = set.parametersOf(object, NLB_CONFIGURATION_KIND);
  const { scheme = 'internal', loadBalancerSubnets } = mapIn(found?.object, 'spec');
  const shownScheme = unquoted(scheme);
  const what =
    missing === undefined ? shownScheme : `of the scheme that ${missing} says, which is not among these files`;
  const published = shownAs(set.servicesAt(object));
  return {
    gateway,
    scheme,
    ...(Array.isArray(loadBalancerSubnets) &&
      loadBalancerSubnets.length > 0 && { subnets: loadBalancerSubnets.length }),
    ports: set.portsOf(object),
    madeBy: `Gateway ${titleOf(object)}${published}`,
    ...(missing !== undefined && { missing }),
    note: `${titleWithPlace(gateway)}: aws-load-balancer-controller makes 1 Network Load Balancer of it, ${what}${published}`,
  };
}

/** The Service of a Gateway that is elsewhere: what its parameters say of it is known. */
function ofUnknownGateway(proxy: Manifest): ReportedService[] {
  const { object, ...place } = proxy;
  const service = envoyService({}, object, [{ name: 'port-443', port: 443, protocol: 'TCP' }]);
  const madeOf = { object, path: ENVOY_SERVICE };
  const madeBy = 'each Gateway with these parameters';
  return mapIn(service, 'spec').type === 'LoadBalancer' ? [{ ...place, object: service, madeOf, madeBy }] : [];
}

function addEnvoy(found: PredictedObjects, gateway: Manifest, set: GatewaySet, used: Set<Json>): void {
  const { found: parameters } = set.parametersOf(gateway.object, ENVOY_PROXY_KIND);
  const proxy = parameters?.object ?? {};
  used.add(proxy);
  const ofClass = areGatewaysMerged(proxy) ? classOn(set, gateway.object) : undefined;
  // all of a class are one: whichever of them comes or goes, it is made of the class
  const { object, ...place } = ofClass ?? gateway;
  const all = ofClass ? relatedTo(object, set, ENVOY_PROXY_KIND).merged : [gateway];
  const byPort = new Map(all.flatMap((one) => set.portsOf(one.object)).map((one) => [one.port, one]));
  const service = envoyService(ofClass ? { metadata: object.metadata } : object, proxy, [...byPort.values()]);
  if (mapIn(service, 'spec').type !== 'LoadBalancer' || used.has(object)) {
    return;
  }
  used.add(object);
  const of = ofClass ? `all Gateways of class ${titleOf(object)}` : `Gateway ${titleOf(object)}`;
  const published = [...new Set(all.flatMap((one) => set.servicesAt(one.object)))];
  found.services.push({
    ...place,
    object: service,
    madeOf: { object, path: [] },
    template: parameters && { manifest: parameters, path: ENVOY_SERVICE },
    madeBy: `${of}${shownAs(published)}`,
    publishes: published,
  });
}

/** Adds the Service that an operator makes of a Gateway; its parameters may be elsewhere. */
function addOfOperator(found: PredictedObjects, gateway: Manifest, set: GatewaySet, controller?: string): void {
  const by = gatewayOperator(controller);
  const { found: parameters, missing } = by ? set.parametersOf(gateway.object, by.parametersKind) : {};
  const made = by && serviceOfGateway(by, gateway.object, parameters, set.portsOf(gateway.object));
  const unread = made && by.parametersKind === GATEWAY_KIND ? parametersTitle(gateway.object) : undefined;
  if (missing !== undefined || unread !== undefined) {
    const where = missing === undefined ? `${unread}, which is not read` : `${missing}, which is not among these files`;
    found.notes.push(`${titleWithPlace(gateway)}: its Service depends on ${where}`);
    found.unlisted?.push(gateway);
  } else if (made) {
    const { object, ...place } = gateway;
    const published = set.servicesAt(object);
    const madeBy = `Gateway ${titleOf(object)}${shownAs(published)}`;
    const madeOf = { object, path: [], operator: by.operator.id };
    found.services.push({ ...place, ...made, madeOf, madeBy, publishes: published });
  }
}

function parametersTitle(gateway: Json): string | undefined {
  const { kind, name } = mapIn(mapIn(mapIn(gateway, 'spec'), 'infrastructure'), 'parametersRef');
  return kind && `${kind} ${titleOf({ metadata: { ...mapIn(gateway, 'metadata'), name } })}`;
}

/** The operator of a controller of GatewayClasses, with the kind of its parameters. */
function gatewayOperator(controller: string | undefined) {
  const operator = OPERATORS.find(
    ({ gatewayController, gatewayClasses = {} }) =>
      controller !== undefined && [gatewayController, ...Object.values(gatewayClasses)].includes(controller),
  );
  const [resource] = operator?.resources ?? [];
  const service = resource?.services.find(
    (one) => (one.gatewayController ?? operator?.gatewayController) === controller,
  );
  return operator && { operator, resource, service, parametersKind: resource.kind ?? '' };
}

/** The Service of a Gateway, as its parameters ask for it; undefined if they ask for another type. */
function serviceOfGateway(
  { resource, service }: NonNullable<ReturnType<typeof gatewayOperator>>,
  gateway: Json,
  parameters: Manifest | undefined,
  ports: readonly Json[],
) {
  const isKnown = parameters && isKindOf(parameters.object, resource);
  const spec = { ...mapIn(isKnown ? parameters.object : {}, 'spec'), ...mapIn(gateway, 'spec') };
  const object = { metadata: gateway.metadata, spec };
  const found = service && valueAt(object, service.at);
  const path = service?.at.split('.') ?? [];
  const value = mapOf(found);
  const template = service && { service, resource: object, value, root: ['spec'], at: path, path, isOnly: true };
  if (!template || !isBalanced(template)) {
    return undefined;
  }
  const made = serviceOf(template);
  return {
    object: {
      ...made,
      spec: { ...made.spec, ports: [...(service.addsPorts ? made.spec.ports : []), ...ports] },
    } as Json,
    template: isKnown && found !== undefined ? { manifest: parameters, path } : undefined,
  };
}

class GatewaySet {
  private index?: ManifestIndex;

  public constructor(public readonly manifests: readonly Manifest[]) {}

  /** The controller of the class. If its GatewayClass is not among the files, parameters or the name of the class may show it. */
  public controllerOf(gateway: Json): string | undefined {
    const { controllerName } = mapIn(classOn(this, gateway)?.object, 'spec');
    if (typeof controllerName === 'string') {
      return controllerName;
    }
    const name = String(mapIn(gateway, 'spec').gatewayClassName);
    const ofOperator = OPERATORS.flatMap(({ gatewayClasses }) => ownValue(gatewayClasses ?? {}, name) ?? []);
    const { kind } = mapIn(mapIn(mapIn(gateway, 'spec'), 'infrastructure'), 'parametersRef');
    return kind === ENVOY_PROXY_KIND ? ENVOY_GATEWAY_CONTROLLER : ofOperator[0];
  }

  /** The parameters of a kind that a Gateway or else its class names; their title if they are not here. */
  public parametersOf(gateway: Json, kind: string): { readonly found?: Manifest; readonly missing?: string } {
    const [named] = relatedTo(gateway, this, kind).parameters;
    return named && !named.found ? { missing: `${kind} ${titleOf({ metadata: named.reference })}` } : { ...named };
  }

  public portsOf(gateway: Json): Json[] {
    const listeners = this.parentsAt(gateway).flatMap((one) => mapsIn(mapIn(one, 'spec'), 'listeners'));
    const numbers = new Set(listeners.map(({ port }) => port).filter(Number.isInteger));
    return [...numbers].map((port) => ({ name: `port-${port}`, port, protocol: 'TCP' }));
  }

  public servicesAt(gateway: Json): readonly string[] {
    const parents = this.parentsAt(gateway).map(nameIn);
    const index = this.index ?? new ManifestIndex(this.manifests);
    this.index = index;
    const services = relatedTo(gateway, this, '')
      .routes.filter((route) => {
        const entry = index.entryOf(route);
        return parentsOf(route.object).some(
          ({ name, reference }) => parents.includes(name) && isRouteAttached(entry, [reference]),
        );
      })
      .flatMap(({ object }) => servicesOf(object))
      .map((metadata) => titleOf({ metadata }));
    return [...new Set(services)];
  }

  private parentsAt(gateway: Json): Json[] {
    return [gateway, ...relatedTo(gateway, this, '').listenerSets.map(({ object }) => object)];
  }
}

function shownAs(names: readonly string[]): string {
  return names.length === 0 ? '' : ` for Services ${someOf(names, SHOWN)}`;
}

const SHOWN = 5;

/**
 * The Service that Envoy Gateway makes. envoyproxy/gateway v1.9.1: api/v1alpha1/shared_types.go (defaults),
 * internal/infrastructure/kubernetes/proxy/resource_provider.go
 */
export function envoyService(gateway: Json, proxy: Json, ports: readonly Json[]): Json {
  const asked = mapIn(mapIn(mapIn(mapIn(proxy, 'spec'), 'provider'), 'kubernetes'), 'envoyService');
  const { annotations, labels, name, patch, ...spec } = asked;
  const merged = mapIn(patch, 'value');
  const ofGateway = mapIn(mapIn(gateway, 'spec'), 'infrastructure');
  const { namespace, name: own } = mapIn(gateway, 'metadata');
  // that of all Gateways of a class is named by the class
  const ofNamespace = areGatewaysMerged(proxy) && namespace === undefined ? [] : [textOf(namespace) ?? 'default'];
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      ...(name ? { name } : { generateName: `envoy-${[...ofNamespace, textOf(own) ?? ''].join('-')}-` }),
      namespace: ENVOY_GATEWAY_NAMESPACE,
      annotations: { ...mapIn(ofGateway, 'annotations'), ...mapIn(asked, 'annotations') },
      labels: mapIn(asked, 'labels'),
      ...mapIn(merged, 'metadata'),
    },
    spec: {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      ...spec,
      ...ownValue(FAMILIES, String(mapIn(proxy, 'spec').ipFamily)),
      ...mapIn(merged, 'spec'),
      ports,
      selector: ENVOY_SELECTOR,
    },
  };
}

export function areGatewaysMerged(proxy: Json | undefined): boolean {
  return mapIn(proxy, 'spec').mergeGateways === true;
}

/** IP families of an EnvoyProxy; with IPv4 the field is absent. */
const FAMILIES: Readonly<Record<string, Json>> = {
  IPv6: { ipFamilies: ['IPv6'], ipFamilyPolicy: 'SingleStack' },
  DualStack: { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
};

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

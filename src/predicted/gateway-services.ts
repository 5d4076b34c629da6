import { type Json, mapIn, mapsIn, ownValue, shown, unquoted } from '../contract/json';
import {
  GATEWAY_CLASS_KIND,
  GATEWAY_GROUP,
  GATEWAY_KIND,
  LISTENER_SET_KIND,
  TCP_ROUTE_KIND,
  TLS_ROUTE_KIND,
} from '../gateway/gateway.facts';
import { isTaken } from '../gateway/gateway-app-rules';
import { type Manifest, ManifestIndex } from '../rules/manifest-objects';
import type { IndexedObject } from '../rules/objects';
import { NLB_GATEWAY_CONTROLLER } from '../tenancy/engines/aws-network-load-balancer/facts';
import {
  ENVOY_GATEWAY_CONTROLLER,
  ENVOY_GATEWAY_NAMESPACE,
  ENVOY_SELECTOR,
} from '../tenancy/engines/envoy-gateway/facts';
import { AWS_GATEWAY_GROUP, ENVOY_GATEWAY_GROUP } from '../tenancy/guard/guard.facts';
import { type Later, type LaterNlb, type ReportedService, type Template, titleOf } from './predicted';

export const ENVOY_PROXY_KIND = 'EnvoyProxy';
const ENVOY_SERVICE = ['spec', 'provider', 'kubernetes', 'envoyService'];
export const NLB_CONFIGURATION_KIND = 'LoadBalancerConfiguration';

export function commandForClass(name: string): string {
  return `kubectl get gatewayclass ${name} -o yaml`;
}

export function balancersOfGateways(manifests: readonly Manifest[]): Later {
  const set = new GatewaySet(manifests);
  const found = {
    services: [],
    possible: [] as ReportedService[],
    nlbs: [] as LaterNlb[],
    notes: [] as string[],
    unlisted: [] as Manifest[],
    others: 0,
  };
  const merged = new Set<Json>();
  for (const gateway of set.gateways) {
    const { gatewayClassName } = mapIn(gateway.object, 'spec');
    const at = `${gateway.file}:${gateway.line}: Gateway ${titleOf(gateway.object)}`;
    const controller = set.controllerOf(gateway.object);
    if (controller === ENVOY_GATEWAY_CONTROLLER) {
      addEnvoy(found, gateway, set, merged);
    } else if (controller === NLB_GATEWAY_CONTROLLER) {
      const nlb = nlbOf(gateway, set);
      found.nlbs.push(nlb);
      found.notes.push(nlb.note);
      found.unlisted.push(gateway);
      found.others += 1;
    } else {
      found.unlisted.push(gateway);
      found.notes.push(
        `${at}: ${ofClass(gatewayClassName, controller)}, so whether a load balancer is made of it is not known`,
      );
    }
  }
  for (const proxy of set.unusedProxies()) {
    const { file, line, object } = proxy;
    found.possible.push(...ofUnknownGateway(proxy));
    found.unlisted.push(proxy);
    found.notes.push(
      `${file}:${line}: EnvoyProxy ${titleOf(object)}: Envoy Gateway makes a load balancer for each Gateway with these parameters, and none of these files holds one`,
    );
  }
  return found;
}

function ofClass(name: unknown, controller: unknown): string {
  if (typeof name !== 'string' || name === '') {
    return 'it names no class in spec.gatewayClassName';
  }
  return controller === undefined
    ? `its class ${shown(name)} is not among these files (${commandForClass(name)} has it)`
    : `its class ${shown(name)} has controller ${shown(controller)}`;
}

function nlbOf(gateway: Manifest, set: GatewaySet): LaterNlb {
  const { file, line, object } = gateway;
  const { found = {}, missing } = set.parametersOf(object, NLB_CONFIGURATION_KIND);
  const { scheme = 'internal', loadBalancerSubnets } = mapIn(found, 'spec');
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
    note: `${file}:${line}: Gateway ${titleOf(object)}: aws-load-balancer-controller makes 1 Network Load Balancer of it, ${what}${published}`,
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

function addEnvoy(found: Later, gateway: Manifest, set: GatewaySet, merged: Set<Json>): void {
  const { found: proxy = {} } = set.parametersOf(gateway.object, ENVOY_PROXY_KIND);
  set.used.add(proxy);
  const ofClass = areGatewaysMerged(proxy) ? set.classManifestOf(gateway.object) : undefined;
  // all of a class are one: whichever of them comes or goes, it is made of the class
  const maker = ofClass ?? gateway;
  const { object, ...place } = maker;
  const all = ofClass ? gatewaysOfClass(set.gateways, object) : [gateway];
  const byPort = new Map(all.flatMap((one) => set.portsOf(one.object)).map((one) => [one.port, one]));
  const service = envoyService(maker === gateway ? object : { metadata: object.metadata }, proxy, [...byPort.values()]);
  if (mapIn(service, 'spec').type !== 'LoadBalancer' || merged.has(object)) {
    return;
  }
  merged.add(object);
  const of = ofClass ? `all Gateways of class ${titleOf(object)}` : `Gateway ${titleOf(object)}`;
  const published = [...new Set(all.flatMap((one) => set.servicesAt(one.object)))];
  found.services.push({
    ...place,
    object: service,
    madeOf: { object, path: [] },
    template: set.templateIn(proxy),
    madeBy: `${of}${shownAs(published)}`,
    publishes: published,
  });
}

function gatewaysOfClass(gateways: readonly Manifest[], gatewayClass: Json): Manifest[] {
  const { name } = mapIn(gatewayClass, 'metadata');
  return gateways.filter(({ object }) => mapIn(object, 'spec').gatewayClassName === name);
}

class GatewaySet {
  public readonly gateways: readonly Manifest[];
  public readonly used = new Set<Json>();
  private readonly classes: readonly Manifest[];
  private readonly parameters: readonly Manifest[];
  private readonly listenerSets: readonly Json[];
  private readonly routes: readonly IndexedObject[];

  public constructor(manifests: readonly Manifest[]) {
    const ofGroup = (group: string, ...kinds: string[]) =>
      manifests.filter(
        ({ object }) => kinds.includes(object.kind) && String(object.apiVersion).startsWith(`${group}/`),
      );
    const jsonOf = (...kinds: string[]) => ofGroup(GATEWAY_GROUP, ...kinds).map(({ object }) => object);
    this.gateways = ofGroup(GATEWAY_GROUP, GATEWAY_KIND);
    this.classes = ofGroup(GATEWAY_GROUP, GATEWAY_CLASS_KIND);
    this.listenerSets = jsonOf(LISTENER_SET_KIND);
    const index = new ManifestIndex(manifests);
    this.routes = ofGroup(GATEWAY_GROUP, TCP_ROUTE_KIND, TLS_ROUTE_KIND).map((route) => index.entryOf(route));
    this.parameters = [
      ...ofGroup(ENVOY_GATEWAY_GROUP, ENVOY_PROXY_KIND),
      ...ofGroup(AWS_GATEWAY_GROUP, NLB_CONFIGURATION_KIND),
    ];
  }

  /** The controller of the class; that of Envoy Gateway where the parameters are its own. */
  public controllerOf(gateway: Json): string | undefined {
    const { controllerName } = mapIn(this.classOf(gateway), 'spec');
    if (typeof controllerName === 'string') {
      return controllerName;
    }
    const { kind } = mapIn(mapIn(mapIn(gateway, 'spec'), 'infrastructure'), 'parametersRef');
    return kind === ENVOY_PROXY_KIND ? ENVOY_GATEWAY_CONTROLLER : undefined;
  }

  /** The parameters of a kind that a Gateway or else its class names; their title if they are not here. */
  public parametersOf(gateway: Json, kind: string): { readonly found?: Json; readonly missing?: string } {
    const own = mapIn(mapIn(mapIn(gateway, 'spec'), 'infrastructure'), 'parametersRef');
    const ofClass = mapIn(mapIn(this.classOf(gateway), 'spec'), 'parametersRef');
    const { namespace } = mapIn(gateway, 'metadata');
    const wanted: Json = own.kind === kind ? { ...own, namespace } : ofClass;
    if (wanted.kind !== kind) {
      return {};
    }
    const named = this.parameters.filter(
      ({ object }) => object.kind === kind && mapIn(object, 'metadata').name === wanted.name,
    );
    const found = inNamespace(named, wanted.namespace)?.object;
    return found ? { found } : { missing: `${kind} ${titleOf({ metadata: wanted })}` };
  }

  public templateIn(proxy: Json): Template | undefined {
    const manifest = this.parameters.find(({ object }) => object === proxy);
    return manifest && { manifest, path: ENVOY_SERVICE };
  }

  public unusedProxies(): readonly Manifest[] {
    return this.parameters.filter(({ object }) => object.kind === ENVOY_PROXY_KIND && !this.used.has(object));
  }

  public portsOf(gateway: Json): Json[] {
    const listeners = [gateway, ...this.attachedTo(gateway)].flatMap((one) => mapsIn(mapIn(one, 'spec'), 'listeners'));
    const numbers = new Set(listeners.map(({ port }) => port).filter(Number.isInteger));
    return [...numbers].map((port) => ({ name: `port-${port}`, port, protocol: 'TCP' }));
  }

  public servicesAt(gateway: Json): readonly string[] {
    const parents = [gateway, ...this.attachedTo(gateway)];
    const services = this.routes
      .filter((route) => {
        const refs = mapsIn(route.json.spec, 'parentRefs');
        return refs.some((ref) => isTaken(route, [ref]) && parents.some((one) => leadsTo(ref, route.json, one)));
      })
      .flatMap(({ json, namespace }) =>
        mapsIn(json.spec, 'rules')
          .flatMap((rule) => mapsIn(rule, 'backendRefs'))
          .map((ref) => titleOf({ metadata: { namespace, ...ref } })),
      );
    return [...new Set(services)];
  }

  private attachedTo(gateway: Json): Json[] {
    return this.listenerSets.filter((set) => leadsTo(mapIn(mapIn(set, 'spec'), 'parentRef'), set, gateway));
  }

  public classManifestOf(gateway: Json): Manifest | undefined {
    const { gatewayClassName } = mapIn(gateway, 'spec');
    return this.classes.find(({ object }) => mapIn(object, 'metadata').name === gatewayClassName);
  }

  private classOf(gateway: Json): Json | undefined {
    return this.classManifestOf(gateway)?.object;
  }
}

function shownAs(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return names.length === 0 ? '' : ` for Services ${names.slice(0, SHOWN).join(', ')}${more}`;
}

const SHOWN = 5;

/**
 * The object that a reference means among those of its name: the one in the namespace, or else the only one that may be in it.
 * Kustomizations give namespaces to objects, and not to what refers to them.
 */
export function inNamespace(named: readonly Manifest[], namespace: unknown): Manifest | undefined {
  const namespaceOf = ({ object }: Manifest): unknown => mapIn(object, 'metadata').namespace;
  const [open, ...others] = named.filter((one) => !namespace || !namespaceOf(one));
  return named.find((one) => namespaceOf(one) === namespace) ?? (others.length === 0 ? open : undefined);
}

/** Whether a reference of an object is to another one; without a kind it is to a Gateway, without a namespace to its own. */
function leadsTo({ kind = GATEWAY_KIND, name, namespace }: Json, from: Json, to: Json): boolean {
  const place = mapIn(to, 'metadata');
  return (
    kind === to.kind && name === place.name && (namespace ?? mapIn(from, 'metadata').namespace) === place.namespace
  );
}

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

/** What an EnvoyProxy says of IP families; with IPv4 it says nothing of them. */
const FAMILIES: Readonly<Record<string, Json>> = {
  IPv6: { ipFamilies: ['IPv6'], ipFamilyPolicy: 'SingleStack' },
  DualStack: { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
};

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { cachedIn, isMap, type Json, list, omitKeys, oncePer, shown, sorted } from '../../contract/json';
import { EXTERNAL_DNS_HOSTNAME_ANNOTATIONS, SOURCE_RANGES_ANNOTATION } from '../../contract/kubernetes.facts';
import { RenderStage, renderBy, renderingOf } from '../../contract/late-rendering';
import { LoadBalancerWish } from '../../contract/options';
import { VENDOR_MARKS } from '../../controllers/vendors/marks.facts';
import { PassCache } from '../../rules/app-objects';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { allKinds, knownKinds } from '../../rules/known-kinds';
import { RuleSet } from '../../rules/rule-set';
import { annotationsOf, classOf, finalizersOf, type PortHandling, portsOf } from '../../rules/service-json';
import { validateObject } from '../../rules/synth-object';
import { warnOf } from '../../rules/warnings';
import { faultsIn, findingsOfFaults, objectRules } from '../fault';
import { isServed } from '../guard/rules';
import { registryOf } from '../runtime/hook-settings';
import type { SharedEndpoint } from '../shared/options';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import { MANIFESTS } from './tenant-file';
import * as facts from './tenant-manifests.facts';
import { SERVICE_PREFIXES } from './tenant-manifests.facts';

interface ServiceSharing {
  readonly place: string;
  readonly tenant: string;
  readonly shared: SharedLoadBalancer;
  readonly keepType: boolean;
}

export function shareService(host: Construct, object: ApiObject, sharing: ServiceSharing): SharedEndpoint[] {
  const { tenant, shared, keepType, place } = sharing;
  const registry = registryOf(shared);
  const raw = new PassCache(object, renderingOf(object, RenderStage.SHARE));
  const manifest = object.toJson() as Json;
  const wished = wishOf(manifest);
  const endpoints = shared.attach(host, { tenant, service: object.name, ...wished });
  const annotations = registry.isSuspended(tenant) ? {} : shared.annotationsFor(endpoints);
  const keptClass = keepType ? shared.loadBalancerClass : undefined;
  renderBy(object, RenderStage.SHARE, () => sharedService(raw.now, { annotations, keptClass }));
  const { engine, hostname } = registry.settings;
  const context = { place, tenant, attached: wished, keepType };
  reportDroppedSettings(host, registry, tenant, () => ({
    named: named(raw.now, context),
    settings: droppedSettings(raw.now, hostname, keepType),
  }));
  validateObject(host, object, {
    check: () => RULE_SET.check(raw.now, { ...context, isClassServed: isServed(host, shared) }, engine.name),
  });
  return endpoints;
}

interface ServiceWish {
  readonly ports: { readonly port: number }[];
  readonly sourceRanges?: string[];
}

function wishOf(service: Json): ServiceWish {
  return { ports: portsOf(service).map(({ port }) => ({ port })), sourceRanges: sourceRangesOf(service) };
}

interface SharedServiceContext {
  readonly place: string;
  readonly tenant: string;
  readonly attached: ServiceWish;
  readonly keepType: boolean;
  readonly isClassServed: boolean;
}

export const SHARED_SERVICE_RULES = objectRules<typeof MANIFESTS, SharedServiceContext>(MANIFESTS, {
  'shared-service-patch-conflict': (service, { attached, ...context }) =>
    JSON.stringify(wishOf(service)) !== JSON.stringify(attached) && { context: named(service, context) },
  'sharing-orphans-balancer': (service, context) =>
    orphaningFinalizers(service, context.keepType).map((value) => ({
      what: `${named(service, context)} has metadata.finalizers '${value}', ${LEFT_BEHIND}`,
      remedy: renameAdvice(service, value),
      value,
    })),
  'status-without-writer': (service, context) =>
    context.keepType && !context.isClassServed && { context: named(service, context) },
});

const RULE_SET = new RuleSet(SHARED_SERVICE_RULES);

function named({ metadata }: Json, { tenant, place }: Pick<SharedServiceContext, 'tenant' | 'place'>): string {
  return `Service ${tenant}/${metadata.name} (${place})`;
}

interface SharedServiceSettings {
  readonly annotations: { readonly [key: string]: string };
  readonly keptClass?: string;
}

export function sharedService(service: Json, { annotations, keptClass }: SharedServiceSettings): Json {
  const { status: _, ...rest } = service;
  const { loadBalancerSourceRanges, ...spec } = omitKeys(service.spec, facts.REMOVED_FIELDS);
  const ranges = sourceRangesOf(service);
  return {
    ...rest,
    metadata: metadataOf(service, annotations, keptClass),
    spec: sorted({
      ...spec,
      ports: portsOf(service).map(({ nodePort, ...port }) => port),
      ...(keptClass === undefined
        ? { type: 'ClusterIP' }
        : {
            type: 'LoadBalancer',
            loadBalancerClass: keptClass,
            allocateLoadBalancerNodePorts: false,
            ...(ranges && { loadBalancerSourceRanges: ranges }),
          }),
    }),
  };
}

/**
 * The clients that may connect; nothing where all may. The older annotation counts where the field is empty, and ranges by
 * which a controller lets more clients in are let in here as well.
 */
export function sourceRangesOf(service: Json): string[] | undefined {
  const { [SOURCE_RANGES_ANNOTATION]: older, ...others } = annotationsOf(service);
  const field = list<unknown>(service.spec?.loadBalancerSourceRanges);
  const own = field.length > 0 ? field : String(older ?? '').split(',');
  return narrowed([...own, ...rangesIn(others)].map((range) => String(range).trim()));
}

export function narrowed(ranges: readonly string[]): string[] | undefined {
  const known = [...new Set(ranges.filter((range) => range !== ''))].sort();
  const isOpen = known.includes(ALL_IPV4) && known.every((range) => range === ALL_IPV4 || range === '::/0');
  return known.length === 0 || isOpen ? undefined : known;
}

const ALL_IPV4 = '0.0.0.0/0';

function metadataOf(service: Json, added: Json, keptClass: string | undefined): Json {
  const present = annotationsOf(service);
  const kept = Object.entries(present).filter(
    ([key]) => key !== SOURCE_RANGES_ANNOTATION && !isLoadBalancerAnnotation(key, present),
  );
  const annotations = sorted({ ...Object.fromEntries(kept), ...added });
  const finalizers = finalizersOf(service).filter((finalizer) => !isOfBalancer(finalizer));
  const own: Json = isMap(service.metadata.labels) ? service.metadata.labels : {};
  const labels = keptClass === undefined ? own : sorted({ ...own, [keptClass]: 'true' });
  const { annotations: _, finalizers: __, labels: ___, ...metadata } = service.metadata;
  return sorted({
    ...metadata,
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(finalizers.length > 0 && { finalizers }),
    ...(Object.keys(labels).length > 0 && { labels }),
  });
}

// A finalizer by which a controller cleans up a balancer is removed from what shares one: no controller would remove it from a
// Service that it never served, and applied again and again it never comes to rest.

const PAGE = 'docs/how-to/tenant-services.md';

export function isOfBalancer(finalizer: string): boolean {
  return knownKinds().some(({ finalizers, untouchableFinalizers = [] }) =>
    [...finalizers, ...untouchableFinalizers].includes(finalizer),
  );
}

/** True if a live balancer stays in the cloud where its finalizer goes in one change with the type of its Service. */
export function isOrphanedByTypeChange(finalizer: string): boolean {
  return isOfBalancer(finalizer) && !facts.RELEASED_BY_TYPE.includes(finalizer);
}

function lostFinalizers(service: Json, keepsType: boolean): DroppedSetting[] {
  const now = keepsType
    ? `it is removed; the API server refuses another class on a live Service: release its own balancer first, see ${PAGE}`
    : `it is removed; if its controller runs then, it deletes a live balancer when it sees the new type: move clients first, see ${PAGE}`;
  return balancerFinalizers(service)
    .filter((finalizer) => keepsType || !isOrphanedByTypeChange(finalizer))
    .map((value) => ({ field: 'metadata.finalizers', value: shown(value), now }));
}

export function orphaningFinalizers(service: Json, keepsType: boolean): string[] {
  return keepsType ? [] : balancerFinalizers(service).filter(isOrphanedByTypeChange);
}

function balancerFinalizers(service: Json): string[] {
  return list<string>(finalizersOf(service)).filter(isOfBalancer);
}

export const LEFT_BEHIND =
  'which is removed together with the type: a balancer that lives stays in the cloud, since its controller cleans up only where it finds that finalizer';

export function renameAdvice(service: Json, finalizer: string): string {
  const isByAnnotation =
    classOf(service) === undefined &&
    knownKinds().some(
      (kind) => kind.finalizers.includes(finalizer) && kind.claimsOtherTypes?.(service, undefined).claimed === 'yes',
    );
  const change = isByAnnotation
    ? 'change its type to ClusterIP without the annotation that claims it, and with the finalizer kept'
    : 'change its type to ClusterIP with the finalizer kept';
  return `if the Service is live, ${change}, wait until the finalizer is gone, and adopt it then, as ${PAGE} says; if it has no balancer of its own, acknowledge it`;
}

export const RENAME_FIRST = `if the Kafka is live, give the listener another name in the file, so that the operator deletes its Services and their controller the balancers, as ${PAGE} says; if they have no balancers of their own, acknowledge it`;

export interface DroppedSetting {
  readonly field: string;
  readonly value: string;
  readonly now: string;
  readonly isOpening?: boolean;
}

interface DroppedOfObject {
  readonly named: string;
  readonly settings: readonly DroppedSetting[];
}

function droppedOf(tenant: string, registry: TenancyRegistry, looks: readonly (() => DroppedOfObject)[]) {
  const isOpening = ({ settings }: DroppedOfObject) => settings.some((setting) => setting.isOpening);
  const objects = looks.map((look) => look()).filter(({ settings }) => settings.length > 0);
  const sorted = [...objects.filter(isOpening), ...objects.filter((object) => !isOpening(object))];
  const count = objects.reduce((sum, { settings }) => sum + settings.length, 0);
  const lost = count > 0 && {
    settings: count === 1 ? 'a setting' : `${count} settings`,
    tenant,
    text: count === 1 ? 'does' : 'do',
    listed: sorted.map(listed).join('; '),
    value: tenant,
  };
  return findingsOfFaults(faultsIn(MANIFESTS, { 'sharing-drops-settings': lost }), registry.settings.engine.name);
}

function listed({ named, settings }: DroppedOfObject): string {
  const sorted = [...settings.filter(({ isOpening }) => isOpening), ...settings.filter(({ isOpening }) => !isOpening)];
  const consequences = [...new Set(sorted.map(({ now }) => now))].map((now) => {
    const same = sorted.filter((setting) => setting.now === now);
    return `${same.map(({ field, value }) => `${field} ${value}`).join(', ')} (${now})`;
  });
  return `${named}: ${consequences.join(', ')}`;
}

const LOST = oncePer((_: TenancyRegistry) => new Map<string, (() => DroppedOfObject)[]>());

export function reportDroppedSettings(
  host: Construct,
  registry: TenancyRegistry,
  tenant: string,
  look: () => DroppedOfObject,
): void {
  const looks = cachedIn(LOST(registry), tenant, () => {
    const ofTenant: (() => DroppedOfObject)[] = [];
    warnOf(host, () => droppedOf(tenant, registry, ofTenant));
    return ofTenant;
  });
  looks.push(look);
}

export function droppedSettings(service: Json, hostname: string | undefined, keepsType = false): DroppedSetting[] {
  return [
    ...lostFields(service),
    ...lostFinalizers(service, keepsType),
    ...lostAnnotations(annotationsOf(service), hostname, service),
  ];
}

function lostFields({ spec }: Json): DroppedSetting[] {
  const fields = Object.keys(facts.LOST_FIELDS)
    .filter((field) => spec[field] !== undefined && spec[field] !== facts.LOST_FIELDS[field].isHeeded)
    .map((field) => ({ field: `spec.${field}`, value: shown(spec[field]), now: facts.LOST_FIELDS[field].now }));
  const nodePorts = portsOf({ spec }).flatMap(({ nodePort }) => nodePort ?? []);
  return nodePorts.length === 0
    ? fields
    : [...fields, { field: 'spec.ports.nodePort', value: nodePorts.join(', '), now: 'the Service has no node ports' }];
}

export function isLoadBalancerAnnotation(key: string, annotations: Json): boolean {
  if (facts.DNS_PREFIXES.some((prefix) => key.startsWith(prefix))) {
    // a target that is written down is heeded, whatever the type of the Service
    return !facts.DNS_PREFIXES.some((prefix) => annotations[`${prefix}target`] !== undefined);
  }
  return readersOf(key).isOfBalancers;
}

export function lostAnnotations(annotations: Json, hostname: string | undefined, service?: Json): DroppedSetting[] {
  const lost = Object.keys(annotations).filter(
    (key) => isLoadBalancerAnnotation(key, annotations) && readersOf(key).wish !== LoadBalancerWish.SOURCE_RANGES,
  );
  const handlers = service ? new Set(lost.flatMap((key) => readersOf(key).kinds)) : [];
  const handled = [...handlers].flatMap((kind) => kind.handles?.(service as Json) ?? []);
  return lost.map((field) => ({
    field,
    value: shown(String(annotations[field])),
    now: meaningOf(field, hostname, handled),
    isOpening: readersOf(field).wish === LoadBalancerWish.SCHEME || facts.RESTRICTING.test(field),
  }));
}

function meaningOf(key: string, hostname: string | undefined, handled: readonly PortHandling[]): string {
  if (EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.includes(key)) {
    return `no controller creates this name now: make it an alias of ${hostname ?? 'the address of the shared load balancer'}`;
  }
  const handling = handled.find(({ annotation }) => annotation === key);
  const { wish } = readersOf(key);
  return (
    (handling && facts.LOST_HANDLINGS[handling.does]) ??
    (wish && facts.LOST_WISHES[wish]) ??
    (facts.RESTRICTING.test(key)
      ? 'it keeps no client out now: set loadBalancerSourceRanges'
      : 'no controller reads it')
  );
}

interface AnnotationReaders {
  readonly kinds: readonly ControllerDefinition[];
  readonly wish?: LoadBalancerWish;
  readonly isOfBalancers: boolean;
}

/** Beginnings of annotations that only makers of load balancers read. */
export const BALANCER_PREFIXES: readonly string[] = [...SERVICE_PREFIXES, ...VENDOR_MARKS.flatMap(({ keys }) => keys)];

const KNOWN = new Map<string, AnnotationReaders>();

function readersOf(key: string): AnnotationReaders {
  const known = KNOWN.get(key);
  if (known) {
    return known;
  }
  const kinds = allKinds().filter(({ catalogue }) => catalogue.find(key));
  const wishes = kinds.map(({ catalogue }) => catalogue.find(key)?.fact.wish);
  const readers = {
    kinds,
    wish: wishes.find((wish) => wish !== undefined),
    isOfBalancers:
      kinds.length > 0 ||
      BALANCER_PREFIXES.some((prefix) => key.startsWith(prefix)) ||
      knownKinds().some(({ catalogue }) => catalogue.claims(key)),
  };
  if (KNOWN.size < 1_000) {
    KNOWN.set(key, readers);
  }
  return readers;
}

export function rangesIn(annotations: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(annotations)
    .filter((key) => readersOf(key).wish === LoadBalancerWish.SOURCE_RANGES)
    .flatMap((key) => String(annotations[key]).split(','));
}

import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { isMap, type Json, list, sorted, without } from '../../contract/json';
import { SOURCE_RANGES_ANNOTATION } from '../../contract/kubernetes.facts';
import { RenderStage, renderBy, renderingOf } from '../../contract/late-rendering';
import { judgeObject } from '../../rules/judge-object';
import { KeptInPass } from '../../rules/kept-in-pass';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { annotationsOf, finalizersOf, portsOf } from '../../rules/service-json';
import { faultOf } from '../fault';
import { isServed } from '../guard/app-state';
import { registryOf } from '../runtime/hook-settings';
import type { SharedEndpoint } from '../shared/options';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import {
  givenUpFirst,
  isOfBalancer,
  LEFT_BEHIND,
  lostInSharing,
  orphaningFinalizers,
  rangesIn,
  reportLost,
  speaksToBalancers,
} from './lost-in-sharing';
import { MANIFESTS } from './rules';
import { REMOVED_FIELDS } from './tenant-manifests.facts';

interface ServiceSharing {
  readonly place: string;
  readonly tenant: string;
  readonly shared: SharedLoadBalancer;
  readonly keepType: boolean;
}

export function shareService(host: Construct, object: ApiObject, sharing: ServiceSharing): SharedEndpoint[] {
  const { tenant, shared, keepType, place } = sharing;
  const registry = registryOf(shared);
  const raw = new KeptInPass(object, renderingOf(object, RenderStage.SHARE));
  const manifest = object.toJson() as Json;
  const wished = wishOf(manifest);
  const endpoints = shared.attach(host, { tenant, service: object.name, ...wished });
  const annotations = registry.isSuspended(tenant) ? {} : shared.annotationsFor(endpoints);
  const keptClass = keepType ? shared.loadBalancerClass : undefined;
  renderBy(object, RenderStage.SHARE, () => sharedService(raw.now, { annotations, keptClass }));
  const { engine, hostname } = registry.settings;
  const context = { place, tenant, attached: wished, keepType };
  reportLost(host, registry, tenant, () => ({
    named: named(raw.now, context),
    settings: lostInSharing(raw.now, hostname, keepType),
  }));
  judgeObject(host, object, {
    judge: () => RULE_SET.judge(raw.now, { ...context, isClassServed: isServed(host, shared) }, engine.name),
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

export const SHARED_SERVICE_RULES: readonly Rule<SharedServiceContext>[] = [
  {
    ...MANIFESTS['shared-service-patched'],
    judge: (service, { attached, ...context }) =>
      JSON.stringify(wishOf(service)) === JSON.stringify(attached)
        ? undefined
        : faultOf(MANIFESTS['shared-service-patched'], { context: named(service, context) }),
  },
  {
    ...MANIFESTS['orphaned-in-sharing'],
    judge: (service, context) =>
      orphaningFinalizers(service, context.keepType).map((value) => ({
        what: `${named(service, context)} has metadata.finalizers '${value}', ${LEFT_BEHIND}`,
        remedy: givenUpFirst(service, value),
        value,
      })),
  },
  {
    ...MANIFESTS['status-at-run-time'],
    judge: (service, context) =>
      context.keepType && !context.isClassServed
        ? faultOf(MANIFESTS['status-at-run-time'], { context: named(service, context) })
        : undefined,
  },
];

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
  const { loadBalancerSourceRanges, ...spec } = without(service.spec, REMOVED_FIELDS);
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
    ([key]) => key !== SOURCE_RANGES_ANNOTATION && !speaksToBalancers(key, present),
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

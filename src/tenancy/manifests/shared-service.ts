import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { isMap, type Json, list } from '../../contract/json';
import { SOURCE_RANGES_ANNOTATION } from '../../contract/kubernetes.facts';
import { renderBy, renderingOf } from '../../contract/late-rendering';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { judgeObject } from '../../rules/judge-object';
import { MomentRendering } from '../../rules/moment-rendering';
import { Judgement } from '../../rules/rule';
import { annotationsOf, finalizersOf, portsOf } from '../../rules/service-json';
import { bookOf } from '../runtime/hook-settings';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import type { SharedEndpoint } from '../shared/shared-load-balancer.options';
import { isOfBalancer, lostInSharing, rangesIn, speaksToBalancers } from './lost-in-sharing';

/** How a Service is to be shared. */
interface ServiceSharing {
  /** Where it stands: file and line. */
  readonly at: string;
  readonly tenant: string;
  readonly shared: SharedLoadBalancer;
  /** Whether it stays a LoadBalancer. */
  readonly keepType: boolean;
}

/** Puts a Service of type LoadBalancer behind the shared balancer. */
export function shareService(host: Construct, object: ApiObject, sharing: ServiceSharing): SharedEndpoint[] {
  const { tenant, shared, keepType } = sharing;
  const raw = new MomentRendering(object, renderingOf(object));
  const manifest = object.toJson() as Json;
  const wished = wishOf(manifest);
  const endpoints = shared.attach(host, { tenant, service: object.name, ...wished });
  const annotations = bookOf(shared).isSuspended(tenant) ? {} : shared.annotationsFor(endpoints);
  const keptClass = keepType ? shared.loadBalancerClass : undefined;
  renderBy(object, () => sharedService(raw.json(), { annotations, keptClass }));
  judgeObject(host, object, { judge: () => judge(raw.json(), wished, sharing) });
  return endpoints;
}

interface ServiceWish {
  readonly ports: { readonly port: number }[];
  readonly sourceRanges?: string[];
}

function wishOf(service: Json): ServiceWish {
  return { ports: portsOf(service).map(({ port }) => ({ port })), sourceRanges: sourceRangesOf(service) };
}

function judge(service: Json, attached: ServiceWish, sharing: ServiceSharing): Judgement {
  const { shared, at, keepType } = sharing;
  const { engine, hostname } = bookOf(shared).settings;
  const title = `Service ${sharing.tenant}/${service.metadata.name} (${at})`;
  const say = (ruleId: string, what: string, remedy: string, value?: string): LoadBalancerFinding => ({
    ruleId,
    who: engine.name,
    what: `${title} ${what}`,
    remedy,
    value,
  });
  const judgement = new Judgement();
  if (JSON.stringify(wishOf(service)) !== JSON.stringify(attached)) {
    const remedy = 'change it in the file, where ports are read before patches';
    judgement.errors = [say('shared-service-patched', 'has other ports or source ranges than its file says', remedy)];
  }
  judgement.warnings = lostInSharing(service, hostname).map(({ field, value, now }) =>
    say('lost-in-sharing', `says ${field} '${value}', and ${now}`, 'tell the tenant, and acknowledge it', value),
  );
  if (keepType) {
    const what = 'stays a LoadBalancer, and waits for an address until somebody writes its status';
    const kept = say('status-at-run-time', what, 'add SharedServicesAtRunTime to the app, or leave keepType out');
    judgement.warnings = [...judgement.warnings, kept];
  }
  return judgement;
}

/** How a Service shares a balancer. */
interface SharedServiceWords {
  /** Annotations that tell where it can be reached. */
  readonly annotations: { readonly [key: string]: string };
  /** The class of a Service that stays a LoadBalancer; the others become ClusterIP. */
  readonly keptClass?: string;
}

/** A load balanced Service as it stands behind a shared balancer: everything that speaks to others is taken out. */
export function sharedService(service: Json, { annotations, keptClass }: SharedServiceWords): Json {
  const { status: _, ...rest } = service;
  const { loadBalancerSourceRanges, ...spec } = withoutFields(service.spec);
  const ranges = sourceRangesOf(service);
  return {
    ...rest,
    metadata: metadataOf(service, annotations, keptClass),
    spec: inOrder({
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
  const said = list<unknown>(service.spec?.loadBalancerSourceRanges);
  const own = said.length > 0 ? said : String(older ?? '').split(',');
  return narrowed([...own, ...rangesIn(others)].map((range) => String(range).trim()));
}

/** Ranges that leave somebody out. */
export function narrowed(ranges: readonly string[]): string[] | undefined {
  const known = [...new Set(ranges.filter((range) => range !== ''))].sort();
  const isOpen = known.includes(EVERYBODY) && known.every((range) => range === EVERYBODY || range === '::/0');
  return known.length === 0 || isOpen ? undefined : known;
}

const EVERYBODY = '0.0.0.0/0';

const TAKEN_OUT = [
  'allocateLoadBalancerNodePorts',
  'externalTrafficPolicy',
  'healthCheckNodePort',
  'loadBalancerClass',
  'loadBalancerIP',
];

function withoutFields(spec: Json): Json {
  return Object.fromEntries(Object.entries(spec).filter(([field]) => !TAKEN_OUT.includes(field)));
}

function metadataOf(service: Json, added: Json, keptClass: string | undefined): Json {
  const present = annotationsOf(service);
  const kept = Object.entries(present).filter(
    ([key]) => key !== SOURCE_RANGES_ANNOTATION && !speaksToBalancers(key, present),
  );
  const annotations = inOrder({ ...Object.fromEntries(kept), ...added });
  const finalizers = finalizersOf(service).filter((finalizer) => !isOfBalancer(finalizer));
  const said: Json = isMap(service.metadata.labels) ? service.metadata.labels : {};
  const labels = keptClass === undefined ? said : inOrder({ ...said, [keptClass]: 'true' });
  const { annotations: _, finalizers: __, labels: ___, ...metadata } = service.metadata;
  return inOrder({
    ...metadata,
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(finalizers.length > 0 && { finalizers }),
    ...(Object.keys(labels).length > 0 && { labels }),
  });
}

/** Keys in the order in which cdk8s writes them. */
function inOrder(map: Json): Json {
  return Object.fromEntries(Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1)));
}

import { selectorOf } from '../../contract/annotation-codecs-lists';
import { isMap, type Json, list, mapIn, mapsIn, objectTitleOf, unquoted } from '../../contract/json';
import { Confidence } from '../../contract/kubernetes.facts';
import { matchesSelector } from '../../contract/kubernetes-syntax';
import {
  BalancerChoice,
  BalancerTarget,
  ClientAddressMeans,
  type LoadBalancerModel,
} from '../../contract/load-balancer-model';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import type { Claim } from '../../rules/controller-definition';
import { annotationsOf, isLocal, portsOf } from '../../rules/service-json';
import { claimsClass } from '../shared/definition';
import { labelsUnlessNone } from '../shared/model';
import { METALLB, METALLB_SOURCE } from './annotations';
import { METALLB_ADVERTISEMENTS, METALLB_GROUP, METALLB_SPEAKERS } from './facts';

export type MetalLbMode = keyof typeof METALLB_ADVERTISEMENTS;

type Known = { readonly _writer?: { readonly mode: MetalLbMode; readonly options: { loadBalancerClass?: string } } };

const writerOf = (controller?: object) => (controller as Known | undefined)?._writer;

export const modeIn = (controller?: object) => writerOf(controller)?.mode;

/**
 * Model of a Service of MetalLB: an address that one node has in layer 2, and that routers share out among the nodes that
 * announce it by BGP. Nothing where neither the controller nor the advertisements say which of them.
 */
export function metalLbModelOf(
  service: Json,
  controller: object | undefined,
  objects: readonly Json[] = [],
): LoadBalancerModel | undefined {
  const advertisements = advertisementsOf(service, objects);
  const mode = modeOf(advertisements) ?? modeIn(controller);
  return (
    mode && {
      product: 'none',
      name: mode === 'layer2' ? 'address of one node (layer 2)' : 'address announced to routers (BGP)',
      target: BalancerTarget.NODE_WITH_ADDRESS,
      choice: mode === 'layer2' ? BalancerChoice.ONE : BalancerChoice.EVEN,
      clientAddress: ClientAddressMeans.SOURCE,
      nodeLabels: labelsUnlessNone(nodeLabelsOf(advertisements)),
      ...(isLocal(service) ? { onlyNodesWithPods: true } : {}),
      listeners: portsOf(service).length,
      // the addresses are of a pool: nothing says whether they are public, and nobody bills them
      publicAddresses: { count: 0, perZone: false },
      sharedBy: sharing(service),
      limits: [],
      source: { ...METALLB_SOURCE, file: METALLB_SPEAKERS[mode] },
      confidence: Confidence.SOURCE,
    }
  );
}

function modeOf(advertisements: readonly Json[]): MetalLbMode | undefined {
  const modes = (Object.keys(METALLB_ADVERTISEMENTS) as MetalLbMode[]).filter((mode) =>
    advertisements.some(({ kind }) => kind === METALLB_ADVERTISEMENTS[mode]),
  );
  return modes.length === 1 ? modes[0] : undefined;
}

function nodeLabelsOf(advertisements: readonly Json[]): Record<string, string> | undefined {
  const [selector, ...others] = advertisements.length === 1 ? mapsIn(advertisements[0].spec, 'nodeSelectors') : [];
  return selector && others.length === 0 && list(selector.matchExpressions).length === 0 && isMap(selector.matchLabels)
    ? selector.matchLabels
    : undefined;
}

/**
 * From which nodes advertisements among some objects announce a Service, as text; nothing where none does for certain.
 * Every one of them adds its nodes.
 */
export function restrictsNodes(service: Json, objects: readonly Json[]): string | undefined {
  const announcing = advertisementsOf(service, objects);
  return announcing.length === 0 ? undefined : announcing.map(inWords).join('; ');
}

export function advertisementsOf(service: Json, objects: readonly Json[]): readonly Json[] {
  return advertisementsAmong(objects).filter((object) => admits(object, service));
}

const ADVERTISEMENTS = new WeakMap<readonly Json[], readonly Json[]>();

function advertisementsAmong(objects: readonly Json[]): readonly Json[] {
  const found = ADVERTISEMENTS.get(objects) ?? objects.filter(isAdvertisement);
  ADVERTISEMENTS.set(objects, found);
  return found;
}

function isAdvertisement(object: Json): boolean {
  return (
    isMap(object) &&
    String(object.apiVersion).startsWith(METALLB_GROUP) &&
    Object.values(METALLB_ADVERTISEMENTS).includes(String(object.kind))
  );
}

/** An advertisement is for the addresses of its pools, and for Services that one of its selectors matches, or for all. */
export function admits(advertisement: Json, service: Json): boolean {
  const { pools, ofPool, hasPoolSelectors, isSelected } = audienceOf(advertisement, service);
  return isSelected === undefined
    ? ofPool === true || (pools.length === 0 && !hasPoolSelectors)
    : isSelected && (pools.length === 0 || ofPool !== false);
}

/** True if an advertisement can announce a Service, of which it may not be known from which pool its address is. */
export function mayAnnounce(advertisement: Json, service: Json): boolean {
  const { pools, ofPool, hasPoolSelectors, isSelected } = audienceOf(advertisement, service);
  return isSelected !== false && (pools.length === 0 || ofPool !== false || hasPoolSelectors);
}

function audienceOf(advertisement: Json, service: Json) {
  const spec = mapIn(advertisement, 'spec');
  const selectors = list<Json>(spec.serviceSelectors);
  const pools = list<unknown>(spec.ipAddressPools);
  const pool = poolOf(service);
  const labels = isMap(service.metadata?.labels) ? service.metadata.labels : {};
  return {
    pools,
    ofPool: pool === undefined ? undefined : pools.includes(pool),
    hasPoolSelectors: list(spec.ipAddressPoolSelectors).length > 0,
    isSelected: selectors.length === 0 ? undefined : selectors.some((selector) => matchesSelector(selector, labels)),
  };
}

export function poolOf(service: Json): string | undefined {
  const { current, deprecated } = METALLB.addressPool;
  const annotations = annotationsOf(service);
  return current.on(annotations) ?? deprecated.on(annotations);
}

/** Sharers have the same key, and with policy Local the same pods. internal/allocator/k8salloc/k8salloc.go, BackendKey */
export function sharing(service: Json): string | undefined {
  const { current, deprecated } = METALLB.allowSharedIp;
  const annotations = annotationsOf(service);
  const key = current.on(annotations) ?? deprecated.on(annotations);
  return key && isLocal(service) ? `${key} ${selectorIn(service)}` : key || undefined;
}

function selectorIn({ spec }: Json): string {
  return selectorOf(Object.fromEntries(Object.entries<string>(isMap(spec?.selector) ? spec.selector : {}).sort()));
}

function inWords(pool: Json): string {
  const nodes = list<Json>(pool.spec?.nodeSelectors).filter(isMap).map(selectorInWords);
  return `${objectTitleOf(pool)}: ${nodes.join(' or ') || 'any node'}`;
}

function selectorInWords({ matchLabels, matchExpressions }: Json): string {
  const expressions = list<Json>(matchExpressions)
    .filter(isMap)
    .map(({ key, operator, values }) =>
      [unquoted(key), unquoted(operator), ...(values ? [`(${list(values).map(unquoted).join(',')})`] : [])].join(' '),
    );
  const labels = Object.entries(isMap(matchLabels) ? matchLabels : {}).map(
    ([key, value]) => `${key}=${unquoted(value)}`,
  );
  return [...labels, ...expressions].join(',');
}

export function claimOf(service: Json, controller: ILoadBalancerController | undefined): Claim {
  return claimsClass(service, writerOf(controller)?.options.loadBalancerClass);
}

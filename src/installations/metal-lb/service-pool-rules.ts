import { isMap, type Json } from '../../contract/json';
import { objectTitleOf } from '../../contract/object-title';
import { METALLB, METALLB_ADVERTISEMENTS } from '../../controllers/metal-lb/annotations';
import type { Rule } from '../../rules/rule';
import { annotationsOf } from '../../rules/service-json';
import { someOf } from '../served-services';
import { METALLB_POOL, metalLbFile } from './facts';
import { announcesPool, listIn, type MetalLbContext, type MetalLbNeighbour } from './metal-lb-rule';

const ALLOCATOR = metalLbFile('internal/allocator/allocator.go');

/** What an annotation of a Service says in either spelling. */
function currentValue(service: Json, { current, deprecated }: (typeof METALLB)['addressPool']): string | undefined {
  const annotations = annotationsOf(service);
  return annotations[current.key()] ?? annotations[deprecated.key()];
}

const poolOf = (service: Json) => currentValue(service, METALLB.addressPool);

/** Whether it asks for addresses by themselves, which come from whatever pool has them. */
function asksForAddresses(service: Json): boolean {
  const annotations = annotationsOf(service);
  const { current, deprecated } = METALLB.loadBalancerIps;
  return [annotations[current.key()], annotations[deprecated.key()], service.spec?.loadBalancerIP].some(Boolean);
}

/** The pools of one MetalLB, itself first; nothing where one before it reports what concerns all of them. */
function poolsWith(pool: Json, neighbours: readonly MetalLbNeighbour[]): Json[] | undefined {
  const others = neighbours.filter(({ json }) => json.kind === METALLB_POOL);
  return others.some(({ isEarlier }) => isEarlier) ? undefined : [pool, ...others.map(({ json }) => json)];
}

/** Whether the labels of a Service are those of one of some selectors; expressions are not looked into. */
function isSelected(service: Json, selectors: readonly Json[]): boolean {
  const labels: Json = service.metadata?.labels ?? {};
  return selectors.some(
    ({ matchLabels, matchExpressions }) =>
      matchExpressions?.length > 0 ||
      Object.entries(isMap(matchLabels) ? matchLabels : {}).every(([key, value]) => labels[key] === value),
  );
}

/** Why a pool admits no Service like this one. */
function whyNotAdmitted(allocation: Json, service: Json): string | undefined {
  const { namespaces = [], namespaceSelectors = [], serviceSelectors = [] } = allocation;
  const namespace = service.metadata?.namespace;
  const isForNamespaces = namespaces.length > 0 && namespaceSelectors.length === 0;
  if (isForNamespaces && namespace !== undefined && !listIn(namespaces).includes(namespace)) {
    return `Services of namespace ${someOf(listIn(namespaces))}`;
  }
  return serviceSelectors.length > 0 && !isSelected(service, serviceSelectors) ? 'Services of other labels' : undefined;
}

const ELSEWHERE = 'or acknowledge it where the pool is configured elsewhere';

/** What must be true between the pools of an app and its Services for MetalLB. */
export const SERVICE_POOL_RULES: readonly Rule<MetalLbContext>[] = [
  {
    id: 'pool-refuses-service',
    severity: 'warning',
    says: 'A pool admits the Services that name it.',
    source: ALLOCATOR,
    judge: ({ metadata = {}, spec = {} }, { services }) =>
      services
        .filter((service) => poolOf(service) === metadata.name)
        .flatMap((service) => {
          const others = whyNotAdmitted(spec.serviceAllocation ?? {}, service);
          return others === undefined
            ? []
            : [
                {
                  what: `pool '${metadata.name}' is for ${others}, and ${objectTitleOf(service)} names it: it gets no address`,
                  remedy: 'admit it in serviceAllocation, or name another pool',
                  value: objectTitleOf(service),
                },
              ];
        }),
  },
  {
    id: 'pool-unknown',
    severity: 'warning',
    says: 'A Service names a pool that is there.',
    source: ALLOCATOR,
    judge(pool, { inApp: neighbours, services }) {
      const names = poolsWith(pool, neighbours)?.map(({ metadata }) => String(metadata?.name));
      return services
        .filter((service) => names && poolOf(service) !== undefined && !names.includes(String(poolOf(service))))
        .map((service) => ({
          what: `${objectTitleOf(service)} names pool '${poolOf(service)}', and the pools of this app are ${someOf(names ?? [])}: it gets no address`,
          remedy: `name one of these, ${ELSEWHERE}`,
          value: poolOf(service),
        }));
    },
  },
  {
    id: 'pool-unassigned',
    severity: 'warning',
    says: 'A Service that names no pool has one that is assigned by itself.',
    source: ALLOCATOR,
    judge(pool, { inApp: neighbours, services }) {
      const isClosed = poolsWith(pool, neighbours)?.every(({ spec }) => spec?.autoAssign === false);
      return services
        .filter((service) => isClosed && poolOf(service) === undefined && !asksForAddresses(service))
        .map((service) => ({
          what: `${objectTitleOf(service)} names no pool, and all pools of this app have autoAssign false: it gets no address`,
          remedy: `name one, leave autoAssign out, ${ELSEWHERE}`,
          value: objectTitleOf(service),
        }));
    },
  },
  {
    id: 'pool-announced-otherwise',
    severity: 'warning',
    says: 'A pool is announced in the way that controllers made for it are for.',
    source: metalLbFile('speaker/main.go'),
    judge(pool, { inApp: neighbours, modes }) {
      const announcing = neighbours.filter(({ json }) => announcesPool(json, pool)).map(({ json }) => json.kind);
      return modes
        .filter((mode) => announcing.length > 0 && !announcing.includes(METALLB_ADVERTISEMENTS[mode]))
        .map((mode) => ({
          what: `${mode}() of pool '${pool.metadata?.name}' makes controllers, and only ${someOf([...new Set(announcing)])} of this app announces it`,
          remedy: `add a ${METALLB_ADVERTISEMENTS[mode]}, or take the controllers from the other method`,
          value: mode,
        }));
    },
  },
];

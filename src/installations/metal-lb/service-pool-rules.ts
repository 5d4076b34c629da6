import { isIP } from 'node:net';
import { isMap, type Json, objectNameOf, objectTitleOf } from '../../contract/json';
import { METALLB } from '../../controllers/metal-lb/annotations';
import { METALLB_ADVERTISEMENTS } from '../../controllers/metal-lb/facts';
import type { Rule } from '../../rules/rule';
import { annotationsOf } from '../../rules/service-json';
import { someOf } from '../served-services';
import { type AddressRange, isInRange } from './address-range';
import { METALLB_POOL, metalLbFile } from './facts';
import { announcesPool, listIn, type MetalLbContext, type MetalLbNeighbour } from './metal-lb-rule';
import { rangesOf } from './pool-rules';

const ALLOCATOR = metalLbFile('internal/allocator/allocator.go');

function currentValue(
  service: Json,
  { current, deprecated }: (typeof METALLB)['addressPool' | 'loadBalancerIps'],
): string | undefined {
  const annotations = annotationsOf(service);
  return annotations[current.key()] ?? annotations[deprecated.key()];
}

const poolOf = (service: Json) => currentValue(service, METALLB.addressPool);

function askedAddresses(service: Json): string[] {
  const asked = currentValue(service, METALLB.loadBalancerIps) ?? service.spec?.loadBalancerIP;
  return typeof asked === 'string' ? asked.split(',').map((address) => address.trim()) : [];
}

/** Whether it has an address, so that no pool gives it one. */
function hasAddress(service: Json): boolean {
  return service.status?.loadBalancer?.ingress?.length > 0;
}

function neededFamilies(service: Json): number[] {
  const { ipFamilies, ipFamilyPolicy } = service.spec ?? {};
  if (ipFamilyPolicy === 'PreferDualStack') {
    return [];
  }
  return ipFamilyPolicy === 'RequireDualStack'
    ? [32, 128]
    : listIn(ipFamilies).map((one) => (one === 'IPv6' ? 128 : 32));
}

/** The ranges of a pool; nothing where one of them cannot be read. */
function knownRanges(pool: Json): AddressRange[] | undefined {
  const texts = listIn(pool.spec?.addresses);
  const ranges = rangesOf(texts);
  return ranges.length === texts.length && texts.length > 0 ? ranges : undefined;
}

/** Why a pool has no address for a Service like this one. */
function whyNoFamily(pool: Json, service: Json): string | undefined {
  const needed = neededFamilies(service);
  const ranges = needed.length > 0 ? knownRanges(pool) : undefined;
  const missing = needed.find((family) => ranges && !ranges.some(({ bits }) => bits === family));
  return missing === undefined ? undefined : `has no ${missing === 128 ? 'IPv6' : 'IPv4'} addresses`;
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
function whyNotAdmitted(pool: Json, service: Json): string | undefined {
  const { namespaces = [], namespaceSelectors = [], serviceSelectors = [] } = pool.spec?.serviceAllocation ?? {};
  const namespace = service.metadata?.namespace;
  const isForNamespaces = namespaces.length > 0 && namespaceSelectors.length === 0;
  if (isForNamespaces && namespace !== undefined && !listIn(namespaces).includes(namespace)) {
    return `is for Services of namespace ${someOf(listIn(namespaces))}`;
  }
  return serviceSelectors.length > 0 && !isSelected(service, serviceSelectors)
    ? 'is for Services of other labels'
    : undefined;
}

/** Why a pool gives no address to a Service that names none. */
function whyNotGiven(pool: Json, service: Json): string | undefined {
  const why =
    pool.spec?.autoAssign === false
      ? 'has autoAssign false'
      : (whyNotAdmitted(pool, service) ?? whyNoFamily(pool, service));
  return why && `pool '${objectNameOf(pool)}' ${why}`;
}

const ELSEWHERE = 'or acknowledge it where the pool is configured elsewhere';

/** What must be true between the pools of an app and its Services for MetalLB. */
export const SERVICE_POOL_RULES: readonly Rule<MetalLbContext>[] = [
  {
    id: 'pool-refuses-service',
    severity: 'warning',
    says: 'Service that names a pool without addresses for it',
    source: ALLOCATOR,
    judge: (pool, { services }) =>
      services
        .filter((service) => poolOf(service) === pool.metadata?.name)
        .flatMap((service) => {
          const others = whyNotAdmitted(pool, service);
          const why = others ?? whyNoFamily(pool, service);
          return why === undefined
            ? []
            : [
                {
                  what: `pool '${objectNameOf(pool)}' ${why}, and ${objectTitleOf(service)} names it: it gets no address`,
                  remedy: `${others ? 'admit it in serviceAllocation' : 'add such addresses'}, or name another pool`,
                  value: objectTitleOf(service),
                },
              ];
        }),
  },
  {
    id: 'pool-unknown',
    severity: 'warning',
    says: 'Service that names a pool that is not there',
    source: ALLOCATOR,
    judge(pool, { inApp: neighbours, services }) {
      const names = poolsWith(pool, neighbours)?.map(({ metadata }) => String(metadata?.name));
      return services
        .filter((service) => names && poolOf(service) !== undefined && !names.includes(String(poolOf(service))))
        .map((service) => ({
          what: `${objectTitleOf(service)} names pool '${poolOf(service)}', and the pools here are ${someOf(names ?? [])}: it gets no address`,
          remedy: `name one of these, ${ELSEWHERE}`,
          value: poolOf(service),
        }));
    },
  },
  {
    id: 'pool-unassigned',
    severity: 'warning',
    says: 'Service without a pool, and no pool gives it an address by itself',
    source: ALLOCATOR,
    judge(pool, { inApp: neighbours, services }) {
      const pools = poolsWith(pool, neighbours) ?? [];
      const isGivenNone = (service: Json) => pools.every((one) => whyNotGiven(one, service) !== undefined);
      return (pools.length > 0 ? services : [])
        .filter(
          (service) => poolOf(service) === undefined && !hasAddress(service) && askedAddresses(service).length === 0,
        )
        .filter(isGivenNone)
        .map((service) => ({ service, why: pools.map((one) => whyNotGiven(one, service)) }))
        .map(({ service, why }) => ({
          what: `${objectTitleOf(service)} names no pool, and no pool here gives it an address: ${someOf(why.map(String))}`,
          remedy: `name one that admits it, change the pool, ${ELSEWHERE}`,
          value: objectTitleOf(service),
        }));
    },
  },
  {
    id: 'address-outside-pools',
    severity: 'warning',
    says: 'address that a Service asks for outside all pools',
    source: ALLOCATOR,
    judge(pool, { inApp: neighbours, services }) {
      const known = poolsWith(pool, neighbours)?.map(knownRanges) ?? [undefined];
      const ranges = known.flatMap((some) => some ?? []);
      return known.includes(undefined)
        ? []
        : services
            .filter((service) => !hasAddress(service))
            .flatMap((service) => askedAddresses(service).map((address) => ({ service, address })))
            .filter(({ address }) => isIP(address) !== 0 && !ranges.some((range) => isInRange(address, range)))
            .map(({ service, address }) => ({
              what: `${objectTitleOf(service)} asks for ${address}, and the pools here have ${someOf(ranges.map(({ text }) => text))}: it gets no address`,
              remedy: `ask for one of these, add it to a pool, ${ELSEWHERE}`,
              value: address,
            }));
    },
  },
  {
    id: 'pool-announced-otherwise',
    severity: 'warning',
    says: 'pool that is announced in another way than its controller is made for',
    source: metalLbFile('speaker/main.go'),
    judge(pool, { inApp: neighbours, modes }) {
      const announcing = neighbours.filter(({ json }) => announcesPool(json, pool)).map(({ json }) => json.kind);
      return modes
        .filter((mode) => announcing.length > 0 && !announcing.includes(METALLB_ADVERTISEMENTS[mode]))
        .map((mode) => ({
          what: `${mode}() of pool '${objectNameOf(pool)}' makes controllers, and only ${someOf([...new Set(announcing)])} of this app announces it`,
          remedy: `add a ${METALLB_ADVERTISEMENTS[mode]}, or take the controllers from the other method`,
          value: mode,
        }));
    },
  },
];

import { type AddressRange, addressesIn, addressRange, isInRange, overlap } from '../../contract/address-ranges';
import { addressesOf } from '../../contract/edit';
import {
  isMap,
  type Json,
  list,
  mapIn,
  mapsIn,
  namespaceTitle,
  objectNameOf,
  objectTitleOf,
} from '../../contract/json';
import { matchesSelector } from '../../contract/kubernetes-syntax';
import { someOf } from '../../contract/rule';
import { schemaRules } from '../../contract/schema/rules';
import { misfitsIn, SchemaFault, type SchemaPart } from '../../contract/schema/walk';
import { METALLB, METALLB_CONTROLLER, METALLB_SOURCE } from '../../controllers/metal-lb/annotations';
import { METALLB_ADVERTISEMENTS } from '../../controllers/metal-lb/facts';
import type { MetalLbMode } from '../../controllers/metal-lb/model';
import { likelyOwner } from '../../rules/known-kinds';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { type CheckResult, RuleSet, rulesOf } from '../../rules/rule-set';
import { annotationsOf } from '../../rules/service-json';
import type { BalancedService } from '../balanced-services';
import { METALLB_FIELDS, METALLB_GROUP, METALLB_IMAGE, METALLB_POOL, metalLbFile } from './facts';
import { METALLB_KIND_RULE_ROWS } from './rules.facts';

const version = METALLB_SOURCE.version.slice(1);
const RELEASE = { product: 'MetalLB', version, readFrom: version, oldApi: false, has: () => true };

/** The part of an object of MetalLB that has a schema; an advertisement of everything has none. */
function fieldsOfMetalLb({ kind, spec }: Json): SchemaPart {
  return {
    map: spec === undefined && kind !== METALLB_POOL ? {} : spec,
    fields: METALLB_FIELDS[kind],
    where: 'spec',
    at: '/spec',
    release: RELEASE,
  };
}

const READ = new WeakMap<Json, Json>();

/** An object of MetalLB without what is of a wrong type, which is reported by itself: rules may rely on the rest. */
function readable(json: Json): Json {
  const read = READ.get(json) ?? withoutMisfits(json);
  READ.set(json, read);
  return read;
}

function withoutMisfits(json: Json): Json {
  const maps = isMap(json.metadata) && isMap(json.spec) ? json : withMaps(json);
  if (!Object.hasOwn(METALLB_FIELDS, json.kind)) {
    return maps;
  }
  const wrong = misfitsIn(fieldsOfMetalLb(maps)).filter(({ fault }) => fault === SchemaFault.SHAPE);
  if (wrong.length === 0) {
    return maps;
  }
  const copy = structuredClone(maps);
  for (const { at } of wrong) {
    remove(copy, at.split('/').slice(1));
  }
  return copy;
}

function withMaps({ metadata, spec, ...json }: Json): Json {
  return { ...json, metadata: isMap(metadata) ? metadata : {}, spec: isMap(spec) ? spec : {} };
}

/** Removes a field; of a list that has a wrong entry, the list. */
function remove(json: Json, [key, ...path]: readonly string[]): void {
  const inner: unknown = json[key];
  if (path.length > 0 && isMap(inner)) {
    remove(inner, path);
  } else {
    delete json[key];
  }
}

interface SeenMetalLb {
  readonly namespace?: string;
  readonly version?: string;
}

function metalLbIn(index: ObjectIndex): readonly SeenMetalLb[] {
  return index.once(metalLbIn, () =>
    [...index.of('apps', 'Deployment'), ...index.of('apps', 'DaemonSet')].flatMap(({ json, namespace }) =>
      list<Json>(mapIn(mapIn(mapIn(json, 'spec'), 'template'), 'spec').containers).flatMap((container) => {
        const image = METALLB_IMAGE.exec(String(container?.image));
        return image ? [{ namespace, version: image[1] }] : [];
      }),
    ),
  );
}

/** Fields that the definitions of the kinds refuse or drop; which fields there must be is decided by rules of their own. */
const FIELDS = schemaRules<MetalLbContext>({
  prefix: 'metallb',
  called: 'an object of MetalLB',
  source: metalLbFile('config/crd/bases'),
  faults: [SchemaFault.MISSING, SchemaFault.SHAPE, SchemaFault.UNKNOWN],
  warnings: [SchemaFault.UNKNOWN],
  part: fieldsOfMetalLb,
});

export interface MetalLbNeighbour {
  readonly path: string;
  readonly json: Json;
  /** True if it was made before the one that is validated: of two that do not fit, the second is reported. */
  readonly isEarlier: boolean;
  /** True if it is in the chart of the one that is validated; an object of another chart may be for another cluster. */
  readonly isInSameChart: boolean;
}

export interface MetalLbContext {
  readonly inApp: readonly MetalLbNeighbour[];
  readonly services: readonly Json[];
  readonly modes: readonly MetalLbMode[];
  readonly namespaces: readonly string[];
}

export function listIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** True if an object announces a pool, as far as can be known: labels of pools are not looked into. */
export function announcesPool({ kind, metadata = {}, spec = {} }: Json, pool: Json): boolean {
  return (
    Object.values(METALLB_ADVERTISEMENTS).includes(kind) &&
    metadata.namespace === pool.metadata?.namespace &&
    (spec.ipAddressPoolSelectors?.length > 0 ||
      !(spec.ipAddressPools?.length > 0) ||
      spec.ipAddressPools.includes(pool.metadata?.name))
  );
}

export function rangesOf(addresses: unknown): AddressRange[] {
  return listIn(addresses).flatMap((text) => {
    const range = addressRange(text);
    return typeof range === 'string' ? [] : [range];
  });
}

function earlierPools({ metadata = {} }: Json, neighbours: readonly MetalLbNeighbour[]): readonly MetalLbNeighbour[] {
  return neighbours.filter(
    ({ isEarlier, json }) => isEarlier && json.kind === METALLB_POOL && json.metadata?.namespace === metadata.namespace,
  );
}

/** True if a neighbour has the name in another chart: one object in one cluster, or two in different clusters. */
function isNamesake({ metadata = {} }: Json, { isInSameChart, json }: MetalLbNeighbour): boolean {
  return !isInSameChart && json.metadata?.name === metadata.name;
}

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
  return addressesIn(asked);
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

function knownRanges(pool: Json): AddressRange[] | undefined {
  const texts = listIn(pool.spec?.addresses);
  const ranges = rangesOf(texts);
  return ranges.length === texts.length && texts.length > 0 ? ranges : undefined;
}

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

function whyNotAdmitted(pool: Json, service: Json): string | undefined {
  const { namespaces = [], namespaceSelectors = [], serviceSelectors = [] } = pool.spec?.serviceAllocation ?? {};
  const namespace = service.metadata?.namespace;
  const isForNamespaces = namespaces.length > 0 && namespaceSelectors.length === 0;
  if (isForNamespaces && namespace !== undefined && !listIn(namespaces).includes(namespace)) {
    return `is for Services of namespace ${someOf(listIn(namespaces))}`;
  }
  return serviceSelectors.length > 0 &&
    !mapsIn({ serviceSelectors }, 'serviceSelectors').some((one) =>
      matchesSelector(one, mapIn(mapIn(service, 'metadata'), 'labels')),
    )
    ? 'is for Services of other labels'
    : undefined;
}

function whyNotGiven(pool: Json, service: Json): string | undefined {
  const why =
    pool.spec?.autoAssign === false
      ? 'has autoAssign false'
      : (whyNotAdmitted(pool, service) ?? whyNoFamily(pool, service));
  return why && `pool '${objectNameOf(pool)}' ${why}`;
}

const RULES = rulesOf({
  rows: METALLB_KIND_RULE_ROWS,
  source: metalLbFile(''),
  read: (pool: Json, _: MetalLbContext) => objectNameOf(pool),
  finds: {
    // files may be of several clusters: where MetalLB is in several namespaces, it may be in any of them
    'metallb-namespace-mismatch': (_, { metadata = {} }, { namespaces: [own, ...others] }) => {
      const value = metadata.namespace;
      const isUnknown = own === undefined || others.length > 0 || value === undefined;
      return !isUnknown && value !== own && { own, namespace: namespaceTitle(value), value, at: '/metadata/namespace' };
    },
    'pool-addresses-invalid': (_, { spec = {} }) => {
      const addresses = listIn(spec.addresses);
      const wrong = addresses
        .map(addressRange)
        .map((range, i) => ({ case: 'wrong', wrong: range, value: addresses[i], at: `/spec/addresses/${i}` }));
      return addresses.length === 0 ? { case: 'missing' } : wrong.filter((one) => typeof one.wrong === 'string');
    },
    'pool-overlap': (_, pool, { inApp }) => {
      const ranges = rangesOf(pool.spec?.addresses);
      const own = ranges.map((range, i) => ({ name: 'the same pool', others: ranges.slice(0, i), range }));
      const foreign = earlierPools(pool, inApp)
        .filter((other) => !isNamesake(pool, other))
        .flatMap(({ json }) => {
          const of = { name: `pool '${objectNameOf(json)}'`, others: rangesOf(json.spec?.addresses) };
          return ranges.map((range) => ({ ...of, range }));
        });
      return [...own, ...foreign].map(({ name, others, range }) => {
        const other = others.find((one) => overlap(one, range));
        const at = `/spec/addresses/${listIn(pool.spec?.addresses).indexOf(range.text)}`;
        return other && { name, other: other.text, value: range.text, at };
      });
    },
    'pool-not-advertised': (name, pool, { inApp }) => !inApp.some(({ json }) => announcesPool(json, pool)) && { name },
    'pool-without-matching-address': (name, pool, { services }) =>
      services
        .filter((service) => poolOf(service) === pool.metadata?.name)
        .map((service) => {
          const others = whyNotAdmitted(pool, service);
          const why = others ?? whyNoFamily(pool, service);
          const first = others ? 'admit it in serviceAllocation' : 'add such addresses';
          return why === undefined ? undefined : { name, why, first, value: objectTitleOf(service) };
        }),
    'pool-unknown': (_, pool, { inApp, services }) => {
      const names = poolsWith(pool, inApp)?.map(({ metadata }) => String(metadata?.name));
      return services
        .filter((service) => names && poolOf(service) !== undefined && !names.includes(String(poolOf(service))))
        .map((service) => ({ service: objectTitleOf(service), names: someOf(names ?? []), value: poolOf(service) }));
    },
    'service-without-pool': (_, pool, { inApp, services }) => {
      const pools = poolsWith(pool, inApp) ?? [];
      const isLeft = (service: Json) =>
        poolOf(service) === undefined && addressesOf(service).length === 0 && askedAddresses(service).length === 0;
      return (pools.length > 0 ? services : []).filter(isLeft).map((service) => {
        const why = pools.map((one) => whyNotGiven(one, service));
        const isGivenNone = why.every((one) => one !== undefined);
        return isGivenNone ? { why: someOf(why.map(String)), value: objectTitleOf(service) } : undefined;
      });
    },
    'address-outside-pools': (_, pool, { inApp, services }) => {
      const known = poolsWith(pool, inApp)?.map(knownRanges) ?? [undefined];
      const ranges = known.flatMap((some) => some ?? []);
      const texts = someOf(ranges.map(({ text }) => text));
      return (known.includes(undefined) ? [] : services)
        .filter((service) => addressesOf(service).length === 0)
        .flatMap((service) =>
          askedAddresses(service)
            .filter((address) => !ranges.some((range) => isInRange(address, range)))
            .map((value) => ({ service: objectTitleOf(service), ranges: texts, value })),
        );
    },
    'pool-advertisement-mismatch': (name, pool, { inApp, modes }) => {
      const announcing = inApp.filter(({ json }) => announcesPool(json, pool)).map(({ json }) => json.kind);
      const kinds = someOf([...new Set(announcing)]);
      return modes
        .filter((mode) => announcing.length > 0 && !announcing.includes(METALLB_ADVERTISEMENTS[mode]))
        .map((mode) => ({ name, kinds, kind: METALLB_ADVERTISEMENTS[mode], value: mode }));
    },
  },
});

export const METALLB_KIND_RULES: readonly Rule<MetalLbContext>[] = [...FIELDS, ...RULES];

const OF_POOLS = new RuleSet(RULES, METALLB_CONTROLLER);
const OF_ADVERTISEMENTS = new RuleSet(RULES.slice(0, 1), METALLB_CONTROLLER);
const OF_FIELDS = new RuleSet(FIELDS, METALLB_CONTROLLER);

export function checkMetalLb(json: Json, context: MetalLbContext): CheckResult {
  return OF_FIELDS.check(json, context).and(
    (json.kind === METALLB_POOL ? OF_POOLS : OF_ADVERTISEMENTS).check(readable(json), context),
  );
}

export function metalLbContextOf(
  among: IndexedObject,
  services: readonly BalancedService[],
  modes: readonly MetalLbMode[] = [],
  namespaces: readonly string[] = [],
): MetalLbContext {
  return {
    inApp: neighboursOf(among),
    modes,
    namespaces: [...new Set([...namespaces, ...metalLbIn(among.index).flatMap((one) => one.namespace ?? [])])],
    services: among.kind === METALLB_POOL ? forMetalLb(services) : [],
  };
}

function neighboursOf(object: IndexedObject): MetalLbNeighbour[] {
  const objects = metalLbObjectsIn(object.index);
  const place = objects.indexOf(object);
  const isHere = ({ unit }: IndexedObject) => unit === object.unit;
  return objects.flatMap((other, i) =>
    i === place
      ? []
      : [
          {
            path: other.path,
            json: readable(other.json),
            isEarlier: i < place,
            isInSameChart: isHere(other),
          },
        ],
  );
}

function metalLbObjectsIn(index: ObjectIndex): readonly IndexedObject[] {
  return index.once(metalLbObjectsIn, () => index.all.filter(({ group }) => group === METALLB_GROUP));
}

const FOR_METALLB = new WeakMap<readonly BalancedService[], readonly Json[]>();

/** The Services that get their addresses from a pool; those of one list are looked for once. */
function forMetalLb(services: readonly BalancedService[]): readonly Json[] {
  const found = FOR_METALLB.get(services) ?? services.filter(isForMetalLb).map(({ json }) => json());
  FOR_METALLB.set(services, found);
  return found;
}

/** True if a Service is for MetalLB; for a plain manifest, its annotations decide. */
function isForMetalLb({ owner, json }: BalancedService): boolean {
  return (owner ?? likelyOwner(json())?.kind.name) === METALLB_CONTROLLER;
}

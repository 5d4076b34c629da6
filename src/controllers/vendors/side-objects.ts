import { type ApiObjectProps, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import {
  addressesIn,
  addressRange,
  contains,
  isInRange,
  RangeSet,
  rangeOrAddress,
} from '../../contract/address-ranges';
import { compareVersions } from '../../contract/compare-versions';
import { addressesOf, type EditedValue } from '../../contract/edit';
import { groupedByAll, isMap, type Json, list, mapIn, mapsIn, objectNameOf, objectTitleOf } from '../../contract/json';
import { labelKeyFault, labelValueFault, matchesSelector } from '../../contract/kubernetes-syntax';
import { BalancerChoice } from '../../contract/load-balancer-model';
import type { NodePool } from '../../contract/node-pool';
import type { PlanDraft } from '../../contract/plan-draft';
import { someOf } from '../../contract/rule';
import { validateWithBalancer } from '../../rules/app-objects';
import { type ControllerDefinition, Reach, type RelatedEdit } from '../../rules/controller-definition';
import { groupOf, type IndexedObject, type ObjectIndex } from '../../rules/objects';
import type { ObjectContext, Rule, RuleContext } from '../../rules/rule';
import { RuleSet, rulesOf } from '../../rules/rule-set';
import { annotationsOf, classOf, isLocal, wantsLoadBalancer } from '../../rules/service-json';
import { findOtherController } from '../other-controller';
import { ensureSideObject, isOther, shortHash, sideObjectName } from '../shared/answers';
import { ANNOUNCED_RULE_ROWS, POOL_RULE_ROWS, UNANNOUNCED, UNSELECTED_BY_POOL } from './side-objects.facts';
import { VENDOR_WRITINGS } from './writings.facts';

// Pools and announcements beside a Service: their templates are data of descriptors.

interface SideObject {
  readonly name: string;
  readonly kind: string;
  /** The first version of the controller that serves each one, the newest first. */
  readonly apiVersions: Readonly<Record<string, string>>;
  readonly madeFor: readonly string[];
  readonly metadata?: Json;
  readonly spec: Json;
  readonly selectsByDefault: string;
}

export interface SideObjects {
  /** Label of ours by which they select one Service. */
  readonly marked: string;
  readonly objects: readonly SideObject[];
}

type SideObjectOptions = { addresses?: string[]; serviceLabels?: Readonly<Record<string, string>>; version?: string };

const [NAMESPACE, NAME] = ['io.kubernetes.service.namespace', 'io.kubernetes.service.name'];

const optionsOf = (known?: SideObjects) =>
  known ? ['serviceLabels', 'version', ...known.objects.flatMap(({ madeFor }) => madeFor)] : [];

/** @throws on an option that no side object of this way is made of, on labels that none can have, and on an unknown version */
export function refuseWrongSideObjects(who: string, known: SideObjects | undefined, options: object): void {
  const taken = optionsOf(known);
  const all = Object.values(VENDOR_WRITINGS[who]).flatMap(({ sideObjects }) => optionsOf(sideObjects));
  for (const [option, value] of Object.entries(options).filter(([name]) => all.includes(name))) {
    const fault = known && taken.includes(option) ? faultOf(value, known) : 'no object is made of it here';
    if (fault) {
      throw new Error(`${who}: option ${option}: ${fault}; correct it, or leave it out`);
    }
  }
}

function faultOf(value: unknown, { objects }: SideObjects): string | undefined {
  if (typeof value === 'string') {
    const isKnown = objects.every((one) => apiVersionOf(one, value) !== undefined);
    return isKnown ? undefined : `its objects are not known of version '${value}'`;
  }
  const labels = isMap(value) ? Object.entries<string>(value) : [];
  const faults = labels.map(([key, text]) => labelKeyFault(key) ?? labelValueFault(text));
  return Object.keys(value as object).length === 0 ? 'it is empty' : faults.find((fault) => fault);
}

function apiVersionOf({ apiVersions }: SideObject, version: string | undefined): string | undefined {
  const isServed = (since: string) => version === undefined || compareVersions(version, since) >= 0;
  return Object.keys(apiVersions).find((one) => isServed(apiVersions[one]));
}

/** Makes the objects that options and nodes ask for. @returns the labels by which they select the Service */
export function ensureSideObjects(
  draft: PlanDraft,
  { marked, objects }: SideObjects,
  { options, scope, pool }: { readonly options: object; readonly scope: Construct; readonly pool?: NodePool },
) {
  const { addresses, serviceLabels, version } = options as SideObjectOptions;
  const nodes = pool && { matchLabels: { ...pool.labels } };
  const given: Json = { ...options, addresses: addresses?.map(blockOf), nodes };
  const wanted = objects.filter(({ madeFor }) => madeFor.some((option) => given[option] !== undefined));
  const name = serviceLabels ? sharedName(serviceLabels) : sideObjectName(scope);
  const labels = serviceLabels ?? (wanted.length > 0 ? { [marked]: name } : {});
  const { namespace = labels[NAMESPACE] } = Chart.of(scope);
  if (labels[NAMESPACE] !== undefined && labels[NAMESPACE] !== namespace) {
    const what = `option serviceLabels: ${NAMESPACE} '${labels[NAMESPACE]}' selects nothing: the Service is in namespace '${namespace}'`;
    draft.refuse(undefined, { what, remedy: 'name the namespace of the Service, or leave it out' });
  }
  const values = { ...given, services: { matchLabels: { ...labels } } };
  for (const { metadata, spec, ...one } of wanted) {
    const manifest: ApiObjectProps & { spec: Json } = {
      apiVersion: apiVersionOf({ metadata, spec, ...one }, version) as string,
      kind: one.kind,
      metadata: { name, ...filled(metadata ?? {}, values) },
      spec: filled(spec, values),
    };
    const [host, id] = serviceLabels ? [Chart.of(scope), `${one.kind}-${name}`] : [scope, one.kind];
    if (serviceLabels && isOther(host.node.tryFindChild(id), manifest)) {
      const what = `option serviceLabels: ${one.kind} ${name} is in this chart with other values`;
      draft.refuse(undefined, { what, remedy: 'use one controller for these labels, or other labels' });
    } else {
      const object = ensureSideObject(host, manifest, id);
      if (object && POOLS.some(({ kind }) => kind === one.kind)) {
        validateWithBalancer(object, POOL_RULES);
      }
    }
  }
  return Object.fromEntries(Object.entries(labels).filter(([key]) => key !== NAMESPACE && key !== NAME));
}

/** Stays the same if the values of an object change: a pool of another name is another pool. */
function sharedName(labels: Readonly<Record<string, string>>): string {
  const entries = Object.entries(labels).sort();
  const words = entries.map(([, value]) => value.toLowerCase().replace(/[^a-z0-9]+/g, '-')).join('-');
  return `${words.slice(0, 50).replace(/^-+|-+$/g, '') || 'services'}-${shortHash(entries)}`;
}

function blockOf(text: string): Json {
  const [start, stop] = text.split('-').map((one) => one.trim());
  return text.includes('/') ? { cidr: text } : { start, ...(stop && { stop }) };
}

/** A template with its values; members without a value are left out. */
function filled(template: Json, values: Json): Json {
  return JSON.parse(JSON.stringify(template), (_, one) =>
    typeof one === 'string' && one.startsWith('$') ? values[one.slice(1)] : one,
  );
}

/** The selectors of Services in an object by its template; undefined if it lacks what the template always writes. */
function selectorsIn(template: unknown, value: unknown): readonly unknown[] | undefined {
  if (typeof template === 'string' && template.startsWith('$')) {
    return template === '$services' ? [value] : [];
  }
  if (Array.isArray(template)) {
    const parts = list<unknown>(value).flatMap((one) => [selectorsIn(template[0], one) ?? []]);
    return list<unknown>(value).some((one) => selectorsIn(template[0], one)) ? parts.flat() : undefined;
  }
  if (isMap(template)) {
    const parts = Object.keys(template).map((key) => selectorsIn(template[key], isMap(value) ? value[key] : undefined));
    return parts.every((part) => part) ? parts.flatMap((part) => part ?? []) : undefined;
  }
  return template === value ? [] : undefined;
}

const ALL = Object.values(VENDOR_WRITINGS).flatMap((ways) =>
  Object.values(ways).flatMap(({ sideObjects }) => sideObjects?.objects ?? []),
);
const POOLS = ALL.filter(({ spec }) => Object.values(spec).includes('$addresses'));

/** Kinds that have rules, by group. */
export const POOL_KINDS: readonly (readonly [group: string, kinds: readonly string[]])[] = [
  ...new Map(POOLS.map(({ kind, apiVersions }) => [groupOf({ apiVersion: Object.keys(apiVersions)[0] }), [kind]])),
];

function blocksOf({ spec }: Json) {
  return mapsIn(mapIn({ spec }, 'spec'), 'blocks').map(({ cidr, start = '', stop }, i) => ({
    range: cidr ? addressRange(String(cidr)) : rangeOrAddress(stop ? `${start}-${stop}` : String(start)),
    at: `/spec/blocks/${i}`,
  }));
}

function rangesOf(pool: Json, name = `pool '${objectNameOf(pool)}'`) {
  return blocksOf(pool).flatMap(({ range, at }) => (typeof range === 'string' ? [] : [{ range, at, name }]));
}

type RangeOfPool = ReturnType<typeof rangesOf>[number];

interface PoolRange extends RangeOfPool {
  readonly entry: IndexedObject;
}

/** Earlier ranges that ranges of all pools overlap, by place: of another pool, or of the same one. */
function overlapsAmong({ index, group, kind }: IndexedObject): ReadonlyMap<string, PoolRange> {
  return index.once(overlapsAmong, () => {
    const found = new Map<string, PoolRange>();
    const taken = new RangeSet<PoolRange>();
    for (const entry of index.of(group, kind)) {
      for (const one of rangesOf(entry.json)) {
        const isOther = ({ entry: { name, unit } }: PoolRange) => name !== entry.name || unit === entry.unit;
        const other = taken.take({ ...one, entry }).find(isOther);
        if (other) {
          found.set(keyOfRange(entry, one.at), other);
        }
      }
    }
    return found;
  });
}

const keyOfRange = ({ path, name }: IndexedObject, at: string) => `${path}\n${String(name)}\n${at}`;

const POOL_RULE_LIST = rulesOf({
  rows: POOL_RULE_ROWS,
  read: blocksOf as (pool: Json, context: ObjectContext) => ReturnType<typeof blocksOf>,
  finds: {
    'cilium-pool-block-invalid': (blocks) =>
      blocks.flatMap(({ range, at }) =>
        typeof range === 'string' ? [{ wrong: range || 'without addresses', value: range, at }] : [],
      ),
    'cilium-pool-overlap': (_, pool, { among }) => {
      const taken = new RangeSet<RangeOfPool>();
      return rangesOf(pool, 'the same pool').flatMap((one) => {
        const [other] = [
          ...taken.take(one),
          (among && overlapsAmong(among).get(keyOfRange(among, one.at))) ?? [],
        ].flat();
        return other ? [{ name: other.name, other: other.range.text, value: one.range.text, at: one.at }] : [];
      });
    },
  },
});

export const POOL_RULES = new RuleSet(POOL_RULE_LIST, Object.keys(VENDOR_WRITINGS)[0]);

/** The kinds of objects that a Service may need, by the ways that serve its class, or all of them. */
const neededBy = (service: Json, { kind }: RuleContext) => objectsFor(service, kind?.name ?? '');

function objectsFor(service: Json, vendor: string): readonly SideObject[] {
  const [ways, own] = [Object.values(VENDOR_WRITINGS[vendor] ?? {}), classOf(service)];
  const serving = own === undefined ? ways : ways.filter(({ loadBalancerClass }) => loadBalancerClass === own);
  return serving.flatMap(({ sideObjects }) => sideObjects?.objects ?? []);
}

interface Selecting {
  readonly json: Json;
  readonly selectors: readonly unknown[];
}

/** Objects of a kind, once for all Services: of many, a Service is compared with those that select one of its labels. */
class SelectingObjects {
  public static among({ among }: RuleContext, one: SideObject): SelectingObjects {
    return among ? SelectingObjects.in(among.index, one) : new SelectingObjects(one);
  }

  public static in(index: ObjectIndex, one: SideObject): SelectingObjects {
    return index.once(one, () => new SelectingObjects(one, index));
  }

  public readonly all: readonly Selecting[];
  public readonly titles: readonly string[];
  private readonly byLabel: ReadonlyMap<string, readonly Selecting[]>;

  private constructor(
    private readonly one: SideObject,
    index?: ObjectIndex,
  ) {
    const [apiVersion] = Object.keys(one.apiVersions);
    this.all = (index?.of(groupOf({ apiVersion }), one.kind) ?? [])
      .filter(({ json }) => mapIn(json, 'spec').disabled !== true)
      .map(({ json }) => ({ json, selectors: selectorsIn(one.spec, mapIn(json, 'spec')) ?? [] }));
    this.titles = this.all.map(({ json }) => objectTitleOf(json));
    this.byLabel = groupedByAll(this.all, ({ selectors }) => [...new Set(selectors.map(firstLabelOf))]);
  }

  public of({ metadata }: Json): Json[] {
    const known = labelsWithName({ metadata });
    const namespace: unknown = known[NAMESPACE];
    const keys = [WITHOUT_LABELS, ...Object.entries(known).map(([key, value]) => `${key}=${value}`)];
    const likely = namespace === undefined ? this.all : keys.flatMap((key) => this.byLabel.get(key) ?? []);
    const isSelected = isSelecting(this.one, { metadata });
    return likely.filter(({ selectors }) => selectors.some(isSelected)).map(({ json }) => json);
  }
}

/** Tests selectors of an object for a Service. */
function isSelecting({ selectsByDefault }: SideObject, service: Json): (selector: unknown) => boolean {
  const known = labelsWithName(service);
  return (selector) =>
    selector === undefined || selector === null
      ? selectsByDefault === 'all'
      : matchesSelector(selector, known) ||
        (known[NAMESPACE] === undefined && JSON.stringify(selector).includes(NAMESPACE));
}

function labelsWithName(service: Json): Json {
  const { name, namespace, labels } = mapIn(service, 'metadata');
  return { ...(isMap(labels) ? labels : {}), [NAME]: name, [NAMESPACE]: namespace };
}

/** True if each block of a pool is within a block that it has afterwards. */
export const blocksStay = ({ before, after }: EditedValue): boolean => {
  const [old, now] = [before, after].map((blocks) => rangesOf({ spec: { blocks } }));
  return old.every(({ range }) => now.some((one) => contains(one.range, range)));
};

/** Services that the edit of a pool or an announcement of a vendor affects. */
export function reachedBySideObject(vendor: string): (edit: RelatedEdit) => Reach {
  return ({ row, object: { before, after }, service, objects }) => {
    const one = objectsFor(service.before, vendor).find(({ kind }) => kind === before?.kind);
    if (!before || !one || !selects(one, before, service.before)) {
      return Reach.NO;
    }
    const isLeft = after !== undefined && selects(one, after, service.after);
    const others = selectingIn(objects.after, one, service.after).filter((json) => json !== after);
    if (!POOLS.includes(one)) {
      return isLeft && OF_SELECTORS.test(row) ? Reach.NO : others.length > 0 ? Reach.PERHAPS : Reach.YES;
    }
    const addresses = addressesOf(service.before);
    if (addresses.length === 0) {
      const isOnly = others.length === 0 && selectingIn(objects.before, one, service.before).length === 1;
      const isAsked = after === undefined || OF_SELECTORS.test(row);
      return isLeft && isAsked ? Reach.NO : isOnly && isAsked ? Reach.YES : Reach.PERHAPS;
    }
    const stays = [...others, ...(isLeft ? [after] : [])].some((json) => holds(json, addresses));
    return !holds(before, addresses) || stays ? Reach.NO : Reach.YES;
  };
}

/** Effects of labels of a Service by which pools and announcements of a vendor select it. */
export function editsByLabelsOf(vendor: string): NonNullable<ControllerDefinition['editsByLabels']> {
  return ({ before, after }, objects) => {
    const needed = objectsFor(before, vendor);
    const addresses = addressesOf(before);
    const [had, has] = [before, after].map((service) =>
      needed
        .filter((one) => POOLS.includes(one))
        .flatMap((one) => selectingIn(objects, one, service))
        .filter((json) => holds(json, addresses)),
    );
    const lost = had.filter((json) => !has.includes(json));
    const isUnannounced = needed.some(
      (one) =>
        !POOLS.includes(one) &&
        selectingIn(objects, one, before).length > 0 &&
        selectingIn(objects, one, after).length === 0,
    );
    return [
      ...(lost.length > 0
        ? [{ edit: UNSELECTED_BY_POOL, reach: lost.length < had.length ? Reach.PERHAPS : Reach.YES }]
        : []),
      ...(isUnannounced ? [{ edit: UNANNOUNCED, reach: Reach.YES }] : []),
    ];
  };
}

function selects(one: SideObject, json: Json, service: Json): boolean {
  return (selectorsIn(one.spec, mapIn(json, 'spec')) ?? []).some(isSelecting(one, service));
}

function selectingIn(objects: readonly Json[], one: SideObject, service: Json): Json[] {
  return objects.filter((json) => json.kind === one.kind && selects(one, json, service));
}

function holds(pool: Json, addresses: readonly string[]): boolean {
  return addresses.every((address) => rangesOf(pool).some(({ range }) => isInRange(address, range)));
}

const OF_SELECTORS = /^spec\.serviceSelector/;

export function hasPools(index: ObjectIndex): boolean {
  return POOL_KINDS.some(([group, kinds]) => kinds.some((kind) => index.of(group, kind).length > 0));
}

/** The controllers that have a pool of addresses for a Service, if they run. */
export function withPoolFor(index: ObjectIndex, service: Json): string[] {
  const ofVendors = Object.entries(VENDOR_WRITINGS).map(([name, ways]) => ({
    name,
    pools: Object.values(ways)
      .flatMap(({ sideObjects }) => sideObjects?.objects ?? [])
      .filter((one) => POOLS.includes(one)),
  }));
  const hasPool = (one: SideObject) => SelectingObjects.in(index, one).of(service).length > 0;
  return ofVendors.filter(({ pools }) => pools.some(hasPool)).map(({ name }) => name);
}

const WITHOUT_LABELS = '';

function firstLabelOf(selector: unknown): string {
  const [label] = Object.entries(mapIn({ selector }, 'selector').matchLabels ?? {});
  return label === undefined ? WITHOUT_LABELS : label.join('=');
}

function askedAddresses(service: Json, { kind }: RuleContext): string[] {
  const annotations = annotationsOf(service);
  const keys = (kind?.catalogue.annotations ?? []).flatMap(({ fact }) => (fact.namesOne ? [fact.key] : []));
  const asked = keys.map((key) => annotations[key]).find((one) => one !== undefined);
  return addressesIn(asked ?? mapIn(service, 'spec').loadBalancerIP);
}

/** Rules of Services whose controller reads pools and announcements. */
export const ANNOUNCED_RULES: readonly Rule[] = rulesOf({
  rows: ANNOUNCED_RULE_ROWS,
  read: neededBy,
  finds: {
    'cilium-service-without-pool': (needed, service, context) => {
      const [pool] = needed.filter((one) => POOLS.includes(one));
      const pools = pool && SelectingObjects.among(context, pool);
      if (!pools || pools.all.length === 0 || addressesOf(service).length > 0) {
        return undefined;
      }
      const selecting = pools.of(service);
      const ranges = selecting.flatMap((json) => rangesOf(json));
      return selecting.length === 0
        ? { case: 'unselected', pools: someOf(pools.titles) }
        : askedAddresses(service, context)
            .filter((address) => !ranges.some(({ range }) => isInRange(address, range)))
            .map((value) => ({ case: 'outside', value }));
    },
    'cilium-service-not-announced': (needed, service, context) =>
      (classOf(service) === undefined ? [] : needed).flatMap((one) => {
        const objects = POOLS.includes(one) ? undefined : SelectingObjects.among(context, one);
        return !objects || objects.all.length === 0 || objects.of(service).length > 0
          ? []
          : [{ objects: someOf(objects.titles), kind: one.kind, value: classOf(service) }];
      }),
    'cilium-layer2-local-policy': (needed, service, context) =>
      isLocal(service) &&
      wantsLoadBalancer(service) &&
      isAnnouncedByOne(service, context) &&
      (classOf(service) !== undefined || needed.some((one) => isAnnouncedBy(one, service, context))) && {
        value: 'Local',
      },
  },
});

function isAnnouncedBy(one: SideObject, service: Json, context: RuleContext): boolean {
  return !POOLS.includes(one) && SelectingObjects.among(context, one).of(service).length > 0;
}

function isAnnouncedByOne(service: Json, { kind, controller, among }: RuleContext): boolean {
  const kinds = findOtherController(kind?.name ?? '')?.kinds ?? [];
  const beside = among?.index.once(isAnnouncedByOne, (index) =>
    kinds.flatMap((known) => index.of(known.group, known.kind).map(({ json }) => json)),
  );
  return kind?.makes?.(service, controller, beside)?.choice === BalancerChoice.ONE;
}

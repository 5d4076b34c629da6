import { compareVersions } from '../contract/compare-versions';
import { editFrom, OUTCOMES, type Outcome, type UpgradedBalancer, type UpgradeFact, worstOf } from '../contract/edit';
import type { Json } from '../contract/json';
import { OPERATOR, OPERATOR_UPGRADES } from '../kafka/strimzi/releases';
import type { ControllerDefinition } from '../rules/controller-definition';
import { fieldEdit, worstEdit } from '../rules/edits-of-values';
import { allKinds } from '../rules/known-kinds';
import {
  KUBERNETES,
  KUBERNETES_UPGRADES,
  NEWEST_KUBERNETES,
  OLDEST_KUBERNETES,
} from '../rules/kubernetes-upgrades.facts';
import { annotationsOf, classOf, isService } from '../rules/service-json';
import { annotationOrField, type BalancerChange, consequenceIn, type Effect, effectIn, titleOfChange } from './effect';
import { fieldEffects } from './fields';
import { bindingChanges, gatewayChanges } from './gateways';
import { installationEffects } from './installations';
import { FORCING_MARKS, RECREATING_MARKS } from './marks.facts';
import { classEffects, finalizerEffects, isByWebhook, ownerEffects } from './owner-changes';
import { lossOf, queryLifecycle } from './owners';
import {
  type ComparedPair,
  type CreatedPair,
  contentOf,
  type LivePair,
  NAME,
  NAMESPACE,
  pairBalancers,
  type RemovedPair,
} from './pairs';
import { configurationEffects } from './related-objects';
import { isTerminating, namespaceEffects, removalEffects, sourceChangeEffects, terminatingEffects } from './removals';
import {
  type DiffOptions,
  hasNoBalancer,
  kindOf,
  markOf,
  oncePer,
  type Side,
  type SideBalancer,
  type Sides,
  serviceOn,
  type ToolMark,
} from './side';
import { fieldsInSource } from './sources';
import { creationEffects, nodePortEffects, typeEffects } from './types';

export function diffOf(before: Side, after: Side, options: DiffOptions = {}): BalancerChange[] {
  const sides = { before, after, options };
  return [
    ...pairBalancers(before, after).map((pair) => comparePair({ ...pair, sides })),
    ...[...gatewayChanges(sides), ...bindingChanges(sides)].map(sortEffects),
  ].sort(compareChanges);
}

function comparePair(pair: ComparedPair): BalancerChange {
  const { before, after, movedTo, movedFrom } = pair;
  const removed = before && { ...pair, before };
  const live = removed && after && { ...removed, after };
  const lifecycle = lifecycleEffects(pair);
  const found = [
    ...(removed
      ? lifecycle.map((effect) => protectedFromDeletion(serviceAtCleanup(removed), effect, removed))
      : lifecycle),
    ...fieldEffects(pair),
    ...(live ? versionEffects(live) : []),
  ];
  const all = live ? withRecreation(found, live) : found;
  const isRefused = !before && all.some(({ outcome }) => outcome === 'refused');
  const mayHaveClass = before !== undefined && isByWebhook(before);
  const isWriteRefused = !mayHaveClass && all.some(({ outcome, field }) => outcome === 'refused' && field === CLASS);
  // what is refused does not come, and of a write that the API server refuses nothing does
  const effects = all.filter(
    ({ outcome, places }) =>
      !(isRefused && outcome === 'created') && !(isWriteRefused && outcome !== 'refused' && places === undefined),
  );
  const outcome = worstOf(effects.map((effect) => effect.outcome));
  return sortEffects({ before, after, movedTo, movedFrom, effects, outcome });
}

/** The API server refuses every edit of it while the type stays. */
const CLASS = 'spec.loadBalancerClass';

function sortEffects(change: BalancerChange): BalancerChange {
  const effects = change.effects
    .map((effect) => ({
      ...effect,
      ...(effect.needs && { needs: effect.needs.map((need) => need.replace(/^needs /, '')) }),
    }))
    .sort((one, other) => OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome));
  return { ...change, effects };
}

export function compareChanges(one: BalancerChange, other: BalancerChange): number {
  const weight = OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome);
  const [title, another] = [titleOfChange(one), titleOfChange(other)];
  return weight !== 0 ? weight : title < another ? -1 : title > another ? 1 : 0;
}

type EffectsOf<P> = readonly ((pair: P) => Effect[])[];

const OF_CREATED: EffectsOf<CreatedPair> = [pairingEffects, creationEffects];
const OF_REMOVED: EffectsOf<RemovedPair> = [pairingEffects, removalEffects];
const OF_LIVE: EffectsOf<LivePair> = [
  ...[pairingEffects, sourceChangeEffects, namespaceEffects],
  ...[ownerEffects, installationEffects, configurationEffects],
];
/** With a write of the Service: a writer that only creates Services never writes again. */
const OF_WRITTEN: EffectsOf<LivePair> = [typeEffects, classEffects, finalizerEffects, nodePortEffects];

function lifecycleEffects(pair: ComparedPair): Effect[] {
  const { before, after, sides } = pair;
  if (!before) {
    return after ? OF_CREATED.flatMap((effectsOf) => effectsOf({ ...pair, after })) : [];
  }
  const removed = { ...pair, before };
  if (isTerminating(before)) {
    return terminatingEffects(removed);
  }
  if (!after) {
    return OF_REMOVED.flatMap((effectsOf) => effectsOf(removed));
  }
  const live = { ...removed, after };
  const isWritten = sides.options.writer !== 'create' || after.written.madeOf !== undefined;
  return [
    ...OF_LIVE.flatMap((effectsOf) => effectsOf(live)),
    ...(isWritten ? OF_WRITTEN : []).flatMap((effectsOf) => fieldsInSource(effectsOf(live), live)),
  ];
}

function pairingEffects({ before, after, conflicting = [], assumedNamespace, sides }: ComparedPair): Effect[] {
  const effects: Effect[] = [];
  if (conflicting.length > 1) {
    const side = after && conflicting.includes(after) ? sides.after : sides.before;
    const places = conflicting.map(
      ({ written: { file, line, madeBy } }) => `${side.shown?.(file) ?? file}:${line}${madeBy ? ` (${madeBy})` : ''}`,
    );
    const values = { count: conflicting.length, side: side.name, places: places.join(' and ') };
    effects.push(effectIn('Service written several times', 'unknown', { field: 'metadata.name', path: NAME }, values));
  }
  if (assumedNamespace !== undefined && before && after) {
    const { name } = after.service.metadata?.namespace ? sides.before : sides.after;
    const at = { field: 'metadata.namespace', path: NAMESPACE };
    effects.push(effectIn('namespace assumed', 'unknown', at, { side: name, namespace: assumedNamespace }));
  }
  return effects;
}

function withRecreation(effects: readonly Effect[], pair: LivePair): readonly Effect[] {
  const { before, after } = pair;
  // what is made of other objects is written by what makes it
  if (after.written.madeOf || hasNoBalancer(before)) {
    return effects;
  }
  const always = markOf(after.service, RECREATING_MARKS);
  if (always && contentOf(before.service) !== contentOf(after.service)) {
    const { annotation, tool } = always;
    const path = ['metadata', 'annotations', annotation];
    const why = `by ${annotation} ${tool} deletes the Service and makes it again whenever it applies it: its balancer goes, and its address`;
    return [...effects, recreationEffect({ field: annotation, path, why }, always, pair)];
  }
  const mark = markOf(after.service, FORCING_MARKS);
  if (mark) {
    return effects.map((effect) => {
      const why = `${effect.why}; by ${mark.annotation} ${mark.tool} then deletes the Service and makes it again: its balancer goes, and its address`;
      return isRefusedByServer(effect) ? recreationEffect({ ...effect, why }, mark, pair) : effect;
    });
  }
  // a webhook may have given the live Service the class that comes: then nothing is refused
  const isOwned = before.guess !== undefined || before.owner === after.owner;
  const mayHaveClass = classOf(before.service) === undefined && isOwned;
  const isRefused = effects.some(
    (effect) => isRefusedByServer(effect) && !(effect.path[1] === 'loadBalancerClass' && mayHaveClass),
  );
  // of a Service that the API server refuses no field is written
  const isServiceField = ({ field, path, places }: Effect) => !places && field === annotationOrField(path);
  return isRefused ? effects.filter((effect) => isRefusedByServer(effect) || !isServiceField(effect)) : effects;
}

function recreationEffect(
  effect: Omit<Effect, 'outcome'>,
  { annotation, source }: ToolMark,
  pair: RemovedPair,
): Effect {
  const { outcome, trace = effect.trace } = lossOf(
    queryLifecycle(pair, { change: 'deleted and created again' }),
    'replaced',
  );
  const remedy = `take ${annotation} out before, or leave the Service as it is`;
  const again = { ...effect, outcome, remedy, source, ...(trace !== undefined && { trace }) };
  return protectedFromDeletion(pair.before.service, again, pair);
}

const SERVER = fieldEdit('spec.clusterIP').source.repository;

function isRefusedByServer({ outcome, field, source }: Effect): boolean {
  return outcome === 'refused' && (source?.repository === SERVER || field === CLASS);
}

const ENDINGS: ReadonlySet<Outcome> = new Set(['deleted', 'replaced', 'handed over']);

/**
 * An effect by which a balancer goes, of one whose owner does not delete it: a setting of its Service protects it from deletion, as
 * the Service is written by then.
 */
function protectedFromDeletion(service: Json, effect: Effect, { before }: RemovedPair): Effect {
  const edit = ENDINGS.has(effect.outcome) ? kindOf(before)?.protectsFromDeletion?.(service) : undefined;
  if (!edit) {
    return effect;
  }
  const { trace: _, ...rest } = effect;
  const { what, remedy, source, outcome } = edit;
  const end = outcome === 'unknown' ? outcome : 'stuck';
  return { ...rest, ...consequenceIn('protected from deletion', end, { what }), remedy, source };
}

/** The Service as its controller sees it when it is to clean up: what is deleted stays as it was. */
function serviceAtCleanup({ before, after, sides }: RemovedPair): Json {
  const typed = after ? undefined : serviceOn(sides.after, before.id, before.written)?.object;
  return after?.service ?? (typed && isService(typed) ? typed : before.service);
}

export function versionEffects({ before, after, sides }: LivePair): Effect[] {
  const kind = allKinds().find(({ name }) => name === before.owner);
  // a live Service has what others wrote on it, and not what makes it
  const balancer = !before.written.madeOf && after.written.madeOf ? after : before;
  return versionChanges(sides)
    .filter(({ product }) => isOf(product, balancer, kind))
    .flatMap((change) => effectsOfVersion(change, balancer, kind, sides.after));
}

interface VersionChange {
  /** Owner: `kubernetes`, or the name of a controller or operator. */
  readonly product: string;
  readonly from: string;
  readonly to: string;
}

function versionChanges({ before, after }: Sides): VersionChange[] {
  const { versions: old = {} } = before;
  return Object.entries(after.versions ?? {})
    .map(([product, to]) => ({ product, from: old[product], to }))
    .filter(({ from, to }) => from !== undefined && compareVersions(plain(from), plain(to)) !== 0);
}

function isOf(product: string, { owner, written }: SideBalancer, kind?: ControllerDefinition): boolean {
  const isMade = product === OPERATOR.name && String(written.madeOf?.object.apiVersion).startsWith(OPERATOR.group);
  return product === KUBERNETES || product === owner || product === kind?.name || isMade;
}

function effectsOfVersion(
  { product, from, to }: VersionChange,
  balancer: SideBalancer,
  kind: ControllerDefinition | undefined,
  side: Side,
): Effect[] {
  const at = { field: product, path: [], from, to };
  const isUp = compareVersions(plain(to), plain(from)) > 0;
  const [low, high] = isUp ? [from, to] : [to, from];
  const lies = (since: string) =>
    compareVersions(plain(since), plain(low)) > 0 && compareVersions(plain(since), plain(high)) <= 0;
  const subject: UpgradedBalancer = {
    service: balancer.service,
    maker: balancer.written.madeOf?.object,
    finalizers: kind?.finalizers ?? [],
    to: plain(to),
    versions: side.versions ?? {},
    beside: besideIn(side),
  };
  const isOwner = product === kind?.name;
  const facts = factsOf(product, kind).filter(
    ({ since, concerns }) => (since === undefined || lies(since)) && (concerns?.(subject) ?? true),
  );
  const effects = facts.flatMap((fact): Effect[] => {
    const { outcome, what, first } = (isUp ? fact.up : fact.down) ?? {};
    return outcome && what !== undefined
      ? [{ outcome, ...at, why: what, ...(first !== undefined && { first }), source: fact.source }]
      : [];
  });
  const isRefused = effects.some(({ outcome }) => outcome === 'refused');
  const [oldest, newest] = knownVersions(product, isOwner ? kind : undefined, kind);
  const [old] = [from, to].filter((one) => oldest !== undefined && compareVersions(plain(one), oldest) < 0);
  return [
    ...(compareVersions(minorOf(to), minorOf(newest)) > 0
      ? [effectIn('version newer than known', 'unknown', at, { newest, product, to })]
      : []),
    // an operator that reconciles nothing interrupts nothing
    ...effects.filter(({ outcome }) => !isRefused || outcome !== 'interrupted'),
    ...(isOwner ? annotationVersionEffects(balancer, kind, lies, isUp, at) : []),
    ...(old === undefined
      ? []
      : [effectIn('version older than known', 'unknown', at, { oldest, product, old: plain(old) })]),
  ];
}

function knownVersions(
  product: string,
  owner: ControllerDefinition | undefined,
  kind: ControllerDefinition | undefined,
): readonly [string | undefined, string] {
  return product === KUBERNETES
    ? [OLDEST_KUBERNETES, plain(NEWEST_KUBERNETES)]
    : product === OPERATOR.name
      ? [OPERATOR.oldest, plain(OPERATOR.newest)]
      : [owner?.readFrom, plain(kind?.facts.source.version ?? '')];
}

const besideIn = oncePer(({ manifests }: Side): readonly Json[] =>
  manifests.flatMap(({ object }) => (isService(object) ? [] : [object])),
);

function minorOf(version: string): string {
  return plain(version).split('.').slice(0, 2).join('.');
}

function factsOf(product: string, kind?: ControllerDefinition): readonly UpgradeFact[] {
  const own = (kind?.upgrades ?? []).filter((fact) => (fact.product ?? kind?.name) === product);
  return [
    ...own,
    ...(product === KUBERNETES ? KUBERNETES_UPGRADES : []),
    ...(product === OPERATOR.name ? OPERATOR_UPGRADES : []),
  ];
}

function annotationVersionEffects(
  { service }: SideBalancer,
  kind: ControllerDefinition,
  lies: (since: string) => boolean,
  isUp: boolean,
  { field: product, from, to }: Pick<Effect, 'field' | 'from' | 'to'>,
): Effect[] {
  return Object.keys(annotationsOf(service)).flatMap((key): Effect[] => {
    const since = kind.catalogue.find(key)?.fact.since?.split(', ')[0];
    if (since === undefined || !VERSION.test(since) || !lies(since)) {
      return [];
    }
    const unknown = { unknown: 'what it does is not known' };
    const { outcome, what, source } = worstEdit(kind, key) ?? editFrom(unknown, kind.facts.source);
    const at = {
      field: key,
      path: ['metadata', 'annotations', key],
      from: `${product} ${from}`,
      to: `${product} ${to}`,
    };
    const why = isUp
      ? `read from ${since} on, as if it were added now: ${what}`
      : `not read before ${since}, as if it were taken away: ${what}`;
    const remedy = 'take the annotation out before, and add it again when its effect is wanted';
    return [{ outcome, ...at, why, remedy, source }];
  });
}

const VERSION = /^v?\d+(\.\d+)*$/;

function plain(version: string): string {
  return /\d+(\.\d+)*/.exec(version)?.[0] ?? '0';
}

import { compareVersions } from '../contract/compare-versions';
import { editFrom, type UpgradedBalancer, type UpgradeFact } from '../contract/edit';
import { type Json, oncePer } from '../contract/json';
import { OPERATOR, OPERATOR_UPGRADES } from '../kafka/strimzi/releases';
import type { ControllerDefinition } from '../rules/controller-definition';
import { worstEdit } from '../rules/edits-of-values';
import { allKinds } from '../rules/known-kinds';
import {
  KUBERNETES,
  KUBERNETES_UPGRADES,
  NEWEST_KUBERNETES,
  OLDEST_KUBERNETES,
} from '../rules/kubernetes-upgrades.facts';
import { annotationsOf, isService } from '../rules/service-json';
import { type Effect, effectIn } from './effect';
import type { LivePair } from './pairs';
import type { Side, SideBalancer, Sides } from './side';

export function versionEffects({ before, after, sides }: LivePair): Effect[] {
  const kind = allKinds().find(({ name }) => name === before.owner);
  // a live Service has what others wrote on it, and not what makes it
  const balancer = !before.written.madeOf && after.written.madeOf ? after : before;
  return versionChanges(sides)
    .filter(({ product }) => isOf(product, balancer, kind))
    .flatMap((change) => effectsOfVersion(change, balancer, kind, sides.after));
}

/** Change of the version of `kubernetes`, or of a controller or operator. */
type VersionChange = Readonly<Record<'product' | 'from' | 'to', string>>;

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
  const [oldest, newest] = knownVersions(product, kind);
  const [old] = [from, to].filter((one) => oldest !== undefined && compareVersions(plain(one), oldest) < 0);
  return [
    ...(compareVersions(minorOf(to), minorOf(newest)) > 0
      ? [effectIn('version newer than known', 'unknown', at, { newest, product, to })]
      : []),
    // an operator that reconciles nothing interrupts nothing
    ...effects.filter(({ outcome }) => !isRefused || outcome !== 'interrupted'),
    ...(product === kind?.name ? annotationVersionEffects(balancer, kind, lies, isUp, at) : []),
    ...(old === undefined
      ? []
      : [effectIn('version older than known', 'unknown', at, { oldest, product, old: plain(old) })]),
  ];
}

function knownVersions(product: string, kind?: ControllerDefinition): readonly [string | undefined, string] {
  return product === KUBERNETES
    ? [OLDEST_KUBERNETES, plain(NEWEST_KUBERNETES)]
    : product === OPERATOR.name
      ? [OPERATOR.oldest, plain(OPERATOR.newest)]
      : [product === kind?.name ? kind.readFrom : undefined, plain(kind?.facts.source.version ?? '')];
}

const besideIn = oncePer(({ manifests }: Side): readonly Json[] =>
  manifests.flatMap(({ object }) => (isService(object) ? [] : [object])),
);

function minorOf(version: string): string {
  return plain(version).split('.').slice(0, 2).join('.');
}

function factsOf(product: string, kind?: ControllerDefinition): readonly UpgradeFact[] {
  const own = (kind?.upgrades ?? []).filter((fact) => (fact.product ?? kind?.name) === product);
  const others = product === KUBERNETES ? KUBERNETES_UPGRADES : product === OPERATOR.name ? OPERATOR_UPGRADES : [];
  return [...own, ...others];
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
    const unknown = { unknown: 'the effect is not known' };
    const { outcome, what, source } = worstEdit(kind, key) ?? editFrom(unknown, kind.facts.source);
    const at = {
      field: key,
      path: ['metadata', 'annotations', key],
      from: `${product} ${from}`,
      to: `${product} ${to}`,
    };
    const why = isUp
      ? `read from ${since} on, as if it were added now: ${what}`
      : `not read before ${since}, as if it were removed: ${what}`;
    const remedy = 'remove the annotation before, and add it again when its effect is wanted';
    return [{ outcome, ...at, why, remedy, source }];
  });
}

const VERSION = /^v?\d+(\.\d+)*$/;

function plain(version: string): string {
  return /\d+(\.\d+)*/.exec(version)?.[0] ?? '0';
}

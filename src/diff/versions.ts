import { compareVersions } from '../contract/compare-versions';
import { editFrom, type UpgradedBalancer, type UpgradeEffect, type UpgradeFact } from '../contract/edit';
import type { Json } from '../contract/json';
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
import type { Effect } from './effect';
import type { Pair } from './pairs';
import type { Side, SideBalancer, Sides } from './side';

export function versionEffects({ before, after }: Pair, sides: Sides): Effect[] {
  if (!before || !after) {
    return [];
  }
  const kind = allKinds().find(({ name }) => name === before.owner);
  // a live Service has what others wrote on it, and not what makes it
  const balancer = !before.written.madeOf && after.written.madeOf ? after : before;
  return versionChanges(sides)
    .filter(({ product }) => isOf(product, balancer, kind))
    .flatMap((change) => effectsOfVersion(change, balancer, { kind, after: sides.after }));
}

interface Surroundings {
  readonly kind?: ControllerDefinition;
  readonly after: Side;
}

interface VersionChange {
  /** Whose it is: `kubernetes`, or the name of a controller or operator. */
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

function effectsOfVersion(change: VersionChange, balancer: SideBalancer, { kind, after }: Surroundings): Effect[] {
  const { product, from, to } = change;
  const isUp = compareVersions(plain(to), plain(from)) > 0;
  const [low, high] = isUp ? [from, to] : [to, from];
  const lies = (since: string) =>
    compareVersions(plain(since), plain(low)) > 0 && compareVersions(plain(since), plain(high)) <= 0;
  const subject: UpgradedBalancer = {
    service: balancer.service,
    maker: balancer.written.madeOf?.object,
    finalizers: kind?.finalizers ?? [],
    to: plain(to),
    versions: after.versions ?? {},
    beside: besideIn(after),
  };
  const facts = factsOf(product, kind).filter(
    ({ since, concerns }) => (since === undefined || lies(since)) && (concerns?.(subject) ?? true),
  );
  const effects = facts.flatMap((fact) => upgradeEffect(fact, isUp ? fact.up : fact.down, change));
  const isRefused = effects.some(({ outcome }) => outcome === 'refused');
  return [
    ...newerThanFacts(change, kind),
    // an operator that reconciles nothing interrupts nothing
    ...effects.filter(({ outcome }) => !isRefused || outcome !== 'interrupted'),
    ...(product === kind?.name ? annotationVersionEffects(balancer, kind, lies, isUp, change) : []),
    ...olderThanFacts(change, product === kind?.name ? kind : undefined),
  ];
}

function newerThanFacts({ product, from, to }: VersionChange, kind?: ControllerDefinition): Effect[] {
  const newest = plain(
    product === KUBERNETES
      ? NEWEST_KUBERNETES
      : product === OPERATOR.name
        ? OPERATOR.newest
        : (kind?.facts.source.version ?? ''),
  );
  return compareVersions(minorOf(to), minorOf(newest)) > 0
    ? [
        {
          outcome: 'unknown',
          field: product,
          path: [],
          from,
          to,
          why: `${newest} is the newest version of it that is known here`,
          needs: [`what ${product} ${to} changes, by its release notes`],
        },
      ]
    : [];
}

function olderThanFacts({ product, from, to }: VersionChange, kind?: ControllerDefinition): Effect[] {
  const oldest =
    product === KUBERNETES ? OLDEST_KUBERNETES : product === OPERATOR.name ? OPERATOR.oldest : kind?.readFrom;
  const old = [from, to].find((one) => oldest !== undefined && compareVersions(plain(one), oldest) < 0);
  return old === undefined
    ? []
    : [
        {
          outcome: 'unknown',
          field: product,
          path: [],
          from,
          to,
          why: `${oldest} is the oldest version of it that is known here`,
          needs: [`what ${product} changed between ${plain(old)} and ${oldest}, by its release notes`],
        },
      ];
}

const OBJECTS = new WeakMap<Side, readonly Json[]>();

/** All objects of a side that are no Services: of a large one most are. */
function besideIn(side: Side): readonly Json[] {
  const objects = OBJECTS.get(side) ?? side.manifests.flatMap(({ object }) => (isService(object) ? [] : [object]));
  OBJECTS.set(side, objects);
  return objects;
}

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

function upgradeEffect(
  { source }: UpgradeFact,
  effect: UpgradeEffect | undefined,
  { product, from, to }: VersionChange,
): Effect[] {
  return effect
    ? [
        {
          outcome: effect.outcome,
          field: product,
          path: [],
          from,
          to,
          why: effect.what,
          ...(effect.first !== undefined && { first: effect.first }),
          source,
        },
      ]
    : [];
}

/** Annotations that one of the two versions does not read: as if they were added, or taken away. */
function annotationVersionEffects(
  { service }: SideBalancer,
  kind: ControllerDefinition,
  lies: (since: string) => boolean,
  isUp: boolean,
  { product, from, to }: VersionChange,
): Effect[] {
  return Object.keys(annotationsOf(service)).flatMap((key) => {
    const entry = kind.catalogue.find(key)?.fact;
    const since = entry?.since?.split(', ')[0];
    if (!entry || since === undefined || !VERSION.test(since) || !lies(since)) {
      return [];
    }
    const edit =
      worstEdit(kind, key) ?? editFrom({ outcome: 'unknown', what: 'what it does is not known' }, kind.facts.source);
    const why = isUp
      ? `read from ${since} on, as if it were added now: ${edit.what}`
      : `not read before ${since}, as if it were taken away: ${edit.what}`;
    return [
      {
        outcome: edit.outcome,
        field: key,
        path: ['metadata', 'annotations', key],
        from: `${product} ${from}`,
        to: `${product} ${to}`,
        why,
        remedy: 'take the annotation out before, and add it again when its effect is wanted',
        source: edit.source,
      },
    ];
  });
}

const VERSION = /^v?\d+(\.\d+)*$/;

/** The numbers of a version: `v2.2.0` is `2.2.0`. */
function plain(version: string): string {
  return /\d+(\.\d+)*/.exec(version)?.[0] ?? '0';
}

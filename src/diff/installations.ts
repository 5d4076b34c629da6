import { editFrom, editOfValue } from '../contract/edit';
import {
  cachedIn,
  defined,
  isMap,
  isSet,
  type Json,
  list,
  mapIn,
  mapsIn,
  omitKeys,
  oncePer,
  printable,
  sameValue,
} from '../contract/json';
import type { YamlPath } from '../contract/kubernetes-yaml';
import { podTemplateOf } from '../contract/pod-placement';
import { flagsAmong, wordsOf } from '../contract/program-flags';
import { UNLISTED } from '../controllers/marks.facts';
import { allKinds, possibleClaimants } from '../rules/known-kinds';
import type { Manifest } from '../rules/manifest-objects';
import { classOf } from '../rules/service-json';
import {
  type Consequence,
  consequenceIn,
  consequenceOf,
  type Effect,
  effectAt,
  effectIn,
  fieldAt,
  placesAt,
} from './effect';
import { ROLLOUT } from './fields.facts';
import { type LivePair, NAME, NAMESPACE } from './pairs';
import { otherOwnersOf } from './possible-owners';
import { valuesOfText } from './related-changes';
import {
  type BalancerInSides,
  folderOf,
  hasNoBalancer,
  type Install,
  isPruned,
  kindOf,
  nearestTo,
  pairByLikeness,
  queryLifecycle,
  type Side,
  type SideBalancer,
  type Sides,
  titled,
} from './side';

export function installationEffects(pair: LivePair): Effect[] {
  const { before, after, sides } = pair;
  const { owner } = before;
  if (owner !== after.owner || hasNoBalancer(before)) {
    return [];
  }
  const isAny = [sides.before, sides.after].some(({ installs = [] }) => installs.length > 0);
  const others = isAny && !kindOf(before) ? otherOwnersOf(before).map(({ id }) => id) : [];
  if (owner !== undefined) {
    return [...new Set([owner, ...others])].flatMap((name) => effectsOfInstallation(name, pair));
  }
  const known = isAny ? possibleClaimants(before.service).map(({ kind }) => kind.name) : [];
  const names = [...known, ...others, ...(classOf(before.service) === undefined ? [UNLISTED] : [])];
  const needs = [printable(before.unowned ?? 'who owns it')];
  return [...new Set(names)]
    .flatMap((name) => [...effectsOfInstallation(name, pair), ...newInstallations(name, after, sides)])
    .map(({ remedy: _, trace: __, ...effect }) =>
      effect.outcome === 'kept' ? effect : { ...effect, outcome: 'unknown', needs },
    );
}

function newInstallations(name: string, { written }: SideBalancer, { before, after }: Sides): Effect[] {
  const ofName = ({ installs = [] }: Side) => installs.filter(({ controller }) => controller === name);
  const isThere = before.isLive === true || ofName(before).length > 0;
  return nearestTo(written.file, isThere ? [] : ofName(after), ({ manifest }) => manifest.file).map(({ manifest }) => {
    const to = titled(manifest.object);
    const at = { field: 'controllers', path: [], places: placesAt(undefined, manifest, NAME), to };
    return effectIn('controller added', 'unknown', at, { to, name });
  });
}

export function effectsOfInstallation(controller: string, pair: LivePair): Effect[] {
  const pairs = installPairs(pair.before, controller, pair.sides);
  const isAllGone = pairs.every(({ after }) => after === undefined);
  return pairs.flatMap(({ before, after }) =>
    after
      ? changedInstallation(controller, pair, { before, after })
      : removedInstallation(controller, pair, before, isAllGone),
  );
}

/** The installation of the controller is no longer in a manifest, and it is not known to be removed. */
function removedInstallation(controller: string, pair: LivePair, { manifest }: Install, isAllGone: boolean): Effect[] {
  const { options, before, after } = pair.sides;
  if (options.prune === false || before.isLive || uninstalledOwner(pair)) {
    return [];
  }
  const from = titled(manifest.object);
  const at = { field: 'controllers', path: [], places: placesAt(manifest, undefined, NAME), from };
  const wholly = after.controllers?.includes(controller) ? 'listed controller removed' : 'controller removed';
  return [effectIn(isAllGone ? wholly : 'part of a controller removed', 'unknown', at, { from, controller })];
}

function changedInstallation(
  controller: string,
  pair: LivePair,
  { before: old, after: now }: { readonly before: Install; readonly after: Install },
): Effect[] {
  const { sides } = pair;
  if (old.manifest.object.kind !== now.manifest.object.kind) {
    return [movedInstallation(controller, old, now, ['kind'])];
  }
  const namespaces = [old, now].map(({ manifest }) => mapIn(manifest.object, 'metadata').namespace ?? 'default');
  const moved = namespaces[0] === namespaces[1] ? [] : [movedInstallation(controller, old, now, NAMESPACE)];
  const [from, to] = [old, now].map(settingsOf);
  const versions = [sides.before, sides.after].map((side) => side.versions?.[controller]);
  const isVersionKnown = versions.every(isSet) && versions[0] !== versions[1];
  const changed = [...new Set([...from.keys(), ...to.keys()])].flatMap((key): Effect[] => {
    const [one, other] = [from.get(key), to.get(key)];
    const { field, name, isVersionOf, isHidden } = (other ?? one) as Setting;
    const fact = ownerSettingOf(controller, name);
    // an object beside it that is no longer in any manifest may stay
    const isLeft = isHidden && !other && !isPruned(sides);
    const isSame = sameValue(one?.value ?? fact?.default, other?.value ?? fact?.default);
    const isMorePods = REPLICAS.test(name) && Number(other?.value ?? 1) > 0;
    if (isLeft || isSame || isMorePods || (isVersionOf && isVersionKnown)) {
      return [];
    }
    const placed = (setting?: Setting) => setting && { manifest: setting.manifest, path: setting.path };
    const where = {
      ...{ field: printable(field), path: [], places: defined({ before: placed(one), after: placed(other) }) },
      ...(!isHidden && { from: one?.value, to: other?.value }),
    };
    return [effectAt(where, consequenceOfSetting(controller, pair, one, other))];
  });
  return [...moved, ...changed];
}

const REPLICAS = /^(replicas|replicaCount)$/;

function movedInstallation(controller: string, old: Install, now: Install, path: YamlPath): Effect {
  const [from, to] = [old, now].map(titleOf);
  const places = placesAt(old.manifest, now.manifest, path);
  const at = { field: `${to}, ${path.join('.')}`, path: [], from, to, places };
  return effectIn('controller moved', 'unknown', at, { controller });
}

function consequenceOfSetting(controller: string, pair: LivePair, from?: Setting, to?: Setting): Consequence {
  const { before, after } = pair;
  const { name, isVersionOf } = (to ?? from) as Setting;
  if (REPLICAS.test(name)) {
    const { outcome = 'stuck' } = queryLifecycle(pair, { change: 'owner uninstalled' }) ?? {};
    return { ...consequenceIn('controller stopped', 'stuck', { controller }), outcome };
  }
  const fact = ownerSettingOf(controller, name);
  if (fact) {
    const objects = { before: before.service, after: after.service };
    const edited = { before: from?.value ?? fact.default, after: to?.value ?? fact.default, around: objects, objects };
    const consequence = consequenceOf(editOfValue(editFrom(fact.edit, fact.source), edited));
    const remedy = 'leave it as it is while there are balancers';
    return { ...consequence, ...(consequence.outcome !== 'kept' && { remedy }) };
  }
  if (isVersionOf) {
    const change = isVersionOf === 'image' ? 'controller image changed' : 'controller chart changed';
    return consequenceIn(change, 'unknown', { controller });
  }
  return consequenceIn('controller setting changed', 'unknown', { controller, name });
}

function ownerSettingOf(controller: string, name: string) {
  const { ownerSettings, facts } = allKinds().find((one) => one.name === controller) ?? {};
  const found = ownerSettings?.find(({ flag, chartValue }) => flag === name || chartValue === name);
  return found && facts && { ...found, source: facts.source };
}

export interface Uninstalled {
  /** Its installation that is no longer in a manifest; undefined if the known context says so. */
  readonly install?: Install;
  readonly isByPruning: boolean;
}

export function uninstalledOwner({ before: balancer, sides }: BalancerInSides): Uninstalled | undefined {
  const { owner } = balancer;
  const { before, after, options } = sides;
  if (owner === undefined) {
    return undefined;
  }
  if (before.controllers?.includes(owner) && after.controllers?.includes(owner) === false) {
    return { isByPruning: false };
  }
  // a cluster has more than the manifests that are applied to it
  if (!isPruned(sides) || after.controllers?.includes(owner)) {
    return undefined;
  }
  const installs = installPairs(balancer, owner, sides);
  const isGone = installs.length > 0 && installs.every((pair) => pair.after === undefined);
  return isGone ? { install: installs[0].before, isByPruning: options.prune === undefined } : undefined;
}

interface InstallPair {
  readonly before: Install;
  readonly after?: Install;
}

function installPairs({ written }: SideBalancer, controller: string, sides: Sides): readonly InstallPair[] {
  const installsOn = ({ installs = [] }: Side) => installs.filter((one) => one.controller === controller);
  const all = cachedIn(PAIRS(sides), controller, () => paired(installsOn(sides.before), installsOn(sides.after)));
  return nearestTo(written.file, all, ({ before }) => before.manifest.file);
}

const PAIRS = oncePer((_: Sides) => new Map<string, readonly InstallPair[]>());

const LIKENESSES: readonly ((install: Install) => string)[] = [
  (install) => `${titleOf(install)} in ${folderOf(install.manifest.file)}`,
  titleOf,
  ({ manifest: { object } }) => `${object.kind} ${mapIn(object, 'metadata').name}`,
  ({ manifest: { object } }) => imageOf(object) ?? `${object.kind}`,
  () => '',
];

function paired(before: readonly Install[], after: readonly Install[]): InstallPair[] {
  const likenesses = LIKENESSES.map((likeness) => (one: Install, other: Install) => likeness(one) === likeness(other));
  return pairByLikeness(before, after, likenesses).flatMap(([old, now]) => (old ? [{ before: old, after: now }] : []));
}

function titleOf({ manifest: { object } }: Install): string {
  return titled(object);
}

function imageOf(object: Json): string | undefined {
  const [first] = list<{ readonly image?: unknown }>(podTemplateOf(object)?.spec?.containers);
  return first && String(first.image).replace(/(:[^/]*)?(@.*)?$/, '');
}

interface Setting {
  /** For people: `Deployment kube-system/lbc, --cluster-name`. */
  readonly field: string;
  readonly name: string;
  readonly value: unknown;
  readonly manifest: Manifest;
  readonly path: YamlPath;
  readonly isHidden?: true;
  readonly isVersionOf?: 'image' | 'chart';
}

type Found = Pick<Setting, 'name' | 'value' | 'path' | 'isVersionOf'> & { readonly key?: string };

const settingsOf = oncePer(({ manifest, beside = [] }: Install): ReadonlyMap<string, Setting> => {
  const { object } = manifest;
  const title = titled(object);
  const template = podTemplateOf(object);
  const own = template
    ? settingsOfWorkload(object, template)
    : fieldsIn(omitKeys(mapIn(object, 'spec'), ROLLOUT), ['spec']);
  const found = own.filter(({ name }) => !HARMLESS.test(name));
  return new Map([
    ...found.map(({ key, ...one }): [string, Setting] => {
      const named = key ?? fieldAt(one.path);
      return [named, { ...one, field: `${title}, ${named}`, manifest }];
    }),
    ...beside.map(({ manifest: other, value }): [string, Setting] => {
      const field = titled(other.object);
      return [field, { field, name: field, value, manifest: other, path: [], isHidden: true }];
    }),
  ]);
});

/** Flags of logs, metrics, profiles, elections and queues, and values of charts that decide how and where pods run. */
const HARMLESS =
  /^(v|vmodule|logtostderr|alsologtostderr|stderrthreshold|add-dir-header)$|^(log|logging|zap|metrics|health|profiling|pprof|leader-elect|leader-election|kube-api|sync-period)(-|$)|-(bind-addr|bind-port|bind-address)$|-max-concurrent-reconciles$|^(logLevel|resources|pod(Labels|Annotations|DisruptionBudget)|affinity|tolerations|nodeSelector|topologySpreadConstraints|priorityClassName|serviceMonitor)$/;

function settingsOfWorkload(object: Json, template: Json): Found[] {
  const { replicas } = mapIn(object, 'spec');
  const { serviceAccountName = 'default' } = mapIn(template, 'spec');
  const ofPod: YamlPath = ['spec', 'template', 'spec'];
  return [
    ...(replicas === 0 ? [{ name: 'replicas', value: 0, path: ['spec', 'replicas'] }] : []),
    { name: 'serviceAccountName', value: serviceAccountName, path: [...ofPod, 'serviceAccountName'] },
    ...mapsIn(template.spec, 'containers').flatMap((container, i): Found[] => {
      const path: YamlPath = [...ofPod, 'containers', i];
      const { envFrom, image } = container;
      return [
        ...flagsAmong(wordsOf(container)).map((flag) => ({ key: `--${flag.name}`, ...flag, path: [...path, 'args'] })),
        ...mapsIn(container, 'env').map(({ name, value, valueFrom }) => {
          const key = `variable ${String(name)}`;
          return { key, name: key, value: value ?? valueFrom ?? '', path: [...path, 'env'] };
        }),
        { key: 'envFrom', name: 'envFrom', value: envFrom, path: [...path, 'envFrom'] },
        ...(i === 0
          ? [{ key: 'image', name: 'image', value: image, path: [...path, 'image'], isVersionOf: 'image' as const }]
          : []),
      ];
    }),
  ];
}

function fieldsIn(map: Json, path: YamlPath): Found[] {
  return Object.entries(map).flatMap(([name, value]): Found[] => {
    const at = [...path, name];
    const values = valuesIn(name, value);
    if (values) {
      return Object.entries(values).map(([key, one]) => ({ name: key, value: one, path: [...at, key] }));
    }
    if (isMap(value)) {
      return fieldsIn(value, at);
    }
    if (Array.isArray(value) && value.every(isMap)) {
      return value.flatMap((one, i) => fieldsIn(one, [...at, i]));
    }
    const isVersion = typeof map.chart === 'string' && (name === 'version' || name === 'targetRevision');
    return [{ name, value, path: at, ...(isVersion && { isVersionOf: 'chart' }) }];
  });
}

/** Values of a chart in a field of its release; undefined if the field holds none. */
function valuesIn(field: string, value: unknown): Json | undefined {
  if (field === 'parameters' && Array.isArray(value)) {
    return Object.fromEntries(value.filter(isMap).map((one) => [String(one.name), one.value]));
  }
  const isOfValues = ['values', 'valuesObject', 'valuesContent', 'set'].includes(field);
  return !isOfValues ? undefined : typeof value === 'string' ? valuesOfText(value) : isMap(value) ? value : undefined;
}

import { editFrom, editOfValue } from '../contract/edit';
import { isMap, isSet, type Json, list, mapIn, mapsIn, printable, sameValue } from '../contract/json';
import { readKubernetesYaml, type YamlPath } from '../contract/kubernetes-yaml';
import { podTemplateOf } from '../contract/pod-placement';
import { flagsAmong, wordsOf } from '../contract/program-flags';
import { UNLISTED } from '../controllers/marks.facts';
import { titleOf } from '../predicted/predicted';
import type { OwnerSetting } from '../rules/controller-definition';
import { allKinds, possibleClaimants } from '../rules/known-kinds';
import type { Manifest } from '../rules/manifest-objects';
import { classOf } from '../rules/service-json';
import { type Consequence, consequenceOf, type Effect, effectAt, fieldAt } from './effect';
import { kindOf, queryLifecycle, uninstalledOwner } from './owners';
import type { Pair } from './pairs';
import { otherOwnersOf } from './related-objects';
import {
  folderOf,
  hasNoBalancer,
  type Install,
  isPruned,
  nearestTo,
  type Side,
  type SideBalancer,
  type Sides,
} from './side';

/** What becomes of a balancer whose owner is in no manifest any more, has another class or version, or has other settings. */
export function installationEffects({ before, after }: Pair, sides: Sides): Effect[] {
  if (!before || !after || before.owner !== after.owner || hasNoBalancer(before)) {
    return [];
  }
  const { owner } = before;
  const isAny = [sides.before, sides.after].some(({ installs = [] }) => installs.length > 0);
  const others = isAny && !kindOf(before) ? otherOwnersOf(before).map(({ id }) => id) : [];
  if (owner !== undefined) {
    return [owner, ...others.filter((id) => id !== owner)].flatMap((name) =>
      effectsOfInstallation(name, { before, after }, sides),
    );
  }
  const known = isAny ? possibleClaimants(before.service).map(({ kind }) => kind.name) : [];
  const names = [...known, ...others, ...(classOf(before.service) === undefined ? [UNLISTED] : [])];
  return [...new Set(names)]
    .flatMap((name) => [
      ...effectsOfInstallation(name, { before, after }, sides),
      ...newInstallations(name, after, sides),
    ])
    .map((one) => ofPossibleOwner(one, before));
}

/** A controller that takes the Services that no other one has, or those of another one. */
function newInstallations(name: string, { written }: SideBalancer, { before, after }: Sides): Effect[] {
  const ofName = ({ installs = [] }: Side) => installs.filter(({ controller }) => controller === name);
  const isThere = before.isLive === true || ofName(before).length > 0;
  return nearestTo(written.file, isThere ? [] : ofName(after), ({ manifest }) => manifest.file).map((install) => ({
    outcome: 'unknown',
    field: 'controllers',
    path: [],
    places: { after: { manifest: install.manifest, path: ['metadata', 'name'] } },
    to: printable(nameOf(install)),
    why: `${printable(nameOf(install))} is new, and ${name} may take the Service`,
  }));
}

function ofPossibleOwner({ remedy: _, trace: __, ...effect }: Effect, { unowned }: SideBalancer): Effect {
  return effect.outcome === 'kept'
    ? effect
    : { ...effect, outcome: 'unknown', needs: [printable(unowned ?? 'who owns it')] };
}

interface Both {
  readonly before: SideBalancer;
  readonly after: SideBalancer;
}

export function effectsOfInstallation(controller: string, both: Both, sides: Sides): Effect[] {
  const pairs = installPairs(both.before, controller, sides);
  const isAllGone = pairs.every(({ after }) => after === undefined);
  return pairs.flatMap(({ before, after }) =>
    after
      ? changedInstallation(controller, both, { before, after }, sides)
      : removedInstallation(controller, both, before, isAllGone, sides),
  );
}

/** What installs the controller is in no manifest any more, and it is not known to be taken away. */
function removedInstallation(
  controller: string,
  { before }: Both,
  install: Install,
  isAllGone: boolean,
  sides: Sides,
): Effect[] {
  const { options, after } = sides;
  if (options.prune === false || sides.before.isLive || uninstalledOwner(before, sides)) {
    return [];
  }
  const { manifest } = install;
  const what = printable(nameOf(install));
  const isTold = after.controllers?.includes(controller) === true;
  const base = {
    outcome: 'unknown',
    field: 'controllers',
    path: [],
    places: { before: { manifest, path: ['metadata', 'name'] } },
    from: what,
    needs: [`whether ${controller} runs afterwards`],
  } as const;
  if (!isAllGone) {
    return [{ ...base, why: `${what} is in no manifest any more, while other parts of ${controller} are` }];
  }
  return [
    isTold
      ? {
          ...base,
          why: `${what} is in no manifest any more, and what is known of the cluster has ${controller} still`,
          remedy: `take ${controller} out of controllers in load-balancers.yaml where nothing runs it any more`,
        }
      : { ...base, why: `${what} is in no manifest any more` },
  ];
}

function changedInstallation(
  controller: string,
  both: Both,
  { before: old, after: now }: { readonly before: Install; readonly after: Install },
  sides: Sides,
): Effect[] {
  if (old.manifest.object.kind !== now.manifest.object.kind) {
    return [movedInstallation(controller, old, now, ['kind'])];
  }
  const namespaces = [old, now].map(({ manifest }) => mapIn(manifest.object, 'metadata').namespace ?? 'default');
  const moved =
    namespaces[0] === namespaces[1] ? [] : [movedInstallation(controller, old, now, ['metadata', 'namespace'])];
  const [from, to] = [old, now].map(settingsOf);
  const versions = [sides.before, sides.after].map((side) => side.versions?.[controller]);
  const isVersionKnown = versions.every(isSet) && versions[0] !== versions[1];
  const changed = [...new Set([...from.keys(), ...to.keys()])].flatMap((key): Effect[] => {
    const [one, other] = [from.get(key), to.get(key)];
    const { field, name, isVersionOf, isHidden } = (other ?? one) as Setting;
    const fact = ownerSettingOf(controller, name);
    // an object beside it that is in no manifest any more may stay
    const isLeft = isHidden && !other && !isPruned(sides);
    const isSame = sameValue(one?.value ?? fact?.default, other?.value ?? fact?.default);
    const isMorePods = REPLICAS.test(name) && Number(other?.value ?? 1) > 0;
    if (isLeft || isSame || isMorePods || (isVersionOf && isVersionKnown)) {
      return [];
    }
    const where = {
      ...{ field: printable(field), path: [] },
      ...(!isHidden && { from: one?.value, to: other?.value }),
      places: {
        ...(one && { before: { manifest: one.manifest, path: one.path } }),
        ...(other && { after: { manifest: other.manifest, path: other.path } }),
      },
    };
    return [effectAt(where, effectOf({ controller, both, from: one, to: other }, sides))];
  });
  return [...moved, ...changed];
}

const REPLICAS = /^(replicas|replicaCount)$/;

/** Another kind of object installs it, or an object in another namespace. */
function movedInstallation(controller: string, old: Install, now: Install, path: YamlPath): Effect {
  return {
    outcome: 'unknown',
    field: printable(`${nameOf(now)}, ${path.join('.')}`),
    path: [],
    from: printable(nameOf(old)),
    to: printable(nameOf(now)),
    places: { before: { manifest: old.manifest, path }, after: { manifest: now.manifest, path } },
    why: `${controller} is installed by another object, with another account and beside other objects`,
    needs: [`whether ${controller} runs as before`],
  };
}

interface ChangedSetting {
  readonly controller: string;
  readonly both: Both;
  readonly from?: Setting;
  readonly to?: Setting;
}

function effectOf({ controller, both: { before, after }, from, to }: ChangedSetting, sides: Sides): Consequence {
  const { name, isVersionOf } = (to ?? from) as Setting;
  if (REPLICAS.test(name)) {
    return {
      outcome: queryLifecycle(before, { change: 'owner uninstalled' }, sides)?.outcome ?? 'stuck',
      why: `nothing of ${controller} runs any more: nothing changes the balancer, and a deletion of its Service waits`,
      remedy: `leave ${controller} running while there are balancers`,
    };
  }
  const fact = ownerSettingOf(controller, name);
  const kind = allKinds().find((one) => one.name === controller);
  if (fact && kind) {
    const objects = { before: before.service, after: after.service };
    const edited = { before: from?.value ?? fact.default, after: to?.value ?? fact.default, around: objects, objects };
    const consequence = consequenceOf(editOfValue(editFrom(fact.edit, kind.facts.source), edited));
    return {
      ...consequence,
      ...(consequence.outcome !== 'kept' && { remedy: 'leave it as it is while there are balancers' }),
    };
  }
  if (isVersionOf) {
    const what =
      isVersionOf === 'image' ? `another image of ${controller} runs` : `${controller} comes of another chart`;
    return {
      outcome: 'unknown',
      why: `${what}, and its version is not known on both sides`,
      needs: [`the versions, as --controller-from ${controller}@VERSION and --controller-to`],
    };
  }
  return {
    outcome: 'unknown',
    why: `${controller} has other settings, and their effect on its balancers is not known here`,
    needs: [printable(`the effect of ${name} on the balancers of ${controller}`)],
  };
}

function ownerSettingOf(controller: string, name: string): OwnerSetting | undefined {
  const kind = allKinds().find((one) => one.name === controller);
  return kind?.ownerSettings?.find(({ flag, chartValue }) => flag === name || chartValue === name);
}

/** What installs a controller on the older side, and what does so in its place; nothing where it is gone. */
interface InstallPair {
  readonly before: Install;
  readonly after?: Install;
}

/** What installs a controller of a balancer: of several, what is nearest to its file; those of other folders are of clusters of their own. */
export function installPairs({ written }: SideBalancer, controller: string, sides: Sides): readonly InstallPair[] {
  return nearestTo(written.file, pairsOn(controller, sides), ({ before }) => before.manifest.file);
}

const PAIRS = new WeakMap<Side, WeakMap<Side, Map<string, readonly InstallPair[]>>>();

function pairsOn(controller: string, { before, after }: Sides): readonly InstallPair[] {
  const ofAfter = PAIRS.get(after) ?? new WeakMap<Side, Map<string, readonly InstallPair[]>>();
  PAIRS.set(after, ofAfter);
  const known = ofAfter.get(before) ?? new Map<string, readonly InstallPair[]>();
  ofAfter.set(before, known);
  const [old, now] = [before, after].map(({ installs = [] }) =>
    installs.filter((one) => one.controller === controller),
  );
  const pairs = known.get(controller) ?? paired(old, now);
  known.set(controller, pairs);
  return pairs;
}

const LIKENESSES: readonly ((install: Install) => string)[] = [
  (install) => `${nameOf(install)} in ${folderOf(install.manifest.file)}`,
  nameOf,
  ({ manifest: { object } }) => `${object.kind} ${mapIn(object, 'metadata').name}`,
  ({ manifest: { object } }) => imageOf(object) ?? `${object.kind}`,
  () => '',
];

function paired(before: readonly Install[], after: readonly Install[]): InstallPair[] {
  const found = new Map<Install, Install>();
  const left = new Set(after);
  for (const likeness of LIKENESSES) {
    for (const old of before.filter((one) => !found.has(one))) {
      const now = [...left].find((one) => likeness(one) === likeness(old));
      if (now) {
        found.set(old, now);
        left.delete(now);
      }
    }
  }
  return before.map((old) => ({ before: old, after: found.get(old) }));
}

function nameOf({ manifest: { object } }: Install): string {
  return `${object.kind} ${titleOf(object)}`;
}

function imageOf(object: Install['manifest']['object']): string | undefined {
  const [first] = list<{ readonly image?: unknown }>(podTemplateOf(object)?.spec?.containers);
  return first && String(first.image).replace(/(:[^/]*)?(@.*)?$/, '');
}

interface Setting {
  /** For people: `Deployment kube-system/lbc, --cluster-name`. */
  readonly field: string;
  /** The flag, variable or value of a chart, without dashes. */
  readonly name: string;
  readonly value: unknown;
  readonly manifest: Manifest;
  readonly path: YamlPath;
  /** True if the value is never printed. */
  readonly isHidden?: true;
  /** Set for an image, and for the version of a chart. */
  readonly isVersionOf?: 'image' | 'chart';
}

const SETTINGS = new WeakMap<Install, ReadonlyMap<string, Setting>>();

/** The settings that may change load balancers, by the fields in which they are. */
function settingsOf(install: Install): ReadonlyMap<string, Setting> {
  const known = SETTINGS.get(install) ?? readSettings(install);
  SETTINGS.set(install, known);
  return known;
}

type Found = Pick<Setting, 'name' | 'value' | 'path' | 'isVersionOf'> & { readonly key?: string };

function readSettings({ manifest, beside = [] }: Install): ReadonlyMap<string, Setting> {
  const { object } = manifest;
  const title = `${object.kind} ${titleOf(object)}`;
  const template = podTemplateOf(object);
  const own = template ? settingsOfWorkload(object, template) : settingsOfRelease(object);
  const found = own.filter(({ name }) => !HARMLESS.test(name));
  return new Map([
    ...found.map(({ key, ...one }): [string, Setting] => {
      const named = key ?? fieldAt(one.path);
      return [named, { ...one, field: `${title}, ${named}`, manifest }];
    }),
    ...beside.map(({ manifest: other, value }): [string, Setting] => {
      const field = `${other.object.kind} ${titleOf(other.object)}`;
      return [field, { field, name: field, value, manifest: other, path: [], isHidden: true }];
    }),
  ]);
}

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
        ...flagsAmong(wordsOf(container)).map(({ name, value }) => {
          return { key: `--${name}`, name, value, path: [...path, 'args'] };
        }),
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

/** Fields of the release of a chart that decide how it is rolled out. */
const ROLLOUT: ReadonlySet<string> = new Set([
  ...['interval', 'timeout', 'maxHistory', 'install', 'upgrade', 'rollback', 'test', 'uninstall', 'driftDetection'],
  ...['syncPolicy', 'project', 'info', 'revisionHistoryLimit', 'ignoreDifferences', 'dependsOn'],
]);

function settingsOfRelease({ spec }: Json): Found[] {
  const fields = Object.entries(isMap(spec) ? spec : {}).filter(([key]) => !ROLLOUT.has(key));
  return fieldsIn(Object.fromEntries(fields), ['spec']);
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

/** The values of a chart in a field of a release; undefined for another field. */
function valuesIn(name: string, value: unknown): Json | undefined {
  switch (name) {
    case 'values':
    case 'valuesObject':
    case 'valuesContent':
    case 'set':
      return isMap(value) ? value : typeof value === 'string' ? valuesOfText(value) : undefined;
    case 'parameters':
      return Array.isArray(value)
        ? Object.fromEntries(value.filter(isMap).map((one) => [String(one.name), one.value]))
        : undefined;
    default:
      return undefined;
  }
}

/** The settings of a text; undefined if it is not a map in YAML or JSON. */
export function valuesOfText(text: string): Json | undefined {
  const { values, faults } = readKubernetesYaml(text);
  const [first] = values;
  return faults.length === 0 && values.length === 1 && isMap(first.value) ? first.value : undefined;
}

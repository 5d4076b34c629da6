import { editFrom, editOfValue } from '../contract/edit';
import { isSet, mapIn } from '../contract/json';
import { printable } from '../contract/printable';
import { sameValue } from '../contract/same-value';
import type { YamlPath } from '../contract/yaml-source';
import { UNLISTED } from '../controllers/marks.facts';
import { possibleClaimants } from '../rules/claimants';
import { knownKinds, type OwnerSetting } from '../rules/controller-definition';
import { classOf } from '../rules/service-json';
import { askModel } from './ask-model';
import type { Cause } from './balancer-change';
import { hasNoBalancer } from './has-no-balancer';
import { othersOf } from './holder-causes';
import { installPairs, nameOf } from './install-pairs';
import { type Setting, settingsOf } from './install-settings';
import type { Matched } from './match';
import { nearestTo } from './objects-on-side';
import { kindOf, uninstalledOwner } from './owners';
import { causeOf, type Said, saidBy } from './said';
import type { Install, Side, SideBalancer, Sides } from './side';

/** What becomes of a balancer whose owner is in no manifest any more, has another class or version, or has other settings. */
export function installCauses({ before, after }: Matched, sides: Sides): Cause[] {
  if (!before || !after || before.owner !== after.owner || hasNoBalancer(before)) {
    return [];
  }
  const { owner } = before;
  const isAny = [sides.before, sides.after].some(({ installs = [] }) => installs.length > 0);
  const others = isAny && !kindOf(before) ? othersOf(before).map(({ id }) => id) : [];
  if (owner !== undefined) {
    return [owner, ...others.filter((id) => id !== owner)].flatMap((name) => causesOf(name, { before, after }, sides));
  }
  const known = isAny ? possibleClaimants(before.service).map(({ kind }) => kind.name) : [];
  const names = [...known, ...others, ...(classOf(before.service) === undefined ? [UNLISTED] : [])];
  return [...new Set(names)]
    .flatMap((name) => [...causesOf(name, { before, after }, sides), ...comes(name, after, sides)])
    .map((one) => open(one, before));
}

/** A controller that takes the Services that no other one has, or those of another one. */
function comes(name: string, { written }: SideBalancer, { before, after }: Sides): Cause[] {
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

/** A change of who may own it, or not. */
function open({ remedy: _, trace: __, ...cause }: Cause, { unowned }: SideBalancer): Cause {
  return cause.outcome === 'kept'
    ? cause
    : { ...cause, outcome: 'unknown', needs: [printable(unowned ?? 'who owns it')] };
}

interface Both {
  readonly before: SideBalancer;
  readonly after: SideBalancer;
}

function causesOf(controller: string, both: Both, sides: Sides): Cause[] {
  const pairs = installPairs(both.before, controller, sides);
  const isAllGone = pairs.every(({ after }) => after === undefined);
  return pairs.flatMap(({ before, after }) =>
    after
      ? changedCauses(controller, both, { before, after }, sides)
      : goneCause(controller, both, before, isAllGone, sides),
  );
}

/** What installs the controller is in no manifest any more, and it is not known to be taken away. */
function goneCause(controller: string, { before }: Both, install: Install, isAllGone: boolean, sides: Sides): Cause[] {
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

function changedCauses(
  controller: string,
  both: Both,
  { before: old, after: now }: { readonly before: Install; readonly after: Install },
  sides: Sides,
): Cause[] {
  if (old.manifest.object.kind !== now.manifest.object.kind) {
    return [movedCause(controller, old, now, ['kind'])];
  }
  const namespaces = [old, now].map(({ manifest }) => mapIn(manifest.object, 'metadata').namespace ?? 'default');
  const moved = namespaces[0] === namespaces[1] ? [] : [movedCause(controller, old, now, ['metadata', 'namespace'])];
  const [from, to] = [old, now].map(settingsOf);
  const { prune } = sides.options;
  const isPruned = prune === true || (prune !== false && !sides.before.isLive);
  const versions = [sides.before, sides.after].map((side) => side.versions?.[controller]);
  const isVersionKnown = versions.every(isSet) && versions[0] !== versions[1];
  const changed = [...new Set([...from.keys(), ...to.keys()])].flatMap((key): Cause[] => {
    const [one, other] = [from.get(key), to.get(key)];
    const { field, name, isVersionOf, isHidden } = (other ?? one) as Setting;
    const fact = ownerSettingOf(controller, name);
    // an object beside it that is in no manifest any more may stay
    const isLeft = isHidden && !other && !isPruned;
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
    return [causeOf(where, effectOf({ controller, both, from: one, to: other }, sides))];
  });
  return [...moved, ...changed];
}

/** The setting for the number of pods, of a workload or of a chart. */
const REPLICAS = /^(replicas|replicaCount)$/;

/** Another kind of object installs it, or an object in another namespace. */
function movedCause(controller: string, old: Install, now: Install, path: YamlPath): Cause {
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

interface Changed {
  readonly controller: string;
  readonly both: Both;
  readonly from?: Setting;
  readonly to?: Setting;
}

function effectOf({ controller, both: { before, after }, from, to }: Changed, sides: Sides): Said {
  const { name, isVersionOf } = (to ?? from) as Setting;
  if (REPLICAS.test(name)) {
    return {
      outcome: askModel(before, { change: 'owner uninstalled' }, sides)?.outcome ?? 'stuck',
      why: `nothing of ${controller} runs any more: nothing changes the balancer, and a deletion of its Service waits`,
      remedy: `leave ${controller} running while there are balancers`,
    };
  }
  const fact = ownerSettingOf(controller, name);
  const kind = knownKinds().find((one) => one.name === controller);
  if (fact && kind) {
    const objects = { before: before.service, after: after.service };
    const edited = { before: from?.value ?? fact.default, after: to?.value ?? fact.default, around: objects, objects };
    const said = saidBy(editOfValue(editFrom(fact.edit, kind.facts.source), edited));
    return { ...said, ...(said.outcome !== 'kept' && { remedy: 'leave it as it is while there are balancers' }) };
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
  const kind = knownKinds().find((one) => one.name === controller);
  return kind?.ownerSettings?.find(({ flag, chartValue }) => flag === name || chartValue === name);
}

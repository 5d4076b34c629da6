import { editFrom, editOfValue } from '../contract/edit';
import { isSet, mapIn } from '../contract/json';
import { printable } from '../contract/printable';
import { sameValue } from '../contract/same-value';
import { UNLISTED } from '../controllers/marks.facts';
import { possibleClaimants } from '../rules/claimants';
import { type ControllerDefinition, knownKinds } from '../rules/controller-definition';
import { annotationsOf, classOf } from '../rules/service-json';
import { askModel } from './ask-model';
import type { Cause } from './balancer-change';
import { hasNoBalancer } from './has-no-balancer';
import { othersOf } from './holder-causes';
import { installPairs, nameOf } from './install-pairs';
import { CHART_VERSION, IMAGE, REPLICAS, type Setting, settingsOf } from './install-settings';
import type { Matched } from './match';
import { nearestTo } from './objects-on-side';
import { kindOf, uninstalledOwner } from './owners';
import { causeOf, type Said, saidBy } from './said';
import type { Install, Side, SideBalancer, Sides } from './side';

/** What becomes of a balancer whose owner is installed otherwise: with other flags, variables, images, or values of its chart. */
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
  const kind = knownKinds().find(({ name }) => name === controller);
  const { installEdits: edits } = kind ?? {};
  const [from, to] = [old, now].map((install) => settingsOf(install, edits));
  const isOtherKind = old.manifest.object.kind !== now.manifest.object.kind;
  const versions = [sides.before, sides.after].map((side) => side.versions?.[controller]);
  const isVersionKnown = versions.every(isSet) && versions[0] !== versions[1];
  const meant = (setting: Setting | undefined, name: string) =>
    setting?.value ?? edits?.defaults?.[name.replace(/^-+/, '')];
  const { prune } = sides.options;
  const isPruned = prune === true || (prune !== false && !sides.before.isLive);
  const changed = [...new Set([...from.keys(), ...to.keys()])]
    // an object beside it that is in no manifest any more may stay
    .filter((name) => isPruned || to.has(name) || !from.get(name)?.isHidden)
    .filter((name) => !sameValue(meant(from.get(name), name), meant(to.get(name), name)))
    .filter((name) => !((name === IMAGE || name === CHART_VERSION) && isVersionKnown))
    // what has no name in both forms is not compared, but that the form is another one
    .filter((name) => !isOtherKind || name.startsWith('--'));
  return [
    ...movedCauses(controller, old, now),
    ...changed.map((name) => {
      const [one, other] = [from.get(name), to.get(name)];
      return causeOf(
        {
          field: printable((other ?? one)?.field ?? name),
          path: [],
          from: one?.isHidden ? undefined : one?.value,
          to: other?.isHidden ? undefined : other?.value,
          places: {
            ...(one && { before: { manifest: one.manifest, path: one.path } }),
            ...(other && { after: { manifest: other.manifest, path: other.path } }),
          },
        },
        whatItDoes(name, { kind, controller, both, from: one, to: other }, sides),
      );
    }),
  ];
}

/** It is installed by an object of another kind, or in another namespace. */
function movedCauses(controller: string, old: Install, now: Install): Cause[] {
  const [one, other] = [old, now].map(({ manifest }) => manifest.object);
  const [from, to] = [one, other].map((object) => mapIn(object, 'metadata').namespace ?? 'default');
  const isOtherKind = one.kind !== other.kind;
  if (!isOtherKind && from === to) {
    return [];
  }
  const path = isOtherKind ? ['kind'] : ['metadata', 'namespace'];
  return [
    {
      outcome: 'unknown',
      field: printable(`${nameOf(now)}, ${path.join('.')}`),
      path: [],
      from: printable(nameOf(old)),
      to: printable(nameOf(now)),
      places: { before: { manifest: old.manifest, path }, after: { manifest: now.manifest, path } },
      why: isOtherKind
        ? `another object installs ${controller}, and what they set is not compared in full`
        : `${controller} runs in another namespace, with another service account, and beside other objects of that namespace`,
      needs: [
        isOtherKind
          ? `whether ${controller} runs as before`
          : `whether what ${controller} reads in its namespace, and its rights in the cloud, are there as well`,
      ],
    },
  ];
}

interface Changed {
  readonly kind?: ControllerDefinition;
  readonly controller: string;
  readonly both: Both;
  readonly from?: Setting;
  readonly to?: Setting;
}

function whatItDoes(name: string, { kind, controller, both, from, to }: Changed, sides: Sides): Said {
  const { installEdits: edits } = kind ?? {};
  const { flag, chartValue = '' } = (to ?? from) as Setting;
  const isScaled = name === REPLICAS || (edits?.replicas !== undefined && name === `value ${edits.replicas}`);
  if (isScaled && to?.value === 0) {
    return {
      outcome: askModel(both.before, { change: 'owner uninstalled' }, sides)?.outcome ?? 'stuck',
      why: `nothing of ${controller} runs any more: nothing changes the balancer, and a deletion of its Service waits`,
      remedy: `leave ${controller} running while there are balancers`,
    };
  }
  if (isScaled) {
    return { outcome: 'kept', why: from?.value === 0 || name === REPLICAS ? `${controller} runs again` : 'it runs on' };
  }
  const fact = flag === undefined ? edits?.values?.[/^[^.[]*/.exec(chartValue)?.[0] ?? ''] : edits?.flags[flag];
  if (kind && fact) {
    const { service } = both.after;
    const annotations = { before: annotationsOf(both.before.service), after: annotationsOf(service) };
    const edited = {
      before: from?.value ?? edits?.defaults?.[flag ?? ''],
      after: to?.value ?? edits?.defaults?.[flag ?? ''],
      around: annotations,
      objects: { before: both.before.service, after: service },
    };
    const said = saidBy(editOfValue(editFrom(fact, kind.facts.source), edited));
    return { ...said, ...(said.outcome !== 'kept' && { remedy: 'leave it as it is while there are balancers' }) };
  }
  if (name === IMAGE || name === CHART_VERSION) {
    const what = name === IMAGE ? `another image of ${controller} runs` : `${controller} comes of another chart`;
    return {
      outcome: 'unknown',
      why: `${what}, and its version is not known on both sides`,
      needs: [`the versions, as --controller-from ${controller}@VERSION and --controller-to`],
    };
  }
  return {
    outcome: 'unknown',
    why: `${controller} is installed otherwise, and what that does to its balancers was not read`,
    needs: [`what ${controller} makes of ${printable(name)}`],
  };
}

import { type EditFact, editFrom } from '../contract/edit';
import { isMap, isSet, type Json, list, mapIn, mapsIn } from '../contract/json';
import { printable } from '../contract/printable';
import { sameValue } from '../contract/same-value';
import { podTemplateOf } from '../contract/workload';
import type { YamlPath } from '../contract/yaml-source';
import { titleOf } from '../later/later';
import type { Manifest } from '../rules/manifest-objects';
import { askModel } from './ask-model';
import type { Cause } from './balancer-change';
import { hasNoBalancer } from './has-no-balancer';
import { HARMLESS_FLAGS, HARMLESS_OF_RELEASES } from './install-settings.facts';
import type { Matched } from './match';
import { folderOf } from './objects-on-side';
import { kindOf, uninstalledOwner } from './owners';
import { causeOf, type Said, saidBy } from './said';
import type { Install, Side, SideBalancer, Sides } from './side';

/** What becomes of a balancer whose owner is installed otherwise: with other flags, variables, images, or values of its chart. */
export function installCauses({ before, after }: Matched, sides: Sides): Cause[] {
  if (!before || !after || before.owner === undefined || before.owner !== after.owner || hasNoBalancer(before)) {
    return [];
  }
  const old = nearest(before, ofOwner(before, sides.before));
  if (!old) {
    return [];
  }
  const same = ofOwner(before, sides.after).filter((one) => nameOf(one) === nameOf(old));
  const isBeside = ({ manifest }: Install) => folderOf(manifest.file) === folderOf(old.manifest.file);
  const now = same.find(isBeside) ?? nearest(after, same);
  return now ? changedCauses(before, old, now, sides) : goneCause(before, old, sides);
}

function ofOwner({ owner }: SideBalancer, { installs = [] }: Side): readonly Install[] {
  return installs.filter(({ controller }) => controller === owner);
}

function nameOf({ manifest: { object } }: Install): string {
  return `${object.kind} ${titleOf(object)}`;
}

/** The installation whose file is nearest: those of other folders are of clusters of their own. */
function nearest({ written }: SideBalancer, installs: readonly Install[]): Install | undefined {
  const shared = ({ manifest }: Install) => sharedSteps(folderOf(manifest.file), folderOf(written.file));
  const [first, ...others] = installs;
  return first && others.reduce((best, one) => (shared(one) > shared(best) ? one : best), first);
}

function sharedSteps(one: string, other: string): number {
  const [left, right] = [one.split('/'), other.split('/')];
  const end = left.findIndex((step, i) => step !== right[i]);
  return end < 0 ? left.length : end;
}

/** What the file of the cluster says runs, and is in no manifest any more. */
function goneCause(before: SideBalancer, { manifest }: Install, sides: Sides): Cause[] {
  const { owner } = before;
  const { options, after } = sides;
  const isElsewhere = ofOwner(before, after).length > 0;
  const isTold = after.controllers?.includes(String(owner)) === true;
  if (isElsewhere || !isTold || options.prune === false || sides.before.isLive || uninstalledOwner(before, sides)) {
    return [];
  }
  const what = printable(`${manifest.object.kind} ${titleOf(manifest.object)}`);
  return [
    {
      outcome: 'unknown',
      field: 'controllers',
      path: [],
      places: { before: { manifest, path: ['metadata', 'name'] } },
      from: what,
      why: `${what} is in no manifest any more, and what is known of the cluster has ${owner} still`,
      remedy: `take ${owner} out of controllers in load-balancers.yaml where nothing runs it any more`,
      needs: [`whether ${owner} runs afterwards`],
    },
  ];
}

function changedCauses(before: SideBalancer, old: Install, now: Install, sides: Sides): Cause[] {
  const { owner = '' } = before;
  const [from, to] = [old, now].map(({ manifest }) => settingsOf(manifest.object));
  const title = printable(`${now.manifest.object.kind} ${titleOf(now.manifest.object)}`);
  const versions = [sides.before, sides.after].map((side) => side.versions?.[owner]);
  const isVersionKnown = versions.every(isSet) && versions[0] !== versions[1];
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((name) => !sameValue(from.get(name)?.value, to.get(name)?.value))
    .filter((name) => !(name === IMAGE && isVersionKnown))
    .map((name) => {
      const [one, other] = [from.get(name), to.get(name)];
      return causeOf(
        {
          field: `${title}, ${name}`,
          path: [],
          from: one?.value,
          to: other?.value,
          places: {
            ...(one && { before: { manifest: old.manifest, path: one.path } }),
            ...(other && { after: { manifest: now.manifest, path: other.path } }),
          },
        },
        whatItDoes(before, name, sides),
      );
    });
}

function whatItDoes(before: SideBalancer, name: string, sides: Sides): Said {
  if (name === REPLICAS) {
    const none = sides.after.installs?.some(
      ({ controller, manifest }) => controller === before.owner && isOff(manifest),
    );
    return none
      ? {
          outcome: askModel(before, { change: 'owner uninstalled' }, sides)?.outcome ?? 'stuck',
          why: `nothing of ${before.owner} runs any more: nothing changes the balancer, and a deletion of its Service waits`,
          remedy: `leave ${before.owner} running while there are balancers`,
        }
      : { outcome: 'kept', why: `${before.owner} runs again` };
  }
  const kind = kindOf(before);
  const fact: EditFact | undefined = kind?.flagEdits?.[name.replace(/^-+/, '')];
  if (kind && fact) {
    return saidBy(editFrom(fact, kind.facts.source), { remedy: 'leave it as it is while there are balancers' });
  }
  if (name === IMAGE) {
    return {
      outcome: 'unknown',
      why: `another image of ${before.owner} runs, and its version is not known on both sides`,
      needs: [`the versions, as --controller-from ${before.owner}@VERSION and --controller-to`],
    };
  }
  return {
    outcome: 'unknown',
    why: `${before.owner} is installed otherwise, and what that does to its balancers was not read`,
    needs: [`what ${before.owner} makes of ${printable(name)}`],
  };
}

/** A setting with where it is. */
interface Setting {
  readonly value: unknown;
  readonly path: YamlPath;
}

const IMAGE = 'image';
const REPLICAS = 'spec.replicas';

/** Whether it is scaled to nothing. */
function isOff({ object }: Manifest): boolean {
  return mapIn(object, 'spec').replicas === 0;
}

/** The settings of an installation by their names: `--cluster-name`, a variable, or a field of a release. */
function settingsOf(object: Json): ReadonlyMap<string, Setting> {
  const template = podTemplateOf(object);
  const { replicas } = mapIn(object, 'spec');
  const off: [string, Setting][] = replicas === 0 ? [[REPLICAS, { value: 0, path: ['spec', 'replicas'] }]] : [];
  return new Map(template ? [...off, ...settingsOfPod(template)] : settingsOfRelease(object));
}

function settingsOfPod(template: Json): [string, Setting][] {
  return mapsIn(template.spec, 'containers').flatMap((container, i) => {
    const path: YamlPath = ['spec', 'template', 'spec', 'containers', i];
    const texts = [...list<unknown>(container.command), ...list<unknown>(container.args)].map(String);
    const variables = mapsIn(container, 'env').map(({ name, ...value }): [string, Setting] => [
      `variable ${String(name)}`,
      { value: value.value ?? value.valueFrom ?? '', path: [...path, 'env'] },
    ]);
    const { envFrom, image } = container;
    return [
      ...flagsIn(texts).map(([flag, value]): [string, Setting] => [flag, { value, path: [...path, 'args'] }]),
      ...variables,
      ...(isSet(envFrom) ? [['envFrom', { value: envFrom, path: [...path, 'envFrom'] }] as [string, Setting]] : []),
      ...(i === 0 ? [[IMAGE, { value: image, path: [...path, 'image'] }] as [string, Setting]] : []),
    ];
  });
}

/** `--name=value`, `--name value` and `--name`; those that say nothing of balancers are left out. */
function flagsIn(texts: readonly string[]): [string, string][] {
  return texts.flatMap((text, i): [string, string][] => {
    const [, dashes, name, value] = /^(--?)([^=\s]+)(?:=(.*))?$/s.exec(text) ?? [];
    if (name === undefined || HARMLESS_FLAGS.test(name)) {
      return [];
    }
    const next = texts[i + 1] ?? '';
    return [[`${dashes}${name}`, value ?? (next.startsWith('-') ? '' : next)]];
  });
}

function settingsOfRelease({ spec }: Json): [string, Setting][] {
  return Object.entries(isMap(spec) ? spec : {})
    .filter(([key]) => !HARMLESS_OF_RELEASES.has(key))
    .map(([key, value]) => [`spec.${key}`, { value, path: ['spec', key] }]);
}

import { list, mapIn } from '../contract/json';
import { podTemplateOf } from '../contract/workload';
import { titleOf } from '../later/later';
import { folderOf, nearestTo } from './objects-on-side';
import type { Install, Side, SideBalancer, Sides } from './side';

/** What installs a controller on the older side, and what does so in its place; nothing where it is gone. */
export interface InstallPair {
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

/** By what two installations may be one, the surest first. */
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

/** Its kind, namespace and name. */
export function nameOf({ manifest: { object } }: Install): string {
  return `${object.kind} ${titleOf(object)}`;
}

/** The image of its first container, without tag or digest. */
function imageOf(object: Install['manifest']['object']): string | undefined {
  const [first] = list<{ readonly image?: unknown }>(podTemplateOf(object)?.spec?.containers);
  return first && String(first.image).replace(/(:[^/]*)?(@.*)?$/, '');
}

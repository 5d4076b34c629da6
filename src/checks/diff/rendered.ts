import { dirname } from 'node:path';
import { printable } from '../../contract/printable';
import { sameValue } from '../../contract/same-value';
import type { BalancerChange, Cause } from '../../diff/balancer-change';
import type { Manifest } from '../../rules/manifest-objects';
import { type ChangedApplier, changedAppliers } from './appliers';
import { RENDERED } from './doubts';
import { KustomizationsOfSide } from './kustomizations';
import type { DiffedSide } from './sides';

/** What kustomize does to balancers whose files stay as they are. */
export class Rendered {
  private readonly before: KustomizationsOfSide;
  private readonly after: KustomizationsOfSide;
  /** The kustomizations that render other objects of a file than before, by the file. */
  private readonly changed = new Map<string, string>();
  /** What applies a file or folder otherwise than before, by its path. */
  private readonly applied = new Map<string, ChangedApplier>();

  /** @param deciders what is unknown since a kustomization or a patch changes */
  public constructor(
    before: DiffedSide,
    after: DiffedSide,
    deciders: readonly BalancerChange[],
    private readonly prune?: boolean,
  ) {
    this.before = new KustomizationsOfSide(before);
    this.after = new KustomizationsOfSide(after);
    const edited = new Set(
      deciders.flatMap((one) => [one.before, one.after]).flatMap((one) => (one ? [one.written.file] : [])),
    );
    for (const file of new Set([...this.before.files, ...this.after.files])) {
      const isEdited = [this.before, this.after].some((side) =>
        side.partsOf(file).some((part) => edited.has(part) && !this.listsAlone(part)),
      );
      const [old, now] = [this.before, this.after].map((side) => side.reachOf(file));
      const isOnBoth = this.before.has(file) && this.after.has(file);
      const one = (path: string) => isEdited || (isOnBoth && old.has(path) !== now.has(path));
      for (const path of [...old, ...now].filter(one)) {
        this.changed.set(path, file);
      }
    }
    const all = changedAppliers(before.side, after.side);
    // what is in no manifest any more stays where nothing is pruned
    const appliers = prune === false ? all.filter((one) => one.after) : all;
    const manifests = appliers.length === 0 ? [] : [before, after].flatMap(({ side }) => side.manifests);
    const files = [...manifests.map(({ file }) => file), ...this.before.files, ...this.after.files];
    for (const applier of appliers) {
      for (const folder of applier.folders.flatMap((one) => shownAs(one, files) ?? [])) {
        const reach = [this.before, this.after].flatMap((side) => [...side.reachOfFolder(folder)]);
        for (const path of [folder, ...reach]) {
          this.applied.set(path, applier);
        }
      }
    }
  }

  /** The change of a balancer, which is unknown where its files alone say that it is kept. */
  public of(change: BalancerChange): BalancerChange {
    const { before, after, outcome } = change;
    if (!before || !after || outcome !== 'kept') {
      return change;
    }
    const file = around(this.changed, before.written, after.written);
    const applier = around(this.applied, before.written, after.written);
    if (applier?.before && applier.leaves !== undefined) {
      const goes = this.prune ? 'it goes' : 'with prune it goes';
      const { after: _, ...gone } = change;
      return withCause(gone, {
        outcome: 'deleted',
        field: printable(applier.title),
        path: [],
        places: { before: { manifest: applier.before, path: ['metadata', 'name'] } },
        why: `it is in no manifest any more: ${goes}, and takes along what it has applied: the balancer is deleted with its address`,
        remedy: `write ${applier.leaves} into it and apply that first, or keep it until no client uses the address`,
      });
    }
    if (applier) {
      return unknown(change, {
        field: applier.title,
        places: {
          ...(applier.before && { before: { manifest: applier.before, path: ['spec'] } }),
          ...(applier.after && { after: { manifest: applier.after, path: ['spec'] } }),
        },
        why: 'what it applies of the file changes, and is not what is compared',
      });
    }
    if (file === undefined) {
      return change;
    }
    const [old, now] = [this.before, this.after].map((side) => side.placeOf(file));
    return unknown(change, {
      field: 'kustomization',
      places: { ...(old && { before: old }), ...(now && { after: now }) },
      why: 'what it renders of the file changes, and is not what is compared',
    });
  }

  /** Whether nothing of a kustomization changes but which files it lists: the objects of the others stay as they are. */
  private listsAlone(file: string): boolean {
    const [old, now] = [this.before, this.after].map((side) => side.transformsOf(file));
    return old !== undefined || now !== undefined ? sameValue(old ?? {}, now ?? {}) : false;
  }
}

/** A folder as the sides call it, which may begin somewhere below the top of the repository; nothing where none has it. */
function shownAs(folder: string, files: readonly string[]): string | undefined {
  const steps = folder.split('/');
  const ends = steps.map((_, i) => steps.slice(i).join('/'));
  return folder === '' ? '.' : ends.find((end) => files.some((file) => file.startsWith(`${end}/`)));
}

/** What is around one of some manifests, by its file or by a folder around that. */
function around<T>(changed: ReadonlyMap<string, T>, ...manifests: readonly Manifest[]): T | undefined {
  for (const { file } of changed.size === 0 ? [] : manifests) {
    for (let path: string | undefined = file; path !== undefined; path = above(path)) {
      const found = changed.get(path);
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}

/** The folder that a file or folder is in; nothing at the top. */
function above(path: string): string | undefined {
  const folder = dirname(path);
  return folder === path ? undefined : folder;
}

/** A change of which the files alone say that nothing happens. */
function unknown(
  change: BalancerChange,
  { field, places, why }: Pick<Cause, 'field' | 'places' | 'why'>,
): BalancerChange {
  return withCause(change, {
    ...{ outcome: 'unknown', field: printable(field), path: [], places, why },
    needs: [RENDERED],
  });
}

function withCause(change: BalancerChange, cause: Cause): BalancerChange {
  return { ...change, outcome: cause.outcome, causes: [cause, ...change.causes] };
}

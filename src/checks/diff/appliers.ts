import { normalize } from 'node:path';
import { mapIn, textsAt } from '../../contract/json';
import { sameValue } from '../../contract/same-value';
import { titleOf } from '../../later/later';
import type { Manifest } from '../../rules/manifest-objects';
import { APPLIERS } from './appliers.facts';

/** What has a tool apply a folder, and how it does so. */
interface Applier {
  readonly manifest: Manifest;
  /** The folders, as the repository calls them. */
  readonly folders: readonly string[];
  /** What decides of what is applied. */
  readonly decides: unknown;
}

/** What applies other files than before, or applies them otherwise, on the sides that have it. */
export interface ChangedApplier {
  readonly title: string;
  readonly before?: Manifest;
  readonly after?: Manifest;
  readonly folders: readonly string[];
}

/** What applies folders otherwise than before. */
export function changedAppliers(before: readonly Manifest[], after: readonly Manifest[]): ChangedApplier[] {
  const [old, now] = [before, after].map(appliersIn);
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((title) => {
    const [one, other] = [old.get(title), now.get(title)];
    return sameValue(one?.decides, other?.decides)
      ? []
      : [
          {
            title,
            before: one?.manifest,
            after: other?.manifest,
            folders: [...(one?.folders ?? []), ...(other?.folders ?? [])],
          },
        ];
  });
}

function appliersIn(manifests: readonly Manifest[]): ReadonlyMap<string, Applier> {
  return new Map(
    manifests.flatMap((manifest): [string, Applier][] => {
      const { object } = manifest;
      const fact = APPLIERS.find(
        ({ group, kind }) => object.kind === kind && String(object.apiVersion).startsWith(`${group}/`),
      );
      const folders = (fact?.paths ?? []).flatMap((path) => textsAt(object, path)).map(asFolder);
      const fields = Object.entries(mapIn(object, 'spec')).filter(([key]) => !fact?.harmless.includes(key));
      return folders.length === 0
        ? []
        : [[`${object.kind} ${titleOf(object)}`, { manifest, folders, decides: Object.fromEntries(fields) }]];
    }),
  );
}

/** `./apps/prod/` is `apps/prod`; the whole repository is nothing. */
function asFolder(path: string): string {
  return normalize(path)
    .replace(/^\/|\/$/g, '')
    .replace(/^\.$/, '');
}

import { normalize } from 'node:path';
import { grouped } from '../../contract/grouped';
import { isMap, isSet, type Json, mapIn, textsAt } from '../../contract/json';
import { sameValue } from '../../contract/same-value';
import { nearestTo } from '../../diff/objects-on-side';
import { type PairOf, paired } from '../../diff/paired';
import type { Side } from '../../diff/side';
import { titleOf } from '../../later/later';
import type { Manifest } from '../../rules/manifest-objects';
import { APPLIERS, type ApplierFact, HARMLESS_OF_REPOSITORIES } from './appliers.facts';

/** What has a tool apply a folder, and how it does so. */
interface Applier {
  /** Its kind, namespace and name. */
  readonly title: string;
  readonly manifest: Manifest;
  /** The folders, as the repository calls them. */
  readonly folders: readonly string[];
  /** What decides of what is applied. */
  readonly decides: unknown;
  /** What names the repository, where that is among the objects. */
  readonly repository?: unknown;
  /** Whether nothing is applied for a while. */
  readonly isHeld: boolean;
}

/** What applies other files than before, or applies them otherwise, on the sides that have it. */
export interface ChangedApplier {
  readonly title: string;
  readonly before?: Manifest;
  readonly after?: Manifest;
  readonly folders: readonly string[];
  /** Where it goes and takes along what it has applied: how it would leave that alone. */
  readonly leaves?: string;
}

/** What applies folders otherwise than before. */
export function changedAppliers(before: Side, after: Side): ChangedApplier[] {
  const [old, now] = [before, after].map(({ manifests }) => grouped(appliersIn(manifests), ({ title }) => title));
  const added = [...now].flatMap(([title, all]) => (old.has(title) ? [] : all)).flatMap(({ folders }) => folders);
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((title) => {
    const pairs = paired(
      old.get(title) ?? [],
      now.get(title) ?? [],
      ({ manifest }) => manifest.file,
      (one, other) => sameValue(one.decides, other.decides),
    );
    const changed = pairs.filter((pair) => !isSame(pair, before));
    return isCompared(pairs, changed, before)
      ? changed.map(
          ([one, other]): ChangedApplier => ({
            title,
            before: one?.manifest,
            after: other?.manifest,
            folders: [...(one?.folders ?? []), ...(other?.folders ?? [])],
            ...(one && !other && takesAlong(one, added) && { leaves: factOf(one.manifest.object)?.leaves }),
          }),
        )
      : [];
  });
}

type Pair = PairOf<Applier>;

function isSame([one, other]: Pair, before: Side): boolean {
  const isWoken = one?.isHeld === true && other?.isHeld === false;
  const isInDump = !before.isLive || one?.repository !== undefined;
  return (
    sameValue(one?.decides, other?.decides) && (!isInDump || sameValue(one?.repository, other?.repository)) && !isWoken
  );
}

/** A cluster has more than the files say, a dump need not have all of it, and files can be of several clusters. */
function isCompared(pairs: readonly Pair[], changed: readonly Pair[], before: Side): boolean {
  if (!before.isLive) {
    return true;
  }
  const [other] = pairs.flatMap(([, after]) => after ?? []);
  return (
    changed.length === pairs.length &&
    other !== undefined &&
    before.manifests.some(({ object }) => isOfKind(object, other))
  );
}

/** Whether what an applier has applied goes with it: no other one takes its folder over. */
function takesAlong({ manifest, folders }: Applier, added: readonly string[]): boolean {
  return factOf(manifest.object)?.takesAlong(manifest.object) === true && !folders.some((one) => added.includes(one));
}

/** What applies folders and is not compared, since a dump of a cluster has none of its kind. */
export function appliersNotIn(dump: Side, after: Side): string[] {
  return appliersIn(after.manifests)
    .filter((applier) => !dump.manifests.some(({ object }) => isOfKind(object, applier)))
    .map(({ title, manifest }) => {
      const { kind } = manifest.object;
      const resource = factOf(manifest.object)?.resource;
      return `${title} is not compared: no ${kind} is in ${dump.name}; add ${resource} to the dump`;
    });
}

/** The folders that some tool applies. */
export function appliedFolders(manifests: readonly Manifest[]): readonly string[] {
  return appliersIn(manifests).flatMap(({ folders }) => folders);
}

function isOfKind(object: Json, applier: Applier | undefined): boolean {
  const fact = factOf(object);
  return fact !== undefined && applier !== undefined && fact === factOf(applier.manifest.object);
}

function factOf(object: Json): ApplierFact | undefined {
  return APPLIERS.find(({ group, kind }) => object.kind === kind && String(object.apiVersion).startsWith(`${group}/`));
}

function appliersIn(manifests: readonly Manifest[]): Applier[] {
  return manifests.flatMap((manifest) => {
    const fact = factOf(manifest.object);
    const folders = fact ? foldersOf(manifest.object, fact) : [];
    return fact && folders.length > 0 ? [applierOf(fact, manifest, { folders, manifests })] : [];
  });
}

function applierOf(
  { harmless, held = '', repository = [] }: ApplierFact,
  manifest: Manifest,
  { folders, manifests }: { readonly folders: readonly string[]; readonly manifests: readonly Manifest[] },
): Applier {
  const { object } = manifest;
  const spec = mapIn(object, 'spec');
  return {
    title: `${object.kind} ${titleOf(object)}`,
    manifest,
    folders,
    decides: withoutDefaults(spec, new Set([...harmless, held])),
    ...(repository.length > 0 && { repository: repositoryOf(manifest, repository, manifests) }),
    isHeld: spec[held] === true,
  };
}

/** What of the object that names the repository decides of the files; of several clusters, that of its own. */
function repositoryOf({ object, file }: Manifest, path: readonly string[], manifests: readonly Manifest[]): unknown {
  const reference = path.reduce<Json>((inner, step) => mapIn(inner, step), object);
  const { kind, name, namespace = mapIn(object, 'metadata').namespace } = reference;
  const found = manifests.filter(({ object: one }) => {
    const metadata = mapIn(one, 'metadata');
    return kind !== undefined && one.kind === kind && metadata.name === name && metadata.namespace === namespace;
  });
  const [own] = nearestTo(file, found, (one) => one.file);
  return own && withoutDefaults(mapIn(own.object, 'spec'), HARMLESS_OF_REPOSITORIES);
}

/** What of a value is more than its fields are where they are not written; fields by their names, those in others by their steps. */
function withoutDefaults(value: unknown, without: ReadonlySet<string>, at = ''): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => withoutDefaults(one, without, at));
  }
  if (!isMap(value)) {
    return value;
  }
  const fields = Object.entries(value)
    .filter(([key]) => !without.has(`${at}${key}`))
    .map(([key, one]) => [key, withoutDefaults(one, without, `${at}${key}.`)] as const);
  return Object.fromEntries(fields.filter(([, one]) => isSet(one) && one !== false && !isEmpty(one)));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The folders of an object, without what a pattern or a template makes of them. */
function foldersOf(object: Json, { paths, isWholeWithout }: ApplierFact): string[] {
  const written = paths.flatMap((path) => textsAt(object, path));
  const all = written.length === 0 && isWholeWithout ? ['.'] : written;
  const folders = all.map((path) => asFolder(beforePattern(path)));
  const isNamed = (folder: string, i: number) => folder !== '' || asFolder(all[i]) === '';
  const named = folders.filter(isNamed);
  return named.length > 0 ? named : folders.slice(0, 1);
}

function beforePattern(path: string): string {
  const steps = path.split('/');
  const first = steps.findIndex((step) => /[*?{[]/.test(step));
  return first < 0 ? path : steps.slice(0, first).join('/');
}

/** `./apps/prod/` is `apps/prod`; the whole repository is nothing. */
function asFolder(path: string): string {
  return normalize(path)
    .replace(/^\/|\/$/g, '')
    .replace(/^\.$/, '');
}

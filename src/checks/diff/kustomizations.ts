import { dirname } from 'node:path';
import type { Json } from '../../contract/json';
import type { Place } from '../../diff/balancer-change';
import type { Manifest } from '../../rules/manifest-objects';
import { patchFilesIn } from '../patches';
import { areCopying, filesListedIn, filesNamedIn, LISTS, renderingFieldsOf } from './kustomization-fields';
import type { DiffedSide } from './sides';

/** A kustomization of one side. */
export interface Kustomization {
  readonly manifest: Manifest;
  /** Files and folders that it renders, and other kustomizations whose changes it takes over. */
  readonly lists: readonly string[];
  readonly components: readonly string[];
  readonly patches: readonly string[];
  /** What of it decides what becomes of Services. */
  readonly fields: Json;
  /** Whether it is a part of others, and renders nothing by itself. */
  readonly isComponent: boolean;
}

/** The kustomizations of one side, and what they render. */
export class KustomizationsOfSide {
  private readonly all: ReadonlyMap<string, Kustomization>;
  private readonly byFolder: ReadonlyMap<string, string>;
  private readonly listed: ReadonlySet<string>;
  private readonly reaches = new Map<string, ReadonlySet<string>>();

  public constructor({ read }: DiffedSide) {
    const written = read.read.kustomizations ?? [];
    const isCopied = areCopying(written.map(({ object }) => object));
    const found = written.map((manifest) => kustomizationOf(manifest, read.common(manifest.file), isCopied));
    this.all = new Map(found.map((one) => [one.manifest.file, one]));
    this.byFolder = new Map(found.map(({ manifest: { file } }) => [dirname(file), file]));
    this.listed = new Set(found.flatMap(({ lists }) => lists));
  }

  public get files(): readonly string[] {
    return [...this.all.keys()];
  }

  public has(file: string): boolean {
    return this.all.has(file);
  }

  public placeOf(file: string): Place | undefined {
    const one = this.all.get(file);
    return one && { manifest: one.manifest, path: [] };
  }

  /** What a kustomization does to the objects that it lists; nothing where there is none. */
  public transformsOf(file: string): Readonly<Record<string, unknown>> | undefined {
    const one = this.all.get(file);
    return one && Object.fromEntries(Object.entries(one.fields).filter(([key]) => !LISTS.includes(key)));
  }

  /** A kustomization with its patches and components: what changes one of them changes what it renders. */
  public partsOf(file: string, known = new Set<string>()): readonly string[] {
    const one = this.all.get(file);
    if (!one || known.has(file)) {
      return [];
    }
    known.add(file);
    const components = one.components.flatMap((folder) => this.byFolder.get(folder) ?? []);
    const named = one.patches.flatMap((path) => [path, ...this.reachOfFolder(path)]);
    return [file, ...named, ...components.flatMap((component) => this.partsOf(component, known))];
  }

  /** The kustomizations that render a file and that no other one lists, each with those on the way to the file, and their components. */
  public waysTo(file: string): readonly (readonly Kustomization[])[] {
    return [...this.all.values()]
      .filter((one) => !this.isListed(one) && this.reach(one).has(file))
      .map((top) => [...this.wayTo(file, top, new Set())]);
  }

  private wayTo(file: string, one: Kustomization, known: Set<Kustomization>): ReadonlySet<Kustomization> {
    if (!known.has(one) && this.reach(one).has(file)) {
      this.addWithComponents(one, known);
      for (const inner of this.innerOf(one.lists)) {
        this.wayTo(file, inner, known);
      }
    }
    return known;
  }

  private addWithComponents(one: Kustomization, known: Set<Kustomization>): void {
    if (!known.has(one)) {
      known.add(one);
      for (const component of this.innerOf(one.components)) {
        this.addWithComponents(component, known);
      }
    }
  }

  private innerOf(folders: readonly string[]): readonly Kustomization[] {
    return folders.flatMap((folder) => this.all.get(this.byFolder.get(folder) ?? '') ?? []);
  }

  private isListed(one: Kustomization): boolean {
    return this.listed.has(dirname(one.manifest.file));
  }

  private reach(one: Kustomization): ReadonlySet<string> {
    const { file } = one.manifest;
    const known = this.reaches.get(file) ?? this.reachOf(file);
    this.reaches.set(file, known);
    return known;
  }

  /** The files that the kustomization of a folder renders. */
  public reachOfFolder(folder: string): ReadonlySet<string> {
    const file = this.byFolder.get(folder);
    return file === undefined ? new Set() : this.reachOf(file);
  }

  /** The files that a kustomization renders, by itself and by those that it lists; a folder without one counts whole. */
  public reachOf(file: string, known = new Set<string>()): ReadonlySet<string> {
    const one = this.all.get(file);
    if (!one || known.has(file)) {
      return new Set();
    }
    known.add(file);
    return new Set(
      one.lists.flatMap((path) => {
        const inner = this.byFolder.get(path);
        return inner === undefined ? [path] : [...this.reachOf(inner, known)];
      }),
    );
  }
}

function kustomizationOf(manifest: Manifest, file: string, isCopied: boolean): Kustomization {
  const { object } = manifest;
  const fields = renderingFieldsOf(object, isCopied);
  return {
    manifest: { ...manifest, file },
    lists: filesListedIn({ object, file }),
    components: filesListedIn({ object, file }, ['components']),
    patches: [...patchFilesIn(file, object), ...filesNamedIn(file, fields)],
    fields,
    isComponent: object.kind === 'Component',
  };
}

import type { Edit } from '../contract/edit';
import { isMap, type Json } from '../contract/json';
import type { YamlPath } from '../contract/yaml-source';
import type { ObjectEdit } from '../rules/edits-of-values';
import type { Manifest } from '../rules/manifest-objects';

/** Where a field of a maker is. */
export interface MakerPlace {
  readonly manifest: Manifest;
  readonly path: YamlPath;
}

/** What the edit of a field of an object does to the balancer of one Service that is made of it. */
export interface MakerEdit {
  readonly edit: Edit;
  /** The object, where it is not the one that the Service is made of: `KafkaNodePool brokers`. */
  readonly title?: string;
  readonly path: YamlPath;
  /** The field of the Service that it becomes, `metadata.annotations` for any annotation; nothing where it becomes none. */
  readonly becomes?: string;
  /** Whether the Services that are made on both sides show what it does: that both have one says that it stays. */
  readonly isShown?: boolean;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly before?: MakerPlace;
  readonly after?: MakerPlace;
}

/** A side of a difference: all its objects, in which makers are looked for once. */
export interface MakerSide {
  readonly manifests: readonly Manifest[];
}

/** An object on two sides. */
export interface MakerObject {
  readonly title?: string;
  readonly before?: Manifest;
  readonly after?: Manifest;
}

/** Edits that end a balancer, or give it another address. */
export const ENDS: ReadonlySet<string> = new Set(['deleted', 'replaced']);

/** An edit with where it is on both sides. */
export function makerEdit({ edit, field, becomes }: ObjectEdit, object: MakerObject): MakerEdit {
  const { path, objects, entries } = field;
  const steps = (side: 'before' | 'after') => stepsIn(objects[side], path, (list) => entries?.[list]?.[side]);
  return {
    edit,
    ...(object.title !== undefined && { title: object.title }),
    path,
    from: field.before,
    to: field.after,
    ...(becomes !== undefined && { becomes }),
    ...(object.before && { before: { manifest: object.before, path: steps('before') } }),
    ...(object.after && { after: { manifest: object.after, path: steps('after') } }),
  };
}

/** The steps to a field in one of two objects, in which entries of lists can have other places. */
function stepsIn(object: Json, path: YamlPath, entryOf: (list: string) => Json | undefined): YamlPath {
  let at: unknown = object;
  return path.map((step, i) => {
    const name = String(path[i - 1]);
    const index = typeof step === 'number' && Array.isArray(at) ? at.indexOf(entryOf(name)) : -1;
    const taken = index >= 0 ? index : step;
    at = Array.isArray(at) ? at[Number(taken)] : isMap(at) ? at[taken] : undefined;
    return taken;
  });
}

/** What distinguishes objects of one kind. */
export function keyOf({ metadata }: Json): string {
  return JSON.stringify([metadata?.namespace ?? '', metadata?.name]);
}

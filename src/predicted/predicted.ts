import type { Edit } from '../contract/edit';
import { isMap, type Json } from '../contract/json';
import type { YamlPath } from '../contract/kubernetes-yaml';
import { EDITED_GATEWAY_KINDS } from '../gateway/edits/gateway-edits';
import { EDITED_KAFKA, EDITED_NODE_POOL } from '../kafka/edits/kafka-edits';
import type { ControllerDefinition, EditedKind } from '../rules/controller-definition';
import type { ObjectEdit } from '../rules/edits-of-values';
import type { Manifest } from '../rules/manifest-objects';
import { EDITED_HAPROXY_TCP } from '../tenancy/engines/haproxy/edits.facts';

export interface ReportedService extends Manifest {
  readonly madeBy?: string;
  readonly alike?: string[];
  /** The Services that clients reach by it, where it is made for those: `namespace/name` each. */
  readonly publishes?: readonly string[];
  readonly madeOf?: MadeOf;
  readonly template?: Template;
}

export interface Template {
  readonly manifest: Manifest;
  readonly path: YamlPath;
}

export interface MadeOf {
  readonly object: Json;
  readonly path: YamlPath;
}

export interface LaterNlb {
  readonly gateway: Manifest;
  readonly scheme: unknown;
  readonly subnets?: number;
  readonly ports: readonly Json[];
  readonly madeBy: string;
  readonly missing?: string;
  readonly note: string;
}

export interface Later {
  readonly services: ReportedService[];
  /** Services that would be made of templates for objects that are not here: some of what is in them is not known. */
  readonly possible?: ReportedService[];
  readonly nlbs?: LaterNlb[];
  readonly notes: string[];
  /** The objects that the notes are about: what is made of them is not among the Services. */
  readonly unlisted?: Manifest[];
  others: number;
}

export function titleOf({ metadata }: Json): string {
  const { namespace, name } = isMap(metadata) ? metadata : {};
  return [namespace, name].filter((part) => typeof part === 'string' && part !== '').join('/') || 'without a name';
}

export interface MakerPlace {
  readonly manifest: Manifest;
  readonly path: YamlPath;
}

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

export interface MakerObject {
  readonly title?: string;
  readonly before?: Manifest;
  readonly after?: Manifest;
}

export const ENDS: ReadonlySet<string> = new Set(['deleted', 'replaced']);

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

export function keyOf({ metadata }: Json): string {
  return JSON.stringify([metadata?.namespace ?? '', metadata?.name]);
}

/**
 * All kinds of objects that balancers are made of or hang on, with what edits of their fields do; a kind that several controllers
 * serve in ways of their own is in it once for each of them.
 *
 * @param kinds the controllers, for objects of their own kinds
 */
export function editedKinds(kinds: readonly ControllerDefinition[]): EditedKind[] {
  return [
    EDITED_KAFKA,
    EDITED_NODE_POOL,
    ...EDITED_GATEWAY_KINDS,
    EDITED_HAPROXY_TCP,
    ...kinds.flatMap(({ editedKinds: own = [] }) => own),
  ];
}

/** The kinds of an object: none where nothing is known of it, several where it depends on who serves it. */
export function editedKindsOf(
  object: { apiVersion?: unknown; kind?: unknown },
  all: readonly EditedKind[],
): EditedKind[] {
  return all.filter(({ kind, group }) => kind === object.kind && String(object.apiVersion).startsWith(`${group}/`));
}

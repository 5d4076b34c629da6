import type { Edit } from '../contract/edit';
import { grouped, groupedByAll, isMap, type Json, mapIn, mapOf } from '../contract/json';
import type { YamlPath } from '../contract/kubernetes-yaml';
import { EDITED_ENVOY_POLICIES, EDITED_GATEWAYS } from '../gateway/edits/gateway-edits.facts';
import { EDITED_KAFKA, EDITED_NODE_POOL } from '../kafka/edits/kafka-edits.facts';
import type { ControllerDefinition, EditedKind } from '../rules/controller-definition';
import type { ObjectEdit } from '../rules/edits-of-values';
import { type Manifest, placeOfManifest } from '../rules/manifest-objects';
import { isService } from '../rules/service-json';
import { OWNING_GATEWAY_CLASS_LABEL, OWNING_GATEWAY_LABELS } from '../tenancy/engines/envoy-gateway/facts';
import { EDITED_HAPROXY_TCP } from '../tenancy/engines/haproxy/edits.facts';

export interface ReportedService extends Manifest {
  readonly madeBy?: string;
  readonly listener?: string;
  readonly alike?: string[];
  /** The Services that clients reach by it, where it is made for those: `namespace/name` each. */
  readonly publishes?: readonly string[];
  readonly madeOf?: ObjectOrigin;
  readonly template?: MakerPlace;
}

export interface ObjectOrigin {
  readonly object: Json;
  readonly path: YamlPath;
  /** The id of its operator, where the object does not show it. */
  readonly operator?: string;
}

export interface PredictedNlb {
  readonly gateway: Manifest;
  readonly scheme: unknown;
  readonly subnets?: number;
  readonly ports: readonly Json[];
  readonly madeBy: string;
  readonly missing?: string;
  readonly note: string;
}

export interface PredictedObjects {
  readonly services: ReportedService[];
  /** Services that would be made of templates for objects that are not here: some of what is in them is not known. */
  readonly possible?: ReportedService[];
  readonly nlbs?: PredictedNlb[];
  readonly notes: string[];
  /** The objects that the notes are about: what is made of them is not among the Services. */
  readonly unlisted?: Manifest[];
  others: number;
}

/** Object of a file as a note begins with it: `k8s/kafka.yaml:3: Kafka kafka/events`. */
export function titleWithPlace(manifest: Manifest): string {
  return `${placeOfManifest(manifest)}: ${makerTitle(manifest.object)}`;
}

export function titleOf({ metadata }: Json): string {
  const { namespace, name } = mapOf(metadata);
  const [space, own] = [namespace, name].map((part) => (typeof part === 'string' ? part : ''));
  return own === '' ? `without a name${space && ` in ${space}`}` : `${space && `${space}/`}${own}`;
}

export function makerTitle(object: Json): string {
  return `${object.kind} ${titleOf(object)}`;
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
  /** True if the Services that are made on both sides show what it does: that both have one says that it stays. */
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

export const EDITED_GATEWAY_KINDS: readonly EditedKind[] = [...EDITED_GATEWAYS, ...EDITED_ENVOY_POLICIES];

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

export class LiveServices {
  private readonly byName: ReadonlyMap<string, readonly Manifest[]>;
  /** By the Gateway whose labels they have, and by its class. */
  private readonly byOwner: ReadonlyMap<string, readonly Manifest[]>;

  public constructor(manifests: readonly Manifest[]) {
    const services = manifests.filter(({ object }) => isService(object));
    this.byName = grouped(services, ({ object }) => {
      const { namespace, name } = mapIn(object, 'metadata');
      return placeKey(namespace, name);
    });
    this.byOwner = groupedByAll(services, ({ object }) => {
      const labels = mapIn(mapIn(object, 'metadata'), 'labels');
      const { name, namespace } = OWNING_GATEWAY_LABELS;
      const ofClass = labels[OWNING_GATEWAY_CLASS_LABEL];
      return [
        ...(labels[name] === undefined ? [] : [placeKey(labels[namespace], labels[name])]),
        ...(ofClass === undefined ? [] : [placeKey(ofClass)]),
      ];
    });
  }

  /** Those that are what is made: by name, and by the labels of its Gateway where the name is generated. */
  public of(made: ReportedService): readonly Manifest[] {
    const names = namesOf(made);
    const { namespace } = mapIn(made.object, 'metadata');
    if (names.length > 0) {
      return names.flatMap((name) => this.byName.get(placeKey(namespace, name)) ?? []);
    }
    const gateway = made.madeOf?.object;
    const own = mapIn(gateway, 'metadata');
    const ofGateway = this.byOwner.get(placeKey(own.namespace ?? 'default', own.name)) ?? [];
    return ofGateway.length > 0
      ? ofGateway
      : (this.byOwner.get(placeKey(mapIn(gateway, 'spec').gatewayClassName)) ?? []);
  }

  /** Predicted Services that are in no file: of several that differ by name only, those that are not. */
  public missing(services: readonly ReportedService[]): ReportedService[] {
    return services.flatMap((made) => {
      const names = namesOf(made);
      if (names.length === 0) {
        return this.of(made).length === 0 ? [made] : [];
      }
      const { namespace } = mapIn(made.object, 'metadata');
      const open = names.filter((name) => !this.byName.has(placeKey(namespace, name)));
      if (open.length === names.length) {
        return [made];
      }
      const [first, ...others] = open;
      return first === undefined ? [] : [{ ...renamed(made, first), ...(others.length > 0 && { alike: others }) }];
    });
  }
}

/** The names of a Service and of those that differ from it by their names alone; none where its name is generated. */
export function namesOf({ object, alike = [] }: ReportedService): string[] {
  const { name } = mapIn(object, 'metadata');
  return [...(typeof name === 'string' ? [name] : []), ...alike];
}

/** One of the Services that differ by their names alone. */
export function renamed({ alike: _, ...service }: ReportedService, name: string): ReportedService {
  const { object } = service;
  return { ...service, object: { ...object, metadata: { ...object.metadata, name } } };
}

function placeKey(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

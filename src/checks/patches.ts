import { dirname, join, normalize } from 'node:path';
import { grouped } from '../contract/grouped';
import { isMap, type Json, list, mapIn, mapsIn } from '../contract/json';
import type { YamlPath } from '../contract/yaml-source';
import { titleOf } from '../later/later';
import type { Manifest } from '../rules/manifest-objects';

// A patch of kustomize looks like an object and has only what it changes. What it lacks is in the object that it is for.

/** How the file is named that lists patches; it may leave out apiVersion and kind. */
const KUSTOMIZATION = /(^|\/)(kustomization\.ya?ml|Kustomization)$/;

/** The files with patches that a file lists, if it is a kustomization. */
export function patchFilesIn(file: string, value: unknown): string[] {
  if (!KUSTOMIZATION.test(file) || !isMap(value)) {
    return [];
  }
  const listed = [
    ...list<unknown>(value.patchesStrategicMerge),
    ...[...list<Json>(value.patches), ...list<Json>(value.patchesJson6902)].filter(isMap).map(({ path }) => path),
  ];
  return listed.filter((path) => typeof path === 'string').map((path) => join(dirname(file), path as string));
}

/** Whether a file is a kustomization. */
export function isKustomization(file: string): boolean {
  return KUSTOMIZATION.test(file);
}

/** A patch that was completed, or an object to which a kustomization adds something. */
export interface Completed {
  /** The patch as it is written. */
  readonly patch?: Json;
  /** True if a kustomization adds labels to it. */
  readonly isLabelledLater?: boolean;
}

/** The objects of files; patches among them have what their objects surely have, and others what a kustomization gives them. */
export function withPatches({
  manifests,
  patchFiles,
  kustomizations = [],
}: PatchedManifests): readonly (Manifest & Completed)[] {
  const rendering = grouped(
    kustomizations.flatMap(({ file, object }) =>
      list<unknown>(object.resources)
        .filter((path) => typeof path === 'string')
        .map((path) => ({ path: normalize(join(dirname(file), path as string)), object })),
    ),
    ({ path }) => path,
  );
  return manifests.map((manifest) => {
    if (patchFiles?.has(normalize(manifest.file)) || isPartOfService(manifest.object) || isPart(manifest.object)) {
      return completed(manifest);
    }
    const around = rendering.size === 0 ? [] : foldersAround(normalize(manifest.file));
    const found = around.flatMap((path) => rendering.get(path) ?? []).map(({ object }) => object);
    const namespaces = new Set(found.map(({ namespace }) => namespace).filter((name) => typeof name === 'string'));
    return {
      ...manifest,
      ...(namespaces.size === 1 && { rendersInto: [...namespaces][0] }),
      ...(found.some(({ labels, commonLabels }) => isFilled(labels) || isFilled(commonLabels)) && {
        isLabelledLater: true,
      }),
    };
  });
}

/** A file and the folders around it. */
function foldersAround(file: string): readonly string[] {
  return file.split('/').map((_, depth, names) => names.slice(0, depth + 1).join('/'));
}

/** True for a finding about labels that a kustomization adds. */
export function isAboutLaterLabels({ isLabelledLater }: Completed, { ruleId }: { readonly ruleId: string }): boolean {
  return isLabelledLater === true && ruleId === 'workload-selector';
}

interface PatchedManifests {
  readonly manifests: readonly Manifest[];
  /** The files with patches, of kustomizations. */
  readonly patchFiles?: ReadonlySet<string>;
  readonly kustomizations?: readonly Manifest[];
}

/** That only what a patch changes is checked. */
export function noteOfPatch({ file, line, object }: Manifest): string {
  return `${file}:${line}: ${object.kind} ${titleOf(object)} is a patch, so only what it changes is checked; check what kustomize build prints as well`;
}

function isPartOfService(object: Json): boolean {
  const { apiVersion, kind } = object;
  const spec = mapIn(object, 'spec');
  const isWhole = ['ports', 'selector', 'clusterIP', 'externalName'].some((field) => field in spec);
  const hasSpec = (object.spec ?? undefined) === undefined || isMap(object.spec);
  // kubectl delete takes names alone
  const isName = !('spec' in object) && isMap(object.metadata) && 'name' in object.metadata;
  return apiVersion === 'v1' && kind === 'Service' && !isWhole && hasSpec && (isName || isMore(object));
}

/** Metadata without a name, as a server-side apply by a controller has them. */
function isPart({ apiVersion, kind, metadata, ...fields }: Json): boolean {
  const { name, generateName } = isMap(metadata) ? metadata : ({} as Json);
  return (name ?? generateName) === undefined && Object.keys(fields).length === 0 && isMore({ metadata });
}

/** True if more than a name and an empty `spec` is written. */
function isMore(object: Json): boolean {
  const { annotations, labels, finalizers } = mapIn(object, 'metadata');
  return [annotations, labels, finalizers].some(isFilled) || isFilled(object.spec);
}

/** True for maps and lists with content. */
export function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** A patch with what its object surely has: of a Service that is patched for its balancer, the type. */
function completed(manifest: Manifest): Manifest & Completed {
  const { object } = manifest;
  const spec = mapIn(object, 'spec');
  const isTyped = object.kind !== 'Service' || object.apiVersion !== 'v1' || 'type' in spec;
  return {
    ...manifest,
    patch: object,
    ...(!isTyped && isForBalancer(object) && { object: { ...object, spec: { ...spec, type: 'LoadBalancer' } } }),
  };
}

/** True for a patch of what Services with a balancer have: annotations, finalizers, and fields of that type. */
function isForBalancer({ metadata, spec }: Json): boolean {
  const { annotations, finalizers } = mapIn({ metadata }, 'metadata');
  const fields = Object.keys(isMap(spec) ? spec : {});
  return (
    [annotations, finalizers].some(isFilled) ||
    fields.some((field) => /loadBalancer|externalTraffic|NodePort/i.test(field)) ||
    mapsIn(spec, 'ports').some(({ nodePort }) => nodePort !== undefined)
  );
}

/** Whether a patch has a field: what is found elsewhere is about what it lacks. */
export function hasField(object: Json, path: YamlPath): boolean {
  let value: unknown = object;
  for (const step of path) {
    const inner = Array.isArray(value) ? value[Number(step)] : isMap(value) ? value[step] : undefined;
    if (inner === undefined) {
      return false;
    }
    value = inner;
  }
  return path.length > 0;
}

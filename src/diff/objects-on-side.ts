import { grouped } from '../contract/grouped';
import { isMap, type Json, mapIn } from '../contract/json';
import { objectIdOf } from '../contract/object-title';
import type { Manifest } from '../rules/manifest-objects';
import { isService, wantsLoadBalancer } from '../rules/service-json';
import type { Side } from './side';

// Objects of a side that are no balancers, found by their names.

/** What is looked up on one side. */
interface Lookup {
  readonly services: ReadonlyMap<string, readonly Manifest[]>;
  readonly namespaces: ReadonlyMap<string, Manifest>;
  readonly identities: ReadonlySet<string>;
}

const LOOKUPS = new WeakMap<readonly Manifest[], Lookup>();

function lookupOf({ manifests }: Side): Lookup {
  let lookup = LOOKUPS.get(manifests);
  if (!lookup) {
    const services = manifests.filter(({ object }) => isService(object));
    const namespaces = manifests.filter(({ object }) => object.apiVersion === 'v1' && object.kind === 'Namespace');
    lookup = {
      services: grouped(services, ({ object }) => objectIdOf(object)),
      namespaces: new Map(namespaces.map((one) => [String(mapIn(one.object, 'metadata').name), one])),
      identities: new Set(manifests.map(({ object }) => identityOf(object))),
    };
    LOOKUPS.set(manifests, lookup);
  }
  return lookup;
}

/**
 * The Service with an id that asks for no balancer by its type: of several, the one in the folder of what is on the other side.
 */
export function serviceOn(side: Side, id: string, { file }: Manifest): Manifest | undefined {
  const found = (lookupOf(side).services.get(id) ?? []).filter(({ object }) => !wantsLoadBalancer(object));
  return found.find((one) => folderOf(one.file) === folderOf(file)) ?? (found.length === 1 ? found[0] : undefined);
}

/** The folder of a file: what is in one is applied together. */
export function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '';
}

/** Those of some things whose files are nearest to a file: those of other folders are of clusters of their own. */
export function nearestTo<T>(file: string, things: readonly T[], fileOf: (thing: T) => string): readonly T[] {
  const near = things.map((thing) => sharedSteps(fileOf(thing), file));
  const most = Math.max(...near);
  return things.filter((_, i) => near[i] === most);
}

/** How many folders from the top two files have in common. */
export function sharedSteps(one: string, other: string): number {
  const [left, right] = [one, other].map((file) => folderOf(file).split('/'));
  const end = left.findIndex((step, i) => step !== right[i]);
  return end < 0 ? left.length : end;
}

/** A Namespace. */
export function namespaceOn(side: Side, name: string): Manifest | undefined {
  return lookupOf(side).namespaces.get(name);
}

/** Whether an object is among the manifests, in whatever version of its API. */
export function isOn(side: Side, object: Json): boolean {
  return lookupOf(side).identities.has(identityOf(object));
}

function identityOf({ apiVersion, kind, metadata }: Json): string {
  const group = String(apiVersion).includes('/') ? String(apiVersion).split('/')[0] : '';
  const { namespace, name } = mapIn({ metadata }, 'metadata');
  return JSON.stringify([group, kind, namespace ?? 'default', name]);
}

/** The texts of a ConfigMap or a Secret, as programs read them. */
export function textsIn({ kind, data, stringData, binaryData }: Json): Json {
  const decoded = Object.entries(isMap(data) ? data : {}).map(([key, text]) => [
    key,
    typeof text === 'string' ? Buffer.from(text, 'base64').toString() : text,
  ]);
  return kind === 'Secret'
    ? { ...Object.fromEntries(decoded), ...(isMap(stringData) ? stringData : {}) }
    : { ...(isMap(data) ? data : {}), ...(isMap(binaryData) ? binaryData : {}) };
}

/** True for an object that can hold the configuration of a program. */
export function holdsTexts({ apiVersion, kind }: Json): boolean {
  return apiVersion === 'v1' && (kind === 'ConfigMap' || kind === 'Secret');
}

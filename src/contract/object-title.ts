import { isMap, type Json } from './json';
import { shown } from './printable';

/** Kind, namespace and name of an object, as messages have them. */
export function objectTitleOf(object: Json): string {
  const namespace = namespaceIn(object);
  return `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${objectNameOf(object)}`;
}

/** The name of an object, or how one begins that the API server makes up. */
export function objectNameOf({ metadata }: Json): string {
  const { name, generateName } = isMap(metadata) ? metadata : {};
  return !isWritten(name) && isWritten(generateName) ? `${nameIn(generateName)}*` : nameIn(name);
}

/** `namespace/name`; an object without a namespace is applied to `default`. */
export function objectIdOf(object: Json): string {
  return `${namespaceIn(object) ?? 'default'}/${objectNameOf(object)}`;
}

export function namespaceIn({ metadata }: Json): string | undefined {
  const { namespace } = isMap(metadata) ? metadata : {};
  return isWritten(namespace) ? nameIn(namespace) : undefined;
}

export function namespaceTitle(namespace: unknown): string {
  return isWritten(namespace) ? `namespace ${nameIn(namespace)}` : 'the same namespace';
}

/** A name as it is written, also where it is a map, a list or nothing. */
export function nameIn(name: unknown): string {
  if (!isWritten(name)) {
    return '(without a name)';
  }
  return typeof name === 'object' ? shown(name) : String(name);
}

const isWritten = (value: unknown) => value !== undefined && value !== null && value !== '';

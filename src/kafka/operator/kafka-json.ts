import { isMap, isSet, type Json, list, ownValue } from '../../contract/json';
import { shown } from '../../contract/printable';

// How the rules look at a finished Kafka document. Third-party manifests may hold anything anywhere: these never throw.
// The API server drops a null where a resource says one, so a null counts as nothing here.

/** Paths are few and recur: each is taken apart once. */
const takenApart = new Map<string, readonly string[]>();

/** What is at a path of maps, or nothing. Paths are those of the rules, never of a document. */
export function at(json: unknown, path: string): unknown {
  let keys = takenApart.get(path);
  if (!keys) {
    keys = path.split('.');
    takenApart.set(path, keys);
  }
  let found: unknown = json;
  for (let i = 0; i < keys.length; i++) {
    if (!isMap(found)) {
      return undefined;
    }
    found = found[keys[i]];
  }
  return found ?? undefined;
}

const NO_ENTRIES: Json = Object.freeze({});

export function mapAt(json: unknown, path: string): Json {
  const found = at(json, path);
  return isMap(found) ? found : NO_ENTRIES;
}

export function listAt<T = unknown>(json: unknown, path: string): T[] {
  return list<T>(at(json, path));
}

export function textAt(json: unknown, path: string): string | undefined {
  const found = at(json, path);
  return typeof found === 'string' ? found : undefined;
}

export function integerAt(json: unknown, path: string): number | undefined {
  const found = at(json, path);
  return Number.isInteger(found) ? (found as number) : undefined;
}

export function listenersOf(kafka: Json): Json[] {
  return listAt<Json>(kafka, 'spec.kafka.listeners').filter(isMap);
}

export function pointerTo(kafka: Json, listener: Json): string {
  return `/spec/kafka/listeners/${listAt(kafka, 'spec.kafka.listeners').indexOf(listener)}`;
}

export function listenerNamed(kafka: Json, name: string): Json | undefined {
  return listenersOf(kafka).find((listener) => listener.name === name);
}

export function configurationOf(listener: Json): Json {
  return mapAt(listener, 'configuration');
}

export function bootstrapOf(listener: Json): Json {
  return mapAt(listener, 'configuration.bootstrap');
}

export function brokersOf(listener: Json): Json[] {
  return listAt<Json>(listener, 'configuration.brokers').filter(isMap);
}

/**
 * What a listener says of one broker in a field: of several entries with that id, the operator takes the field from the
 * first one that has it.
 */
export function brokerField(listener: Json, id: number, field: string): unknown {
  return brokersOf(listener)
    .filter(({ broker }) => broker === id)
    .map((entry) => entry[field])
    .find(isSet);
}

/** A map of strings, as annotations and labels are; entries that are no text are left out. */
export function textsIn(map: unknown): Record<string, string> {
  const texts: Record<string, string> = {};
  if (isMap(map)) {
    for (const key of Object.keys(map)) {
      if (typeof map[key] === 'string') {
        texts[key] = map[key];
      }
    }
  }
  return texts;
}

export function listenerTitleOf(listener: Json): string {
  return typeof listener.name === 'string' ? `listener '${listener.name}'` : 'a listener without a name';
}

export function templateMetadataOf(kafka: Json, template: string): Json {
  return mapAt(kafka, `spec.kafka.template.${template}.metadata`);
}

export function namedIds(listener: Json): number[] {
  return [...new Set(brokersOf(listener).map(({ broker }) => broker))].filter((id) => Number.isInteger(id));
}

/**
 * A `spec` of what props decide and of plain data in Strimzi's own fields, merged deep.
 *
 * @param path the path of the construct
 * @param decided what props decide
 * @param plain the prop `spec`
 * @param props the props that decide fields, by the paths of the fields
 * @throws where the plain data contradicts the props, or has a number that no manifest can have
 */
export function mergedSpec(
  path: string,
  decided: Json,
  plain: Json,
  props: Readonly<Record<string, string>>,
  where = 'spec',
): Json {
  refuseNoNumbers(path, plain, where);
  const merged = { ...decided };
  for (const [key, value] of Object.entries(plain)) {
    const present: unknown = ownValue(decided, key);
    const place = `${where}.${key}`;
    if (isMap(present) && isMap(value)) {
      merged[key] = mergedSpec(path, present, value, props, place);
    } else if (present === undefined) {
      merged[key] = value;
    } else if (value !== undefined && shown(present) !== shown(value)) {
      const owner = Object.keys(props).find((field) => place === field || place.startsWith(`${field}.`));
      throw new Error(
        `${path}: ${place} is ${shown(value)}, and ${owner ? `the prop ${props[owner]}` : 'the construct'} makes it ${shown(present)}; ` +
          `leave it out of spec${owner ? `, and use ${props[owner]} alone` : ''}`,
      );
    }
  }
  return merged;
}

function refuseNoNumbers(path: string, value: unknown, where: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Error(`${path}: ${where} is ${value}, and no manifest can have it; write a finite number`);
  }
  if (Array.isArray(value) || (isMap(value) && Object.getPrototypeOf(value) === Object.prototype)) {
    for (const [key, inner] of Object.entries(value)) {
      refuseNoNumbers(path, inner, `${where}.${key}`);
    }
  }
}

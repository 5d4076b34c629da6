import { isMap, isSet, type Json, printable, shown } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import { type Finding, nearest } from '../contract/rule';
import { entryOf, fits, mapOf, type SchemaField, Shape } from '../contract/schema/walk';
import { SERVICE_METADATA, SERVICE_PORT, SERVICE_ROWS, SERVICE_SPEC } from './rules.facts';

const METADATA = mapOf(SERVICE_METADATA);
const SERVICE = mapOf({ metadata: METADATA, spec: mapOf(SERVICE_SPEC) });

/** Shape that the API server accepts, and the remedy for another value. */
const TAKES: Readonly<Partial<Record<Shape, readonly [takes: string, remedy: string]>>> = {
  [Shape.TEXT]: ['a string', 'write a string, in quotes if it looks like a number or like true or false'],
  [Shape.INTEGER]: ['a whole number', 'write a whole number, without quotes'],
  [Shape.INTEGER_OR_TEXT]: ['a number or a name', 'write the number of a port, or its name'],
  [Shape.BOOLEAN]: ['true or false', 'write true or false, without quotes'],
};
const LIST = ['a list', 'write a list, a line `- a` for each entry'] as const;
const MAP = ['a map', 'write a map, `key: value`'] as const;

export function withTypedMetadata(object: Json): Json {
  const metadata = typed(object.metadata, METADATA, () => 'metadata', []);
  return metadata === object.metadata ? object : { ...object, metadata };
}

/** The Service itself if all types are right; otherwise a copy without the wrong fields. Null is of every type, as for the API server. */
export function typedService(service: Json): { readonly service: Json; readonly wrong: readonly Finding[] } {
  const wrong: Finding[] = [];
  return { service: (typed(service, SERVICE, () => '', wrong) ?? {}) as Json, wrong };
}

export function wrongTypes(object: Json, field: SchemaField): Finding[] {
  const wrong: Finding[] = [];
  typed(object, field, () => '', wrong);
  return wrong;
}

/** A value without what is of another type than its field: the value itself where all is right. */
function typed(value: unknown, field: SchemaField, at: () => string, wrong: Finding[]): unknown {
  if (!isSet(value)) {
    return undefined;
  }
  const { shape, fields } = field;
  if (!fits(shape, value)) {
    return refused(value, at(), TAKES[shape] ?? (shape === Shape.TEXTS || shape === Shape.MAPS ? LIST : MAP), wrong);
  }
  if (fields && shape === Shape.MAP) {
    const readOf = (key: string, one: unknown) =>
      Object.hasOwn(fields, key) ? typed(one, fields[key], () => `${at()}.${key}`.replace(/^\./, ''), wrong) : one;
    const found = mapped(value as Json, readOf);
    // without its number the rest of a port means nothing
    return fields !== SERVICE_PORT || found.port !== undefined
      ? found
      : isSet((value as Json).port)
        ? undefined
        : refused(undefined, `${at()}.port`, ['a whole number', 'write it'], wrong);
  }
  const entry = entryOf(field);
  if (!entry) {
    return value;
  }
  const empty = entry.shape === Shape.TEXT ? '' : {};
  if (!Array.isArray(value)) {
    return mapped(value as Json, (key, one) => typed(one ?? empty, entry, () => `${at()}['${printable(key)}']`, wrong));
  }
  const entries = value.map((one, i) => typed(one ?? empty, entry, () => `${at()}[${i}]`, wrong));
  return entries.every((one, i) => one === value[i]) ? value : entries.filter((one) => one !== undefined);
}

function mapped(map: Json, readOf: (key: string, value: unknown) => unknown): Json {
  let copy: Json | undefined;
  for (const key of Object.keys(map)) {
    const value = readOf(key, map[key]);
    if (value !== map[key]) {
      copy ??= { ...map };
      copy[key] = value;
      if (value === undefined) {
        delete copy[key];
      }
    }
  }
  return copy ?? map;
}

function refused(
  value: unknown,
  path: string,
  [takes, remedy]: readonly [string, string],
  wrong: Finding[],
): undefined {
  wrong.push({
    what: `${path} is ${value === undefined ? 'missing' : shown(value)}, but the API server expects ${takes}`,
    remedy,
    at: `/${path.split('[')[0].replace(/\./g, '/')}`,
  });
  return undefined;
}

export const API_SERVER: Citation = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'pkg/apis/core/validation/validation.go',
};

const { severity, says } = SERVICE_ROWS['field-wrong-type'];

/** The rule about types for the metadata of objects of any other kind than a Service. */
export const METADATA_FIELD_TYPE = {
  id: 'field-wrong-type',
  severity,
  says,
  source: API_SERVER,
  check: ({ kind, metadata }: Json) => {
    const wrong: Finding[] = [];
    if (kind !== 'Service' && isMap(metadata)) {
      typed(metadata, METADATA, () => 'metadata', wrong);
    }
    return wrong;
  },
};

const FIELDS_OF_OBJECT = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
const FIELDS_OF_METADATA = [
  ...Object.keys(SERVICE_METADATA),
  'uid',
  'selfLink',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'managedFields',
];
const FIELDS_OF_SPEC = Object.keys(SERVICE_SPEC);
const FIELDS_OF_PORT = Object.keys(SERVICE_PORT);

/** The map to which a misplaced field belongs: removed, what it says would be lost. */
function otherPlaceOf(key: string, [map, ...more]: readonly string[]): string | undefined {
  const [other, fields] = map === 'spec' ? ['metadata', FIELDS_OF_METADATA] : ['spec', FIELDS_OF_SPEC];
  return more.length === 0 && map !== undefined && fields.includes(key) ? `${other}.${key}` : undefined;
}

function unknownIn(map: unknown, known: readonly string[], path: readonly string[]) {
  const keys = isMap(map) ? Object.keys(map).filter((key) => !known.includes(key)) : [];
  return keys.map((key) => {
    const [like, elsewhere] = [nearest(key, known), otherPlaceOf(key, path)];
    const fix = like === undefined ? 'remove it' : `write ${like}, or remove it`;
    return {
      path: [...path, printable(key)].join('.'),
      fix: elsewhere === undefined ? fix : `move it to ${elsewhere}`,
      value: printable(key),
      ...(path.length > 0 && { at: `/${path.map((one) => one.split('[')[0]).join('/')}` }),
    };
  });
}

/** Fields that the API server refuses with strict field validation, which kubectl requests. */
export function unknownFieldsOf(service: Json) {
  const { metadata, spec } = service;
  const ports: unknown[] = Array.isArray(spec?.ports) ? spec.ports : [];
  return [
    ...unknownIn(service, FIELDS_OF_OBJECT, []),
    ...unknownIn(metadata, FIELDS_OF_METADATA, ['metadata']),
    ...unknownIn(spec, FIELDS_OF_SPEC, ['spec']),
    ...ports.flatMap((port, i) => unknownIn(port, FIELDS_OF_PORT, ['spec', `ports[${i}]`])),
  ];
}

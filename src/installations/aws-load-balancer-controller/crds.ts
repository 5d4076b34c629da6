import type { Json } from '../../contract/json';
import { TEXT } from '../../contract/schema/common.facts';
import { entryOf, mapOf, type SchemaField, type SchemaFields, Shape } from '../../contract/schema/walk';
import type { CrdColumn, CrdFact, CrdVersionFact, Part } from '../tables';
import { CRD_API } from './installation.facts';

export function crdsOf(parts: ReadonlySet<Part>): Json[] {
  return crdFacts(parts).map(crdManifest);
}

/** The table is long, and most programs that load this package install no controller: it is read when asked for. */
export function crdFacts(parts: ReadonlySet<Part>): CrdFact[] {
  const { CRDS } = require('./crds.facts') as typeof import('./crds.facts');
  return CRDS.filter(({ part }) => parts.has(part));
}

/** Made once: an app may install the controller in many clusters. */
const MANIFESTS = new WeakMap<CrdFact, Json>();

export function crdManifest(fact: CrdFact): Json {
  const made = MANIFESTS.get(fact) ?? manifestOf(fact);
  MANIFESTS.set(fact, made);
  return made;
}

function manifestOf({ group, kind, plural, singular, scope, versions }: CrdFact): Json {
  return {
    apiVersion: CRD_API,
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular },
      scope,
      versions: versions.map(versionOf),
    },
  };
}

function versionOf({ name, storage, status, deprecated, columns, fields }: CrdVersionFact): Json {
  return {
    name,
    served: true,
    storage: storage === true,
    ...(deprecated && { deprecated: true, deprecationWarning: deprecated }),
    subresources: status ? { status: {} } : {},
    additionalPrinterColumns: columns.map(columnOf),
    schema: { openAPIV3Schema: schemaOf(fields) },
  };
}

function columnOf([name, type, jsonPath, priority]: CrdColumn): Json {
  return { name, type, jsonPath, ...(priority && { priority }) };
}

function schemaOf(fields: SchemaFields): Json {
  return propertyOf(mapOf({ apiVersion: TEXT, kind: TEXT, metadata: { shape: Shape.FREE }, ...fields }));
}

function propertyOf(field: SchemaField): Json {
  const { shape, fields, mapType } = field;
  const type = TYPES[shape] ?? {};
  const entry = entryOf(field);
  return {
    ...type,
    ...(entry && { [type.type === 'array' ? 'items' : 'additionalProperties']: propertyOf(entry) }),
    ...constraintsOf(field, type.type),
    ...(shape === Shape.MAP && fields && propertiesOf(fields)),
    ...(mapType && { 'x-kubernetes-map-type': mapType }),
  };
}

function propertiesOf(fields: SchemaFields): Json {
  const names = Object.keys(fields);
  const required = names.filter((name) => fields[name].required);
  return {
    properties: Object.fromEntries(names.map((name) => [name, propertyOf(fields[name])])),
    ...(required.length > 0 && { required }),
  };
}

/** A text or a number: `anyOf` says so to clients, the extension to the API server. */
const INT_OR_STRING: Json = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};

const LIST: Json = { type: 'array' };
const MAP: Json = { type: 'object' };

const TYPES: Readonly<Partial<Record<Shape, Json>>> = {
  [Shape.TEXT]: { type: 'string' },
  [Shape.INTEGER]: { type: 'integer' },
  [Shape.BOOLEAN]: { type: 'boolean' },
  [Shape.INTEGER_OR_TEXT]: INT_OR_STRING,
  // kubernetes/apimachinery v0.36, pkg/api/resource/quantity.go
  [Shape.QUANTITY]: {
    ...INT_OR_STRING,
    pattern:
      '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
  },
  [Shape.TEXTS]: LIST,
  [Shape.INTEGERS]: LIST,
  [Shape.MAPS]: LIST,
  [Shape.TEXT_MAP]: MAP,
  [Shape.TEXTS_MAP]: MAP,
  [Shape.QUANTITIES]: MAP,
  [Shape.MAP]: MAP,
  [Shape.FREE]: MAP,
};

const KEYWORDS: Readonly<Record<string, string>> = {
  values: 'enum',
  pattern: 'pattern',
  format: 'format',
  default: 'default',
  listType: 'x-kubernetes-list-type',
  listMapKeys: 'x-kubernetes-list-map-keys',
  cel: 'x-kubernetes-validations',
};

const OF_ENTRIES = ['values', 'pattern', 'cel'];

/** Subject of limits by the type of the value; `minimum` and `maximum` of numbers. */
const LIMITS: Readonly<Record<string, string>> = {
  string: 'Length',
  array: 'Items',
  object: 'Properties',
  integer: 'imum',
};

function constraintsOf(field: SchemaField, type: string): Json {
  const keywordOf = (name: string) =>
    name === 'atLeast' ? `min${LIMITS[type]}` : name === 'atMost' ? `max${LIMITS[type]}` : KEYWORDS[name];
  return Object.fromEntries(
    Object.entries(field)
      .filter(
        ([name, value]) => value !== undefined && keywordOf(name) && !(type === 'array' && OF_ENTRIES.includes(name)),
      )
      .map(([name, value]) => [
        keywordOf(name),
        name === 'cel' ? value.map((rule: string) => ({ rule })) : spelt(value),
      ]),
  );
}

/** Go needs no backslash before a slash. */
function spelt(value: unknown): unknown {
  return value instanceof RegExp ? value.source.replaceAll('\\/', '/') : value;
}

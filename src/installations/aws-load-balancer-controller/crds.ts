import type { Json } from '../../contract/json';
import type { CrdColumn, CrdConstraints, CrdFact, CrdField, CrdVersionFact } from './crds.facts';
import { API } from './facts';
import type { Part } from './objects';

/** The kinds that some parts of the controller need. */
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

/** What the CustomResourceDefinition of a kind says. No user may change it. */
export function crdManifest(fact: CrdFact): Json {
  const made = MANIFESTS.get(fact) ?? manifestOf(fact);
  MANIFESTS.set(fact, made);
  return made;
}

function manifestOf({ group, kind, plural, singular, scope, versions }: CrdFact): Json {
  return {
    apiVersion: API.extensions,
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular },
      scope,
      versions: versions.map((version) => versionOf(version, versions)),
    },
  };
}

function versionOf(version: CrdVersionFact, all: readonly CrdVersionFact[]): Json {
  const { name, storage, status, deprecated, columns, fieldsOf } = version;
  const fields = version.fields ?? all.find((other) => other.name === fieldsOf)?.fields ?? [];
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

/** The schema of an object of Kubernetes that has these fields. */
export function schemaOf(fields: readonly CrdField[]): Json {
  const root: Json = {
    type: 'object',
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } },
  };
  for (const field of fields) {
    const steps = field.path.split('.');
    const name = steps.pop() as string;
    const parent = steps.reduce(child, root);
    parent.properties ??= {};
    parent.properties[name] = propertyOf(field);
    if (field.required) {
      parent.required = [...(parent.required ?? []), name];
    }
  }
  return root;
}

function child(parent: Json, step: string): Json {
  return step.endsWith('[]') ? parent.properties[step.slice(0, -2)].items : parent.properties[step];
}

function propertyOf({ type, items, ...field }: CrdField): Json {
  const value = { ...typeOf(type), ...constraintsOf(field) };
  return items ? { ...value, items: { ...value.items, ...constraintsOf(items) } } : value;
}

function typeOf(type: CrdField['type']): Json {
  if (type.startsWith('[]')) {
    return { type: 'array', items: typeOf(type.slice(2) as CrdField['type']) };
  }
  if (type.startsWith('map[string]')) {
    return { type: 'object', additionalProperties: typeOf(type.slice('map[string]'.length) as CrdField['type']) };
  }
  return TYPES[type]?.() ?? { type };
}

/** A text or a number: `anyOf` says so to clients, the extension to the API server. */
const intOrString = (): Json => ({
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
});

// kubernetes/apimachinery v0.36, pkg/apis/meta/v1/types.go and pkg/api/resource/quantity.go
const TYPES: Record<string, () => Json> = {
  'int-or-string': intOrString,
  quantity: () => ({
    ...intOrString(),
    pattern:
      '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
  }),
  'metav1.LabelSelector': () => ({
    type: 'object',
    properties: {
      matchExpressions: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            key: { type: 'string' },
            operator: { type: 'string' },
            values: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
          },
          required: ['key', 'operator'],
        },
        'x-kubernetes-list-type': 'atomic',
      },
      matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
    },
  }),
  'metav1.Condition': () => ({
    type: 'object',
    properties: {
      lastTransitionTime: { type: 'string', format: 'date-time' },
      message: { type: 'string', maxLength: 32768 },
      observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
      reason: { type: 'string', minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      type: {
        type: 'string',
        maxLength: 316,
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      },
    },
    required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
  }),
};

/** Constraints that are spelt another way in a schema. */
const EXTENSIONS: Record<string, string> = {
  mapType: 'x-kubernetes-map-type',
  listType: 'x-kubernetes-list-type',
  listMapKeys: 'x-kubernetes-list-map-keys',
  cel: 'x-kubernetes-validations',
};
const NOT_IN_SCHEMA = ['path', 'required'];

function constraintsOf(constraints: CrdConstraints): Json {
  return Object.fromEntries(
    Object.entries(constraints)
      .filter(([name]) => !NOT_IN_SCHEMA.includes(name))
      .map(([name, value]) => [
        EXTENSIONS[name] ?? name,
        name === 'cel' ? (value as string[]).map((rule) => ({ rule })) : value,
      ]),
  );
}

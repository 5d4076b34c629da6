import { createHash } from 'node:crypto';
import { isMap, type Json, list } from '../../../src/contract/json';
import type { Checkout } from '../checkout';
import type { Fact } from '../fact';

/** Values that are longer are kept as a hash: that they changed is a fact, what they say is in the release. */
const LONGEST = 60;

/** A value as it is kept. */
export function shortened(value: string): string {
  return value.length > LONGEST ? hashed(value) : value;
}

const hashed = (value: string): string => `#${createHash('sha256').update(value).digest('hex').slice(0, 8)}`;

const sorted = (values: unknown): string => (Array.isArray(values) ? [...values].map(String).sort().join(' ') : '');

const maps = (value: unknown): Json[] => list<Json>(value).filter(isMap);

/** Rules of roles: verbs by role, group and resource. */
export function rbacFacts(documents: readonly Json[], file: string): Fact[] {
  return documents
    .filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
    .flatMap(({ metadata, rules }) => ruleFacts(String((metadata as Json)?.name), maps(rules), file));
}

/** The same of rules that are in no manifest. */
export function ruleFacts(role: string, rules: readonly Json[], file: string): Fact[] {
  const verbs = new Map<string, Set<string>>();
  for (const { apiGroups, resources, resourceNames, verbs: allowed, nonResourceURLs } of rules) {
    for (const group of (apiGroups as string[] | undefined) ?? ['']) {
      for (const resource of (resources ?? nonResourceURLs ?? []) as string[]) {
        const names = sorted(resourceNames);
        const name = `${role}: ${group === '' ? 'core' : group} ${resource}${names && ` (${names})`}`;
        verbs.set(name, new Set([...(verbs.get(name) ?? []), ...(allowed as string[])]));
      }
    }
  }
  return [...verbs].map(([name, set]) => ({ kind: 'rbac', name, value: sorted([...set]), file }));
}

/** Webhooks: what they are asked about, where, and what happens without an answer. */
export function webhookFacts(documents: readonly Json[], file: string): Fact[] {
  return documents
    .filter(({ kind }) => /^(Mutating|Validating)WebhookConfiguration$/.test(String(kind)))
    .flatMap(({ webhooks }) => maps(webhooks))
    .map((webhook) => {
      const { name, failurePolicy, rules, clientConfig } = webhook as Record<string, Json>;
      const asked = maps(rules).map(({ apiGroups, apiVersions, resources, operations }) =>
        [apiGroups, apiVersions, resources, operations]
          .map(sorted)
          .map((each) => each || 'core')
          .join('/'),
      );
      const path = (clientConfig?.service as Json | undefined)?.path ?? '';
      return {
        kind: 'webhook',
        name: String(name),
        value: `${asked.join(' ')} ${path} ${failurePolicy ?? 'Fail'}`,
        file,
      };
    });
}

/** Variables of the containers of Deployments. Values with the version of the release in them are the same in all of them. */
export function variableFacts(documents: readonly Json[], file: string, version: string): Fact[] {
  return documents
    .filter(({ kind }) => kind === 'Deployment' || kind === 'DaemonSet')
    .flatMap((document) => maps(specOf(document).containers))
    .flatMap(({ env }) => maps(env))
    .map(({ name, value, valueFrom }) => {
      const said = valueFrom === undefined ? String(value ?? '') : `from ${Object.keys(valueFrom as Json).join(' ')}`;
      const image = said.replaceAll(version, '{version}').trim().split(/\s+/).join(' ');
      return { kind: 'variable', name: String(name), value: shortened(image), file };
    });
}

/** The rest of the pods of Deployments: what they have, and a hash of it. */
export function podFacts(documents: readonly Json[], file: string): Fact[] {
  return documents
    .filter(({ kind }) => kind === 'Deployment')
    .map(specOf)
    .flatMap(({ containers, ...pod }) => [
      ...partsOf(pod, '', file),
      ...maps(containers).flatMap(({ name, image, env, ...container }) => partsOf(container, ` of ${name}`, file)),
    ]);
}

const partsOf = (part: Json, of: string, file: string): Fact[] =>
  Object.entries(part).map(([name, value]) => ({
    kind: 'config',
    name: `${name}${of}`,
    value: shortened(JSON.stringify(value)),
    file,
  }));

function specOf(document: Json): Json {
  const { template } = (document.spec ?? {}) as Record<string, Json>;
  return ((template?.spec as Json | undefined) ?? {}) as Json;
}

/** How far definitions are read. */
export interface DefinitionScope {
  /** Fields that are not looked into, by name or by `parent.name`: those of Kubernetes' own types. */
  readonly closed?: ReadonlySet<string>;
  /** Kinds whose fields are read; all of them where it is unset. */
  readonly kinds?: readonly string[];
  /** How deep fields are read; all of them where it is unset. */
  readonly depth?: number;
}

/** Definitions of custom resources: their versions, and the fields of each. */
export function definitionFacts(documents: readonly Json[], file: string, scope: DefinitionScope = {}): Fact[] {
  return documents
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .flatMap(({ spec }) => {
      const { group, names, versions, scope: where } = spec as Record<string, Json>;
      const plural = `${names.plural}.${group}`;
      const isOpen = scope.kinds?.includes(String(names.kind)) ?? true;
      return maps(versions).flatMap(({ name, served, storage, deprecated, schema }) => {
        const marks = [
          served === false ? 'unserved' : 'served',
          storage && 'stored',
          deprecated && 'deprecated',
          where,
        ];
        const fact = { name: `${plural}/${name}`, value: marks.filter((mark) => mark).join(' ') };
        const root = (schema as Record<string, Json> | undefined)?.openAPIV3Schema ?? {};
        const fields = isOpen ? fieldFacts(root, `${plural}/${name}`, file, scope) : [];
        return [{ kind: 'definition' as const, ...fact, file }, ...fields];
      });
    });
}

/** Those of every object, and what its controller writes. */
const OWN_FIELDS = new Set(['apiVersion', 'kind', 'metadata', 'status']);

function fieldFacts(schema: Json, place: string, file: string, scope: DefinitionScope, isRoot = true): Fact[] {
  const { properties = {}, required = [] } = inner(schema);
  return Object.entries<Json>(properties as Record<string, Json>)
    .filter(([name]) => !isRoot || !OWN_FIELDS.has(name))
    .flatMap(([name, field]) => {
      const path = `${place} ${name}`.replace(/(\/\S+ \S*) /, '$1.');
      const mark = (required as string[]).includes(name) ? 'required ' : '';
      const fact = { kind: 'field' as const, name: path, value: mark + typeOf(field), file };
      const parent = place.replace(/^.*[. ]/, '');
      const depth = path.split(' ')[1].split('.').length;
      const isDeep = depth >= (scope.depth ?? Number.POSITIVE_INFINITY);
      const isClosed = isDeep || scope.closed?.has(name) || scope.closed?.has(`${parent}.${name}`);
      return [fact, ...(isClosed ? [] : fieldFacts(field, path, file, scope, false))];
    });
}

/** The schema of entries, where it is of a list or of a map. */
function inner(schema: Json): Json {
  const entries = schema.items ?? schema.additionalProperties;
  return isMap(entries) ? inner(entries) : schema;
}

/** The words of a schema that limit a value; not what is below it. */
const LIMITS = [
  ...['format', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties'],
  ...['maxProperties', 'default', 'nullable', 'x-kubernetes-int-or-string', 'x-kubernetes-preserve-unknown-fields'],
];

/** What a field takes; values that are listed stay as they are; of a rule there is a hash. */
function typeOf(schema: Json): string {
  const limits = LIMITS.filter((word) => schema[word] !== undefined);
  const values = Array.isArray(schema.enum) ? [`(${sorted(schema.enum)})`] : [];
  const rules = maps(schema['x-kubernetes-validations']).map(({ rule }) => hashed(String(rule).replace(/\s+/g, ' ')));
  const entries = schema.items ?? schema.additionalProperties;
  const of = isMap(entries) ? [`of ${typeOf(entries)}`] : [];
  const said = [...limits.map((word) => shortened(`${word}=${JSON.stringify(schema[word])}`)), ...rules.sort()];
  return [schema.type ?? 'any', ...values, ...said, ...of].join(' ');
}

/** Actions that a policy of AWS allows: on which resources, and under which conditions. */
export function actionFacts(policy: Json, file: string): Fact[] {
  const allowed = new Map<string, Set<string>>();
  for (const { Effect, Action, Resource, Condition } of maps(policy.Statement)) {
    const where = `${sorted([Resource].flat())}${conditionsOf(Condition)}`;
    for (const action of [Action].flat() as string[]) {
      const name = `${file.replace(/^.*\//, '').replace(/\.json$/, '')}: ${Effect === 'Deny' ? 'deny ' : ''}${action}`;
      allowed.set(name, new Set([...(allowed.get(name) ?? []), where]));
    }
  }
  return [...allowed].map(([name, set]) => ({ kind: 'action', name, value: shortened(sorted([...set])), file }));
}

function conditionsOf(conditions: unknown): string {
  const keys = Object.entries((conditions ?? {}) as Record<string, Json>).flatMap(([how, tests]) =>
    Object.entries(tests).map(([key, value]) => `${how} ${key}=${value}`),
  );
  return keys.length === 0 ? '' : ` if ${keys.sort().join(' and ')}`;
}

/** Files as documents, each with a reader of them. */
export function readAll(
  checkout: Checkout,
  files: readonly string[],
  read: (documents: readonly Json[], file: string) => Fact[],
): Fact[] {
  return files.flatMap((file) => read(checkout.yaml(file), file));
}

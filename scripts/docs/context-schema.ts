import type { ContextField, ContextFields } from '../../src/cli/context/check-context';
import { controllerNames, optionsOf } from '../../src/cli/context/context-controllers';
import {
  ACCEPTED_FIELDS,
  CLUSTER_FIELDS,
  CONTEXT_FIELDS,
  OTHER_CONTROLLER_FIELDS,
  SOURCE_FIELDS,
  VERSION_SYNTAX,
} from '../../src/cli/context/context-fields.facts';
import { type SchemaField, Shape } from '../../src/contract/schema/walk';
import { knownKinds } from '../../src/rules/known-kinds';

type Schema = Readonly<Record<string, unknown>>;

/** The JSON Schema of the context file, so that editors complete it: made of the tables that the reader uses. */
export function contextSchema(ruleIds: readonly string[]): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'load-balancers.yaml',
    description: 'What manifests cannot say about the cluster that they are applied to.',
    ...mapOf(CONTEXT_FIELDS),
    definitions: { rule: { type: 'string', enum: ruleIds } },
  };
}

function mapOf(fields: ContextFields): Schema {
  const required = Object.keys(fields).filter((name) => fields[name].required);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, propertyOf(name, field, fields)]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function propertyOf(name: string, field: ContextField, fields: ContextFields): Schema {
  const isCommon = fields === CLUSTER_FIELDS && name in CONTEXT_FIELDS;
  return isCommon ? { $ref: `#/properties/${name}` } : described(field);
}

function described(field: ContextField): Schema {
  return { description: field.says, ...schemaOf(field) };
}

function schemaOf(field: ContextField): Schema {
  if (field.isVersion) {
    return { anyOf: [{ type: 'string', pattern: VERSION_SYNTAX.source }, { type: 'number' }] };
  }
  if (field.ofControllers) {
    return {
      type: 'array',
      items: { anyOf: [{ type: 'string', enum: controllerNames() }, ...NAMES().map(controller), OTHER()] },
    };
  }
  if (field.within) {
    return mapOf(field.within);
  }
  if (field.amounts) {
    return {
      type: 'object',
      propertyNames: { pattern: field.amounts.source },
      additionalProperties: { type: 'number', minimum: 0 },
    };
  }
  if (field === ACCEPTED_FIELDS.rule) {
    return { $ref: '#/definitions/rule' };
  }
  switch (field.shape) {
    case Shape.TEXTS:
      return { type: 'array', items: textOf(field) };
    case Shape.TEXT_MAP:
      return { type: 'object', minProperties: field.atLeast, additionalProperties: { type: 'string' } };
    case Shape.NUMBER:
      return { type: 'number', minimum: field.atLeast };
    case Shape.INTEGER:
      return { type: 'integer', minimum: field.atLeast };
    case Shape.FREE:
      return { type: 'object', additionalProperties: mapOf(field.entries ?? {}) };
    case Shape.FREE_LIST:
      return { type: 'array', items: { ...mapOf(field.entries ?? {}), ...alternativesOf(field) } };
    case Shape.BOOLEAN:
      return { type: 'boolean' };
    default:
      return textOf(field);
  }
}

function alternativesOf({ entries }: ContextField): Schema {
  const having = (...keys: string[]) => ({
    properties: Object.fromEntries(keys.map((key) => [key, {}])),
    required: keys,
  });
  return entries === ACCEPTED_FIELDS
    ? { oneOf: [having('rule'), having('outcome', 'object')] }
    : entries === SOURCE_FIELDS
      ? { minProperties: 1, maxProperties: 1 }
      : {};
}

function textOf({ values, pattern, shape, atLeast }: SchemaField): Schema {
  return {
    type: 'string',
    ...(values && { enum: values }),
    ...(pattern && { pattern: pattern.source }),
    ...(shape === Shape.TEXT && atLeast !== undefined && { minLength: atLeast }),
  };
}

function controller(name: string): Schema {
  return named({ type: 'string', enum: [name] }, optionsOf(name));
}

function named(name: Schema, fields: ContextFields): Schema {
  const { properties, ...map } = mapOf(fields);
  return { ...map, properties: { name, ...(properties as Schema) }, required: ['name'] };
}

const NAMES = () => knownKinds().map(({ name }) => name);

const OTHER = () => named({ type: 'string', pattern: '\\S', not: { enum: NAMES() } }, OTHER_CONTROLLER_FIELDS);

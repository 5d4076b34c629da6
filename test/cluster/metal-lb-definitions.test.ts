import { type SchemaField, type SchemaFields, Shape } from '../../src/contract/schema/walk';
import { METALLB_FIELDS, METALLB_GROUP } from '../../src/installations/metal-lb/facts';
import type { Body } from './harness/api';
import { definitionsOfGroup } from './harness/custom-resources';

// The fields of MetalLB's kinds, beside the definitions of the release that they were read in.

const TYPES: Readonly<Partial<Record<Shape, string>>> = {
  [Shape.TEXT]: 'string',
  [Shape.INTEGER]: 'integer',
  [Shape.BOOLEAN]: 'boolean',
  [Shape.TEXTS]: 'array',
  [Shape.MAPS]: 'array',
  [Shape.MAP]: 'object',
  [Shape.TEXT_MAP]: 'object',
};

/** A field as both can be written: its type, and whether it is required. */
const line = (path: string, type: string | undefined, isRequired: boolean) =>
  `${path}: ${type}${isRequired ? ', required' : ''}`;

function known(fields: SchemaFields, above = ''): string[] {
  return Object.entries(fields).flatMap(([name, { shape, required, fields: inner = {} }]) => [
    line(`${above}${name}`, TYPES[shape], required === true),
    ...known(inner, `${above}${name}.`),
  ]);
}

function defined({ properties = {}, required = [], items }: Body, above = ''): string[] {
  return [
    ...(items ? defined(items, above) : []),
    ...Object.entries<Body>(properties).flatMap(([name, field]) => [
      line(`${above}${name}`, field.type, required.includes(name)),
      ...defined(field, `${above}${name}.`),
    ]),
  ];
}

/** The limits of numbers that a definition has and the facts have not. */
function otherLimits({ properties = {}, items }: Body, fields: SchemaFields, above = ''): string[] {
  return [
    ...(items ? otherLimits(items, fields, above) : []),
    ...Object.entries<Body>(properties).flatMap(([name, field]) => {
      const { atLeast = -Infinity, atMost = Infinity, fields: inner = {} }: SchemaField = fields[name];
      const most = field.maximum ?? (field.format === 'int32' ? 2 ** 31 - 1 : Infinity);
      const isWider = atLeast < (field.minimum ?? -Infinity) || atMost > most;
      return [...(isWider ? [`${above}${name}`] : []), ...otherLimits(field, inner, `${above}${name}.`)];
    }),
  ];
}

describe.each(Object.entries(METALLB_FIELDS))('%s', (kind, fields) => {
  const [{ spec }] = definitionsOfGroup('go.universe.tf/metallb', METALLB_GROUP, kind).filter(
    (definition) => definition.spec.names.kind === kind,
  );
  const schema = spec.versions.find(({ storage }: Body) => storage).schema.openAPIV3Schema.properties.spec;

  test('has the fields of its definition', () => {
    // a pool without addresses is reported by a rule of its own
    const wanted = defined(schema).map((field) => field.replace(/^(addresses: array), required$/, '$1'));
    expect(known(fields).sort()).toEqual(wanted.sort());
  });

  test('has no number beyond its limits', () => {
    expect(otherLimits(schema, fields)).toEqual([]);
  });
});

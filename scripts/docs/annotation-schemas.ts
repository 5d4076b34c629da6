import type { AnyAnnotation } from '../../src/contract/annotation-catalogue';
import type { ControllerDefinition } from '../../src/rules/controller-definition';
import { IGNORE_ANNOTATION } from '../../src/rules/ignored-findings';

type Schema = Readonly<Record<string, unknown>>;

const IGNORE_SCHEMA: Schema = {
  type: 'string',
  pattern: '^(\\s*[^:\\n]+:[ \\t]*\\S.*\\n?)+\\s*$',
  description: 'Findings that are accepted at this object: RULE, RULE until 2027-06-30: REASON, one entry a line.',
};

/** The package has them, for editors and validators. */
export const ANNOTATION_SCHEMAS = 'schema/annotations/';

/** A JSON Schema of the annotations of Services for each controller, and one for all of them. */
export function annotationSchemas(kinds: readonly ControllerDefinition[]): [file: string, text: string][] {
  const schemas: [string, Schema][] = [
    ...kinds
      .filter(({ catalogue }) => catalogue.annotations.length > 0)
      .map((kind): [string, Schema] => [kind.name, serviceSchema(kind.name, [kind])]),
    ['service', serviceSchema('all known controllers', kinds)],
  ];
  return schemas.map(([name, schema]) => [
    `${ANNOTATION_SCHEMAS}${name}.json`,
    // without indents, which would be a fortieth of the package
    `${JSON.stringify(schema, undefined, 1).replace(/^ +/gm, '')}\n`,
  ]);
}

function serviceSchema(readers: string, kinds: readonly ControllerDefinition[]): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `Annotations of Services for ${readers}`,
    // a file may hold objects of other kinds too
    if: { properties: { apiVersion: { const: 'v1' }, kind: { const: 'Service' } }, required: ['kind'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { metadata: { properties: { annotations: annotationsSchema(kinds) } } } },
  };
}

function annotationsSchema(kinds: readonly ControllerDefinition[]): Schema {
  const readers = new Map<string, [AnyAnnotation, ControllerDefinition][]>();
  for (const kind of kinds) {
    for (const annotation of kind.catalogue.annotations) {
      readers.set(annotation.fact.key, [...(readers.get(annotation.fact.key) ?? []), [annotation, kind]]);
    }
  }
  const entries = [...readers].map(([key, of]): [string, Schema] => [key, annotationSchema(of)]);
  const isFixed = ([key]: [string, Schema]) => !key.includes('{');
  const fixed = entries.filter(isFixed);
  const patterned = entries
    .filter((entry) => !isFixed(entry))
    .map(([key, schema]): [string, Schema] => [patternOf(key), schema]);
  const prefixes = [...new Set(kinds.flatMap(({ catalogue }) => catalogue.prefixes))].sort();
  return {
    type: ['object', 'null'],
    properties: { ...Object.fromEntries(fixed), [IGNORE_ANNOTATION]: IGNORE_SCHEMA },
    patternProperties: Object.fromEntries(patterned),
    // a key that begins like theirs and is none of them
    propertyNames: {
      if: { pattern: `^(${prefixes.map(quoted).join('|')})` },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        anyOf: [{ enum: fixed.map(([key]) => key) }, ...patterned.map(([pattern]) => ({ pattern }))].map((names) => ({
          ...names,
          errorMessage: 'no known controller reads this annotation',
        })),
      },
    },
  };
}

function quoted(text: string): string {
  return text.replace(/[.*+?^$()|[\]\\/{}]/g, '\\$&');
}

function patternOf(key: string): string {
  const parts = key.split(/\{\w+\}/).map(quoted);
  return `^${parts.join('[A-Za-z0-9_]+')}$`;
}

function annotationSchema(readers: readonly [AnyAnnotation, ControllerDefinition][]): Schema {
  const values = readers.map(([{ fact }]) => valueSchema(fact.codec));
  const isDeprecated = readers.every(([{ fact }]) => fact.deprecated);
  return {
    type: 'string',
    description: readers.map(([annotation, kind]) => described(annotation, kind, readers.length > 1)).join('\n\n'),
    ...(isDeprecated && { deprecated: true, deprecationMessage: readers[0][0].fact.remark }),
    ...unionOf(values),
  };
}

function described({ fact }: AnyAnnotation, { name }: ControllerDefinition, isNamed: boolean): string {
  const facts = [fact.codec.says, `default: ${fact.default}`, fact.since && `since ${fact.since}`, fact.remark];
  return `${isNamed ? `${name}: ` : ''}${facts.filter(Boolean).join('; ')}`;
}

/** Texts of many forms: a codec that reads none of them reads its own words alone. */
export const FORMS = [
  'zq',
  'Zq-probe.example.com',
  '10.0.0.7',
  '10.0.0.0/8',
  '2001:db8::1',
  'a=b',
  '443=80',
  '/zq',
  '7s',
  '7m',
  '{}',
  '["a"]',
  '*',
  'a,b',
  'pl-0123456789abcdef0',
  'sg-0123456789abcdef0',
  'subnet-0123456789abcdef0',
  'eipalloc-0123456789abcdef0',
  'arn:aws:acm:eu-west-1:123456789012:certificate/zq',
];
export const SPELLINGS = [
  'true',
  'True',
  'TRUE',
  't',
  'T',
  '1',
  'false',
  'False',
  'FALSE',
  'f',
  'F',
  '0',
  'yes',
  'no',
  '',
];
export const NUMBERS = [
  '0',
  '1',
  '2',
  '3',
  '5',
  '7',
  '10',
  '15',
  '30',
  '60',
  '100',
  '443',
  '1000',
  '4000',
  '30000',
  '65535',
];

/** What a value must be, as far as a schema can say it: nothing where the codec reads more than words and numbers. */
function valueSchema(codec: AnyAnnotation['fact']['codec']): readonly Schema[] | undefined {
  const isRead = (text: string) => 'value' in codec.decode(text);
  if (FORMS.some(isRead)) {
    return undefined;
  }
  const examples = codec.examples.map((example) => codec.encode(example));
  const numbers = NUMBERS.filter(isRead);
  if (examples.every((text) => /^\d+$/.test(text)) && numbers.length > 2) {
    return [{ pattern: isRead('') ? '^[0-9]*$' : '^[0-9]+$' }];
  }
  const words = examples.filter((text) => /^\w[\w.+-]*$/.test(text));
  if (words.length < examples.length || numbers.length > 2 || examples.length > 25) {
    return undefined;
  }
  const isAnyCase = words.every((word) => !/[a-z]{2}/i.test(word) || isRead(alternating(word)));
  const others = SPELLINGS.filter((text) => isRead(text) && !words.includes(text));
  const spellings = isAnyCase ? words.map(inAnyCase) : others;
  return [{ enum: words }, ...(spellings.length > 0 ? [{ pattern: `^(${spellings.join('|')})$` }] : [])];
}

function alternating(word: string): string {
  return [...word].map((letter, i) => (i % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join('');
}

function inAnyCase(word: string): string {
  return [...word]
    .map((letter) => (/[a-z]/i.test(letter) ? `[${letter.toLowerCase()}${letter.toUpperCase()}]` : quoted(letter)))
    .join('');
}

/** What one of several readers reads is no mistake. */
function unionOf(values: readonly (readonly Schema[] | undefined)[]): Schema {
  const known = values.flatMap((value) => value ?? []);
  if (values.includes(undefined)) {
    return {};
  }
  const words = [...new Set(known.flatMap((schema) => (schema.enum as string[] | undefined) ?? []))];
  const patterns = [...new Set(known.flatMap(({ pattern }) => (pattern as string | undefined) ?? []))];
  const all: Schema[] = [...(words.length > 0 ? [{ enum: words }] : []), ...patterns.map((pattern) => ({ pattern }))];
  return all.length === 1 ? all[0] : { anyOf: all };
}

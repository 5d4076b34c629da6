import Ajv from 'ajv';
import {
  ANNOTATION_SCHEMAS,
  annotationSchemas,
  FORMS,
  NUMBERS,
  SPELLINGS,
} from '../../scripts/docs/annotation-schemas';
import { knownKinds } from '../../src/rules/known-kinds';

const ajv = new Ajv({ strict: false });
const schemas = new Map(annotationSchemas(knownKinds()).map(([file, text]) => [file, ajv.compile(JSON.parse(text))]));

function accepts(schema: string, annotations: unknown, kind = 'Service'): boolean {
  return (
    schemas.get(`${ANNOTATION_SCHEMAS}${schema}.json`)?.({ apiVersion: 'v1', kind, metadata: { annotations } }) === true
  );
}

test.each(knownKinds().filter(({ catalogue }) => catalogue.annotations.length > 0))(
  '$name: the schema accepts all that the controller reads',
  ({ name, catalogue }) => {
    const refused = catalogue.annotations.flatMap((annotation) => {
      const key = annotation.fact.key.replace(/\{\w+\}/g, '80');
      const examples = annotation.fact.codec.examples.map((example) => annotation.fact.codec.encode(example));
      const read = [...examples, ...FORMS, ...SPELLINGS, ...NUMBERS].filter(
        (text) => 'value' in annotation.decode(text),
      );
      return read.flatMap((text) =>
        [name, 'service']
          .filter((schema) => !accepts(schema, { [key]: text }))
          .map((schema) => `${schema} ${key}: ${text}`),
      );
    });
    expect(refused).toEqual([]);
  },
);

test.each<[string, unknown, boolean]>([
  ['none', null, true],
  ['a key of somebody else', { 'example.com/a': 'b' }, true],
  ['a misspelt key', { 'service.beta.kubernetes.io/aws-load-balancer-schem': 'internal' }, false],
  ['a word that is none', { 'service.beta.kubernetes.io/aws-load-balancer-scheme': 'Internal' }, false],
  [
    'a word in place of a number',
    { 'service.beta.kubernetes.io/aws-load-balancer-healthcheck-interval': 'ten' },
    false,
  ],
  ['a value that is no text', { 'load-balancer.hetzner.cloud/use-private-ip': true }, false],
])('annotations: %s', (_, annotations, expected) => {
  expect(accepts('service', annotations)).toBe(expected);
  expect(accepts('service', annotations, 'Ingress')).toBe(true);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { parse, type ScalarTag } from 'yaml';
import { ROOT } from '../docs/files';
import { headOf, literal } from './code';
import SCHEMA from './operator.schema.json';

/** `!fact kafka/strimzi/strimzi.facts.yaml NAME`: the value of a constant of another file below `src`. */
const FACT: ScalarTag = {
  tag: '!fact',
  resolve: (text) => {
    const [file, name] = text.split(' ');
    const { constants } = parse(readFileSync(join(ROOT, 'src', file), 'utf8'), { logLevel: 'silent', merge: true });
    return constants[name].value;
  },
};

const FOLDER = 'src/predicted/operators';

/** The descriptors of operators, in the order of their files. @throws if one of them does not fit the schema */
export function operators(): unknown[] {
  const isValid = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(SCHEMA);
  const files = readdirSync(join(ROOT, FOLDER)).filter((file) => file.endsWith('.yaml'));
  return files.sort().map((file) => {
    const operator: unknown = parse(readFileSync(join(ROOT, FOLDER, file), 'utf8'), { customTags: [FACT] });
    if (!isValid(operator)) {
      const faults = (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
      throw new Error(`${FOLDER}/${file}: ${faults.join('\n')}`);
    }
    return operator;
  });
}

/** What is generated from the descriptors of operators, by path. */
export function operatorsFile(): [path: string, text: string] {
  const rows = operators().map((operator) => `  ${literal(operator)},`);
  return [
    `${FOLDER}/operators.facts.ts`,
    `${headOf('the descriptors in this folder')}
import type { Operator } from '../operator-services';

/** The operators whose Services are predicted. */
export const OPERATORS: readonly Operator[] = [
${rows.join('\n')}
];
`,
  ];
}

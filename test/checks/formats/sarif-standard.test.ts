import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import type { CheckReport } from '../../../src/checks/check-report';
import { FORMATS } from '../../../src/checks/formats/formats';
import { FULL, HOSTILE, hostile, RULES, reportOf } from '../../support/check-reports';
import { FORMATS_OF_ADDRESSES } from '../../support/sarif-schema';

/** The JSON schema of the standard, in the words of draft 4: nothing that it uses has changed since but these two. */
const {
  $schema: _,
  id: __,
  ...SCHEMA
} = JSON.parse(readFileSync(require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'));

const validate = new Ajv({
  strict: false,
  allErrors: true,
  unicodeRegExp: false,
  formats: { ...FORMATS_OF_ADDRESSES, 'date-time': true },
}).compile(SCHEMA);

function faultsOf(log: unknown): string[] {
  return validate(log) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test.each<[string, CheckReport]>([
  ['an empty report', reportOf()],
  ['a report with something of everything', FULL],
  ...HOSTILE.map(([name, text]): [string, CheckReport] => [name, hostile(text)]),
])('%s is SARIF by the standard', (_, report) => {
  expect(faultsOf(JSON.parse(FORMATS.sarif(report)))).toEqual([]);
  expect(faultsOf(JSON.parse(FORMATS.sarif(report, { version: '1.2.3', rules: RULES })))).toEqual([]);
});

test('what is none is found', () => {
  const log = JSON.parse(FORMATS.sarif(FULL));
  const [{ results }] = log.runs;
  results[0].level = 'fatal';
  results[1].file = 'a.yaml';
  results[2].locations[0].physicalLocation.region.startLine = 0;
  results[3].locations[0].physicalLocation.artifactLocation.uri = 'a b';
  expect(faultsOf(log)).toEqual([
    '/runs/0/results/0/level must be equal to one of the allowed values',
    '/runs/0/results/1 must NOT have additional properties',
    '/runs/0/results/2/locations/0/physicalLocation/region/startLine must be >= 1',
    '/runs/0/results/3/locations/0/physicalLocation/artifactLocation/uri must match format "uri-reference"',
  ]);
});

import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import type { CheckReport } from '../../../src/cli/check-report';
import { FORMATS } from '../../../src/cli/formats/formats';
import { FULL, findingOf, HOSTILE, hostile, RULES, reportOf, SERVICE, unknownOf } from '../../support/check-reports';
import {
  FORMATS_OF_ADDRESSES,
  SARIF_SCHEMA,
  type SarifLog,
  type SarifResult,
  type SarifRun,
} from '../../support/sarif-schema';
import { casesIn } from '../../support/yaml-cases';

const validate = new Ajv({ strict: true, allErrors: true, formats: FORMATS_OF_ADDRESSES }).compile(SARIF_SCHEMA);

function faultsOf(log: unknown): string[] {
  return validate(log) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const logOf = (report: CheckReport): SarifLog =>
  JSON.parse(FORMATS.sarif(report, { version: '1.2.3', rules: RULES })) as SarifLog;
const runOf = (report: CheckReport): SarifRun => logOf(report).runs[0];
const resultsOf = (...findings: Parameters<typeof findingOf>[0][]): readonly SarifResult[] =>
  runOf(reportOf({ findings: findings.map(findingOf) })).results;
const fingerprintOf = (parts: Parameters<typeof findingOf>[0]) => resultsOf(parts)[0].partialFingerprints['finding/v1'];
const atFile = (file: string) => resultsOf({ place: { file, line: 1, column: 1 } })[0].locations[0].physicalLocation;

describe('the schema', () => {
  test.each<[string, CheckReport]>([
    ['an empty report', reportOf()],
    ['a report with something of everything', FULL],
    ...HOSTILE.map(([name, text]): [string, CheckReport] => [name, hostile(text)]),
  ])('%s', (_, report) => expect(faultsOf(logOf(report))).toEqual([]));

  test('without a version and without rules', () => expect(faultsOf(JSON.parse(FORMATS.sarif(FULL)))).toEqual([]));

  const [run] = logOf(FULL).runs;
  const [result] = run.results;
  const withResult = (part: object) => ({ ...logOf(FULL), runs: [{ ...run, results: [{ ...result, ...part }] }] });
  const at = (artifactLocation: object, region: object) => ({ physicalLocation: { artifactLocation, region } });
  const logicalLocations = result.locations[0].logicalLocations;

  test.each<[string, object]>([
    ['no results', { ...logOf(FULL), runs: [{ ...run, results: undefined }] }],
    ['a level that is none', withResult({ level: 'fatal' })],
    ['a text as a message', withResult({ message: 'text' })],
    ['another member', withResult({ file: 'a.yaml' })],
    [
      'line 0',
      withResult({ locations: [{ ...at({ uri: 'a' }, { startLine: 0, startColumn: 1 }), logicalLocations }] }),
    ],
    [
      'an address with a space',
      withResult({
        locations: [
          { ...at({ uri: 'a b', uriBaseId: '%SRCROOT%' }, { startLine: 1, startColumn: 1 }), logicalLocations },
        ],
      }),
    ],
    [
      'an absolute address of a folder',
      withResult({
        locations: [
          { ...at({ uri: '/a', uriBaseId: '%SRCROOT%' }, { startLine: 1, startColumn: 1 }), logicalLocations },
        ],
      }),
    ],
  ])('it finds %s', (_, log) => expect(faultsOf(JSON.parse(JSON.stringify(log)))).not.toEqual([]));
});

test('results are a list where nothing was found', () => {
  expect(runOf(reportOf()).results).toEqual([]);
  expect(runOf(reportOf()).tool.driver.rules).toEqual([]);
});

test('a log is all that is printed', () => expect(FORMATS.sarif(FULL)).toMatch(/^\{.*\}\n$/s));

describe('rules', () => {
  const { rules } = runOf(FULL).tool.driver;

  test('each is there once, and results point to theirs', () => {
    expect(rules.map(({ id }) => id)).toEqual([
      'finalizer-of-other-controller',
      'target-port-invalid',
      'annotation-deprecated',
      'local-policy-without-pool',
      'no-scheme',
    ]);
    const pointed = runOf(FULL).results.map(({ ruleIndex = -1, ruleId }) => [rules[ruleIndex].id, ruleId]);
    expect(pointed.filter(([id, ruleId]) => id !== ruleId)).toEqual([]);
    expect(pointed).toHaveLength(FULL.findings.length);
  });

  test('a rule says what must hold, from where that is known, and where to read on', () => {
    expect(rules[1]).toEqual(casesIn(__dirname, 'sarif.yaml').rule);
  });

  test('a rule that is not described has the heaviest level of its findings', () => {
    expect(rules.map(({ defaultConfiguration: { level } }) => level)).toEqual([
      'error',
      'error',
      'warning',
      'warning',
      'note',
    ]);
    const findings = (['note', 'warning', 'note'] as const).map((level) => findingOf({ ruleId: 'new', level }));
    expect(runOf(reportOf({ findings })).tool.driver.rules[0].defaultConfiguration).toEqual({ level: 'warning' });
  });

  test('a guess lowers the level of a result, not that of its rule', () => {
    const { results, tool } = runOf(reportOf({ findings: [findingOf({ level: 'warning' })] }));
    expect(results[0].level).toBe('warning');
    expect(tool.driver.rules[0].defaultConfiguration.level).toBe('error');
  });

  test('a remedy is no Markdown', () => {
    const findings = [findingOf({ ruleId: 'new', remedy: '``` ![x](y)' })];
    const { help } = runOf(reportOf({ findings })).tool.driver.rules[0];
    expect(help.markdown).toMatch(/^Remedy of the first finding: ```` ``` !\[x\]\(y\) ````\n/);
  });
});

describe('a place', () => {
  test('is a line and a column of a file of the repository, of an object', () => {
    expect(resultsOf({})[0].locations).toEqual(
      casesIn(__dirname, 'sarif.yaml')['is a line and a column of a file of the repository of an'],
    );
  });

  test.each<[string, string]>(casesIn(__dirname, 'sarif.yaml')['a place is'])('%s is %s', (file, uri) =>
    expect(atFile(file)?.artifactLocation).toEqual({ uri, uriBaseId: '%SRCROOT%' }),
  );

  test('of an absolute path is in no folder of the repository', () => {
    expect(atFile('/srv/k8s/a b.yaml')?.artifactLocation).toEqual({ uri: 'file:///srv/k8s/a%20b.yaml' });
  });

  test.each([0, -1, Number.NaN, 1.5])('in line %d is in the first', (number) => {
    const [{ locations }] = resultsOf({ place: { file: 'a.yaml', line: number, column: number } });
    expect(locations[0].physicalLocation?.region).toEqual({ startLine: 1, startColumn: 1 });
  });

  test('on standard input is an object alone', () => {
    const [{ locations, properties }] = resultsOf({ place: { file: '-', line: 4, column: 2 } });
    expect(Object.keys(locations[0])).toEqual(['logicalLocations']);
    expect(properties).toMatchObject({ place: 'standard input:4:2' });
  });

  test('of what has no namespace, of a construct, and of a template', () => {
    const object = { ...SERVICE, namespace: undefined, construct: 'app/echo', template: 'charts/echo/a.yaml' };
    expect(resultsOf({ object })[0].locations[0].logicalLocations).toEqual([
      { name: 'echo', fullyQualifiedName: 'Service/echo', kind: 'resource' },
      { fullyQualifiedName: 'app/echo', kind: 'construct' },
      { fullyQualifiedName: 'charts/echo/a.yaml', kind: 'template' },
    ]);
  });
});

describe('a fingerprint', () => {
  test.each<[string, Parameters<typeof findingOf>[0]]>([
    ['the line', { place: { file: 'k8s/edge.yaml', line: 90, column: 1 } }],
    ['the file', { place: { file: 'other.yaml', line: 9, column: 5 } }],
    ['the words', { what: 'port 0 is no target', remedy: 'use another' }],
    ['the version of the API', { object: { ...SERVICE, apiVersion: 'v2' } }],
    ['the level', { level: 'warning' }],
  ])('stays where %s changes', (_, parts) => expect(fingerprintOf(parts)).toBe(fingerprintOf({})));

  test.each<[string, Parameters<typeof findingOf>[0]]>([
    ['kind', { object: { ...SERVICE, kind: 'Gateway' } }],
    ['namespace', { object: { ...SERVICE, namespace: 'shop' } }],
    ['name', { object: { ...SERVICE, name: 'db' } }],
    ['rule', { ruleId: 'node-port-invalid' }],
    ['field', { pointer: '/spec/ports/0' }],
    ['no border of its parts', { object: { ...SERVICE, namespace: 'edg', name: 'eecho' } }],
  ])('is another one for another %s', (_, parts) => expect(fingerprintOf(parts)).not.toBe(fingerprintOf({})));

  test('is another one for the second of the same field', () => {
    const all = resultsOf({}, { what: 'it is twice' }).map(({ partialFingerprints: all }) => all['finding/v1']);
    expect(all.map((one) => one.split(':')[1])).toEqual(['1', '2']);
    expect(new Set(all.map((one) => one.split(':')[0])).size).toBe(1);
  });
});

describe('what is accepted', () => {
  test('is suppressed, with its reason, and what is not is known not to be', () => {
    const accepted = { reason: 'three nodes, three pods', until: '2027-06-30' };
    const [first, second, third] = resultsOf({ accepted }, {}, { accepted: { reason: 'so it is' } });
    expect(first.suppressions).toEqual([
      {
        kind: 'external',
        status: 'accepted',
        justification: 'three nodes, three pods',
        properties: { until: '2027-06-30' },
      },
    ]);
    expect(second.suppressions).toEqual([]);
    expect(third.suppressions).toEqual([{ kind: 'external', status: 'accepted', justification: 'so it is' }]);
  });

  test('is of no matter where nothing is', () => expect(resultsOf({})[0]).not.toHaveProperty('suppressions'));
});

describe('notifications', () => {
  const [invocation] = runOf(FULL).invocations;

  test('tell which documents are not in the results, at their lines', () => {
    expect(invocation.toolExecutionNotifications[0]).toEqual(
      casesIn(__dirname, 'sarif.yaml')['tell which documents are not in the results at their lines'],
    );
  });

  test('of standard input have no place', () => {
    const place = { file: '-', line: 3, column: 2 };
    const report = reportOf({ unreadable: [{ place, what: 'it ends', remedy: 'end it' }] });
    expect(runOf(report).invocations[0].toolExecutionNotifications).toEqual([
      { level: 'error', message: { text: 'standard input:3:2: cannot be read: it ends; end it' } },
    ]);
  });

  test('tell what is guessed and what is unknown', () => {
    expect(invocation.toolConfigurationNotifications.map(({ level, message }) => `${level} ${message.text}`)).toEqual([
      'note inferred: Strimzi 0.45.0, from the Deployment in k8s/operator.yaml:12',
      'note unknown: needs controllers: owner-does-not-claim-service, annotation-unsupported-version for Service edge/echo',
      'note unknown: needs controllers and strimzi: owner-does-not-claim-service for Service edge/db',
    ]);
  });

  test('are few where much is unknown', () => {
    const unknown = Array.from({ length: 500 }, (_, index) => unknownOf({ ruleId: `rule-${index}` }));
    expect(runOf(reportOf({ unknown })).invocations[0].toolConfigurationNotifications).toHaveLength(1);
  });
});

test('a text of a file makes no link', () => {
  const [{ message }] = resultsOf({ what: 'see [this](https://example.com)' });
  expect(message.text).toBe('Service edge/echo: see [this] (https://example.com); use a port from 1 to 65535');
});

describe('sarif standard', () => {
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
    return validate(log)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
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
});

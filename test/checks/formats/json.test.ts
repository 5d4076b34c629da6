import { FORMATS } from '../../../src/checks/formats/formats';
import type { CheckJson } from '../../../src/checks/formats/json';
import { FULL, findingOf, HOSTILE, hostile, reportOf } from '../../support/check-reports';

const read = (report = FULL) => JSON.parse(FORMATS.json(report)) as CheckJson;

test('the summary counts what is accepted once', () => {
  expect(read().summary).toEqual({
    errors: 3,
    warnings: 1,
    notes: 1,
    accepted: 1,
    unknown: 3,
    unreadable: 1,
    objects: 12,
  });
});

test('members are in one order', () => {
  const accepted = { reason: 'so it is', until: '2027-06-30' };
  const findings = [findingOf({ value: '0', pointer: '/spec', accepted })];
  const json = read(reportOf({ findings }));
  expect(Object.keys(json)).toEqual(['version', 'summary', 'context', 'findings', 'unknown', 'unreadable', 'notes']);
  expect(Object.keys(json.findings[0])).toEqual([
    'ruleId',
    'level',
    'who',
    'what',
    'remedy',
    'value',
    'object',
    'place',
    'pointer',
    'accepted',
    'help',
  ]);
});

test('everything of the report is in it', () => {
  const { findings, summary, version, ...rest } = read();
  const { findings: found, objects, ...others } = JSON.parse(JSON.stringify(FULL));
  expect(version).toBe(1);
  expect(rest).toEqual(others);
  expect(summary.objects).toBe(objects);
  expect(findings.map(({ help, ...finding }) => finding)).toEqual(found);
});

test('what is not known has no member', () => {
  const [finding] = read(reportOf({ findings: [findingOf()] })).findings;
  expect(Object.keys(finding)).toEqual(['ruleId', 'level', 'who', 'what', 'remedy', 'object', 'place', 'help']);
  expect(Object.keys(finding.object)).toEqual(['apiVersion', 'kind', 'namespace', 'name']);
});

test.each(HOSTILE)('%s: values are what they were, in full', (_, text) => {
  const [finding] = read(hostile(text)).findings;
  expect([finding.what, finding.value, finding.object.name]).toEqual([text, text, text]);
});

import type { CheckReport } from '../../../src/checks/check-report';
import { exitCode, verdictOf } from '../../../src/checks/formats/words';
import { findingOf, reportOf, unknownOf } from '../../support/check-reports';

const accepted = { reason: 'as long as it is so' };
const unreadable = [{ place: { file: 'a.yaml', line: 1, column: 1 }, what: 'it ends', remedy: 'end it' }];

const ERROR = reportOf({ findings: [findingOf()] });
const WARNING = reportOf({ findings: [findingOf({ level: 'warning' })] });
const NOTE = reportOf({ findings: [findingOf({ level: 'note' })] });
const ACCEPTED = reportOf({ findings: [findingOf({ accepted }), findingOf({ level: 'warning', accepted })] });
const UNKNOWN = reportOf({ unknown: [unknownOf()] });
const UNREADABLE = reportOf({ unreadable });
const SECOND = reportOf({ findings: [findingOf({ accepted }), findingOf()] });

test.each<[string, CheckReport, plain: number, warnings: number, strict: number]>([
  ['nothing', reportOf(), 0, 0, 0],
  ['notes of what is not checked', reportOf({ notes: ['it is a chart'] }), 0, 0, 0],
  ['an error', ERROR, 1, 1, 1],
  ['a warning', WARNING, 0, 1, 0],
  ['a note', NOTE, 0, 0, 0],
  ['what is accepted', ACCEPTED, 0, 0, 0],
  ['an error beside what is accepted', SECOND, 1, 1, 1],
  ['an unknown answer', UNKNOWN, 0, 0, 1],
  ['a document that cannot be read', UNREADABLE, 2, 2, 2],
])('%s', (_, report, plain, warnings, strict) => {
  expect(exitCode(verdictOf(report))).toBe(plain);
  expect(exitCode(verdictOf(report), { failOn: 'warning' })).toBe(warnings);
  expect(exitCode(verdictOf(report), { strict: true })).toBe(strict);
});

import type { CheckedObject, CheckFinding, CheckReport, UnknownAnswer } from '../../src/cli/check-report';
import type { DescribedRule } from '../../src/contract/rule';
import { casesIn } from './yaml-cases';

export function reportOf(parts: Partial<CheckReport> = {}): CheckReport {
  return { context: [], findings: [], unknown: [], unreadable: [], notes: [], objects: 0, ...parts };
}

export const SERVICE: CheckedObject = { apiVersion: 'v1', kind: 'Service', namespace: 'edge', name: 'echo' };

/** A finding of an error at the Service `edge/echo`, but for what it is given. */
export function findingOf(parts: Partial<CheckFinding> = {}): CheckFinding {
  return {
    ruleId: 'target-port-invalid',
    level: 'error',
    who: 'kubernetes',
    what: 'targetPort is 0',
    remedy: 'use a port from 1 to 65535',
    object: SERVICE,
    place: { file: 'k8s/edge.yaml', line: 9, column: 5 },
    pointer: '',
    ...parts,
  };
}

export function unknownOf(parts: Partial<UnknownAnswer> = {}): UnknownAnswer {
  const place = { file: 'k8s/edge.yaml', line: 1, column: 1 };
  return { ruleId: 'owner-does-not-claim-service', object: SERVICE, place, needs: ['controllers'], ...parts };
}

const { report, rules } = casesIn(__dirname, 'check-reports.yaml');

export const FULL: CheckReport = reportOf({
  ...report,
  findings: report.findings.map(findingOf),
  unknown: report.unknown.map(unknownOf),
});

export const RULES: readonly DescribedRule[] = rules;

/** Texts of files that must reach no terminal, log or server as anything but text. */
export const HOSTILE: readonly (readonly [name: string, text: string])[] = [
  ['new lines', 'one\ntwo\r\nthree\rfour\u2028five'],
  ['a workflow command', '\n::error file=x::stop\n::add-mask::a'],
  ['a command at the beginning of a line', '::stop-commands::a'],
  ['a command anywhere', 'a ##[add-mask]b \\##[c]'],
  ['the end of a CDATA section', ']]>]]><testsuite/>'],
  ['markup', `<b a="1" c='2'>&amp;</b>`],
  ['escapes of a terminal', '\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u009b2J \u0008\u0000'],
  ['marks of direction', 'a\u202eb\u2066c\u200fd\u200be\ufefff'],
  ['emoji and signs of two columns', '🚀👩‍💻 load 负载均衡 balancer ✅'],
  ['halves of characters', 'a\ud83db\ude80c'],
  ['what XML cannot hold', 'a\ufffeb\uffffc\u000bd'],
  ['separators of properties', 'a,b:c%d%0Ae=f;g'],
  ['a link and a placeholder', '[click](https://example.com) {0} {1} \\[x\\]'],
  ['Markdown', '`code` ``more`` ![x](y) <img src=x>'],
  ['10,000 characters without a space', 'x'.repeat(10_000)],
  ['10,000 emoji', '🚀'.repeat(5_000)],
  ['nothing', ''],
  ['names of members', '__proto__'],
];

/** A report of which every text that is of files is the given one. */
export function hostile(text: string): CheckReport {
  const object = { apiVersion: text, kind: text, namespace: text, name: text, madeBy: text };
  const place = { file: `k8s/${text}.yaml`, line: 1, column: 1 };
  return reportOf({
    context: [
      { what: text, from: text, isInferred: true },
      { what: text, from: text, isInferred: false },
    ],
    findings: [
      findingOf({
        what: text,
        remedy: text,
        value: text,
        object: { ...object, construct: text, template: text },
        place,
      }),
      findingOf({ who: text, pointer: text, object, place, accepted: { reason: text, until: text } }),
      findingOf({ ruleId: 'unheard-of', what: text, object: { ...object, name: `${text}2` }, place }),
    ],
    unknown: [unknownOf({ needs: [text], object, place })],
    unreadable: [{ place, what: text, remedy: text }],
    notes: [text],
    objects: 3,
  });
}

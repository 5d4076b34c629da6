import { createHash } from 'node:crypto';
import { grouped, isMap, printable } from '../../contract/json';
import { citationInWords, type DescribedRule } from '../../contract/rule';
import { clippedText, printableText, withoutCommands } from '../../report/document';
import type { CheckedObject, CheckFinding, CheckReport, KnownContext, Level, Place } from '../check-report';
import {
  type FormatOptions,
  isStandardInput,
  lackOf,
  placeOf,
  REPOSITORY,
  rulePage,
  tallyOf,
  titleOf,
  unknownLines,
  wellFormed,
} from './words';

/** The output of `check --format json`. Members are added without notice; one that goes or changes its meaning changes the version. */
export type CheckJson = ReturnType<typeof checkJson>;

export function formatJson(report: CheckReport): string {
  return jsonText(checkJson(report), inOrder);
}

const MEMBERS =
  'apiVersion kind namespace name madeBy construct template renderedFrom ruleId level who what from isInferred remedy value needs object place pointer file line column cluster accepted reason until isInSource help'.split(
    ' ',
  );

function inOrder(_: string, value: unknown): unknown {
  return isMap(value) && Object.keys(value).every((name) => MEMBERS.includes(name))
    ? Object.fromEntries(MEMBERS.map((name) => [name, value[name]]))
    : value;
}

export function contextJson(context: readonly KnownContext[]) {
  return context.map(({ field: _, ...one }) => one);
}

function checkJson(report: CheckReport) {
  const { context, findings, unknown, unreadable, notes } = report;
  return {
    version: 1,
    summary: tallyOf(report),
    context: contextJson(context),
    findings: findings.map(({ isGuess: _, accepted, ...one }) => ({
      ...one,
      cluster: one.object.cluster,
      accepted,
      help: rulePage(one.ruleId),
    })),
    unknown: unknown.map(({ ruleId, needs, object, place }) => ({ ruleId, needs, object, place })),
    unreadable: unreadable.map(({ what, remedy, place, cluster }) => ({ what, remedy, place, cluster })),
    notes,
  };
}

/** As JSON of one byte order: what a terminal or a runner would act upon is written as JSON escapes it. */
export function jsonText(value: object, replacer?: (name: string, value: unknown) => unknown): string {
  // as one text: the lines of a large report would take more memory than its objects
  return withoutCommands(`${JSON.stringify(value, replacer, 2).replace(STRANGE, printable)}\n`);
}

export function jsonOfClusters<T>(
  reports: readonly { readonly cluster?: string; readonly report: T }[],
  print: (report: T) => string,
): string {
  const [{ cluster, report }] = reports;
  const all = reports.map((one) => [one.cluster, JSON.parse(print(one.report))]);
  return cluster === undefined ? print(report) : jsonText({ clusters: Object.fromEntries(all) });
}

const STRANGE = /[^ -~\n]+/g;

const NAME = 'cdk8s-load-balancers';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** Base of relative paths: the folder of the repository, which the reader of the log knows. */
const BASE = '%SRCROOT%';

/** GitHub computes `primaryLocationLineHash` itself: this is the identity of a finding, wherever its lines move. */
const FINGERPRINT = 'finding/v1';

export function formatSarif(report: CheckReport, { version, rules = [] }: FormatOptions = {}): string {
  const ofRules = grouped(report.findings, ({ ruleId }) => ruleId);
  const indexes = new Map([...ofRules.keys()].map((id, index) => [id, index]));
  const someAccepted = report.findings.some(({ accepted }) => accepted);
  const fingerprints = fingerprintsOf(report.findings);
  return jsonText({
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: NAME,
            semanticVersion: version,
            informationUri: REPOSITORY,
            rules: [...ofRules.values()].map((findings) => sarifRule(findings, rules)),
          },
        },
        invocations: [
          {
            // it came to its end: where results are missing, a notification of level error says so
            executionSuccessful: true,
            toolExecutionNotifications: [
              ...report.unreadable.map(unreadable),
              ...report.notes.map((note) => notification('note', note)),
            ],
            toolConfigurationNotifications: [
              ...report.context
                .filter(({ isInferred }) => isInferred)
                .map(({ what, from }) => notification('note', `inferred: ${what}, from ${from}`)),
              ...unknownLines(report.unknown).map((line) => notification('note', `unknown: ${line}`)),
            ],
          },
        ],
        columnKind: 'utf16CodeUnits',
        results: report.findings.map((finding, index) => ({
          ruleId: finding.ruleId,
          ruleIndex: indexes.get(finding.ruleId),
          ...resultOf(finding),
          partialFingerprints: { [FINGERPRINT]: fingerprints[index] },
          // once one result has them, they are unknown of a result without them
          suppressions: someAccepted ? suppressionsOf(finding) : undefined,
        })),
        properties: { objects: report.objects },
      },
    ],
  });
}

function sarifRule(findings: readonly [CheckFinding, ...CheckFinding[]], rules: readonly DescribedRule[]) {
  const [{ ruleId: id, remedy }] = findings;
  const described = rules.find((rule) => rule.id === id);
  const says = described?.says ?? id;
  const level = described?.severity ?? heaviest(findings.map((finding) => finding.level));
  const source = sourceOf(described);
  const help = described ? `Reports: ${says}.` : `Remedy of the first finding: ${clippedText(remedy)}.`;
  return {
    id,
    shortDescription: { text: says },
    fullDescription: { text: source ? `${says} (${source})` : says },
    help: {
      text: `${help} ${rulePage(id)}`,
      markdown: [
        described ? help : `Remedy of the first finding: ${codeSpan(clippedText(remedy))}`,
        ...(source ? [`Source: ${source}`] : []),
        `[Read on](${rulePage(id)})`,
      ].join('\n\n'),
    },
    helpUri: rulePage(id),
    defaultConfiguration: { level },
    properties: { tags: ['kubernetes', 'load-balancer'], precision: level === 'error' ? 'high' : 'medium' },
  };
}

function heaviest(levels: readonly Level[]): Level {
  return (['error', 'warning'] as const).find((level) => levels.includes(level)) ?? 'note';
}

export function sourceOf(rule: DescribedRule | undefined): string | undefined {
  const source = rule?.source;
  return typeof source === 'string' ? `${NAME}, ${source}` : source && citationInWords(source);
}

function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${text} ${fence}`;
}

function resultOf({ level, who, what, remedy, value, object, place, pointer }: CheckFinding) {
  const known = { who, value, pointer, cluster: object.cluster };
  return {
    level,
    message: { text: message(`${titleOf(object)}: ${clippedText(what)}; ${clippedText(remedy)}`) },
    locations: [{ physicalLocation: physicalLocation(place), logicalLocations: logicalLocations(object) }],
    properties: isStandardInput(place) ? { ...known, place: placeOf(place) } : known,
  };
}

function suppressionsOf({ accepted }: CheckFinding) {
  return (accepted ? [accepted] : []).map(({ reason, until, isInSource }) => ({
    kind: isInSource ? 'inSource' : 'external',
    status: 'accepted',
    justification: reason,
    properties: until === undefined ? undefined : { until },
  }));
}

/** A message of plain text can have links: `[text](address)`. What is in a file makes none. */
function message(text: string): string {
  return printableText(text).replaceAll('](', '] (');
}

function notification(level: Level, text: string) {
  return { level, message: { text: message(text) } };
}

function unreadable(document: CheckReport['unreadable'][number]) {
  const { place, what, remedy } = document;
  const location = physicalLocation(place);
  return {
    ...notification('error', `${placeOf(place)}: ${lackOf(document)}: ${what}; ${remedy}`),
    ...(location && { locations: [{ physicalLocation: location }] }),
  };
}

function physicalLocation(place: Place) {
  const atLeastOne = (number: number) => (Number.isSafeInteger(number) ? Math.max(1, number) : 1);
  const region = { startLine: atLeastOne(place.line), startColumn: atLeastOne(place.column) };
  return isStandardInput(place) ? undefined : { artifactLocation: artifactOf(place.file), region };
}

/** Relative to the folder of the repository, unless the path says where it begins. */
function artifactOf(file: string): { uri: string; uriBaseId?: string } {
  const path = wellFormed(file).replace(/^(\.\/+)+/, '');
  const uri = path.split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? { uri: `file://${uri}` } : { uri, uriBaseId: BASE };
}

function logicalLocations({ kind, namespace, name, construct, template }: CheckedObject) {
  return [
    { name, fullyQualifiedName: [kind, ...(namespace ? [namespace] : []), name].join('/'), kind: 'resource' },
    ...(construct ? [{ fullyQualifiedName: construct, kind: 'construct' }] : []),
    ...(template ? [{ fullyQualifiedName: template, kind: 'template' }] : []),
  ];
}

/** One for each finding: of the same rule at the same field of the same object, the second ends with `:2`. */
function fingerprintsOf(findings: readonly CheckFinding[]): string[] {
  const seen = new Map<string, number>();
  return findings.map(({ object: { kind, namespace = '', name }, ruleId, pointer }) => {
    const identity = JSON.stringify([kind, namespace, name, ruleId, pointer]);
    const times = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, times);
    return `${createHash('sha256').update(identity).digest('hex').slice(0, 32)}:${times}`;
  });
}

import { isMap } from '../contract/json';
import { printable } from '../contract/printable';
import type { CheckedObject, CheckFinding, CheckReport, KnownContext, Level, UnreadableDocument } from './check-report';
import type { Manifests } from './manifests';

/** An object that breaks a rule, as cdk8s wants it. */
export interface ViolatingResource {
  /** By this name alone cdk8s looks up the construct, whatever kind and namespace the object has. */
  readonly resourceName: string;
  readonly locations: readonly string[];
  readonly manifestPath: string;
}

/** What objects have in common that break a rule in the same way, as cdk8s wants it: it knows no severity. */
export interface Violation {
  readonly ruleName: string;
  readonly recommendation: string;
  readonly fix: string;
  readonly violatingResources: readonly ViolatingResource[];
}

/** What a validation ends with. */
export interface SynthAnswer {
  readonly violations: readonly Violation[];
  readonly status: 'success' | 'failure';
  /** Rows of the summary. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** The constructs of an app by the names of their objects, as cdk8s records them: of namesakes the last one is there. */
export type ConstructsByName = Readonly<Record<string, { readonly path?: string } | undefined>>;

/** What was checked, and what is known of its constructs. */
export interface Checked {
  readonly manifests: Manifests;
  readonly report: CheckReport;
  readonly constructs: ConstructsByName;
  /** The least level at which the synth fails. */
  readonly failOn: 'error' | 'warning';
}

/** A place of a violation, and what is wrong there. */
interface Occurrence {
  readonly rule: string;
  readonly level: Level;
  readonly what: string;
  readonly remedy: string;
  readonly resource: ViolatingResource;
}

/** What to tell cdk8s about manifests that were checked. */
export function answerOf(checked: Checked): SynthAnswer {
  const { report, failOn } = checked;
  const constructOf = constructFinder(checked);
  const open = report.findings.filter(({ accepted, level }) => !accepted && level !== 'note');
  const errors = open.filter(({ level }) => level === 'error').length;
  const fails = report.unreadable.length > 0 || errors > 0 || (failOn === 'warning' && open.length > 0);
  return {
    violations: [
      ...violationsOf(report.unreadable.map(unreadable)),
      ...violationsOf(open.map((finding) => occurrenceOf(finding, constructOf))),
    ],
    status: fails ? 'failure' : 'success',
    metadata: rowsOf(report, errors, open.length - errors),
  };
}

/** What to tell cdk8s where nothing could be checked. */
export function refusalOf(mistakes: readonly UnreadableDocument[]): SynthAnswer {
  return { violations: violationsOf(mistakes.map(unreadable)), status: 'failure', metadata: { checked: 'nothing' } };
}

/**
 * Finds the construct of an object. cdk8s records constructs by the name of their object alone, so one is sure where that name
 * is unique among everything that was written, of whatever kind and namespace.
 */
function constructFinder({ manifests, constructs }: Checked): (object: CheckedObject) => string | undefined {
  const counts = new Map<string, number>();
  for (const { object } of manifests.manifests) {
    const name = String(isMap(object.metadata) ? object.metadata.name : '');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  // what cannot be read may be a namesake
  const isComplete = manifests.unreadable.length === 0;
  return ({ name }) =>
    isComplete && counts.get(name) === 1 && Object.hasOwn(constructs, name) ? constructs[name]?.path : undefined;
}

function occurrenceOf(finding: CheckFinding, constructOf: (object: CheckedObject) => string | undefined): Occurrence {
  const { ruleId, level, who, what, remedy, object, place } = finding;
  const title = titleOf(object);
  const construct = constructOf(object);
  const location = [
    `${place.file}:${place.line}:${place.column}`,
    title,
    ...(object.madeBy === undefined ? [] : [`of ${object.madeBy}`]),
    ...(construct === undefined ? [] : [`made by ${construct}`]),
  ].join(' ');
  return {
    rule: ruleId,
    level,
    what: `${who}: ${what}`,
    remedy,
    resource: {
      // a title has a space, which no name has: cdk8s finds no construct by it, and so no wrong one
      resourceName: construct === undefined ? title : object.name,
      locations: [printable(location)],
      manifestPath: printable(place.file),
    },
  };
}

function titleOf({ kind, namespace, name }: CheckedObject): string {
  return printable(`${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`);
}

function unreadable({ place, what, remedy }: UnreadableDocument): Occurrence {
  const location = printable(`${place.file}:${place.line}:${place.column}`);
  return {
    rule: 'unreadable',
    level: 'error',
    what,
    remedy,
    resource: { resourceName: `file ${location}`, locations: [location], manifestPath: printable(place.file) },
  };
}

/** One violation for all objects of which the same is to be said, errors first. */
function violationsOf(occurrences: readonly Occurrence[]): Violation[] {
  const alike = new Map<string, Occurrence[]>();
  for (const level of ['error', 'warning'] as const) {
    for (const one of occurrences.filter((occurrence) => occurrence.level === level)) {
      const key = JSON.stringify([one.rule, level, one.what, one.remedy]);
      alike.set(key, [...(alike.get(key) ?? []), one]);
    }
  }
  return [...alike.values()].map((group) => ({
    ruleName: group[0].rule,
    recommendation: printable(`${group[0].level}: ${group[0].what}`),
    fix: printable(group[0].remedy),
    violatingResources: group.map(({ resource }) => resource),
  }));
}

function rowsOf(report: CheckReport, errors: number, warnings: number): Record<string, string> {
  const { findings, unknown, notes, context, objects, unreadable } = report;
  const accepted = findings.filter((finding) => finding.accepted).length;
  const needs = [...new Set(unknown.flatMap((one) => one.needs))].sort();
  return {
    objects: String(objects),
    errors: String(errors + unreadable.length),
    warnings: String(warnings),
    ...(accepted > 0 && { accepted: String(accepted) }),
    ...(unknown.length > 0 && { unknown: printable(`${unknown.length}, for lack of ${needs.join(', ')}`) }),
    ...(notes.length > 0 && { 'not checked': printable(notes.join('; ')) }),
    ...(context.length > 0 && { known: printable(context.map(knownInWords).join('; ')) }),
  };
}

function knownInWords({ what, from, isInferred }: KnownContext): string {
  return `${what}, ${isInferred ? 'guessed from' : 'from'} ${from}`;
}

import { grouped } from '../contract/grouped';
import { isMap } from '../contract/json';
import type { CheckedObject, CheckFinding, CheckReport, Level, UnreadableDocument } from './check-report';
import { exitCode, type FailureOptions, verdictOf } from './formats/exit-code';
import { clipped, nameOf, placeOf, summaryOf, titleOf, unknownLines } from './formats/words';
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
  readonly failure: FailureOptions;
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
  const { report, failure } = checked;
  const constructOf = constructFinder(checked);
  const open = report.findings.filter(({ accepted }) => !accepted);
  return {
    violations: [
      ...violationsOf(report.unreadable.map(unreadable)),
      ...violationsOf(open.map((finding) => occurrenceOf(finding, constructOf))),
    ],
    status: exitCode(verdictOf(report), failure) === 0 ? 'success' : 'failure',
    metadata: rowsOf(report),
  };
}

/** What to tell cdk8s where nothing could be checked. */
export function refusalOf(mistakes: readonly UnreadableDocument[]): SynthAnswer {
  return { violations: violationsOf(mistakes.map(unreadable)), status: 'failure', metadata: { Found: 'not checked' } };
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
  const construct = constructOf(object);
  const madeBy = construct === undefined ? '' : `, construct ${clipped(construct)}`;
  return {
    rule: ruleId,
    level,
    what: `${who}: ${what}`,
    remedy,
    resource: {
      // a title has a space, which no name has: cdk8s finds no construct by it, and so no wrong one
      resourceName: construct === undefined ? nameOf(object) : object.name,
      locations: [`${placeOf(place)} ${titleOf(object)}${madeBy}`],
      manifestPath: clipped(place.file),
    },
  };
}

function unreadable({ place, what, remedy }: UnreadableDocument): Occurrence {
  const at = placeOf(place);
  return {
    rule: 'unreadable',
    level: 'error',
    what,
    remedy,
    resource: { resourceName: `file ${at}`, locations: [at], manifestPath: clipped(place.file) },
  };
}

/** One violation for all objects of which the same is to be said, errors first. */
function violationsOf(occurrences: readonly Occurrence[]): Violation[] {
  const levels: readonly Level[] = ['error', 'warning', 'note'];
  const ordered = levels.flatMap((level) => occurrences.filter((one) => one.level === level));
  const alike = grouped(ordered, ({ rule, level, what, remedy }) => JSON.stringify([rule, level, what, remedy]));
  return [...alike.values()].map((group) => ({
    ruleName: group[0].rule,
    recommendation: clipped(`${group[0].level}: ${group[0].what}`),
    fix: clipped(group[0].remedy),
    violatingResources: group.map(({ resource }) => resource),
  }));
}

function rowsOf(report: CheckReport): Record<string, string> {
  const known = report.context.map(
    ({ what, from, isInferred }) => `${what}, ${isInferred ? 'guessed ' : ''}from ${from}`,
  );
  const row = (name: string, texts: readonly string[]) =>
    texts.length > 0 ? { [name]: clipped(texts.join('; ')) } : {};
  return {
    Found: summaryOf(report),
    ...row('Known', known),
    ...row('Unknown', unknownLines(report.unknown)),
    ...row('Notes', report.notes),
  };
}

import { dirname, relative, sep } from 'node:path';
import { grouped, isMap, shown } from '../contract/json';
import { nearest } from '../contract/rule';
import { clippedText } from '../report/document';
import { check } from './check';
import type {
  CheckedObject,
  CheckFinding,
  CheckReport,
  UnreadableDocument,
  ViolatingResource,
  Violation,
} from './check-report';
import { NO_CONTEXT } from './context/check-context';
import { type ContextRead, contextFileAbove, readContextFile } from './context/context-file';
import {
  exitCode,
  type FailureOptions,
  nameOf,
  placeOf,
  resultOfCheck,
  summaryOf,
  titleOf,
  unknownLines,
} from './formats/words';
import { type Manifests, readManifests } from './manifests';

interface SynthValidation {
  readonly manifests: readonly string[];
  readonly metadata?: ConstructsByName;
  readonly stdout?: boolean;
  readonly report: {
    addViolation(violation: Violation): void;
    submit(status: 'success' | 'failure', metadata: Readonly<Record<string, string>>): void;
  };
}

interface PluginProperties {
  readonly config?: string;
  readonly cluster?: string;
  readonly failure: FailureOptions;
}

const PROPERTIES: Readonly<Record<string, readonly [isRight: (value: unknown) => boolean, remedy: string]>> = {
  config: [(value) => typeof value === 'string' && value !== '', 'write the path of a file, or leave it out'],
  cluster: [(value) => typeof value === 'string', 'write the name of a cluster, or leave it out'],
  failOn: [(value) => value === 'error' || value === 'warning', 'write error or warning'],
  strict: [(value) => typeof value === 'boolean', 'write true or false'],
};

const NAMES = Object.keys(PROPERTIES);

const CONFIGURATION = 'cdk8s.yaml';

/**
 * Checks all manifests of an app within `cdk8s synth`: those of constructs, and what Includes, Helm charts and plain objects
 * wrote. For `validations` in cdk8s.yaml.
 *
 * It answers exactly once, whatever happens: cdk8s takes a validation without an answer for a fault of its own.
 *
 * @internal
 */
export class LoadBalancerValidation {
  public constructor(private readonly properties?: unknown) {}

  public async validate(context: SynthValidation): Promise<void> {
    const { violations, status, metadata } = this.answer(context);
    for (const violation of violations) {
      context.report.addViolation(violation);
    }
    context.report.submit(status, metadata);
  }

  private answer({ manifests, metadata = {}, stdout }: SynthValidation): SynthAnswer {
    try {
      const { properties, mistakes } = propertiesOf(this.properties);
      const read = properties && readManifests([...manifests].sort());
      const { context, mistakes: inFile } = properties ? contextOf(properties) : { mistakes };
      if (!properties || !read || !context) {
        return refusalOf(inFile);
      }
      const found = stdout ? withoutFolder(read, folderOf(manifests)) : read;
      return answerOf(found, check(found, context), metadata, properties.failure);
    } catch (error) {
      return refusalOf([mistake((error as Error).message, 'correct the manifests that it is about, or report it')]);
    }
  }
}

function contextOf({ config, cluster }: PluginProperties): ContextRead {
  const file = config ?? contextFileAbove('.');
  const read = file === undefined ? { context: NO_CONTEXT, mistakes: [] } : readContextFile(file);
  if (!read.clusters) {
    return read;
  }
  const names = read.clusters.map(({ name }) => name);
  const chosen = read.clusters.find(({ name }) => name === (cluster ?? (names.length === 1 ? names[0] : undefined)));
  const what = cluster === undefined ? `${file} has several clusters` : `properties.cluster is ${shown(cluster)}`;
  return chosen
    ? { context: chosen.context, mistakes: [] }
    : { mistakes: [mistake(what, `write cluster: ${names.join(' or ')} in properties`)] };
}

function propertiesOf(given: unknown): { properties?: PluginProperties; mistakes: UnreadableDocument[] } {
  if (given !== undefined && given !== null && !isMap(given)) {
    return { mistakes: [mistake(`properties is ${shown(given)}`, `write a map with ${NAMES.join(', ')}`)] };
  }
  const properties = given ?? {};
  const { config, cluster, failOn = 'error', strict = false } = properties;
  const mistakes = [
    ...Object.keys(properties)
      .filter((key) => !NAMES.includes(key))
      .map((key) => mistake(`properties.${key} is not read`, `write ${nearest(key, NAMES) ?? NAMES.join(' or ')}`)),
    ...Object.entries(PROPERTIES)
      .filter(([key, [isRight]]) => properties[key] !== undefined && !isRight(properties[key]))
      .map(([key, [, remedy]]) => mistake(`properties.${key} is ${shown(properties[key])}`, remedy)),
  ];
  return mistakes.length > 0
    ? { mistakes }
    : { properties: { config, cluster, failure: { failOn, strict } }, mistakes };
}

function mistake(what: string, remedy: string): UnreadableDocument {
  return { place: { file: CONFIGURATION, line: 1, column: 1 }, what, remedy };
}

/** A temporary folder is gone when its name is read, and has another one each time. */
function withoutFolder({ manifests, unreadable, strange }: Manifests, folder: string): Manifests {
  const inside = (file: string) => relative(folder, file);
  return {
    manifests: manifests.map((manifest) => ({ ...manifest, file: inside(manifest.file) })),
    unreadable: unreadable.map((one) => ({ ...one, place: { ...one.place, file: inside(one.place.file) } })),
    strange: strange.map(inside),
  };
}

function folderOf(files: readonly string[]): string {
  let folder = dirname(files[0] ?? '');
  while (!files.every((file) => file.startsWith(folder + sep)) && folder !== dirname(folder)) {
    folder = dirname(folder);
  }
  return folder;
}

interface SynthAnswer {
  readonly violations: readonly Violation[];
  readonly status: 'success' | 'failure';
  readonly metadata: Readonly<Record<string, string>>;
}

type ConstructsByName = Readonly<Record<string, { readonly path?: string } | undefined>>;

interface Occurrence extends Pick<CheckFinding, 'ruleId' | 'level' | 'what' | 'remedy'> {
  readonly resource: ViolatingResource;
}

function answerOf(
  manifests: Manifests,
  report: CheckReport,
  constructs: ConstructsByName,
  failure: FailureOptions,
): SynthAnswer {
  const constructOf = constructFinder(manifests, constructs);
  const open = report.findings.filter(({ accepted }) => !accepted);
  return {
    violations: [
      ...violationsOf(report.unreadable.map(unreadable)),
      ...violationsOf(open.map((finding) => occurrenceOf(finding, constructOf(finding.object)))),
    ],
    status: exitCode(resultOfCheck(report), failure) === 0 ? 'success' : 'failure',
    metadata: rowsOf(report),
  };
}

function refusalOf(mistakes: readonly UnreadableDocument[]): SynthAnswer {
  return { violations: violationsOf(mistakes.map(unreadable)), status: 'failure', metadata: { Found: 'not checked' } };
}

/**
 * Finds the construct of an object. cdk8s records constructs by the name of their object alone, so one is sure where that name
 * is unique among everything that was written, of whatever kind and namespace.
 */
function constructFinder({ manifests, unreadable }: Manifests, constructs: ConstructsByName) {
  const named = grouped(manifests, ({ object }) => String(isMap(object.metadata) ? object.metadata.name : ''));
  // what cannot be read may be a namesake
  const isSure = (name: string) => unreadable.length === 0 && named.get(name)?.length === 1;
  return ({ name }: CheckedObject): string | undefined =>
    isSure(name) && Object.hasOwn(constructs, name) ? constructs[name]?.path : undefined;
}

function occurrenceOf(
  { who, what, object, place, ...finding }: CheckFinding,
  construct: string | undefined,
): Occurrence {
  const madeBy = construct === undefined ? '' : `, construct ${clippedText(construct)}`;
  return {
    ...finding,
    what: `${who}: ${what}`,
    resource: {
      // a title has a space, which no name has: cdk8s finds no construct by it, and so no wrong one
      resourceName: construct === undefined ? nameOf(object) : object.name,
      locations: [`${placeOf(place)} ${titleOf(object)}${madeBy}`],
      manifestPath: clippedText(place.file),
    },
  };
}

const UNREADABLE = 'unreadable';

function unreadable({ place, what, remedy }: UnreadableDocument): Occurrence {
  const at = placeOf(place);
  const resource = { resourceName: `file ${at}`, locations: [at], manifestPath: clippedText(place.file) };
  return { ruleId: UNREADABLE, level: 'error', what, remedy, resource };
}

function violationsOf(occurrences: readonly Occurrence[]): Violation[] {
  const ordered = (['error', 'warning', 'note'] as const).flatMap((level) =>
    occurrences.filter((one) => one.level === level),
  );
  const alike = grouped(ordered, ({ ruleId, level, what, remedy }) => JSON.stringify([ruleId, level, what, remedy]));
  return [...alike.values()].map((group) => ({
    ruleName: group[0].ruleId,
    recommendation: clippedText(`${group[0].level}: ${group[0].what}`),
    fix: clippedText(group[0].remedy),
    violatingResources: group.map(({ resource }) => resource),
  }));
}

function rowsOf(report: CheckReport): Record<string, string> {
  const known = report.context.map(
    ({ what, from, isInferred }) => `${what}, ${isInferred ? 'guessed ' : ''}from ${from}`,
  );
  const row = (name: string, texts: readonly string[]) =>
    texts.length > 0 ? { [name]: clippedText(texts.join('; ')) } : {};
  return {
    Found: summaryOf(report),
    ...row('Known', known),
    ...row('Unknown', unknownLines(report.unknown)),
    ...row('Notes', report.notes),
  };
}

import { dirname, relative, sep } from 'node:path';
import { nearest } from '../contract/edit-distance';
import { isMap } from '../contract/json';
import { shown } from '../contract/printable';
import { check } from './check';
import type { UnreadableDocument } from './check-report';
import { NO_CONTEXT } from './context/check-context';
import { type ContextRead, contextFileAbove, readContextFile } from './context/context-file';
import type { FailureOptions } from './formats/exit-code';
import { type Manifests, readManifests } from './manifests';
import { answerOf, type ConstructsByName, refusalOf, type SynthAnswer, type Violation } from './synth-violations';

/** What `cdk8s synth` hands to a validation, as far as it is used here. */
interface SynthValidation {
  /** Every manifest below the output folder. */
  readonly manifests: readonly string[];
  /** The constructs of the app, where it recorded them. */
  readonly metadata?: ConstructsByName;
  /** Whether the manifests are printed, and lie in a temporary folder. */
  readonly stdout?: boolean;
  readonly report: {
    addViolation(violation: Violation): void;
    submit(status: 'success' | 'failure', metadata: Readonly<Record<string, string>>): void;
  };
}

/** The `properties` of the validation in cdk8s.yaml. */
interface PluginProperties {
  /** The file that says what manifests cannot say about their cluster. */
  readonly config?: string;
  /** The cluster of that file to which the app is applied, if it has several. */
  readonly cluster?: string;
  readonly failure: FailureOptions;
}

const PROPERTIES = ['config', 'cluster', 'failOn', 'strict'];

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
      if (!properties) {
        return refusalOf(mistakes);
      }
      const read = readManifests([...manifests].sort());
      const found = stdout ? withoutFolder(read, folderOf(manifests)) : read;
      const { context, mistakes: inFile } = contextOf(properties);
      return context
        ? answerOf({
            manifests: found,
            report: check(found, context),
            constructs: metadata,
            failure: properties.failure,
          })
        : refusalOf(inFile);
    } catch (error) {
      return refusalOf([mistake((error as Error).message, 'correct the manifests that it is about, or report it')]);
    }
  }
}

/** What is known of the cluster, or what is wrong with the file that says so. cdk8s runs where its configuration is. */
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
    return { mistakes: [mistake(`properties is ${shown(given)}`, `write a map with ${PROPERTIES.join(', ')}`)] };
  }
  const { config = undefined, cluster = undefined, failOn = 'error', strict = false, ...others } = given ?? {};
  const mistakes = Object.keys(others).map((key) =>
    mistake(`properties.${key} is not read`, `write ${nearest(key, PROPERTIES) ?? PROPERTIES.join(' or ')}`),
  );
  if (config !== undefined && (typeof config !== 'string' || config === '')) {
    mistakes.push(mistake(`properties.config is ${shown(config)}`, 'write the path of a file, or leave it out'));
  }
  if (cluster !== undefined && typeof cluster !== 'string') {
    mistakes.push(mistake(`properties.cluster is ${shown(cluster)}`, 'write the name of a cluster, or leave it out'));
  }
  if (failOn !== 'error' && failOn !== 'warning') {
    mistakes.push(mistake(`properties.failOn is ${shown(failOn)}`, 'write error or warning'));
  }
  if (typeof strict !== 'boolean') {
    mistakes.push(mistake(`properties.strict is ${shown(strict)}`, 'write true or false'));
  }
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

/** The folder that holds some files, at whatever depth. */
function folderOf(files: readonly string[]): string {
  let folder = dirname(files[0] ?? '');
  while (!files.every((file) => file.startsWith(folder + sep)) && folder !== dirname(folder)) {
    folder = dirname(folder);
  }
  return folder;
}

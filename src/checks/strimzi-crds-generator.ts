import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { reaches } from '../kafka/strimzi/reaches';
import { StrimziVersion } from '../kafka/strimzi/strimzi-version';
import {
  CRD_ARGUMENTS,
  CRD_GENERATOR_CLASS,
  MODEL_PACKAGE,
  RELEASES_PAGE,
  STRIMZI_KINDS,
  type StrimziKinds,
} from './strimzi-crds.facts';

/** Lines of the generator that an error shows. */
const LINES_SHOWN = 8;

/** Where the vendor has the definitions of a version. */
export function releaseFile(version: string): string {
  return `strimzi-crds-${version}.yaml of the release from ${RELEASES_PAGE}`;
}

/**
 * How the definitions of a version are made.
 *
 * @throws for a version whose definitions the generator makes otherwise than the release has them
 */
export function kindsOf(version: string): readonly StrimziKinds[] {
  const strimzi = StrimziVersion.of(version);
  const found = STRIMZI_KINDS.find(({ since }) => reaches(strimzi, since));
  if (!found) {
    const oldest = STRIMZI_KINDS[STRIMZI_KINDS.length - 1].since;
    throw new Error(
      `the definitions of Strimzi ${version} cannot be made of Maven artifacts, which begin with ${oldest}; ` +
        `take ${releaseFile(version)}`,
    );
  }
  return found.kinds;
}

/** Runs the generator once, and returns the files that it wrote. */
function generated(kinds: StrimziKinds, java: string, classPath: readonly string[], folder: string): string[] {
  const { files, apiVersions, storageVersion, describeApiVersions } = kinds;
  const { status, stdout, stderr, error } = spawnSync(
    java,
    [
      ...['--class-path', classPath.join(delimiter), CRD_GENERATOR_CLASS, ...CRD_ARGUMENTS],
      ...['--api-versions', apiVersions, '--storage-version', storageVersion],
      ...(describeApiVersions ? ['--describe-api-versions', describeApiVersions] : []),
      '--yaml',
      ...Object.entries(files).map(([kind, file]) => `${MODEL_PACKAGE}.${kind}=${join(folder, file)}`),
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) {
    const said = `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(0, LINES_SHOWN);
    throw new Error([`Strimzi's generator made no definition of ${Object.keys(files).join(', ')}`, ...said].join('\n'));
  }
  return Object.values(files).map((file) => join(folder, file));
}

/**
 * The definitions of a version as one text of YAML, in the order of the release's own files.
 *
 * @param classPath jars with the generator and the Java model of the version
 * @param folder where the generator may write
 */
export function madeDefinitions(version: string, java: string, classPath: readonly string[], folder: string): string {
  const kinds = kindsOf(version);
  mkdirSync(folder, { recursive: true });
  const made = kinds.flatMap((each) => generated(each, java, classPath, folder)).sort();
  return made.map((file) => `---\n${readFileSync(file, 'utf8')}`).join('');
}

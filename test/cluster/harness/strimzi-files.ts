import { readFileSync } from 'node:fs';
import type { Ref } from './api';
import { objectsIn } from './manifests';

/** What `npm run test:cluster` has fetched and made. */
interface StrimziFiles {
  readonly java: string;
  readonly releases: ReadonlyArray<{
    readonly version: string;
    readonly definitions: string;
    readonly classPath: readonly string[];
  }>;
}

export function strimziFiles(): StrimziFiles {
  const { STRIMZI } = process.env;
  if (!STRIMZI) {
    throw new Error('there are no definitions of Strimzi: run `npm run test:cluster`, which makes them');
  }
  return JSON.parse(STRIMZI);
}

function releaseOf(version: string) {
  const release = strimziFiles().releases.find((each) => each.version === version);
  if (!release) {
    throw new Error(`nothing was made of Strimzi ${version}`);
  }
  return release;
}

/** The file with the custom resource definitions of a release. */
export function strimziDefinitionsFile(version: string): string {
  return releaseOf(version).definitions;
}

/** The custom resource definitions of a release. */
export function strimziDefinitions(version: string): Ref[] {
  // the file of a release begins with a separator, so its first document is empty
  return objectsIn(readFileSync(strimziDefinitionsFile(version), 'utf8')).filter((object) => object !== null);
}

/** Jars with the Java model of a release. */
export function strimziClassPath(version: string): readonly string[] {
  return releaseOf(version).classPath;
}

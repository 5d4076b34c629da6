import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { App, Chart, Testing } from 'cdk8s';
import { type ILoadBalancerController, LoadBalancedService, type LoadBalancedServiceProps } from '../../../src';
import type { Ref } from '../../real/api';
import { lackIn, objectsIn } from '../../real/objects';

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

const PROGRAM = join(__dirname, '..', 'strimzi-model', 'StrictModel.java');

/** One answer of the program. */
interface Answer {
  readonly unknown: string[];
  readonly model?: unknown;
  readonly refusal?: string;
}

/** What is wrong with an object by what the classes made of it. */
function faults({ apiVersion, ...object }: Ref, { unknown, model, refusal }: Answer): string[] {
  // older classes give back their own first API version
  const lacks = refusal === undefined ? lackIn(model, object) : [refusal];
  const isTold = (lack: string) => unknown.some((pointer) => lack.startsWith(`${pointer}: `));
  return [...unknown.map((pointer) => `${pointer}: unknown`), ...lacks.filter((lack) => !isTold(lack))];
}

/**
 * What the Java model of a release has no place for, or reads otherwise than it is written, of each object: an unknown
 * property, and a value that is none of an enumeration, which comes back changed or not at all.
 */
export function faultsByModel(version: string, objects: readonly Ref[]): string[][] {
  const { status, stdout, stderr, error } = spawnSync(
    strimziFiles().java,
    ['--class-path', strimziClassPath(version).join(delimiter), PROGRAM],
    { encoding: 'utf8', input: objects.map((object) => `${JSON.stringify(object)}\n`).join(''), maxBuffer: 2 ** 26 },
  );
  if (status !== 0) {
    throw new Error(`the model of Strimzi ${version} could not be asked: ${error?.message ?? ''}${stderr ?? ''}`);
  }
  const answers = stdout.split('\n').slice(0, -1);
  return objects.map((object, index) => faults(object, JSON.parse(answers[index])));
}

export function ours(
  namespace: string,
  name: string,
  controller: ILoadBalancerController,
  wishes: Partial<LoadBalancedServiceProps> = {},
  change: (service: LoadBalancedService) => void = () => undefined,
): Ref {
  const chart = new Chart(new App(), 'chart', { namespace });
  const ports = [{ name: 'tcp', port: 443, targetPort: 8443 }];
  change(new LoadBalancedService(chart, 'Service', { name, selector: { app: name }, ports, controller, ...wishes }));
  return Testing.synth(chart)[0];
}

import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import type { Ref } from './api';
import { lackIn } from './contains';
import { strimziClassPath, strimziFiles } from './strimzi-files';

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

import { runExample as run } from '../../support/examples';
import type { Ref } from './api';
import { objectsIn } from './manifests';

/** The objects that a program of examples/ writes, file by file, and what it says meanwhile. */
export function runExample(name: string): { readonly files: Record<string, Ref[]>; readonly said: string } {
  const { files, said } = run(name);
  return { said, files: Object.fromEntries(Object.entries(files).map(([file, text]) => [file, objectsIn(text)])) };
}

import { join } from 'node:path';
import { filesWritten, stderrOf } from '../../support/apps';
import type { Ref } from './api';
import { objectsIn } from './manifests';

/** What a program of examples/ writes, file by file, and what it says meanwhile. */
export function runExample(name: string): { readonly files: Record<string, Ref[]>; readonly said: string } {
  const outdir = process.env.CDK8S_OUTDIR;
  let said = '';
  try {
    const texts = filesWritten((folder) => {
      process.env.CDK8S_OUTDIR = folder;
      said = stderrOf(() => jest.isolateModules(() => require(join(__dirname, '..', '..', '..', 'examples', name))));
    });
    return { said, files: Object.fromEntries(Object.entries(texts).map(([file, text]) => [file, objectsIn(text)])) };
  } finally {
    if (outdir === undefined) {
      delete process.env.CDK8S_OUTDIR;
    } else {
      process.env.CDK8S_OUTDIR = outdir;
    }
  }
}

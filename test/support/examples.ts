import { join } from 'node:path';
import { filesWritten, stderrOf } from './apps';

/** What a program of examples/ writes, file by file, and what it says meanwhile. */
export function runExample(name: string): { readonly files: Record<string, string>; readonly said: string } {
  const outdir = process.env.CDK8S_OUTDIR;
  let said = '';
  try {
    const files = filesWritten((folder) => {
      process.env.CDK8S_OUTDIR = folder;
      said = stderrOf(() => jest.isolateModules(() => require(join(__dirname, '..', '..', 'examples', name))));
    });
    return { files, said };
  } finally {
    if (outdir === undefined) {
      delete process.env.CDK8S_OUTDIR;
    } else {
      process.env.CDK8S_OUTDIR = outdir;
    }
  }
}

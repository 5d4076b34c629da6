import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FOLDER, pythonWithGrammar } from './csharp-code';

/** What is missing to compare the types of C#, in one clause; nothing where they can be compared. */
export function lackOfCsharpCompiler(): string | undefined {
  return spawnSync('mcs', ['--version'], { stdio: 'ignore' }).status === 0 ? undefined : 'mcs, the compiler of Mono';
}

/**
 * What a compiler refuses of generated packages and an app that uses them, a line each. Mono reads an older C#: the code is written
 * again for it, and compiled beside stubs of the runtime. What it says of whether a reference may be null is not known then.
 *
 * @param library the folder of the generated packages
 * @param app a program that uses them
 */
export function refusedByMono(library: string, app: string): string[] {
  const work = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-csharp-'));
  try {
    const [written, older] = [join(work, 'written'), join(work, 'older')];
    mkdirSync(written);
    cpSync(library, join(written, 'library'), { recursive: true });
    cpSync(app, join(written, 'app'), { recursive: true });
    const rewrite = spawnSync(pythonWithGrammar(), ['-B', join(FOLDER, 'older_csharp.py'), written, older], {
      encoding: 'utf8',
    });
    if (rewrite.status !== 0) {
      throw new Error(`C# could not be written for Mono\n${rewrite.stderr}`);
    }
    // what the projects that jsii writes silence, and what they take for errors
    const warnings = ['-warn:4', '-nowarn:0612,0618,0672,0809,1591,0414,0219', '-warnaserror+:0108,0109'];
    const { stdout, stderr, error } = spawnSync(
      'mcs',
      [
        '-target:exe',
        '-langversion:latest',
        ...warnings,
        `-out:${join(work, 'app.exe')}`,
        join(FOLDER, 'Stubs.cs'),
        `-recurse:${join(older, '*.cs')}`,
      ],
      { encoding: 'utf8', maxBuffer: 2 ** 26 },
    );
    if (error) {
      throw error;
    }
    return `${stdout}${stderr}`
      .split('\n')
      .filter((line) => /\berror CS\d+/.test(line))
      .map((line) => line.replace(`${older}/`, ''));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

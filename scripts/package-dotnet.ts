// Makes the package of NuGet. Needs the .NET SDK: without it the code is generated, read by a grammar of C# together with the app of
// test/consumers, and left in dist/dotnet, and the last line says so.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lackOfCsharpGrammar, linesOf, readCsharp } from './packages/csharp-code';
import { BUILT_ON, generateCode, LIBRARY } from './packages/generated-code';

/** Exit code where a toolchain is missing. */
const MISSING = 3;

function hasSdk(): boolean {
  const { status, stdout } = spawnSync('dotnet', ['--list-sdks'], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '';
}

/** What is known of code that is not compiled, in one clause. */
function known(code: string): string {
  const lack = lackOfCsharpGrammar();
  if (lack !== undefined) {
    return `read by nothing, which needs ${lack}`;
  }
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-dotnet-'));
  try {
    const builtOn = generateCode('dotnet', folder, BUILT_ON);
    const read = readCsharp([code, builtOn], join(LIBRARY, 'test', 'consumers', 'dotnet'));
    const lines = linesOf(read);
    if (lines.length > 0) {
      throw new Error(lines.join('\n'));
    }
    return `${read.types} types with those it is built on, without a syntax error`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const dist = join(LIBRARY, 'dist');
rmSync(join(dist, 'dotnet'), { recursive: true, force: true });
if (hasSdk()) {
  const { status } = spawnSync('npx', ['jsii-pacmak', '-v', '--target', 'dotnet'], { cwd: LIBRARY, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  const code = generateCode('dotnet', dist, [LIBRARY]);
  const lack = 'package:dotnet needs the .NET SDK 6 or newer to pack for NuGet, and there is none on the PATH';
  process.stderr.write(`${lack}: dist/dotnet has the code (${known(code)})\n`);
  process.exitCode = MISSING;
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CsharpCode, lackOfCsharpGrammar, linesOf, readCsharp } from '../../packages/csharp-code';
import { BUILT_ON, generateCode, LIBRARY } from '../../packages/generated-code';
import type { Checks } from './checks';
import { copyOfApp } from './consumers';
import type { Language } from './language';
import type { Packed } from './packed';
import { stepsOf } from './page-steps';

const PAGE = join(LIBRARY, 'docs', 'languages', 'dotnet.md');

/** Mistakes that are made in the app, and what must be said of each. */
const MISTAKES: readonly [file: string, from: string, to: string, said: string][] = [
  ['Workload.cs', 'return deployment;', 'return deployment', 'is not C#'],
  ['AcmeController.cs', 'string Name =>', 'string Title =>', 'AcmeController has no Name of ILoadBalancerController'],
  ['Platform.cs', 'TargetPort = 8443', 'TargetPrt = 8443', 'LoadBalancerPort has no TargetPrt'],
  ['Platform.cs', 'NodePools.Karpenter', 'NodePools.Carpenter', 'NodePools has no Carpenter'],
  ['Platform.cs', 'shared.AddTenant', 'shared.JoinTenant', 'SharedLoadBalancer has no JoinTenant'],
  ['Mistake.cs', 'class Mistake', 'class Synth', 'has a member that is named as it is'],
];

function mustBeRight(read: CsharpCode): void {
  if (read.types < 500) {
    throw new Error(`only ${read.types} types were read`);
  }
  if (linesOf(read).length > 0) {
    throw new Error(linesOf(read).join('\n'));
  }
}

function checkApp(checks: Checks, packed: Packed): void {
  const libraries = [generateCode('dotnet', packed.empty('dotnet-libraries'), [LIBRARY, ...BUILT_ON])];
  const folder = copyOfApp(packed, 'dotnet');
  checks.that('every generated type, and the app, is C#; the names that the app uses are there', () => {
    mustBeRight(readCsharp(libraries, folder));
  });
  checks.that('docs/languages/dotnet.md has C#, and the names that it uses are there', () => {
    const page = packed.empty('dotnet-page');
    for (const { file, text } of stepsOf(readFileSync(PAGE, 'utf8'))) {
      if (file !== undefined) {
        writeFileSync(join(page, file), text);
      }
    }
    mustBeRight(readCsharp(libraries, page));
  });
  for (const [file, from, to] of MISTAKES) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), text.replace(from, to));
  }
  const lines = linesOf(readCsharp(libraries, folder));
  for (const [file, , to, said] of MISTAKES) {
    checks.that(`${file} with '${to}' is refused`, () => {
      if (!lines.some((line) => line.includes(`${file}:`) && line.endsWith(said))) {
        throw new Error(`that was not found among\n${lines.join('\n')}`);
      }
    });
  }
}

export const dotnet: Language = {
  name: 'dotnet',
  lack: lackOfCsharpGrammar,
  run: checkApp,
};

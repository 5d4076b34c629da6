import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typesOf } from '../../api/assembly';
import { type CsharpCode, lackOfCsharpGrammar, linesOf, readCsharp } from '../../packages/csharp-code';
import { lackOfCsharpCompiler, refusedByMono } from '../../packages/csharp-compiler';
import { BUILT_ON, generateCode, LIBRARY } from '../../packages/generated-code';
import type { Checks } from './checks';
import { copyOfApp } from './consumers';
import type { Language } from './language';
import type { Packed } from './packed';
import { stepsOf } from './page-steps';

/** What C# is generated of. */
const GENERATED = [LIBRARY, ...BUILT_ON];

const PAGE = join(LIBRARY, 'docs', 'languages', 'dotnet.md');

type Mistake = readonly [file: string, from: string, to: string, said: string];

/** Mistakes that are made in the app, and what must be said of each. */
const MISTAKES: readonly Mistake[] = [
  ['Workload.cs', 'return deployment;', 'return deployment', 'is not C#'],
  ['AcmeController.cs', 'string Name =>', 'string Title =>', 'AcmeController has no Name of ILoadBalancerController'],
  ['Platform.cs', 'TargetPort = 8443', 'TargetPrt = 8443', 'LoadBalancerPort has no TargetPrt'],
  ['Platform.cs', 'NodePools.Karpenter', 'NodePools.Carpenter', 'NodePools has no Carpenter'],
  ['Platform.cs', 'shared.AddTenant', 'shared.JoinTenant', 'SharedLoadBalancer has no JoinTenant'],
  ['Mistake.cs', 'class Mistake', 'class Synth', 'has a member that is named as it is'],
];

/** Mistakes of types, which no grammar sees, and what the compiler says of each. */
const MISTAKES_OF_TYPES: readonly Mistake[] = [
  [
    'Platform.cs',
    'Port = 443, TargetPort',
    'Port = "443", TargetPort',
    "Cannot implicitly convert type `string' to `double'",
  ],
  [
    'AcmeController.cs',
    'new[] { "lb.acme.example/cleanup" }',
    '"lb.acme.example/cleanup"',
    "Cannot implicitly convert type `string' to `string[]'",
  ],
];

function mustBeRight(read: CsharpCode): void {
  const wanted = GENERATED.reduce((sum, folder) => sum + typesOf(folder).length, 0);
  if (read.types < wanted) {
    throw new Error(`only ${read.types} types were read, and the assemblies have ${wanted}`);
  }
  mustBeEmpty(linesOf(read));
}

function checkApp(checks: Checks, packed: Packed): void {
  const libraries = [generateCode('dotnet', packed.empty('dotnet-libraries'), GENERATED)];
  const folder = copyOfApp(packed, 'dotnet');
  checks.that('every generated type, and the app, is C#; the names that the app uses are there', () => {
    mustBeRight(readCsharp(libraries, folder));
  });
  checks.that('docs/languages/dotnet.md has C#, and the names that it uses are there', () => {
    mustBeRight(readCsharp(libraries, pageIn(packed.empty('dotnet-page'))));
  });
  checkTypes(checks, packed, libraries[0], folder);
  make(MISTAKES, folder);
  const lines = linesOf(readCsharp(libraries, folder));
  for (const [file, , to, said] of MISTAKES) {
    checks.that(`${file} with '${to}' is refused`, () => {
      mustHave(lines, (line) => line.includes(`${file}:`) && line.endsWith(said));
    });
  }
}

function checkTypes(checks: Checks, packed: Packed, library: string, app: string): void {
  const lack = lackOfCsharpCompiler();
  if (lack !== undefined) {
    process.stderr.write(`test:languages left out the types of dotnet, which need ${lack}\n`);
    return;
  }
  checks.that('the types of every generated file and of the app are right to the compiler of Mono', () => {
    mustBeEmpty(refusedByMono(library, app));
  });
  checks.that('so are those of docs/languages/dotnet.md', () => {
    mustBeEmpty(refusedByMono(library, pageIn(packed.empty('dotnet-page-types'))));
  });
  const wrong = packed.empty('dotnet-wrong-types');
  cpSync(app, wrong, { recursive: true });
  make(MISTAKES_OF_TYPES, wrong);
  const lines = refusedByMono(library, wrong);
  for (const [file, , to, said] of MISTAKES_OF_TYPES) {
    checks.that(`${file} with '${to}' is refused by it`, () => {
      mustHave(lines, (line) => line.includes(`${file}(`) && line.includes(said));
    });
  }
}

/** Makes mistakes in an app. */
function make(mistakes: readonly Mistake[], app: string): void {
  for (const [file, from, to] of mistakes) {
    const text = readFileSync(join(app, file), 'utf8');
    writeFileSync(join(app, file), text.replace(from, to));
  }
}

function mustHave(lines: readonly string[], isWanted: (line: string) => boolean): void {
  if (!lines.some(isWanted)) {
    throw new Error(`that was not found among\n${lines.join('\n')}`);
  }
}

function mustBeEmpty(lines: readonly string[]): void {
  if (lines.length > 0) {
    throw new Error(lines.join('\n'));
  }
}

/** The files of the page, in a folder. */
function pageIn(folder: string): string {
  for (const { file, text } of stepsOf(readFileSync(PAGE, 'utf8'))) {
    if (file !== undefined) {
      writeFileSync(join(folder, file), text);
    }
  }
  return folder;
}

export const dotnet: Language = {
  name: 'dotnet',
  lack: lackOfCsharpGrammar,
  run: checkApp,
};

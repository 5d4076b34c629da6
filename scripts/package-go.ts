// Makes the module of Go, which is published as source: has it generated and formatted, and compiles it with the app of test/consumers,
// which uses much of it. Needs Go; where no module proxy serves the runtime of jsii, nothing is compiled, and the last line says so.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lackOfGo } from './go/find-go';
import { BUILT_ON, generateCode, LIBRARY } from './packages/generated-code';
import { format, lackOfRuntime, MODULE, mustGo, useGenerated } from './packages/go-module';

const APP = join(LIBRARY, 'test', 'consumers', 'go');

/** Exit code where a toolchain is missing. */
const MISSING = 3;

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

function compile(library: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-go-'));
  try {
    const app = join(folder, 'app');
    cpSync(APP, app, { recursive: true });
    const lack = lackOfRuntime(app);
    if (lack !== undefined) {
      say(`package:go compiled nothing, which needs ${lack}`);
      return;
    }
    mustGo(app, ...useGenerated(library, generateCode('go', folder, BUILT_ON)));
    mustGo(app, 'vet', './...', `${MODULE}/...`);
    say('it compiles, and go vet finds nothing in it');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const lack = lackOfGo(APP);
const dist = join(LIBRARY, 'dist');
rmSync(join(dist, 'go'), { recursive: true, force: true });
const library = generateCode('go', dist, [LIBRARY]);
if (lack === undefined) {
  say(`dist/go: ${format(library)} files of Go, formatted`);
  compile(library);
} else {
  process.stderr.write(`package:go needs Go 1.25 or newer to format and to compile dist/go: ${lack}\n`);
  process.exitCode = MISSING;
}

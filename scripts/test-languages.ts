// One app in every language, as its users have it: an app repository with what is published, in folders of its own, writing the same
// bytes; and the page of the language, followed from nothing to a manifest that is checked. Names of languages choose among them;
// `--update` writes what is expected of all of them again, from the app in TypeScript, and every snapshot.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compileWhereOutdated } from './suites/compiled';
import { Lack, suiteAsProgram, type Tally } from './suites/jest-suite';
import { Checks } from './suites/languages/checks';
import { LANGUAGES } from './suites/languages/languages';
import { Packed } from './suites/languages/packed';

const { values, positionals } = parseArgs({ options: { update: { type: 'boolean' } }, allowPositionals: true });

function chosen() {
  const unknown = positionals.find((asked) => LANGUAGES.every(({ name }) => name !== asked));
  if (unknown !== undefined) {
    throw new Error(
      `${unknown} is not a language of this suite; there are ${LANGUAGES.map(({ name }) => name).join(', ')}`,
    );
  }
  return LANGUAGES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
}

async function run(): Promise<Tally> {
  const lacks = chosen().map((language) => ({ language, lack: language.lack() }));
  for (const { language, lack } of lacks) {
    if (lack !== undefined) {
      process.stderr.write(`test:languages left out ${language.name}, which needs ${lack}\n`);
    }
  }
  const languages = lacks.filter(({ lack }) => lack === undefined).map(({ language }) => language);
  if (languages.length === 0) {
    throw new Lack(`test:languages needs ${lacks.map(({ lack }) => lack).join('; or ')}`);
  }
  compileWhereOutdated();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-languages-')));
  const checks = new Checks();
  const packed = new Packed(folder, values.update === true);
  try {
    for (const language of languages) {
      process.stdout.write(`${language.name}\n`);
      checks.that(`${language.name} is tested to its end`, () => language.run(checks, packed));
    }
    return checks.tally;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void suiteAsProgram(run);

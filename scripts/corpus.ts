// Checks every file of a folder by itself and prints what comes out: findings by level and rule, crashes, and, where the folder
// has a mistakes.tsv of what a careful reader found by hand, which of its rows some finding names. Each file is also compared with
// itself, which changes nothing. --errors prints each error.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import '../src';
import { type CheckedFile, checkedFilesIn } from './corpus/checked-file';
import { isNamed, mistakesIn } from './corpus/mistakes';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { errors: { type: 'boolean' } } });
const [folder] = positionals;
if (folder === undefined) {
  console.error('npm run corpus -- FOLDER [--errors]');
  process.exit(2);
}

const files = checkedFilesIn(folder);
const sum = (of: (file: CheckedFile) => number) => files.reduce((total, file) => total + of(file), 0);
const findings = files.flatMap((file) => file.findings);
const crashes = files.filter(({ crash }) => crash !== undefined);
console.log(
  `${files.length} files, ${sum(({ objects }) => objects)} objects, ${sum((file) => file.unreadable)} unreadable`,
);
for (const level of ['error', 'warning', 'note']) {
  const ids = findings.filter((finding) => finding.level === level).map(({ ruleId }) => ruleId);
  console.log(`${ids.length} of level ${level}`);
  for (const id of [...new Set(ids)].sort()) {
    console.log(`  ${String(ids.filter((one) => one === id).length).padStart(4)} ${id}`);
  }
}
const notKept = files.flatMap((file) => file.notKept.map((one) => `${file.name}: ${one}`));
console.log(`${notKept.length} balancers that a difference of a file to itself does not keep`);
for (const one of notKept) {
  console.log(`  ${one}`);
}
console.log(`${crashes.length} crashes`);
for (const { name, crash } of crashes) {
  console.log(`  ${name}: ${crash}`);
}
if (values.errors) {
  for (const { level, place, ruleId, what } of findings) {
    if (level === 'error') {
      console.log(`${place.file}:${place.line}:${place.column} ${ruleId}: ${what}`);
    }
  }
}
printMistakes(join(folder, 'mistakes.tsv'));
process.exitCode = crashes.length + notKept.length > 0 ? 1 : 0;

function printMistakes(table: string): void {
  if (!existsSync(table)) {
    return;
  }
  const foundIn = new Map(files.map(({ name, found }) => [name, found]));
  const mistakes = mistakesIn(readFileSync(table, 'utf8'));
  const checked = mistakes.filter(({ severity }) => severity !== 'info');
  const missed = checked.filter((mistake) => !isNamed(mistake, foundIn.get(mistake.file) ?? new Set()));
  console.log(`${checked.length - missed.length} of ${checked.length} mistakes are named`);
  for (const { file, severity, word, what } of missed) {
    console.log(`  missed ${file} ${severity} ${word}: ${what}`);
  }
  for (const { file, word } of mistakes.filter(({ severity }) => severity === 'info')) {
    const errors = findings.filter(({ level, place }) => level === 'error' && place.file.includes(`${file}.`));
    console.log(`  right ${file} ${word}: ${errors.map(({ ruleId }) => ruleId).join(', ') || 'no error'}`);
  }
}

// Says which class of release the changes since the last one make, and fails where the version of the changelog is below it;
// --save makes what there is the last release.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions } from '../src/contract/compare-versions';
import { additionsTo, compiled, readBaseline, writeBaseline } from './api/baseline';
import { ALLOWED_BREAKS, breaksBetween } from './api/breaks';
import { ROOT } from './docs/files';
import { entriesOf, readChangelog } from './release/changelog';
import { goldens, goldensOfLastRelease, saveGoldens } from './release/last-release';
import { classOf, nextVersion, type Weight, weightsOfManifests } from './release/release-class';
import { saveRules } from './release/released-rules';

const HEAD =
  '# Breaks of the API since the last release, one a line: the key that `npm run api:diff` prints, and why callers must change.\n';

function save(): void {
  writeBaseline(compiled());
  saveGoldens(goldens());
  saveRules();
  writeFileSync(join(ROOT, ALLOWED_BREAKS), HEAD);
}

function say(): void {
  const [older, newer] = [readBaseline(), compiled()];
  const weights: Weight[] = [
    ...breaksBetween(older, newer).map(({ message }): Weight => ({ of: 'major', why: message })),
    ...additionsTo(older, newer).map((name): Weight => ({ of: 'minor', why: `${name} is new` })),
    ...weightsOfManifests(goldensOfLastRelease(), goldens()),
  ];
  for (const { of, why } of weights) {
    console.log(`${of}  ${why}`);
  }
  const of = classOf(weights);
  const [next, last] = entriesOf(readChangelog());
  const lowest = last && nextVersion(last.version, of);
  console.log(
    `${of} since ${last ? `${last.version}: ${lowest} or higher` : 'no release'}; CHANGELOG.md has ${next.version}`,
  );
  process.exitCode = lowest && compareVersions(next.version, lowest) < 0 ? 1 : 0;
}

(process.argv.includes('--save') ? save : say)();

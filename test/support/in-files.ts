import type { App } from 'cdk8s';
import { checkInFiles } from '../../src/cli/rule-sets';
import type { Json } from '../../src/contract/json';
import { appIndexOf } from '../../src/rules/app-objects';
import { ManifestIndex } from '../../src/rules/manifest-objects';
import type { CheckResult } from '../../src/rules/rule-set';
import { SynthWatch } from '../../src/rules/synth-watch';

function idsOf(results: readonly Pick<CheckResult, 'errors' | 'warnings'>[]): string[] {
  const found = results.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  return [...new Set(found.map(({ ruleId }) => ruleId))].sort();
}

export function foundInApp(app: App): string[] {
  const watch = SynthWatch.of(app);
  return watch.inPass(() =>
    idsOf(watch.objects.map((object) => object.look()).map(({ problems: errors, warnings }) => ({ errors, warnings }))),
  );
}

/** The objects of an app as files would have them, a file for each chart, whatever is wrong with them. */
export function asFiles(app: App): ManifestIndex {
  return SynthWatch.of(app).inPass(
    () =>
      new ManifestIndex(
        appIndexOf(app).all.map(({ construct, json }, line) => ({
          file: `${construct.chart.node.id}.yaml`,
          line,
          object: JSON.parse(JSON.stringify(json)) as Json,
        })),
      ),
  );
}

/** What the rules find in objects of files, and those that have no answer. */
export function foundInFiles(index: ManifestIndex): { readonly found: string[]; readonly unknown: string[] } {
  const results = index.all.flatMap((object) => checkInFiles(object) ?? []);
  const unknown = results.flatMap((result) => result.unknown.map(({ ruleId }) => ruleId));
  return { found: idsOf(results), unknown: [...new Set(unknown)].sort() };
}

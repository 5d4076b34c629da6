// What a real Kubernetes control plane makes of the manifests of this library: builds one from Go modules, and runs
// test/cluster with jest. Go is all that it needs beside Node; with a JDK and Maven, what Strimzi makes of them too, and as
// root on Linux what a kernel makes of kube-proxy's rules. Custom
// resource definitions that no Go module brings along are taken from the folder that CRD_FILES names, where it does.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newRunFolder, removeRunFolder } from '../test/real/program';
import type { StoryRecord } from '../test/real/story';
import { checkPage } from './cluster/what-happens';
import { builtBinary } from './go/binary';
import { downloadedModules } from './go/go-modules';
import { asksForSome, CONFIG, runJestSuite, suiteAsProgram, type Tally } from './suites/jest-suite';
import { CONTROL_PLANE, CRDS, mustHaveGo, NEXT_CLOUD, OPERATORS } from './suites/programs';
import { realRules } from './suites/real-rules';
import { strimziTests } from './suites/strimzi-tests';

const CRD_MODULES = [
  'github.com/cert-manager/cert-manager',
  'github.com/cilium/cilium',
  'github.com/envoyproxy/gateway',
  'github.com/kyverno/kyverno',
  'go.universe.tf/metallb',
  'sigs.k8s.io/gateway-api',
];

/** What the tests left line by line; a line without its end was cut off. */
function linesOf<T>(file: string): T[] {
  const lines = (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as T);
}

/** Prints the figures that the tests left, summed by label. */
function printFigures(file: string, milliseconds: number): void {
  const sums = new Map<string, number>();
  for (const { label, count } of linesOf<{ label: string; count: number }>(file)) {
    sums.set(label, (sums.get(label) ?? 0) + count);
  }
  const lines = [...sums].map(([label, count]) => `  ${count} ${label}\n`);
  process.stdout.write(`${lines.join('')}  ${Math.round(milliseconds / 1000)} seconds\n`);
}

/** Whether test/cluster/what-happens.md says what was seen; a run of some of the tests says nothing about it. */
function pageIsRight(storiesFile: string): boolean {
  if (asksForSome()) {
    return true;
  }
  const problem = checkPage(linesOf<StoryRecord>(storiesFile), process.env.UPDATE_DOCS === '1');
  if (problem) {
    process.stdout.write(`${problem}\n`);
  }
  return problem === undefined;
}

async function run(): Promise<Tally> {
  mustHaveGo('test:cluster', [CONTROL_PLANE.folder, NEXT_CLOUD.folder, OPERATORS.folder, CRDS]);
  const binary = await builtBinary(CONTROL_PLANE);
  const nextCloud = await builtBinary(NEXT_CLOUD);
  const operators = await builtBinary(OPERATORS);
  const modules = downloadedModules(CRDS, CRD_MODULES);
  const folder = newRunFolder();
  const figures = join(folder, 'figures.jsonl');
  const stories = join(folder, 'stories.jsonl');
  const begin = Date.now();
  try {
    const strimzi = strimziTests('test:cluster', folder);
    const rules = realRules('test:cluster');
    const env = {
      ...strimzi.env,
      ...rules.env,
      SUITE: 'cluster',
      CONTROL_PLANE: binary,
      NEXT_CLOUD: nextCloud,
      OPERATORS: operators,
      CRD_MODULES: JSON.stringify(modules),
      FIGURES: figures,
      STORIES: stories,
    };
    const tally = await runJestSuite(CONFIG, folder, env);
    printFigures(figures, Date.now() - begin);
    for (const { leftOut } of [strimzi, rules]) {
      process.stdout.write(leftOut ? `${leftOut}\n` : '');
    }
    return tally.failed === 0 && !pageIsRight(stories) ? { ...tally, failed: 1 } : tally;
  } finally {
    removeRunFolder(folder);
  }
}

void suiteAsProgram(run);

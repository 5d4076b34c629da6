import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart, Include } from 'cdk8s';
import { ROOT } from '../../scripts/docs/files';
import { checkedBefore, filesAfter, STORIES, storyOf } from '../../scripts/docs/stories';
import { AdoptedService, AwsLoadBalancerController, LoadBalancerScheme, NlbTargetType } from '../../src';
import { check } from '../../src/checks/check';
import { CONTEXT_FILE, readContextFile } from '../../src/checks/context/context-file';
import { readManifests } from '../../src/checks/manifests';
import { errorsOf, stderrOf } from '../support/apps';

// What the pages quote of them is generated, and compared in test/docs.test.ts. Here is what makes them stories.

const names = STORIES.map(({ name }) => name);

test.each(names)('the YAML of %s has a finding that counts, and is read as a whole', (name) => {
  const { findings, unreadable } = checkedBefore(name);
  expect(unreadable).toEqual([]);
  expect(findings.filter(({ accepted }) => accepted === undefined)).not.toEqual([]);
});

test.each(names)('the program of %s writes manifests without a finding, and no warning beside them', (name) => {
  let files: ReadonlyMap<string, string> = new Map();
  expect(
    stderrOf(() => {
      files = filesAfter(name);
    }),
  ).toBe('');
  const contexts = [...files].map(([file, text]) => [storyOf(name).clusters?.[file] ?? CONTEXT_FILE, text]);
  const clusters = [...new Set(contexts.map(([context]) => context))];
  const written = (cluster: string) => contexts.filter(([context]) => context === cluster).map(([, text]) => text);
  expect(clusters.flatMap((cluster) => foundIn(name, cluster, written(cluster).join('---\n')))).toEqual([]);
});

test('the YAML of node-pool stops the synth by the same rule', () => {
  const app = new App();
  const chart = new Chart(app, 'edge', { namespace: 'edge' });
  const url = join(ROOT, 'examples', 'stories', 'node-pool', 'before.yaml');
  const include = new Include(chart, 'Yaml', { url });
  const [workload, service] = include.apiObjects;
  const controller = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE });
  new AdoptedService(chart, 'Echo', { service, workload, controller, scheme: LoadBalancerScheme.INTERNAL });
  expect(errorsOf(chart)).toEqual([expect.stringMatching(/^\[edge\/.*\(backend-without-pods\)$/)]);
});

/** What is found in manifests, given what is known of the cluster of a story, but for what is accepted there. */
function foundIn(name: string, contextFile: string, manifests: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'story-'));
  try {
    const file = join(folder, 'after.yaml');
    writeFileSync(file, manifests);
    const { context, mistakes } = readContextFile(join(ROOT, 'examples', 'stories', name, contextFile));
    if (!context) {
      return mistakes.map(({ what }) => what);
    }
    const { findings } = check(readManifests([file]), context);
    return findings.filter(({ accepted }) => accepted === undefined).map(({ ruleId, what }) => `${ruleId}: ${what}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

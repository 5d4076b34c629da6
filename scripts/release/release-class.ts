// What a change of this library does to those who take it, as the number of a version says it: docs/contributing/versioning.md.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CONTEXT_FILE } from '../../src/cli/context/context-file';
import { makeDiff } from '../../src/cli/diff/make-diff';
import { readPaths } from '../../src/cli/diff/read-sides';
import { LOSSES, type Outcome, worstOf } from '../../src/contract/edit';

/** The classes of a release, the heaviest first. */
export const CLASSES = ['major', 'minor', 'patch'] as const;
export type ReleaseClass = (typeof CLASSES)[number];

/** Why a release is of a class. */
export interface Weight {
  readonly of: ReleaseClass;
  readonly why: string;
}

/** Manifests by the names of their files. */
export type Manifests = Readonly<Record<string, string>>;

/** The controllers that run where a manifest is applied, by the beginning of its file's name: the longest that fits. */
const CONTROLLERS: Readonly<Record<string, readonly string[]>> = {
  '': ['aws-load-balancer-controller', 'cloud-provider-aws'],
  azure: ['cloud-provider-azure'],
  aks: ['cloud-provider-azure'],
  'aks-basic': ['{ name: cloud-provider-azure, sku: basic }'],
  'aks-multiple': ['{ name: cloud-provider-azure, sku: multipleStandard }'],
  'eks-auto-mode': ['eks-auto-mode'],
  gke: ['gke'],
  hetzner: ['hcloud-cloud-controller-manager'],
  metal: ['metallb'],
};

/** What the manifests of a release do to what an older one wrote; new ones do nothing to it. */
export function weightsOfManifests(older: Manifests, newer: Manifests): Weight[] {
  return Object.entries(older).flatMap(([name, before]): Weight[] => {
    const after = newer[name];
    if (before === after) {
      return [];
    }
    const outcome = after === undefined ? 'deleted' : outcomeOf(name, before, after);
    const of = LOSSES.has(outcome) || outcome === 'unknown' ? 'major' : 'minor';
    return [{ of, why: `${name}: ${outcome}` }];
  });
}

/** What becomes of the balancers of one manifest, at worst. */
function outcomeOf(name: string, before: string, after: string): Outcome {
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-release-'));
  try {
    const file = name.split('/').at(-1) ?? name;
    const [controllers] = Object.entries(CONTROLLERS)
      .filter(([beginning]) => file.startsWith(beginning))
      .sort(([one], [other]) => other.length - one.length)
      .map(([, names]) => names);
    const [old, now] = Object.entries({ before, after }).map(([side, yaml]) => {
      const path = join(folder, side, file);
      mkdirSync(dirname(path));
      writeFileSync(path, yaml);
      return dirname(path);
    });
    writeFileSync(join(folder, CONTEXT_FILE), `controllers: [ ${controllers.join(', ')} ]\n`);
    const [sides] = readPaths(old, now, {});
    const { changes } = makeDiff(sides, { allowed: [], today: '2000-01-01' });
    return worstOf(changes.map(({ outcome }) => outcome));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a release has to be called for these reasons. */
export function classOf(weights: readonly Weight[]): ReleaseClass {
  return CLASSES.find((one) => weights.some(({ of }) => of === one)) ?? 'patch';
}

/** The lowest version of a class after another. Before 1.0.0 the second number is what the first is later. */
export function nextVersion(version: string, of: ReleaseClass): string {
  const [major, minor, patch] = version.split('.').map(Number);
  const place = CLASSES.indexOf(of) + (major === 0 && of !== 'patch' ? 1 : 0);
  return [
    [major + 1, 0, 0],
    [major, minor + 1, 0],
    [major, minor, patch + 1],
  ][place].join('.');
}

import { existsSync, writeFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import type { Command } from 'commander';
import { grouped, printable } from '../contract/json';
import { count } from '../contract/rule';
import { titleOf } from '../predicted/predicted';
import { RuleSet } from '../rules/rule-set';
import { check, objectsIn } from './check';
import { type CheckReport, mergedReports } from './check-report';
import { CONTEXT_FILE } from './context/context-file';
import { evidenceIn } from './context/inference';
import { DISK, UsageError } from './files';
import { FORMATS, type FormatName } from './formats/formats';
import { resultOfCheck } from './formats/words';
import { readManifests } from './manifests';
import { type Answer, addRepositoryCommand, readClusters, type SharedOptions } from './options';
import { readProposed } from './sources/clusters';
import { Discovery, isWithin, withoutPatterns } from './sources/discovery';
import {
  initialClustersFile,
  initialContextFile,
  type ProposedCluster,
  type ProposedSource,
  proposedClusters,
} from './sources/init';

interface CheckOptions extends SharedOptions {
  readonly format: FormatName;
  readonly width?: number;
  readonly date: string;
  readonly init?: true;
}

export function addCheck(program: Command, version: string): void {
  addRepositoryCommand<CheckOptions>(program, 'check', {
    formats: Object.keys(FORMATS),
    answer: (paths, options) =>
      options.init ? init(paths, options.config ?? CONTEXT_FILE) : answerOf(version, paths, options),
  });
}

function answerOf(version: string, paths: readonly string[], options: CheckOptions): Answer {
  const { format, failOn, strict = false, verbose: isVerbose, width, date } = options;
  const clusters = readClusters(paths, options);
  const report = mergedReports(
    clusters.map(({ name: cluster, read, context }) => ({ ...check(read, context, date), cluster })),
  );
  const rules = rulesOf(report);
  return {
    text: FORMATS[format](report, { version, rules, failOn, strict, isVerbose, ...(width !== undefined && { width }) }),
    ...resultOfCheck(report),
  };
}

function init(paths: readonly string[], file: string): Answer {
  if (existsSync(file)) {
    throw new UsageError(`${file} is there already; remove it first, or name another one by --config`);
  }
  const [folder = '.'] = paths;
  const isFolder = paths.length < 2 && DISK.kindOf(folder) === 'folder';
  const found = isFolder ? new Discovery(DISK).in(folder) : undefined;
  const plain = readManifests(found ? found.plain : withoutPatterns(paths));
  const clusters = found ? proposedClusters(plain.manifests, found, normalize(folder), DISK) : [];
  if (clusters.length === 0) {
    const { manifests, index, ofLater } = objectsIn(plain);
    writeFileSync(file, initialContextFile(evidenceIn(index, ofLater)));
    return { text: `${printable(file)} is written from ${count(manifests.length, 'object')}\n` };
  }
  const overlays = clusters.flatMap((one) => byOverlay(one, normalize(folder)));
  const known = [...grouped(overlays, ({ name }) => name)]
    .map(([name, alike]) => ({ name, sources: alike.flatMap(({ sources }) => sources) }))
    .map((one) => {
      const { index, ofLater } = objectsIn(readProposed(one, normalize(folder)));
      return { ...one, evidence: evidenceIn(index, ofLater) };
    });
  writeFileSync(file, initialClustersFile(known));
  const names = printable(known.map(({ name }) => name).join(', '));
  const text = `${printable(file)} is written for ${count(known.length, 'cluster')}: ${names}\n`;
  const listed = clusters.flatMap(({ sources }) => sources.flatMap(pathsOf)).map((path) => join(folder, path));
  const all = [...(found?.kustomizations ?? []), ...(found?.charts ?? [])];
  const left = all.filter((path) => !listed.some((one) => isWithin(path, one)));
  const what = `no object of Argo CD or Flux applies ${left.join(', ')}`;
  return { text: left.length > 0 ? `${text}${printable(`${what}; add each as a source of its cluster`)}\n` : text };
}

/** Kinds of objects that make a Service, of which a cluster has one by a name. */
const MADE_ONCE = ['Service', 'HelmRelease', 'Kafka', 'Gateway'];

/**
 * A cluster for each overlay if several render one object, since an object is applied to a cluster once. Paths of overlays differ in
 * one folder, which names the cluster.
 */
function byOverlay(cluster: ProposedCluster, folder: string): ProposedCluster[] {
  const rendered = cluster.sources.flatMap((source) => {
    const parts = pathsOf(source)[0].split('/');
    return readProposed({ ...cluster, sources: [source] }, folder)
      .manifests.filter(({ object }) => MADE_ONCE.includes(String(object.kind)))
      .map(({ object }) => ({ title: `${object.kind} ${titleOf(object)}`, parts }));
  });
  const names = new Map<string, string>();
  for (const alike of grouped(rendered, ({ title }) => title).values()) {
    for (const { parts } of alike) {
      const differing = alike
        .filter((other) => other.parts.length === parts.length)
        .map((other) => parts.flatMap((part, i) => (other.parts[i] === part ? [] : [i])));
      const [at] = differing.find(({ length }) => length === 1) ?? [];
      if (at !== undefined) {
        names.set(parts.slice(0, at + 1).join('/'), parts[at]);
      }
    }
  }
  const nameOf = (source: ProposedSource) =>
    [...names].find(([path]) => pathsOf(source).every((one) => isWithin(one, path)))?.[1] ?? cluster.name;
  return [...grouped(cluster.sources, nameOf)].map(([name, sources]) => ({ name, sources }));
}

function pathsOf(source: ProposedSource): readonly string[] {
  return 'files' in source ? source.files : ['kustomize' in source ? source.kustomize : String(source.helm.chart)];
}

function rulesOf({ findings }: CheckReport) {
  return [...new Set(findings.map(({ ruleId }) => ruleId))].flatMap((id) => RuleSet.withId(id).slice(0, 1));
}

import { existsSync, writeFileSync } from 'node:fs';
import { basename, join, normalize } from 'node:path';
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
import { verdictOf } from './formats/words';
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
    ...verdictOf(report),
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
  const known = clusters
    .flatMap((one) => byOverlay(one, normalize(folder)))
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

/** A cluster for each overlay if several render one Service: an object is applied to a cluster once. */
function byOverlay(cluster: ProposedCluster, folder: string): ProposedCluster[] {
  const servicesOf = (source: ProposedSource) =>
    readProposed({ ...cluster, sources: [source] }, folder).manifests.filter(({ object }) => object.kind === 'Service');
  const titlesOf = (source: ProposedSource) => [...new Set(servicesOf(source).map(({ object }) => titleOf(object)))];
  const titles = new Map(cluster.sources.map((source) => [source, titlesOf(source)]));
  const all = [...titles.values()].flat();
  const isTwice = (title: string) => all.indexOf(title) !== all.lastIndexOf(title);
  const pathOf = (one: ProposedSource) => ('kustomize' in one && titles.get(one)?.some(isTwice) ? one.kustomize : '');
  const ends = cluster.sources.map((one) => basename(pathOf(one)));
  const nameOf = (path: string) =>
    ends.indexOf(basename(path)) === ends.lastIndexOf(basename(path)) ? basename(path) : path.replaceAll('/', '-');
  return [...grouped(cluster.sources, (one) => nameOf(pathOf(one)) || cluster.name)].map(([name, sources]) => ({
    name,
    sources,
  }));
}

function pathsOf(source: ProposedSource): readonly string[] {
  return 'files' in source ? source.files : ['kustomize' in source ? source.kustomize : String(source.helm.chart)];
}

function rulesOf({ findings }: CheckReport) {
  return [...new Set(findings.map(({ ruleId }) => ruleId))].flatMap((id) => RuleSet.withId(id).slice(0, 1));
}

import { existsSync, writeFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { count, printable } from '../contract/printable';
import { RuleSet } from '../rules/rule-set';
import { check, objectsIn } from './check';
import { type CheckReport, mergedReports } from './check-report';
import { readClusters, withClusterOptions } from './cluster-options';
import { CONTEXT_FILE } from './context/context-file';
import { evidenceIn } from './context/inference';
import { DISK } from './files';
import { exitCode, type FailOn } from './formats/exit-code';
import { FORMATS, type FormatName } from './formats/formats';
import { readManifests } from './manifests';
import { withoutPatterns } from './patterns';
import { type ClusterOptions, readProposed } from './sources/clusters';
import { Discovery, isWithin } from './sources/discovery';
import { initialClustersFile, initialContextFile } from './sources/init';
import { type ProposedSource, proposedClusters } from './sources/proposal';

interface CheckOptions extends ClusterOptions {
  readonly format: FormatName;
  readonly failOn: FailOn;
  readonly strict?: true;
  readonly date?: string;
  readonly init?: true;
}

/** The command that checks manifests of any origin. */
export function addCheck(program: Command, version: string): void {
  withClusterOptions(program.command('check'))
    .description(
      'asks every rule about the objects of files, whoever wrote them: what is wrong with their load balancers, where, and what to do; exits with 1 on errors and on files that cannot be read',
    )
    .argument(
      '[path...]',
      'files, folders of YAML or JSON files, quoted patterns such as "k8s/**/*.yaml", or - for standard input',
      ['.'],
    )
    .addOption(new Option('--format <format>', 'how it is printed').choices(Object.keys(FORMATS)).default('text'))
    .addOption(
      new Option('--fail-on <level>', 'the weakest finding that fails').choices(['error', 'warning']).default('error'),
    )
    .option('--strict', 'fail where a rule has no answer, too')
    .option('--date <day>', 'the day for findings that are accepted until one, as 2027-06-30; today by default', day)
    .option('--init', `writes ${CONTEXT_FILE} from what the files show, and checks nothing`)
    .action((paths: string[], options: CheckOptions) => run(program, version, paths, options));
}

/** The last day of a month that has no such day is not asked for: texts are compared. */
export function day(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text))) {
    throw new InvalidArgumentError('write a day as 2027-06-30');
  }
  return text;
}

function run(program: Command, version: string, paths: string[], options: CheckOptions): void {
  const { format, failOn, strict = false } = options;
  if (options.init) {
    init(program, paths, options.config ?? CONTEXT_FILE);
    return;
  }
  const today = options.date ?? new Date().toISOString().slice(0, 10);
  const clusters = readClusters(program, paths, options);
  const report = mergedReports(
    clusters.map(({ name: cluster, read, context }) => ({ ...check(read, context, today), cluster })),
  );
  const { isTTY = false, columns } = process.stdout;
  process.stdout.write(
    FORMATS[format](report, {
      version,
      rules: rulesOf(report),
      failOn,
      strict,
      color: isTTY && !process.env.NO_COLOR,
      ...(isTTY && { width: columns }),
    }),
  );
  process.exitCode = exitCode(report, { failOn, strict });
}

/** Writes a context file from what the files show: one cluster, or clusters with what GitOps tools or renderers make of the files. */
function init(program: Command, paths: readonly string[], file: string): void {
  if (existsSync(file)) {
    program.error(`${printable(file)} is there already; take it away first, or name another one by --config`);
  }
  const [folder] = paths;
  const isFolder = paths.length === 1 && DISK.kindOf(folder) === 'folder';
  const found = isFolder ? new Discovery(DISK).in(folder) : undefined;
  const plain = readManifests(found ? found.plain : withoutPatterns(paths));
  const clusters = found ? proposedClusters(plain.manifests, found, normalize(folder), DISK) : [];
  if (clusters.length === 0) {
    const { manifests, index, ofLater } = objectsIn(plain);
    writeFileSync(file, initialContextFile(evidenceIn(index, ofLater)));
    process.stdout.write(`${printable(file)} is written from ${count(manifests.length, 'object')}\n`);
    return;
  }
  const known = clusters.map((one) => {
    const { index, ofLater } = objectsIn(readProposed(one, normalize(folder)));
    return { ...one, evidence: evidenceIn(index, ofLater) };
  });
  writeFileSync(file, initialClustersFile(known));
  const names = printable(clusters.map(({ name }) => name).join(', '));
  process.stdout.write(`${printable(file)} is written for ${count(clusters.length, 'cluster')}: ${names}\n`);
  const listed = clusters.flatMap(({ sources }) => sources.flatMap(pathsOf)).map((path) => join(folder, path));
  const all = [...(found?.kustomizations ?? []), ...(found?.charts ?? [])];
  const left = all.filter((path) => !listed.some((one) => isWithin(path, one)));
  if (left.length > 0) {
    const what = `no object of Argo CD or Flux applies ${left.join(', ')}`;
    process.stdout.write(printable(`${what}; add each as a source of its cluster`).concat('\n'));
  }
}

function pathsOf(source: ProposedSource): readonly string[] {
  return 'files' in source ? source.files : ['kustomize' in source ? source.kustomize : String(source.helm.chart)];
}

function rulesOf({ findings }: CheckReport) {
  return [...new Set(findings.map(({ ruleId }) => ruleId))].flatMap((id) => RuleSet.withId(id).slice(0, 1));
}

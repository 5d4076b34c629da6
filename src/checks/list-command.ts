import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { groupedByAll } from '../contract/grouped';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { printable } from '../contract/printable';
import { laterServices } from '../later/later-services';
import { LiveServices } from '../later/live-services';
import { ManifestIndex } from '../rules/manifest-objects';
import { check } from './check';
import type { CheckFinding, Level } from './check-report';
import { readClusters, withClusterOptions } from './cluster-options';
import { inferredContext } from './context/inference';
import { lackOf } from './formats/words';
import { listJson, listSummary, listTable, listText } from './list';
import { leftOut } from './manifests';
import { reportServices, type ServiceReport } from './service-report';
import type { Cluster, ClusterOptions } from './sources/clusters';

interface ListOptions extends ClusterOptions {
  readonly format: 'text' | 'json';
  readonly wide?: boolean;
  readonly verbose?: boolean;
}

/** `edge/echo`, where no file has that name. */
const SERVICE_NAME = /^[a-z0-9][-a-z0-9]*\/[a-z0-9][-a-z0-9.]*$/;

/** The command that lists load balanced Services. */
export function addList(program: Command): void {
  withClusterOptions(program.command('list'))
    .description(
      'lists every load balanced Service with its owner, and what decides its balancer; exits with 1 if one has an error or a file cannot be read',
    )
    .argument(
      '[path...]',
      'files, folders of YAML or JSON files, or - for standard input; namespace/name lists one Service in full',
      ['.'],
    )
    .addOption(new Option('--format <format>', 'how it is printed').choices(['text', 'json']).default('text'))
    .option('--wide', 'more columns')
    .option('--verbose', 'all that is known of each Service')
    .action((words: string[], options: ListOptions) => {
      const wanted = words.filter((word) => SERVICE_NAME.test(word) && !existsSync(word));
      const others = words.filter((word) => !wanted.includes(word));
      const paths = others.length > 0 ? others : ['.'];
      const clusters = readClusters(program, paths, options);
      const lists = clusters.map((cluster) => listed(cluster, wanted, options));
      process.stdout.write(
        options.format === 'json'
          ? listJson(
              lists.flatMap(({ reports, name }) =>
                reports.map((one) => ({ ...one, ...(name !== undefined && { cluster: name }) })),
              ),
            )
          : [...lists.map(({ text }) => text), ...totalOf(lists)].join('\n'),
      );
      const isFailure = lists.some(({ fails }) => fails);
      process.exitCode = clusters.some(({ read }) => read.unreadable.some(({ isSource }) => isSource))
        ? 2
        : isFailure
          ? 1
          : 0;
    });
}

interface Listed {
  readonly name?: string;
  /** The number of load balancers that are created later of other objects. */
  readonly others: number;
  readonly reports: readonly ServiceReport[];
  readonly text: string;
  readonly fails: boolean;
}

function totalOf(lists: readonly Listed[]): string[] {
  const others = lists.reduce((sum, one) => sum + one.others, 0);
  const all = lists.flatMap(({ reports }) => reports);
  return lists.length > 1 ? [`${lists.length} clusters: ${listSummary(all, others)}\n`] : [];
}

function listed(cluster: Cluster, wanted: readonly string[], options: ListOptions): Listed {
  const { name, context: written } = cluster;
  const { manifests, unreadable, strange, notes = [] } = cluster.read;
  const later = laterServices(manifests);
  const index = new ManifestIndex(manifests);
  const context = inferredContext(
    index,
    written,
    later.services.map((service) => index.entryOf(service)),
  );
  const told = [
    ...unreadable.map((one) => `${one.place.file}:${one.place.line}: ${lackOf(one)}: ${one.what}; ${one.remedy}`),
    ...notes,
    ...leftOut(strange),
    ...later.notes,
  ];
  for (const note of told) {
    process.stderr.write(`${printable(name === undefined ? note : `${name}: ${note}`)}\n`);
  }
  const services = manifests.filter(({ object }) => object.kind === 'Service' && object.apiVersion === 'v1');
  const described = reportServices([...services, ...new LiveServices(manifests).missing(later.services)], manifests, {
    areControllersInferred: context.areControllersInferred,
    controllers: context.controllers && [...context.controllers],
  });
  const findings = findingsByService(cluster);
  const all = described.map((report) => withFindings(report, findings));
  const isWanted = (report: ServiceReport) => wanted.includes(`${report.namespace}/${report.name}`);
  const reports = wanted.length > 0 ? all.filter(isWanted) : all;
  const text =
    options.verbose || wanted.length > 0
      ? listText(reports, context.known, later.others)
      : listTable(reports, context.known, later.others, options.wide);
  return {
    name,
    others: later.others,
    reports,
    text: name === undefined ? text : `cluster ${printable(name)}\n\n${text}`,
    fails: unreadable.length > 0 || reports.some(({ errors }) => errors.length > 0),
  };
}

type Findings = ReadonlyMap<string, readonly CheckFinding[]>;
const keyOf = (...parts: unknown[]) => JSON.stringify(parts);
const NOTHING_FOUND = { errors: [], warnings: [], notes: [] };

/** The findings of `check` about Services, by the file and the name of the Service, or by its origin. */
function findingsByService({ read, context }: Cluster): Findings {
  const { findings } = check(read, context, new Date().toISOString().slice(0, 10));
  return groupedByAll(findings, ({ object: { kind, namespace = '', name, madeBy }, place: { file }, accepted }) => {
    const isOfService = kind === 'Service' || madeBy !== undefined;
    return accepted || !isOfService ? [] : [keyOf(file, madeBy ?? [namespace, name])];
  });
}

/** A Service with the findings of `check`. A rule that `check` reports at the origin of a predicted Service is its own finding. */
function withFindings(report: ServiceReport, findings: Findings): ServiceReport {
  const { file, madeBy } = report;
  const names = [report.namespace, report.name].map((one) => printable(String(one ?? '')).replace(/\*$/, ''));
  const found = findings.get(keyOf(file, madeBy === undefined ? names : printable(madeBy))) ?? [];
  const { errors, warnings, notes } = madeBy === undefined ? NOTHING_FOUND : report;
  const own = new Set([...errors, ...warnings, ...notes].map(({ ruleId }) => ruleId));
  const at = (level: Level, before: readonly LoadBalancerFinding[]) => [
    ...before,
    ...found
      .filter((one) => one.level === level && !own.has(one.ruleId))
      .map(({ ruleId, who, what, remedy, value, pointer }) => ({ ruleId, who, what, remedy, value, at: pointer })),
  ];
  return { ...report, errors: at('error', errors), warnings: at('warning', warnings), notes: at('note', notes) };
}

import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { printable } from '../contract/printable';
import type { ReportedService } from '../later/later';
import { LiveServices } from '../later/live-services';
import { checkObjects } from './check';
import { readClusters, withClusterOptions } from './cluster-options';
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
  const { name, read } = cluster;
  const { unreadable, strange, notes = [] } = read;
  const checked = checkObjects(read, cluster.context, new Date().toISOString().slice(0, 10));
  const { manifests, later, context } = checked;
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
  const live = new LiveServices(manifests);
  const missing = later.services.flatMap((made) => live.missing([made]).map((shown) => [made, shown] as const));
  const of = new Map(missing.map(([made, shown]) => [shown, made]));
  const findingsOf = (one: ReportedService) => checked.findingsOf(of.get(one) ?? one);
  const all = reportServices({ ...checked, findingsOf }, [...services, ...of.keys()]);
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

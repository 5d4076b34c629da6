import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { LiveServices } from '../predicted/live-services';
import type { ReportedService } from '../predicted/predicted';
import { checkObjects } from './check';
import { clusterTitle, guessInWords } from './formats/words';
import { listJson, listSummary, listTable, listText, unknownIn } from './list';
import { leftOut } from './manifests';
import { Misuse } from './misuse';
import { type Answer, addRepositoryCommand, PATHS, readClusters, type SharedOptions, tell, today } from './options';
import { reportServices, type ServiceReport } from './service-report';
import type { Cluster } from './sources/clusters';

interface ListOptions extends SharedOptions {
  readonly wide?: boolean;
}

/** `edge/echo`, where no file has that name. */
const SERVICE_NAME = /^[a-z0-9][-a-z0-9]*\/[a-z0-9][-a-z0-9.]*$/;

export function addList(program: Command): void {
  addRepositoryCommand<ListOptions>(program, 'list', { formats: ['text', 'json'], answer: answerOf })
    .description('lists Services with a load balancer: owner, scheme, finalizer, problems')
    .argument('[path...]', `${PATHS}; namespace/name lists one Service in full`)
    .option('--wide', 'more columns');
}

function answerOf(words: readonly string[], options: ListOptions): Answer {
  const wanted = words.filter((word) => SERVICE_NAME.test(word) && !existsSync(word));
  const clusters = readClusters(
    words.filter((word) => !wanted.includes(word)),
    options,
  );
  const lists = clusters.map((cluster) => listed(cluster, wanted, options));
  const reports = lists.flatMap(({ reports: all, name }) =>
    all.map((one) => ({ ...one, ...(name !== undefined && { cluster: name }) })),
  );
  const missing = wanted.find((word) => !reports.some(({ namespace, name }) => word === `${namespace}/${name}`));
  if (missing !== undefined) {
    throw new Misuse(`no Service ${missing} is in these files; write NAMESPACE/NAME of one that list prints`);
  }
  const has = (level: 'errors' | 'warnings') => reports.some((one) => one[level].length > 0);
  return {
    text:
      options.format === 'json'
        ? listJson(reports)
        : `${[...lists.map(({ text }) => text), ...totalOf(lists)].join('\n')}${lists.flatMap(({ guess }) => guess).join('')}`,
    worst: has('errors') ? 'error' : has('warnings') ? 'warning' : undefined,
    isUnknown: reports.some((one) => unknownIn(one) !== undefined),
    isUnreadable: clusters.some(({ read }) => read.unreadable.length > 0),
  };
}

interface Listed {
  readonly name?: string;
  /** The number of load balancers that are created later of other objects. */
  readonly others: number;
  readonly reports: readonly ServiceReport[];
  readonly text: string;
  readonly guess: readonly string[];
}

function totalOf(lists: readonly Listed[]): string[] {
  const others = lists.reduce((sum, one) => sum + one.others, 0);
  const all = lists.flatMap(({ reports }) => reports);
  return lists.length > 1 ? [`${lists.length} clusters: ${listSummary(all, others)}\n`] : [];
}

function listed(cluster: Cluster, wanted: readonly string[], options: ListOptions): Listed {
  const { name, read } = cluster;
  const checked = checkObjects(read, cluster.context, today());
  const { manifests, later, context, report } = checked;
  const open = report.findings.filter(({ accepted }) => !accepted);
  tell(name, read, [...leftOut(read.strange), ...later.notes]);
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
    text: `${clusterTitle(name)}${text}`,
    guess: guessInWords(open, context.known).map((line) => `${line}\n`),
  };
}

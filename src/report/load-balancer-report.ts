import type { IConstruct } from 'constructs';
import { refuseWrongProps, refuseWrongValue } from '../contract/declared-types';
import { type Json, mapIn } from '../contract/json';
import { appIndexOf } from '../rules/app-objects';
import { likelyOwner } from '../rules/claimants';
import { type ControllerDefinition, knownKinds } from '../rules/controller-definition';
import type { JudgedObject } from '../rules/judged-object';
import { madeOf } from '../rules/made-of';
import { Workloads } from '../rules/selected-workloads';
import { wantsLoadBalancer } from '../rules/service-json';
import { SynthWatch } from '../rules/synth-watch';
import { VARIANTS } from '../traffic/what-if';
import { reportJson } from './json';
import { makeReport } from './make-report';
import { reportMarkdown } from './markdown';
import { htmlOf } from './page/page';
import type { Report } from './report';
import type { BalancerToReport } from './report-options';
import { reportText } from './text';

/**
 * Another way for the packets of the same Services.
 */
export enum TrafficWhatIf {
  /** `externalTrafficPolicy: Local`. */
  LOCAL = 'local',

  /** `externalTrafficPolicy: Cluster`. */
  CLUSTER = 'cluster',

  /** Pods as the targets of the balancer. */
  IP = 'ip',

  /** Pods on the nodes of the balancer alone, spread over them, with policy Local. */
  PINNED = 'pinned',

  /** Pods spread over all nodes. */
  SPREAD = 'spread',
}

/**
 * What a report is made with that no object of an app says.
 */
export interface LoadBalancerReportOptions {
  /**
   * Nodes and pods of the cluster, as `kubectl get nodes,pods -A -o json` prints them and a parser reads them.
   *
   * @default - unknown: there are no shares of nodes and pods
   */
  readonly clusterObjects?: unknown[];

  /**
   * Other ways of the packets, beside the one of today.
   *
   * @default - none
   */
  readonly whatIf?: TrafficWhatIf[];

  /**
   * The region of the vendor whose prices count.
   *
   * @default - for each product the region that its table of prices begins with; the report names it
   */
  readonly region?: string;

  /**
   * In how many zones a balancer is, where its Service does not say it.
   *
   * @default - the number of zones of the nodes, or unknown
   */
  readonly zones?: number;

  /**
   * Gigabytes of a month through each balancer, both directions together.
   *
   * @default - traffic is not counted
   */
  readonly gbPerMonth?: number;

  /**
   * Connections that are open at a time through each balancer.
   *
   * @default - they are not counted
   */
  readonly connections?: number;

  /**
   * Quotas of the account by their ids, which the report names.
   *
   * @default - those of a new account
   */
  readonly quotas?: { [id: string]: number };

  /**
   * The day by which prices are old, as `2027-06-30`.
   *
   * @default - prices are not called old: a synth reads no clock
   */
  readonly date?: string;
}

/**
 * What the load balancers of an app do to packets, what they cost a month by list price, and which quotas they use: each number
 * with its terms. Never a quote.
 *
 * It looks at the app as it is now, and nothing of it is part of a synth.
 */
export class LoadBalancerReport {
  /**
   * A report on a construct and everything below it.
   *
   * @param scope an App, a Chart or any construct
   * @param options what no object of the app says
   * @throws on options of another type than they are declared with
   */
  public static of(scope: IConstruct, options: LoadBalancerReportOptions = {}): LoadBalancerReport {
    refuseWrongValue('LoadBalancerReport.of', 'the scope', 'IConstruct', scope);
    refuseWrongProps('LoadBalancerReport.of', 'LoadBalancerReportOptions', options);
    return new LoadBalancerReport(scope, options);
  }

  private constructor(
    private readonly scope: IConstruct,
    private readonly options: LoadBalancerReportOptions,
  ) {}

  /** The report for people: a table of owners, the way of packets, what is needed for more and what was assumed. */
  public text(): string {
    return reportText(this.report());
  }

  /** The report for programs. */
  public json(): string {
    return reportJson(this.report());
  }

  /** The report for a forge: tables, and the way of packets as Mermaid flowcharts. */
  public markdown(): string {
    return reportMarkdown(this.report());
  }

  /** The report as one page with pictures that needs no other file, no script and no network. */
  public html(): string {
    return htmlOf(this.report());
  }

  private report(): Report {
    const { clusterObjects = [], whatIf = [], date, ...figures } = this.options;
    const watch = SynthWatch.find(this.scope);
    const look = () =>
      makeReport(this.balancers(watch?.objects ?? []), {
        ...figures,
        objects: clusterObjects,
        variants: VARIANTS.filter((variant) => whatIf.some((way) => way === variant)),
        today: date,
        needs: clusterObjects.length > 0 ? [] : ['needs nodes and pods for shares: give clusterObjects'],
      });
    return watch ? watch.inPass(look) : look();
  }

  private balancers(judged: readonly JudgedObject[]): BalancerToReport[] {
    const objects = appIndexOf(this.scope).all.filter(({ scopes }) => scopes.includes(this.scope));
    const beside = objects.filter(({ kind }) => kind !== 'Service').map(({ json }) => json);
    const workloads = new Workloads(beside);
    const planned = judged
      .filter(({ host, planned: plan }) => plan !== undefined && host.node.scopes.includes(this.scope))
      .flatMap((object) =>
        object.balancedServices.map((service) =>
          reported(service, object.path, { name: object.planned?.plan.owner, beside, workloads }),
        ),
      );
    const plain = objects
      .filter((object) => object.kind === 'Service' && !object.isJudged && wantsLoadBalancer(object.json))
      .map(({ json, path }) => reported(json, path, { beside, workloads }));
    return [...planned, ...plain];
  }
}

/** What is beside a Service of an app, and who is planned to own it. */
interface Surroundings {
  readonly name?: string;
  readonly beside: readonly Json[];
  readonly workloads: Workloads;
}

function reported(service: Json, path: string, { name, beside, workloads }: Surroundings): BalancerToReport {
  const kind = name === undefined ? likelyOwner(service)?.kind : knownKinds().find((each) => each.name === name);
  const made = kind && madeOf(service, kind, beside);
  const owner = name ?? kind?.name ?? 'unknown';
  const metadata = mapIn(service, 'metadata');
  return {
    service,
    namespace: String(metadata.namespace ?? 'default'),
    name: String(metadata.name ?? ''),
    owner,
    ...(name === undefined && kind ? { isGuess: true } : {}),
    ...(made ? { made } : { unknown: unknownOf(owner, kind) }),
    ...(kind ? { controller: kind } : {}),
    workloads: workloads.of(service),
    place: path,
  };
}

function unknownOf(owner: string, kind: ControllerDefinition | undefined): string {
  return kind || owner !== 'unknown'
    ? `needs what ${owner} makes of it, which is not known here`
    : 'needs a class, or annotations of one controller';
}

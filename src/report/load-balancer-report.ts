import type { IConstruct } from 'constructs';
import { refuse, refuseWrongProps, refuseWrongValue } from '../contract/declared-types';
import { SynthWatch } from '../rules/synth-watch';
import { VARIANTS } from '../traffic/what-if';
import { appBalancers } from './app-balancers';
import { reportJson, reportMarkdown, reportText } from './formats';
import { figureFaults, makeReport, type Report } from './make-report';
import type { LoadBalancerReportOptions } from './options';
import { htmlOf } from './page/page';

/**
 * Path of packets, monthly cost by list price and quotas of the load balancers of an app, and which quotas they use: each number
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
   * @throws on options of another type than they are declared with, and on figures that cannot be computed with
   */
  public static of(scope: IConstruct, options: LoadBalancerReportOptions = {}): LoadBalancerReport {
    refuseWrongValue('LoadBalancerReport.of', 'the scope', 'IConstruct', scope);
    refuseWrongProps('LoadBalancerReport.of', 'LoadBalancerReportOptions', options);
    refuse('LoadBalancerReport.of', figureFaults(options));
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
      makeReport(appBalancers(this.scope), {
        ...figures,
        objects: clusterObjects,
        variants: VARIANTS.filter((variant) => whatIf.some((way) => way === variant)),
        today: date,
        needs: clusterObjects.length > 0 ? [] : ['needs nodes and pods for shares: give clusterObjects'],
      });
    return watch ? watch.inPass(look) : look();
  }
}

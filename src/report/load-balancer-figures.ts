/**
 * What no object of an app says, and figures of money and quotas are made with.
 */
export interface LoadBalancerFigures {
  /**
   * Nodes and pods of the cluster, as `kubectl get nodes,pods -A -o json` prints them and a parser reads them.
   *
   * @default - unknown: there are no shares of nodes and pods
   */
  readonly clusterObjects?: unknown[];

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
}

import type { Size } from 'cdk8s';
import type { KubernetesVersion } from '../contract/kubernetes-version';
import type { WatchedController } from './controllers/watched-controller';
import type { WatchedSharedLoadBalancer } from './proxies/watched-shared-load-balancer';
import type { LoadBalancerAlert } from './rules/load-balancer-alert';

/**
 * From when on something is wrong.
 */
export interface LoadBalancerAlertThresholds {
  /**
   * For how many minutes a Service may have no address. Clouds take up to some minutes.
   *
   * @default 15
   */
  readonly pendingMinutes?: number;

  /**
   * For how many minutes a deleted Service may still be there. A controller that failed tries again after up to 17 minutes.
   *
   * @default 30
   */
  readonly terminatingMinutes?: number;

  /**
   * For how many minutes a Service with an address may have no ready endpoint.
   *
   * @default 5
   */
  readonly withoutEndpointsMinutes?: number;

  /**
   * How much of the quota of a namespace for load balancers may be used, in percent.
   *
   * @default 80
   */
  readonly quotaPercent?: number;

  /**
   * How many failures of a controller in an hour are too many. One object that fails for ever is tried again three times an hour
   * at least.
   *
   * @default 3
   */
  readonly failuresPerHour?: number;

  /**
   * For how many minutes a controller may not answer, and a BGP session may be down.
   *
   * @default 10
   */
  readonly downMinutes?: number;

  /**
   * For how many minutes fewer targets may be healthy than nodes have ready pods.
   *
   * @default 15
   */
  readonly targetsMinutes?: number;

  /**
   * How much of an address pool may be used, in percent.
   *
   * @default 80
   */
  readonly poolPercent?: number;

  /**
   * How many days before its end the certificate of webhooks must have been renewed. Fewer than it is renewed before its end
   * (`renewBefore`), or the alert fires each time.
   *
   * @default 21
   */
  readonly certificateDays?: number;

  /**
   * What a tenant may have of the connections, and of the traffic, of its shared load balancer, in percent.
   *
   * @default 50
   */
  readonly tenantPercent?: number;

  /**
   * With how many connections the share of a tenant begins to matter.
   *
   * @default 100
   */
  readonly tenantConnections?: number;

  /**
   * With how much traffic a second, of both directions, the share of a tenant begins to matter.
   *
   * @default Size.mebibytes(10)
   */
  readonly tenantTraffic?: Size;

  /**
   * For how many minutes a tenant may have more than its share.
   *
   * @default 10
   */
  readonly tenantMinutes?: number;
}

/**
 * What of the load balancers of a cluster is watched, and how its alerts look.
 */
export interface LoadBalancerAlertsProps {
  /**
   * The controllers that are watched.
   *
   * @default - every installation that the app has when this construct is made: make it last
   */
  readonly controllers?: WatchedController[];

  /**
   * The shared load balancers whose tenants are watched.
   *
   * @default - none
   */
  readonly sharedLoadBalancers?: WatchedSharedLoadBalancer[];

  /**
   * From when on something is wrong.
   *
   * @default - the defaults of each
   */
  readonly thresholds?: LoadBalancerAlertThresholds;

  /**
   * Alerts that are left out.
   *
   * @default - none
   */
  readonly without?: LoadBalancerAlert[];

  /**
   * The name of the PrometheusRule and of the policy, and the beginning of the names of all else.
   *
   * @default 'load-balancer-alerts'
   */
  readonly name?: string;

  /**
   * The namespace of the PrometheusRule and of the configuration for kube-state-metrics. What reads metrics is in the namespace of
   * the pods that it reads.
   *
   * @default - the one of the chart
   */
  readonly namespace?: string;

  /**
   * Labels of PrometheusRule, PodMonitors and ServiceMonitors, by which a Prometheus selects them: with the chart
   * kube-prometheus-stack `{ release: NAME }`.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Labels of every alert, for its way to who is on call.
   *
   * @default - none but `severity`
   */
  readonly alertLabels?: { [key: string]: string };

  /**
   * The label `severity` of alerts for which someone must get up.
   *
   * @default 'critical'
   */
  readonly criticalSeverity?: string;

  /**
   * The label `severity` of all others.
   *
   * @default 'warning'
   */
  readonly warningSeverity?: string;

  /**
   * Where the pages of `docs` are, for the links of alerts.
   *
   * @default - the repository of this library
   */
  readonly runbooks?: string;

  /**
   * Whether PodMonitors and ServiceMonitors are written. Who reads metrics by other means sets the labels `load_balancer_controller`
   * and `shared_load_balancer` there: alerts find their series by them.
   *
   * @default true
   */
  readonly monitors?: boolean;

  /**
   * How often metrics are read, in seconds.
   *
   * @default 30
   */
  readonly intervalSeconds?: number;

  /**
   * Whether a ValidatingAdmissionPolicy is written that denies nothing, and by which the API server counts Services that are
   * served without a finalizer. kube-state-metrics says nothing of finalizers. Without it that alert is left out. It needs
   * Kubernetes 1.30 or newer.
   *
   * @default true
   * @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
   */
  readonly finalizerPolicy?: boolean;

  /**
   * Classes of Services whose controllers add no finalizer. MetalLB need not be named.
   *
   * @default - none
   */
  readonly classesWithoutFinalizer?: string[];

  /**
   * What kube-state-metrics is told by `--metric-labels-allowlist` for others, such as `pods=[app]`: Helm replaces lists, and does
   * not join them.
   *
   * @default - nothing
   */
  readonly metricLabelsAllowlist?: string[];

  /**
   * The version of the API server.
   *
   * @default - one that has everything that is written
   */
  readonly kubernetes?: KubernetesVersion;
}

/**
 * What else Prometheus reads beside the metrics of the AWS Load Balancer Controller.
 */
export interface WatchedAwsControllerOptions {
  /**
   * Whether Prometheus has the metric `HealthyHostCount` of `AWS/NetworkELB` from cloudwatch_exporter, with the dimensions
   * `LoadBalancer` and `TargetGroup` and the statistic `Minimum`. The controller itself says nothing of health checks, only which
   * target group belongs to which Service. CloudWatch charges for every query.
   *
   * @default false
   * @see https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/metrics/prometheus/
   */
  readonly cloudWatchExporter?: boolean;
}

/**
 * The pods of a controller that is installed by its own means.
 */
export interface ControllerPods {
  /**
   * The namespace of its pods.
   *
   * @default - the one of its own manifests or chart
   */
  readonly namespace?: string;

  /**
   * Labels that its pods have, and no others.
   *
   * @default - those of its own manifests or chart
   */
  readonly podLabels?: { [key: string]: string };
}

/**
 * Where a cloud controller manager is read.
 */
export interface CloudControllerManagerMetrics {
  /** What it is called in alerts, and in the names of objects. */
  readonly name: string;

  /** The namespace of its pods. */
  readonly namespace: string;

  /** Labels that its pods have, and no others. */
  readonly podLabels: { [key: string]: string };

  /**
   * The port at which it serves metrics over TLS (`--secure-port`).
   *
   * @default 10258
   */
  readonly port?: number;
}

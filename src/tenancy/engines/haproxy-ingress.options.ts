/**
 * An installation of the HAProxy Kubernetes Ingress Controller by its chart.
 */
export interface HaproxyIngressProps {
  /**
   * The name of the release. Its pods are found by it.
   *
   * @default 'shared-haproxy'
   */
  readonly release?: string;

  /**
   * The ingress class that it serves, which must be its own: an installation serves what all tenants publish under its class,
   * and no second one may.
   *
   * @default - the name of the release
   */
  readonly ingressClass?: string;

  /**
   * How many pods it has. Each counts by itself, so limits of tenants are divided by it, and it does not scale by itself.
   *
   * @default 2
   */
  readonly replicas?: number;

  /**
   * The version of the controller, such as `3.2.11`.
   *
   * @default '3.2'
   */
  readonly version?: string;

  /**
   * Further values of the chart, merged over those that are needed; arguments in `controller.extraArgs` are added. What
   * would undo a value that is needed is an error.
   *
   * @default - none
   */
  // biome-ignore lint/suspicious/noExplicitAny: values of a chart are a tree of unknown shape
  readonly values?: { [key: string]: any };
}

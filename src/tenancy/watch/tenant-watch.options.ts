import type { Duration } from 'cdk8s';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';

/**
 * How the tenants of a shared load balancer are watched.
 */
export interface TenantWatchProps {
  /** The shared load balancer. */
  readonly shared: SharedLoadBalancer;

  /**
   * The name of the objects, and of the service account.
   *
   * @default 'tenant-watch'
   */
  readonly name?: string;

  /**
   * The namespace that it runs in. Keep tenants out of it.
   *
   * @default - the one of the shared load balancer
   */
  readonly namespace?: string;

  /**
   * An image with Node 20 or newer on its path as `node`; it needs nothing else. A digest is better than a tag: its service
   * account may write events, and with some engines decides who is served.
   *
   * @default 'node:24.11.1-alpine3.22'
   */
  readonly image?: string;

  /**
   * How often it looks at the proxies and at the labels of namespaces. A tenant that is suspended by a list takes connections
   * for as long.
   *
   * @default Duration.seconds(15)
   */
  readonly interval?: Duration;

  /**
   * The labels of the namespaces whose pods may read its metrics, which hold what every tenant takes.
   *
   * @default - `kubernetes.io/metadata.name: monitoring`
   */
  readonly metricsReaders?: { [key: string]: string };
}

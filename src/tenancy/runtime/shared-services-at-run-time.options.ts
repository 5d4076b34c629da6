import type { Duration } from 'cdk8s';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';

/**
 * How Services are served that operators, charts and people create.
 */
export interface SharedServicesAtRunTimeProps {
  /** Where they are published. Its tenants say which ports they may have, with `runtimePorts`. */
  readonly shared: SharedLoadBalancer;

  /**
   * The name of the objects. The controller knows what it has made by it: renamed, the old objects have no owner and
   * keep their ports.
   *
   * @default 'shared-services'
   */
  readonly name?: string;

  /**
   * The namespace of the hook. Keep tenants out of it.
   *
   * @default - the one of the shared load balancer
   */
  readonly namespace?: string;

  /**
   * An image with Node 20 or newer on its path as `node`; it needs nothing else. A digest is better than a tag: what runs
   * here says which tenant has which port.
   *
   * @default 'node:24.11.1-alpine3.22'
   */
  readonly image?: string;

  /**
   * How many pods answer. They keep nothing: one is enough to work, two to be updated without a pause.
   *
   * @default 2
   */
  readonly replicas?: number;

  /**
   * The namespace where Metacontroller is installed.
   *
   * @default 'metacontroller'
   */
  readonly controllerNamespace?: string;

  /**
   * The service account of Metacontroller; it gets the rights that this needs, and no others.
   *
   * @default 'metacontroller'
   */
  readonly controllerServiceAccount?: string;

  /**
   * The labels of Metacontroller's pods: the hook listens to them alone.
   *
   * @default - `app.kubernetes.io/name: metacontroller`
   */
  readonly controllerPodLabels?: { [key: string]: string };

  /**
   * The labels of the Services that are looked at; of these, those of the class of the shared load balancer are served.
   * `LoadBalancerClassDefault` labels them.
   *
   * @default - the class as key, and 'true'
   */
  readonly serviceLabels?: { [key: string]: string };

  /**
   * How often every Service is looked at again though nothing has changed.
   *
   * @default - never: changes are watched
   */
  readonly resync?: Duration;
}

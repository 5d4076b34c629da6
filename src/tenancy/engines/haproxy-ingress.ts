import { refuseWrongProps } from '../../contract/declared-types';
import { HAPROXY_READ, HAPROXY_SINCE, HARD_STOP_AFTER } from './haproxy.facts';
import type { HaproxyIngressProps } from './haproxy-ingress.options';
import { mergedValues, neededValues, undoneValues } from './haproxy-ingress.values';

/**
 * The HAProxy Kubernetes Ingress Controller that serves a shared load balancer, to be installed by its own chart
 * (`haproxytech/kubernetes-ingress`) with `helmValues`, in the namespace of the shared load balancer and for it alone.
 *
 * Nothing is installed here. Version and values are checked where a `SharedLoadBalancer` uses it.
 *
 * @see https://github.com/haproxytech/helm-charts/tree/main/kubernetes-ingress
 */
export class HaproxyIngress {
  /** The name of the release. */
  public readonly release: string;

  /** The ingress class that it serves. */
  public readonly ingressClass: string;

  /** How many pods it has. */
  public readonly replicas: number;

  /** The version of the controller. */
  public readonly version: string;

  // biome-ignore lint/suspicious/noExplicitAny: values of a chart are a tree of unknown shape
  private readonly values: { [key: string]: any };

  /**
   * An installation of the controller.
   *
   * @param props what it is called, and its values
   * @throws when the version has no objects that publish TCP, or the number of pods is no number of pods
   */
  public constructor(props: HaproxyIngressProps = {}) {
    refuseWrongProps('HaproxyIngress', 'HaproxyIngressProps', props);
    this.release = props.release ?? 'shared-haproxy';
    this.ingressClass = props.ingressClass ?? this.release;
    this.replicas = props.replicas ?? 2;
    this.version = props.version ?? HAPROXY_READ;
    this.values = props.values ?? {};
    if (!Number.isInteger(this.replicas) || this.replicas < 1) {
      throw new Error(
        `HaproxyIngress ${this.release}: ${this.replicas} replicas serve nothing; say a whole number from 1 (haproxy-replicas)`,
      );
    }
    if (!isSince(this.version)) {
      throw new Error(
        `HaproxyIngress ${this.release}: version ${this.version} of the controller has no TCP objects of ingress.v3.haproxy.org, or does not read their class; use ${HAPROXY_SINCE} or newer (haproxy-version)`,
      );
    }
  }

  /**
   * The values of the chart, to be written into a file for `helm install`. Without them the controller takes Services of type
   * ExternalName and pieces of configuration from tenants, makes a Service of its own, and cuts connections half an hour after
   * whatever tenant changed something.
   */
  // biome-ignore lint/suspicious/noExplicitAny: values of a chart are a tree of unknown shape
  public get helmValues(): { [key: string]: any } {
    return mergedValues(neededValues(this, HARD_STOP_AFTER), this.values);
  }

  /** @internal */
  public get _undone(): string[] {
    return undoneValues(this, this.values);
  }
}

function isSince(version: string): boolean {
  const match = /^v?(\d+)\.(\d+)(\.\d+)?$/.exec(version);
  const [major, minor] = HAPROXY_SINCE.split('.').map(Number);
  return !!match && (Number(match[1]) > major || (Number(match[1]) === major && Number(match[2]) >= minor));
}

import { refuseWrongProps } from '../../../contract/declared-types';
import { faultOf, refusal } from '../../fault';
import { expandTemplate } from '../../guard/policy-template';
import type { SharedProxyOptions } from '../proxies/options';
import {
  type Drain,
  disruptionBudget,
  drainFaults,
  drainOf,
  placedProxies,
  ROLLING_UPDATE,
  resourceFaults,
  resourcesOf,
} from '../proxies/pods';
import { suspendedTenantsIn } from './documents';
import { CHART_NAME_LABEL, CHART_RELEASE_LABEL, CHART_VALUES, GRACE_BEYOND_DRAIN, HAPROXY_LEAST_DRAIN } from './facts';
import type { HaproxyIngressProps } from './options';
import { HAPROXY } from './rules';

/**
 * The HAProxy Kubernetes Ingress Controller that serves a shared load balancer, to be installed by its own chart
 * (`haproxytech/kubernetes-ingress`) with `helmValues`, in the namespace of the shared load balancer and for it alone.
 *
 * Nothing is installed here. Values of your own go into another file; those that are here must stay as they are.
 *
 * @see https://github.com/haproxytech/helm-charts/tree/main/kubernetes-ingress
 */
export class HaproxyIngress {
  /** The name of the release. */
  public readonly release: string;

  /** The ingress class that it serves. */
  public readonly ingressClass: string;

  /** Number of pods. */
  public readonly replicas: number;

  /** @internal */
  public readonly _proxies: SharedProxyOptions;

  /**
   * An installation of the controller.
   *
   * @param props what it is called, and how its pods run
   * @throws when the number of pods is not a whole number from 1, or drain times or resources are not valid
   */
  public constructor(props: HaproxyIngressProps = {}) {
    refuseWrongProps('HaproxyIngress', 'HaproxyIngressProps', props);
    this.release = props.release ?? 'shared-haproxy';
    this.ingressClass = props.ingressClass ?? this.release;
    this.replicas = props.replicas ?? 2;
    this._proxies = props.proxies ?? {};
    if (!Number.isInteger(this.replicas) || this.replicas < 1) {
      throw refusal(
        `HaproxyIngress ${this.release}`,
        faultOf(HAPROXY['haproxy-replicas-invalid'], { replicas: this.replicas }),
      );
    }
    for (const fault of [...drainFaults(this._proxies), ...resourceFaults(this._proxies)]) {
      throw refusal(`HaproxyIngress ${this.release}`, fault);
    }
  }

  /**
   * The values of the chart, to be written into a file for `helm install`. Without them the controller takes Services of type
   * ExternalName and pieces of configuration from tenants, makes a Service of its own, cuts connections half an hour after
   * any tenant changed something, and cuts all of a pod at once when the pod is to go.
   */
  // biome-ignore lint/suspicious/noExplicitAny: values of a chart are a tree of unknown shape
  public get helmValues(): { [key: string]: any } {
    const { release, replicas, ingressClass, _proxies: proxies } = this;
    const { least, whole, ready } = this._drain;
    const budget = disruptionBudget(proxies, replicas);
    const suspended = suspendedTenantsIn(this);
    const rest = String(whole - least);
    const { controller } = expandTemplate(CHART_VALUES, { ingressClass, suspended, least: String(least), rest });
    return {
      controller: {
        ...controller,
        ...(budget ? { PodDisruptionBudget: { enable: true, ...budget } } : {}),
        ...placedProxies(proxies, { ...CHART_NAME_LABEL, [CHART_RELEASE_LABEL]: release }),
        replicaCount: replicas,
        minReadySeconds: ready,
        resources: resourcesOf(proxies.resources),
        strategy: ROLLING_UPDATE,
        terminationGracePeriodSeconds: whole + GRACE_BEYOND_DRAIN,
      },
    };
  }

  /** @internal */
  public get _drain(): Drain {
    return drainOf(this._proxies, HAPROXY_LEAST_DRAIN);
  }
}

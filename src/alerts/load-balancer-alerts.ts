import { ApiObject, Size, SizeRoundingBehavior } from 'cdk8s';
import { Construct } from 'constructs';
import { refuseOther } from '../contract/declared-types';
import { KubernetesVersion } from '../contract/kubernetes-version';
import { perApp } from '../contract/synth-run';
import { validateProps } from '../rules/warnings';
import {
  type AlertStyle,
  type AlertValues,
  RUNBOOKS,
  ruleJson,
  type ScrapedTarget,
  type ScrapeTarget,
  valuesOf,
} from './alert-rules';
import { ALERT_ROWS } from './alert-rules.facts';
import { MONITORING_API_VERSION, POLICY_SINCE } from './alerts.facts';
import { WatchedController } from './controllers/watched-controller';
import { DEFAULTS, labelsFault, nameFault, podsFault, refuseFirst, thresholdFault } from './faults';
import { addFinalizerPolicy, addMonitor, stateMetricsData, stateMetricsValues } from './objects';
import { LoadBalancerAlert, type LoadBalancerAlertsProps } from './options';

/** Owner of alerts of a name: the policy belongs to no namespace. */
const madeIn = perApp(() => new Map<string, string>());

/**
 * Alerts on the load balancers of a cluster, for a Prometheus that the Prometheus operator runs: Services that wait for an address
 * or for their deletion, that are served without a finalizer or without pods, quotas, controllers that fail, certificates of
 * webhooks that end, and tenants that take more than their share. Each alert has the command to run and the page to read.
 *
 * It writes a PrometheusRule, a PodMonitor or a ServiceMonitor for each controller and each shared load balancer that is watched, and a
 * policy of the API server that denies nothing and counts. What it needs of kube-state-metrics (2.18 or newer) is in the
 * ConfigMap `NAME-kube-state-metrics`: its key `values.yaml` is for the chart,
 * `kubectl get configmap load-balancer-alerts-kube-state-metrics -o jsonpath='{.data.values\.yaml}' | helm upgrade --install
 * kube-state-metrics prometheus-community/kube-state-metrics --values -`; within another chart, such as kube-prometheus-stack, the
 * same values go below `kube-state-metrics`. Its key `args` is for those without a chart. Without them one alert says so.
 *
 * @see https://prometheus-operator.dev/docs/developer/alerting/
 */
export class LoadBalancerAlerts extends Construct {
  /** The PrometheusRule, for patches. */
  public readonly prometheusRule: ApiObject;

  /** The ConfigMap with the configuration of kube-state-metrics. */
  public readonly kubeStateMetrics: ApiObject;

  /** Scrape configuration: PodMonitors and ServiceMonitors. */
  public readonly monitors: ApiObject[];

  /** The policy by which the API server counts Services without a finalizer, where it is written. */
  public readonly finalizerPolicy?: ApiObject;

  /** The values of the chart of kube-state-metrics, for who installs it by code. */
  // biome-ignore lint/suspicious/noExplicitAny: values of a chart are a tree of unknown shape
  public readonly kubeStateMetricsValues: { [key: string]: any };

  /**
   * Alerts on the load balancers of a cluster.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what is watched, and from when on something is wrong
   * @throws when a threshold is not a whole number that can be met, two that are watched have one name, the name is not valid or taken, or
   * the API server is older than the policy
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerAlertsProps = {}) {
    validateProps(scope, id, 'LoadBalancerAlertsProps', props);
    super(scope, id);
    const { name = 'load-balancer-alerts', namespace, labels = {}, metricLabelsAllowlist = [] } = props;
    props.controllers?.forEach((one, i) => {
      const what = `${this.node.path}: controllers[${i}]`;
      refuseOther(what, 'WatchedController', one, one instanceof WatchedController);
    });
    const watched = namedApart(
      [...(props.controllers ?? WatchedController.installedIn(this)), ...(props.sharedLoadBalancers ?? [])].map(
        ({ _watched }) => _watched,
      ),
    );
    const hasPolicy = props.finalizerPolicy !== false && !props.without?.includes(LoadBalancerAlert.WITHOUT_FINALIZER);
    this.refuseFaults(name, props, watched, hasPolicy);

    this.finalizerPolicy = hasPolicy ? addFinalizerPolicy(this, name, props.classesWithoutFinalizer ?? []) : undefined;
    this.prometheusRule = new ApiObject(this, 'Rules', {
      apiVersion: MONITORING_API_VERSION,
      kind: 'PrometheusRule',
      metadata: { name, namespace, labels: { ...labels } },
      spec: { groups: groupsOf(name, props, watched, hasPolicy) },
    });
    this.kubeStateMetricsValues = stateMetricsValues(metricLabelsAllowlist, labels);
    this.kubeStateMetrics = new ApiObject(this, 'KubeStateMetrics', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `${name}-kube-state-metrics`, namespace },
      data: stateMetricsData(metricLabelsAllowlist, labels),
    });
    const style = { name, labels, intervalSeconds: props.intervalSeconds ?? 30 };
    this.monitors = props.monitors === false ? [] : watched.map(({ target }) => addMonitor(this, target, style));
  }

  private refuseFaults(
    name: string,
    props: LoadBalancerAlertsProps,
    watched: readonly ScrapedTarget[],
    hasPolicy: boolean,
  ): void {
    const { path } = this.node;
    const targets = watched.map(({ target }) => target);
    const fault = nameFault(name, props, targets);
    const names = targets.map((target) => target.name);
    const twice = names.find((one, i) => names.indexOf(one) !== i);
    const first = madeIn(this).get(name) ?? path;
    refuseFirst(path, {
      'alert-threshold-invalid': thresholdFault(props),
      'alert-label-invalid': labelsFault(props),
      'alert-pods-invalid': targets.map(podsFault).find((found) => found !== undefined),
      'alert-name-invalid': fault && `${fault}; write one that the API server takes`,
      'alert-name-duplicate':
        twice !== undefined
          ? `'${twice}' is watched twice; pass in controllers those of one cluster, each once`
          : first === path
            ? undefined
            : `'${name}' are the alerts of ${first} as well, and the second would overwrite the first; pass another name`,
    });
    madeIn(this).set(name, path);
    const { kubernetes } = props;
    const isOld = hasPolicy && kubernetes && !kubernetes.isAtLeast(KubernetesVersion.of(POLICY_SINCE));
    const old = `Kubernetes ${kubernetes?.version} has no ValidatingAdmissionPolicy v1; set finalizerPolicy: false, or use ${POLICY_SINCE} or newer`;
    refuseFirst(path, { 'alert-unsupported': isOld ? old : undefined });
  }
}

/** If two have the same name, the names of their objects contain their namespaces. */
function namedApart(watched: readonly ScrapedTarget[]): ScrapedTarget[] {
  const placeOf = ({ target }: ScrapedTarget) => Object.values(target.labels).join('/');
  return watched.map((one) => {
    const alike = watched.filter(({ target }) => target.name === one.target.name);
    const isApart = new Set(alike.map(placeOf)).size === alike.length;
    return alike.length > 1 && isApart
      ? { ...one, target: { ...one.target, name: placeOf(one).replaceAll('/', '-') } }
      : one;
  });
}

/** The alerts, in a group for Services and one for each that is watched; a group without any is left out. */
function groupsOf(name: string, props: LoadBalancerAlertsProps, watched: readonly ScrapedTarget[], hasPolicy: boolean) {
  const { thresholds: { tenantTraffic = Size.mebibytes(10), ...given } = {}, without = [] } = props;
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const thresholds = { ...DEFAULTS, ...set };
  const values: AlertValues = {
    ...thresholds,
    policy: name,
    terminatingSeconds: thresholds.terminatingMinutes * 60,
    certificateSeconds: thresholds.certificateDays * 86_400,
    tenantBytesPerSecond: tenantTraffic.toKibibytes({ rounding: SizeRoundingBehavior.NONE }) * 1024,
  };
  const style: AlertStyle = {
    criticalSeverity: props.criticalSeverity ?? 'critical',
    warningSeverity: props.warningSeverity ?? 'warning',
    alertLabels: props.alertLabels ?? {},
    runbooks: (props.runbooks ?? RUNBOOKS).replace(/\/+$/, ''),
  };
  const group = (of: string, alerts: readonly string[], more: AlertValues = {}, target?: ScrapeTarget) => ({
    name: `${name}-${of}`,
    rules: alerts
      .filter((id) => !without.some((alert) => alert === ALERT_ROWS[id].alert))
      .map((id) => ruleJson(id, { ...values, ...more }, style, target)),
  });
  return [
    group('services', hasPolicy ? [...SERVICE_ALERTS, 'withoutFinalizer'] : SERVICE_ALERTS),
    ...watched.map(({ target, alerts, values: more }) =>
      group(target.name, alerts, { ...valuesOf(target), ...more }, target),
    ),
  ].filter(({ rules }) => rules.length > 0);
}

const SERVICE_ALERTS = ['pending', 'terminating', 'withoutEndpoints', 'quotaNearlyUsed', 'metricsMissing'];

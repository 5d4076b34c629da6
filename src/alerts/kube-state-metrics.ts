import { Yaml } from 'cdk8s';
import { SERVICE_NAME_LABEL } from './rules/facts';

const ALLOWED = `endpointslices=[${SERVICE_NAME_LABEL}]`;

/** What the chart of kube-state-metrics is told. Helm charts 8.4.0 of prometheus-community/helm-charts, charts/kube-state-metrics/values.yaml */
export function stateMetricsValues(others: readonly string[]) {
  return {
    metricLabelsAllowlist: [ALLOWED, ...others],
    // its labels namespace and service are about Services
    prometheus: { monitor: { enabled: true, http: { honorLabels: true } } },
  };
}

/** The same, for those who have the chart, and for those who have not. */
export function stateMetricsData(others: readonly string[]): Record<string, string> {
  const values = stateMetricsValues(others);
  return {
    'values.yaml': Yaml.stringify(values),
    args: `--metric-labels-allowlist=${values.metricLabelsAllowlist.join(',')}\n`,
  };
}

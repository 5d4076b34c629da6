import { Yaml } from 'cdk8s';
import { SERVICE_NAME_LABEL } from './alerts.facts';

const ALLOWED = `endpointslices=[${SERVICE_NAME_LABEL}]`;

type Labels = Readonly<Record<string, string>>;

/** What the chart of kube-state-metrics is told. Helm charts 8.4.0 of prometheus-community/helm-charts, charts/kube-state-metrics/values.yaml */
export function stateMetricsValues(others: readonly string[], labels: Labels) {
  return {
    metricLabelsAllowlist: [ALLOWED, ...others],
    prometheus: {
      monitor: {
        enabled: true,
        // its labels namespace and service are about Services
        http: { honorLabels: true },
        // the Prometheus that selects the rules selects it too
        ...(Object.keys(labels).length > 0 && { additionalLabels: { ...labels } }),
      },
    },
  };
}

/** The same, for those who have the chart, and for those who have not. */
export function stateMetricsData(others: readonly string[], labels: Labels): Record<string, string> {
  const values = stateMetricsValues(others, labels);
  return {
    'values.yaml': Yaml.stringify(values),
    args: `--metric-labels-allowlist=${values.metricLabelsAllowlist.join(',')}\n`,
  };
}

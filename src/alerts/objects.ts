import { ApiObject, Yaml } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../contract/json';
import { removeNamespace } from '../contract/late-rendering';
import type { ScrapeTarget } from './alert-rules';
import {
  ADMISSION_API_VERSION,
  MONITORING_API_VERSION,
  SERVED_WITHOUT_FINALIZER_ANNOTATIONS,
  SERVICE_NAME_LABEL,
  TOKEN_FILE,
} from './alerts.facts';

export interface MonitorStyle {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly intervalSeconds: number;
}

const MONITORED_LABEL = 'load-balancer-alerts/monitored';

const PORT_NAME = 'metrics';

/**
 * Scrape configuration. Pods are read themselves; those that ask for a token are read through a headless Service, for only a
 * ServiceMonitor may have a token from a file.
 */
export function addMonitor(scope: Construct, target: ScrapeTarget, style: MonitorStyle): ApiObject {
  const { namespace, labels } = target;
  const name = `${style.name}-${target.name}`;
  const endpoint: Json = {
    path: target.path,
    interval: `${style.intervalSeconds}s`,
    // labels such as namespace and service are about what is served
    honorLabels: true,
    relabelings: Object.entries(labels).map(([targetLabel, replacement]) => ({ targetLabel, replacement })),
  };
  const metadata = { name, namespace, labels: { ...style.labels } };
  const make = (kind: string, spec: Json) =>
    new ApiObject(scope, `${kind}-${target.name}`, { apiVersion: MONITORING_API_VERSION, kind, metadata, spec });
  const namespaceSelector = { matchNames: [namespace] };
  if (!target.isGuarded) {
    return make('PodMonitor', {
      namespaceSelector,
      selector: { matchLabels: { ...target.podLabels } },
      podMetricsEndpoints: [{ port: target.port, ...endpoint }],
    });
  }
  new ApiObject(scope, `Service-${target.name}`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: { [MONITORED_LABEL]: name } },
    spec: {
      clusterIP: 'None',
      ports: [{ name: PORT_NAME, port: target.port, targetPort: target.port }],
      selector: { ...target.podLabels },
    },
  });
  return make('ServiceMonitor', {
    namespaceSelector,
    selector: { matchLabels: { [MONITORED_LABEL]: name } },
    endpoints: [
      {
        port: PORT_NAME,
        scheme: 'https',
        // its certificate is signed by itself
        tlsConfig: { insecureSkipVerify: true },
        bearerTokenFile: TOKEN_FILE,
        ...endpoint,
      },
    ],
  });
}

const ALLOWED = `endpointslices=[${SERVICE_NAME_LABEL}]`;

type Labels = Readonly<Record<string, string>>;

/** Values of the chart of kube-state-metrics. Helm charts 8.4.0 of prometheus-community/helm-charts, charts/kube-state-metrics/values.yaml */
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

const list = (texts: readonly string[]) => `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`;

/**
 * A policy that denies nothing, and by which the API server counts the writes after which a Service has an address and no
 * finalizer. Those that are served without one are left out.
 */
export function addFinalizerPolicy(scope: Construct, name: string, classes: readonly string[]): ApiObject {
  const annotated = SERVED_WITHOUT_FINALIZER_ANNOTATIONS.map(
    (key) => `!(${JSON.stringify(key)} in object.metadata.?annotations.orValue({}))`,
  );
  const isOtherClass = `!(object.spec.?loadBalancerClass.orValue('') in ${list(classes)})`;
  const policy = new ApiObject(scope, 'FinalizerPolicy', {
    apiVersion: ADMISSION_API_VERSION,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Ignore',
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['services', 'services/status'] },
        ],
      },
      matchConditions: [
        {
          name: 'is-served',
          expression:
            "object.spec.type == 'LoadBalancer' && size(object.?status.?loadBalancer.?ingress.orValue([])) > 0",
        },
        { name: 'is-not-deleted', expression: '!has(object.metadata.deletionTimestamp)' },
        { name: 'has-no-exempt-annotation', expression: annotated.join(' && ') },
        ...(classes.length > 0 ? [{ name: 'class-is-not-exempt', expression: isOtherClass }] : []),
      ],
      validations: [
        {
          expression: 'size(object.metadata.?finalizers.orValue([])) > 0',
          message: 'the Service has an address and no finalizer: its deletion leaves the load balancer behind',
        },
      ],
    },
  });
  const apiVersion = ADMISSION_API_VERSION;
  const spec = { policyName: name, validationActions: ['Audit'] };
  const binding = { apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name }, spec };
  removeNamespace(new ApiObject(scope, 'FinalizerPolicyBinding', binding));
  return removeNamespace(policy);
}

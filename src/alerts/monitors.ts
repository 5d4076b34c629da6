import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../contract/json';
import type { ScrapeTarget } from './alert-rules';
import { MONITORING_API_VERSION, TOKEN_FILE } from './alerts.facts';

export interface MonitorStyle {
  /** The beginning of their names. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly intervalSeconds: number;
}

const MONITORED_LABEL = 'load-balancer-alerts/monitored';

const PORT_NAME = 'metrics';

/**
 * What reads metrics. Pods are read themselves; those that ask for a token are read through a headless Service, for only a
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

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lazy } from 'cdk8s';
import type { Json } from '../../contract/json';
import { CONTENT_HASH, NAME_LABEL, NETWORK_POLICY_API, NODE_USER } from '../runtime/runtime.facts';

/** What runs the program that watches tenants. */
export interface WatchWorkload {
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  /** The labels of the namespaces whose pods read its metrics. */
  readonly metricsReaders: { readonly [key: string]: string };
  /** The configuration, as the file has it. */
  readonly configuration: () => string;
}

/** The name of the port with the metrics. */
const METRICS_PORT = 'metrics';

const PORT = 8080;
const FOLDER = '/watch';

/** Where pods find the certificate that their API server has. kubernetes/kubernetes v1.36.3: plugin/pkg/admission/serviceaccount/admission.go */
const API_CERTIFICATE = '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt';

/** The objects that run the program, by the ids of their constructs. */
export function watchWorkload(ask: WatchWorkload): Record<string, Json> {
  const { name, namespace } = ask;
  const metadata = { name, namespace, labels: labelsOf(ask) };
  const config = Lazy.any({ produce: () => ask.configuration() });
  return {
    Program: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { 'tenant-watch.js': programText(), 'config.json': config },
    },
    Account: { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    Deployment: { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: deployment(ask) },
    Wall: { apiVersion: NETWORK_POLICY_API, kind: 'NetworkPolicy', metadata, spec: wall(ask) },
  };
}

/** The labels of its pods. */
export function labelsOf({ name }: { readonly name: string }): { [key: string]: string } {
  return { [NAME_LABEL]: name };
}

function deployment(ask: WatchWorkload): Json {
  const probe = (periodSeconds: number) => ({ httpGet: { path: '/healthz', port: METRICS_PORT }, periodSeconds });
  const hash = () => createHash('sha256').update(programText()).update(ask.configuration()).digest('hex').slice(0, 16);
  return {
    // two would post every event twice
    replicas: 1,
    strategy: { type: 'Recreate' },
    selector: { matchLabels: labelsOf(ask) },
    template: {
      metadata: { labels: labelsOf(ask), annotations: { [CONTENT_HASH]: Lazy.any({ produce: hash }) } },
      spec: {
        serviceAccountName: ask.name,
        securityContext: { runAsNonRoot: true, runAsUser: NODE_USER, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            name: 'watch',
            image: ask.image,
            command: ['node', `${FOLDER}/tenant-watch.js`, `${FOLDER}/config.json`, String(PORT)],
            env: [{ name: 'NODE_EXTRA_CA_CERTS', value: API_CERTIFICATE }],
            ports: [{ name: METRICS_PORT, containerPort: PORT }],
            readinessProbe: probe(5),
            livenessProbe: probe(30),
            resources: { requests: { cpu: '20m', memory: '64Mi' }, limits: { memory: '256Mi' } },
            securityContext: {
              allowPrivilegeEscalation: false,
              capabilities: { drop: ['ALL'] },
              readOnlyRootFilesystem: true,
            },
            volumeMounts: [{ name: 'watch', mountPath: FOLDER, readOnly: true }],
          },
        ],
        volumes: [{ name: 'watch', configMap: { name: ask.name } }],
      },
    },
  };
}

/** Its metrics say what every tenant takes: no tenant reads them. It calls the API server and proxies, by their addresses. */
function wall(ask: WatchWorkload): Json {
  return {
    podSelector: { matchLabels: labelsOf(ask) },
    policyTypes: ['Ingress'],
    ingress: [
      {
        from: [{ namespaceSelector: { matchLabels: { ...ask.metricsReaders } } }],
        ports: [{ port: METRICS_PORT, protocol: 'TCP' }],
      },
    ],
  };
}

let text: string | undefined;

/** The program as it is bundled; it lies beside `lib`. */
export function programText(): string {
  text ??= readFileSync(join(__dirname, '..', '..', '..', 'assets', 'tenant-watch.js'), 'utf8');
  return text;
}

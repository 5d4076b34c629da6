import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lazy } from 'cdk8s';
import type { Json } from '../../contract/json';
import { NAMESPACE_NAME_LABEL } from '../../gateway/gateway.facts';
import { CONTENT_HASH, NAME_LABEL, NETWORK_POLICY_API, NODE_USER } from './runtime.facts';

/** What runs the hook. */
export interface WorkloadAsk {
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  readonly replicas: number;
  /** Who calls it. */
  readonly caller: { readonly namespace: string; readonly podLabels: { readonly [key: string]: string } };
  /** Labels of its Service, beside those of everything. */
  readonly serviceLabels?: { readonly [key: string]: string };
  /** The configuration, as the file has it. */
  readonly configuration: () => string;
}

const PORT = 8080;
const FOLDER = '/hook';

/** The objects that run the hook, by the ids of their constructs. */
export function hookWorkload(ask: WorkloadAsk): Record<string, Json> {
  const { name, namespace } = ask;
  const metadata = { name, namespace, labels: labelsOf(ask) };
  const program = Lazy.any({ produce: () => ask.configuration() });
  return {
    Hook: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'hook.js': hookFile(), 'config.json': program } },
    Deployment: { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: deployment(ask) },
    Service: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, labels: { ...metadata.labels, ...ask.serviceLabels } },
      spec: { selector: labelsOf(ask), ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
    Wall: { apiVersion: NETWORK_POLICY_API, kind: 'NetworkPolicy', metadata, spec: wall(ask) },
  };
}

/** Where the hook is called. */
export function hookUrl({ name, namespace }: WorkloadAsk, hook: string): string {
  return `http://${name}.${namespace}.svc/${hook}`;
}

function labelsOf({ name }: WorkloadAsk): Json {
  return { [NAME_LABEL]: name };
}

function deployment(ask: WorkloadAsk): Json {
  const probe = (periodSeconds: number) => ({ httpGet: { path: '/healthz', port: 'http' }, periodSeconds });
  const hash = () => createHash('sha256').update(hookFile()).update(ask.configuration()).digest('hex').slice(0, 16);
  return {
    replicas: ask.replicas,
    selector: { matchLabels: labelsOf(ask) },
    template: {
      metadata: { labels: labelsOf(ask), annotations: { [CONTENT_HASH]: Lazy.any({ produce: hash }) } },
      spec: {
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: NODE_USER, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            name: 'hook',
            image: ask.image,
            command: ['node', `${FOLDER}/hook.js`, `${FOLDER}/config.json`, String(PORT)],
            ports: [{ name: 'http', containerPort: PORT }],
            readinessProbe: probe(5),
            livenessProbe: probe(10),
            resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '512Mi' } },
            securityContext: {
              allowPrivilegeEscalation: false,
              capabilities: { drop: ['ALL'] },
              readOnlyRootFilesystem: true,
            },
            volumeMounts: [{ name: 'hook', mountPath: FOLDER, readOnly: true }],
          },
        ],
        volumes: [{ name: 'hook', configMap: { name: ask.name } }],
      },
    },
  };
}

/** The controller may call it, and it calls no other service. */
function wall(ask: WorkloadAsk): Json {
  const { namespace, podLabels } = ask.caller;
  return {
    podSelector: { matchLabels: labelsOf(ask) },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [
      {
        from: [
          {
            namespaceSelector: { matchLabels: { [NAMESPACE_NAME_LABEL]: namespace } },
            podSelector: { matchLabels: podLabels },
          },
        ],
        ports: [{ port: 'http', protocol: 'TCP' }],
      },
    ],
    egress: [],
  };
}

let text: string | undefined;

/** The program of the hook, as it is bundled; it lies beside `lib`. */
export function hookFile(): string {
  text ??= readFileSync(join(__dirname, '..', '..', '..', 'assets', 'shared-services-hook.js'), 'utf8');
  return text;
}

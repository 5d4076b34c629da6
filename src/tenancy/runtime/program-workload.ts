import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiObject, Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { RBAC_API_VERSION, RBAC_GROUP } from '../guard/guard.facts';
import { clusterObject } from '../guard/policy';
import { CONTENT_HASH, NAME_LABEL, NETWORK_POLICY_API, NODE_USER } from '../tenancy.facts';

export interface Program {
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  readonly container: string;
  readonly file: string;
  readonly text: () => string;
  readonly configuration: () => object;
  readonly port: string;
  readonly liveSeconds: number;
  readonly resources: { readonly cpu: string; readonly memoryLimit: string };
  readonly env?: Json[];
  readonly pod: Json;
  readonly deployment: Json;
  readonly from: Json[];
  readonly policy: Json;
}

const PORT = 8080;

export function runProgram(host: Construct, configMapId: string, program: Program): void {
  const { name, namespace, text, file } = program;
  const labels = programLabels(name);
  const metadata = { name, namespace, labels };
  const configuration = () => `${JSON.stringify(program.configuration(), undefined, 2)}\n`;
  const data = { [file]: text(), 'config.json': Lazy.any({ produce: configuration }) };
  const hash = () => createHash('sha256').update(text()).update(configuration()).digest('hex').slice(0, 16);
  const annotations = { [CONTENT_HASH]: Lazy.any({ produce: hash }) };
  new ApiObject(host, configMapId, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } as never);
  new ApiObject(host, 'Deployment', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      ...program.deployment,
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations }, spec: podOf(program) },
    },
  });
  new ApiObject(host, 'Wall', {
    apiVersion: NETWORK_POLICY_API,
    kind: 'NetworkPolicy',
    metadata,
    spec: {
      podSelector: { matchLabels: labels },
      ingress: [{ from: program.from, ports: [{ port: program.port, protocol: 'TCP' }] }],
      ...program.policy,
    },
  });
}

export function programLabels(name: string): { [key: string]: string } {
  return { [NAME_LABEL]: name };
}

function podOf({ container, file, port, image, liveSeconds, resources, env, pod, name }: Program): Json {
  const folder = `/${container}`;
  const probe = (periodSeconds: number) => ({ httpGet: { path: '/healthz', port }, periodSeconds });
  return {
    ...pod,
    securityContext: { runAsNonRoot: true, runAsUser: NODE_USER, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: container,
        image,
        command: ['node', `${folder}/${file}`, `${folder}/config.json`, String(PORT)],
        env,
        ports: [{ name: port, containerPort: PORT }],
        readinessProbe: probe(5),
        livenessProbe: probe(liveSeconds),
        resources: {
          requests: { cpu: resources.cpu, memory: '64Mi' },
          limits: { memory: resources.memoryLimit },
        },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
        },
        volumeMounts: [{ name: container, mountPath: folder, readOnly: true }],
      },
    ],
    volumes: [{ name: container, configMap: { name } }],
  };
}

const texts = new Map<string, string>();

export function programText(asset: string): string {
  const text = texts.get(asset) ?? readFileSync(join(__dirname, '..', '..', '..', 'assets', asset), 'utf8');
  texts.set(asset, text);
  return text;
}

interface Account {
  readonly name: string;
  readonly namespace: string;
}

export function grantInCluster(host: Construct, name: string, account: Account, rules: Json[]): void {
  const apiVersion = RBAC_API_VERSION;
  clusterObject(host, 'ClusterRole', { apiVersion, kind: 'ClusterRole', name, content: { rules } });
  clusterObject(host, 'ClusterRoleBinding', {
    apiVersion,
    kind: 'ClusterRoleBinding',
    name,
    content: {
      roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    },
  });
}

export function grantInNamespace(host: Construct, id: string, role: Account, account: Account, rules: Json[]): void {
  const apiVersion = RBAC_API_VERSION;
  new ApiObject(host, `${id}Role`, { apiVersion, kind: 'Role', metadata: { ...role }, rules });
  new ApiObject(host, `${id}RoleBinding`, {
    apiVersion,
    kind: 'RoleBinding',
    metadata: { ...role },
    roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name: role.name },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  });
}

export function roleRule(group: string, resources: readonly string[], verbs: readonly string[]): Json {
  return { apiGroups: [group], resources: [...resources], verbs: [...verbs] };
}

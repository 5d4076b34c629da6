import { type Outcome, run } from '../support/command';
import { folderWith } from '../support/files';

// Manifests of small clusters, and what the command says of them.

/** Node objects: `a1 b1 b2`, whose letter is the zone; without zones where the letter is n. */
export function nodes(names: string, status = 'True'): string {
  const all = names.split(' ').map((name) => {
    const labels = name.startsWith('n') ? '{}' : `{topology.kubernetes.io/zone: z-${name[0]}}`;
    return `{apiVersion: v1, kind: Node, metadata: {name: ${name}, labels: ${labels}}, status: {conditions: [{type: Ready, status: '${status}'}]}}`;
  });
  return listOf(all);
}

/** Pods of an app in namespace shop, one on each of the nodes: `n1 n2 n2`. */
export function pods(on: string, app = 'web'): string {
  const all = on.split(' ').map((node, index) => {
    const metadata = `{name: ${app}-${index}, namespace: shop, labels: {app: ${app}}}`;
    return `{apiVersion: v1, kind: Pod, metadata: ${metadata}, spec: {nodeName: ${node}}, status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}}`;
  });
  return listOf(all);
}

function listOf(items: readonly string[]): string {
  return `apiVersion: v1\nkind: List\nitems:\n${items.map((item) => `- ${item}\n`).join('')}`;
}

export function service(spec = '', { name = 'web', annotations = '{}' } = {}): string {
  return `apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop, annotations: ${annotations}}
spec:
  type: LoadBalancer
  selector: {app: web}
  ports: [{port: 443}]
${spec === '' ? '' : `  ${spec}\n`}`;
}

export function deployment(replicas: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web}]}
`;
}

export const AWS_CLASS = 'loadBalancerClass: service.k8s.aws/nlb';

export const INTERNET_FACING = '{service.beta.kubernetes.io/aws-load-balancer-scheme: internet-facing}';

export const controllers = (...names: readonly string[]) => ({
  'load-balancers.yaml': `controllers: [${names.join(', ')}]\n`,
});

export const objects = (...documents: readonly string[]) => ({ 'k8s.yaml': documents.join('---\n') });

export function reportOn(files: Readonly<Record<string, string>>, ...args: readonly string[]): Outcome {
  return run('report', '--verbose', '--date', '2026-11-23', ...args, folderWith(files));
}

export function linesOf({ out }: Outcome, label: string): string[] {
  return out
    .split('\n')
    .filter((line) => line.startsWith(`  ${label} `))
    .map((line) => line.slice(2 + label.length).trim());
}

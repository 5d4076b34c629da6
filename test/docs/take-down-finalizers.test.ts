import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/docs/files';

// Step 2 of the page on taking a cluster down: a Service is protected by the finalizer of its own controller alone.

const PAGE = readFileSync(join(ROOT, 'docs', 'how-to', 'take-a-cluster-down.md'), 'utf8');
const [, COMMANDS] = /^```sh\n(awk[\s\S]*?)^```$/m.exec(PAGE) as RegExpExecArray;

const K = 'service.kubernetes.io/load-balancer-cleanup';
const F = 'service.k8s.aws/resources';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'take-down-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Whether the commands of the page name a Service as one that loses its balancer. */
function isUnprotected(loadBalancerClass: string, finalizers: readonly string[], type = ''): boolean {
  const list = finalizers.length > 0 ? JSON.stringify(finalizers) : '';
  const row = ['shop', 'echo', loadBalancerClass, list, '[{"ip":"192.0.2.1"}]', type];
  writeFileSync(join(folder, 'balancers.txt'), `${row.join('\t')}\n`);
  const said = execFileSync('bash', ['-euc', COMMANDS], { cwd: folder, encoding: 'utf8' });
  expect(['', 'shop\techo\n']).toContain(said);
  return said !== '';
}

test.each<[title: string, loadBalancerClass: string, finalizers: string[], type?: string]>([
  ['no finalizer at all', '', []],
  ["the AWS controller's class, and none", 'service.k8s.aws/nlb', []],
  ["the AWS controller's class, and the service controller's", 'service.k8s.aws/nlb', [K]],
  ['given to the AWS controller by annotation', '', [K], 'external'],
  ['the same in its older form', '', [K], 'nlb-ip'],
  ['EKS Auto Mode', 'eks.amazonaws.com/nlb', [K]],
  ['a class of GKE', 'networking.gke.io/l4-regional-internal', [K]],
  ['a finalizer of no balancer', '', ['example.com/books']],
  ['another class', 'example.com/fast', []],
])('%s: it would lose its balancer', (...[, loadBalancerClass, finalizers, type]) => {
  expect(isUnprotected(loadBalancerClass, finalizers, type)).toBe(true);
});

test.each<[title: string, loadBalancerClass: string, finalizers: string[], type?: string]>([
  ['a service controller', '', [K]],
  ['an NLB of the cloud controller of AWS', '', [K], 'nlb'],
  ["the AWS controller's class", 'service.k8s.aws/nlb', [F]],
  ['both of them, as on EKS', 'service.k8s.aws/nlb', [K, F]],
  ['given to the AWS controller by annotation', '', [K, F], 'external'],
  ['EKS Auto Mode', 'eks.amazonaws.com/nlb', ['service.eks.amazonaws.com/resources']],
  ['a class of GKE', 'networking.gke.io/l4-regional-internal', ['gke.networking.io/l4-ilb-v2']],
  ['an older class of GKE', 'networking.gke.io/l4-regional-internal-legacy', [K]],
  ['no class on GKE', '', ['gke.networking.io/l4-ilb-v2']],
  ['another class', 'example.com/fast', ['example.com/balancer']],
])('%s: it is protected', (...[, loadBalancerClass, finalizers, type]) => {
  expect(isUnprotected(loadBalancerClass, finalizers, type)).toBe(false);
});

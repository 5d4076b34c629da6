import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/docs/files';

// What the commands of an incident find must be of one Service, and of one cluster where the cloud knows it.

const PAGE = readFileSync(join(ROOT, 'docs', 'stuck-in-terminating.md'), 'utf8');

/** The part of step 6 for a cloud. */
function cloud(name: string): string {
  const [, section] = PAGE.split(`\n### ${name}\n`);
  return section.split(/^##/m)[0];
}

test('balancers of AWS are found by the tag of their cluster too', () => {
  const stacks = PAGE.match(/service\.k8s\.aws\/stack,Values=\S+/g) ?? [];
  expect(stacks.length).toBeGreaterThan(1);
  expect(PAGE.match(/Name=tag:service\.k8s\.aws\/stack/g)).toHaveLength(
    PAGE.match(/Name=tag:elbv2\.k8s\.aws\/cluster,Values=\$CLUSTER/g)?.length ?? 0,
  );
  expect(cloud('AWS').match(/Key=elbv2\.k8s\.aws\/cluster,Values=\$CLUSTER/g)).toHaveLength(1);
  expect(cloud('AWS')).not.toMatch(/--tag-filters (?!"\$\{TAGS\[@\]\}")/);
});

test('nothing of AWS is changed or deleted before it is known that one balancer was found', () => {
  const [before, after] = cloud('AWS').split('-eq 1 ]; then\n');
  expect(before).not.toMatch(/modify-|delete-/);
  expect(after).toMatch(/^ +aws elbv2 modify-load-balancer-attributes/);
});

/** What forwarding rules and the like have as descriptions: kubernetes/ingress-gce acbcf5d6, pkg/utils/utils.go. */
const l4 = (service: string) => `{"networking.gke.io/service-name":"${service}","networking.gke.io/api-version":"ga"}`;
/** Those of a service controller: kubernetes/cloud-provider-gcp 4e245312, providers/gce/gce_loadbalancer_naming.go. */
const legacy = (service: string) =>
  `{"kubernetes.io/service-name":"${service}", "kubernetes.io/service-ip":"192.0.2.1"}`;

test('filters for GKE find one Service, and none whose name begins or ends alike', () => {
  const filters = [...cloud('GKE').matchAll(/--filter="description~'([^']*)'"/g)].map(
    ([, filter]) => new RegExp(filter.replace(/\\"/g, '"').replace('$NAMESPACE/$SERVICE', 'shop/echo')),
  );
  expect(filters).toHaveLength(cloud('GKE').match(/--filter=/g)?.length ?? 0);
  for (const filter of filters) {
    expect([l4('shop/echo'), legacy('shop/echo')].filter((one) => !filter.test(one))).toEqual([]);
    const others = ['shop/echo-2', 'my-shop/echo', 'shop/echoes'].flatMap((other) => [l4(other), legacy(other)]);
    expect(others.filter((one) => filter.test(one))).toEqual([]);
  }
});

test('public addresses of Azure are found by whole names', () => {
  expect(cloud('Azure')).not.toContain("'$NAMESPACE/$SERVICE'");
  expect(cloud('Azure')).toContain("',$NAMESPACE/$SERVICE,'");
});

/** Lines of the AWS controller's log, the second written by controller-runtime for an error of a pass. */
const LOG = (namespace: string, name: string) => [
  `{"level":"info","ts":"2026-11-22T10:00:00Z","msg":"successfully deployed model","service":"${namespace}/${name}"}`,
  `{"level":"error","ts":"2026-11-22T10:00:00Z","msg":"Reconciler error","controller":"service","namespace":"${namespace}","name":"${name}","reconcileID":"1f6a","error":"AccessDenied"}`,
];

test.each(['stuck-in-terminating.md', 'stuck-in-pending.md'])(
  'the command for the log in %s finds errors too',
  (page) => {
    const [, grep] = /^kubectl logs .*aws-load-balancer-controller .* \| (grep .*)$/m.exec(
      readFileSync(join(ROOT, 'docs', page), 'utf8'),
    ) as RegExpExecArray;
    const lines = [...LOG('shop', 'echo'), ...LOG('other', 'echo'), ...LOG('shop', 'books')];
    const env = { ...process.env, NAMESPACE: 'shop', SERVICE: 'echo' };
    const found = execFileSync('bash', ['-euc', grep], { env, input: lines.join('\n'), encoding: 'utf8' });
    expect(found.trim().split('\n')).toEqual(LOG('shop', 'echo'));
  },
);

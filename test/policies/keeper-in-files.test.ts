import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { policiesText } from '../../src/checks/main';
import { run } from '../support/command';

// What a keeper changes of what check and diff say: by the context file, or by its policies among the files.

const CONTEXT =
  "kubernetes: '1.36'\ncontrollers: [aws-load-balancer-controller, cloud-provider-aws]\nstrimzi: 0.45.0\n";
const kafka = (finalizers: string) => `
apiVersion: kafka.strimzi.io/v1beta2
kind: Kafka
metadata:
  name: events
  namespace: kafka
  annotations: { strimzi.io/kraft: enabled, strimzi.io/node-pools: enabled }
spec:
  kafka:
    listeners:
      - name: external
        port: 9094
        type: loadbalancer
        tls: true
        configuration: { class: service.k8s.aws/nlb${finalizers} }
  entityOperator: {}
---
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaNodePool
metadata: { name: brokers, namespace: kafka, labels: { strimzi.io/cluster: events } }
spec: { replicas: 3, roles: [broker, controller], storage: { type: ephemeral } }
`;
const service = (finalizers: string, owners = '') => `
apiVersion: v1
kind: Service
metadata: { name: db, namespace: shop${finalizers}${owners} }
spec: { type: LoadBalancer, loadBalancerClass: service.k8s.aws/nlb, ports: [{ port: 5432 }], selector: { app: db } }
`;
const DECLARED = ', finalizers: [service.k8s.aws/resources]';
const OWNED =
  ', ownerReferences: [{ apiVersion: example.com/v1, kind: Database, name: db, uid: 5f0edc86-85f1-4057-a4d2-3d914e2702b3 }]';

function folder(files: Readonly<Record<string, string>>): string {
  const made = mkdtempSync(join(tmpdir(), 'keeper-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(made, name, '..'), { recursive: true });
    writeFileSync(join(made, name), text);
  }
  return made;
}

const KEEPERS: readonly (readonly [string, Readonly<Record<string, string>>, boolean])[] = [
  ['no keeper', { 'load-balancers.yaml': CONTEXT }, false],
  ['keeper: false', { 'load-balancers.yaml': `${CONTEXT}keeper: false\n` }, false],
  ['keeper: true', { 'load-balancers.yaml': `${CONTEXT}keeper: true\n` }, true],
  ['its policies', { 'load-balancers.yaml': CONTEXT, 'keeper.yaml': policiesText('keeper', {}) }, true],
];

test.each(KEEPERS)('check with %s', (_title, files, isKept) => {
  const { out } = run('check', folder({ ...files, 'kafka.yaml': kafka('') }));
  expect(out.includes('finalizer-undeclared')).toBe(!isKept);
  expect(out.includes('LoadBalancerKeeper')).toBe(isKept);
});

test.each(KEEPERS)('diff of a listener that no longer declares its finalizer, with %s', (_title, files, isKept) => {
  const sides = [kafka(DECLARED), kafka('')].map((text) => folder({ ...files, 'kafka.yaml': text }));
  const { out, code } = run('diff', ...sides);
  expect([out.includes('ORPHANED'), code]).toEqual(isKept ? [false, 0] : [true, 1]);
});

test.each([
  ['an owned Service', OWNED, {}, false],
  ['a Service of nobody', '', {}, true],
  [
    'a Service of nobody, and a keeper for all',
    '',
    { 'keeper.yaml': policiesText('keeper', { allServices: true }) },
    false,
  ],
])(
  'diff of %s with another set of finalizers',
  (_title, owners, policies: Readonly<Record<string, string>>, isOrphaned) => {
    const sides = [service(DECLARED, owners), service('', owners)].map((text) =>
      folder({
        'load-balancers.yaml': `${CONTEXT}${'keeper.yaml' in policies ? '' : 'keeper: true\n'}`,
        ...policies,
        'db.yaml': text,
      }),
    );
    const { out } = run('diff', ...sides, '--writer', 'server-apply');
    expect(out.includes('ORPHANED')).toBe(isOrphaned);
  },
);

test('a keeper that only one side has promises nothing', () => {
  const context = { 'load-balancers.yaml': CONTEXT };
  const before = folder({ ...context, 'kafka.yaml': kafka(DECLARED) });
  const after = folder({ ...context, 'keeper.yaml': policiesText('keeper', {}), 'kafka.yaml': kafka('') });
  expect(run('diff', before, after).out).toContain('ORPHANED');
});

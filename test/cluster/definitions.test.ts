import type { Ref } from './harness/api';
import { ControlPlane } from './harness/control-plane';
import { definitionsFromFiles, definitionsOfGroup, install } from './harness/custom-resources';

// Definitions that only some tests ask for: they can be had, and the API server serves them.

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
});

afterAll(() => plane?.stop());

const KYVERNO = 'github.com/kyverno/kyverno';

const CLUSTER_POLICY: Ref = {
  apiVersion: 'kyverno.io/v1',
  kind: 'ClusterPolicy',
  metadata: { name: 'edge' },
  spec: {
    rules: [
      {
        name: 'edge',
        match: { any: [{ resources: { kinds: ['Service'] } }] },
        mutate: { patchStrategicMerge: { metadata: { labels: { edge: 'yes' } } } },
      },
    ],
  },
};

test('the API server takes a policy of Kyverno, and none with a field that it does not know', async () => {
  await install(plane.api, definitionsOfGroup(KYVERNO, 'kyverno.io', 'ClusterPolicy'));
  const created = await plane.api.create(CLUSTER_POLICY);
  expect(created.spec.rules).toEqual(CLUSTER_POLICY.spec.rules.map((rule: object) => expect.objectContaining(rule)));
  const spoilt = { ...CLUSTER_POLICY, metadata: { name: 'other' }, spec: { ...CLUSTER_POLICY.spec, rule: [] } };
  await expect(plane.api.create(spoilt)).rejects.toThrow('unknown field "spec.rule"');
});

test('a kind that a module does not define is told', () => {
  expect(() => definitionsOfGroup(KYVERNO, 'kyverno.io', 'ClusterPolicy', 'Nonsense')).toThrow(
    'the module github.com/kyverno/kyverno defines too few of kyverno.io ClusterPolicy, Nonsense: 1',
  );
});

test('files bring the definitions of groups that they have, and of no others', () => {
  expect(definitionsFromFiles('nobody.example')).toEqual([]);
});

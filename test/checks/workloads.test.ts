import { Workloads } from '../../src/rules/selected-workloads';
import { checkedText } from '../support/checked';

const service = { spec: { selector: { team: 'shop', app: 'a7' } } };

test('a label that all pods have is not what a workload is looked for by', () => {
  let looks = 0;
  const workload = (i: number) => ({
    kind: 'Deployment',
    metadata: { name: `d${i}` },
    get spec() {
      looks++;
      return { template: { metadata: { labels: { team: 'shop', app: `a${i}` } } } };
    },
  });
  const workloads = new Workloads(Array.from({ length: 500 }, (_, i) => workload(i)));
  looks = 0;
  expect(workloads.of(service).map(({ metadata }) => metadata.name)).toEqual(['d7']);
  expect(looks).toBeLessThan(10);
});

test.each([
  ['a port of a container', 'ports: [{containerPort: 99999}]', 'container-port'],
  ['a label that its pods do not have', 'ports: []', 'workload-selector'],
])('%s is held to what the API server takes', (_, ports, ruleId) => {
  const label = ruleId === 'workload-selector' ? 'other' : 'echo';
  const { findings } = checkedText(`apiVersion: apps/v1
kind: StatefulSet
metadata: {name: echo, namespace: edge}
spec:
  selector: {matchLabels: {app: ${label}}}
  template:
    metadata: {labels: {app: echo}}
    spec:
      containers: [{name: echo, image: echo, ${ports}}]
`);
  expect(findings.map((one) => [one.ruleId, one.level])).toEqual([[ruleId, 'error']]);
});

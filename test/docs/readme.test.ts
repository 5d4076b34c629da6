import {
  continuedBy,
  exampleOf,
  FIRST_EXAMPLE,
  FURTHER_EXAMPLES,
  manifestsOf,
  README,
} from '../support/readme-programs';

// The README is read in two minutes, and what it shows can be pasted.

test('the README has at most 205 lines and 1,720 words: what is longer has a page', () => {
  expect(README.trimEnd().split('\n').length).toBeLessThanOrEqual(205);
  expect(README.split(/\s+/).filter((word) => word !== '').length).toBeLessThanOrEqual(1720);
});

test('the README shows a finding first, then the commands, the controllers, the constructs and the stories', () => {
  const order = [
    '**YAML**',
    'check before.yaml',
    'load-balancers diff',
    '## Controllers',
    'new LoadBalancedService',
    'before and after',
  ];
  const places = order.map((text) => README.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('the first example of the README is a whole program', () => {
  expect(manifestsOf(FIRST_EXAMPLE)).toContain('service.k8s.aws/resources');
});

test.each([
  ['NodepoolPinnedService', 'target-node-labels: eks.amazonaws.com/nodegroup=ingest'],
  ['AdoptedService', 'azure-load-balancer-internal: "true"'],
  ['KafkaLoadBalancedListener', 'type: loadbalancer'],
  ['TenantManifests', 'kind: ListenerSet'],
  ['AwsLoadBalancerControllerInstallation', 'kind: ValidatingWebhookConfiguration'],
])('the example of %s goes on from it, and writes %s', (construct, text) => {
  expect(manifestsOf(continuedBy(exampleOf(construct)))).toContain(text);
});

test('the last example of the README lists what the first one makes', () => {
  const last = FURTHER_EXAMPLES[FURTHER_EXAMPLES.length - 1];
  expect(last).toContain('failOnWarnings');
  const counted = last.replace(
    'LoadBalancers.of(app).count;',
    "if (LoadBalancers.of(app).count !== 1) throw new Error('not one');",
  );
  expect(manifestsOf(continuedBy(counted))).toContain('kind: Service');
});

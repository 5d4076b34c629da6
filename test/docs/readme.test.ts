import { FIRST_EXAMPLE, manifestsOf, README } from '../support/readme-programs';

test('the README has two screens: what is longer has a page', () => {
  expect(README.trimEnd().split('\n').length).toBeLessThanOrEqual(190);
  expect(README.split(/\s+/).filter((word) => word !== '').length).toBeLessThanOrEqual(1250);
});

test('the README shows the commands, a finding and a change, then a construct, the controllers and the stories', () => {
  const order = [
    'npm ci',
    'check examples',
    'load-balancers diff',
    'new LoadBalancedService',
    '## Controllers',
    '| story',
  ];
  const places = order.map((text) => README.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('the example of the README is a whole program, and its Service is beside it', () => {
  const service = /<!-- manifest -->\n\n```yaml\n(.*?)\n```/s.exec(README)?.[1] ?? '';
  expect(service).toContain('service.k8s.aws/resources');
  expect(manifestsOf(FIRST_EXAMPLE)).toContain(service);
});

import { App, type Chart, Testing } from 'cdk8s';
import { LoadBalancers } from 'cdk8s-load-balancers';
import { platform } from '../src/app.js';

const app = new App();
platform(app);

test.each(app.charts.map((chart): [string, Chart] => [chart.node.id, chart]))(
  'the manifests of %s are what they were',
  (_, chart) => {
    expect(Testing.synth(chart)).toMatchSnapshot();
  },
);

test('nothing stops the synth, and every warning is acknowledged', () => {
  const { errors, warnings } = LoadBalancers.of(app);
  expect(errors).toEqual([]);
  expect(warnings.filter(({ acknowledged }) => acknowledged === undefined)).toEqual([]);
});

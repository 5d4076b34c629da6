import { EXPERIMENTS } from './experiments';

// What was seen when the real programs ran, asked of the model: finalizers and balancers at each point of rest, or all that
// can go wrong.

describe.each(Object.entries(EXPERIMENTS))('%s', (_, experiments) => {
  test.each(experiments.map((experiment) => [experiment.title, experiment] as const))('%s', (_title, experiment) => {
    expect(experiment.run()).toBe(experiment.expected);
  });
});

import type { Policy, Scenario, Writer } from '../../src/lifecycle/scenario';
import { AWS_BY_ANNOTATION, AWS_BY_CLASS } from './experiments';
import { live } from './life';

// The rows of the first story, which was seen with the real programs: Strimzi 0.49.1 and 1.2.0, the AWS Load Balancer
// Controller 3.5.0 and the service controller on one API server. F is the finalizer of the AWS controller, K of the other.

const aws = (by: 'class' | 'annotation', policy: Policy, writer: Writer): Scenario => ({
  owner: by === 'class' ? AWS_BY_CLASS : AWS_BY_ANNOTATION,
  beside: 'service controller',
  policy,
  writer,
});

describe('Strimzi 0.49.1, which writes whole objects', () => {
  test.each<[string, 'class' | 'annotation', Policy, string, string, number]>([
    ["class, K declared: the story's mistake leaves the balancer", 'class', 'wrong', '[K,F]', '[K]', 1],
    ['class, nothing declared: stripped, then gone without Terminating', 'class', 'left', '[F]', '[]', 1],
    ["class, F declared: the story's fix leaves nothing", 'class', 'declared', '[F]', '[F]', 0],
    ['type external, nothing declared: both stripped', 'annotation', 'left', '[K,F]', '[]', 1],
    ['type external, F declared: K alone is stripped', 'annotation', 'declared', '[K,F]', '[F]', 0],
    ['type external, K declared: F is stripped', 'annotation', 'wrong', '[K,F]', '[K]', 1],
  ])('%s', (_, by, policy, created, reconciled, left) => {
    expect(live(aws(by, policy, 'put'))).toEqual({
      created: [`${created}, 1`],
      reconciled: [`${reconciled}, 1`],
      deleted: [`gone, ${left}`],
    });
  });
});

describe('Strimzi 1.2.0, which applies on the server', () => {
  test.each<['class' | 'annotation', Policy, string]>([
    ['class', 'wrong', '[K,F]'],
    ['class', 'left', '[F]'],
    ['class', 'declared', '[F]'],
    ['annotation', 'left', '[K,F]'],
    ['annotation', 'declared', '[K,F]'],
    ['annotation', 'wrong', '[K,F]'],
  ])('by %s, finalizer %s: nothing is stripped and nothing left', (by, policy, finalizers) => {
    expect(live(aws(by, policy, 'server-apply'))).toEqual({
      created: [`${finalizers}, 1`],
      reconciled: [`${finalizers}, 1`],
      deleted: ['gone, 0'],
    });
  });
});

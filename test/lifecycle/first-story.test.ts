import type { Policy, Scenario } from '../../src/lifecycle/scenario';
import type { Writer } from '../../src/lifecycle/writers.facts';
import { AWS_BY_ANNOTATION, AWS_BY_CLASS, live } from './life';

// The rows of the first story, which was seen with the real programs: Strimzi 0.49.1 and 1.2.0, the AWS Load Balancer
// Controller 3.5.0 and the service controller on one API server. F is the finalizer of the AWS controller, K of the other.

const aws = (by: 'class' | 'annotation', policy: Policy, writer: Writer): Scenario => ({
  owner: by === 'class' ? AWS_BY_CLASS : AWS_BY_ANNOTATION,
  beside: 'service controller',
  policy,
  writer,
});

describe('Strimzi 0.49.1, which writes whole objects', () => {
  test.each<[string, 'class' | 'annotation', Policy, string, string, string]>([
    ["class, K declared: the story's mistake leaves the balancer", 'class', 'wrong', '[K,F]', '[K]', 'made'],
    ['class, nothing declared: stripped, then gone without Terminating', 'class', 'left', '[F]', '[]', 'made'],
    ["class, F declared: the story's fix leaves nothing", 'class', 'declared', '[F]', '[F]', 'none'],
    ['type external, nothing declared: both stripped', 'annotation', 'left', '[K,F]', '[]', 'made'],
    ['type external, F declared: K alone is stripped', 'annotation', 'declared', '[K,F]', '[F]', 'none'],
    ['type external, K declared: F is stripped', 'annotation', 'wrong', '[K,F]', '[K]', 'made'],
  ])('%s', (_, by, policy, created, reconciled, balancer) => {
    expect(live(aws(by, policy, 'put'))).toEqual({
      created: [created],
      reconciled: [reconciled],
      deleted: ['gone'],
      balancers: [balancer],
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
      created: [finalizers],
      reconciled: [finalizers],
      deleted: ['gone'],
      balancers: ['none'],
    });
  });
});

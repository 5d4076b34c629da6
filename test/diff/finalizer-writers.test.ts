import { AwsLoadBalancerController } from '../../src';
import { changesIn, service } from './rows';

// Whether a finalizer that is no longer declared goes hangs on who writes.

const CLASS = 'service.k8s.aws/nlb';
const installed = [AwsLoadBalancerController.nlb()];
const changeBy = (writer?: 'client-apply' | 'server-apply') => {
  const [old, now] = [service({ class: CLASS, finalizers: ['service.k8s.aws/resources'] }), service({ class: CLASS })];
  const [{ outcome, effects: causes }] = changesIn(old, now, { installed, ...(writer && { writer }) });
  return {
    outcome,
    causes: causes.map(({ field, why, condition, remedy }) => ({
      field,
      why,
      ...(condition && { condition }),
      ...(remedy && { remedy }),
    })),
  };
};

test('of an unknown writer the cause says with which ones it goes', () => {
  const { outcome, causes } = changeBy();
  expect(outcome).toBe('orphaned');
  expect(causes[0].why).toMatch(/^who stops declaring it/);
  expect(causes[0].condition).toBe('applied with --server-side or replace');
  expect(causes[0].remedy).toContain('--writer client-apply');
});

test('of server-side apply it is sure', () => {
  const { outcome, causes } = changeBy('server-apply');
  expect(outcome).toBe('orphaned');
  expect(causes[0].why).not.toContain('--server-side');
});

test('what client-side apply keeps is a change all the same', () => {
  const { outcome, causes } = changeBy('client-apply');
  expect(outcome).toBe('kept');
  expect(causes).toEqual([
    {
      field: 'metadata.finalizers',
      why: expect.stringContaining('after client-side apply the running owner adds it again'),
    },
  ]);
});

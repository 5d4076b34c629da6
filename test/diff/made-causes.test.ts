import { AwsLoadBalancerController } from '../../src';
import type { MadeBalancer } from '../../src/contract/made-balancer';
import type { Side } from '../../src/diff/side';
import { saidOf, service } from './rows';
import { changesOf, sideOf } from './sides';

// What an owner makes of a Service can change by something that is not in it.

const text = service({ class: 'service.k8s.aws/nlb' });
const installed = [AwsLoadBalancerController.nlb()];

function sideWith(made: Partial<MadeBalancer>): Side {
  const side = sideOf(text, { installed });
  return {
    ...side,
    balancers: side.balancers.map((one) => ({ ...one, made: { ...(one.made as MadeBalancer), ...made } })),
  };
}

test.each<[string, Partial<MadeBalancer>, string]>([
  ['nothing', {}, 'kept edge/echo'],
  ['another kind of balancer', { product: 'another' }, 'unknown edge/echo: spec'],
  ['other nodes', { nodeLabels: { zone: 'a' } }, 'unknown edge/echo: spec'],
])('%s is made of it', (_, made, said) => {
  expect(saidOf(changesOf(sideOf(text, { installed }), sideWith(made)))).toEqual([said]);
});

test('what is made of it is not known on one side', () => {
  const side = sideOf(text, { installed });
  const unknown = { ...side, balancers: side.balancers.map(({ made: _, ...one }) => one) };
  expect(saidOf(changesOf(side, unknown))).toEqual(['unknown edge/echo: spec']);
});

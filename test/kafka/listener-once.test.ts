import { LoadBalancerScheme, LoadBalancers, StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf } from '../support/apps';
import { table } from '../support/yaml-cases';
import { listen, metalLb, type Props, present } from './listeners';

// What has one cause is told once, however many things come of it.

const { V1_2 } = StrimziVersion;
const scram = { authentication: { type: 'scram-sha-512' } };
const internal = { ...scram, scheme: LoadBalancerScheme.INTERNAL };

test.each<[string, Props, Json[], string[]]>(table('kafka/listener-once.yaml', 'is told once'))(
  '%s is told once',
  (_, props, listeners, rules) => {
    const more = listeners.map((listener) => ({ ...listener, authentication: { type: 'scram-sha-512' } }));
    const errors = errorsOf(listen(props, V1_2, more).chart);
    expect(errors.map((error) => /\(([a-z-]+)\)$/.exec(error)?.[1])).toEqual(rules);
  },
);

function warned(rule: string, props: Props, listeners: Json[] = []): string[] {
  const { chart } = listen({ ...internal, controller: metalLb(), ...props }, V1_2, listeners);
  const known = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
  return known.filter(({ ruleId }) => ruleId === rule).map(({ what }) => what);
}

test.each<[string, string, Json]>(table('kafka/listener-once.yaml', 'others'))('%s', (what, _, configuration) => {
  expect(warned('listener-advertised-port-differs', {}, [present(configuration)])).toEqual([
    expect.stringContaining(what),
  ]);
});

test.each<[string, Json, string[]]>(table('kafka/listener-once.yaml', 'hosts that brokers advertise'))(
  'hosts that brokers advertise: %s',
  (_, configuration, expected) => {
    expect(warned('listener-advertised-some', {}, [present(configuration)])).toEqual(
      expected.map((text) => expect.stringContaining(text)),
    );
  },
);

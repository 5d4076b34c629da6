import { CustomController, LoadBalancerScheme, LoadBalancers, StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf } from '../support/apps';
import { listen, metalLb, type Props, present } from './listeners';

// What has one cause is told once, however many things come of it.

const { V1_2 } = StrimziVersion;
const scram = { authentication: { type: 'scram-sha-512' } };
const internal = { ...scram, scheme: LoadBalancerScheme.INTERNAL };
const acme = (loadBalancerClass: string) => CustomController.of({ owner: 'acme', loadBalancerClass });

test.each<[string, Props, Json[], string[]]>([
  ['a name of capitals', { ...scram, name: 'External' }, [], ['listener-name']],
  ['a name with an underscore', { ...scram, name: 'a_b' }, [], ['listener-name']],
  ['a name that is too long', { ...scram, name: 'externalexternal' }, [], ['listener-name']],
  ['a class that is no name', { ...scram, controller: acme('a b') }, [], ['listener-class-syntax']],
  ['a finalizer without a domain', internal, [present({ finalizers: ['x'] })], ['listener-finalizer-syntax']],
  [
    'a finalizer that is no name, and one that nobody removes',
    internal,
    [present({ finalizers: ['a.b/c d', 'acme.example/x'] })],
    ['listener-finalizer-syntax', 'finalizer-unknown'],
  ],
  ['a range that is none', { ...scram, sourceRanges: ['10.0.0.0'] }, [], ['listener-source-range']],
  ['a port that is none', { ...scram, port: 70000 }, [], ['listener-port-range']],
  [
    'annotations and labels without names',
    internal,
    [present({ bootstrap: { annotations: { 'a b': 'c' }, labels: { 'x y': 'z' } } })],
    ['listener-metadata-key', 'listener-metadata-key'],
  ],
  ['a node port that is none', internal, [present({ bootstrap: { nodePort: 99999 } })], ['listener-node-port']],
])('%s is told once', (_, props, listeners, rules) => {
  const more = listeners.map((listener) => ({ ...listener, authentication: { type: 'scram-sha-512' } }));
  const errors = errorsOf(listen(props, V1_2, more).chart);
  expect(errors.map((error) => /\(([a-z-]+)\)$/.exec(error)?.[1])).toEqual(rules);
});

function warned(rule: string, props: Props, listeners: Json[] = []): string[] {
  const { chart } = listen({ ...internal, controller: metalLb(), ...props }, V1_2, listeners);
  const known = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
  return known.filter(({ ruleId }) => ruleId === rule).map(({ what }) => what);
}

const HOSTS = [0, 1, 2].map((broker) => ({ broker, advertisedHost: `b${broker}.example.com` }));

test.each<[string, string, Json]>([
  [
    'broker 0 advertises port 443, and its balancer listens on port 9094: an advertised port changes neither Service nor balancer',
    'one broker',
    { brokers: [{ broker: 0, advertisedPort: 443 }] },
  ],
  [
    'brokers 0, 1, 2 advertise port 443, and their balancers listen on port 9094: an',
    'all brokers',
    { advertisedHostTemplate: 'b{nodeId}.example.com', advertisedPortTemplate: '443' },
  ],
  [
    'brokers 0, 1, 2 advertise ports 9000, 9001, 9002, and their balancers listen on port 9094: an',
    'ports of their own',
    { advertisedPortTemplate: '9000 + {nodeId}' },
  ],
])('%s', (what, _, configuration) => {
  expect(warned('listener-advertised-port-differs', {}, [present(configuration)])).toEqual([
    expect.stringContaining(what),
  ]);
});

test.each<[string, Json, string[]]>([
  [
    'some brokers',
    { brokers: HOSTS.slice(0, 1) },
    [
      'broker 0 advertises a host, and brokers 1, 2 do not: they advertise the addresses of their balancers, which your DNS and certificates do not cover',
    ],
  ],
  [
    'all brokers but one',
    { brokers: HOSTS.slice(0, 2) },
    ['brokers 0, 1 advertise hosts, and broker 2 does not: it advertises'],
  ],
  ['every broker', { brokers: HOSTS }, []],
  ['a template', { brokers: HOSTS.slice(0, 2), advertisedHostTemplate: 'x{nodeId}.example.com' }, []],
  ['no broker', {}, []],
])('hosts that brokers advertise: %s', (_, configuration, expected) => {
  expect(warned('listener-advertised-some', {}, [present(configuration)])).toEqual(
    expected.map((text) => expect.stringContaining(text)),
  );
});

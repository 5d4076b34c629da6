import { KafkaAuthentication } from '../../src/kafka/listener/kafka-authentication';

test.each<[string, KafkaAuthentication, object]>([
  ['tls', KafkaAuthentication.tls(), { type: 'tls' }],
  ['scram-sha-512', KafkaAuthentication.scramSha512(), { type: 'scram-sha-512' }],
  ['custom', KafkaAuthentication.custom({}), { type: 'custom', sasl: false }],
  [
    'custom',
    KafkaAuthentication.custom({ sasl: true, listenerConfig: { 'sasl.enabled.mechanisms': 'OAUTHBEARER' } }),
    { type: 'custom', sasl: true, listenerConfig: { 'sasl.enabled.mechanisms': 'OAUTHBEARER' } },
  ],
  [
    'oauth',
    KafkaAuthentication.oauth({ validIssuerUri: 'https://sso.example.com', checkIssuer: true }),
    { type: 'oauth', validIssuerUri: 'https://sso.example.com', checkIssuer: true },
  ],
  ['oauth', KafkaAuthentication.oauth({ type: 'oauth', enablePlain: true }), { type: 'oauth', enablePlain: true }],
])('%s is written as the listener has it: $2', (type, authentication, expected) => {
  expect(authentication.type).toBe(type);
  expect(authentication._toJson()).toEqual(expected);
});

test('the type stands first, as people write it', () => {
  expect(Object.keys(KafkaAuthentication.custom({ sasl: true })._toJson())).toEqual(['type', 'sasl']);
});

test('what is written can be changed without harm to the next rendering', () => {
  const authentication = KafkaAuthentication.custom({ listenerConfig: { 'max.connections': 10 } });
  authentication._toJson().sasl = true;
  expect(authentication._toJson()).toEqual({
    type: 'custom',
    sasl: false,
    listenerConfig: { 'max.connections': 10 },
  });
});

test.each<[unknown, string]>([
  ['tls', '"tls"'],
  [7, '7'],
])('oauth of another type is refused: %p', (type, shown) => {
  expect(() => KafkaAuthentication.oauth({ type })).toThrow(
    new Error(
      `strimzi: authentication oauth cannot be of type ${shown}; leave type out, or use another method of KafkaAuthentication`,
    ),
  );
});

import type { Json } from '../../src/contract/json';
import { KafkaAuthorization } from '../../src/kafka/cluster/kafka-authorization';

const VALUES: [string, KafkaAuthorization, Json][] = [
  ['authorization', KafkaAuthorization.simple(), { type: 'simple' }],
  [
    'authorization with super users',
    KafkaAuthorization.simple({ superUsers: ['root'] }),
    { type: 'simple', superUsers: ['root'] },
  ],
  [
    'an authorizer',
    KafkaAuthorization.custom({ authorizerClass: 'a.B', supportsAdminApi: true, superUsers: ['root'] }),
    { type: 'custom', authorizerClass: 'a.B', supportsAdminApi: true, superUsers: ['root'] },
  ],
];

const OLD_VALUES: [string, KafkaAuthorization, Json][] = [
  [
    'keycloak',
    KafkaAuthorization.keycloak({ tokenEndpointUri: 'https://sso.example.com', superUsers: ['a'] }),
    { type: 'keycloak', tokenEndpointUri: 'https://sso.example.com', superUsers: ['a'] },
  ],
  ['opa', KafkaAuthorization.opa({ type: 'opa', url: 'http://opa' }), { type: 'opa', url: 'http://opa' }],
];

test.each([...VALUES, ...OLD_VALUES])('%s is written as the Kafka resource has it', (_, authorization, expected) => {
  expect(authorization._toJson()).toEqual(expected);
});

test('another type of authorization is refused', () => {
  expect(() => KafkaAuthorization.opa({ type: 'keycloak' })).toThrow(
    'strimzi: authorization opa cannot be of type "keycloak"; leave type out, or use another method of KafkaAuthorization',
  );
});

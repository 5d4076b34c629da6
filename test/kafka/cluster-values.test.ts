import type { Json } from '../../src/contract/json';
import { sentenceOf } from '../../src/contract/sentence';
import { KafkaAuthorization } from '../../src/kafka/cluster/kafka-authorization';
import { unservedFields } from '../../src/kafka/document/field-names';
import { AUTHORIZATION_RULES } from '../../src/kafka/rules/authorization-rules';
import { StrimziVersion } from '../../src/kafka/strimzi/strimzi-version';
import { RuleSet } from '../../src/rules/rule';
import { kafka } from './document-mistakes';

const { V0_45, V0_48, V0_49, V1_2 } = StrimziVersion;
const SCRAM = { name: 'plain', port: 9092, type: 'internal', tls: false, authentication: { type: 'scram-sha-512' } };

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

/** All that is found in a document with authorization. */
function found(authorization: KafkaAuthorization, strimzi: StrimziVersion, apiVersion = strimzi.apiVersion): string[] {
  const document = { ...kafka({ listeners: [SCRAM], authorization: authorization._toJson() }), apiVersion };
  const { errors, warnings } = new RuleSet(AUTHORIZATION_RULES, 'strimzi').judge(document, { strimzi });
  const names = unservedFields('Kafka', document, strimzi).map(({ what }) => what);
  return [...[...errors, ...warnings].map(sentenceOf), ...names];
}

test.each(VALUES)('%s fits every version', (_, authorization) => {
  for (const strimzi of [V0_45, StrimziVersion.V0_47, V0_48, V0_49, StrimziVersion.V1_0, V1_2]) {
    expect(found(authorization, strimzi)).toEqual([]);
  }
});

test.each(OLD_VALUES)('authorization %s is what the API version v1beta2 alone takes', (type, authorization) => {
  expect(found(authorization, V0_48)).toEqual([]);
  expect(found(authorization, V0_49)[0]).toBe(
    `strimzi: spec.kafka.authorization.type is '${type}', which API version v1 does not have; use type custom with its authorizerClass (kafka-authorization-type)`,
  );
});

test('another type of authorization is refused', () => {
  expect(() => KafkaAuthorization.opa({ type: 'keycloak' })).toThrow(
    'strimzi: authorization opa cannot be of type "keycloak"; leave type out, or use another method of KafkaAuthorization',
  );
});

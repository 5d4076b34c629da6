import { StrimziVersion } from '../../../src';
import { cluster, type Mistake, user } from './entities';

const { V1_0, V1_1 } = StrimziVersion;
const LONG = 'a'.repeat(65);
const tls = { type: 'tls' };
const scram = { type: 'scram-sha-512' };

function listening(...types: (string | undefined)[]) {
  const listeners = types.map((type, i) => ({ name: `l${i}`, port: 9092 + i, authentication: type && { type } }));
  return { kafka: cluster({ kafka: { listeners } }) };
}

const withPrefix = (secretPrefix: string) => ({
  kafka: cluster({ spec: { entityOperator: { userOperator: { secretPrefix } } } }),
});

/** What is wrong with users, beside their ACLs. */
export const USER_MISTAKES: Mistake[] = [
  [
    user({ acls: [], quotas: { producerRate: 1 }, authentication: { type: 'tls', days: 3 } }),
    [
      'strimzi: spec.acls does not exist, and is dropped without a word unless fields are checked strictly; use one of authentication, authorization, quotas, template (user-field)',
      'strimzi: spec.authentication.days does not exist, and is dropped without a word unless fields are checked strictly; use one of type, password, validityDays, renewalDays (user-field)',
      'strimzi: spec.quotas.producerRate does not exist, and is dropped without a word unless fields are checked strictly; use one of producerByteRate, consumerByteRate, requestPercentage, controllerMutationRate (user-field)',
    ],
  ],
  [
    user({}, { metadata: { labels: { 'strimzi.io/cluster': 'events', 'strimzi.io/team': 'a' } } }),
    [
      'strimzi: metadata.labels has strimzi.io/team, with which the operator does not reconcile the user; use a label of a domain of your own (user-label-reserved)',
    ],
  ],
  [
    user({ authentication: { type: 'scram-sha-256' } }),
    [
      "strimzi: spec.authentication.type is 'scram-sha-256', which is unknown; use one of tls, tls-external, scram-sha-512 (user-authentication)",
    ],
  ],
  [
    user({ authentication: {} }),
    ['strimzi: spec.authentication.type is missing; use one of tls, tls-external, scram-sha-512 (user-authentication)'],
  ],
  [
    user({ authentication: tls }, { metadata: { name: LONG } }),
    [
      `strimzi: metadata.name '${LONG}' has 65 characters, more than the 64 of a common name; choose a shorter name, or authentication scram-sha-512 (user-tls-name)`,
    ],
  ],
  [
    user({ authentication: { type: 'tls', validityDays: 30, renewalDays: 7 } }),
    [
      'strimzi: Strimzi 1.0.1 has no spec.authentication.validityDays and spec.authentication.renewalDays; use Strimzi 1.1.0 or newer, or say the days in clientsCa of the Kafka resource for all users (user-certificate-days)',
    ],
    { strimzi: V1_0 },
  ],
  [user({ authentication: { type: 'tls', validityDays: 30, renewalDays: 7 } }), [], { strimzi: V1_1 }],
  [
    user({ authentication: { type: 'scram-sha-512', validityDays: 30, renewalDays: 7 } }),
    [
      "strimzi: spec.authentication.validityDays and spec.authentication.renewalDays cannot stand with authentication 'scram-sha-512'; remove it, or use authentication tls (user-certificate-days)",
    ],
  ],
  [
    user({ authentication: { type: 'tls', renewalDays: 7 } }),
    [
      'strimzi: spec.authentication.renewalDays cannot stand without validityDays; write both, or neither (user-certificate-days)',
    ],
  ],
  [
    user({ authentication: { type: 'tls', validityDays: 0, renewalDays: 1.5 } }),
    [
      'strimzi: spec.authentication.validityDays is 0, no whole number from 1 to 2147483647; write such a number of days (user-certificate-days)',
      'strimzi: spec.authentication.renewalDays is 1.5, no whole number from 1 to 2147483647; write such a number of days (user-certificate-days)',
    ],
  ],
  [
    user({ authentication: { type: 'tls', validityDays: 30, renewalDays: 30 } }),
    [
      'strimzi: spec.authentication.renewalDays is 30, and validityDays is 30: a certificate would be renewed before it is made; write fewer renewalDays than validityDays (user-certificate-days)',
    ],
  ],
  [
    user({ authentication: { type: 'scram-sha-512', password: { valueFrom: { secretKeyRef: { name: 'a' } } } } }),
    [
      'strimzi: spec.authentication.password has no valueFrom.secretKeyRef.key; write name and key of the Secret with the password, or remove it for one that the operator makes (user-password)',
    ],
  ],
  [
    user({ authentication: { type: 'scram-sha-512', password: 'secret' } }),
    [
      'strimzi: spec.authentication.password has no valueFrom.secretKeyRef.name and no key; write name and key of the Secret with the password, or remove it for one that the operator makes (user-password)',
    ],
  ],
  [
    user({ authentication: { type: 'tls', password: { valueFrom: {} } } }),
    [
      "(strimzi): spec.authentication.password stands with authentication 'tls', and is ignored; remove it, or use authentication scram-sha-512 (user-password-ignored)",
    ],
  ],
  ...['', 'kafka-'].map(
    (prefix): Mistake => [
      user({
        authentication: { ...scram, password: { valueFrom: { secretKeyRef: { name: `${prefix}alice`, key: 'a' } } } },
      }),
      [
        `(strimzi): the password stands in Secret ${prefix}alice, which the operator overwrites with the user's own, and deletes with the user; keep the password in a Secret of another name (user-password-own)`,
      ],
      withPrefix(prefix),
    ],
  ),
  [
    user({ authentication: scram }),
    [
      '(strimzi): the user has authentication scram-sha-512, and no listener of the cluster takes it (none, tls), which nobody tells before its clients are refused; give a listener authentication scram-sha-512, or the user that of a listener (user-listener)',
    ],
    listening(undefined, 'tls'),
  ],
  [
    user({ authentication: tls }),
    [
      '(strimzi): the user has authentication tls, and no listener of the cluster takes it (scram-sha-512), which nobody tells before its clients are refused; give a listener authentication tls, or the user that of a listener (user-listener)',
    ],
    listening('scram-sha-512', 'scram-sha-512'),
  ],
  [
    user({ authentication: { type: 'tls-external' } }),
    [
      '(strimzi): the user has authentication tls-external, and no listener of the cluster takes it (oauth), which nobody tells before its clients are refused; give a listener authentication tls, or the user that of a listener (user-listener)',
    ],
    listening('oauth'),
  ],
  [user({ authentication: scram }), [], listening('custom')],
  [user({ authentication: scram }), [], listening()],
  [
    user({
      quotas: { producerByteRate: -1, consumerByteRate: '10', requestPercentage: 1.5, controllerMutationRate: -0.5 },
    }),
    [
      'strimzi: spec.quotas.producerByteRate is -1, no whole number from 0 to 2147483647; write such a number, or remove it for no limit (user-quotas)',
      "strimzi: spec.quotas.consumerByteRate is '10', no whole number from 0 to 2147483647; write such a number, or remove it for no limit (user-quotas)",
      'strimzi: spec.quotas.requestPercentage is 1.5, no whole number from 0 to 2147483647; write such a number, or remove it for no limit (user-quotas)',
      'strimzi: spec.quotas.controllerMutationRate is -0.5, no number from 0; write such a number, or remove it for no limit (user-quotas)',
    ],
  ],
  [
    user({ quotas: { producerByteRate: 4_294_967_296 } }),
    [
      'strimzi: spec.quotas.producerByteRate is 4294967296, no whole number from 0 to 2147483647; write such a number, or remove it for no limit (user-quotas)',
    ],
  ],
  [
    user({ quotas: { producerByteRate: 1024 } }),
    [
      '(strimzi): spec.quotas stands beside quotas of type strimzi in the Kafka resource, which count for all clients together, and alone; remove it, or use quotas of type kafka in the Kafka resource (user-quotas-ignored)',
    ],
    { kafka: cluster({ kafka: { quotas: { type: 'strimzi' } } }) },
  ],
  [
    user({
      template: { secret: { metadata: { labels: { 'strimzi.io/a': 'b' }, annotations: { 'example.com/a': true } } } },
    }),
    [
      'strimzi: spec.template.secret.metadata.labels has strimzi.io/a, with which the operator does not reconcile the user; use a key of a domain of your own (user-template)',
      'strimzi: spec.template.secret.metadata.annotations has example.com/a: true, no text, so the API server refuses the resource; quote it (user-template)',
    ],
  ],
  [
    user({ template: { secret: { metadata: { labels: { 'app.kubernetes.io/name': 'a' } } } } }),
    [
      '(strimzi): spec.template.secret.metadata.labels has app.kubernetes.io/name, which the operator drops without a word; use a key of a domain of your own (user-template-dropped)',
    ],
  ],
  [
    user({ authentication: scram }),
    [
      "kubernetes: the name of its Secret: 'kafka_alice' is no DNS name (lower-case letters, digits, dashes and dots, at most 253); write another secretPrefix of the userOperator, or a shorter name (user-secret-name)",
    ],
    withPrefix('kafka_'),
  ],
  [user({ authentication: { type: 'tls-external' } }), [], withPrefix('kafka_')],
];

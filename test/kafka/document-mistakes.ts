import { StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';

/** A listener of each cluster. */
export const PLAIN: Json = { name: 'plain', port: 9092, type: 'internal', tls: false };

const LONG_NAME: Json = { metadata: { name: 'e'.repeat(45) } };

const SCRAM: Json = { type: 'scram-sha-512' };

/** A Kafka resource, with more in `spec.kafka` and in the document. */
export function kafka(more: Json = {}, document: Json = {}): Json {
  const { spec, ...rest } = document;
  return {
    apiVersion: 'kafka.strimzi.io/v1',
    kind: 'Kafka',
    metadata: { name: 'events' },
    ...rest,
    spec: { ...spec, kafka: { listeners: [PLAIN], ...more } },
  };
}

/** Kafka resources, and all that is said of each. */
export const DOCUMENT_MISTAKES: [Json, string[], StrimziVersion?][] = [
  [
    kafka({
      listeners: [
        { name: 'plain', port: 9092, type: 'internal', tls: false },
        { name: 'plain', port: 9094, type: 'loadbalancer', tls: true, authentication: SCRAM },
      ],
    }),
    [
      "strimzi: listener 'plain': an earlier listener is named 'plain' too; give one of the two another name (listener-name-twice)",
    ],
  ],
  [
    kafka({
      listeners: [
        { name: 'plain', port: 9092, type: 'internal', tls: false },
        { name: 'external', port: 9092, type: 'loadbalancer', tls: true, authentication: SCRAM },
      ],
    }),
    [
      "strimzi: listener 'external': an earlier listener has port 9092 too; give one of the two another port (listener-port-twice)",
    ],
  ],
  [
    kafka({
      listeners: [{ name: 'external', port: 9094, type: 'loadbalancer', tls: true }],
      authorization: { type: 'simple', superUsers: ['ANONYMOUS'] },
    }),
    [
      "strimzi: listener 'external': a listener of type loadbalancer has no authentication, and spec.kafka.authorization.superUsers has ANONYMOUS, so every client that reaches it can read and write every topic; set authentication, or accept this if only trusted clients can reach the listener (listener-open-to-all)",
    ],
  ],
  [
    kafka({}, { apiVersion: 'kafka.strimzi.io/v1beta2' }),
    [
      "strimzi: apiVersion is 'kafka.strimzi.io/v1beta2', which Strimzi 1.2.0 does not serve; under Strimzi 0.49 to 0.51 convert the resources and what the cluster has stored to kafka.strimzi.io/v1 with Strimzi's conversion tool, or name the Strimzi version that runs (kafka-api-version)",
    ],
  ],
  [
    kafka({}),
    [
      "strimzi: apiVersion is 'kafka.strimzi.io/v1', which Strimzi 0.48.0 does not serve; write kafka.strimzi.io/v1beta2, or name the Strimzi version that runs (kafka-api-version)",
    ],
    StrimziVersion.V0_48,
  ],
  [
    kafka({}, { apiVersion: 'kafka.strimzi.io/v1alpha1' }),
    [
      "strimzi: apiVersion is 'kafka.strimzi.io/v1alpha1', which Strimzi 0.51.0 does not serve; write kafka.strimzi.io/v1, or name the Strimzi version that runs (kafka-api-version)",
    ],
    StrimziVersion.V0_51,
  ],
  [
    kafka({ version: '3.9.0' }),
    [
      "strimzi: spec.kafka.version is '3.9.0', which Strimzi 1.2.0 does not run; write one of 4.2.0, 4.2.1, 4.3.0, 4.3.1 (kafka-version)",
    ],
  ],
  [
    kafka({ version: '4.3.7' }),
    [
      "strimzi: spec.kafka.version is '4.3.7', which Strimzi 1.2.0 does not run; write one of 4.2.0, 4.2.1, 4.3.0, 4.3.1, or remove it for 4.3.1 (kafka-version)",
    ],
  ],
  [
    kafka({ version: '3.0.0' }, { apiVersion: 'kafka.strimzi.io/v1' }),
    [
      "strimzi: spec.kafka.version is '3.0.0', which Strimzi 0.49.5 does not run; write one of 4.0.0, 4.0.1, 4.1.0, 4.1.1 (kafka-version)",
    ],
    StrimziVersion.of('0.49.5'),
  ],
  [
    kafka({ version: '4.2.0' }, { apiVersion: 'kafka.strimzi.io/v1' }),
    [
      "strimzi: spec.kafka.version is '4.2.0', which Strimzi 0.49.5 does not run; write one of 4.0.0, 4.0.1, 4.1.0, 4.1.1 (kafka-version)",
    ],
    StrimziVersion.of('0.49.5'),
  ],
  [kafka({ version: '4.1.7' }), [], StrimziVersion.of('0.49.5')],
  [
    kafka({ version: '4.1.2' }),
    [
      "strimzi: spec.kafka.version is '4.1.2', which Strimzi 1.3.0 does not run; write one of 4.2.0, 4.2.1, 4.3.0, 4.3.1 (kafka-version)",
    ],
    StrimziVersion.of('1.3'),
  ],
  [kafka({ version: '4.4.0' }), [], StrimziVersion.of('1.3')],
  ...['1.2.1', '1.3.0', '2.0.0', '9.9.9'].map((version): [Json, string[], StrimziVersion] => [
    kafka({}, { apiVersion: 'kafka.strimzi.io/v1' }),
    [
      `strimzi: Strimzi ${version} is newer than 1.2.0, the newest one known here, so it is validated as that one; look up in its changelog what it changes of listeners and their Services, and acknowledge this, or run 1.2.0 (strimzi-newer-than-facts)`,
    ],
    StrimziVersion.of(version),
  ]),
  [
    kafka({ version: 4.2 }),
    [
      'strimzi: spec.kafka.version is 4.2, which Strimzi 1.2.0 does not run; write one of 4.2.0, 4.2.1, 4.3.0, 4.3.1 (kafka-version)',
    ],
  ],
  [
    kafka({ listeners: [] }),
    ['strimzi: spec.kafka.listeners is missing or empty; write at least one listener (kafka-listeners)'],
  ],
  [
    kafka({ listeners: { plain: {}, external: { type: 'loadbalancer' } } }),
    [
      'strimzi: spec.kafka.listeners is a map, as in API versions before v1beta2; write a list of listeners with name, port, type and tls (kafka-listeners)',
    ],
  ],
  [
    kafka({ listeners: [{ name: 'plain', port: 9092, type: 'internal', tls: false }, null] }),
    ['strimzi: spec.kafka.listeners holds null, no listener; remove it (kafka-listeners)'],
  ],
  [
    kafka({ template: { perPodService: { metadata: { annotations: { 'example.com/a': false } } } } }),
    [
      'strimzi: spec.kafka.template.perPodService.metadata.annotations has example.com/a: false, which is not a string, so the API server refuses the resource; quote it (kafka-template-text)',
    ],
  ],
  [
    kafka({}, { metadata: { name: 'events.eu' } }),
    [
      "kubernetes: the Services of the cluster: 'events.eu-kafka-bootstrap' is not a valid name for a Service (at most 63 lower-case letters, digits, dashes, first a letter; this one has 25 characters); give the cluster a shorter or simpler name (kafka-service-name)",
    ],
  ],
  [
    kafka({ listeners: [PLAIN, { ...PLAIN, name: 'inside', port: 9093, type: 'cluster-ip' }] }, LONG_NAME),
    [
      "kubernetes: the Services of listener 'inside': 'eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee-kafka-inside-bootstrap' is not a valid name for a Service (at most 63 lower-case letters, digits, dashes, first a letter; this one has 68 characters); give the cluster, the node pool or the listener a shorter name (kafka-service-name)",
    ],
  ],
  [
    kafka({}, { apiVersion: 'kafka.strimzi.io/v1' }),
    [
      'strimzi: Strimzi 0.50.1 has known vulnerabilities: CVE-2026-55225 (fixed in 1.0.1), CVE-2026-55226 (fixed in 1.0.1); run Strimzi 1.0.1 or newer (strimzi-vulnerable)',
    ],
    StrimziVersion.V0_50,
  ],
  [
    kafka({
      template: { externalBootstrapService: { metadata: { annotations: { 'example.com/a': 'c' } } } },
      listeners: [
        {
          name: 'external',
          port: 9094,
          type: 'loadbalancer',
          tls: true,
          authentication: SCRAM,
          configuration: { bootstrap: { annotations: { 'example.com/a': 'b' } } },
        },
      ],
    }),
    [
      "strimzi: listener 'external': annotations of bootstrap set example.com/a: 'b', and spec.kafka.template.externalBootstrapService overrides it with 'c' for all listeners; take it out of the template, and write it in each listener that needs it (listener-template-wins)",
    ],
  ],
  [
    kafka({
      listeners: [
        {
          name: 'external',
          port: 9094,
          type: 'loadbalancer',
          tls: true,
          authentication: SCRAM,
          configuration: {
            bootstrap: { annotations: { 'external-dns.alpha.kubernetes.io/hostname': 'kafka.example.com' } },
            advertisedHostTemplate: 'b{nodeId}.example.com',
            perBrokerAnnotationsTemplate: { 'external-dns.kubernetes.io/hostname': 'kafka.example.com.' },
          },
        },
      ],
    }),
    [
      "external-dns: it is to lead kafka.example.com to bootstrap of listener 'external' and to broker 0 of listener 'external' and to 2 more, each of which has a balancer of its own; give each Service a name of its own: dnsName for bootstrap, advertisedHostTemplate with {nodeId} or advertisedHost for brokers (listener-dns-twice)",
    ],
  ],
];

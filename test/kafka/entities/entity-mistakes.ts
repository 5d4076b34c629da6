import { StrimziVersion } from '../../../src';
import { cluster, type Mistake, topic, user } from './entities';

const { V0_48, V0_51, V1_0, V1_2 } = StrimziVersion;

/** What is wrong with topics and users alike. */
export const ENTITY_MISTAKES: Mistake[] = [
  [
    topic({}, { apiVersion: 'kafka.strimzi.io/v1beta2' }),
    [
      "strimzi: apiVersion is 'kafka.strimzi.io/v1beta2', which Strimzi 1.0.1 does not serve; under Strimzi 0.49 to 0.51 convert the resources and what the cluster has stored to kafka.strimzi.io/v1 with Strimzi's conversion tool, or name the Strimzi version that runs (entity-api-version)",
    ],
    { strimzi: V1_0 },
  ],
  [topic({}, { apiVersion: 'kafka.strimzi.io/v1beta1' }), [], { strimzi: V0_51 }],
  [topic({}, { apiVersion: 'kafka.strimzi.io/v1alpha1' }), [], { strimzi: V0_48 }],
  [
    topic({}, { apiVersion: 'kafka.strimzi.io/v1alpha1' }),
    [
      "strimzi: apiVersion is 'kafka.strimzi.io/v1alpha1', which Strimzi 1.2.0 does not serve; write kafka.strimzi.io/v1, or name the Strimzi version that runs (entity-api-version)",
    ],
    { strimzi: V1_2 },
  ],
  [
    user(),
    [
      "strimzi: apiVersion is 'kafka.strimzi.io/v1', which Strimzi 0.48.0 does not serve; write kafka.strimzi.io/v1beta2, or name the Strimzi version that runs (entity-api-version)",
    ],
    { strimzi: V0_48 },
  ],
  [
    user({}, { apiVersion: undefined }),
    [
      'strimzi: apiVersion is nothing, which Strimzi 1.2.0 does not serve; write kafka.strimzi.io/v1, or name the Strimzi version that runs (entity-api-version)',
    ],
  ],
  [
    topic({}, { metadata: { name: 'Orders_v1' } }),
    [
      "kubernetes: metadata.name: 'Orders_v1' is no DNS name (lower-case letters, digits, dashes and dots, at most 253); choose such a name, and say topicName: Orders_v1 (entity-name)",
    ],
  ],
  [
    topic({ topicName: 'Orders_v1' }, { metadata: { name: 'orders_v1' } }),
    [
      "kubernetes: metadata.name: 'orders_v1' is no DNS name (lower-case letters, digits, dashes and dots, at most 253); choose such a name (entity-name)",
    ],
  ],
  [
    user({}, { metadata: { name: 'Alice' } }),
    [
      "kubernetes: metadata.name: 'Alice' is no DNS name (lower-case letters, digits, dashes and dots, at most 253); choose such a name (entity-name)",
    ],
  ],
  [topic(null), ['strimzi: there is no spec; write one: without it nobody serves the resource (entity-spec)']],
  [user('alice'), ["strimzi: spec is 'alice', no map; write one: without it nobody serves the resource (entity-spec)"]],
  [
    topic({}, { metadata: { labels: undefined } }),
    [
      "strimzi: label strimzi.io/cluster is missing, so no operator sees the resource; write it with the name of the Kafka resource, 'events' (entity-cluster)",
    ],
  ],
  [
    user({}, { metadata: { labels: { 'strimzi.io/cluster': '' } } }),
    [
      "strimzi: label strimzi.io/cluster is '', so no operator sees the resource; write it with the name of the Kafka resource (entity-cluster)",
    ],
    { kafka: undefined },
  ],
  [
    user({}, { metadata: { labels: { 'strimzi.io/cluster': 'other' } } }),
    [
      "strimzi: label strimzi.io/cluster is 'other', and the Kafka resource is 'events'; write 'events', or take the cluster that the label names (entity-cluster)",
    ],
  ],
  [
    topic(),
    [
      '(strimzi): the Kafka resource has no spec.entityOperator.topicOperator, so nobody serves the resource; write one, or run a Topic Operator of its own for this cluster (entity-operator)',
    ],
    { kafka: cluster({ spec: { entityOperator: { userOperator: {} } } }) },
  ],
  [
    user(),
    [
      '(strimzi): the Kafka resource has no spec.entityOperator.userOperator, so nobody serves the resource; write one, or run a User Operator of its own for this cluster (entity-operator)',
    ],
    { kafka: cluster({ spec: { entityOperator: undefined } }) },
  ],
  [
    topic({}, { metadata: { namespace: 'shop' } }),
    [
      "strimzi: the namespace is 'shop', and the Topic Operator of the cluster watches that of the Kafka resource, 'kafka'; use namespace 'kafka', or say watchedNamespace of the topicOperator (entity-namespace)",
    ],
  ],
  [
    user(),
    [
      "strimzi: the namespace is 'kafka', and the User Operator of the cluster watches 'shop'; use namespace 'shop', or say watchedNamespace of the userOperator (entity-namespace)",
    ],
    { kafka: cluster({ spec: { entityOperator: { userOperator: { watchedNamespace: 'shop' } } } }) },
  ],
];

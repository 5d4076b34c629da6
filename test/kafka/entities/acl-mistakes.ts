import { cluster, type Mistake, user, userWith } from './entities';

const orders = { type: 'topic', name: 'orders' };
const read = { resource: orders, operations: ['Read'] };
const OLD = { apiVersion: 'kafka.strimzi.io/v1beta2' };
const NOBODY = { kafka: undefined };
const authorized = (authorization: unknown) => ({ kafka: cluster({ kafka: { authorization } }) });

/** What is wrong with the ACLs of users. */
export const ACL_MISTAKES: Mistake[] = [
  [
    user({ authorization: { type: 'opa', acls: [] } }),
    ["strimzi: spec.authorization.type is 'opa', which is unknown; write simple (user-authorization)"],
  ],
  [
    user({ authorization: { acls: [] } }),
    ['strimzi: spec.authorization.type is missing; write simple (user-authorization)'],
  ],
  [
    user({ authorization: { type: 'simple' } }),
    [
      'strimzi: spec.authorization.acls is missing, no list of ACLs; write a list of ACLs, or remove authorization (user-authorization)',
    ],
  ],
  [
    userWith([read, 'all']),
    [
      'strimzi: spec.authorization.acls is [{"resource":{"type":"topic","name":"orders"},"operations":["Read"]},"all"], no list of ACLs; write a list of ACLs, or remove authorization (user-authorization)',
    ],
  ],
  [
    userWith([{ ...read, type: 'Allow', hosts: ['a'] }]),
    [
      'strimzi: spec.authorization.acls[0].hosts does not exist, and is dropped without a word unless fields are checked strictly; use one of type, resource, host, operations (user-acl)',
      "strimzi: spec.authorization.acls[0].type is 'Allow', which is unknown; use one of allow, deny (user-acl)",
    ],
  ],
  [
    userWith([read, { operations: ['Read'] }]),
    [
      'strimzi: spec.authorization.acls[1].resource says no type; write resource with one of the types topic, group, cluster, transactionalId (user-acl)',
    ],
  ],
  [
    userWith([
      { resource: { type: 'Topic', name: 'orders', patternType: 'prefixed', pattern: 'a' }, operations: ['Read'] },
    ]),
    [
      'strimzi: spec.authorization.acls[0].resource.pattern does not exist, and is dropped without a word unless fields are checked strictly; use one of type, name, patternType (user-acl)',
      "strimzi: spec.authorization.acls[0].resource.type is 'Topic', which is unknown; use one of topic, group, cluster, transactionalId (user-acl)",
      "strimzi: spec.authorization.acls[0].resource.patternType is 'prefixed', which is unknown; use one of literal, prefix (user-acl)",
    ],
  ],
  [
    userWith([{ resource: { type: 'group' }, operations: ['Read'] }]),
    [
      "strimzi: spec.authorization.acls[0].resource of type group has no name; write the name as text, or '*' for all (user-acl)",
    ],
  ],
  [
    userWith([{ resource: { type: 'topic', name: '' }, operations: ['Read'] }]),
    [
      "strimzi: spec.authorization.acls[0].resource of type topic has the name ''; write the name as text, or '*' for all (user-acl)",
    ],
  ],
  [
    userWith([{ resource: orders, operations: ['READ'] }]),
    [
      "strimzi: spec.authorization.acls[0].operations says 'READ', which is unknown; use one of Read, Write, Create, Describe, Delete, Alter, DescribeConfigs, AlterConfigs, ClusterAction, IdempotentWrite, All (user-acl)",
    ],
  ],
  [
    userWith([{ resource: orders }]),
    ['strimzi: spec.authorization.acls[0].operations names no operation; write at least one (user-acl)'],
  ],
  [
    userWith([{ resource: orders, operations: [] }], OLD),
    [
      "strimzi: apiVersion is 'kafka.strimzi.io/v1beta2', which Strimzi 1.2.0 does not serve; under Strimzi 0.49 to 0.51 convert the resources and what the cluster has stored to kafka.strimzi.io/v1 with Strimzi's conversion tool, or name the Strimzi version that runs (entity-api-version)",
      'strimzi: spec.authorization.acls[0].operations names no operation; write at least one (user-acl)',
    ],
  ],
  [
    userWith([{ resource: orders, operation: 'Read' }]),
    [
      'strimzi: spec.authorization.acls[0].operation does not exist in API version v1; write operations: [Read] (user-acl)',
      'strimzi: spec.authorization.acls[0].operations names no operation; write at least one (user-acl)',
    ],
  ],
  [
    userWith([{ resource: orders, operation: 'Read', operations: ['Write'] }], OLD),
    [
      "strimzi: apiVersion is 'kafka.strimzi.io/v1beta2', which Strimzi 1.2.0 does not serve; under Strimzi 0.49 to 0.51 convert the resources and what the cluster has stored to kafka.strimzi.io/v1 with Strimzi's conversion tool, or name the Strimzi version that runs (entity-api-version)",
      'strimzi: spec.authorization.acls[0] has operation and operations; keep operations (user-acl)',
    ],
  ],
  [
    userWith([{ resource: { type: 'group', name: 'shop' }, operations: ['Read', 'Write'] }]),
    [
      '(strimzi): spec.authorization.acls[0] says Write on group, which means nothing to Kafka; use one of Read, Describe, Delete, DescribeConfigs, AlterConfigs, or All (user-acl-operation)',
    ],
  ],
  [
    userWith([{ resource: orders, operations: ['IdempotentWrite', 'All'] }]),
    [
      '(strimzi): spec.authorization.acls[0] says IdempotentWrite on topic, which means nothing to Kafka; use one of Read, Write, Create, Describe, Delete, Alter, DescribeConfigs, AlterConfigs, or All (user-acl-operation)',
    ],
  ],
  [
    userWith([{ ...read, host: '10.0.0.0/8' }]),
    [
      "(strimzi): spec.authorization.acls[0].host is '10.0.0.0/8', no IP address, and Kafka compares addresses as texts: it never holds; write one address for each ACL, or remove host for any (user-acl-host)",
    ],
  ],
  [
    userWith([{ resource: { type: 'topic', name: 'orders.*', patternType: 'prefix' }, operations: ['Read'] }]),
    [
      "(strimzi): spec.authorization.acls[0].resource.name is 'orders.*' with patternType prefix, so it means names that begin with these characters, the star too; leave the star out, or write it alone with patternType literal for all names (user-acl-pattern)",
    ],
  ],
  [
    userWith([{ resource: { type: 'cluster', name: 'events', patternType: 'prefix' }, operations: ['Describe'] }]),
    [
      '(strimzi): spec.authorization.acls[0].resource of type cluster has name or patternType, which the operator ignores; remove them (user-acl-cluster)',
    ],
  ],
  [
    userWith([
      { resource: orders, operations: ['Read', 'Describe', 'Read'] },
      { type: 'allow', resource: { ...orders, patternType: 'literal' }, host: '*', operations: ['Describe', 'Write'] },
    ]),
    [
      '(strimzi): spec.authorization.acls[0] says Read as it does already; remove it (user-acl-twice)',
      '(strimzi): spec.authorization.acls[1] says Describe as spec.authorization.acls[0] does; remove it (user-acl-twice)',
    ],
  ],
  [
    userWith([read]),
    [
      'strimzi: the user has ACLs, and the Kafka resource has no spec.kafka.authorization, so the operator does not reconcile the user; use authorization simple of the Kafka resource, or remove the ACLs (user-authorizer)',
    ],
    authorized(undefined),
  ],
  [
    userWith([read]),
    [
      'strimzi: the user has ACLs, and authorization custom of the Kafka resource keeps none without supportsAdminApi: true, so the operator does not reconcile the user; use authorization simple of the Kafka resource, or say supportsAdminApi: true where the authorizer can keep them, or remove the ACLs (user-authorizer)',
    ],
    authorized({ type: 'custom' }),
  ],
  [
    userWith([]),
    [
      'strimzi: the user has ACLs, and authorization opa of the Kafka resource keeps none, so the operator does not reconcile the user; use authorization simple of the Kafka resource, or remove the ACLs (user-authorizer)',
    ],
    authorized({ type: 'opa' }),
  ],
  [userWith([read]), [], authorized({ type: 'custom', supportsAdminApi: true })],
  [userWith([read]), [], authorized({ type: 'keycloak', delegateToKafkaAcls: true })],
  [userWith([read]), [], NOBODY],
];

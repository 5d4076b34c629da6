import type { Citation } from '../../contract/kubernetes.facts';
import { AUTHORIZATION } from '../cluster/kafka-cluster.facts';

// What the Topic Operator and the User Operator of Strimzi, their CRDs and Kafka itself take.
// strimzi/strimzi-kafka-operator, tags 0.45.2 to 1.2.0, and where a source says so

function strimzi(file: string): Citation {
  return { repository: 'strimzi/strimzi-kafka-operator', version: '0.45.2 to 1.2.0', file };
}

function kafka(commit: string, file: string): Citation {
  return { repository: 'apache/kafka', version: `commit ${commit}`, file };
}

const USER_OPERATOR = 'user-operator/src/main/java/io/strimzi/operator/user/model';

/** Where each thing was read. */
export const ENTITY_SOURCES = {
  topicSchema: strimzi('packaging/install/cluster-operator/043-Crd-kafkatopic.yaml'),
  userSchema: strimzi('packaging/install/cluster-operator/044-Crd-kafkauser.yaml'),
  operators: strimzi('cluster-operator/src/main/java/io/strimzi/operator/cluster/model/EntityOperator.java'),
  topicConfig: strimzi('topic-operator/src/main/java/io/strimzi/operator/topic/TopicOperatorUtil.java'),
  userModel: strimzi(`${USER_OPERATOR}/KafkaUserModel.java`),
  userAcl: strimzi(`${USER_OPERATOR}/acl/SimpleAclRule.java`),
  userMetadata: strimzi('operator-common/src/main/java/io/strimzi/operator/common/Util.java'),
  labels: strimzi('operator-common/src/main/java/io/strimzi/operator/common/model/Labels.java'),
  topicNames: kafka('2982166', 'clients/src/main/java/org/apache/kafka/common/internals/Topic.java'),
  topicReplicas: strimzi('systemtest/src/test/java/io/strimzi/systemtest/operators/topic/TopicST.java'),
  minInsync: strimzi('topic-operator/src/main/java/io/strimzi/operator/topic/BatchingTopicController.java'),
  authorizer: kafka(
    '01c2df9',
    'metadata/src/main/java/org/apache/kafka/metadata/authorizer/StandardAuthorizerData.java',
  ),
  quotas: {
    repository: 'strimzi/kafka-quotas-plugin',
    version: 'commit 095ffa6',
    file: 'src/main/java/io/strimzi/kafka/quotas/StaticQuotaCallback.java',
  },
  operations: kafka('07e9db6', 'server/src/main/java/org/apache/kafka/security/authorizer/AclEntry.java'),
  objectNames: {
    repository: 'kubernetes/apimachinery',
    version: 'v0.36',
    file: 'pkg/util/validation/validation.go',
  },
} as const;

/** The kinds. */
export const KAFKA_TOPIC_KIND = 'KafkaTopic';
export const KAFKA_USER_KIND = 'KafkaUser';

/** The operator that serves a kind: its field below `spec.entityOperator` of a Kafka resource, and how people call it. */
export const OPERATOR_OF: Readonly<Record<string, { readonly field: string; readonly title: string }>> = {
  [KAFKA_TOPIC_KIND]: { field: 'topicOperator', title: 'Topic Operator' },
  [KAFKA_USER_KIND]: { field: 'userOperator', title: 'User Operator' },
};

/** API versions of topics and users alone, served as long as `v1beta2`. */
export const OLDER_ENTITY_APIS: readonly string[] = ['v1beta1', 'v1alpha1'];

/** `false` here, and the Topic Operator leaves the topic alone. TopicOperatorUtil.java */
export const MANAGED_ANNOTATION = 'strimzi.io/managed';

/** Names of topics. Topic.java */
export const TOPIC_NAME = /^[a-zA-Z0-9._-]+$/;
export const LONGEST_TOPIC_NAME = 249;

/** A `Short` of Java. */
export const MOST_REPLICAS = 32_767;

/** An `Integer` of Java: the schema takes more, and the operators cannot read it. */
export const MOST_INTEGER = 2_147_483_647;

/** The options of Kafka that hold for topics which do not say them, and what holds where nobody does. */
export const REPLICATION_CONFIG = 'default.replication.factor';
export const MIN_INSYNC_CONFIG = 'min.insync.replicas';
export const KAFKA_DEFAULT_REPLICAS = 1;

/** Fields by the path of the map in which they stand. */
export const TOPIC_FIELDS: Readonly<Record<string, readonly string[]>> = {
  spec: ['topicName', 'partitions', 'replicas', 'config'],
};
export const USER_FIELDS: Readonly<Record<string, readonly string[]>> = {
  spec: ['authentication', 'authorization', 'quotas', 'template'],
  'spec.authentication': ['type', 'password', 'validityDays', 'renewalDays'],
  'spec.authorization': ['type', 'acls'],
  'spec.quotas': ['producerByteRate', 'consumerByteRate', 'requestPercentage', 'controllerMutationRate'],
  'spec.template': ['secret'],
  'spec.template.secret': ['metadata'],
  'spec.template.secret.metadata': ['labels', 'annotations'],
};
export const ACL_FIELDS: readonly string[] = ['type', 'resource', 'host', 'operations'];
export const ACL_RESOURCE_FIELDS: readonly string[] = ['type', 'name', 'patternType'];

/** What API versions before `v1` take instead of `operations`, for one operation. */
export const OLD_ACL_FIELD = 'operation';

/** The quotas of which one may be a fraction. */
export const FRACTIONAL_QUOTA = 'controllerMutationRate';

/** How a user proves who it is, beside the types that listeners have as well. */
export const TLS_EXTERNAL = 'tls-external';

/** `validityDays` and `renewalDays` exist from here. */
export const CERTIFICATE_DAYS_SINCE = '1.1.0';

/** The longest common name of a certificate. OpenSslCertIssuer.java */
export const LONGEST_COMMON_NAME = 64;

/** The only type of `authorization` of a user. */
export const USER_AUTHORIZATION = 'simple';

/** The field in which an authorizer of a cluster, beside `simple`, says that it keeps ACLs. KafkaAuthorization.java */
export const ADMIN_API_FIELDS: Readonly<Record<string, string>> = {
  [AUTHORIZATION.custom]: 'supportsAdminApi',
  [AUTHORIZATION.keycloak]: 'delegateToKafkaAcls',
};

/** Words of an ACL. */
export const ACL_TYPE = { allow: 'allow', deny: 'deny' } as const;
export const ACL_RESOURCE = {
  topic: 'topic',
  group: 'group',
  cluster: 'cluster',
  transactionalId: 'transactionalId',
} as const;
export const ACL_PATTERN = { literal: 'literal', prefix: 'prefix' } as const;

/** Every resource of a type, and every host. */
export const ACL_WILDCARD = '*';

/** The operation that stands for all others. */
export const ACL_ALL = 'All';

/** The operations that Kafka asks about a type of resource; with any other, an ACL is kept and means nothing. AclEntry.java */
export const ACL_OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  topic: ['Read', 'Write', 'Create', 'Describe', 'Delete', 'Alter', 'DescribeConfigs', 'AlterConfigs'],
  group: ['Read', 'Describe', 'Delete', 'DescribeConfigs', 'AlterConfigs'],
  cluster: ['Create', 'ClusterAction', 'DescribeConfigs', 'AlterConfigs', 'IdempotentWrite', 'Alter', 'Describe'],
  transactionalId: ['Describe', 'Write'],
};

/** Keys that the operator drops from templates of Secrets. Util.java, `Labels.KUBERNETES_DOMAIN` */
export const DROPPED_FROM_SECRETS = 'app.kubernetes.io/';

import type { Citation } from '../contract/kubernetes.facts';

// Fields by which operators make load balanced Services, and which are not called type: any field with that name, and the value
// LoadBalancer, is found without a row.

/** A resource of an operator, with the fields of which each makes a load balancer. */
export interface OperatorFields {
  readonly group: string;
  readonly kind: string;
  /** Names with dots between them; `*` is any item of a list. */
  readonly fields: readonly string[];
  readonly value: true | string;
  /** Whether the operator takes a field that is not set for one with the value. */
  readonly isDefault?: true;
  readonly source: Citation;
}

const ZALANDO = 'zalando/postgres-operator';

export const OPERATOR_FIELDS: readonly OperatorFields[] = [
  {
    group: 'acid.zalan.do',
    kind: 'postgresql',
    fields: [
      'spec.enableMasterLoadBalancer',
      'spec.enableReplicaLoadBalancer',
      'spec.enableMasterPoolerLoadBalancer',
      'spec.enableReplicaPoolerLoadBalancer',
    ],
    value: true,
    source: { repository: ZALANDO, version: 'v2.0.1', file: 'pkg/apis/acid.zalan.do/v1/postgresql_type.go' },
  },
  {
    group: 'acid.zalan.do',
    kind: 'OperatorConfiguration',
    fields: [
      'configuration.load_balancer.enable_master_load_balancer',
      'configuration.load_balancer.enable_replica_load_balancer',
      'configuration.load_balancer.enable_master_pooler_load_balancer',
      'configuration.load_balancer.enable_replica_pooler_load_balancer',
    ],
    value: true,
    source: {
      repository: ZALANDO,
      version: 'v2.0.1',
      file: 'pkg/apis/acid.zalan.do/v1/operator_configuration_type.go',
    },
  },
  {
    group: 'cloud.crate.io',
    kind: 'CrateDB',
    fields: ['spec.cluster.exposure'],
    value: 'loadbalancer',
    isDefault: true,
    source: { repository: 'crate/crate-operator', version: '2.63.0', file: 'crate/operator/create.py' },
  },
  {
    group: 'mysql.oracle.com',
    kind: 'NdbCluster',
    fields: ['spec.managementNode.enableLoadBalancer', 'spec.mysqlNode.enableLoadBalancer'],
    value: true,
    source: {
      repository: 'mysql/mysql-ndb-operator',
      version: 'release-9.7.1-1.12.1',
      file: 'pkg/apis/ndbcontroller/v1/types.go',
    },
  },
  {
    group: 'yugabyte.com',
    kind: 'YBCluster',
    fields: ['spec.master.enableLoadBalancer', 'spec.tserver.enableLoadBalancer'],
    value: true,
    source: {
      repository: 'yugabyte/yugabyte-operator',
      version: 'master of 2026-03',
      file: 'pkg/controller/ybcluster/ybcluster_create_controller.go',
    },
  },
  {
    group: 'minio.min.io',
    kind: 'Tenant',
    fields: ['spec.exposeServices.minio', 'spec.exposeServices.console'],
    value: true,
    source: { repository: 'minio/operator', version: 'v7.1.1', file: 'pkg/controller/minio-services.go' },
  },
  {
    group: 'kafka.banzaicloud.io',
    kind: 'KafkaCluster',
    fields: ['spec.listenersConfig.externalListeners.*.accessMethod'],
    value: 'LoadBalancer',
    isDefault: true,
    source: { repository: 'banzaicloud/koperator', version: 'v0.25.1', file: 'api/v1beta1/kafkacluster_types.go' },
  },
];

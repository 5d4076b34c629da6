import type { SomeVersions } from './facts';

// What the operator may do. strimzi/strimzi-kafka-operator, tags 0.45.0 to 1.2.0, compared tag by tag:
// packaging/install/cluster-operator/020 to 033.

const FOLDER = 'packaging/install/cluster-operator';

/** Rules of one role. */
export interface RoleRule extends SomeVersions {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** A ClusterRole. */
export interface OperatorRole {
  readonly name: string;
  readonly rules: readonly RoleRule[];
}

const ALL = ['get', 'list', 'watch', 'create', 'delete', 'patch', 'update'];
const NO_DELETE = ['get', 'list', 'watch', 'create', 'patch', 'update'];
const STATUS = ['get', 'patch', 'update'];
const CORE = [''];
const KAFKA = ['kafka.strimzi.io'];
const PODSETS = ['core.strimzi.io'];

const WATCHED = [
  'kafkas',
  'kafkanodepools',
  'kafkaconnects',
  'kafkaconnectors',
  'kafkabridges',
  'kafkamirrormaker2s',
  'kafkarebalances',
];
const OLD_WATCHED = [...WATCHED.slice(0, 4), 'kafkamirrormakers', ...WATCHED.slice(4)];
const below = (resources: readonly string[], part: string) => resources.map((resource) => `${resource}/${part}`);

/** Names of the roles; the operator itself binds the last three by these names, so they cannot be others. */
export const ROLES = {
  namespaced: 'strimzi-cluster-operator-namespaced',
  global: 'strimzi-cluster-operator-global',
  leaderElection: 'strimzi-cluster-operator-leader-election',
  watched: 'strimzi-cluster-operator-watched',
  kafkaBroker: 'strimzi-kafka-broker',
  entityOperator: 'strimzi-entity-operator',
  kafkaClient: 'strimzi-kafka-client',
} as const;

const NAMESPACED = `${FOLDER}/020-ClusterRole-strimzi-cluster-operator-role.yaml`;
const GLOBAL = `${FOLDER}/021-ClusterRole-strimzi-cluster-operator-role.yaml`;
const ELECTION = `${FOLDER}/022-ClusterRole-strimzi-cluster-operator-role.yaml`;
const WATCHING = `${FOLDER}/023-ClusterRole-strimzi-cluster-operator-role.yaml`;
const BROKER = `${FOLDER}/030-ClusterRole-strimzi-kafka-broker.yaml`;
const ENTITY = `${FOLDER}/031-ClusterRole-strimzi-entity-operator.yaml`;
const CLIENT = `${FOLDER}/033-ClusterRole-strimzi-kafka-client.yaml`;

const namespaced = (
  group: string,
  resources: readonly string[],
  verbs: readonly string[] = ALL,
  versions: Omit<SomeVersions, 'file'> = { tag: '1.2.0' },
): RoleRule => ({ groups: [group], resources, verbs, file: NAMESPACED, ...versions });

export const OPERATOR_ROLES: readonly OperatorRole[] = [
  {
    name: ROLES.namespaced,
    rules: [
      namespaced('rbac.authorization.k8s.io', ['rolebindings']),
      namespaced('rbac.authorization.k8s.io', ['roles']),
      namespaced('', [
        'pods',
        'serviceaccounts',
        'configmaps',
        'services',
        'endpoints',
        'secrets',
        'persistentvolumeclaims',
      ]),
      namespaced('', ['pods/resize'], ['patch', 'update'], { since: '1.0.0', tag: '1.0.0' }),
      namespaced('apps', ['deployments', 'statefulsets', 'replicasets'], ALL, { until: '0.46.0', tag: '0.45.2' }),
      namespaced('apps', ['deployments', 'replicasets'], ALL, { since: '0.46.0', tag: '1.2.0' }),
      namespaced('apps', ['deployments/scale'], STATUS),
      namespaced('events.k8s.io', ['events'], ['create']),
      namespaced('build.openshift.io', ['buildconfigs', 'buildconfigs/instantiate', 'builds']),
      namespaced('networking.k8s.io', ['networkpolicies', 'ingresses']),
      namespaced('route.openshift.io', ['routes', 'routes/custom-host']),
      namespaced('image.openshift.io', ['imagestreams'], ['get']),
      namespaced('policy', ['poddisruptionbudgets']),
      namespaced('gateway.networking.k8s.io', ['tlsroutes'], ALL, { since: '1.1.0', tag: '1.1.0' }),
    ],
  },
  {
    name: ROLES.global,
    rules: [
      {
        groups: ['rbac.authorization.k8s.io'],
        resources: ['clusterrolebindings'],
        verbs: ALL,
        file: GLOBAL,
        tag: '1.2.0',
      },
      { groups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: ['get'], file: GLOBAL, tag: '1.2.0' },
      { groups: CORE, resources: ['nodes'], verbs: ['list'], file: GLOBAL, tag: '1.2.0' },
    ],
  },
  {
    name: ROLES.leaderElection,
    rules: [
      { groups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'], file: ELECTION, tag: '1.2.0' },
      {
        groups: ['coordination.k8s.io'],
        resources: ['leases'],
        resourceNames: ['strimzi-cluster-operator'],
        verbs: ['get', 'list', 'watch', 'delete', 'patch', 'update'],
        file: ELECTION,
        tag: '1.2.0',
      },
    ],
  },
  {
    name: ROLES.watched,
    rules: [
      { groups: CORE, resources: ['pods'], verbs: ['watch', 'list'], file: WATCHING, tag: '1.2.0' },
      { groups: KAFKA, resources: OLD_WATCHED, verbs: NO_DELETE, until: '0.46.0', file: WATCHING, tag: '0.45.2' },
      { groups: KAFKA, resources: WATCHED, verbs: NO_DELETE, since: '0.46.0', file: WATCHING, tag: '1.2.0' },
      {
        groups: KAFKA,
        resources: below(OLD_WATCHED, 'status'),
        verbs: STATUS,
        until: '0.46.0',
        file: WATCHING,
        tag: '0.45.2',
      },
      {
        groups: KAFKA,
        resources: below(WATCHED, 'status'),
        verbs: STATUS,
        since: '0.46.0',
        file: WATCHING,
        tag: '1.2.0',
      },
      {
        groups: KAFKA,
        resources: below(WATCHED, 'finalizers'),
        verbs: ['update'],
        since: '0.49.0',
        file: WATCHING,
        tag: '0.49.0',
      },
      { groups: PODSETS, resources: ['strimzipodsets'], verbs: ALL, file: WATCHING, tag: '1.2.0' },
      { groups: PODSETS, resources: ['strimzipodsets/status'], verbs: STATUS, file: WATCHING, tag: '1.2.0' },
      {
        groups: PODSETS,
        resources: ['strimzipodsets/finalizers'],
        verbs: ['update'],
        since: '0.49.0',
        file: WATCHING,
        tag: '0.49.0',
      },
      { groups: KAFKA, resources: ['kafkarebalances'], verbs: ['delete'], file: WATCHING, tag: '1.2.0' },
    ],
  },
  {
    name: ROLES.kafkaBroker,
    rules: [{ groups: CORE, resources: ['nodes'], verbs: ['get'], file: BROKER, tag: '1.2.0' }],
  },
  {
    name: ROLES.entityOperator,
    rules: [
      {
        groups: KAFKA,
        resources: ['kafkatopics'],
        verbs: [...NO_DELETE, 'delete'],
        file: ENTITY,
        tag: '1.2.0',
      },
      { groups: KAFKA, resources: ['kafkausers'], verbs: NO_DELETE, file: ENTITY, tag: '1.2.0' },
      {
        groups: KAFKA,
        resources: ['kafkatopics/status', 'kafkausers/status'],
        verbs: STATUS,
        file: ENTITY,
        tag: '1.2.0',
      },
      {
        groups: KAFKA,
        resources: ['kafkatopics/finalizers', 'kafkausers/finalizers'],
        verbs: ['update'],
        since: '0.49.0',
        file: ENTITY,
        tag: '0.49.0',
      },
      { groups: CORE, resources: ['secrets'], verbs: ALL, file: ENTITY, tag: '1.2.0' },
    ],
  },
  {
    name: ROLES.kafkaClient,
    rules: [{ groups: CORE, resources: ['nodes'], verbs: ['get'], file: CLIENT, tag: '1.2.0' }],
  },
];

/** A binding: what follows the name of the installation in its name, and the role. */
export interface OperatorBinding {
  readonly suffix: string;
  readonly role: string;
  readonly file: string;
  readonly tag: string;
}

/** For the whole cluster, whatever is watched. */
export const CLUSTER_BINDINGS: readonly OperatorBinding[] = [
  {
    suffix: '',
    role: ROLES.global,
    file: `${FOLDER}/021-ClusterRoleBinding-strimzi-cluster-operator.yaml`,
    tag: '1.2.0',
  },
  {
    suffix: '-kafka-broker-delegation',
    role: ROLES.kafkaBroker,
    file: `${FOLDER}/030-ClusterRoleBinding-strimzi-cluster-operator-kafka-broker-delegation.yaml`,
    tag: '1.2.0',
  },
  {
    suffix: '-kafka-client-delegation',
    role: ROLES.kafkaClient,
    file: `${FOLDER}/033-ClusterRoleBinding-strimzi-cluster-operator-kafka-client-delegation.yaml`,
    tag: '1.2.0',
  },
];

/** In the namespace of the operator. */
export const OWN_BINDINGS: readonly OperatorBinding[] = [
  {
    suffix: '-leader-election',
    role: ROLES.leaderElection,
    file: `${FOLDER}/022-RoleBinding-strimzi-cluster-operator.yaml`,
    tag: '1.2.0',
  },
];

/** In each namespace that is watched. */
export const WATCH_BINDINGS: readonly OperatorBinding[] = [
  { suffix: '', role: ROLES.namespaced, file: `${FOLDER}/020-RoleBinding-strimzi-cluster-operator.yaml`, tag: '1.2.0' },
  {
    suffix: '-watched',
    role: ROLES.watched,
    file: `${FOLDER}/023-RoleBinding-strimzi-cluster-operator.yaml`,
    tag: '1.2.0',
  },
  {
    suffix: '-entity-operator-delegation',
    role: ROLES.entityOperator,
    file: `${FOLDER}/031-RoleBinding-strimzi-cluster-operator-entity-operator-delegation.yaml`,
    tag: '1.2.0',
  },
];

const CHART = 'packaging/helm-charts/helm3/strimzi-kafka-operator/templates';

/** For the whole cluster, where all namespaces are watched. */
export const WATCH_ALL_BINDINGS: readonly OperatorBinding[] = [
  {
    suffix: '-namespaced',
    role: ROLES.namespaced,
    file: `${CHART}/020-RoleBinding-strimzi-cluster-operator.yaml`,
    tag: '1.2.0',
  },
  {
    suffix: '-watched',
    role: ROLES.watched,
    file: `${CHART}/023-RoleBinding-strimzi-cluster-operator.yaml`,
    tag: '1.2.0',
  },
  {
    suffix: '-entity-operator-delegation',
    role: ROLES.entityOperator,
    file: `${CHART}/031-RoleBinding-strimzi-cluster-operator-entity-operator-delegation.yaml`,
    tag: '1.2.0',
  },
];

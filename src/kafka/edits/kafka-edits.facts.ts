import {
  advised,
  deleted,
  type EditedValue,
  ignored,
  interrupted,
  kept,
  orphaned,
  refused,
  replaced,
  unknown,
} from '../../contract/edit';
import { absentIs, becomes, IN_ANY_ORDER, onlyMore, putIn, takenOut, where } from '../../contract/edit-cases';
import { list, mapIn } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';
import type { ObjectEditFact, ObjectEdits } from '../../contract/object-edits';
import { passedTo } from '../../rules/edits-of-values';
import {
  CLUSTER_LABEL,
  LISTENER_TYPES,
  NAMELESS_LISTENER,
  NEXT_NODE_IDS_ANNOTATION,
  OUTSIDE_TYPES,
  PAUSE_ANNOTATION,
  REMOVE_NODE_IDS_ANNOTATION,
} from '../strimzi/strimzi.facts';

// What the Strimzi operator does when a listener of a live Kafka changes. strimzi/strimzi-kafka-operator 1.2.0, and where a row
// says so 0.45.0 and 0.50.1: cluster-operator/…/model, …/operator/assembly and …/operator/resource/kubernetes

const OPERATOR = 'cluster-operator/src/main/java/io/strimzi/operator/cluster';

/** Where these facts were read. */
export const KAFKA_EDITS_SOURCE: Citation = {
  repository: 'strimzi/strimzi-kafka-operator',
  version: '1.2.0',
  file: `${OPERATOR}/model/KafkaCluster.java`,
};

/** Files of the operator that rows were read in. */
export const OPERATOR_FILES = {
  listeners: `${OPERATOR}/operator/assembly/KafkaListenersReconciler.java`,
  kafka: `${OPERATOR}/operator/assembly/KafkaReconciler.java`,
  creator: `${OPERATOR}/operator/assembly/KafkaClusterCreator.java`,
  names: `${OPERATOR}/model/ListenersUtils.java`,
  validator: `${OPERATOR}/model/ListenersValidator.java`,
  broker: `${OPERATOR}/model/KafkaBrokerConfigurationBuilder.java`,
  config: `${OPERATOR}/model/KafkaConfiguration.java`,
  ids: `${OPERATOR}/model/nodepools/NodeIdAssignor.java`,
  revision: `${OPERATOR}/model/PodRevision.java`,
  quorum: 'documentation/assemblies/deploying/assembly-kraft-mode.adoc',
  apply:
    'operator-common/src/main/java/io/strimzi/operator/common/operator/resource/kubernetes/AbstractNamespacedResourceOperator.java',
} as const;

const FILES = OPERATOR_FILES;
const BALANCED = [LISTENER_TYPES.loadBalancer];
const WITH_HOST = [LISTENER_TYPES.ingress, LISTENER_TYPES.route, LISTENER_TYPES.tlsRoute];

/** The brokers restart, whose listener it ever is. */
export const RESTART: ObjectEditFact = {
  ...interrupted('the brokers restart one after the other: clients connect anew; the balancers stay', FILES.kafka),
  ofAll: true,
};

/** The same of one broker. */
const RESTART_OF_ONE: ObjectEditFact = {
  ...interrupted('the broker restarts: its clients connect anew; its balancer stays', FILES.kafka),
  ofAll: true,
  concerns: 'node',
};

const listenerOf = ({ entries, around }: EditedValue) => entries?.listeners ?? around;

const WITHOUT_TLS = where('tls is off', kept('the certificates of the brokers do not change'), (edited) => {
  const { before, after } = listenerOf(edited);
  return before.tls !== true && after.tls !== true;
});

const WAS_OTHER_TYPE = where(
  'it was of another type',
  kept('the class is set when its Services become LoadBalancer'),
  (edited) => listenerOf(edited).before.type !== LISTENER_TYPES.loadBalancer,
);

const WAITS = kept('a deletion waits for those that are added as well');

const MADE = kept('the Service and its balancer are made; the operator waits for its address before it goes on');

const isNameless = ({ name }: { readonly name?: unknown }) => name === NAMELESS_LISTENER.name;
const isNumbered = ({ port }: { readonly port?: unknown }) => port === NAMELESS_LISTENER.port;

const OF_OUTSIDE = { types: OUTSIDE_TYPES };
const OF_BALANCED = { types: BALANCED };
const ONLY_BOOTSTRAP = { ...OF_BALANCED, concerns: 'bootstrap' } as const;
const OF_NODES = { ...OF_BALANCED, concerns: 'nodes' } as const;
const OF_NODE = { ...OF_BALANCED, concerns: 'node' } as const;

/** The operator refuses the field on a listener with balancers, and does nothing for the whole cluster until it is taken out. */
const NOT_WITH_BALANCERS: ObjectEditFact = {
  ...refused(
    'the operator refuses it on this type, and reconciles nothing of the cluster until it is out',
    FILES.validator,
  ),
  ...OF_BALANCED,
};

const LABELS = kept('the labels of the Services change in place');

const ADVERTISED = (which: 'nodes' | 'node'): readonly ObjectEditFact[] => [
  {
    ...interrupted(
      'clients are told another address once the broker has restarted; the balancer and its own address stay',
      FILES.listeners,
    ),
    ...OF_OUTSIDE,
    concerns: which,
  },
  which === 'node' ? RESTART_OF_ONE : RESTART,
];

const AUTHENTICATION: readonly ObjectEditFact[] = [
  { ...interrupted('clients that authenticate as before are refused', FILES.broker), ...OF_OUTSIDE },
  RESTART,
];

const CERTIFICATE: readonly ObjectEditFact[] = [
  {
    ...interrupted('brokers show another certificate, and clients that do not trust it are cut off', FILES.kafka),
    ...OF_OUTSIDE,
  },
  RESTART,
];

/** Limits of a listener count as settings that are not known to Kafka: no dynamic update. */
const LIMIT: ObjectEditFact = { ...RESTART, file: FILES.config };

/** How another listener takes the place of one, without a time in which clients reach neither. */
const BESIDE =
  'add a listener of another name with the new value, move clients and DNS to it, then take this one out while the controller of its balancers runs';

/** By the path below one listener. */
const LISTENER: Readonly<Record<string, ObjectEditFact | readonly ObjectEditFact[]>> = {
  '.name': [
    {
      ...replaced(
        'its Services are deleted and others made: new balancers and addresses for bootstrap and every broker',
        FILES.names,
      ),
      ...OF_BALANCED,
      remedy: BESIDE,
    },
    { ...interrupted('its Services and routes are made anew under other names', FILES.names), types: WITH_HOST },
    RESTART,
  ],
  '.port': [
    {
      ...replaced(
        'of a listener called external the Services of its brokers get other names, from and to 9094: new balancers',
        FILES.names,
      ),
      ...OF_NODES,
      remedy: BESIDE,
      unless: [
        where(
          'the name is not external, or neither port is 9094',
          advised(interrupted('clients of the old number are refused; the Services and their addresses stay'), BESIDE),
          ({ around: { before, after } }) => !isNameless(after) || isNumbered(before) === isNumbered(after),
        ),
      ],
    },
    {
      ...interrupted('clients of the old number are refused; the Service and its address stay'),
      ...ONLY_BOOTSTRAP,
      remedy: BESIDE,
    },
    RESTART,
  ],
  '.type': [
    {
      ...deleted(
        'the Services are deleted, or are no longer of type LoadBalancer: their balancers are taken down',
        FILES.names,
      ),
      ...OF_BALANCED,
      remedy: BESIDE,
      unless: [
        where(
          'it becomes loadbalancer',
          kept('balancers are made; the operator waits for their addresses before it goes on'),
          ({ around: { after } }) => after.type === LISTENER_TYPES.loadBalancer,
        ),
      ],
    },
    RESTART,
  ],
  '.tls': [
    { ...interrupted('clients must turn TLS on or off with it; others are refused', FILES.broker), ...OF_OUTSIDE },
    RESTART,
  ],
  '.authentication.*': AUTHENTICATION,
  '.networkPolicyPeers': {
    ...interrupted('the NetworkPolicy changes in place: clients that it no longer admits lose access', FILES.kafka),
    ...OF_OUTSIDE,
    unless: [IN_ANY_ORDER, onlyMore('those that are admitted already stay')],
  },
  '.configuration.brokerCertChainAndKey.*': CERTIFICATE,
  '.configuration.class': {
    ...passedTo('spec.loadBalancerClass', OF_BALANCED),
    ...refused(
      'the API server refuses another class of live Services, and the operator stops there: nothing else of the cluster is reconciled',
      FILES.apply,
    ),
    unless: [WAS_OTHER_TYPE],
  },
  '.configuration.externalTrafficPolicy': passedTo('spec.externalTrafficPolicy', OF_BALANCED),
  '.configuration.loadBalancerSourceRanges': passedTo('spec.loadBalancerSourceRanges', OF_BALANCED),
  '.configuration.finalizers': {
    ...passedTo('metadata.finalizers', OF_BALANCED),
    ...orphaned(
      'one that is taken out is taken off the live Services: a deletion no longer waits for the balancer, which can stay behind',
      FILES.apply,
    ),
    unless: [IN_ANY_ORDER, onlyMore(WAITS.what), putIn(WAITS)],
  },
  '.configuration.allocateLoadBalancerNodePorts': passedTo('spec.allocateLoadBalancerNodePorts', OF_BALANCED),
  '.configuration.createBootstrapService': [
    {
      ...deleted('with false the bootstrap Service is deleted, and its balancer and address with it', FILES.names),
      ...ONLY_BOOTSTRAP,
      remedy: 'leave it true until no client begins with its address',
      unless: [absentIs(true), becomes(true, MADE), takenOut(MADE)],
    },
    { ...RESTART, unless: [absentIs(true), WITHOUT_TLS] },
  ],
  '.configuration.publishNotReadyAddresses': passedTo('spec.publishNotReadyAddresses', OF_BALANCED),
  '.configuration.ipFamilyPolicy': passedTo('spec.ipFamilyPolicy', OF_BALANCED),
  '.configuration.ipFamilies': {
    ...passedTo('spec.ipFamilies', OF_BALANCED),
    ...refused(
      'the first family of a live Service cannot be changed, and the operator stops there; without server-side apply it is ignored',
      FILES.apply,
    ),
  },
  '.configuration.useServiceDnsDomain': [NOT_WITH_BALANCERS, RESTART],
  '.configuration.maxConnections': LIMIT,
  '.configuration.maxConnectionCreationRate': LIMIT,
  '.configuration.preferredNodePortAddressType': [NOT_WITH_BALANCERS, RESTART],
  '.configuration.hostTemplate': [
    NOT_WITH_BALANCERS,
    {
      ...interrupted('clients are told another host, and the old one is no longer routed', FILES.listeners),
      types: WITH_HOST,
    },
    RESTART,
  ],
  '.configuration.advertisedHostTemplate': ADVERTISED('nodes'),
  '.configuration.advertisedPortTemplate': ADVERTISED('nodes'),
  '.configuration.perBrokerAnnotationsTemplate{}': passedTo('metadata.annotations', OF_NODES),
  '.configuration.perBrokerLabelsTemplate{}': { ...LABELS, ...OF_NODES },
  '.configuration.parentRefs': {
    ...interrupted(
      'the routes leave one Gateway for another one: clients of the old address are cut off',
      FILES.listeners,
    ),
    types: [LISTENER_TYPES.tlsRoute],
    unless: [IN_ANY_ORDER, onlyMore('the routes attach to the other Gateway as well')],
  },
  '.configuration.bootstrap.alternativeNames': {
    ...interrupted('the certificates of all brokers are made anew, and all brokers restart', FILES.listeners),
    ofAll: true,
    unless: [IN_ANY_ORDER],
  },
  '.configuration.bootstrap.host': [
    NOT_WITH_BALANCERS,
    {
      ...interrupted('the old host is no longer routed: clients must go to the other one', FILES.listeners),
      types: WITH_HOST,
    },
    RESTART,
  ],
  '.configuration.bootstrap.nodePort': passedTo('spec.ports[].nodePort', ONLY_BOOTSTRAP),
  '.configuration.bootstrap.loadBalancerIP': passedTo('spec.loadBalancerIP', ONLY_BOOTSTRAP),
  '.configuration.bootstrap.annotations{}': passedTo('metadata.annotations', ONLY_BOOTSTRAP),
  '.configuration.bootstrap.labels{}': { ...LABELS, ...ONLY_BOOTSTRAP },
  '.configuration.bootstrap.externalIPs': NOT_WITH_BALANCERS,
  '.configuration.brokers[broker].broker': {
    ...kept('it only says which broker the other fields of the entry are about', FILES.names),
    ...OF_NODE,
  },
  '.configuration.brokers[broker].advertisedHost': ADVERTISED('node'),
  '.configuration.brokers[broker].advertisedPort': ADVERTISED('node'),
  '.configuration.brokers[broker].host': [
    NOT_WITH_BALANCERS,
    {
      ...interrupted('clients are told another host, and the old one is no longer routed', FILES.listeners),
      types: WITH_HOST,
      concerns: 'node',
    },
    RESTART_OF_ONE,
  ],
  '.configuration.brokers[broker].nodePort': passedTo('spec.ports[].nodePort', OF_NODE),
  '.configuration.brokers[broker].loadBalancerIP': passedTo('spec.loadBalancerIP', OF_NODE),
  '.configuration.brokers[broker].annotations{}': passedTo('metadata.annotations', OF_NODE),
  '.configuration.brokers[broker].labels{}': { ...LABELS, ...OF_NODE },
  '.configuration.brokers[broker].externalIPs': NOT_WITH_BALANCERS,
};

/** The list of listeners, by which the paths of its rows begin. */
export const LISTENERS_PATH = 'spec.kafka.listeners[name|port]';

/** What edits of listeners do. */
export const LISTENER_EDITS: ObjectEdits = {
  'spec.kafka.listeners[]': {
    ...RESTART,
    ...interrupted('the brokers are configured in this order: they restart one after the other', FILES.broker),
  },
  [LISTENERS_PATH]: [
    {
      ...deleted('its Services are deleted, and their balancers and addresses with them', FILES.apply),
      ...OF_BALANCED,
      remedy:
        'keep the listener until no client uses it, and leave the controller of its balancers running until they are gone',
      unless: [
        putIn(kept('Services and balancers are made; the operator waits for their addresses before it goes on')),
      ],
    },
    { ...interrupted('its Services and routes are deleted: clients are cut off', FILES.apply), types: WITH_HOST },
    RESTART,
  ],
  ...Object.fromEntries(Object.entries(LISTENER).map(([path, row]) => [`${LISTENERS_PATH}${path}`, row])),
};

/** The brokers may restart: it depends on the field whether Kafka takes it as it runs. */
const MAY_RESTART: ObjectEditFact = {
  ...RESTART,
  what: 'brokers restart one after the other where Kafka cannot take it as it runs; the balancers stay',
};

const NOTHING: ObjectEditFact = { ...kept('the balancers have no part in it'), ofAll: true };

const MADE_ANEW: ObjectEditFact = {
  ...replaced(
    'Services are named by it: balancers with other addresses are made; the old ones go with the old object and its node pools',
    OPERATOR_FILES.names,
  ),
  ofAll: true,
};

const OF_BOOTSTRAP = { concerns: 'bootstrap', ofAll: true } as const;
const ALL_NODES = { concerns: 'nodes', ofAll: true } as const;
const SERVICE_LABELS = kept('the labels of the Services change in place');

const GONE = 'brokers that go lose their Services, balancers and addresses';

/** The operator refuses to take nodes with replicas of partitions, and waits for their balancers. */
const MOVE_FIRST =
  'move the partitions of the brokers that go first (remove-brokers in spec.cruiseControl.autoRebalance, or in a KafkaRebalance), and leave the controller of the balancers running until they are gone';

const NEW_POOL =
  'add a pool of the new name beside this one, move the partitions to its brokers, then take this one out while the controller of the balancers runs';

/** Those that still have replicas of partitions do not go. */
const CHECKED = 'not those that have replicas of partitions, unless the check is skipped';

const MORE_NODES = where(
  'there are more',
  kept('new brokers get Services and balancers; those of the others stay'),
  ({ before, after }) => typeof before === 'number' && typeof after === 'number' && after > before,
);

export const KAFKA_EDITS: ObjectEdits = {
  '': [
    {
      ...deleted('the bootstrap Services belong to it: they go, and their balancers with them'),
      ...OF_BOOTSTRAP,
      unless: [putIn(kept('Services and balancers are made once there are node pools'))],
    },
    {
      ...kept(
        'the Services of brokers belong to their node pools: their balancers stay, and cost, until these are deleted',
      ),
      ...ALL_NODES,
    },
  ],
  'metadata.name': MADE_ANEW,
  'metadata.namespace': MADE_ANEW,
  'metadata.labels{}': { ...SERVICE_LABELS, ...OF_BOOTSTRAP },
  [`metadata.annotations{${PAUSE_ANNOTATION}}`]: {
    ...ignored('while it is true no edit reaches the Services; what has changed meanwhile does when it is taken out'),
    ofAll: true,
    unless: [
      where(
        'it is true no more',
        unknown('what has changed while it was true reaches the Services now, and is not in these files alone'),
        ({ before, after }) => before === 'true' && after !== 'true',
      ),
    ],
  },
  'metadata.annotations{}': NOTHING,
  'spec.*': NOTHING,
  'spec.clusterCa.*': { ...MAY_RESTART, what: 'where certificates are made anew, brokers restart one after the other' },
  'spec.clientsCa.*': { ...MAY_RESTART, what: 'where certificates are made anew, brokers restart one after the other' },
  'spec.cruiseControl.*': {
    ...MAY_RESTART,
    what: 'with its first and last setting the brokers restart one after the other',
  },
  'spec.kafka.*': MAY_RESTART,
  ...LISTENER_EDITS,
  'spec.kafka.replicas': {
    ...deleted(`of a cluster without node pools: ${GONE}, the highest ids first; ${CHECKED}`, OPERATOR_FILES.creator),
    ...ALL_NODES,
    remedy: MOVE_FIRST,
    unless: [MORE_NODES],
  },
  'spec.kafka.template.*': RESTART,
  'spec.kafka.template.bootstrapService.*': NOTHING,
  'spec.kafka.template.brokersService.*': NOTHING,
  'spec.kafka.template.podDisruptionBudget.*': NOTHING,
  'spec.kafka.template.externalBootstrapService.metadata.annotations{}': passedTo('metadata.annotations', OF_BOOTSTRAP),
  'spec.kafka.template.externalBootstrapService.metadata.labels{}': { ...SERVICE_LABELS, ...OF_BOOTSTRAP },
  'spec.kafka.template.perPodService.metadata.annotations{}': passedTo('metadata.annotations', ALL_NODES),
  'spec.kafka.template.perPodService.metadata.labels{}': { ...SERVICE_LABELS, ...ALL_NODES },
};

const RESTART_OF_POOL: ObjectEditFact = {
  ...interrupted(
    'its nodes restart one after the other: clients connect anew; the balancers stay',
    OPERATOR_FILES.kafka,
  ),
  ...ALL_NODES,
};

const POOL_NOTHING: ObjectEditFact = { ...NOTHING, ...ALL_NODES };

const CONTROLLER = 'controller';

/** Strimzi has quorums of controllers whose members are fixed. */
const OTHER_CONTROLLERS: ObjectEditFact = {
  ...interrupted(
    'the controllers of a cluster are fixed when it is made: with others they may agree on no leader, and all clients are cut off',
    OPERATOR_FILES.quorum,
  ),
  ofAll: true,
  remedy:
    'leave the controllers as they are; for fewer or other brokers give brokers a pool of their own, and move the partitions to it',
};

const STAY = kept('the controllers stay as they are');

const hadNone = ({ objects: { before } }: EditedValue) => !list(mapIn(before, 'spec').roles).includes(CONTROLLER);

/** What edits of a node pool do: each row is about the balancers of its own brokers. */
export const NODE_POOL_EDITS: ObjectEdits = {
  '': [
    {
      ...deleted(`${GONE}; nobody asks whether they have replicas of partitions`),
      ...ALL_NODES,
      remedy: MOVE_FIRST,
      unless: [putIn(kept('its brokers get Services and balancers; those of other pools stay'))],
    },
    { ...OTHER_CONTROLLERS, unless: [putIn(kept('the others stay')), where('it has no controllers', STAY, hadNone)] },
  ],
  'metadata.name': {
    ...replaced(
      'Services are named by it: its brokers are others, with other balancers and addresses',
      OPERATOR_FILES.names,
    ),
    ...ALL_NODES,
    remedy: NEW_POOL,
  },
  'metadata.namespace': {
    ...replaced(
      'its brokers are others, of a cluster in the other namespace, with other balancers and addresses',
      OPERATOR_FILES.names,
    ),
    ...ALL_NODES,
  },
  [`metadata.labels{${CLUSTER_LABEL}}`]: {
    ...deleted(`the cluster no longer has its nodes: ${GONE}, unasked`, OPERATOR_FILES.apply),
    ...ALL_NODES,
    remedy: MOVE_FIRST,
  },
  'metadata.labels{}': [
    { ...SERVICE_LABELS, ...ALL_NODES },
    { ...RESTART_OF_POOL, file: OPERATOR_FILES.revision },
  ],
  [`metadata.annotations{${NEXT_NODE_IDS_ANNOTATION}}`]: {
    ...ignored('read when nodes are added only: those that live keep their ids', OPERATOR_FILES.ids),
    ...ALL_NODES,
  },
  [`metadata.annotations{${REMOVE_NODE_IDS_ANNOTATION}}`]: {
    ...ignored('read when there are to be fewer nodes only', OPERATOR_FILES.ids),
    ...ALL_NODES,
  },
  'metadata.annotations{}': POOL_NOTHING,
  'spec.replicas': [
    {
      ...deleted(`${GONE}: the highest ids first; ${CHECKED}`, OPERATOR_FILES.creator),
      ...ALL_NODES,
      remedy: MOVE_FIRST,
      unless: [MORE_NODES],
    },
    { ...OTHER_CONTROLLERS, unless: [where('it has no controllers', STAY, hadNone)] },
  ],
  'spec.roles': [
    {
      ...deleted(
        `nodes that are no brokers any more lose their Services, balancers and addresses; ${CHECKED}`,
        OPERATOR_FILES.creator,
      ),
      ...ALL_NODES,
      remedy: MOVE_FIRST,
      unless: [
        IN_ANY_ORDER,
        where(
          'they become brokers',
          kept('they get Services and balancers'),
          ({ before, after }) => !list(before).includes('broker') && list(after).includes('broker'),
        ),
        where(
          'they stay what they are to clients',
          interrupted('its nodes restart one after the other: clients connect anew; the balancers stay'),
          ({ before, after }) => list(before).includes('broker') === list(after).includes('broker'),
        ),
      ],
    },
    {
      ...OTHER_CONTROLLERS,
      unless: [
        where(
          'its nodes stay controllers, or never were',
          STAY,
          ({ before, after }) => list(before).includes(CONTROLLER) === list(after).includes(CONTROLLER),
        ),
      ],
    },
  ],
  'spec.*': RESTART_OF_POOL,
  'spec.storage.*': {
    ...RESTART_OF_POOL,
    what: 'nodes restart where the file system must grow with them; what cannot be changed is ignored; the balancers stay',
  },
  'spec.template.perPodService.metadata.annotations{}': passedTo('metadata.annotations', ALL_NODES),
  'spec.template.perPodService.metadata.labels{}': { ...SERVICE_LABELS, ...ALL_NODES },
};

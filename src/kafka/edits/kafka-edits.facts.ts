import { deleted, type EditedValue, ignored, interrupted, kept, replaced, unknown } from '../../contract/edit';
import { IN_ANY_ORDER, putIn, where } from '../../contract/edit-cases';
import { list, mapIn } from '../../contract/json';
import type { ObjectEditFact, ObjectEdits } from '../../contract/object-edits';
import { passedTo } from '../../rules/edits-of-values';
import { REMOVE_NODE_IDS_ANNOTATION } from '../strimzi/node-pool.facts';
import { CLUSTER_LABEL, NEXT_NODE_IDS_ANNOTATION, PAUSE_ANNOTATION } from '../strimzi/operator-services.facts';
import { OPERATOR_FILES as FILES, LISTENER_EDITS, RESTART } from './listener-edits.facts';

/** The brokers may restart: it depends on the field whether Kafka takes it as it runs. */
const MAY_RESTART: ObjectEditFact = {
  ...RESTART,
  what: 'brokers restart one after the other where Kafka cannot take it as it runs; the balancers stay',
};

const NOTHING: ObjectEditFact = { ...kept('the balancers have no part in it'), ofAll: true };

const MADE_ANEW: ObjectEditFact = {
  ...replaced(
    'Services are named by it: balancers with other addresses are made; the old ones go with the old object and its node pools',
    FILES.names,
  ),
  ofAll: true,
};

const OF_BOOTSTRAP = { concerns: 'bootstrap', ofAll: true } as const;
const OF_NODES = { concerns: 'nodes', ofAll: true } as const;
const LABELS = kept('the labels of the Services change in place');

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
      ...OF_NODES,
    },
  ],
  'metadata.name': MADE_ANEW,
  'metadata.namespace': MADE_ANEW,
  'metadata.labels{}': { ...LABELS, ...OF_BOOTSTRAP },
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
    ...deleted(`of a cluster without node pools: ${GONE}, the highest ids first; ${CHECKED}`, FILES.creator),
    ...OF_NODES,
    remedy: MOVE_FIRST,
    unless: [MORE_NODES],
  },
  'spec.kafka.template.*': RESTART,
  'spec.kafka.template.bootstrapService.*': NOTHING,
  'spec.kafka.template.brokersService.*': NOTHING,
  'spec.kafka.template.podDisruptionBudget.*': NOTHING,
  'spec.kafka.template.externalBootstrapService.metadata.annotations{}': passedTo('metadata.annotations', OF_BOOTSTRAP),
  'spec.kafka.template.externalBootstrapService.metadata.labels{}': { ...LABELS, ...OF_BOOTSTRAP },
  'spec.kafka.template.perPodService.metadata.annotations{}': passedTo('metadata.annotations', OF_NODES),
  'spec.kafka.template.perPodService.metadata.labels{}': { ...LABELS, ...OF_NODES },
};

const RESTART_OF_POOL: ObjectEditFact = {
  ...interrupted('its nodes restart one after the other: clients connect anew; the balancers stay', FILES.kafka),
  ...OF_NODES,
};

const POOL_NOTHING: ObjectEditFact = { ...NOTHING, ...OF_NODES };

const CONTROLLER = 'controller';

/** Strimzi has quorums of controllers whose members are fixed. */
const OTHER_CONTROLLERS: ObjectEditFact = {
  ...interrupted(
    'the controllers of a cluster are fixed when it is made: with others they may agree on no leader, and all clients are cut off',
    FILES.quorum,
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
      ...OF_NODES,
      remedy: MOVE_FIRST,
      unless: [putIn(kept('its brokers get Services and balancers; those of other pools stay'))],
    },
    { ...OTHER_CONTROLLERS, unless: [putIn(kept('the others stay')), where('it has no controllers', STAY, hadNone)] },
  ],
  'metadata.name': {
    ...replaced('Services are named by it: its brokers are others, with other balancers and addresses', FILES.names),
    ...OF_NODES,
    remedy: NEW_POOL,
  },
  'metadata.namespace': {
    ...replaced(
      'its brokers are others, of a cluster in the other namespace, with other balancers and addresses',
      FILES.names,
    ),
    ...OF_NODES,
  },
  [`metadata.labels{${CLUSTER_LABEL}}`]: {
    ...deleted(`the cluster no longer has its nodes: ${GONE}, unasked`, FILES.apply),
    ...OF_NODES,
    remedy: MOVE_FIRST,
  },
  'metadata.labels{}': [
    { ...LABELS, ...OF_NODES },
    { ...RESTART_OF_POOL, file: FILES.revision },
  ],
  [`metadata.annotations{${NEXT_NODE_IDS_ANNOTATION}}`]: {
    ...ignored('read when nodes are added only: those that live keep their ids', FILES.ids),
    ...OF_NODES,
  },
  [`metadata.annotations{${REMOVE_NODE_IDS_ANNOTATION}}`]: {
    ...ignored('read when there are to be fewer nodes only', FILES.ids),
    ...OF_NODES,
  },
  'metadata.annotations{}': POOL_NOTHING,
  'spec.replicas': [
    {
      ...deleted(`${GONE}: the highest ids first; ${CHECKED}`, FILES.creator),
      ...OF_NODES,
      remedy: MOVE_FIRST,
      unless: [MORE_NODES],
    },
    { ...OTHER_CONTROLLERS, unless: [where('it has no controllers', STAY, hadNone)] },
  ],
  'spec.roles': [
    {
      ...deleted(
        `nodes that are no brokers any more lose their Services, balancers and addresses; ${CHECKED}`,
        FILES.creator,
      ),
      ...OF_NODES,
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
  'spec.template.perPodService.metadata.annotations{}': passedTo('metadata.annotations', OF_NODES),
  'spec.template.perPodService.metadata.labels{}': { ...LABELS, ...OF_NODES },
};

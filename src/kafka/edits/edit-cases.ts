import { absentIs, becomes, type EditCase, IN_ANY_ORDER, takenOut } from '../../contract/edit';
import { list, mapIn } from '../../contract/json';
import { LISTENER_TYPES, NAMELESS_LISTENER } from '../strimzi/strimzi.facts';

// Conditions under which an edit of a table does less than its worst.

type Holds = EditCase['holds'];

const NOTHING = { outcome: 'kept', what: '' } as const;
const CONTROLLER = 'controller';
const BROKER = 'broker';

export const { holds: onlyOrder } = IN_ANY_ORDER;
export const { holds: isUnset } = takenOut(NOTHING);
export const { holds: becomesTrue } = becomes(true, NOTHING);
export const { holds: staysTrue } = absentIs(true);

export const hasMore: Holds = ({ before, after }) =>
  typeof before === 'number' && typeof after === 'number' && after > before;

export const resumes: Holds = ({ before, after }) => before === 'true' && after !== 'true';

export const isWithoutTls: Holds = ({ entries, around }) => {
  const { before, after } = entries?.listeners ?? around;
  return before.tls !== true && after.tls !== true;
};

export const hadOtherType: Holds = ({ entries, around }) =>
  (entries?.listeners ?? around).before.type !== LISTENER_TYPES.loadBalancer;

export const becomesBalanced: Holds = ({ around: { after } }) => after.type === LISTENER_TYPES.loadBalancer;

export const keepsServiceNames: Holds = ({ around: { before, after } }) =>
  after.name !== NAMELESS_LISTENER.name ||
  (before.port === NAMELESS_LISTENER.port) === (after.port === NAMELESS_LISTENER.port);

export const hadNoControllers: Holds = ({ objects }) => !list(mapIn(objects.before, 'spec').roles).includes(CONTROLLER);

export const becomeBrokers: Holds = ({ before, after }) =>
  !list(before).includes(BROKER) && list(after).includes(BROKER);

export const stayForClients: Holds = ({ before, after }) =>
  list(before).includes(BROKER) === list(after).includes(BROKER);

export const stayControllers: Holds = ({ before, after }) =>
  list(before).includes(CONTROLLER) === list(after).includes(CONTROLLER);

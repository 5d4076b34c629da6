import type { EditPredicate } from '../../contract/edit';
import { list, mapIn } from '../../contract/json';
import { LISTENER_TYPES, NAMELESS_LISTENER } from '../strimzi/strimzi.facts';

// Conditions of changes that look at the whole object.

const CONTROLLER = 'controller';
const BROKER = 'broker';

export const hasMore: EditPredicate = ({ before, after }) =>
  typeof before === 'number' && typeof after === 'number' && after > before;

export const resumes: EditPredicate = ({ before, after }) => before === 'true' && after !== 'true';

export const isWithoutTls: EditPredicate = ({ entries, around }) => {
  const { before, after } = entries?.listeners ?? around;
  return before.tls !== true && after.tls !== true;
};

export const hadOtherType: EditPredicate = ({ entries, around }) =>
  (entries?.listeners ?? around).before.type !== LISTENER_TYPES.loadBalancer;

export const becomesBalanced: EditPredicate = ({ around: { after } }) => after.type === LISTENER_TYPES.loadBalancer;

export const keepsServiceNames: EditPredicate = ({ around: { before, after } }) =>
  after.name !== NAMELESS_LISTENER.name ||
  (before.port === NAMELESS_LISTENER.port) === (after.port === NAMELESS_LISTENER.port);

export const hadNoControllers: EditPredicate = ({ objects }) =>
  !list(mapIn(objects.before, 'spec').roles).includes(CONTROLLER);

export const becomeBrokers: EditPredicate = ({ before, after }) =>
  !list(before).includes(BROKER) && list(after).includes(BROKER);

export const stayForClients: EditPredicate = ({ before, after }) =>
  list(before).includes(BROKER) === list(after).includes(BROKER);

export const stayControllers: EditPredicate = ({ before, after }) =>
  list(before).includes(CONTROLLER) === list(after).includes(CONTROLLER);

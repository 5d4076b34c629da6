import type { Holds } from '../../contract/edit';
import { list, mapIn } from '../../contract/json';
import { LISTENER_TYPES, NAMELESS_LISTENER } from '../strimzi/strimzi.facts';

// Conditions of changes that look at the whole object.

const CONTROLLER = 'controller';
const BROKER = 'broker';

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

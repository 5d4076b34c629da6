import type { EditPredicate } from '../../contract/edit';
import { isMap, list, mapIn } from '../../contract/json';
import { IP_TYPE } from '../gateway.facts';

const isUsualAddress = (address: unknown) => isMap(address) && [IP_TYPE, 'Hostname'].includes(address.type ?? IP_TYPE);

export const areUsualAddresses: EditPredicate = ({ before, after }) =>
  [...list(before), ...list(after)].every(isUsualAddress);

const LIMIT_FIELDS = ['targetRef', 'targetRefs', 'targetSelectors', 'circuitBreaker'];

export const isLimitAlone: EditPredicate = ({ before, after }) => {
  const policy = before ?? after;
  return Object.keys(mapIn(isMap(policy) ? policy : {}, 'spec')).every((key) => LIMIT_FIELDS.includes(key));
};

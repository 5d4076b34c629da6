import { absentIs, type EditCase, onlyMore, putIn } from '../../contract/edit';
import { isMap, list, mapIn } from '../../contract/json';
import type { ObjectEditFact, ObjectEdits } from '../../contract/object-edits';
import type { EditedKind } from '../../rules/controller-definition';
import { passedTo } from '../../rules/edits-of-values';
import { IP_TYPE } from '../gateway.facts';

// Conditions under which an edit of a table does less than its worst.

/** A row of the tables: what it does not say is said of the field of a Service that it becomes. */
export interface EditRow extends Partial<Omit<ObjectEditFact, 'becomes'>> {
  readonly becomes?: Parameters<typeof passedTo>[0];
}

export type EditRows = Readonly<Record<string, EditRow | readonly EditRow[]>>;

export interface EditedRows extends Omit<EditedKind, 'edits'> {
  readonly edits: EditRows;
}

export function completedEdits(rows: EditRows): ObjectEdits {
  const one = ({ becomes, ...row }: EditRow) => (becomes ? passedTo(becomes, row) : row) as ObjectEditFact;
  return Object.fromEntries(Object.entries(rows).map(([path, row]) => [path, [row].flat().map(one)]));
}

type Holds = EditCase['holds'];

export const { holds: onlyAdded } = onlyMore('');
export const { holds: wasUnset } = putIn({ outcome: 'kept', what: '' });
export const { holds: staysFalse } = absentIs(false);
export const { holds: staysBalanced } = absentIs('LoadBalancer');
export const { holds: staysLocal } = absentIs('Local');

const isUsualAddress = (address: unknown) => isMap(address) && [IP_TYPE, 'Hostname'].includes(address.type ?? IP_TYPE);

export const areUsualAddresses: Holds = ({ before, after }) => [...list(before), ...list(after)].every(isUsualAddress);

const LIMIT_FIELDS = ['targetRef', 'targetRefs', 'targetSelectors', 'circuitBreaker'];

export const isLimitAlone: Holds = ({ before, after }) => {
  const policy = before ?? after;
  return Object.keys(mapIn(isMap(policy) ? policy : {}, 'spec')).every((key) => LIMIT_FIELDS.includes(key));
};

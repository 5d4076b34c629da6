import { listIn } from '../contract/json';
import { AT_MOST } from './gateway.facts';
import { type GatewayRule, gatewayApi } from './gateway-rule';
import { nameRule, tooMany } from './object-rules';

/** What the API server refuses of a ReferenceGrant. */
export const REFERENCE_GRANT_RULES: readonly GatewayRule[] = [
  nameRule('reference-grant-name', 'a ReferenceGrant has the name of an object'),
  {
    id: 'reference-grant-sides',
    says: `a ReferenceGrant has 1 to ${AT_MOST.grants} kinds that refer, and as many that are referred to`,
    source: gatewayApi('referencegrant_types.go'),
    judge: ({ spec }) =>
      ['from', 'to'].flatMap((side) => {
        const entries = listIn(spec, side);
        return entries.length === 0
          ? [{ what: `the ReferenceGrant says nothing in ${side}`, remedy: 'write at least one kind' }]
          : tooMany(`kinds in ${side}`, entries, AT_MOST.grants);
      }),
  },
];

import type { Cause } from './balancer-change';
import { classCauses } from './class-causes';
import { createdCauses } from './created-causes';
import { finalizerCauses } from './finalizer-causes';
import { goneCauses } from './gone-causes';
import { holderCauses } from './holder-causes';
import { installCauses } from './install-causes';
import { namedInMaker } from './maker-causes';
import type { Matched } from './match';
import { matchCauses } from './match-causes';
import { namespaceCauses } from './namespace-causes';
import { nodePortCauses } from './node-port-causes';
import { otherMakerCauses } from './other-maker-causes';
import { ownerCauses } from './owner-causes';
import { kindOf } from './owners';
import type { Sides } from './side';
import { isTerminating, terminatingCauses } from './terminating-causes';
import { typeCauses } from './type-causes';

/** What is not one field: it comes, goes, changes its owner, or loses what its deletion waits for. */
export function lifeCauses(pair: Matched, sides: Sides): Cause[] {
  const { before, after } = pair;
  if (!before) {
    return after ? [...matchCauses(pair, sides), ...createdCauses({ ...pair, after }, sides)] : [];
  }
  if (isTerminating(before)) {
    return terminatingCauses({ ...pair, before }, sides);
  }
  if (!after) {
    return [...matchCauses(pair, sides), ...goneCauses({ ...pair, before }, sides)];
  }
  const both = { ...pair, before, after };
  const isWritten = sides.options.writer !== 'create' || after.written.madeOf !== undefined;
  const ofService = (isWritten ? OF_THE_SERVICE : []).flatMap((causes) => causes(both, sides));
  return [
    ...AROUND.flatMap((causes) => causes(both, sides)),
    ...namedInMaker(ofService, { before, after, sides, kind: kindOf(after) ?? kindOf(before) }),
  ];
}

/** What happens to a Service without a write of it. */
const AROUND = [matchCauses, otherMakerCauses, namespaceCauses, ownerCauses, installCauses, holderCauses];
/** What a write of it does: who creates Services alone never writes one again. */
const OF_THE_SERVICE = [typeCauses, classCauses, finalizerCauses, nodePortCauses];

import { ownValue } from '../contract/own-value';
import { sameValue } from '../contract/same-value';
import type { Writer } from '../lifecycle/writers.facts';
import { annotationsOf } from '../rules/service-json';
import { annotationCauses } from './annotation-causes';
import { withFindingsAtGateway } from './backend-causes';
import type { Cause } from './balancer-change';
import { besideCauses } from './beside-causes';
import { claimCauses, rivalCauses } from './claim-causes';
import { claimingAnnotations } from './claiming-annotations';
import { withFindings } from './finding-causes';
import { hasNoBalancer } from './has-no-balancer';
import { appliedTo, isOfOwner } from './live-object';
import { madeCauses } from './made-causes';
import { causesInMaker } from './maker-causes';
import type { Matched } from './match';
import { isHandedOver, mayBeHandedOver } from './owner-causes';
import { portCauses } from './port-causes';
import { Readers } from './readers';
import { refusalCauses } from './refusal-causes';
import type { SideBalancer, Sides } from './side';
import { specCauses } from './spec-causes';

/** What the edit of each field and annotation does. */
export function fieldCauses({ before, after }: Matched, sides: Sides): Cause[] {
  if (!after) {
    return [];
  }
  return before ? causesOf(before, after, sides) : claimCauses(undefined, after, sides.after);
}

function causesOf(before: SideBalancer, after: SideBalancer, sides: Sides): Cause[] {
  const readers = new Readers(before, after, sides.after.controllers);
  if (NEVER_WRITTEN_AGAIN.has(sides.options.writer) || (hasNoBalancer(before) && hasNoBalancer(after))) {
    return [];
  }
  const edits = isSame(before, after) ? [] : ofService(before, after, readers, sides);
  const own = [
    ...(hasNoBalancer(before) ? edits : withFindings(edits, before, after, sides)),
    ...besideCauses(before, after, sides),
    ...rivalCauses(before, after, sides),
  ];
  const made = keepsUnwritten(before, after, readers, sides) ? [] : madeCauses(before, after, readers, own);
  const causes = [...own, ...made];
  const inMaker = causesInMaker(causes, { before, after, sides, kind: readers.kind });
  return hasNoBalancer(before) ? inMaker : withFindingsAtGateway(inMaker, after.written.madeOf?.object, sides);
}

/** What others have written on a live Service stays, so that what is made of the newer side alone is not what there will be. */
function keepsUnwritten(before: SideBalancer, after: SideBalancer, { kind }: Readers, sides: Sides): boolean {
  const now = annotationsOf(after.service);
  const gone = Object.keys(annotationsOf(before.service)).filter(
    (key) => ownValue(now, key) === undefined && kind?.catalogue.find(key) !== undefined,
  );
  const applied = gone.length > 0 ? appliedTo(before, sides) : undefined;
  return applied !== undefined && gone.some((key) => !applied.hasAnnotation(key));
}

/** Most Services stay as they are: this is cheaper to say than what of them changes. */
function isSame({ service: old }: SideBalancer, { service: now, written }: SideBalancer): boolean {
  const isWhole = written.madeOf !== undefined || written.object === now;
  return (
    isWhole && (old === now || (sameValue(old.spec, now.spec) && sameValue(annotationsOf(old), annotationsOf(now))))
  );
}

function ofService(before: SideBalancer, after: SideBalancer, readers: Readers, sides: Sides): Cause[] {
  const refused = refusalCauses(before, after, sides.after);
  if (refused.length > 0) {
    return refused;
  }
  if (isHandedOver(before, after) || hasNoBalancer(before)) {
    return claimCauses(before, after, sides.after);
  }
  const undecided = new Set(mayBeHandedOver(before, after) ? claimingAnnotations(before, after) : []);
  const applied = appliedTo(before, sides);
  return [
    ...specCauses(before, after, readers, (name) => applied?.hasInSpec(name) === false),
    ...portCauses(before.service, after.service, { readers, writer: sides.options.writer }),
    ...annotationCauses(
      readers,
      (key) => applied?.hasAnnotation(key) === false || isOfOwner(before, readers.kind, key, sides),
    ).filter(({ field }) => !undecided.has(field)),
    ...claimCauses(before, after, sides.after),
  ];
}

const NEVER_WRITTEN_AGAIN: ReadonlySet<unknown> = new Set<Writer>(['create']);

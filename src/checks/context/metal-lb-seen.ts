import type { Json } from '../../contract/json';
import { flagsAmong, wordsOf } from '../../contract/program-flags';
import { METALLB_CONTROLLER } from '../../controllers/metal-lb/annotations';
import { MetalLb } from '../../controllers/metal-lb/controller';
import { METALLB_ADVERTISEMENTS } from '../../controllers/metal-lb/facts';
import { METALLB_GROUP, METALLB_POOL } from '../../installations/metal-lb/facts';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import { annotationsOf, classOf } from '../../rules/service-json';
import type { InstalledController } from './context-controllers';
import { METALLB_CLASS_FLAG } from './evidence.facts';
import type { Seen } from './seen';

/** MetalLB by its own kinds, and by annotations of Services that nobody else reads. */
export function metalLbSeen(
  index: ObjectIndex,
  services: readonly (readonly IndexedObject[])[],
): readonly Seen<InstalledController>[] {
  const { catalogue } = MetalLb._kind.definition;
  const mode = modeSeen(index);
  const by = [
    ...[METALLB_POOL, ...Object.values(METALLB_ADVERTISEMENTS)].flatMap((kind) => index.of(METALLB_GROUP, kind)),
    ...services.flatMap((group) =>
      classOf(group[0].json) === undefined &&
      Object.keys(annotationsOf(group[0].json)).some((key) => catalogue.claims(key))
        ? group
        : [],
    ),
  ];
  return by.length === 0
    ? []
    : [{ value: { name: METALLB_CONTROLLER, options: mode === undefined ? {} : { mode } }, by }];
}

/** The options of MetalLB that its containers and its objects show. */
export function metalLbOptions(containers: readonly Json[], index: ObjectIndex): Json {
  const flag = flagsAmong(containers.flatMap(wordsOf)).find(({ name }) => name === METALLB_CLASS_FLAG);
  return { loadBalancerClass: flag?.value || undefined, mode: modeSeen(index) };
}

/** How MetalLB announces addresses, if its advertisements are of one kind. */
function modeSeen(index: ObjectIndex): string | undefined {
  const modes = Object.entries(METALLB_ADVERTISEMENTS).filter(([, kind]) => index.of(METALLB_GROUP, kind).length > 0);
  return modes.length === 1 ? modes[0][0] : undefined;
}

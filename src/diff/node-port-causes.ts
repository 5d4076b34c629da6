import { objectIdOf } from '../contract/object-title';
import { printable } from '../contract/printable';
import type { Manifest } from '../rules/manifest-objects';
import { fieldEdit } from '../rules/service-edits.facts';
import { isService, portsOf } from '../rules/service-json';
import type { Cause } from './balancer-change';
import type { Matched } from './match';
import { folderOf } from './objects-on-side';
import type { Side, Sides } from './side';

/** A node port that another Service has as well: the API server takes the second one that comes in no case. */
export function nodePortCauses({ before, after }: Matched, sides: Sides): Cause[] {
  if (!after || after.written.madeOf) {
    return [];
  }
  const old = new Set(before ? portsOf(before.service).map(({ nodePort }) => nodePort) : []);
  return portsOf(after.service).flatMap(({ nodePort }, i): Cause[] => {
    if (!(nodePort > 0) || old.has(nodePort)) {
      return [];
    }
    const other = takersOf(sides)
      .get(nodePort)
      ?.find((each) => objectIdOf(each.object) !== after.id);
    // what two balancers claim is told of all that they can claim
    if (!other || sides.after.balancers.some(({ id }) => id === objectIdOf(other.object))) {
      return [];
    }
    const isTogether = folderOf(other.file) === folderOf(after.written.file) || sides.before.isLive === true;
    const path = ['spec', 'ports', i, 'nodePort'];
    return [
      {
        outcome: isTogether ? 'refused' : 'unknown',
        field: `spec.ports[${i}].nodePort`,
        path,
        to: String(nodePort),
        why: `Service ${printable(objectIdOf(other.object))} has node port ${nodePort} as well, and the API server gives it once`,
        remedy: 'leave it out, and the API server chooses one',
        source: fieldEdit('spec.ports[].nodePort').source,
        ...(isTogether ? {} : { needs: ['whether both are applied to one cluster'] }),
      },
    ];
  });
}

const TAKERS = new WeakMap<Side, ReadonlyMap<number, readonly Manifest[]>>();

/** Who has a node port once all is applied; what a cluster has given it keeps. */
function takersOf({ before, after }: Sides): ReadonlyMap<number, readonly Manifest[]> {
  let takers = TAKERS.get(after);
  if (!takers) {
    const services = after.manifests.filter(({ object }) => isService(object));
    const ids = new Set(services.map(({ object }) => objectIdOf(object)));
    const live = before.isLive
      ? before.manifests.filter(({ object }) => isService(object) && !ids.has(objectIdOf(object)))
      : [];
    const found = new Map<number, Manifest[]>();
    for (const manifest of [...services, ...live]) {
      for (const { nodePort } of portsOf(manifest.object)) {
        if (nodePort > 0) {
          found.set(nodePort, [...(found.get(nodePort) ?? []), manifest]);
        }
      }
    }
    takers = found;
    TAKERS.set(after, takers);
  }
  return takers;
}

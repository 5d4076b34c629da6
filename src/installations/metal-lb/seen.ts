import { type Json, list, mapIn } from '../../contract/json';
import type { ObjectIndex } from '../../rules/objects';
import { METALLB_IMAGE } from './facts';

interface SeenMetalLb {
  readonly namespace?: string;
  /** Unset where its image does not say it. */
  readonly version?: string;
}

export function metalLbIn(index: ObjectIndex): readonly SeenMetalLb[] {
  return index.once(metalLbIn, () =>
    [...index.of('apps', 'Deployment'), ...index.of('apps', 'DaemonSet')].flatMap(({ json, namespace }) =>
      list<Json>(mapIn(mapIn(mapIn(json, 'spec'), 'template'), 'spec').containers).flatMap((container) => {
        const image = METALLB_IMAGE.exec(String(container?.image));
        return image ? [{ namespace, version: image[1] }] : [];
      }),
    ),
  );
}

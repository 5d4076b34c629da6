import { isMap, type Json, list, mapIn } from '../../contract/json';
import { misfitsIn, SchemaFault, type SchemaPart } from '../../contract/schema/walk';
import { METALLB_SOURCE } from '../../controllers/metal-lb/annotations';
import type { ObjectIndex } from '../../rules/objects';
import { METALLB_FIELDS, METALLB_IMAGE, METALLB_POOL } from './facts';

const version = METALLB_SOURCE.version.slice(1);
const RELEASE = { product: 'MetalLB', version, readFrom: version, oldApi: false, has: () => true };

/** The part of an object of MetalLB that has a schema; an advertisement of everything has none. */
export function fieldsOfMetalLb({ kind, spec }: Json): SchemaPart {
  return {
    map: spec === undefined && kind !== METALLB_POOL ? {} : spec,
    fields: METALLB_FIELDS[kind],
    where: 'spec',
    at: '/spec',
    release: RELEASE,
  };
}

const READ = new WeakMap<Json, Json>();

/** An object of MetalLB without what is of a wrong type, which is reported by itself: rules may rely on the rest. */
export function readable(json: Json): Json {
  const read = READ.get(json) ?? withoutMisfits(json);
  READ.set(json, read);
  return read;
}

function withoutMisfits(json: Json): Json {
  const maps = isMap(json.metadata) && isMap(json.spec) ? json : withMaps(json);
  if (!Object.hasOwn(METALLB_FIELDS, json.kind)) {
    return maps;
  }
  const wrong = misfitsIn(fieldsOfMetalLb(maps)).filter(({ fault }) => fault === SchemaFault.SHAPE);
  if (wrong.length === 0) {
    return maps;
  }
  const copy = structuredClone(maps);
  for (const { at } of wrong) {
    remove(copy, at.split('/').slice(1));
  }
  return copy;
}

function withMaps({ metadata, spec, ...json }: Json): Json {
  return { ...json, metadata: isMap(metadata) ? metadata : {}, spec: isMap(spec) ? spec : {} };
}

/** Removes a field; of a list that has a wrong entry, the list. */
function remove(json: Json, [key, ...path]: readonly string[]): void {
  const inner: unknown = json[key];
  if (path.length > 0 && isMap(inner)) {
    remove(inner, path);
  } else {
    delete json[key];
  }
}

interface SeenMetalLb {
  readonly namespace?: string;
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

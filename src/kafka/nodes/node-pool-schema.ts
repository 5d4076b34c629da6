import type { Json } from '../../contract/late-rendering';
import { isMap } from '../../rules/service-json';
import { isSaid, shown } from '../document/kafka-json';
import { isOldApi, type Misfit, SchemaFault } from '../listener/listener-schema';
import { Shape } from '../listener/listener-schema.facts';
import { reaches } from '../strimzi/reaches';
import type { StrimziVersion } from '../strimzi/strimzi-version';
import { NODE_POOL_FIELDS, type NodePoolField } from './node-pool.facts';
import type { NodePoolContext } from './node-pool-rule';

// What the schema says of a node pool. It is not the one of listeners: it knows numbers and texts of a certain form.

const isText = (value: unknown) => typeof value === 'string';
const isList = (value: unknown) => Array.isArray(value);

/** Whether a value is what a field takes, as far as one sees it from outside. */
const FITS: Readonly<Record<Shape, (value: unknown) => boolean>> = {
  [Shape.TEXT]: isText,
  [Shape.INTEGER]: (value) => Number.isInteger(value),
  [Shape.BOOLEAN]: (value) => typeof value === 'boolean',
  [Shape.TEXTS]: isList,
  [Shape.TEXT_MAP]: isMap,
  [Shape.MAP]: isMap,
  [Shape.MAPS]: isList,
  [Shape.FREE]: isMap,
  [Shape.FREE_LIST]: isList,
};

/** Names of the required fields, by the path of the map in which they stand. */
const REQUIRED = new Map<string, string[]>();
for (const [path, { required }] of Object.entries(NODE_POOL_FIELDS)) {
  if (required) {
    const dot = path.lastIndexOf('.');
    const parent = path.slice(0, Math.max(dot, 0));
    REQUIRED.set(parent, [...(REQUIRED.get(parent) ?? []), path.slice(dot + 1)]);
  }
}

/** What was found in the node pool that is being judged: several rules ask. */
const judged = new WeakMap<NodePoolContext, { readonly pool: Json; readonly misfits: readonly Misfit[] }>();

/**
 * Where a node pool does not fit the schema of its version. It is looked through once for each context: who judges a pool
 * makes a context of its own for it.
 */
export function misfitsOfPool(pool: Json, context: NodePoolContext): readonly Misfit[] {
  const before = judged.get(context);
  if (before?.pool === pool) {
    return before.misfits;
  }
  const misfits = walked(pool, context.strimzi);
  judged.set(context, { pool, misfits });
  return misfits;
}

function walked(pool: Json, strimzi: StrimziVersion): Misfit[] {
  const walk = new PoolWalk(strimzi, isOldApi(pool));
  if (isMap(pool.spec)) {
    walk.through(pool.spec, '', 'spec');
  } else {
    walk.misfits.push({ fault: SchemaFault.MISSING, where: 'spec' });
  }
  return walk.misfits;
}

class PoolWalk {
  public readonly misfits: Misfit[] = [];

  public constructor(
    private readonly strimzi: StrimziVersion,
    private readonly oldApi: boolean,
  ) {}

  /** Through one map: `path` is the one of the schema, `where` the one of the document. */
  public through(map: Json, path: string, where: string): void {
    for (const name of REQUIRED.get(path) ?? []) {
      if (!isSaid(map[name])) {
        this.misfits.push({ fault: SchemaFault.MISSING, where: `${where}.${name}` });
      }
    }
    for (const name of Object.keys(map)) {
      if (isSaid(map[name])) {
        this.field(map[name], path === '' ? name : `${path}.${name}`, `${where}.${name}`);
      }
    }
  }

  private field(value: unknown, path: string, where: string): void {
    const field = Object.hasOwn(NODE_POOL_FIELDS, path) ? NODE_POOL_FIELDS[path] : undefined;
    if (!field) {
      // the path of the schema tells where such a field belongs
      this.misfits.push({ fault: SchemaFault.UNKNOWN, where, value: path });
    } else if (field.oldApi && !this.oldApi) {
      this.misfits.push({ fault: SchemaFault.REMOVED, where, value: shown(value) });
    } else if (field.since !== undefined && !reaches(this.strimzi, field.since)) {
      this.misfits.push({ fault: SchemaFault.TOO_NEW, where, value: shown(value), since: field.since });
    } else {
      this.inside(value, field, path, where);
    }
  }

  private inside(value: unknown, field: NodePoolField, path: string, where: string): void {
    const { shape, minimum = 0 } = field;
    if (!FITS[shape](value)) {
      this.odd(value, where, shape);
    } else if (shape === Shape.TEXT) {
      this.text(value as string, field, where);
    } else if (shape === Shape.INTEGER && (value as number) < minimum) {
      this.odd(value, where, `${shape} from ${minimum}`);
    } else if (shape === Shape.TEXT_MAP) {
      this.texts(value as Json, where);
    } else if (shape === Shape.MAP) {
      this.through(value as Json, path, where);
    } else if (shape === Shape.TEXTS || shape === Shape.MAPS) {
      const single = { ...field, shape: shape === Shape.MAPS ? Shape.MAP : Shape.TEXT };
      for (const [i, one] of (value as unknown[]).entries()) {
        this.inside(one, single, path, `${where}[${i}]`);
      }
    }
  }

  private text(value: string, { words, pattern }: NodePoolField, where: string): void {
    if (words && !words.includes(value)) {
      this.misfits.push({ fault: SchemaFault.WORD, where, value: shown(value), takes: words.join(', ') });
    } else if (pattern && !pattern.test.test(value)) {
      this.odd(value, where, pattern.says);
    }
  }

  private texts(map: Json, where: string): void {
    for (const key of Object.keys(map)) {
      if (typeof map[key] !== 'string') {
        this.odd(map[key], `${where}['${key}']`, `${Shape.TEXT}, so quote it`);
      }
    }
  }

  private odd(value: unknown, where: string, takes: string): void {
    this.misfits.push({ fault: SchemaFault.SHAPE, where, value: shown(value), takes });
  }
}

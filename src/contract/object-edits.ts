import type { EditedValue, EditRow } from './edit';
import { cachedIn, isMap, isSet, type Json, list, mapIn, mapOf, oncePer, ownValue, sameValue } from './json';

/** Owner of the balancers that an edit of an object concerns, if there are several. */
export interface ConcernedBalancers {
  /** The listener that they are for; all listeners where none is named. */
  readonly listener?: string;
  /** The group of nodes that have a balancer each, by name; all groups where none is named. */
  readonly pool?: string;
  /** These nodes by id; all of them where none is named. */
  readonly nodes?: readonly number[];
  /** The one balancer of the listener that leads to any node, alone, or only the others. */
  readonly bootstrap?: 'only' | 'not';
}

export interface BalancerOfObject {
  readonly listener?: string;
  readonly pool?: string;
  /** The node that it leads to alone; nothing where it leads to any. */
  readonly node?: number;
}

/** True if an edit concerns a balancer; what is not known of the balancer counts as meant. */
export function isConcerned(
  { listener, pool, nodes, bootstrap }: ConcernedBalancers,
  balancer: BalancerOfObject,
): boolean {
  const isMeant = (wanted: unknown, own: unknown) => wanted === undefined || own === undefined || wanted === own;
  const isBootstrap = balancer.node === undefined && balancer.pool === undefined;
  if (!isMeant(listener, balancer.listener) || (bootstrap !== undefined && isBootstrap !== (bootstrap === 'only'))) {
    return false;
  }
  return (
    isBootstrap ||
    (isMeant(pool, balancer.pool) &&
      (balancer.node === undefined || nodes === undefined || nodes.includes(balancer.node)))
  );
}

/** A row that becomes a field of Services has the effect of that field, unless it has its own. */
export interface ObjectEditRow extends EditRow {
  /**
   * The field of the Services made of the object that it becomes: what their owner makes of that is said by the tables
   * of the fields and annotations of Services. `metadata.annotations` stands for the annotation of the same key.
   */
  readonly becomes?: string;
  /** Value of the Services if it is not set, if that is not their default. */
  readonly absent?: unknown;
  /** The balancers: those that lead to any node, those of single nodes, or of the node that the field names. */
  readonly concerns?: 'bootstrap' | 'nodes' | 'node';
  /** The balancers of all listeners, and not only those of the listener that the field is in. */
  readonly ofAll?: true;
  /** Effect if the whole object is replaced, without the fields that others have filled in. */
  readonly byReplace?: EditRow;
  /** The types of listener that it matters to, where that is not all. */
  readonly types?: readonly string[];
}

/**
 * Effect of an edit of each field of a kind, by its path.
 *
 * - `spec.listeners[name]`: a list of maps, each known by a field; the row itself is about an entry that comes or goes
 * - `[name|port]`: entries of no equal name are the same where their port is
 * - `spec.listeners[]`: the order of the entries
 * - `metadata.annotations{}`: each entry of a map; `{key}` is the entry of that key
 * - `spec.*`: all fields below that have no row
 * - the empty path: the whole object, which comes or goes
 */
export type ObjectEdits = Readonly<Record<string, ObjectEditRow | readonly ObjectEditRow[]>>;

export interface ChangedField extends EditedValue {
  readonly row?: string;
  /** Its steps, in the newer object, or in the older one where it is gone. */
  readonly path: readonly (string | number)[];
  /** Keys of list entries on the path, by the name of the list: `{ listeners: 'external' }`. */
  readonly keys: Readonly<Record<string, unknown>>;
}

interface Branch {
  row?: string;
  order?: string;
  readonly fields: Map<string, Branch>;
  entries?: Branch & { readonly by: readonly string[] };
  each?: Branch;
  others?: string;
}

const STEP = /([^.[\]{}]+)|\[([^\]]*)\]|\{([^}]*)\}/g;
function newBranch(): Branch {
  return { fields: new Map() };
}

const treeOf = oncePer((edits: ObjectEdits): Branch => {
  const tree = newBranch();
  for (const path of Object.keys(edits)) {
    addRow(tree, path);
  }
  return tree;
});

function addRow(tree: Branch, path: string): void {
  let at = tree;
  for (const [, name, key, entry] of path.matchAll(STEP)) {
    if (name === '*') {
      at.others = path;
      return;
    }
    if (key === '') {
      at.order = path;
      return;
    }
    if (key !== undefined) {
      at.entries ??= { ...newBranch(), by: key.split('|') };
      at = at.entries;
    } else if (entry === '') {
      at.each ??= newBranch();
      at = at.each;
    } else {
      at = cachedIn(at.fields, name ?? entry, newBranch);
    }
  }
  at.row = path;
}

/** Parts of an object that nobody edits for its own sake. */
const NOT_WRITTEN = new Set(['status', 'apiVersion', 'kind']);
const WRITTEN_METADATA = ['name', 'namespace', 'labels', 'annotations', 'finalizers'];

/** The fields of an object that differ, each with its row; a side that is nothing is an object that comes or goes. */
export function changedFields(edits: ObjectEdits, before: Json | undefined, after: Json | undefined): ChangedField[] {
  const objects = { before: written(before), after: written(after) };
  const walk = new Walk(objects);
  if (before === undefined || after === undefined) {
    const row = '' in edits ? '' : undefined;
    return before === after ? [] : [{ before, after, row, path: [], keys: {}, around: objects, objects }];
  }
  walk.map(treeOf(edits), objects.before, objects.after, { path: [], keys: {} });
  return walk.found;
}

export function rowOf(edits: ObjectEdits, path: string): string | undefined {
  let at: Branch = treeOf(edits);
  let others: string | undefined;
  for (const name of path.split('.')) {
    if (at.entries && !at.fields.has(name)) {
      at = at.entries;
      others = undefined;
    }
    others = at.others ?? others;
    const next: Branch | undefined = at.fields.get(name) ?? at.each;
    if (!next) {
      return hasInside(at) || at.row === undefined ? others : at.row;
    }
    at = next;
  }
  return at.row ?? at.each?.row ?? at.entries?.row ?? at.others ?? others;
}

function written(object: Json = {}): Json {
  const metadata = mapIn(object, 'metadata');
  const own = Object.entries(object).filter(([name]) => !NOT_WRITTEN.has(name));
  return {
    ...Object.fromEntries(own),
    metadata: Object.fromEntries(WRITTEN_METADATA.map((name) => [name, metadata[name]])),
  };
}

type Place = Pick<ChangedField, 'path' | 'keys' | 'entries'>;

class Walk {
  public readonly found: ChangedField[] = [];

  public constructor(private readonly objects: EditedValue['objects']) {}

  public map(branch: Branch, before: Json, after: Json, place: Place, others?: string): void {
    const rest = branch.others ?? others;
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const next = branch.fields.get(name) ?? branch.each;
      const edited = { before: ownValue(before, name), after: ownValue(after, name), around: { before, after } };
      const inside = { ...place, path: [...place.path, name] };
      if (!sameValue(edited.before, edited.after)) {
        this.field(next, name, edited, inside, rest);
      }
    }
  }

  private field(
    branch: Branch | undefined,
    name: string,
    edited: Omit<EditedValue, 'objects'>,
    place: Place,
    others: string | undefined,
  ): void {
    const { before, after } = edited;
    const both = [before, after];
    if (branch?.entries && both.every((one) => Array.isArray(one) || !isSet(one))) {
      this.list(branch, name, list(before), list(after), place);
    } else if (branch && hasInside(branch) && both.every((one) => isMap(one) || !isSet(one))) {
      const [old, now] = both.map((one) => mapOf(one));
      this.map(branch, old, now, place, branch.row ?? others);
    } else {
      this.add(branch?.row ?? branch?.others ?? others, edited, place);
    }
  }

  private list(
    branch: Branch,
    name: string,
    before: readonly unknown[],
    after: readonly unknown[],
    { path, keys, entries: above }: Place,
  ): void {
    const entries = branch.entries as NonNullable<Branch['entries']>;
    const pairs = pairsOf(before, after, entries.by);
    for (const { old, now } of pairs) {
      const [was, is] = [old, now].map((i, side) => (i === undefined ? undefined : [before, after][side][i]));
      const both = { before: mapOf(was), after: mapOf(is) };
      const place = {
        path: [...path, now ?? (old as number)],
        keys: { ...keys, [name]: mapOf(was ?? is)[entries.by[0]] },
        entries: { ...above, [name]: both },
      };
      if ((old === undefined || now === undefined) && entries.row !== undefined) {
        this.add(entries.row, { before: was, after: is, around: both }, place);
      } else {
        this.map(entries, mapOf(was), mapOf(is), place);
      }
    }
    const kept = pairs.filter(({ old, now }) => old !== undefined && now !== undefined);
    const isMoved = kept.some(({ now }, i) => i > 0 && (now as number) < (kept[i - 1].now as number));
    if (branch.order !== undefined && isMoved) {
      this.add(branch.order, { before, after, around: { before: {}, after: {} } }, { path, keys });
    }
  }

  private add(row: string | undefined, edited: Omit<EditedValue, 'objects'>, place: Place): void {
    this.found.push({ ...edited, ...place, ...(row !== undefined && { row }), objects: this.objects });
  }
}

function hasInside({ fields, each, others }: Branch): boolean {
  return fields.size > 0 || each !== undefined || others !== undefined;
}

interface Pair {
  readonly old?: number;
  readonly now?: number;
}

/** Entries of two lists that are the same ones: by the first key, and what is left by the next one. */
function pairsOf(before: readonly unknown[], after: readonly unknown[], by: readonly string[]): Pair[] {
  const left = new Set(after.keys());
  const pairs: (Pair | undefined)[] = before.map(() => undefined);
  for (const key of by) {
    for (const [old, entry] of before.entries()) {
      const known = mapOf(entry)[key];
      const now = [...left].find((i) => isSet(known) && sameValue(mapOf(after[i])[key], known));
      if (pairs[old] === undefined && now !== undefined) {
        left.delete(now);
        pairs[old] = { old, now };
      }
    }
  }
  return [...pairs.map((pair, old) => pair ?? { old }), ...[...left].map((now) => ({ now }))];
}

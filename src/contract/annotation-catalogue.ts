import type { Codec, DecodeResult } from './annotation-codec';
import { type Edit, type EditsOf, editFrom } from './edit';
import { grouped, type Json } from './json';
import type { Citation, Confidence } from './kubernetes.facts';
import { LoadBalancerScheme, LoadBalancerWish } from './options';
import { editDistance } from './rule';

export interface Fate {
  readonly fate: string;
  /**
   * True if the Service that has it is cut off by a second one.
   * @default - it keeps what it has, or `needs` says what decides
   */
  readonly cutsOff?: 'always';
  /** Context that decides whether the Service that has it is cut off. */
  readonly needs?: string;
}

/** Something that one Service has for itself: a second one that names it fights with the first. */
export interface ExclusiveResource extends Fate {
  /** Name of the thing: `Elastic IP`. Catalogues with the same text name the same things. */
  readonly thing: string;
  /**
   * The same of one Service.
   * @param reaches whether the installed version is the one that is given or newer; undefined if the version is not
   *   known
   */
  fateOf?(service: Json, reaches: ((since: string) => boolean) | undefined): Fate;
  /** Effect on the later one of two balancers with the same address, and the remedy. */
  readonly atOneAddress?: { readonly fate: string; readonly remedy: string };
  /**
   * Condition under which Services share it: by having different ports, or in any way, where it is only published.
   * @default - not at all
   */
  readonly shared?: 'by-port' | 'freely';
  /** The fate if a new Service takes it over from one that is deleted, and the last version of which that is known. */
  readonly adopted?: { readonly until: string; readonly fate: string };
  /** The key of the annotation that says in which group the name is unique. */
  readonly within?: string;
}

export const ADDRESS: ExclusiveResource = {
  thing: 'address',
  fate: 'an address belongs to one balancer, and the other one is not made',
};

export const SHARED_ADDRESS: ExclusiveResource = {
  ...ADDRESS,
  fate: 'a port of an address belongs to one Service, and the other one gets no traffic',
  shared: 'by-port',
};

/** An annotation of a descriptor, which is the only place of its key: `descriptor.schema.json` describes each field. */
export interface AnnotationFact<T> {
  /** The key; `{words}` in braces stand for parameters, such as a port. */
  readonly key: string;
  readonly option?: string;
  readonly wish?: LoadBalancerWish;
  readonly codec: Codec<T>;
  readonly default: string;
  readonly since?: string;
  readonly remark?: string;
  /** True if upstream calls it obsolete; its remark then names what to use instead. */
  readonly deprecated?: boolean;
  readonly deprecatedSince?: string;
  readonly namesOne?: ExclusiveResource;
  readonly badValue: 'refused' | 'accepted';
  /** True if it keeps clients out beside the wishes for scheme and source ranges: misread, it lets them in. */
  readonly restrictsClients?: boolean;
  /** True if it turns the health check of the nodes on: without one, nodes without a pod get connections too. */
  readonly healthCheckSwitch?: true;
  /** Keys of annotations beside which its controller refuses the Service, if both ask for something. */
  readonly refusedBeside?: readonly string[];
  /** True if its controller reads it on Services of other controllers too, so that it is no evidence of the owner. */
  readonly shared?: true;
  readonly source: Citation;
  readonly confidence: Confidence;
}

export type KeyParameters = Readonly<Record<string, string | number>>;

/** An annotation that a controller reads. Encodes and decodes: `decode(encode(v)) = v`. */
export class Annotation<T> {
  private readonly pattern?: RegExp;
  private readonly encoded = new Map<unknown, string>();
  private readonly decoded = new Map<string, DecodeResult<T>>();

  public constructor(public readonly fact: AnnotationFact<T>) {
    if (fact.key.includes('{')) {
      const quoted = fact.key.replace(/[.*+?^$()|[\]\\/]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[A-Za-z0-9_]+)');
      this.pattern = new RegExp(`^${quoted}$`);
    }
  }

  public key(parameters: KeyParameters = {}): string {
    if (!this.pattern) {
      return this.fact.key;
    }
    return this.fact.key.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (parameters[name] === undefined) {
        throw new Error(`${this.fact.key} needs a ${name}`);
      }
      return String(parameters[name]);
    });
  }

  public match(key: string): Record<string, string> | undefined {
    if (!this.pattern) {
      return key === this.fact.key ? {} : undefined;
    }
    const match = this.pattern.exec(key);
    return match ? { ...match.groups } : undefined;
  }

  /** The text of a value; throws on a value that the controller would not read. */
  public encode(value: T): string {
    const known = this.encoded.get(value);
    if (known !== undefined) {
      return known;
    }
    const text = this.encodeAnew(value);
    if (typeof value !== 'object' && this.encoded.size < 64) {
      this.encoded.set(value, text);
    }
    return text;
  }

  private encodeAnew(value: T): string {
    try {
      return this.fact.codec.encode(value);
    } catch (error) {
      throw new Error(`${this.fact.option ?? this.fact.key}: ${(error as Error).message}`);
    }
  }

  public decode(text: string): DecodeResult<T> {
    let decoded = this.decoded.get(text);
    if (!decoded) {
      decoded = this.fact.codec.decode(text);
      if (this.decoded.size < 64) this.decoded.set(text, decoded);
    }
    return decoded;
  }

  /** Value of this annotation on an object; undefined if it is absent or unreadable. */
  public on(annotations: Readonly<Record<string, string>>, parameters?: KeyParameters): T | undefined {
    const text = annotations[this.key(parameters)];
    if (typeof text !== 'string') {
      return undefined;
    }
    const read = this.decode(text);
    return 'value' in read ? read.value : undefined;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: entries of every type are in one list
export type AnyAnnotation = Annotation<any>;

export class AnnotationCatalogue {
  private readonly fixed = new Map<string, Annotation<unknown>>();
  private readonly patterned: Annotation<unknown>[] = [];

  /** Those whose values name something that one Service has for itself. */
  public readonly own: readonly AnyAnnotation[];

  private readonly named: ReadonlyMap<string, readonly string[]>;

  /**
   * @param prefixes beginnings of keys that belong to this controller alone: a key that begins so and is not in the
   *   catalogue is misspelt, or newer than the catalogue
   */
  public constructor(
    public readonly prefixes: readonly string[],
    public readonly annotations: readonly AnyAnnotation[],
  ) {
    this.named = grouped(
      annotations.map(({ fact }) => fact.key).filter((key) => key.includes('/')),
      (key) => key.split('/')[1],
    );
    this.own = annotations.filter(({ fact }) => fact.namesOne !== undefined);
    for (const entry of annotations) {
      if (entry.fact.key.includes('{')) {
        this.patterned.push(entry);
      } else {
        this.fixed.set(entry.fact.key, entry);
      }
    }
  }

  public find(key: string): Annotation<unknown> | undefined {
    return this.fixed.get(key) ?? this.patterned.find((annotation) => annotation.match(key));
  }

  /** True if a key is known, and read for balancers of this controller alone. */
  public owns(key: string): boolean {
    const entry = this.find(key);
    return entry !== undefined && !entry.fact.shared;
  }

  /** True if a key belongs to this controller, known or not. */
  public claims(key: string): boolean {
    return this.fixed.has(key) || this.prefixes.some((prefix) => key.startsWith(prefix));
  }

  public nearest(key: string): string | undefined {
    const [best] = this.annotations
      .filter(({ fact }) => hasLikeWords(key, fact.key))
      .map(({ fact }) => ({ key: fact.key, distance: editDistance(key, fact.key) }))
      .sort((one, other) => one.distance - other.distance);
    return best?.distance <= 4 ? best.key : undefined;
  }

  /** The known key of the same name, where a part of its prefix is missing. */
  public underOwnPrefix(key: string): string | undefined {
    const [prefix, name] = key.split('/');
    return this.named.get(name)?.find((known) => {
      const [own] = known.split('/');
      return own !== prefix && own.endsWith(prefix);
    });
  }

  /** The known key that another one is a slip of the hand of, under a prefix of the same domain; that in force before an old one. */
  public misspelt(key: string): string | undefined {
    const meant = spelt(key);
    const facts = meant
      ? this.annotations.map(({ fact }) => fact).filter((fact) => isSlip(meant, spelt(fact.key)))
      : [];
    return (facts.find(({ deprecated }) => !deprecated) ?? this.inForce(facts[0]))?.key;
  }

  private inForce(old: AnnotationFact<unknown> | undefined): AnnotationFact<unknown> | undefined {
    const name = old && spelt(old.key)?.name;
    return this.annotations.find(({ fact }) => name && !fact.deprecated && spelt(fact.key)?.name === name)?.fact ?? old;
  }

  public ofOption(option: string): Annotation<unknown> | undefined {
    return this.annotations.find((entry) => entry.fact.option === option);
  }
}

/** True if the words in which two keys differ are alike, or one key has no other words. */
function hasLikeWords(key: string, other: string): boolean {
  const [a, b] = [key, other].map((one) => one.toLowerCase().split(/[-_./]/));
  while (a.length > 0 && a[0] === b[0]) {
    a.shift();
    b.shift();
  }
  while (a.length > 0 && a[a.length - 1] === b[b.length - 1]) {
    a.pop();
    b.pop();
  }
  const [one, two] = [a, b].map((words) => words.join(''));
  return !one || !two || editDistance(one, two) <= Math.max(one.length, two.length) / 2;
}

interface Spelt {
  /** The last two labels of the prefix. */
  readonly domain: string;
  readonly name: string;
  /** The name without its first word, which can be the vendor. */
  readonly rest: string;
}

function spelt(key: string): Spelt | undefined {
  const [prefix, name] = key.split('/');
  if (name === undefined) {
    return undefined;
  }
  const [first, ...rest] = name.toLowerCase().split(/[-_.]/);
  return { domain: prefix.split('.').slice(-2).join('.'), name: [first, ...rest].join(''), rest: rest.join('') };
}

function isSlip(written: Spelt, known: Spelt | undefined): boolean {
  return (
    known?.domain === written.domain &&
    written.name.length > 8 &&
    !known.name.includes('{') &&
    (known.rest === written.name || editDistance(known.name, written.name) <= 1)
  );
}

/** Effect of an edit of each entry, by key; the tables have the names of the entries. */
export function editsByKey<Entries extends Readonly<Record<string, AnyAnnotation>>>(
  entries: Entries,
  edits: EditsOf<Entries>,
): Map<string, Edit> {
  const names: readonly (keyof Entries)[] = Object.keys(entries);
  return new Map(names.map((name) => [entries[name].fact.key, editFrom(edits[name], entries[name].fact.source)]));
}

export interface SchemeSetting {
  readonly key: string;
  readonly text: string;
  readonly scheme: LoadBalancerScheme;
}

/** Scheme of a balancer by its annotations: the first one that its owner can read. */
export function schemeSetIn(
  annotations: Readonly<Record<string, unknown>>,
  catalogue: AnnotationCatalogue,
): SchemeSetting | undefined {
  for (const [key, text] of Object.entries(annotations)) {
    const entry = catalogue.find(key);
    const isScheme = entry?.fact.wish === LoadBalancerWish.SCHEME && typeof text === 'string';
    const read = isScheme ? entry.decode(text) : undefined;
    if (read && 'value' in read) {
      const isInternal = read.value === true || read.value === LoadBalancerScheme.INTERNAL;
      const scheme = isInternal ? LoadBalancerScheme.INTERNAL : LoadBalancerScheme.INTERNET_FACING;
      return { key, text: text as string, scheme };
    }
  }
  return undefined;
}

/** True if an owner has a value for who can reach a balancer; what is not known of an owner may be one. */
export function knowsSchemes(catalogue: AnnotationCatalogue | undefined): boolean {
  return !catalogue || catalogue.annotations.some(({ fact }) => fact.wish === LoadBalancerWish.SCHEME);
}

import { isMap, type Json, list, mapIn, pointer, printable, shown } from '../contract/json';
import type { Citation } from '../contract/kubernetes.facts';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import type { Claim, ControllerDefinition } from '../rules/controller-definition';
import { annotationsOf, classOf, finalizersOf } from '../rules/service-json';
import { VENDOR_MARKS } from './vendors/marks.facts';

// Controllers of vendors, which write no manifests here: who they are, and whose Services they take.

export interface MarkedKind {
  readonly group: string;
  readonly kind: string;
}

/** `marks` of a descriptor: `scripts/descriptors/descriptor.schema.json` describes each field. */
export interface OtherController {
  readonly id: string;
  readonly name: string;
  readonly keys: readonly string[];
  readonly sharedKeys?: readonly string[];
  readonly hasOtherTasks?: true;
  readonly classes: readonly string[];
  readonly takesClassless: boolean;
  readonly providerIds?: readonly string[];
  readonly basedOn?: string;
  readonly finalizers?: readonly string[];
  readonly conditions?: readonly string[];
  readonly workloadLabels?: { readonly name: string; readonly namespace: string };
  readonly kinds?: readonly MarkedKind[];
  readonly images?: readonly string[];
  readonly configs?: readonly string[];
  readonly leavesClassless?: {
    readonly by: string;
    readonly config: string;
    readonly settings: readonly Readonly<Record<string, readonly string[]>>[];
    /** Its chart, and the values by which a release of it does the same. */
    readonly chart: string;
    readonly values: Readonly<Record<string, readonly string[]>>;
  };
  readonly source: Citation;
}

/** A controller of a cluster that is asked whether it takes a Service, and for what its descriptor says if it has one. */
export class InstalledOtherController implements ILoadBalancerController {
  /** @internal */
  public readonly _kind?: { readonly definition: ControllerDefinition };

  public constructor(
    public readonly name: string,
    private readonly classes: readonly string[],
    private readonly takesClassless: boolean,
    definition?: ControllerDefinition,
  ) {
    if (definition) {
      this._kind = { definition };
    }
  }

  public claim(service: Json): Claim {
    const loadBalancerClass = classOf(service);
    if (loadBalancerClass === undefined) {
      return this.takesClassless
        ? { claimed: 'yes', because: 'the Service has no class' }
        : { claimed: 'no', because: 'it takes no Service without a class' };
    }
    const named = shown(loadBalancerClass);
    return serves(this.classes, loadBalancerClass)
      ? { claimed: 'yes', because: `it serves class ${named}` }
      : { claimed: 'no', because: `it does not serve class ${named}` };
  }

  public bind(): never {
    throw new Error(`${this.name}: manifests are not written for it here; nothing can be bound to it`);
  }
}

export function findOtherController(id: string): OtherController | undefined {
  return VENDOR_MARKS.find((one) => one.id === id);
}

export function otherOfClass(loadBalancerClass: unknown): OtherController | undefined {
  return VENDOR_MARKS.find(({ classes }) => serves(classes, loadBalancerClass));
}

export function otherOfKey(key: string): OtherController | undefined {
  if (!KEYS.has(key)) {
    const found = VENDOR_MARKS.find(
      ({ keys, sharedKeys = [] }) => keys.some((start) => key.startsWith(start)) && !sharedKeys.includes(key),
    );
    if (KEYS.size > MOST_KEYS) {
      KEYS.clear();
    }
    KEYS.set(key, found);
  }
  return KEYS.get(key);
}

/** Ids of the controllers that serve the class of a Service, or that have an annotation of one without a class. */
export function otherControllersOf(service: Json): string[] {
  const loadBalancerClass = classOf(service);
  const annotations = Object.keys(annotationsOf(service));
  const isNamed = ({ classes, keys, sharedKeys = [] }: OtherController) =>
    loadBalancerClass === undefined
      ? annotations.some((key) => sharedKeys.includes(key) || keys.some((start) => key.startsWith(start)))
      : serves(classes, loadBalancerClass);
  return VENDOR_MARKS.filter(isNamed).map(({ id }) => id);
}

const KEYS = new Map<string, OtherController | undefined>();
const MOST_KEYS = 1_000;

export interface OwnerEvidence {
  readonly other: OtherController;
  /** The words of messages: `annotation lbipam.cilium.io/ips`. */
  readonly sign: string;
  readonly at: string;
  /** True if the controller wrote it itself: it has taken the Service. */
  readonly isWritten?: true;
}

/** The controllers of vendors that a Service shows, each once, by its strongest sign. */
export function ownerEvidence(service: Json): OwnerEvidence[] {
  const loadBalancerClass = classOf(service);
  const conditions = list<Json>(mapIn(service, 'status').conditions).filter(isMap);
  const all = [
    ...signs('class', [loadBalancerClass], otherOfClass, { at: () => '/spec/loadBalancerClass' }),
    ...signs('finalizer', finalizersOf(service), (one) => ownerOf('finalizers', one), { isWritten: true }),
    ...signs(
      'condition',
      conditions.map(({ type }) => type),
      (one) => ownerOf('conditions', one),
      { isWritten: true },
    ),
    // a class decides, whatever else is written
    ...(loadBalancerClass === undefined ? [...keySigns('annotation', service), ...keySigns('label', service)] : []),
  ];
  return all.filter(
    ({ other }, i) =>
      all.findIndex((one) => one.other === other) === i && !all.some((one) => one.other.basedOn === other.id),
  );
}

function keySigns(what: 'annotation' | 'label', { metadata }: Json): OwnerEvidence[] {
  const keys = Object.keys(mapIn(metadata, `${what}s`));
  return signs(what, keys, otherOfKey, { at: (key) => pointer(`/metadata/${what}s`, key) });
}

function signs<T>(
  what: string,
  words: readonly T[],
  of: (word: T) => OtherController | undefined,
  { at, isWritten }: { readonly at?: (word: T) => string; readonly isWritten?: true },
): OwnerEvidence[] {
  return words.flatMap((word) => {
    const other = of(word);
    const sign = `${what} ${printable(String(word))}`;
    return other ? [{ other, sign, at: at?.(word) ?? '/spec/type', ...(isWritten && { isWritten }) }] : [];
  });
}

function ownerOf(field: 'finalizers' | 'conditions', word: unknown): OtherController | undefined {
  return VENDOR_MARKS.find((one) => one[field]?.includes(word as string));
}

function serves(classes: readonly string[], loadBalancerClass: unknown): boolean {
  return classes.some((one) =>
    one.endsWith('/') && typeof loadBalancerClass === 'string'
      ? loadBalancerClass.startsWith(one)
      : one === loadBalancerClass,
  );
}

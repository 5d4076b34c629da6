import { isMap, type Json, list, mapIn, printable, shown } from '../contract/json';
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

export interface OtherController {
  /** The name in the context file. */
  readonly id: string;
  /** The name in messages. */
  readonly name: string;
  /** Beginnings of keys of annotations and labels of Services that no other controller reads. */
  readonly keys: readonly string[];
  /** Keys with such a beginning that Services of another controller have as well. */
  readonly sharedKeys?: readonly string[];
  /** Whether its workloads and Nodes run without it making balancers, so that they are no sign of it. */
  readonly hasOtherTasks?: true;
  /** Classes that it serves as it is installed by default; one that ends with a slash stands for all that begin so. */
  readonly classes: readonly string[];
  readonly takesClassless: boolean;
  /** Beginnings of the provider IDs of the Nodes of its cloud. */
  readonly providerIds?: readonly string[];
  /** The controller that it is built on, whose signs its Services have as well. */
  readonly basedOn?: string;
  /** Finalizers that it alone writes; many write that of the service controller. */
  readonly finalizers?: readonly string[];
  readonly conditions?: readonly string[];
  /** The label of the workload that it makes for a Service, with the name of the Service, and the label with its namespace. */
  readonly workloadLabels?: { readonly name: string; readonly namespace: string };
  /** Sources of its events, where no other program has that name. */
  readonly eventSources?: readonly string[];
  /** Reasons of events that no other program reports. */
  readonly eventReasons?: readonly string[];
  /** Kinds of its address pools, announcements and peers. */
  readonly kinds?: readonly MarkedKind[];
  /** How the images of its workloads end, before tag or digest. */
  readonly images?: readonly string[];
  /** ConfigMaps and Secrets that configure it, by their default names. */
  readonly configs?: readonly string[];
  readonly source: Citation;
}

/** A controller of a cluster that is asked whether it takes a Service, and for what its descriptor says if it has one. */
export class InstalledOtherController implements ILoadBalancerController {
  /** @internal */
  public readonly _kind?: { readonly definition: ControllerDefinition };

  /**
   * @param name the name in messages
   * @param classes the classes that it serves; one that ends with a slash stands for all that begin so
   * @param takesClassless whether it takes Services without a class
   * @param definition what its descriptor says
   */
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

export function otherNamed(id: string): OtherController | undefined {
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

const KEYS = new Map<string, OtherController | undefined>();
const MOST_KEYS = 1_000;

export interface OwnerSign {
  readonly other: OtherController;
  /** The words of messages: `annotation lbipam.cilium.io/ips`. */
  readonly sign: string;
  /** Whether the controller wrote it itself: it has taken the Service. */
  readonly isWritten?: true;
}

/** The controllers of vendors that a Service shows, each once, by its strongest sign. */
export function ownerSigns(service: Json): OwnerSign[] {
  const loadBalancerClass = classOf(service);
  const conditions = list<Json>(mapIn(service, 'status').conditions).filter(isMap);
  const all = [
    ...signs('class', [loadBalancerClass], otherOfClass),
    ...signs('finalizer', finalizersOf(service), (one) => ownerOf('finalizers', one), true),
    ...signs(
      'condition',
      conditions.map(({ type }) => type),
      (one) => ownerOf('conditions', one),
      true,
    ),
    ...signs('annotation', Object.keys(annotationsOf(service)), otherOfKey),
    ...signs('label', Object.keys(mapIn(mapIn(service, 'metadata'), 'labels')), otherOfKey),
  ];
  // a class decides, whatever else is written
  const deciding = loadBalancerClass === undefined ? all : all.filter(({ sign }) => !/^(annotation|label) /.test(sign));
  return deciding.filter(
    ({ other }, i) =>
      deciding.findIndex((one) => one.other === other) === i && !deciding.some((one) => one.other.basedOn === other.id),
  );
}

function signs<T>(
  what: string,
  words: readonly T[],
  of: (word: T) => OtherController | undefined,
  isWritten?: true,
): OwnerSign[] {
  return words.flatMap((word) => {
    const other = of(word);
    return other ? [{ other, sign: `${what} ${printable(String(word))}`, ...(isWritten && { isWritten }) }] : [];
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

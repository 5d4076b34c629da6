import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { registered } from '../../controllers/shared/definition';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { BALANCER_PREFIXES } from './tenant-manifests.facts';

/** Who makes load balancers and reads an annotation. */
export interface AnnotationReaders {
  readonly kinds: readonly ControllerDefinition[];
  /** What it asks of a balancer, where that has a word. */
  readonly wish?: LoadBalancerWish;
  /** Whether it is for makers of load balancers alone, known here or not. */
  readonly isOfBalancers: boolean;
}

/** Apps have few different keys, and many annotations. */
const KNOWN = new Map<string, AnnotationReaders>();

/** Who reads an annotation. */
export function readersOf(key: string): AnnotationReaders {
  const known = KNOWN.get(key);
  if (known) {
    return known;
  }
  const kinds = registered().filter(({ catalogue }) => catalogue.find(key));
  const wishes = kinds.map(({ catalogue }) => catalogue.find(key)?.annotation.fact.wish);
  const readers = {
    kinds,
    wish: wishes.find((wish) => wish !== undefined),
    isOfBalancers:
      kinds.length > 0 ||
      BALANCER_PREFIXES.some((prefix) => key.startsWith(prefix)) ||
      registered().some(({ catalogue }) => catalogue.claims(key)),
  };
  if (KNOWN.size < 1_000) {
    KNOWN.set(key, readers);
  }
  return readers;
}

/** The source ranges that annotations of controllers say, each beside the others. */
export function rangesIn(annotations: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(annotations)
    .filter((key) => readersOf(key).wish === LoadBalancerWish.SOURCE_RANGES)
    .flatMap((key) => String(annotations[key]).split(','));
}

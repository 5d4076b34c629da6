import { type Beside, OWNERS, type Owner } from './owners';
import { BESIDE_IS } from './owners.facts';
import type { Policy } from './scenario';
import type { Writer } from './writers';
import { FILE_WRITES, OPERATOR_WRITES } from './writers.facts';

/** What is known of a Service, and of those who write and serve it. */
export interface KnownService {
  /** The name of the controller that owns its balancer. */
  readonly owner: string;
  /** Whether it has a class; without one, an annotation or its type claims it. */
  readonly hasClass: boolean;
  readonly finalizers: readonly string[];
  /** The finalizers that the owner adds and removes. */
  readonly own: readonly string[];
  /** The names of all controllers that run; unset where they are not known. */
  readonly controllers?: readonly string[];
  /** Who writes it: files, or an operator, which keeps finalizers of others or strips them. */
  readonly writer: 'files' | keyof typeof OPERATOR_WRITES;
}

/** Where a Service is in the tables of the model; where several may be meant, the worst counts. */
export interface ModelCase {
  readonly owner: Owner;
  readonly besides: readonly Beside[];
  readonly policy: Policy;
  readonly writers: readonly Writer[];
}

/** The case of a Service, or nothing where the model does not have its owner. */
export function modelCaseOf(known: KnownService): ModelCase | undefined {
  const named = OWNERS.filter(({ name }) => name === known.owner);
  const owner = named.find(({ byAnnotation = false }) => byAnnotation !== known.hasClass) ?? named[0];
  return (
    owner && {
      owner,
      besides: besidesOf(owner, known),
      policy: policyOf(known),
      writers: known.writer === 'files' ? FILE_WRITES : OPERATOR_WRITES[known.writer],
    }
  );
}

export function policyOf({ finalizers, own }: Pick<KnownService, 'finalizers' | 'own'>): Policy {
  if (finalizers.some((finalizer) => own.includes(finalizer))) {
    return 'declared';
  }
  return finalizers.length > 0 ? 'wrong' : 'left';
}

/** A second controller of the same cluster name is a mistake of its own: no Service shows it. */
const NEVER_ASSUMED: Beside = 'one of the same cluster name';

/** None where a finalizer is on it that no controller of the model removes, and the model has its owner beside one that does. */
function besidesOf({ beside }: Owner, { finalizers, own, controllers }: KnownService): readonly Beside[] {
  const isStray = (finalizer: string) => !own.includes(finalizer) && !isOfServiceController(finalizer);
  const hidden: readonly Beside[] = finalizers.some(isStray) ? [NEVER_ASSUMED, 'service controller'] : [NEVER_ASSUMED];
  const possible = beside.filter((each) => !hidden.includes(each));
  const fitting = possible.filter((each) => controllers === undefined || each === company(possible, controllers));
  return fitting.length > 0 ? fitting : possible;
}

function company(possible: readonly Beside[], controllers: readonly string[]): Beside {
  const found = possible.find((each) =>
    each === 'service controller'
      ? controllers.some((name) => OWNERS.some((owner) => owner.name === name && owner.isServiceController))
      : controllers.includes(BESIDE_IS[each] ?? ''),
  );
  return found ?? 'alone';
}

function isOfServiceController(finalizer: string): boolean {
  return OWNERS.some((owner) => owner.isServiceController && owner.finalizer === finalizer);
}

import type { Beside, Owner } from './owners';
import { POLICIES, type Policy } from './scenario';
import type { State, Value } from './state';
import { WRITERS, type Writer } from './writers';

// What may be done to a balancer that is live and at rest.

export const CHANGES = [
  'nothing',
  'finalizer dropped',
  'finalizer added',
  'finalizer wrong',
  'type away',
  'annotation away',
  'class changed',
  'deleted',
  'deleted in foreground',
  'namespace deleted',
  'deleted and created again',
  'owner uninstalled',
  'status refused',
  'service controller upgraded',
  'service controller downgraded',
] as const;
export type Change = (typeof CHANGES)[number];

export const CHANGE_SAYS: Readonly<Record<Change, string>> = {
  nothing: 'writes the same manifest again',
  'finalizer dropped': 'writes a manifest that no longer declares the finalizer',
  'finalizer added': "writes a manifest that declares the owner's finalizer",
  'finalizer wrong': 'writes a manifest that declares a finalizer that the owner does not remove',
  'type away': 'writes a manifest of another type than LoadBalancer',
  'annotation away': 'writes a manifest without the annotation that the owner claims the Service by',
  'class changed': 'writes a manifest with another class',
  deleted: 'deletes the Service',
  'deleted in foreground': 'deletes the Service in the foreground',
  'namespace deleted': 'deletes the namespace',
  'deleted and created again': 'deletes the Service, and it is created again under its name',
  'owner uninstalled': 'uninstalls the owner while the Service stays',
  'status refused': 'sets an admission policy that refuses the status of the Service, and edits the Service',
  'service controller upgraded': 'upgrades the service controller from a version that adds no finalizer',
  'service controller downgraded': 'takes the service controller back from a version that adds its finalizer',
};

/** Who changes what, from which declaration to which. */
export interface ChangeCase {
  readonly owner: Owner;
  readonly beside: Beside;
  readonly writer: Writer;
  readonly change: Change;
  readonly before: Policy;
  readonly after: Policy;
  /** Whether a LoadBalancerKeeper puts back what the writer drops. */
  readonly keeper?: boolean;
}

export function changeCasesOf(owners: readonly Owner[]): ChangeCase[] {
  const cases: ChangeCase[] = [];
  for (const owner of owners) {
    for (const beside of owner.beside) {
      for (const change of CHANGES) {
        for (const before of POLICIES) {
          for (const after of POLICIES) {
            for (const writer of WRITERS) {
              cases.push({ owner, beside, writer, change, before, after });
            }
          }
        }
      }
    }
  }
  return cases.filter(isPossible);
}

export function isPossible({ owner, writer, change, before, after }: ChangeCase): boolean {
  const declares = before === 'declared' || after === 'declared';
  return (
    (!declares || owner.finalizer !== undefined) &&
    isWrittenBy(owner, writer, change) &&
    fits({ owner, writer, change, before, after })
  );
}

/** Returns whether the writer makes the change; `caseOf` in change-results.ts maps the changes that it does not make to those that it does. */
function isWrittenBy(owner: Owner, writer: Writer, change: Change): boolean {
  switch (writer) {
    case 'create':
      return !isWritten(change);
    case 'recreate':
      return !change.startsWith('finalizer') && change !== 'nothing';
    case 'put-class-null':
      return !owner.byAnnotation;
    default:
      return true;
  }
}

function fits({ owner, writer, change, before, after }: Omit<ChangeCase, 'beside'>): boolean {
  switch (change) {
    case 'finalizer dropped':
      return before !== 'left' && after === 'left';
    case 'finalizer added':
      return before !== 'declared' && after === 'declared';
    case 'finalizer wrong':
      return before !== 'wrong' && after === 'wrong';
    case 'annotation away':
      return owner.byAnnotation === true;
    case 'type away':
    case 'deleted and created again':
      return true;
    case 'class changed':
      return writer === 'recreate' || before === after;
    case 'service controller upgraded':
    case 'service controller downgraded':
      return owner.isServiceController === true && before === after;
    default:
      return before === after;
  }
}

/** Whom the Service asks once the change is written. */
export function asksAfter({ change, owner }: ChangeCase): Value<'asks'> {
  switch (change) {
    case 'type away':
      return owner.byAnnotation ? 'in vain' : 'nothing';
    case 'annotation away':
    case 'class changed':
      return 'another';
    default:
      return 'owner';
  }
}

const WRITTEN: readonly Change[] = [
  'finalizer dropped',
  'finalizer added',
  'finalizer wrong',
  'type away',
  'annotation away',
  'class changed',
];

export function isWritten(change: Change): boolean {
  return WRITTEN.includes(change);
}

/** Whether the API server refuses the write: a class that changes, or is left out. */
export function refuses({ change, writer }: ChangeCase): boolean {
  const isLeftOut = writer === 'put-class-null' && isWritten(change) && change !== 'type away';
  return (change === 'class changed' && writer !== 'recreate') || isLeftOut;
}

/** Whether the Service asks the owner for a balancer when all is done. */
export function isForTheOwner(one: ChangeCase): boolean {
  return asksAfter(one) === 'owner' || refuses(one);
}

export function isTaken({ change }: ChangeCase, { turns, process, namespace, deletion }: State): boolean {
  switch (change) {
    case 'nothing':
    case 'service controller upgraded':
    case 'service controller downgraded':
      return true;
    case 'owner uninstalled':
      return process === 'uninstalled';
    case 'namespace deleted':
      return namespace === 'dying';
    case 'deleted':
    case 'deleted in foreground':
      return deletion !== 'unwanted';
    default:
      return turns === 'taken';
  }
}

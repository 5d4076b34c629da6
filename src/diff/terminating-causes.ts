import { mapIn } from '../contract/json';
import { printable } from '../contract/printable';
import { askCleanup } from './ask-model';
import type { Cause } from './balancer-change';
import { hasNoBalancer } from './has-no-balancer';
import type { Matched } from './match';
import type { SideBalancer, Sides } from './side';
import { uninstalledCause } from './uninstalled-cause';

/** Whether a Service of a cluster is being deleted. */
export function isTerminating({ service }: SideBalancer): boolean {
  return mapIn(service, 'metadata').deletionTimestamp !== undefined;
}

/** What becomes of a Service that is being deleted already: it goes, whatever is applied to it. */
export function terminatingCauses(pair: Matched & { readonly before: SideBalancer }, sides: Sides): Cause[] {
  const { before, after } = pair;
  const since = printable(String(mapIn(before.service, 'metadata').deletionTimestamp));
  const base = { field: 'metadata.deletionTimestamp', path: ['metadata', 'deletionTimestamp'], from: since };
  if (hasNoBalancer(before)) {
    return [{ outcome: 'kept', ...base, why: 'it is in Terminating, and no controller has made a balancer for it' }];
  }
  const answer = askCleanup(before, { change: 'deleted' }, sides);
  const trace = answer?.trace ? { trace: answer.trace } : {};
  const uninstalled = uninstalledCause(pair, sides);
  if (uninstalled) {
    return [uninstalled];
  }
  if (answer?.outcome === 'stuck') {
    return [
      {
        outcome: 'stuck',
        ...base,
        ...trace,
        why: 'it is in Terminating, and nothing that runs removes its finalizer',
        remedy: 'let the controller of the finalizer run until the Service is gone',
      },
    ];
  }
  if (answer?.outcome === 'orphaned') {
    return [
      {
        outcome: 'orphaned',
        ...base,
        ...trace,
        why: 'it is in Terminating without the finalizer of its controller, which does not clean up: its balancer stays in the cloud',
        remedy: 'move its clients, and delete the balancer in the cloud when the Service is gone',
      },
    ];
  }
  return [
    after
      ? {
          outcome: 'replaced',
          ...base,
          ...trace,
          why: 'it is in Terminating: what is applied changes a Service that goes, and a later apply makes another one with another address',
          remedy: 'wait until it is gone, then apply',
        }
      : {
          outcome: 'deleted',
          ...base,
          ...trace,
          why: 'it is in Terminating already: its balancer is deleted with its address, whatever is applied',
          remedy: 'move its clients now: a deletion cannot be taken back',
        },
  ];
}

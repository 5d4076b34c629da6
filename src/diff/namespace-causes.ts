import { printable } from '../contract/printable';
import { askModel } from './ask-model';
import type { Cause } from './balancer-change';
import { hasNoBalancer } from './has-no-balancer';
import { NAME, namespaceOf } from './match';
import type { SideBalancer, Sides } from './side';
import { vanishedNamespace } from './vanished-namespace';

/** What becomes of a Service that is on both sides while its Namespace is not. */
export function namespaceCauses({ before }: { readonly before: SideBalancer }, sides: Sides): Cause[] {
  const namespace = vanishedNamespace(before, sides);
  const { prune } = sides.options;
  if (!namespace || prune === false || hasNoBalancer(before)) {
    return [];
  }
  const answer = askModel(before, { change: 'namespace deleted' }, sides);
  const outcome = answer?.outcome === 'orphaned' || answer?.outcome === 'stuck' ? answer.outcome : 'deleted';
  const name = printable(namespaceOf(before));
  const goes = outcome === 'deleted' ? 'this Service goes with it, and its address' : 'this Service goes with it';
  const end = { orphaned: ', while its balancer stays in the cloud', stuck: ', and stays in Terminating', deleted: '' }[
    outcome
  ];
  return [
    {
      outcome,
      field: 'metadata.namespace',
      path: ['metadata', 'namespace'],
      places: { before: { manifest: namespace, path: NAME } },
      from: name,
      why: `Namespace ${name} is in no manifest any more: ${prune ? '' : 'with prune '}${goes}${end}${prune ? '' : ', and without prune nothing happens'}`,
      remedy: `leave Namespace ${name} in the manifests`,
      ...(answer?.trace && { trace: answer.trace }),
    },
  ];
}

import type { Json } from '../../contract/json';
import { labelKeyFault, labelValueFault } from '../../contract/kubernetes-syntax';
import type { NodePool } from '../../contract/node-pool';
import { METALLB_CONTROLLER } from '../../controllers/metal-lb/annotations';

/**
 * Label selectors of labels.
 *
 * @throws when a label is none, or there are none: an empty selector selects everything
 */
export function selectors(
  option: string,
  labels: readonly { readonly [key: string]: string }[] | undefined,
): Json[] | undefined {
  for (const entry of labels ?? []) {
    const faults = Object.entries(entry).map(([key, value]) => labelKeyFault(key) ?? labelValueFault(value));
    const fault =
      Object.keys(entry).length === 0 ? 'an entry without labels selects everything' : faults.find((one) => one);
    if (fault) {
      throw new Error(`${METALLB_CONTROLLER}: option ${option}: ${fault}; write labels, or leave the entry out`);
    }
  }
  return labels?.map((matchLabels) => ({ matchLabels: { ...matchLabels } }));
}

/** Label selectors of node pools. */
export function nodeSelectors(pools: readonly NodePool[] | undefined): Json[] | undefined {
  return pools?.map(({ labels }) => ({ matchLabels: { ...labels } }));
}

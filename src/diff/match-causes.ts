import { printable } from '../contract/printable';
import type { Cause } from './balancer-change';
import { type Matched, NAME, NAMESPACE } from './match';
import type { Sides } from './side';

/** What is not known of which Service is which. */
export function matchCauses({ before, after, rivals = [], assumedNamespace }: Matched, sides: Sides): Cause[] {
  const causes: Cause[] = [];
  if (rivals.length > 1) {
    const side = after && rivals.includes(after) ? sides.after : sides.before;
    const places = rivals.map(
      ({ written: { file, line, madeBy } }) => `${file}:${line}${madeBy ? ` (${madeBy})` : ''}`,
    );
    causes.push({
      outcome: 'unknown',
      field: 'metadata.name',
      path: NAME,
      why: printable(
        `${rivals.length} Services of this name are in ${side.name}, in ${places.join(' and ')}; who wins is not known`,
      ),
      remedy: 'keep one of them, or put manifests of different clusters into folders of their own',
      needs: ['one manifest of this Service'],
    });
  }
  if (assumedNamespace !== undefined && before && after) {
    const without = after.service.metadata?.namespace ? sides.before : sides.after;
    causes.push({
      outcome: 'unknown',
      field: 'metadata.namespace',
      path: NAMESPACE,
      why: printable(
        `${without.name} names no namespace: this is the same Service where it is applied to ${assumedNamespace}, and another one elsewhere`,
      ),
      remedy: `write namespace ${printable(assumedNamespace)} into the manifest`,
      needs: ['the namespace that it is applied to'],
    });
  }
  return causes;
}

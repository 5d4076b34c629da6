import { SOURCE_RANGES_ANNOTATION } from '../../../contract/kubernetes.facts';
import type { Document } from '../../attachment/attachment';

const EVERYBODY = ['0.0.0.0/0', '::/0'];

/** The clients that may connect to a Service; nothing where all may. */
export function sourceRangesOf({ metadata, spec }: Document): string[] | undefined {
  const text: string = metadata.annotations?.[SOURCE_RANGES_ANNOTATION] ?? '';
  const written: string[] = spec.loadBalancerSourceRanges?.length ? spec.loadBalancerSourceRanges : text.split(',');
  const ranges = written.map((range) => range.trim()).filter((range) => range !== '');
  return ranges.every((range) => EVERYBODY.includes(range)) ? undefined : [...new Set(ranges)].sort();
}

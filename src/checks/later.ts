import { isMap, type Json } from '../contract/json';
import type { ReportedService } from './service-report';

/** What is made later of manifests that are no Services. */
export interface Later {
  /** Services as they will be. */
  readonly services: ReportedService[];
  /** Services that would be made of templates for objects that are not here: some of what is in them is not known. */
  readonly possible?: ReportedService[];
  /** What cannot be reported like a Service, a sentence each. */
  readonly notes: string[];
  /** How many balancers the notes name, as far as it is known. */
  others: number;
}

/** Namespace and name of an object. */
export function titleOf({ metadata }: Json): string {
  const { namespace, name } = isMap(metadata) ? metadata : {};
  return [namespace, name].filter((part) => typeof part === 'string' && part !== '').join('/') || 'without a name';
}

import type { Document } from '../../src/tenancy/engines/contract/publishing';
import { SUSPENDED, SUSPENDED_LABEL } from '../../src/tenancy/tenancy.facts';
import { ofKind, type SyncRequest } from './cluster-state';
import type { RelatedRule } from './customize';

/** The namespace of a Service, whose label suspends its tenant at run time. */
export function namespaceOf({ metadata }: Document): RelatedRule {
  return { apiVersion: 'v1', resource: 'namespaces', names: [metadata.namespace] };
}

/** Whether the platform has suspended the tenant of a Service by the label of its namespace. */
export function isSuspended({ object, related }: SyncRequest): boolean {
  return ofKind(related, 'Namespace').some(
    ({ metadata }) => metadata.name === object.metadata.namespace && metadata.labels?.[SUSPENDED_LABEL] === SUSPENDED,
  );
}

import type { Document } from '../../attachment/attachment';

/** How a Service fares. */
export interface Finding {
  readonly status: 'True' | 'False';
  /** One word, in camel case. */
  readonly reason: string;
  /** For the tenant: no name of anybody else stands in it. */
  readonly message: string;
}

/** A condition among those of others. Its time moves with its status alone, so that an equal state is no change. */
export function withCondition(service: Document, type: string, verdict: Finding, now: string): Document[] {
  const before: Document[] = service.status?.conditions ?? [];
  const own = before.find((condition) => condition.type === type);
  const { status, reason, message } = verdict;
  const { generation } = service.metadata;
  const next: Document = {
    type,
    status,
    reason,
    message,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    lastTransitionTime: own && own.status === status ? own.lastTransitionTime : now,
  };
  return own ? before.map((condition) => (condition === own ? next : condition)) : [...before, next];
}

/** The condition of a type. */
export function conditionOf(object: Document | undefined, type: string): Document | undefined {
  return ((object?.status?.conditions ?? []) as Document[]).find((condition) => condition.type === type);
}

/** Whether a list of conditions has one that is true. */
export function isTrue(conditions: readonly Document[] | undefined, type: string): boolean {
  return (conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}

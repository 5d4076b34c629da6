import type { Document } from '../../attachment/attachment';
import { isTrue } from './condition';

/** What is there for one port of a Service. */
export interface PortState {
  readonly gateway: Document | undefined;
  readonly set: Document | undefined;
  readonly route: Document | undefined;
  /** The name of the listener. */
  readonly listener: string;
}

/** Whether the controller of the balancer says that it knows of a conflict. */
export function isConflicted({ set, listener }: PortState): boolean {
  return isTrue(listenerStatus(set, listener)?.conditions, 'Conflicted');
}

/**
 * Why a port is not served yet; nothing where it is. A listener that is programmed proves nothing by itself: some
 * controllers say so of listeners that they did nothing for.
 */
export function pendingOf(state: PortState): string | undefined {
  const { gateway, set, route, listener } = state;
  const parents = (route?.status?.parents ?? []) as Document[];
  const parent = parents.find(
    ({ parentRef }) =>
      parentRef?.kind === 'ListenerSet' && parentRef.name === set?.metadata.name && parentRef.sectionName === listener,
  );
  return (
    lacking('the shared Gateway', gateway?.status?.conditions, ['Accepted', 'Programmed']) ??
    lacking('the ListenerSet', set?.status?.conditions, ['Accepted']) ??
    lacking('the listener', listenerStatus(set, listener)?.conditions, ['Programmed']) ??
    lacking('the route', parent?.conditions, ['Accepted', 'ResolvedRefs'])
  );
}

function listenerStatus(set: Document | undefined, listener: string): Document | undefined {
  return ((set?.status?.listeners ?? []) as Document[]).find(({ name }) => name === listener);
}

/** The first of some conditions that is not true, in words. */
function lacking(what: string, conditions: readonly Document[] | undefined, types: readonly string[]) {
  const type = types.find((one) => !isTrue(conditions, one));
  if (type === undefined) {
    return undefined;
  }
  const reason = (conditions ?? []).find((condition) => condition.type === type)?.reason;
  return `${what} is not ${WORDS[type]} yet${reason ? ` (${reason})` : ''}`;
}

const WORDS: Record<string, string> = {
  Accepted: 'accepted',
  Programmed: 'programmed',
  ResolvedRefs: 'resolved',
};

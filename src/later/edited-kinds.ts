import { EDITED_GATEWAY_KINDS } from '../gateway/edits/gateway-edits.facts';
import { EDITED_KAFKA, EDITED_NODE_POOL } from '../kafka/edits/kafka-edits';
import type { ControllerDefinition } from '../rules/controller-definition';
import type { EditedKind } from '../rules/edits-of-values';
import { EDITED_HAPROXY_TCP } from '../tenancy/engines/haproxy/edits.facts';

/**
 * All kinds of objects that balancers are made of or hang on, with what edits of their fields do; a kind that several controllers
 * serve in ways of their own is in it once for each of them.
 *
 * @param kinds the controllers, for objects of their own kinds
 */
export function editedKinds(kinds: readonly ControllerDefinition[]): EditedKind[] {
  return [
    EDITED_KAFKA,
    EDITED_NODE_POOL,
    ...EDITED_GATEWAY_KINDS,
    EDITED_HAPROXY_TCP,
    ...kinds.flatMap(({ editedKinds: own = [] }) => own),
  ];
}

/** The kinds of an object: none where nothing is known of it, several where it depends on who serves it. */
export function editedKindsOf(
  object: { apiVersion?: unknown; kind?: unknown },
  all: readonly EditedKind[],
): EditedKind[] {
  return all.filter(({ kind, group }) => kind === object.kind && String(object.apiVersion).startsWith(`${group}/`));
}

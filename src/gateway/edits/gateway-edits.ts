import type { EditedKind } from '../../rules/controller-definition';
import { completedEdits, type EditedRows } from './edit-cases';
import { ENVOY_POLICY_ROWS, GATEWAY_ROWS } from './gateway-edits.facts';

/** The policies of Envoy Gateway that are about Gateways, listeners and routes. */
export const EDITED_ENVOY_POLICIES: readonly EditedKind[] = ENVOY_POLICY_ROWS.map(completed);

/** The kinds of this room, and the parameters and policies of Envoy Gateway. */
export const EDITED_GATEWAY_KINDS: readonly EditedKind[] = [...GATEWAY_ROWS.map(completed), ...EDITED_ENVOY_POLICIES];

function completed({ edits, ...kind }: EditedRows): EditedKind {
  return { ...kind, edits: completedEdits(edits) };
}

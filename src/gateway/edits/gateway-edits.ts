import type { EditedKind } from '../../rules/controller-definition';
import { completedEdits, type EditedRows } from './edit-cases';
import { ENVOY_POLICY_ROWS, GATEWAY_ROWS } from './gateway-edits.facts';

export const EDITED_ENVOY_POLICIES: readonly EditedKind[] = ENVOY_POLICY_ROWS.map(completed);

export const EDITED_GATEWAY_KINDS: readonly EditedKind[] = [...GATEWAY_ROWS.map(completed), ...EDITED_ENVOY_POLICIES];

function completed({ edits, ...kind }: EditedRows): EditedKind {
  return { ...kind, edits: completedEdits(edits) };
}

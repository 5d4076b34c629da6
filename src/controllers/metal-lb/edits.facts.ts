import { deleted, type EditsOf, ignored, interrupted, kept, replaced } from '../../contract/edit';
import type { FieldEdits } from '../../rules/service-edits.facts';
import type { METALLB } from './annotations';

const SHARED = replaced(
  'an address that is shared already and may no longer be is given up for another one; else it stays',
  'internal/allocator/allocator.go',
);

/** What an edit does to the address; both spellings alike. */
export const METALLB_EDITS: EditsOf<typeof METALLB> = {
  addressPool: replaced('another pool gives another address, in one reconciliation; taking it out keeps the address'),
  loadBalancerIps: replaced(
    'the address is given up first, and none is assigned where the wanted one is not free; taking it out keeps the address',
  ),
  allowSharedIp: SHARED,
  ipAllocatedFromPool: ignored('written by MetalLB, which sets it right again'),
};

/** What an edit of a field does, where it is not what all controllers do. */
export const METALLB_FIELD_EDITS: FieldEdits = {
  'metadata.finalizers': ignored('MetalLB has none: an address is freed when the Service is gone'),
  'spec.type': deleted('the address is freed at once, and another Service may get it'),
  'spec.loadBalancerIP': replaced(
    'the address is given up first, and none is assigned where the wanted one is not free; taking it out keeps the address',
  ),
  'spec.ports[].port': interrupted(
    'the address stays, unless it is shared and the number is taken: then another one is assigned; the old number is refused',
    'internal/allocator/allocator.go',
  ),
  'spec.ports[].nodePort': kept('no traffic of the address comes through it'),
  'spec.ports[].protocol': interrupted(
    'the address stays, unless it is shared and the port is taken; clients must follow',
    'internal/allocator/allocator.go',
  ),
  'spec.selector': interrupted(
    'the address stays, unless it is shared with traffic policy Local, which needs identical selectors: then another one is assigned',
    'internal/allocator/allocator.go',
  ),
  'spec.sessionAffinity': kept('kube-proxy alone follows it'),
  'spec.loadBalancerSourceRanges': interrupted('kube-proxy alone drops clients, those that are no longer listed'),
  'spec.ipFamilyPolicy': replaced(
    'where the families no longer fit, all addresses are assigned anew; with PreferDualStack the first one stays and another is added',
  ),
};

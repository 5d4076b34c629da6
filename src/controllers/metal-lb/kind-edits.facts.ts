// What MetalLB does when a pool or an advertisement changes. metallb/metallb v0.16.1: internal/allocator, controller, speaker and
// api/v1beta1; preferredNodeSelectors as of 2026-07-19

import { type EditFact, interrupted, kept, replaced } from '../../contract/edit';
import { absentIs, IN_ANY_ORDER, onlyMore, putIn, takenOut, where } from '../../contract/edit-cases';
import { list } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';
import type { ObjectEdits } from '../../contract/object-edits';
import type { EditedKind } from '../../rules/edits-of-values';
import { shareOf } from './address-ranges';

const ALLOCATOR: Citation = {
  repository: 'metallb/metallb',
  version: 'v0.16.1',
  file: 'internal/allocator/allocator.go',
};
const LAYER_2 = 'speaker/layer2_controller.go';
const BGP = 'speaker/bgp_controller.go';
const SERVICE = 'controller/service.go';

const OTHER_ADDRESS =
  'Services whose address is in it no more get another one, the others stay; before v0.14.0 not carried out until the controller restarts';
/** Written otherwise, or with more of them: pools are compared as sets of addresses. */
const ALL_STAY = where(
  'no address leaves it',
  kept('addresses that are given stay'),
  ({ before, after }) => shareOf(list<unknown>(before).map(String), list<unknown>(after).map(String)) === 'all',
);
const METADATA = {
  'metadata.labels{}': kept('only selectors of advertisements read them'),
  'metadata.annotations{}': kept('not read'),
};

/** The addresses that Services get. */
export const IP_ADDRESS_POOL_EDITS: ObjectEdits = {
  '': {
    ...replaced('Services that have an address of it get one of another pool, or none'),
    unless: [putIn(kept('Services that wait for an address get one; those that have one keep it'))],
  },
  'metadata.name': replaced(
    'addresses that another pool has stay; Services that name the old one by annotation get none',
    SERVICE,
  ),
  'metadata.namespace': replaced('pools of other namespaces than its own are not read: Services lose their addresses'),
  ...METADATA,
  'metadata.labels{}': interrupted(
    'advertisements that select pools by label start or stop: where none is left, the addresses answer nobody',
    'internal/config/config.go',
  ),
  'spec.addresses': { ...replaced(OTHER_ADDRESS), unless: [ALL_STAY] },
  'spec.autoAssign': kept('read when an address is assigned only: those that are given stay'),
  'spec.avoidBuggyIPs': {
    ...replaced('on, Services with an address that ends in .0 or .255 get another one; off, nothing happens'),
    unless: [absentIs(false), takenOut(kept('addresses that are given stay'))],
  },
  'spec.serviceAllocation.priority': kept('read when an address is assigned only: those that are given stay'),
  'spec.serviceAllocation.*': replaced('Services that it no longer admits get an address of another pool, or none'),
};

const SILENT = 'a Service without any advertisement left loses its traffic';

const advertisement = (file: string): ObjectEdits => {
  const selected = (what: string): EditFact => interrupted(what, file);
  return {
    '': {
      ...selected(`the addresses stay with their Services, but ${SILENT}`),
      unless: [putIn(kept('addresses are announced by it as well'))],
    },
    'metadata.name': selected('the addresses are announced by the new one; for a while by both, or by neither'),
    'metadata.namespace': selected(`advertisements of other namespaces than MetalLB's own are not read: ${SILENT}`),
    'metadata.labels{}': kept('not read', file),
    'metadata.annotations{}': kept('not read', file),
    'spec.ipAddressPools': { ...selected(SILENT), unless: [IN_ANY_ORDER, onlyMore('more pools are announced')] },
    'spec.ipAddressPoolSelectors': {
      ...selected(SILENT),
      unless: [IN_ANY_ORDER, onlyMore('more pools are announced')],
    },
    'spec.serviceSelectors': { ...selected(SILENT), unless: [IN_ANY_ORDER, onlyMore('more Services are announced')] },
    'spec.nodeSelectors': selected(
      'other nodes announce the address: connections through those that stop break, and with none left nobody answers',
    ),
  };
};

/** Who answers for an address in layer 2. */
export const L2_ADVERTISEMENT_EDITS: ObjectEdits = {
  ...advertisement(LAYER_2),
  'spec.interfaces': interrupted(
    'the address is announced on these interfaces alone: clients of others are cut off',
    LAYER_2,
  ),
  'spec.preferredNodeSelectors': {
    ...interrupted('another node can take the address over: open connections break', LAYER_2),
    source: { ...ALLOCATOR, version: '7938d3f8 (2026-07-19)', file: LAYER_2 },
  },
};

/** How routers learn of an address. */
export const BGP_ADVERTISEMENT_EDITS: ObjectEdits = {
  ...advertisement(BGP),
  'spec.peers': interrupted('peers that are taken out lose the route: clients behind them are cut off', BGP),
  'spec.aggregationLength': {
    ...interrupted('the route is withdrawn and announced with the other prefix', BGP),
    unless: [absentIs(32)],
  },
  'spec.aggregationLengthV6': {
    ...interrupted('the route is withdrawn and announced with the other prefix', BGP),
    unless: [absentIs(128)],
  },
  'spec.localPref': interrupted(
    'routers can choose other nodes: open connections can move to nodes that do not know them',
    BGP,
  ),
  'spec.communities': {
    ...interrupted('what routers make of the route changes; those that filter by it can drop it', BGP),
    unless: [IN_ANY_ORDER],
  },
};

/** Its own kinds, for `objectEdits`. */
export const METALLB_EDITED_KINDS: readonly EditedKind[] = [
  { kind: 'IPAddressPool', group: 'metallb.io', edits: IP_ADDRESS_POOL_EDITS, source: ALLOCATOR },
  {
    kind: 'L2Advertisement',
    group: 'metallb.io',
    edits: L2_ADVERTISEMENT_EDITS,
    source: { ...ALLOCATOR, file: LAYER_2 },
  },
  {
    kind: 'BGPAdvertisement',
    group: 'metallb.io',
    edits: BGP_ADVERTISEMENT_EDITS,
    source: { ...ALLOCATOR, file: BGP },
  },
];

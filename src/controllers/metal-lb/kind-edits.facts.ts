// What MetalLB does when a pool or an advertisement changes. metallb/metallb v0.16.2: internal/allocator, controller, speaker and
// api/v1beta1

import { type EditFact, interrupted, kept, replaced } from '../../contract/edit';
import { absentIs, becomes, IN_ANY_ORDER, onlyMore, putIn, takenOut, where } from '../../contract/edit-cases';
import { list } from '../../contract/json';
import type { ObjectEdits } from '../../contract/object-edits';
import type { EditedKind } from '../../rules/edits-of-values';
import { shareOf } from './address-ranges';
import { METALLB_SOURCE } from './annotations';

const ALLOCATOR = { ...METALLB_SOURCE, file: 'internal/allocator/allocator.go' };
const LAYER_2 = 'speaker/layer2_controller.go';
const BGP = 'speaker/bgp_controller.go';
const SERVICE = 'controller/service.go';

const OTHER_ADDRESS =
  'Services whose address is in it no more get another one, the others stay; before v0.14.0 not carried out until the controller restarts';
const STAY = kept('addresses that are given stay');
/** Written otherwise, or with more of them: pools are compared as sets of addresses. */
const ALL_STAY = where(
  'no address leaves it',
  STAY,
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
    ...replaced('Services with an address that ends in .0 or .255 get another one'),
    unless: [absentIs(false), takenOut(STAY), becomes(false, STAY)],
  },
  'spec.serviceAllocation.priority': kept('read when an address is assigned only: those that are given stay'),
  'spec.serviceAllocation.*': {
    ...replaced('Services that it no longer admits get an address of another pool, or none'),
    unless: [IN_ANY_ORDER, onlyMore('more Services are admitted')],
  },
};

const WIDER = 'the address is announced to more of them';
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
  'spec.interfaces': {
    ...interrupted('the address is announced on these interfaces alone: clients of others are cut off', LAYER_2),
    unless: [IN_ANY_ORDER, onlyMore(WIDER), takenOut(kept(WIDER))],
  },
  'spec.preferredNodeSelectors': interrupted('another node can take the address over: open connections break', LAYER_2),
};

const OTHER_PREFIX = interrupted('the route is withdrawn and announced with the other prefix', BGP);

/** How routers learn of an address. */
export const BGP_ADVERTISEMENT_EDITS: ObjectEdits = {
  ...advertisement(BGP),
  'spec.peers': {
    ...interrupted('peers that are not listed lose the route: clients behind them are cut off', BGP),
    unless: [IN_ANY_ORDER, onlyMore(WIDER), takenOut(kept(WIDER))],
  },
  'spec.asPathPrepend': {
    ...interrupted('routers can choose other paths: open connections can move to nodes that do not know them', BGP),
    unless: [absentIs(0)],
  },
  'spec.aggregationLength': { ...OTHER_PREFIX, unless: [absentIs(32)] },
  'spec.aggregationLengthV6': { ...OTHER_PREFIX, unless: [absentIs(128)] },
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
export const METALLB_EDITED_KINDS: readonly EditedKind[] = (
  [
    ['IPAddressPool', IP_ADDRESS_POOL_EDITS, ALLOCATOR.file],
    ['L2Advertisement', L2_ADVERTISEMENT_EDITS, LAYER_2],
    ['BGPAdvertisement', BGP_ADVERTISEMENT_EDITS, BGP],
  ] as const
).map(([kind, edits, file]) => ({ kind, group: 'metallb.io', edits, source: { ...ALLOCATOR, file } }));

import {
  deleted,
  type EditFact,
  type EditsOf,
  editFrom,
  ignored,
  interrupted,
  kept,
  replaced,
  unknown,
} from '../../contract/edit';
import {
  addressesOf,
  askedAlready,
  becomes,
  IN_ANY_ORDER,
  ofServices,
  takenOut,
  where,
} from '../../contract/edit-cases';
import { isSet, type Json, mapIn } from '../../contract/json';
import type { FieldEdits } from '../../rules/service-edits.facts';
import { isLocal } from '../../rules/service-json';
import { METALLB } from './annotations';

const SHARED: EditFact = {
  ...replaced(
    'an address that is shared already and may no longer be is given up for another one; else it stays',
    'internal/allocator/allocator.go',
  ),
  unless: [
    where(
      'no key was there before',
      { ...kept('no other Service has the address, and it stays'), staysAsMade: true },
      ({ before, objects }) => !isSet(before) && sharesNone(objects.before),
    ),
  ],
};

/** No annotation lets other Services have its address. */
function sharesNone(service: Json): boolean {
  return !Object.keys(mapIn(mapIn(service, 'metadata'), 'annotations')).some((key) => key.endsWith('/allow-shared-ip'));
}

const STAYS = takenOut({ ...kept('the address stays'), staysAsMade: true });

/** The addresses that a Service asks for, whichever way. controller/service.go, getDesiredLbIPs */
function askedFor(service: Json): string[] | undefined {
  const annotations = Object.entries(mapIn(mapIn(service, 'metadata'), 'annotations'));
  const [[, listed = undefined] = []] = annotations.filter(([key]) => key.endsWith('/loadBalancerIPs'));
  const asked = listed ?? mapIn(service, 'spec').loadBalancerIP;
  return asked === undefined || asked === null ? undefined : sorted(String(asked).split(','));
}

/** The addresses that a live Service has; else those that it asks for. */
function hadBy(service: Json): string[] | undefined {
  const given = addressesOf(service);
  return given.length > 0 ? sorted(given) : askedFor(service);
}

function sorted(addresses: readonly string[]): string[] {
  return addresses.map((one) => one.trim()).sort();
}

const THE_SAME = askedAlready('the address stays', hadBy, askedFor);

/** What an edit does to the address; both spellings alike. */
const EDITS: EditsOf<typeof METALLB> = {
  addressPool: {
    ...replaced('another pool gives another address, in one reconciliation; taking it out keeps the address'),
    unless: [STAYS],
  },
  loadBalancerIps: {
    ...replaced(
      'the address is given up first, and none is assigned where the wanted one is not free; taking it out keeps the address',
    ),
    unless: [STAYS, THE_SAME, IN_ANY_ORDER],
  },
  allowSharedIp: SHARED,
  ipAllocatedFromPool: ignored('written by MetalLB, which sets it right again'),
};

/** The same by key, in both spellings. */
export const METALLB_ANNOTATION_EDITS = new Map(
  (Object.keys(METALLB) as (keyof typeof METALLB)[]).flatMap((name) =>
    [METALLB[name].current.fact, METALLB[name].deprecated.fact].map(
      ({ key, source }) => [key, editFrom(EDITS[name], source)] as const,
    ),
  ),
);

/** What an edit of a field does, where it is not what all controllers do. */
export const METALLB_FIELD_EDITS: FieldEdits = {
  'spec.ports[]': {
    ...unknown(
      'where another Service that shares the address has the number, another address is assigned',
      'internal/allocator/allocator.go',
    ),
    unless: [ofServices('it shares no address', kept('the address stays'), sharesNone)],
  },
  'spec.ports[].appProtocol': ignored('not read'),
  'spec.sessionAffinityConfig': ignored('not read; kube-proxy alone follows it'),
  'metadata.finalizers': ignored('MetalLB has none: an address is freed when the Service is gone'),
  'spec.type': deleted('the address is freed at once, and another Service may get it'),
  'spec.loadBalancerIP': {
    ...replaced(
      'the address is given up first, and none is assigned where the wanted one is not free; taking it out keeps the address',
    ),
    unless: [STAYS, THE_SAME],
  },
  'spec.ports[].port': interrupted(
    'the address stays, unless it is shared and the number is taken: then another one is assigned; the old number is refused',
    'internal/allocator/allocator.go',
  ),
  'spec.ports[].nodePort': kept('no traffic of the address comes through it'),
  'spec.ports[].protocol': interrupted(
    'the address stays, unless it is shared and the port is taken; clients must follow',
    'internal/allocator/allocator.go',
  ),
  'spec.selector': {
    ...replaced(
      'an address that is shared with traffic policy Local needs identical selectors: another one is assigned',
      'internal/allocator/allocator.go',
    ),
    unless: [
      ofServices(
        'it shares no address, or has traffic policy Cluster',
        interrupted('the traffic goes to the new pods, and nowhere while none of them is ready; the address stays'),
        (service) => sharesNone(service) || !isLocal(service),
      ),
    ],
  },
  'spec.externalTrafficPolicy': {
    ...replaced(
      'Services that share an address have one traffic policy: another address is assigned where one has it already',
      'internal/allocator/allocator.go',
    ),
    unless: [
      ofServices(
        'it shares no address',
        interrupted('with Local, nodes without a ready pod drop connections until the address has moved'),
        sharesNone,
      ),
    ],
  },
  'spec.sessionAffinity': kept('kube-proxy alone follows it'),
  'spec.loadBalancerSourceRanges': interrupted('kube-proxy alone drops clients, those that are no longer listed'),
  'spec.ipFamilyPolicy': {
    ...replaced(
      'where the families no longer fit, all addresses are assigned anew; with PreferDualStack the first one stays and another is added',
    ),
    unless: [becomes('PreferDualStack', kept('the first address stays, and another one is added'))],
  },
};

/** When a Service goes, those that wait for an address are looked at again. */
export const METALLB_SAME_ADDRESS: EditFact = interrupted(
  'the other one gets the address as soon as it is free: clients are cut off meanwhile',
  'controller/main.go',
);

import { type EditedValue, protocolsOf } from '../../contract/edit';
import { isSet, type Json, list, mapIn } from '../../contract/json';
import { classOf, finalizersOf, portsOf } from '../../rules/service-json';
import { GKE, GKE_CLASS } from './annotations';
import { GKE_CLASSES } from './facts';
import { DISCRETE_PORTS, has, isInternal, isOneOfClasses } from './model';

// Conditions of changes that look at the whole Service.

/** True if no rule of the balancer is of IPv6, in clusters whose first family is IPv4. */
const ofIpv4Alone = ({ spec = {} }: Json): boolean =>
  (spec.ipFamilyPolicy ?? 'SingleStack') === 'SingleStack' && !list(spec.ipFamilies).includes('IPv6');

export const isNewerIpv4 = (service: Json) => isOneOfClasses([GKE_CLASS.internal], service) && ofIpv4Alone(service);
export const isExternalIpv4 = (service: Json) => !isInternal(service) && ofIpv4Alone(service);
export const hasNewerSubnet = (service: Json) =>
  isOneOfClasses([GKE_CLASS.internal], service) && has(service, GKE.loadBalancerSubnet);
export const hasStrongAffinity = (service: Json) => has(service, GKE.strongSessionAffinity);
export const namesAddresses = (service: Json) => has(service, GKE.loadBalancerIpAddresses);
export const hasOtherClass = (service: Json) => !isOneOfClasses([GKE_CLASS.standaloneNeg], service);

/** With more than five ports a rule has no numbers: an internal one takes all, an external one those between the lowest and the highest. */
export function keepsRule({ objects: { before, after } }: EditedValue): boolean {
  return takenBy(after) !== undefined && takenBy(before) === takenBy(after);
}

function takenBy(service: Json): string | undefined {
  const ports = portsOf(service).map(({ port }) => Number(port));
  const ends = isInternal(service) ? 'all' : [Math.min(...ports), Math.max(...ports)];
  return ports.length > DISCRETE_PORTS ? JSON.stringify([ends, protocolsOf(service)]) : undefined;
}

export const leavesAddressField = ({ after, objects }: EditedValue) =>
  after === undefined && isSet(mapIn(objects.after, 'spec').loadBalancerIP);

export function hasOwnBackendService(edited: EditedValue): boolean {
  const { after } = edited.objects;
  const isOfClass = isOneOfClasses(GKE_CLASSES.l4, after) || isOfNewerController(edited);
  return isOfClass || (isInternal(after) && !has(after, GKE.loadBalancerBackendShare));
}

export const addressAsked = (service: Json): unknown => mapIn(service, 'spec').loadBalancerIP;

export const keepsScheme = ({ objects: { before, after } }: EditedValue) => isInternal(before) === isInternal(after);
export const hadClass = ({ objects }: EditedValue) => classOf(objects.before) !== undefined;
export const isOfNewerController = ({ objects }: EditedValue) =>
  finalizersOf(objects.before).some((finalizer) => /^gke\.networking\.io\/l4-(ilb-v2|netlb-v[23])$/.test(finalizer));

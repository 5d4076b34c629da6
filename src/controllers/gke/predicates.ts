import type { EditedValue } from '../../contract/edit';
import { hasAlready } from '../../contract/edit-cases';
import { type Json, list, mapIn } from '../../contract/json';
import { classOf, finalizersOf, portsOf } from '../../rules/service-json';
import { GKE, GKE_CLASS } from './annotations';
import { among, DISCRETE_PORTS, has, isInternal } from './reading';

// Conditions of changes that look at the whole Service.

/** Whether no rule of the balancer is of IPv6, in clusters whose first family is IPv4. */
const ofIpv4Alone = ({ spec = {} }: Json): boolean =>
  (spec.ipFamilyPolicy ?? 'SingleStack') === 'SingleStack' && !list(spec.ipFamilies).includes('IPv6');

export const isNewerIpv4 = (service: Json) => among([GKE_CLASS.internal], service) && ofIpv4Alone(service);
export const isExternalIpv4 = (service: Json) => !isInternal(service) && ofIpv4Alone(service);
export const hasNewerSubnet = (service: Json) =>
  among([GKE_CLASS.internal], service) && has(service, GKE.loadBalancerSubnet);
export const hasStrongAffinity = (service: Json) => has(service, GKE.strongSessionAffinity);
export const isInternalWithManyPorts = (service: Json) =>
  isInternal(service) && portsOf(service).length > DISCRETE_PORTS;

export const HAS_THE_ADDRESS = hasAlready(
  'the forwarding rule has the address already',
  (service) => mapIn(service, 'spec').loadBalancerIP,
);

export const keepsScheme = ({ objects: { before, after } }: EditedValue) => isInternal(before) === isInternal(after);
export const hadClass = ({ objects }: EditedValue) => classOf(objects.before) !== undefined;
export const isOfNewerController = ({ objects }: EditedValue) =>
  finalizersOf(objects.before).some((finalizer) => /^gke\.networking\.io\/l4-(ilb|netlb)-v[23]$/.test(finalizer));

import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import {
  type EditedValue,
  entriesOf,
  isLimited,
  limitedByRanges,
  protocolsOf,
  type UpgradedBalancer,
} from '../../contract/edit';
import { isSet, type Json, list, mapIn, mapsIn } from '../../contract/json';
import { annotationsOf, isLocal } from '../../rules/service-json';
import { AZURE } from './annotations';

// Conditions of changes that look at the whole Service.

/** The address of a family that a Service asks for, whichever way. pkg/provider/azure_utils.go, getServiceLoadBalancerIP */
function askedFor(family: 'ipv4' | 'ipv6') {
  return (service: Json): unknown => {
    const annotations = mapIn(mapIn(service, 'metadata'), 'annotations');
    const field: unknown = mapIn(service, 'spec').loadBalancerIP;
    const isOfFamily = isSet(field) && String(field).includes(':') === (family === 'ipv6');
    return (
      annotations[(family === 'ipv4' ? AZURE.loadBalancerIpv4 : AZURE.loadBalancerIpv6).fact.key] ??
      (isOfFamily ? field : undefined)
    );
  };
}

function namesPublicIp(service: Json): boolean {
  const annotations = annotationsOf(service);
  const isNamed = [AZURE.pipName, AZURE.pipNameIpv6].some((entry) => isSet(annotations[entry.fact.key]));
  return isNamed || [askedFor('ipv4'), askedFor('ipv6')].some((asked) => isSet(asked(service)));
}

/** The controller reads no other spelling. pkg/provider/azure_utils.go, requiresInternalLoadBalancer */
export const isInternal = (service: Json) => isOn(service, AZURE.loadBalancerInternal);
export const isPublic = (service: Json) => !isInternal(service);
export const wasInternal = ({ objects }: EditedValue) => isInternal(objects.before);
export const namedPublicIp = ({ objects }: EditedValue) => namesPublicIp(objects.before);

function isOn(service: Json, entry: AnyAnnotation): boolean {
  return mapIn(mapIn(service, 'metadata'), 'annotations')[entry.fact.key] === 'true';
}

const asksForNone =
  (asked: (service: Json) => unknown) =>
  ({ objects: { before, after } }: EditedValue) =>
    isInternal(before) && isInternal(after) && !isSet(asked(after));

export const ipv4 = askedFor('ipv4');
export const ipv6 = askedFor('ipv6');

export function anyAddress(service: Json): unknown {
  const asked = [ipv4(service), ipv6(service)].filter(isSet);
  return asked.length > 0 ? asked.join() : undefined;
}

export const asksForNoIpv4 = asksForNone(ipv4);
export const asksForNoIpv6 = asksForNone(ipv6);
export const asksForNoAddress = asksForNone(anyAddress);

/** Every list that keeps clients out does so beside the others. pkg/provider/loadbalancer/accesscontrol.go, IsAllowFromInternet */
export function limitedByLists(service: Json): boolean {
  return (
    entriesOf(service, AZURE.allowedServiceTags.fact.key).length > 0 ||
    [AZURE.loadBalancerSourceRanges, AZURE.allowedIpRanges].some(({ fact: { key } }) => {
      return isLimited(entriesOf(service, key));
    })
  );
}

export const limitsClients = (service: Json) => limitedByLists(service) || limitedByRanges(service);

const has = (service: Json, { fact: { key } }: AnyAnnotation) => isSet(annotationsOf(service)[key]);
export const namesPublicIpByName = (service: Json) => isPublic(service) && has(service, AZURE.pipName);
export const namesPublicIpElsewhere = (service: Json) =>
  namesPublicIpByName(service) || (isPublic(service) && has(service, AZURE.pipPrefixId));
const familiesOf = (service: Json) => list(mapIn(service, 'spec').ipFamilies);
export const isIpv6First = (service: Json) => familiesOf(service)[0] === 'IPv6';
/** Not with a probe of a port of its own, nor with IPv6, whose rules have node ports. pkg/provider/azure_loadbalancer.go, getExpectedLBRules */
export const usesNoNodePort = (service: Json) =>
  isLocal(service) &&
  ![AZURE.disableFloatingIp, AZURE.plsProxyProtocol].some((entry) => isOn(service, entry)) &&
  !Object.keys(annotationsOf(service)).some((key) => key.endsWith('_health-probe_port')) &&
  !familiesOf(service).includes('IPv6');
export const listsThemStill = ({ before, after }: EditedValue) =>
  isSet(before) && list<unknown>(before).every((name) => list<unknown>(after).includes(name));
export const isTrueNoMore = ({ before, after }: EditedValue) => before === true && after !== true;
export const isPublicWithFloatingIp = (service: Json) => isPublic(service) && !isOn(service, AZURE.disableFloatingIp);
export const changesOnlyCapitals = ({ before, after }: EditedValue) =>
  String(before).toLowerCase() === String(after).toLowerCase();
export const hadNoPrivateLink = ({ objects }: EditedValue) => !isOn(objects.before, AZURE.plsCreate);
export const isForwarded = (service: Json) => !protocolsOf(service).includes('SCTP') || isInternal(service);

/**
 * A port that is probed by itself: its probe was one of TCP wherever no path is set, whatever says HTTP, and asks for `/` from then on.
 * Before: v1.23.30, pkg/provider/azure_loadbalancer.go (buildHealthProbeRulesForPort)
 */
export function hasPortOfHttp({ service }: UpgradedBalancer): boolean {
  const annotations = annotationsOf(service);
  const byAll = AZURE.healthProbeProtocol.on(annotations);
  const isProbed = ({ port, protocol = 'TCP', appProtocol = byAll }: Json) => {
    const parameters = { port: String(port) };
    const own = AZURE.portHealthProbeProtocol.on(annotations, parameters) ?? appProtocol;
    const path =
      AZURE.portHealthProbeRequestPath.on(annotations, parameters) ?? AZURE.healthProbeRequestPath.on(annotations);
    const isOff = [AZURE.portNoLbRule, AZURE.portNoProbeRule].some(
      (entry) => entry.on(annotations, parameters) === true,
    );
    return protocol === 'TCP' && /^https?$/i.test(String(own)) && path === undefined && !isOff;
  };
  return !isLocal(service) && mapsIn(mapIn(service, 'spec'), 'ports').some(isProbed);
}

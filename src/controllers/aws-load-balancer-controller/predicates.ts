import { type EditedValue, entriesOf, isLimited, rangesOf, type UpgradedBalancer } from '../../contract/edit';
import { isMap, isSet, type Json, mapIn, mapsIn, sameValue } from '../../contract/json';
import { annotationsOf, classOf, portsOf } from '../../rules/service-json';
import { keepsClient } from '../aws/model';
import { AWS_LBC } from './annotations';
import { GATEWAY_API } from './facts';
import { attributesOf, hasIpTargets, headerKey, lacks, listenersOf } from './model';
import { NlbProxyHeaderPlacement } from './options';

// Conditions of changes that look at more than the value.

function schemeIn(annotations: Json): unknown {
  const internal: unknown = annotations[AWS_LBC.internal.fact.key];
  const legacy = isSet(internal) ? (INTERNAL.get(String(internal)) ?? `internal: ${internal}`) : undefined;
  return annotations[AWS_LBC.scheme.fact.key] ?? legacy;
}

const INTERNAL = new Map([
  ['true', 'internal'],
  ['false', 'internet-facing'],
]);

export const leavesNoScheme = ({ around }: EditedValue) => schemeIn(around.after) === undefined;
export const leavesPublicScheme = ({ around }: EditedValue) =>
  schemeIn(around.after) === undefined && (schemeIn(around.before) ?? 'internal') !== 'internal';
export const keepsScheme = ({ around }: EditedValue) =>
  (schemeIn(around.before) ?? 'internal') === schemeIn(around.after);

export const changesSubnets = ({ around: { before, after } }: EditedValue) =>
  before[AWS_LBC.subnets.fact.key] !== after[AWS_LBC.subnets.fact.key];

export const hasPodTargets = (service: Json) => hasIpTargets(annotationsOf(service));
export const hasInstanceTargets = (service: Json) => !hasPodTargets(service);
/** True if both sides say what the targets are, and the same; without a word a flag of the controller decides. */
export function keepsTargetType({ objects: { before, after } }: EditedValue): boolean {
  const isStated = (service: Json) =>
    hasPodTargets(service) || annotationsOf(service)[AWS_LBC.targetType.fact.key] !== undefined;
  return isStated(before) && isStated(after) && hasPodTargets(before) === hasPodTargets(after);
}
export const hasGroups = (service: Json) => entriesOf(service, AWS_LBC.securityGroups.fact.key).length > 0;

/** True if the controller's own group keeps clients out: without ranges and prefix lists it admits all of them. */
export function limitedByOwnGroup(service: Json): boolean {
  const ranges = rangesOf(service);
  return ranges.length > 0
    ? isLimited(ranges)
    : entriesOf(service, AWS_LBC.securityGroupPrefixLists.fact.key).length > 0;
}

export const limitsClients = (service: Json) => hasGroups(service) || limitedByOwnGroup(service);

const hasEntries = (value: unknown) => Array.isArray(value) && value.length > 0;

export const opensByOwnGroup = ({ after, objects }: EditedValue) =>
  !hasEntries(after) && !limitedByOwnGroup(objects.after);
export const keepsACertificate = ({ before, after }: EditedValue) => hasEntries(before) && hasEntries(after);

const UNSEEN_BY_PODS = /^(load_balancing\.cross_zone\.enabled|target_(group_health|health_state)\..+)$/;

/** True if pods see of clients what they saw. An attribute that is removed stays; the header of the PROXY protocol is always set. */
function seesAsBefore({ objects }: EditedValue, isDefaultKnown: boolean): boolean {
  const [before, after] = [objects.before, objects.after].map(annotationsOf);
  const [from, to] = [hasIpTargets(before), hasIpTargets(after)];
  const isStated = from || before[AWS_LBC.targetType.key()] !== undefined || isDefaultKnown;
  const ports = portsOf(objects.after);
  const seesAlike = (port: Json) => {
    const number = String(port.port);
    const [old, now] = [attributesOf(before, number), attributesOf(after, number)];
    const { preserveClientIp: preserves = old.preserveClientIp, proxyProtocolV2HeaderPlacement: placement } = now;
    const client = keepsClient(port, { toPods: from, preserves: () => old.preserveClientIp });
    const isOwn = old.preserveClientIp !== undefined || preserves === undefined || port.protocol === 'UDP';
    return (
      (headerKey(before, number) === undefined) === (headerKey(after, number) === undefined) &&
      [undefined, old.proxyProtocolV2HeaderPlacement ?? NlbProxyHeaderPlacement.ON_FIRST_ACK_WITH_PAYLOAD].includes(
        placement,
      ) &&
      client === keepsClient(port, { toPods: to, preserves: () => preserves }) &&
      (isOwn || isStated) &&
      Object.entries(now.additional ?? {}).every(
        ([key, value]) => UNSEEN_BY_PODS.test(key) || old.additional?.[key] === value,
      )
    );
  };
  return (ports.length === 0 ? [{}] : ports).every(seesAlike);
}

export const seesTheSame = (edited: EditedValue) => seesAsBefore(edited, false);
export const seesTheSameByDefault = (edited: EditedValue) => seesAsBefore(edited, true);

/** True if the listeners of the ports that both sides have stay what they are, and each port that is named is there. */
export function keepsListeners({ objects: { before, after } }: EditedValue): boolean {
  const of = (service: Json) =>
    new Map(
      listenersOf(service, annotationsOf(service)).map(({ port, hasUdp, protocol }) => [`${port} ${hasUdp}`, protocol]),
    );
  const [old, now] = [of(before), of(after)];
  const named = [AWS_LBC.sslPorts, AWS_LBC.quicEnabledPorts].flatMap((entry) => entry.on(annotationsOf(after)) ?? []);
  return (
    now.size > 0 &&
    [...now].every(([key, value]) => (old.get(key) ?? value) === value) &&
    !named.some((one) => lacks(after, one))
  );
}

export const hasNoTls = (service: Json) => !listenersOf(service, annotationsOf(service)).some(({ isTls }) => isTls);

export const hasControllersGroup = (service: Json) =>
  !hasGroups(service) && AWS_LBC.disableNlbSg.on(annotationsOf(service)) !== true;
export const managesNoRules = ({ before, after, objects }: EditedValue) =>
  hasGroups(objects.before) && hasGroups(objects.after) && !before && !after;

export const claimedBefore = ({ before }: EditedValue) => isSet(before);
export const claimsTheSameTargets = (edited: EditedValue) => claimsBeforeAndAfter(edited) && keepsTargetType(edited);
export const claimsBeforeAndAfter = ({ before, after }: EditedValue) => isSet(before) && isSet(after);

const IP_ADDRESS_TYPE = AWS_LBC.ipAddressType.fact.key;

export const becomesDualstack = ({ around: { before, after } }: EditedValue) =>
  before[IP_ADDRESS_TYPE] !== 'dualstack' && after[IP_ADDRESS_TYPE] === 'dualstack';

const asksForIpv6 =
  (policy: string) =>
  ({ before, after, objects }: EditedValue) =>
    !String(before).endsWith('DualStack') &&
    after === policy &&
    !String(annotationsOf(objects.after)[IP_ADDRESS_TYPE]).startsWith('dualstack');

export const asksForRequiredIpv6 = asksForIpv6('RequireDualStack');
export const asksForPreferredIpv6 = asksForIpv6('PreferDualStack');

export const isTcpOrUdp = ({ around: { after } }: EditedValue) => after.protocol !== 'SCTP';
export const sharesNumber = ({ around, objects }: EditedValue) =>
  around.after.protocol !== 'SCTP' &&
  mapsIn(mapIn(objects.after, 'spec'), 'ports').filter(({ port }) => port === around.after.port).length > 1;

const specOf = (object: Json) => mapIn(object, 'spec');

export const hasArn = ({ objects }: EditedValue) =>
  [objects.before, objects.after].every((one) => isSet(specOf(one).targetGroupARN));
export const isOfInstances = ({ after, objects }: EditedValue) =>
  isSet(after) && specOf(objects.after).targetType === 'instance';
export const isAboutNoQuic = ({ before, after }: EditedValue) =>
  ![before, after].some((protocol) => String(protocol).includes('QUIC'));
export const choosesNodesOfPods = ({ objects: { after } }: EditedValue) =>
  isSet(specOf(after).nodeSelector) && specOf(after).targetType === 'ip';
export const keepsSubnets = ({ before, after }: EditedValue) =>
  Array.isArray(before) && Array.isArray(after) && sameValue(subnetsIn(before), subnetsIn(after));

function subnetsIn(mappings: readonly unknown[]): readonly string[] {
  return mappings
    .map((one) => (isMap(one) ? one : {}))
    .map(({ identifier, sourceNatIPv6Prefix = '' }) => `${identifier} ${sourceNatIPv6Prefix}`)
    .sort();
}

export const hasNoClass = (service: Json) => classOf(service) === undefined;

export const saysNoScheme = ({ service }: UpgradedBalancer) =>
  [AWS_LBC.scheme, AWS_LBC.internal].every((entry) => annotationsOf(service)[entry.key()] === undefined);

export const isBesideGateways = ({ beside }: UpgradedBalancer) =>
  beside.some(({ apiVersion }) => String(apiVersion).startsWith(GATEWAY_API));

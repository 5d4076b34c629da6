import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { type Edit, type EditedValue, editFrom, protocolsOf } from '../../contract/edit';
import { isSet, type Json, mapIn, mapsIn } from '../../contract/json';
import { portsOf } from '../../rules/service-json';
import { keepsClient } from '../aws/model';
import { AWS_CLOUD } from './annotations';
import { endsTls, protocolOf, textOf } from './model';

// Conditions of changes that look at the whole Service.

/** `ensureLoadBalancerv2` has no branch for a balancer whose scheme is another one. */
export function isNetwork(service: Json): boolean {
  const type: unknown = mapIn(mapIn(service, 'metadata'), 'annotations')[AWS_CLOUD.type.fact.key];
  return type === 'nlb';
}

export const isClassic = (service: Json) => !isNetwork(service);

const hasText = (service: Json, entry: AnyAnnotation) => (textOf(service, entry) ?? '') !== '';

export const hasOwnGroups = (service: Json) => !isNetwork(service) && hasText(service, AWS_CLOUD.securityGroups);
export const namesSubnets = (service: Json) => !isNetwork(service) && hasText(service, AWS_CLOUD.subnets);
export const hasNoCertificate = (service: Json) => !hasText(service, AWS_CLOUD.sslCert);
export const isNetworkWithoutCertificate = (service: Json) => isNetwork(service) && hasNoCertificate(service);

export const keepsTls = ({ objects: { before, after } }: EditedValue) =>
  portsOf(after).length > 0 &&
  portsOf(after).every((port) => {
    const old = portsOf(before).find((one) => one.port === port.port && protocolOf(one) === protocolOf(port));
    return !old || endsTls(before, old) === endsTls(after, port);
  });

/** True if pods see of clients what they saw: an attribute that is removed stays. */
export function seesTheSame({ before, after, objects }: EditedValue): boolean {
  const [old, now] = [mapIn({ before }, 'before'), mapIn({ after }, 'after')];
  const { proxyProtocolV2 = false, preserveClientIp } = old;
  const preserved = (port: Json, value: unknown) =>
    keepsClient(port, { toPods: false, preserves: () => value as boolean });
  return (
    (now.proxyProtocolV2 ?? proxyProtocolV2) === proxyProtocolV2 &&
    portsOf(objects.after).every((port) => {
      return preserved(port, now.preserveClientIp ?? preserveClientIp) === preserved(port, preserveClientIp);
    })
  );
}

export const asksForOtherKind = ({ after }: EditedValue) => after !== 'external' && after !== 'nlb-ip';

export const addsToClassic = ({ before, objects }: EditedValue) =>
  isClassic(objects.before) && isClassic(objects.after) && !isSet(before);

export const replacesCertificate = ({ before, after, objects }: EditedValue) =>
  isSet(before) && isSet(after) && isNetwork(objects.before) && isNetwork(objects.after);

export function isServed(service: Json): boolean {
  const [protocol, ...others] = protocolsOf(service);
  return others.length === 0 && (protocol === 'TCP' || (protocol === 'UDP' && isNetwork(service)));
}

function lookupOf(service: Json): 'none' | 'network' | 'classic' {
  const type: unknown = mapIn(mapIn(service, 'metadata'), 'annotations')[AWS_CLOUD.type.fact.key];
  return type === 'external' || type === 'nlb-ip' ? 'none' : isNetwork(service) ? 'network' : 'classic';
}

export const keepsKind = ({ objects: { before, after } }: EditedValue) => lookupOf(before) === lookupOf(after);

const MISSED = editFrom(
  {
    orphaned: `the status names a balancer of another kind than ${AWS_CLOUD.type.fact.key}: the controller does not find it, and it stays in the cloud`,
    file: 'pkg/providers/v1/aws.go',
  },
  AWS_CLOUD.type.fact.source,
);

/** A change of kind that was refused leaves the status as it was. pkg/providers/v1/aws_validations.go, validateServiceAnnotations */
export function missedByAwsCloud(live: Json): Edit | undefined {
  const hosts = mapsIn(mapIn(mapIn(live, 'status'), 'loadBalancer'), 'ingress').map(({ hostname }) => String(hostname));
  const lookup = lookupOf(live);
  const other = { network: CLASSIC_NAME, classic: NETWORK_NAME, none: NETWORK_NAME }[lookup];
  return hosts.some((host) => other.test(host)) ? MISSED : undefined;
}
const CLASSIC_NAME = /\.elb\.amazonaws\.com(\.cn)?$/;
const NETWORK_NAME = /\.elb\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/;

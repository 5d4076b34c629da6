import type { AnyAnnotation } from '../contract/annotation-catalogue';
import type { Json } from '../contract/late-rendering';
import { annotationsOf, list } from '../rules/service-json';
import { AWS_CLOUD } from './aws-cloud-provider.annotations';
import { NLB_TYPE } from './aws-cloud-provider.product.annotations';
import { clientsOfNlb, clientsOfProxy } from './clients-in-words';

// How this controller reads a finished Service.

/** The text of an annotation. */
export const textOf = (service: Json, entry: AnyAnnotation): string | undefined => {
  const text: unknown = annotationsOf(service)[entry.key()];
  return typeof text === 'string' ? text : undefined;
};

/** Whether a Network Load Balancer is made. */
export const isNlb = (service: Json) => AWS_CLOUD.type.on(annotationsOf(service)) === NLB_TYPE;

/** Which balancer is made, for messages. */
export const kindOfBalancer = (service: Json) =>
  isNlb(service) ? 'a Network Load Balancer' : 'a Classic Load Balancer';

/** The protocol of a port. */
export const protocolOf = (port: Json): string => port.protocol ?? 'TCP';

/** Whether the balancer is internal, as the controller reads it: every text but `false` and the empty one. */
export const isInternal = (service: Json) => !['', 'false', undefined].includes(textOf(service, AWS_CLOUD.internal));

/** The source ranges: the field wins. */
export const rangesOf = (service: Json): string[] => {
  const ranges = list<unknown>(service.spec?.loadBalancerSourceRanges).map(String);
  return ranges.length > 0 ? ranges : (AWS_CLOUD.sourceRanges.on(annotationsOf(service)) ?? []);
};

/** What pods see of clients. */
export function clientsOfAwsCloud(service: Json): string {
  const annotations = annotationsOf(service);
  if (!isNlb(service)) {
    return clientsOfProxy(AWS_CLOUD.proxyProtocol.on(annotations) === true);
  }
  const attributes = AWS_CLOUD.targetGroupAttributes.on(annotations) ?? {};
  return clientsOfNlb(service, {
    toPods: false,
    header: attributes.proxyProtocolV2 === true,
    preserves: () => attributes.preserveClientIp,
  });
}

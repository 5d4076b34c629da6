import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { type Json, list } from '../../contract/json';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { BackendNodes } from '../../rules/backend-node-rules';
import { annotationsOf } from '../../rules/service-json';
import { clientsOfNlb, clientsOfProxy } from '../clients-in-words';
import { AWS_CLOUD } from './annotations';
import { NLB_TYPE } from './product.annotations';

// How this controller reads a finished Service.

/** What is known of a controller as it is installed. */
export interface AwsCloudKnown {
  /** Its minor version. */
  readonly version?: KubernetesVersion;
  /** Whether its cloud config has it manage security groups of Network Load Balancers. */
  readonly managesGroups?: boolean;
}

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

/** Every node, or those with labels; one without a value matches any. */
export function backendNodes(service: Json): BackendNodes {
  const labels = AWS_CLOUD.targetNodeLabels.on(annotationsOf(service)) ?? {};
  return {
    labels: Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== '')),
    restrictedBy: textOf(service, AWS_CLOUD.targetNodeLabels),
  };
}

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

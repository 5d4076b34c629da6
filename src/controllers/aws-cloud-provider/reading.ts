import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { type Json, list } from '../../contract/json';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import type { BackendNodes } from '../../rules/controller-definition';
import { annotationsOf, type Handling, handled, isLocal, type PortHandling, portsOf } from '../../rules/service-json';
import { TRAFFIC_PORT } from '../aws/facts';
import { clientsOfNlb, isHttp } from '../aws/reading';
import { clientsOfProxy, schemeBy } from '../shared/reading';
import { AWS_CLOUD } from './annotations';
import { NLB_TYPE } from './facts';
import { AwsBackendProtocol } from './options';

// How this controller reads a finished Service.

/** What is known of a controller as it is installed. */
export interface AwsCloudKnown {
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

/** Public unless the annotation says otherwise. */
export const schemeOf = (service: Json) => schemeBy(service, [AWS_CLOUD.internal], isInternal(service));

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

/** What annotations of this controller make of connections. */
export function handlingByAwsCloud(service: Json): PortHandling[] {
  const annotations = annotationsOf(service);
  return portsOf(service).flatMap((port) => {
    const says = (does: Handling, key: string) => handled(service, port.port, does, key);
    const checks = isHttp(AWS_CLOUD.healthCheckProtocol.on(annotations)) && checksOwnPort(service, port);
    return [
      ...headerKeys(service).map((key) => says('proxy-protocol', key)),
      ...backendProtocolOf(service, port).map(([does, key]) => says(does, key)),
      ...(checks ? [says('checks-by-http', AWS_CLOUD.healthCheckProtocol.key())] : []),
    ];
  });
}

function headerKeys(service: Json): string[] {
  const annotations = annotationsOf(service);
  if (isNlb(service)) {
    const attributes = AWS_CLOUD.targetGroupAttributes.on(annotations);
    return attributes?.proxyProtocolV2 ? [AWS_CLOUD.targetGroupAttributes.key()] : [];
  }
  return AWS_CLOUD.proxyProtocol.on(annotations) ? [AWS_CLOUD.proxyProtocol.key()] : [];
}

/** Whether a listener speaks TLS; a port with blanks is none. pkg/providers/v1/aws.go, getPortSets and buildListener */
export function endsTls(service: Json, port: Json): boolean {
  const [ports, certificate] = [AWS_CLOUD.sslPorts, AWS_CLOUD.sslCert].map(
    (entry) => textOf(service, entry) || undefined,
  );
  const names = ports === '*' ? undefined : ports?.split(',');
  const isNamed = names?.some((one) => one === port.name || one === String(port.port)) ?? true;
  return certificate !== undefined && port.protocol !== 'UDP' && isNamed;
}

function backendProtocolOf(service: Json, port: Json): [Handling, string][] {
  const annotations = annotationsOf(service);
  const backend = AWS_CLOUD.backendProtocol.on(annotations);
  const isTls = endsTls(service, port);
  const isHttpBackend = backend === AwsBackendProtocol.HTTP || (isTls && backend === AwsBackendProtocol.HTTPS);
  if (!isNlb(service) && isHttpBackend) {
    return [['speaks-http', AWS_CLOUD.backendProtocol.key()]];
  }
  const ends: [Handling, string][] = isTls ? [['terminates-tls', AWS_CLOUD.sslCert.key()]] : [];
  return isTls && backend === AwsBackendProtocol.SSL
    ? [...ends, ['encrypts-again', AWS_CLOUD.backendProtocol.key()]]
    : ends;
}

function checksOwnPort(service: Json, { nodePort }: Json): boolean {
  const checked = AWS_CLOUD.healthCheckPort.on(annotationsOf(service));
  return checked === undefined ? !isLocal(service) : [TRAFFIC_PORT, String(nodePort)].includes(checked);
}

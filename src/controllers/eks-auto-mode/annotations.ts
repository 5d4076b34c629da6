import { Annotation, AnnotationCatalogue, type AnyAnnotation } from '../../contract/annotation-catalogue';
import { text } from '../../contract/annotation-codec';
import { type Citation, Confidence } from '../../contract/kubernetes.facts';
import { AWS_PREFIX } from '../aws/annotations';
import { AWS_CLOUD } from '../aws-cloud-provider/annotations';
import { AWS_LBC } from '../aws-load-balancer-controller/annotations';

export const EKS_AUTO_MODE = 'eks-auto-mode';

/** The class that it serves, and that new Services get by default. */
export const EKS_AUTO_MODE_CLASS = 'eks.amazonaws.com/nlb';

/** The finalizer of its Services. Unverified: seen in manifests of third parties only. */
export const EKS_AUTO_MODE_FINALIZER = 'service.eks.amazonaws.com/resources';

/** Where these facts were read: the controller itself is closed source. */
export const EKS_SOURCE: Citation = {
  repository: 'Amazon EKS User Guide',
  version: '2024-12-18',
  file: 'auto-configure-nlb.html',
};

function alike<T>(of: Annotation<T>, option: string, fallback = 'not documented'): Annotation<T> {
  const { key, codec, wish, remark, badValue } = of.fact;
  const common = { source: EKS_SOURCE, confidence: Confidence.DOCS, default: fallback };
  return new Annotation<T>({ key, codec, wish, remark, badValue, option, ...common });
}

export const EKS = {
  targetType: alike(AWS_LBC.targetType, 'targetType', 'ip'),
  scheme: alike(AWS_LBC.scheme, 'scheme', 'internal'),
  ipAddressType: alike(AWS_LBC.ipAddressType, 'ipAddressType', 'ipv4'),
  loadBalancerAttributes: alike(AWS_LBC.loadBalancerAttributes, 'loadBalancerAttributes', "AWS's"),
  subnets: alike(AWS_LBC.subnets, 'subnets', 'found by their tags'),
  sslCert: alike(AWS_LBC.sslCert, 'sslCert', 'none: no TLS'),
  sslPorts: alike(AWS_LBC.sslPorts, 'sslPorts', 'all TCP ports, where there is a certificate'),
  additionalResourceTags: alike(AWS_LBC.additionalResourceTags, 'additionalResourceTags', 'none'),
  healthCheckProtocol: alike(AWS_LBC.healthCheckProtocol, 'healthCheckProtocol'),
  healthCheckPort: alike(AWS_LBC.healthCheckPort, 'healthCheckPort'),
  healthCheckPath: alike(AWS_LBC.healthCheckPath, 'healthCheckPath'),
  healthCheckInterval: alike(AWS_LBC.healthCheckInterval, 'healthCheckInterval'),
  healthCheckTimeout: alike(AWS_LBC.healthCheckTimeout, 'healthCheckTimeout'),
  healthCheckHealthyThreshold: alike(AWS_LBC.healthCheckHealthyThreshold, 'healthCheckHealthyThreshold'),
  healthCheckUnhealthyThreshold: alike(AWS_LBC.healthCheckUnhealthyThreshold, 'healthCheckUnhealthyThreshold'),
  healthCheckSuccessCodes: alike(AWS_LBC.healthCheckSuccessCodes, 'healthCheckSuccessCodes'),
};

/** An annotation that EKS Auto Mode documents as not supported, and what to write instead. */
export interface Unsupported {
  readonly annotation: AnyAnnotation;
  readonly remedy: string;
}

function unsupported({ fact }: AnyAnnotation, remedy: string): Unsupported {
  const annotation = new Annotation({
    key: fact.key,
    codec: text(),
    default: 'not supported',
    remark: `not supported by EKS Auto Mode: ${remedy}`,
    badValue: 'refused',
    source: EKS_SOURCE,
    confidence: Confidence.DOCS,
  });
  return { annotation, remedy };
}

const IN_ATTRIBUTES = (name: string) => `set ${name} in ${EKS.loadBalancerAttributes.key()}`;

/** What the controllers of AWS that can be read understand, and this one does not. */
export const EKS_UNSUPPORTED: readonly Unsupported[] = [
  unsupported(AWS_LBC.sourceRanges, 'use spec.loadBalancerSourceRanges'),
  unsupported(AWS_LBC.type, `leave it out: class ${EKS_AUTO_MODE_CLASS} implies it`),
  unsupported(AWS_LBC.internal, `use ${EKS.scheme.key()}`),
  unsupported(AWS_LBC.proxyProtocol, 'leave it out: targets see no header'),
  unsupported(AWS_LBC.crossZone, IN_ATTRIBUTES('load_balancing.cross_zone.enabled')),
  unsupported(AWS_LBC.accessLogEnabled, IN_ATTRIBUTES('access_logs.s3.enabled')),
  unsupported(AWS_LBC.accessLogBucket, IN_ATTRIBUTES('access_logs.s3.bucket')),
  unsupported(AWS_LBC.accessLogPrefix, IN_ATTRIBUTES('access_logs.s3.prefix')),
  unsupported(AWS_CLOUD.accessLogEmitInterval, 'leave it out: the interval is fixed'),
];

/** All of them, supported and not. */
export const EKS_CATALOGUE = new AnnotationCatalogue(
  [AWS_PREFIX],
  [...Object.values(EKS), ...EKS_UNSUPPORTED.map(({ annotation }) => annotation)],
);

/**
 * The label of a Namespace by which its pods wait for the balancer. AWS Containers Blog, 2026-11-23,
 * how-to-build-highly-available-kubernetes-applications-with-amazon-eks-auto-mode
 */
export const EKS_READINESS_GATES = { 'eks.amazonaws.com/pod-readiness-gate-inject': 'enabled' };

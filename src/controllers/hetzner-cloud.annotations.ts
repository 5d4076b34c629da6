import { Annotation, AnnotationCatalogue, type AnnotationFact } from '../contract/annotation-catalogue';
import {
  address,
  cidr,
  flag,
  goDuration,
  integer,
  labelSelector,
  list,
  oneOf,
  text,
} from '../contract/annotation-codec';
import { type Citation, Confidence } from '../contract/kubernetes.facts';

/** Upstream name of the controller. */
export const HCLOUD_CONTROLLER = 'hcloud-cloud-controller-manager';

/** Where these facts were read. */
export const HCLOUD_SOURCE: Citation = {
  repository: 'hetznercloud/hcloud-cloud-controller-manager',
  version: 'v1.35.0',
  file: 'internal/annotation/load_balancer.go',
};

const PREFIX = 'load-balancer.hetzner.cloud/';

function entry<T>(
  name: string,
  fact: Pick<AnnotationFact<T>, 'codec' | 'default'> & Partial<AnnotationFact<T>>,
): Annotation<T> {
  const common = { badValue: 'refused', source: HCLOUD_SOURCE, confidence: Confidence.SOURCE } as const;
  return new Annotation<T>({ ...common, ...fact, key: PREFIX + name });
}

const PROTOCOLS = ['tcp', 'http', 'https'] as const;

/** The annotations of the Hetzner Cloud controller manager. */
export const HCLOUD = {
  name: entry('name', {
    option: 'loadBalancerName',
    codec: text(),
    default: 'made from the UID of the Service',
    remark: 'a balancer of this name that exists already is adopted',
  }),
  location: entry('location', {
    option: 'location',
    codec: text(),
    default: 'the default of the controller',
    remark: 'read at creation only; not together with network-zone',
  }),
  networkZone: entry('network-zone', {
    option: 'networkZone',
    codec: text(),
    default: 'the default of the controller',
    remark: 'read at creation only; not together with location',
  }),
  type: entry('type', { option: 'type', codec: text(), default: 'lb11' }),
  algorithmType: entry('algorithm-type', {
    option: 'algorithmType',
    codec: oneOf(['round_robin', 'least_connections']),
    default: 'round_robin',
  }),
  disablePublicNetwork: entry('disable-public-network', {
    codec: flag(),
    default: 'false: the balancer is public',
    remark: 'needs the controller to be configured with a private network',
  }),
  disablePrivateIngress: entry('disable-private-ingress', {
    option: 'disablePrivateIngress',
    codec: flag(),
    default: 'false',
    remark: 'keeps the private address out of the status of the Service',
  }),
  usePrivateIp: entry('use-private-ip', {
    option: 'usePrivateIp',
    codec: flag(),
    default: 'false: nodes are reached by their public addresses',
  }),
  privateIpv4: entry('private-ipv4', { codec: address(4), default: 'assigned' }),
  privateSubnetIpRange: entry('private-subnet-ip-range', {
    option: 'privateSubnetIpRange',
    codec: cidr(),
    default: 'the default of the controller',
    remark: 'the subnet must exist already in the network of the controller',
  }),
  ipv4Rdns: entry('ipv4-rdns', { option: 'ipv4Rdns', codec: text(), default: 'none' }),
  ipv6Rdns: entry('ipv6-rdns', { option: 'ipv6Rdns', codec: text(), default: 'none' }),
  ipv6Disabled: entry('ipv6-disabled', {
    codec: flag(),
    default: 'false',
    remark: 'hides the IPv6 address from the status, and so from external-dns',
  }),
  hostname: entry('hostname', {
    option: 'hostname',
    codec: text(),
    default: 'none: the addresses are published',
    remark: 'published in the status instead of the addresses',
  }),
  protocol: entry('protocol', { option: 'protocol', codec: oneOf(PROTOCOLS), default: 'tcp' }),
  nodeSelector: entry('node-selector', {
    codec: labelSelector(),
    default: 'every node',
    since: 'v1.18.0',
    remark: 'a selector that cannot be read leaves the targets as they are, with an event',
  }),
  usesProxyProtocol: entry('uses-proxyprotocol', { codec: flag(), default: 'false' }),
  httpCookieName: entry('http-cookie-name', { option: 'httpCookieName', codec: text(), default: 'HCLBSTICKY' }),
  httpCookieLifetime: entry('http-cookie-lifetime', {
    option: 'httpCookieLifetime',
    codec: goDuration(),
    default: '300s',
  }),
  httpTimeoutIdle: entry('http-timeout-idle', { option: 'httpTimeoutIdle', codec: goDuration(), default: "the cloud's" }),
  certificateType: entry('certificate-type', {
    option: 'certificateType',
    codec: oneOf(['uploaded', 'managed']),
    default: 'uploaded',
  }),
  httpCertificates: entry('http-certificates', { option: 'httpCertificates', codec: list(text()), default: 'none' }),
  httpManagedCertificateName: entry('http-managed-certificate-name', {
    option: 'httpManagedCertificateName',
    codec: text(),
    default: 'generated',
  }),
  httpManagedCertificateDomains: entry('http-managed-certificate-domains', {
    option: 'httpManagedCertificateDomains',
    codec: list(text()),
    default: 'none',
  }),
  httpRedirectHttp: entry('http-redirect-http', { option: 'httpRedirectHttp', codec: flag(), default: 'false' }),
  httpStickySessions: entry('http-sticky-sessions', { option: 'httpStickySessions', codec: flag(), default: 'false' }),
  healthCheckProtocol: entry('health-check-protocol', { codec: oneOf(PROTOCOLS), default: 'tcp' }),
  healthCheckPort: entry('health-check-port', { codec: integer(1, 65535), default: 'the node port of the Service port' }),
  healthCheckInterval: entry('health-check-interval', { codec: goDuration(), default: '15s' }),
  healthCheckTimeout: entry('health-check-timeout', { codec: goDuration(), default: '10s' }),
  healthCheckRetries: entry('health-check-retries', { codec: integer(1), default: '3' }),
  healthCheckHttpDomain: entry('health-check-http-domain', {
    option: 'healthCheckHttpDomain',
    codec: text(),
    default: 'none',
  }),
  healthCheckHttpPath: entry('health-check-http-path', { codec: text(), default: '/' }),
  healthCheckHttpValidateCertificate: entry('health-check-http-validate-certificate', {
    option: 'healthCheckHttpValidateCertificate',
    codec: flag(),
    default: 'false',
  }),
  httpStatusCodes: entry('http-status-codes', {
    option: 'healthCheckHttpStatusCodes',
    codec: list(text({ says: 'a status code like 200 or 2??', matches: /^[1-5][0-9?]{2}$/ })),
    default: '2??, 3??',
  }),
};

/** All of them. */
export const HCLOUD_CATALOGUE = new AnnotationCatalogue([PREFIX], Object.values(HCLOUD) as Annotation<never>[]);

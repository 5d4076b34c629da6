import { Annotation, AnnotationCatalogue, type AnnotationFact } from '../../contract/annotation-catalogue';
import {
  address,
  anyCase,
  cidr,
  codec,
  flag,
  goDuration,
  integer,
  list,
  oneOf,
  text,
} from '../../contract/annotation-codec';
import { selectorText } from '../../contract/annotation-codecs-selector';
import { HealthCheckProtocol } from '../../contract/health-check';
import { type Citation, Confidence } from '../../contract/kubernetes.facts';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { ADDRESS } from '../../contract/own-thing';

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
    namesOne: { thing: 'load balancer', fate: 'the two remove the ports of each other', cutsOff: 'always' },
    option: 'loadBalancerName',
    codec: text(),
    default: 'made from the UID of the Service',
    remark: 'a balancer of this name that exists already is adopted, from another Service too',
  }),
  location: entry('location', {
    option: 'location',
    codec: codec('a location like fsn1, or nothing', ['fsn1', ''], String, (value) =>
      /^\S*$/.test(value) ? { value } : { fault: `'${value}' is not a location like fsn1` },
    ),
    default: 'the default of the controller; creation fails where it has none and network-zone is absent',
    remark: 'read at creation only; wins over network-zone; empty, it resets the default of the controller',
    source: { ...HCLOUD_SOURCE, file: 'internal/hcops/load_balancer.go' },
  }),
  networkZone: entry('network-zone', {
    option: 'networkZone',
    codec: text(),
    default: 'the default of the controller',
    remark: 'read at creation only; ignored where there is a location',
    source: { ...HCLOUD_SOURCE, file: 'internal/hcops/load_balancer.go' },
  }),
  type: entry('type', {
    option: 'type',
    codec: text(),
    default: "the controller's, else lb11",
    remark: 'versions after v1.35.0 write an event where neither the Service nor the controller has a type',
  }),
  algorithmType: entry('algorithm-type', {
    option: 'algorithmType',
    codec: anyCase(['round_robin', 'least_connections']),
    default: 'round_robin',
  }),
  disablePublicNetwork: entry('disable-public-network', {
    option: 'disablePublicNetwork',
    wish: LoadBalancerWish.SCHEME,
    codec: flag(),
    default: "the controller's, else false: the balancer is public",
    remark: 'needs the controller to be configured with a private network, and use-private-ip',
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
    default: "the controller's, else false: nodes are reached by their public addresses",
    remark: 'needs the controller to be configured with a private network',
  }),
  privateIpv4: entry('private-ipv4', {
    namesOne: ADDRESS,
    option: 'privateIpv4',
    wish: LoadBalancerWish.STATIC_ADDRESSES,
    codec: address(4),
    default: 'assigned',
    since: 'v1.21.0',
    remark: 'a change detaches the balancer from its network and attaches it again',
  }),
  privateSubnetIpRange: entry('private-subnet-ip-range', {
    option: 'privateSubnetIpRange',
    codec: cidr(),
    default: 'the default of the controller',
    since: 'v1.27.0',
    remark: 'the subnet must exist already in the network of the controller',
  }),
  ipv4Rdns: entry('ipv4-rdns', { option: 'ipv4Rdns', codec: text(), default: 'none' }),
  ipv6Rdns: entry('ipv6-rdns', { option: 'ipv6Rdns', codec: text(), default: 'none' }),
  ipv6Disabled: entry('ipv6-disabled', {
    option: 'ipv6Disabled',
    wish: LoadBalancerWish.IP_FAMILIES,
    codec: flag(),
    default: 'false',
    remark: 'hides the IPv6 address from the status, and so from external-dns',
  }),
  hostname: entry('hostname', {
    namesOne: { thing: 'published host name', fate: 'it leads to one of them', shared: 'freely' },
    option: 'hostname',
    codec: text(),
    default: 'none: the addresses are published',
    remark: 'published in the status instead of the addresses',
  }),
  protocol: entry('protocol', { option: 'protocol', codec: anyCase(PROTOCOLS), default: 'tcp' }),
  nodeSelector: entry('node-selector', {
    option: 'nodeSelector',
    wish: LoadBalancerWish.BACKEND_NODES,
    codec: selectorText(),
    default: 'every node',
    since: 'v1.18.0',
    remark: 'a selector that cannot be read leaves the targets as they are, with an event',
  }),
  usesProxyProtocol: entry('uses-proxyprotocol', {
    option: 'usesProxyProtocol',
    wish: LoadBalancerWish.PROXY_PROTOCOL,
    codec: flag(),
    default: 'false',
  }),
  httpCookieName: entry('http-cookie-name', { option: 'httpCookieName', codec: text(), default: 'HCLBSTICKY' }),
  httpCookieLifetime: entry('http-cookie-lifetime', {
    option: 'httpCookieLifetime',
    codec: goDuration(),
    default: '300s',
  }),
  httpTimeoutIdle: entry('http-timeout-idle', {
    option: 'httpTimeoutIdle',
    codec: goDuration(),
    default: "the cloud's",
    since: 'v1.35.0',
  }),
  certificateType: entry('certificate-type', {
    option: 'certificateType',
    codec: oneOf(['uploaded', 'managed']),
    default: 'uploaded',
    badValue: 'accepted',
    remark: 'everything but exactly managed means uploaded',
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
  healthCheckProtocol: entry('health-check-protocol', {
    option: 'healthCheckProtocol',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: anyCase(Object.values(HealthCheckProtocol)),
    default: 'tcp; with any other annotation of the health check, the protocol of the balancer',
  }),
  healthCheckPort: entry('health-check-port', {
    option: 'healthCheckPort',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: integer(1, 65535),
    default: 'the node port of the Service port',
    remark: 'one for all ports; only a check of the node port keeps nodes without pods out under policy Local',
  }),
  healthCheckInterval: entry('health-check-interval', {
    option: 'healthCheckInterval',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: goDuration(),
    default: '15s',
  }),
  healthCheckTimeout: entry('health-check-timeout', {
    option: 'healthCheckTimeout',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: goDuration(),
    default: '10s',
  }),
  healthCheckRetries: entry('health-check-retries', {
    option: 'healthCheckRetries',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: integer(1),
    default: '3',
  }),
  healthCheckHttpDomain: entry('health-check-http-domain', {
    option: 'healthCheckHttpDomain',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: text(),
    default: 'none',
  }),
  healthCheckHttpPath: entry('health-check-http-path', {
    option: 'healthCheckHttpPath',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: text(),
    default: '/',
    remark: 'ignored with a TCP check',
  }),
  healthCheckHttpValidateCertificate: entry('health-check-http-validate-certificate', {
    option: 'healthCheckHttpValidateCertificate',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: flag(),
    default: 'false',
  }),
  httpStatusCodes: entry('http-status-codes', {
    option: 'healthCheckHttpStatusCodes',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: list(text({ says: 'a status code like 200 or 2??', matches: /^[1-5][0-9?]{2}$/, example: '2??' })),
    default: '2??, 3??',
    remark: 'ignored with a TCP check; blanks are not trimmed',
  }),
  httpManagedCertificateAcmeStaging: entry('http-managed-certificate-acme-staging', {
    codec: flag(),
    default: 'false',
    badValue: 'accepted',
    remark: "for Hetzner's own tests",
  }),
  ipv4: entry('ipv4', { codec: text(), default: 'none', badValue: 'accepted', remark: 'reserved, not read' }),
  ipv6: entry('ipv6', { codec: text(), default: 'none', badValue: 'accepted', remark: 'reserved, not read' }),
  id: entry('id', {
    codec: text(),
    default: 'none',
    badValue: 'accepted',
    deprecated: true,
    remark: 'leave it out: it is reserved, and not read',
  }),
};

/** All of them. */
export const HCLOUD_CATALOGUE = new AnnotationCatalogue([PREFIX], Object.values(HCLOUD));

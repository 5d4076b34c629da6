import { Duration } from 'cdk8s';
import { HetznerCertificateType, HetznerCloud, HetznerProtocol } from '../../src';
import { type ControllerCases, service } from '../support/cases';
import { requests } from './parts/hetzner-cloud.requests';
import { services } from './parts/hetzner-cloud.services';
import { internal, keys } from './parts/hetzner-cloud.words';

const typed = 'a Duration is typed';

import { made } from './parts/hetzner-cloud.made';
import { rollouts } from './parts/hetzner-cloud.rollouts';

export const cases: ControllerCases = {
  kind: HetznerCloud._kind.definition,
  make: (options) => HetznerCloud.loadBalancer(options),
  options: [
    { option: 'loadBalancerName', valid: 'edge', writes: keys({ name: 'edge' }), refused: ' ' },
    { option: 'location', valid: 'fsn1', writes: keys({ location: 'fsn1' }), refused: ' ' },
    { option: 'networkZone', valid: 'eu-central', writes: keys({ 'network-zone': 'eu-central' }), refused: '' },
    // an empty location resets the default of the controller, so the zone counts
    { option: 'networkZone', with: { location: '' }, valid: 'eu-central', writes: keys({ location: '' }), refused: '' },
    { option: 'type', valid: 'lb21', writes: keys({ type: 'lb21' }), refused: ' ' },
    {
      option: 'algorithmType',
      valid: 'least_connections',
      writes: keys({ 'algorithm-type': 'least_connections' }),
      refused: 'random',
    },
    {
      option: 'disablePublicNetwork',
      valid: false,
      writes: keys({ 'disable-public-network': 'false' }),
      refused: 'no',
    },
    {
      option: 'disablePrivateIngress',
      valid: true,
      writes: keys({ 'disable-private-ingress': 'true' }),
      refused: 'yes',
    },
    { option: 'usePrivateIp', valid: true, writes: keys({ 'use-private-ip': 'true' }), refused: 'yes' },
    {
      option: 'usePrivateIp',
      with: { disablePublicNetwork: true },
      valid: true,
      writes: keys(internal),
      refused: false,
    },
    { option: 'privateIpv4', valid: '10.0.0.7', writes: keys({ 'private-ipv4': '10.0.0.7' }), refused: 'fd00::7' },
    {
      option: 'privateSubnetIpRange',
      valid: '10.0.0.0/24',
      writes: keys({ 'private-subnet-ip-range': '10.0.0.0/24' }),
      refused: '10.0.0.0',
    },
    { option: 'ipv4Rdns', valid: 'a.example.com', writes: keys({ 'ipv4-rdns': 'a.example.com' }), refused: '' },
    { option: 'ipv6Rdns', valid: 'a.example.com', writes: keys({ 'ipv6-rdns': 'a.example.com' }), refused: '' },
    { option: 'ipv6Disabled', valid: true, writes: keys({ 'ipv6-disabled': 'true' }), refused: 'yes' },
    { option: 'hostname', valid: 'a.example.com', writes: keys({ hostname: 'a.example.com' }), refused: '' },
    { option: 'protocol', valid: HetznerProtocol.HTTPS, writes: keys({ protocol: 'https' }), refused: 'udp' },
    {
      option: 'nodeSelector',
      valid: 'pool in (edge, web),!old',
      writes: keys({ 'node-selector': 'pool in (edge, web),!old' }),
      refused: 'pool in edge',
    },
    { option: 'usesProxyProtocol', valid: true, writes: keys({ 'uses-proxyprotocol': 'true' }), refused: 'v2' },
    { option: 'httpCookieName', valid: 'STICKY', writes: keys({ 'http-cookie-name': 'STICKY' }), refused: '' },
    {
      option: 'httpCookieLifetime',
      valid: Duration.minutes(5),
      writes: keys({ 'http-cookie-lifetime': '300s' }),
      anything: typed,
    },
    {
      option: 'httpTimeoutIdle',
      valid: Duration.minutes(1),
      writes: keys({ 'http-timeout-idle': '60s' }),
      anything: typed,
    },
    {
      option: 'certificateType',
      valid: HetznerCertificateType.UPLOADED,
      writes: keys({ 'certificate-type': 'uploaded' }),
      refused: 'Managed',
    },
    {
      option: 'certificateType',
      with: { httpManagedCertificateDomains: ['a.example.com'] },
      valid: 'managed',
      writes: keys({ 'certificate-type': 'managed' }),
      refused: 'made',
    },
    {
      option: 'httpCertificates',
      valid: ['4711', 'wild'],
      writes: keys({ 'http-certificates': '4711,wild' }),
      refused: [],
    },
    {
      option: 'httpManagedCertificateName',
      valid: 'echo',
      writes: keys({ 'http-managed-certificate-name': 'echo' }),
      refused: '',
    },
    {
      option: 'httpManagedCertificateDomains',
      valid: ['a.example.com', 'b.example.com'],
      writes: keys({ 'http-managed-certificate-domains': 'a.example.com,b.example.com' }),
      refused: [''],
    },
    { option: 'httpRedirectHttp', valid: true, writes: keys({ 'http-redirect-http': 'true' }), refused: 'on' },
    { option: 'httpStickySessions', valid: true, writes: keys({ 'http-sticky-sessions': 'true' }), refused: 'on' },
    {
      option: 'healthCheckProtocol',
      valid: HetznerProtocol.HTTP,
      writes: keys({ 'health-check-protocol': 'http' }),
      refused: 'grpc',
    },
    { option: 'healthCheckPort', valid: 8080, writes: keys({ 'health-check-port': '8080' }), refused: 0 },
    {
      option: 'healthCheckInterval',
      valid: Duration.seconds(5),
      writes: keys({ 'health-check-interval': '5s' }),
      anything: typed,
    },
    {
      option: 'healthCheckTimeout',
      valid: Duration.seconds(3),
      writes: keys({ 'health-check-timeout': '3s' }),
      anything: typed,
    },
    { option: 'healthCheckRetries', valid: 2, writes: keys({ 'health-check-retries': '2' }), refused: 1.5 },
    {
      option: 'healthCheckHttpPath',
      valid: '/healthz',
      writes: keys({ 'health-check-http-path': '/healthz' }),
      refused: '',
    },
    {
      option: 'healthCheckHttpDomain',
      valid: 'a.example.com',
      writes: keys({ 'health-check-http-domain': 'a.example.com' }),
      refused: '',
    },
    {
      option: 'healthCheckHttpValidateCertificate',
      valid: true,
      writes: keys({ 'health-check-http-validate-certificate': 'true' }),
      refused: 'on',
    },
    {
      option: 'healthCheckHttpStatusCodes',
      valid: ['200', '3??'],
      writes: keys({ 'http-status-codes': '200,3??' }),
      refused: ['ok'],
    },
  ],
  refusedOptions: [
    {
      title: 'a location makes a network zone pointless',
      make: () => HetznerCloud.loadBalancer({ location: 'fsn1', networkZone: 'eu-central' }),
      message: "option networkZone 'eu-central' is ignored beside location 'fsn1'",
    },
    {
      title: 'a balancer without a public interface reaches no public addresses of nodes',
      make: () => HetznerCloud.loadBalancer({ disablePublicNetwork: true, usePrivateIp: false }),
      message: 'option usePrivateIp cannot be false with disablePublicNetwork',
    },
    {
      title: 'a managed certificate needs its domains',
      make: () => HetznerCloud.loadBalancer({ certificateType: HetznerCertificateType.MANAGED }),
      message: "option certificateType 'managed' needs httpManagedCertificateDomains",
    },
  ],
  claims: [
    { title: 'a Service without a class', service: service(), claimed: 'yes' },
    { title: 'no Service of any class', service: service({ loadBalancerClass: 'hcloud' }), claimed: 'no' },
  ],
  requests,
  services,
  made,
  rollouts,
};

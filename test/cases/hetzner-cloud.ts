import { Duration } from 'cdk8s';
import {
  ClientAddress,
  FinalizerPolicy,
  HealthCheckProtocol,
  HetznerCertificateType,
  HetznerCloud,
  type HetznerCloudOptions,
  HetznerProtocol,
  IpFamily,
  LoadBalancerScheme,
  NodePool,
  NodeRestriction,
  PortProtocol,
  TrafficPolicy,
} from '../../src';
import { type ControllerCases, ONE_PORT, service } from '../support/cases';

const key = (name: string) => `load-balancer.hetzner.cloud/${name}`;
const keys = (annotations: Record<string, string>) =>
  Object.fromEntries(Object.entries(annotations).map(([name, value]) => [key(name), value]));
const hetzner = () => HetznerCloud.loadBalancer();
const given = (options: HetznerCloudOptions) => () => HetznerCloud.loadBalancer(options);
const edge = NodePool.labeled({ pool: 'edge' });
const publicly = { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNET_FACING };
const internal = { 'disable-public-network': 'true', 'use-private-ip': 'true' };
const typed = 'a Duration is typed';

export const cases: ControllerCases = {
  kind: HetznerCloud._kind,
  make: (options) => HetznerCloud.loadBalancer(options),
  options: [
    { option: 'loadBalancerName', valid: 'edge', writes: keys({ name: 'edge' }), refused: ' ' },
    { option: 'location', valid: 'fsn1', writes: keys({ location: 'fsn1' }), refused: ' ' },
    { option: 'networkZone', valid: 'eu-central', writes: keys({ 'network-zone': 'eu-central' }), refused: '' },
    // an empty location resets the default of the controller, so the zone counts
    { option: 'networkZone', with: { location: '' }, valid: 'eu-central', writes: keys({ location: '' }), refused: '' },
    { option: 'networkZone', with: { location: 'fsn1' }, valid: undefined, writes: {}, refused: 'eu-central' },
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
    { option: 'certificateType', valid: undefined, writes: {}, refused: HetznerCertificateType.MANAGED },
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
  requests: [
    {
      title: 'a balancer is internal unless somebody says otherwise',
      controller: hetzner,
      request: ONE_PORT,
      plan: {
        owner: 'hcloud-cloud-controller-manager',
        finalizers: ['service.kubernetes.io/load-balancer-cleanup'],
        annotations: keys(internal),
        loadBalancerClass: undefined,
        nodeRestriction: NodeRestriction.NONE,
      },
    },
    {
      title: 'the finalizer is left out when it is left to the controller',
      controller: hetzner,
      request: { ...ONE_PORT, finalizerPolicy: FinalizerPolicy.LEAVE_TO_CONTROLLER },
      plan: { finalizers: [] },
    },
    {
      title: 'a public balancer says so, since the default of the controller is unknown',
      controller: hetzner,
      request: publicly,
      plan: { annotations: keys({ 'disable-public-network': 'false' }) },
    },
    {
      title: 'an internal balancer says so',
      controller: hetzner,
      request: { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNAL },
      plan: { annotations: keys(internal) },
    },
    {
      title: 'the option decides where the request names no scheme',
      controller: given({ disablePublicNetwork: false }),
      request: ONE_PORT,
      plan: { annotations: keys({ 'disable-public-network': 'false' }) },
    },
    {
      title: 'an option against the scheme of the request is a problem',
      controller: given({ disablePublicNetwork: true }),
      request: publicly,
      problems: ["scheme asks for 'false', but the controller's option disablePublicNetwork already says 'true'"],
    },
    {
      title: 'a pool becomes a selector on the Service',
      controller: hetzner,
      request: { ...publicly, backendNodes: edge },
      plan: {
        annotations: keys({ 'disable-public-network': 'false', 'node-selector': 'pool=edge' }),
        nodeRestriction: NodeRestriction.ON_SERVICE,
        externalTrafficPolicy: undefined,
      },
    },
    {
      title: 'a selector of the options against the pool of the request is a problem',
      controller: given({ nodeSelector: 'pool=web' }),
      request: { ...ONE_PORT, backendNodes: edge },
      problems: ["backendNodes asks for 'pool=edge', but the controller's option nodeSelector already says 'pool=web'"],
    },
    {
      title: 'a selector of the options restricts the nodes as well',
      controller: given({ nodeSelector: '!old' }),
      request: ONE_PORT,
      plan: { nodeRestriction: NodeRestriction.ON_SERVICE },
    },
    {
      title: 'the traffic policy is written',
      controller: hetzner,
      request: { ...ONE_PORT, trafficPolicy: TrafficPolicy.LOCAL },
      plan: { externalTrafficPolicy: TrafficPolicy.LOCAL },
    },
    {
      title: 'the client address is kept by proxy protocol, which the pods must understand',
      controller: hetzner,
      request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE },
      plan: { annotations: keys({ ...internal, 'uses-proxyprotocol': 'true' }) },
      warnings: ['pod-must-speak-proxy-protocol'],
    },
    {
      title: 'the client address is replaced by itself',
      controller: hetzner,
      request: { ...ONE_PORT, clientAddress: ClientAddress.REPLACE },
      plan: { annotations: keys(internal) },
    },
    {
      title: 'the client address cannot be kept without proxy protocol',
      controller: hetzner,
      request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE, proxyProtocol: false },
      problems: ['survives by proxy protocol only'],
    },
    {
      title: 'proxy protocol is an annotation',
      controller: hetzner,
      request: { ...ONE_PORT, proxyProtocol: true },
      plan: { annotations: keys({ ...internal, 'uses-proxyprotocol': 'true' }) },
    },
    {
      title: 'a public balancer of IPv4 hides its IPv6 address',
      controller: hetzner,
      request: { ...publicly, ipFamilies: [IpFamily.IPV4] },
      plan: {
        annotations: keys({ 'disable-public-network': 'false', 'ipv6-disabled': 'true' }),
        ipFamilies: [IpFamily.IPV4],
      },
    },
    {
      title: 'a public balancer serves both families',
      controller: hetzner,
      request: { ...publicly, ipFamilies: [IpFamily.IPV4, IpFamily.IPV6] },
      plan: { annotations: keys({ 'disable-public-network': 'false', 'ipv6-disabled': 'false' }) },
    },
    {
      title: 'no balancer is without IPv4',
      controller: hetzner,
      request: { ...publicly, ipFamilies: [IpFamily.IPV6] },
      problems: ['a balancer has an IPv4 address in any case, with value IPv6'],
    },
    {
      title: 'an internal balancer is IPv4',
      controller: hetzner,
      request: { ...ONE_PORT, ipFamilies: [IpFamily.IPV4] },
      plan: { annotations: keys(internal), ipFamilies: [IpFamily.IPV4] },
    },
    {
      title: 'an internal balancer has no IPv6 address',
      controller: hetzner,
      request: { ...ONE_PORT, ipFamilies: [IpFamily.IPV4, IpFamily.IPV6] },
      problems: ['an internal balancer has no IPv6 address, with value IPv4, IPv6'],
      source: 'hcloud/load_balancers.go, buildLoadBalancerStatusIngress',
    },
    {
      title: 'the private address of an internal balancer can be fixed',
      controller: hetzner,
      request: { ...ONE_PORT, staticAddresses: ['10.0.0.7'] },
      plan: { annotations: keys({ ...internal, 'private-ipv4': '10.0.0.7' }) },
    },
    {
      title: 'a fixed address must be of IPv4',
      controller: hetzner,
      request: { ...ONE_PORT, staticAddresses: ['fd00::7'] },
      problems: ['use an IPv4 address'],
    },
    {
      title: 'the address of a public balancer cannot be fixed',
      controller: hetzner,
      request: { ...publicly, staticAddresses: ['1.2.3.4'] },
      problems: ["not '1.2.3.4' of a public balancer"],
    },
    {
      title: 'the whole health check can be said',
      controller: hetzner,
      request: {
        ...ONE_PORT,
        healthCheck: {
          protocol: HealthCheckProtocol.HTTP,
          port: 8080,
          path: '/healthz',
          interval: Duration.seconds(5),
          timeout: Duration.seconds(3),
          unhealthyThreshold: 2,
        },
      },
      plan: {
        annotations: keys({
          ...internal,
          'health-check-protocol': 'http',
          'health-check-port': '8080',
          'health-check-http-path': '/healthz',
          'health-check-interval': '5s',
          'health-check-timeout': '3s',
          'health-check-retries': '2',
        }),
      },
    },
    {
      title: 'one success makes a node healthy, whatever is wished',
      controller: hetzner,
      request: { ...ONE_PORT, healthCheck: { healthyThreshold: 3 } },
      problems: ['there is no healthyThreshold, with value 3'],
    },
    {
      title: 'source ranges are refused',
      controller: hetzner,
      request: { ...ONE_PORT, sourceRanges: ['10.0.0.0/8'] },
      plan: { sourceRanges: undefined },
      problems: ['the balancer cannot filter clients, with value 10.0.0.0/8'],
    },
    {
      title: 'session affinity is refused, a cookie can do it',
      controller: hetzner,
      request: { ...ONE_PORT, sessionAffinity: {} },
      plan: { sessionAffinity: undefined },
      problems: ['httpStickySessions: true'],
    },
    {
      title: 'UDP is refused',
      controller: hetzner,
      request: { ports: [{ port: 53, protocol: PortProtocol.UDP }] },
      problems: ['protocols cannot be honoured, with value UDP'],
    },
  ],
  services: [
    { title: 'a plain Service is in order', service: service() },
    {
      title: 'a location beats a network zone',
      service: service({}, keys({ location: 'fsn1', 'network-zone': 'eu-central' })),
      warnings: ['hetzner-one-placement'],
    },
    {
      title: 'an empty location leaves the network zone to count',
      service: service({}, keys({ location: '', 'network-zone': 'eu-central' })),
    },
    {
      title: 'a port of UDP is left out of the balancer',
      service: service({ ports: [{ port: 53, protocol: 'UDP' }] }),
      errors: ['hetzner-tcp-only'],
    },
    {
      title: 'a balancer without a public interface must use private addresses',
      service: service({}, keys({ 'disable-public-network': 'true', 'use-private-ip': 'false' })),
      errors: ['hetzner-private-targets'],
    },
    {
      title: 'node ports are needed',
      service: service({ allocateLoadBalancerNodePorts: false }),
      errors: ['hetzner-needs-node-ports'],
    },
    {
      title: 'a node port that is fixed is one',
      service: service({ allocateLoadBalancerNodePorts: false, ports: [{ port: 443, nodePort: 30443 }] }),
    },
    {
      title: 'source ranges let everybody through',
      service: service({ loadBalancerSourceRanges: ['10.0.0.0/8'] }),
      errors: ['hetzner-source-ranges'],
    },
    {
      title: 'a managed certificate needs domains',
      service: service({}, keys({ 'certificate-type': 'managed' })),
      errors: ['hetzner-managed-certificate-domains'],
    },
    {
      title: 'with policy Local a port of its own makes the health check blind to pods',
      service: service({ externalTrafficPolicy: 'Local' }, keys({ 'health-check-port': '8080' })),
      warnings: ['hetzner-local-health-port'],
    },
    {
      title: 'with policy Local the node port and the port of kube-proxy both tell whether there is a pod',
      service: service(
        { externalTrafficPolicy: 'Local', healthCheckNodePort: 31000 },
        keys({ 'health-check-port': '31000', 'health-check-protocol': 'http' }),
      ),
    },
    {
      title: 'with policy Local an HTTP check of the node port fails where there is no pod',
      service: service({ externalTrafficPolicy: 'Local' }, keys({ 'health-check-protocol': 'http' })),
    },
    {
      title: 'a path means nothing to a TCP check',
      service: service({}, keys({ 'health-check-http-path': '/healthz' })),
      warnings: ['hetzner-http-check-ignored'],
    },
    {
      title: 'the health check follows the protocol of the balancer',
      service: service({}, keys({ protocol: 'HTTP', 'health-check-http-path': '/healthz' })),
    },
    {
      title: 'session affinity sees the balancer only',
      service: service({ sessionAffinity: 'ClientIP' }),
      warnings: ['hetzner-session-affinity'],
    },
    { title: 'garbage is not judged', service: service({ ports: 7, loadBalancerSourceRanges: 'all' }) },
  ],
};

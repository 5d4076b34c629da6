import { Duration } from 'cdk8s';
import {
  ClientAddress,
  FinalizerPolicy,
  HealthCheckProtocol,
  HetznerCloud,
  type HetznerCloudOptions,
  IpFamily,
  LoadBalancerScheme,
  NodePool,
  NodeRestriction,
  PortProtocol,
  TrafficPolicy,
} from '../../../src';
import { ONE_PORT, type RequestRow } from '../../support/cases';
import { internal, keys } from './hetzner-cloud.words';

const hetzner = () => HetznerCloud.loadBalancer();
const given = (options: HetznerCloudOptions) => () => HetznerCloud.loadBalancer(options);
const edge = NodePool.labeled({ pool: 'edge' });
const publicly = { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNET_FACING };

export const requests: RequestRow[] = [
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
    problems: ["scheme asks for 'false', but the controller's option disablePublicNetwork is already 'true'"],
  },
  {
    title: 'a pool becomes a selector on the Service',
    controller: hetzner,
    request: { ...publicly, backendNodes: edge },
    plan: {
      annotations: keys({ 'disable-public-network': 'false', 'node-selector': 'pool=edge' }),
      nodeRestriction: NodeRestriction.ON_SERVICE,
      externalTrafficPolicy: TrafficPolicy.LOCAL,
    },
    source: 'internal/hcops/load_balancer.go: the default health check is TCP on the node port',
  },
  {
    title: 'the nodes of a pool pass traffic on to pods elsewhere, where policy Cluster is said',
    controller: hetzner,
    request: { ...ONE_PORT, backendNodes: edge, trafficPolicy: TrafficPolicy.CLUSTER },
    plan: {
      annotations: keys({ ...internal, 'node-selector': 'pool=edge' }),
      nodeRestriction: NodeRestriction.ON_SERVICE,
      externalTrafficPolicy: TrafficPolicy.CLUSTER,
    },
  },
  {
    title: 'a selector of the options against the pool of the request is a problem',
    controller: given({ nodeSelector: 'pool=web' }),
    request: { ...ONE_PORT, backendNodes: edge },
    problems: ["backendNodes asks for 'pool=edge', but the controller's option nodeSelector is already 'pool=web'"],
  },
  {
    title: 'a selector of the options restricts the nodes as well, and says nothing of the policy',
    controller: given({ nodeSelector: '!old' }),
    request: ONE_PORT,
    plan: { nodeRestriction: NodeRestriction.ON_SERVICE, externalTrafficPolicy: undefined },
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
    problems: ['the address of a public balancer cannot be fixed, with value 1.2.3.4'],
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
    problems: ['healthCheck.healthyThreshold cannot be set, with value 3'],
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
];

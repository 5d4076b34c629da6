import { Duration } from 'cdk8s';
import {
  ClientAddress,
  HealthCheckProtocol,
  IpFamily,
  LoadBalancerScheme,
  MetalLb,
  type MetalLbBgpOptions,
  type MetalLbLayer2Options,
  MetalLbVersion,
  NodePool,
  NodeRestriction,
  PortProtocol,
  TrafficPolicy,
} from '../../src';
import { type ControllerCases, ONE_PORT, service } from '../support/cases';

const key = (name: string) => `metallb.io/${name}`;
const old = (name: string) => `metallb.universe.tf/${name}`;
const layer2 =
  (options: MetalLbLayer2Options = {}) =>
  () =>
    MetalLb.layer2(options);
const bgp =
  (options: MetalLbBgpOptions = {}) =>
  () =>
    MetalLb.bgp(options);
const edge = NodePool.labeled({ pool: 'edge' });
const { V0_14_8, V0_14_9, V0_16_0 } = MetalLbVersion;
const two = '10.0.0.7,fd00::7';

import { made } from './parts/metal-lb.made';
import { rollouts } from './parts/metal-lb.rollouts';

const own = bgp({ loadBalancerClass: 'example.com/metallb' });
const classed = service({ loadBalancerClass: 'example.com/metallb' });

export const cases: ControllerCases = {
  wishesMayBreak: ['metallb-address-families'],
  kind: MetalLb._kind.definition,
  make: (options) =>
    'peers' in options || 'localPref' in options || 'communities' in options
      ? MetalLb.bgp(options)
      : MetalLb.layer2(options),
  options: [
    { option: 'addressPool', valid: 'edge', writes: { [key('address-pool')]: 'edge' }, refused: 'Edge pool' },
    {
      option: 'loadBalancerIps',
      valid: ['10.0.0.7', 'fd00::7'],
      writes: { [key('loadBalancerIPs')]: two },
      refused: ['10.0.0'],
    },
    { option: 'allowSharedIp', valid: 'dns', writes: { [key('allow-shared-ip')]: 'dns' }, refused: '' },
    { option: 'loadBalancerClass', valid: 'example.com/metallb', writes: {}, refused: 'example.com/' },
    { option: 'namespace', valid: 'load-balancing', writes: {}, refused: 'MetalLB' },
    { option: 'serviceSelectors', valid: false, writes: {}, anything: 'a boolean is typed, and goes nowhere' },
    { option: 'version', valid: V0_16_0, writes: {}, anything: 'a version is typed, and goes nowhere' },
    { option: 'interfaces', valid: ['eth1'], writes: {}, anything: 'MetalLB takes any name and reports a missing one' },
    { option: 'peers', valid: ['tor-1'], writes: {}, anything: 'MetalLB takes any name' },
    { option: 'communities', valid: ['64512:100'], writes: {}, anything: 'a community, or the name of an object' },
    { option: 'localPref', valid: 100, writes: {}, refused: -1 },
  ],
  refusedOptions: [
    {
      title: 'a version whose advertisements have no serviceSelectors cannot be told that they have',
      make: () => MetalLb.layer2({ version: V0_14_9, serviceSelectors: true }),
      message:
        'metallb: option serviceSelectors: advertisements have them from 0.16.0 on, and version is 0.14.9; leave it out',
    },
    {
      title: 'an address that has a key already cannot be shared by another',
      make: () => MetalLb.bgp({ allowSharedIp: 'a' }).shared('b'),
      message: "option allowSharedIp is already 'a', so the address cannot be shared by 'b'",
    },
  ],
  claims: [
    { title: 'a Service without a class', service: service(), claimed: 'yes' },
    { title: 'no Service of a class', service: classed, claimed: 'no' },
    { title: 'the class that it was installed with', controller: own, service: classed, claimed: 'yes' },
    {
      title: 'no other class',
      controller: own,
      service: service({ loadBalancerClass: 'example.com/other' }),
      claimed: 'no',
    },
    {
      title: 'no Service without a class where it was installed with one',
      controller: own,
      service: service(),
      claimed: 'no',
    },
  ],
  requests: [
    {
      title: 'a plain Service gets neither class nor finalizer nor annotation',
      controller: layer2(),
      request: ONE_PORT,
      plan: {
        owner: 'metallb',
        finalizers: [],
        annotations: {},
        labels: undefined,
        loadBalancerClass: undefined,
        externalTrafficPolicy: undefined,
        nodeRestriction: NodeRestriction.NONE,
      },
    },
    {
      title: 'the class is the one that MetalLB was installed with',
      controller: bgp({ loadBalancerClass: 'example.com/metallb' }),
      request: ONE_PORT,
      plan: { loadBalancerClass: 'example.com/metallb', finalizers: [] },
    },
    {
      title: 'a version that reads the older prefix alone gets annotations under it',
      controller: layer2({ version: V0_14_8, addressPool: 'private', allowSharedIp: 'dns' }),
      request: { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNAL, staticAddresses: ['10.0.0.7'] },
      plan: {
        annotations: {
          [old('address-pool')]: 'private',
          [old('allow-shared-ip')]: 'dns',
          [old('loadBalancerIPs')]: '10.0.0.7',
        },
      },
    },
    {
      title: 'the first version that reads the current prefix gets annotations under it',
      controller: layer2({ version: V0_14_9, addressPool: 'private' }),
      request: ONE_PORT,
      plan: { annotations: { [key('address-pool')]: 'private' } },
    },
    {
      title: 'the pool decides on the scheme',
      controller: layer2({ addressPool: 'private' }),
      request: { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNAL },
      plan: { annotations: { [key('address-pool')]: 'private' } },
    },
    {
      title: 'without a pool nobody decides on the scheme',
      controller: layer2(),
      request: { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNET_FACING },
      warnings: ['metallb-pool-decides-scheme'],
    },
    {
      title: 'kube-proxy serves every protocol, two at a time as well',
      controller: layer2(),
      request: {
        ports: [{ port: 53 }, { port: 53, protocol: PortProtocol.UDP }, { port: 9, protocol: PortProtocol.SCTP }],
      },
    },
    {
      title: 'the client address survives with policy Local',
      controller: bgp(),
      request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE },
      plan: { externalTrafficPolicy: TrafficPolicy.LOCAL },
    },
    {
      title: 'the client address is replaced with policy Cluster',
      controller: layer2(),
      request: { ...ONE_PORT, clientAddress: ClientAddress.REPLACE },
      plan: { externalTrafficPolicy: TrafficPolicy.CLUSTER },
    },
    {
      title: 'the client address is lost with policy Cluster',
      controller: bgp(),
      request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE, trafficPolicy: TrafficPolicy.CLUSTER },
      problems: ['traffic policy Cluster cannot preserve the client address'],
    },
    {
      title: 'the traffic policy is written',
      controller: bgp(),
      request: { ...ONE_PORT, trafficPolicy: TrafficPolicy.LOCAL },
      plan: { externalTrafficPolicy: TrafficPolicy.LOCAL },
    },
    {
      title: 'session affinity, source ranges and families are fields of the Service',
      controller: layer2(),
      request: {
        ...ONE_PORT,
        sessionAffinity: { timeout: Duration.hours(1) },
        sourceRanges: ['10.0.0.0/8'],
        ipFamilies: [IpFamily.IPV4, IpFamily.IPV6],
      },
      plan: {
        sessionAffinity: { timeout: Duration.hours(1) },
        sourceRanges: ['10.0.0.0/8'],
        ipFamilies: [IpFamily.IPV4, IpFamily.IPV6],
      },
    },
    {
      title: 'fixed addresses are an annotation, as the field of the Service holds one only',
      controller: layer2(),
      request: { ...ONE_PORT, staticAddresses: ['10.0.0.7', 'fd00::7'] },
      plan: { annotations: { [key('loadBalancerIPs')]: two }, loadBalancerIp: undefined },
    },
    {
      title: 'a fixed address is an IP address',
      controller: layer2(),
      request: { ...ONE_PORT, staticAddresses: ['edge-1'] },
      problems: ["'edge-1' is not an IP address"],
    },
    {
      title: 'an address of the options against one of the request is a problem',
      controller: layer2({ loadBalancerIps: ['10.0.0.8'] }),
      request: { ...ONE_PORT, staticAddresses: ['10.0.0.7'] },
      problems: ["option loadBalancerIps is already '10.0.0.8'"],
    },
    {
      title: 'no balancer speaks the PROXY protocol',
      controller: bgp(),
      request: { ...ONE_PORT, proxyProtocol: true },
      problems: ['there is no proxy between client and node'],
    },
    { title: 'no proxy protocol is what there is', controller: bgp(), request: { ...ONE_PORT, proxyProtocol: false } },
    {
      title: 'nodes are not health-checked',
      controller: layer2(),
      request: { ...ONE_PORT, healthCheck: { protocol: HealthCheckProtocol.HTTP } },
      problems: ['nodes are not health-checked, with value {"protocol":"http"}'],
    },
    {
      title: 'a pool of nodes needs a pool of addresses',
      controller: layer2(),
      request: { ...ONE_PORT, backendNodes: edge },
      plan: { nodeRestriction: NodeRestriction.NONE, labels: undefined },
      problems: ['metallb: backendNodes needs an addressPool to advertise; pass MetalLb.layer2({ addressPool })'],
    },
    {
      title: 'a pool of nodes becomes an advertisement that finds the Service by a label',
      controller: layer2({ addressPool: 'edge' }),
      request: { ...ONE_PORT, backendNodes: edge },
      plan: {
        nodeRestriction: NodeRestriction.ON_SIDE_OBJECT,
        labels: { 'cdk8s-load-balancers/metallb-advertisement': 'test-ef32295b' },
        externalTrafficPolicy: undefined,
      },
      warnings: ['metallb-other-advertisements'],
    },
    {
      title: 'without service selectors the advertisement holds for the whole address pool',
      controller: bgp({ addressPool: 'edge', serviceSelectors: false }),
      request: { ...ONE_PORT, backendNodes: edge },
      plan: { nodeRestriction: NodeRestriction.ON_SIDE_OBJECT, labels: undefined },
      warnings: ['metallb-other-advertisements'],
    },
    {
      title: 'a key makes an address shared',
      controller: () => MetalLb.layer2({ loadBalancerIps: ['10.0.0.7'] }).shared('dns'),
      request: ONE_PORT,
      plan: { annotations: { [key('loadBalancerIPs')]: '10.0.0.7', [key('allow-shared-ip')]: 'dns' } },
    },
    {
      title: 'layer 2 announces no shared address by service selectors',
      controller: () => MetalLb.layer2({ addressPool: 'edge' }).shared('dns'),
      request: { ...ONE_PORT, backendNodes: edge },
      problems: ['by which layer 2 announces no shared address'],
      source: 'speaker/layer2_controller.go, ShouldAnnounce',
    },
    {
      title: 'BGP announces shared addresses by service selectors',
      controller: () => MetalLb.bgp({ addressPool: 'edge' }).shared('dns'),
      request: { ...ONE_PORT, backendNodes: edge },
      plan: { nodeRestriction: NodeRestriction.ON_SIDE_OBJECT },
      warnings: ['metallb-other-advertisements'],
    },
  ],
  services: [
    { title: 'a plain Service is in order', service: service() },
    {
      title: 'two addresses of one family are refused',
      service: service({}, { [key('loadBalancerIPs')]: '10.0.0.7, 10.0.0.8' }),
      errors: ['metallb-address-families'],
    },
    {
      title: 'two families need two addresses',
      service: service({ ipFamilyPolicy: 'RequireDualStack', loadBalancerIP: '10.0.0.7' }),
      errors: ['metallb-address-families'],
    },
    {
      title: 'two addresses of two families are in order',
      service: service({ ipFamilies: ['IPv6', 'IPv4'] }, { [key('loadBalancerIPs')]: two }),
    },
    {
      title: 'an address is of the family of the Service',
      service: service({ ipFamilies: ['IPv6'] }, { [key('loadBalancerIPs')]: '10.0.0.7' }),
      errors: ['metallb-address-families'],
    },
    {
      title: 'with PreferDualStack the cluster decides',
      service: service({ ipFamilyPolicy: 'PreferDualStack' }, { [key('loadBalancerIPs')]: '10.0.0.7' }),
    },
    {
      title: 'the old prefix is not read beside the new one',
      service: service({}, { [old('loadBalancerIPs')]: two, [key('loadBalancerIPs')]: '10.0.0.7' }),
    },
    {
      title: 'with policy Local every node with a pod serves in BGP',
      service: service({ externalTrafficPolicy: 'Local' }),
      controller: bgp(),
    },
    { title: 'session affinity holds behind one node', service: service({ sessionAffinity: 'ClientIP' }) },
    {
      title: 'session affinity does not hold behind routers',
      service: service({ sessionAffinity: 'ClientIP' }),
      controller: bgp(),
      warnings: ['metallb-bgp-affinity'],
    },
    {
      title: 'with policy Local sharers need one selector',
      service: service(
        { externalTrafficPolicy: 'Local', loadBalancerIP: '10.0.0.7' },
        { [key('allow-shared-ip')]: 'dns' },
      ),
      controller: bgp(),
      warnings: ['metallb-shared-local'],
    },
    { title: 'garbage is not judged', service: service({ ipFamilies: 7, loadBalancerIP: [], ipFamilyPolicy: {} }) },
  ],
  made,
  rollouts,
};

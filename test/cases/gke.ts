import { Duration } from 'cdk8s';
import {
  ClientAddress,
  FinalizerPolicy,
  Gke,
  GkeLoadBalancerGeneration,
  HealthCheckProtocol,
  IpFamily,
  LoadBalancerScheme,
  NodePool,
  NodeRestriction,
  PortProtocol,
  TrafficPolicy,
} from '../../src';
import { type ControllerCases, ONE_PORT, service } from '../support/cases';

const net = (name: string) => `networking.gke.io/${name}`;
const cloud = (name: string) => `cloud.google.com/${name}`;
const CLEANUP = 'service.kubernetes.io/load-balancer-cleanup';
const EXTERNAL = 'networking.gke.io/l4-regional-external';
const INTERNAL = 'networking.gke.io/l4-regional-internal';
const PUBLIC_PORT = { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNET_FACING };
const UDP_AND_TCP = [{ port: 53, protocol: PortProtocol.UDP }, { port: 53 }];
const LEGACY = { generation: GkeLoadBalancerGeneration.LEGACY };
const edge = NodePool.labeled({ 'cloud.google.com/gke-nodepool': 'edge' });
const gke = () => Gke.passthrough();
const legacy = () => Gke.passthrough(LEGACY);
const legacyClass = () => Gke.passthrough({ generation: GkeLoadBalancerGeneration.LEGACY_CLASS });
const byAnnotation = () => Gke.passthrough({ generation: GkeLoadBalancerGeneration.BACKEND_SERVICE_ANNOTATION });
const classed = (loadBalancerClass: string, annotations = {}, metadata = {}, spec = {}) =>
  service({ loadBalancerClass, ...spec }, annotations, metadata);

export const cases: ControllerCases = {
  kind: Gke._kind,
  make: (options) => Gke.passthrough(options),
  options: [
    { option: 'generation', valid: 'legacy', writes: { [net('load-balancer-type')]: 'Internal' }, refused: '1.33' },
    {
      option: 'allowGlobalAccess',
      valid: true,
      writes: { [net('internal-load-balancer-allow-global-access')]: 'true' },
      refused: 'True',
    },
    {
      option: 'loadBalancerSubnet',
      valid: 'edge',
      writes: { [net('load-balancer-subnet')]: 'edge' },
      refused: '10.0.0.0/8',
    },
    { option: 'loadBalancerSubnet', valid: 'edge', writes: { [net('load-balancer-subnet')]: 'edge' }, refused: 'Edge' },
    {
      option: 'internalLoadBalancerSubnet',
      with: LEGACY,
      valid: 'edge',
      writes: { [net('internal-load-balancer-subnet')]: 'edge' },
      refused: '',
    },
    {
      option: 'loadBalancerIpAddresses',
      valid: ['v4', 'v6'],
      writes: { [net('load-balancer-ip-addresses')]: 'v4,v6' },
      refused: ['a', 'b', 'c'],
    },
    {
      option: 'loadBalancerIpAddresses',
      valid: ['v4'],
      writes: { [net('load-balancer-ip-addresses')]: 'v4' },
      refused: ['203.0.113.1'],
    },
    { option: 'networkTier', valid: 'Standard', writes: { [cloud('network-tier')]: 'Standard' }, refused: 'STANDARD' },
    {
      option: 'weightedLoadBalancing',
      valid: 'pods-per-node',
      writes: { [net('weighted-load-balancing')]: 'pods-per-node' },
      refused: 'pods',
    },
    {
      option: 'strongSessionAffinity',
      valid: true,
      writes: { [net('l4-strong-session-affinity')]: 'enabled' },
      refused: false,
    },
    { option: 'l4LbConfig', valid: 'logs', writes: { [net('l4lb-config')]: 'logs' }, refused: '' },
    {
      option: 'ipCollectionV6',
      valid: 'https://www.googleapis.com/compute/v1/x',
      writes: { [net('ip-collection-v6')]: 'https://www.googleapis.com/compute/v1/x' },
      refused: 'mine',
    },
    {
      option: 'loadBalancerBackendShare',
      with: LEGACY,
      valid: true,
      writes: { 'alpha.cloud.google.com/load-balancer-backend-share': 'true' },
      refused: false,
    },
  ],
  requests: [
    {
      title: 'a balancer is internal unless somebody says otherwise, by class',
      controller: gke,
      request: ONE_PORT,
      plan: { owner: 'gke', finalizers: [], annotations: {}, loadBalancerClass: INTERNAL },
      source: 'ingress-gce, pkg/l4/annotations/service.go: WantsL4ILB',
    },
    {
      title: 'an external balancer has the external class',
      controller: gke,
      request: PUBLIC_PORT,
      plan: { finalizers: [], annotations: {}, loadBalancerClass: EXTERNAL },
    },
    {
      title: 'an external backend service is asked for by annotation',
      controller: byAnnotation,
      request: PUBLIC_PORT,
      plan: { finalizers: [], annotations: { [cloud('l4-rbs')]: 'enabled' }, loadBalancerClass: undefined },
    },
    {
      title: 'GKE subsetting takes internal Services without a class',
      controller: byAnnotation,
      request: ONE_PORT,
      plan: { finalizers: [], annotations: { [net('load-balancer-type')]: 'Internal' }, loadBalancerClass: undefined },
    },
    {
      title: 'a target pool by class',
      controller: legacyClass,
      request: PUBLIC_PORT,
      plan: { finalizers: [CLEANUP], annotations: {}, loadBalancerClass: `${EXTERNAL}-legacy` },
    },
    {
      title: 'instance groups by class',
      controller: legacyClass,
      request: ONE_PORT,
      plan: { finalizers: [CLEANUP], annotations: {}, loadBalancerClass: `${INTERNAL}-legacy` },
    },
    {
      title: 'a target pool without a class',
      controller: legacy,
      request: PUBLIC_PORT,
      plan: { finalizers: [CLEANUP], annotations: {}, loadBalancerClass: undefined },
    },
    {
      title: 'instance groups without a class',
      controller: legacy,
      request: { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNAL },
      plan: {
        finalizers: [CLEANUP],
        annotations: { [net('load-balancer-type')]: 'Internal' },
        loadBalancerClass: undefined,
      },
    },
    {
      title: 'the finalizer can be left to the controller',
      controller: legacy,
      request: { ...PUBLIC_PORT, finalizerPolicy: FinalizerPolicy.LEAVE_TO_CONTROLLER },
      plan: { finalizers: [] },
    },
    {
      title: 'the pods place the backend, with policy Local',
      controller: gke,
      request: { ...ONE_PORT, backendNodes: edge },
      plan: {
        externalTrafficPolicy: TrafficPolicy.LOCAL,
        nodeRestriction: NodeRestriction.BY_POD_PLACEMENT,
        annotations: {},
      },
    },
    {
      title: 'policy Cluster takes nodes of any pool',
      controller: gke,
      request: { ...ONE_PORT, backendNodes: edge, trafficPolicy: TrafficPolicy.CLUSTER },
      problems: ['GKE takes nodes of any pool'],
    },
    {
      title: 'the client address is kept by policy Local',
      controller: gke,
      request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE },
      plan: { externalTrafficPolicy: TrafficPolicy.LOCAL },
    },
    {
      title: 'policy Cluster loses the client address',
      controller: gke,
      request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE, trafficPolicy: TrafficPolicy.CLUSTER },
      problems: ['nodes replace the client address'],
    },
    {
      title: 'the client address is replaced by policy Cluster',
      controller: gke,
      request: { ...ONE_PORT, clientAddress: ClientAddress.REPLACE },
      plan: { externalTrafficPolicy: TrafficPolicy.CLUSTER },
    },
    {
      title: 'the client address cannot be replaced with a pool as backend',
      controller: gke,
      request: { ...ONE_PORT, clientAddress: ClientAddress.REPLACE, backendNodes: edge },
      problems: ['Local, which backendNodes needs, the pod sees'],
    },
    {
      title: 'weights bring policy Local',
      controller: () => Gke.passthrough({ weightedLoadBalancing: 'pods-per-node' as never }),
      request: ONE_PORT,
      plan: { externalTrafficPolicy: TrafficPolicy.LOCAL },
    },
    {
      title: 'session affinity stands in the spec',
      controller: gke,
      request: { ...ONE_PORT, sessionAffinity: { timeout: Duration.minutes(5) } },
      plan: { sessionAffinity: { timeout: Duration.minutes(5) } },
    },
    {
      title: 'a balancer of two families',
      controller: gke,
      request: { ...ONE_PORT, ipFamilies: [IpFamily.IPV4, IpFamily.IPV6] },
      plan: { ipFamilies: [IpFamily.IPV4, IpFamily.IPV6] },
    },
    {
      title: 'the older controller knows IPv4 only',
      controller: legacy,
      request: { ...ONE_PORT, ipFamilies: [IpFamily.IPV6] },
      problems: ["generation 'legacy' makes balancers of IPv4 only"],
    },
    {
      title: 'source ranges stand in the spec',
      controller: gke,
      request: { ...ONE_PORT, sourceRanges: ['10.0.0.0/8'] },
      plan: { sourceRanges: ['10.0.0.0/8'] },
    },
    {
      title: 'static addresses are named',
      controller: gke,
      request: { ...ONE_PORT, staticAddresses: ['v4'] },
      plan: { annotations: { [net('load-balancer-ip-addresses')]: 'v4' }, loadBalancerIp: undefined },
    },
    {
      title: 'a bare address is refused',
      controller: gke,
      request: { ...ONE_PORT, staticAddresses: ['10.0.0.8'] },
      problems: ["not by '10.0.0.8'; reserve regional addresses"],
    },
    {
      title: 'the older controller takes a bare address',
      controller: legacy,
      request: { ...ONE_PORT, staticAddresses: ['10.0.0.8'] },
      plan: { loadBalancerIp: '10.0.0.8' },
    },
    {
      title: 'the older controller does not know names',
      controller: legacy,
      request: { ...ONE_PORT, staticAddresses: ['v4'] },
      problems: ["by its IPv4 number, not 'v4'"],
    },
    { title: 'UDP is balanced', controller: gke, request: { ports: [{ port: 53, protocol: PortProtocol.UDP }] } },
    {
      title: 'mixed protocols are let through, and the finished Service is warned of',
      controller: gke,
      request: { ports: UDP_AND_TCP },
    },
    {
      title: 'the older controller refuses mixed protocols',
      controller: legacy,
      request: { ports: UDP_AND_TCP },
      problems: ['cannot mix UDP and TCP in one Service'],
    },
    {
      title: 'SCTP is refused',
      controller: gke,
      request: { ports: [{ port: 9, protocol: PortProtocol.SCTP }] },
      problems: ['cannot balance SCTP'],
    },
    {
      title: 'there is no proxy protocol',
      controller: gke,
      request: { ...ONE_PORT, proxyProtocol: true },
      problems: ['passthrough balancers have no proxy protocol'],
    },
    { title: 'no proxy protocol is what there is', controller: gke, request: { ...ONE_PORT, proxyProtocol: false } },
    {
      title: 'the health check is fixed',
      controller: gke,
      request: { ...ONE_PORT, healthCheck: { protocol: HealthCheckProtocol.TCP } },
      problems: ['the health check is fixed by GKE'],
    },
  ],
  services: [
    { title: 'a plain Service is external', service: service() },
    {
      title: 'a finalizer of a class of its own is refused',
      service: classed(EXTERNAL, {}, { finalizers: ['gke.networking.io/l4-netlb-v3'] }),
      errors: ['gke-ownership-finalizer'],
    },
    {
      title: 'an old finalizer of GKE is refused',
      service: service({}, {}, { finalizers: ['gke.networking.io/l4-ilb-v1'] }),
      errors: ['gke-ownership-finalizer'],
    },
    {
      title: 'KEP-980 has no place beside a newer class',
      service: classed(INTERNAL, {}, { finalizers: [CLEANUP] }),
      errors: ['gke-cleanup-finalizer-of-class'],
    },
    {
      title: 'KEP-980 belongs to a legacy class',
      service: classed(`${INTERNAL}-legacy`, {}, { finalizers: [CLEANUP] }),
    },
    {
      title: 'an external class is public whatever the annotation says',
      service: classed(EXTERNAL, { [net('load-balancer-type')]: 'Internal' }),
      errors: ['gke-public-by-class'],
    },
    {
      title: 'an internal class is internal whatever the annotation says',
      service: classed(INTERNAL, { [net('load-balancer-type')]: 'External' }),
      warnings: ['gke-internal-by-class'],
    },
    {
      title: 'an internal class may say so twice',
      service: classed(INTERNAL, { [net('load-balancer-type')]: 'Internal' }),
    },
    {
      title: 'the old type annotation is deprecated',
      service: service({}, { [cloud('load-balancer-type')]: 'Internal' }),
      warnings: ['gke-deprecated-type'],
    },
    {
      title: 'global access is for internal balancers',
      service: service({}, { [net('internal-load-balancer-allow-global-access')]: 'true' }),
      warnings: ['gke-other-scheme'],
    },
    {
      title: 'network tiers are for external balancers',
      service: classed(INTERNAL, { [cloud('network-tier')]: 'Standard' }),
      warnings: ['gke-other-scheme'],
    },
    {
      title: 'the first type annotation decides the scheme',
      service: service({}, { [net('load-balancer-type')]: 'INTERNAL', [cloud('network-tier')]: 'Standard' }),
    },
    {
      title: 'the older controller does not read names',
      service: classed(`${EXTERNAL}-legacy`, { [net('load-balancer-ip-addresses')]: 'v4' }),
      warnings: ['gke-other-controller'],
    },
    {
      title: 'the newer controllers share no backend',
      service: classed(INTERNAL, { 'alpha.cloud.google.com/load-balancer-backend-share': 'true' }),
      warnings: ['gke-other-controller'],
    },
    {
      title: 'notes of GKE are not for manifests',
      service: service({}, { 'service.kubernetes.io/backend-service': 'x' }),
      warnings: ['gke-written-by-gke'],
    },
    {
      title: 'a class makes l4-rbs idle',
      service: classed(EXTERNAL, { [cloud('l4-rbs')]: 'enabled' }),
      warnings: ['gke-rbs-with-class'],
    },
    {
      title: 'a standalone NEG needs a forwarding rule',
      service: classed(net('standalone-passthrough-lb-neg')),
      errors: ['gke-standalone-forwarding-rule'],
    },
    {
      title: 'a standalone NEG has a forwarding rule',
      service: classed(net('standalone-passthrough-lb-neg'), { [net('custom-forwarding-rule')]: 'mine' }),
    },
    {
      title: 'other classes take no forwarding rule',
      service: classed(EXTERNAL, { [net('custom-forwarding-rule')]: 'mine' }),
      errors: ['gke-standalone-forwarding-rule'],
    },
    {
      title: 'names win over loadBalancerIP',
      service: service({ loadBalancerIP: '10.0.0.8' }, { [net('load-balancer-ip-addresses')]: 'v4' }),
      warnings: ['gke-static-address-twice'],
    },
    {
      title: 'weights need policy Local',
      service: classed(EXTERNAL, { [net('weighted-load-balancing')]: 'pods-per-node' }),
      warnings: ['gke-weights-need-local'],
    },
    {
      title: 'weights with policy Local',
      service: classed(
        EXTERNAL,
        { [net('weighted-load-balancing')]: 'pods-per-node' },
        {},
        { externalTrafficPolicy: 'Local' },
      ),
    },
    {
      title: 'strong affinity needs a timeout',
      service: classed(
        EXTERNAL,
        { [net('l4-strong-session-affinity')]: 'enabled' },
        {},
        { sessionAffinity: 'ClientIP' },
      ),
      errors: ['gke-strong-affinity'],
    },
    {
      title: 'strong affinity with a timeout',
      service: classed(
        EXTERNAL,
        { [net('l4-strong-session-affinity')]: 'enabled' },
        {},
        { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 600 } } },
      ),
    },
    {
      title: 'a collection of addresses is for IPv6 alone',
      service: classed(EXTERNAL, { [net('ip-collection-v6')]: 'https://x' }),
      errors: ['gke-ip-collection'],
    },
    {
      title: 'a collection of addresses excludes a subnet',
      service: classed(
        EXTERNAL,
        { [net('ip-collection-v6')]: 'https://x', [net('load-balancer-subnet')]: 'edge' },
        {},
        { ipFamilies: ['IPv6'] },
      ),
      errors: ['gke-ip-collection'],
    },
    {
      title: 'six ports of an internal balancer take all',
      service: classed(INTERNAL, {}, {}, { ports: [1, 2, 3, 4, 5, 6].map((port) => ({ port })) }),
      warnings: ['gke-all-ports'],
    },
    {
      title: 'ranges of IPv4 leave IPv6 open',
      service: classed(EXTERNAL, {}, {}, { ipFamilies: ['IPv4', 'IPv6'], loadBalancerSourceRanges: ['10.0.0.0/8'] }),
      errors: ['gke-source-ranges-of-family'],
    },
    {
      title: 'ranges of both families close both',
      service: classed(
        EXTERNAL,
        {},
        {},
        { ipFamilies: ['IPv4', 'IPv6'], loadBalancerSourceRanges: ['10.0.0.0/8', 'fd00::/8'] },
      ),
    },
    {
      title: 'SCTP is not known',
      service: service({ ports: [{ port: 9, protocol: 'SCTP' }] }),
      errors: ['gke-protocol'],
    },
    {
      title: 'a legacy class refuses mixed protocols',
      service: classed(`${EXTERNAL}-legacy`, {}, {}, { ports: UDP_AND_TCP }),
      errors: ['gke-legacy-mixed-protocols'],
    },
    {
      title: 'mixed protocols are behind a switch',
      service: classed(EXTERNAL, {}, {}, { ports: UDP_AND_TCP }),
      warnings: ['gke-mixed-protocols'],
    },
    {
      title: 'garbage is judged in peace',
      service: service(
        { ports: 3, loadBalancerClass: {}, sessionAffinityConfig: 'x' },
        { [net('load-balancer-type')]: 7 as unknown as string },
        { finalizers: 'x' },
      ),
    },
  ],
};

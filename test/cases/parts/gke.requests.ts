import { Duration } from 'cdk8s';
import {
  ClientAddress,
  FinalizerPolicy,
  Gke,
  GkeLoadBalancerGeneration,
  HealthCheckProtocol,
  IpFamily,
  KubernetesVersion,
  LoadBalancerScheme,
  NodePool,
  NodeRestriction,
  PortProtocol,
  TrafficPolicy,
} from '../../../src';
import { ONE_PORT, type RequestRow } from '../../support/cases';
import { CLEANUP, cloud, EXTERNAL, INTERNAL, legacy, net, UDP_AND_TCP } from './gke.words';

const PUBLIC_PORT = { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNET_FACING };
const edge = NodePool.labeled({ 'cloud.google.com/gke-nodepool': 'edge' });
const gke = () => Gke.passthrough();
const legacyClass = () => Gke.passthrough({ generation: GkeLoadBalancerGeneration.LEGACY_CLASS });
const byAnnotation = () => Gke.passthrough({ generation: GkeLoadBalancerGeneration.BACKEND_SERVICE_ANNOTATION });

export const requests: RequestRow[] = [
  {
    title: 'before GKE 1.33 nobody serves a class',
    controller: gke,
    request: { ...ONE_PORT, kubernetes: KubernetesVersion.V1_32 },
    problems: ['GKE 1.32 serves no class'],
  },
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
];

import { Duration } from 'cdk8s';
import {
  AwsCloudProvider,
  ClientAddress,
  HealthCheckProtocol,
  IpFamily,
  NodeRestriction,
  PortProtocol,
  TrafficPolicy,
} from '../../../src';
import { ONE_PORT, type RequestRow } from '../../support/cases';
import { key } from './aws.words';
import { classic, edge, INTERNAL, NLB, nlb, PUBLIC, PUBLIC_PORT } from './aws-cloud-provider.words';

/** What becomes of each wish. */
export const requests: RequestRow[] = [
  {
    title: 'a Network Load Balancer is internal unless somebody says otherwise',
    controller: nlb,
    request: ONE_PORT,
    plan: {
      owner: 'cloud-provider-aws',
      finalizers: ['service.kubernetes.io/load-balancer-cleanup'],
      annotations: { ...NLB, ...INTERNAL },
      loadBalancerClass: undefined,
    },
    source: 'cloud-provider-aws v1.36.1, pkg/providers/v1/aws_loadbalancer.go: isNLB',
  },
  {
    title: 'a Classic Load Balancer needs no type',
    controller: classic,
    request: PUBLIC_PORT,
    plan: { annotations: PUBLIC, finalizers: ['service.kubernetes.io/load-balancer-cleanup'] },
  },
  {
    title: 'an option may make it public',
    controller: () => AwsCloudProvider.nlb({ loadBalancerInternal: false }),
    request: ONE_PORT,
    plan: { annotations: { ...NLB, ...PUBLIC } },
  },
  {
    title: 'a public request contradicts an internal option',
    controller: () => AwsCloudProvider.nlb({ loadBalancerInternal: true }),
    request: PUBLIC_PORT,
    problems: ["option loadBalancerInternal is already 'true'"],
  },
  {
    title: 'a pool becomes node labels on the Service and policy Local',
    controller: nlb,
    request: { ...ONE_PORT, backendNodes: edge },
    plan: {
      answers: {
        backendNodes: `${key('target-node-labels')}: pool=edge, looked up when the Service or the set of nodes changes`,
      },
      annotations: { ...NLB, ...INTERNAL, [key('target-node-labels')]: 'pool=edge' },
      externalTrafficPolicy: TrafficPolicy.LOCAL,
      nodeRestriction: NodeRestriction.ON_SERVICE,
    },
  },
  {
    title: 'policy Cluster is kept beside a pool',
    controller: classic,
    request: { ...ONE_PORT, backendNodes: edge, trafficPolicy: TrafficPolicy.CLUSTER },
    plan: { externalTrafficPolicy: TrafficPolicy.CLUSTER, nodeRestriction: NodeRestriction.ON_SERVICE },
  },
  {
    title: 'a Network Load Balancer keeps the client address by policy Local',
    controller: nlb,
    request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE },
    plan: { annotations: { ...NLB, ...INTERNAL }, externalTrafficPolicy: TrafficPolicy.LOCAL },
  },
  {
    title: 'with policy Cluster the client address is lost',
    controller: nlb,
    request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE, trafficPolicy: TrafficPolicy.CLUSTER },
    problems: ['with externalTrafficPolicy Cluster nodes replace the client address'],
  },
  {
    title: 'a header keeps the client address through any policy',
    controller: nlb,
    request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE, proxyProtocol: true },
    plan: {
      annotations: { ...NLB, ...INTERNAL, [key('target-group-attributes')]: 'proxy_protocol_v2.enabled=true' },
      externalTrafficPolicy: undefined,
    },
  },
  {
    title: 'a wish and the attributes of the option are written as one',
    controller: () => AwsCloudProvider.nlb({ targetGroupAttributes: { proxyProtocolV2: true } }),
    request: { ...ONE_PORT, clientAddress: ClientAddress.REPLACE },
    plan: {
      annotations: {
        ...NLB,
        ...INTERNAL,
        [key('target-group-attributes')]: 'preserve_client_ip.enabled=false,proxy_protocol_v2.enabled=true',
      },
    },
  },
  {
    title: 'a wish that the attributes of the option contradict is refused',
    controller: () => AwsCloudProvider.nlb({ targetGroupAttributes: { preserveClientIp: false } }),
    request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE },
    problems: ['the option targetGroupAttributes has false'],
  },
  {
    title:
      'behind a Classic Load Balancer the client address is kept by proxy protocol, which the pods must understand',
    controller: classic,
    request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE },
    plan: { annotations: { ...INTERNAL, [key('proxy-protocol')]: '*' }, externalTrafficPolicy: undefined },
    warnings: ['pod-must-speak-proxy-protocol'],
  },
  {
    title: 'without proxy protocol a Classic Load Balancer hides the client',
    controller: classic,
    request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE, proxyProtocol: false },
    problems: ['survives by proxy protocol only'],
  },
  {
    title: 'a Classic Load Balancer replaces the client address by itself',
    controller: classic,
    request: { ...ONE_PORT, clientAddress: ClientAddress.REPLACE },
    plan: { annotations: INTERNAL },
  },
  {
    title: 'a Classic Load Balancer speaks proxy protocol',
    controller: classic,
    request: { ...ONE_PORT, proxyProtocol: true },
    plan: { annotations: { ...INTERNAL, [key('proxy-protocol')]: '*' } },
  },
  {
    title: 'proxy protocol cannot be both off and on',
    controller: () => AwsCloudProvider.classic({ proxyProtocol: true }),
    request: { ...ONE_PORT, proxyProtocol: false },
    problems: ['proxyProtocol false contradicts the option'],
  },
  {
    title: 'a Network Load Balancer balances UDP',
    controller: nlb,
    request: { ports: [{ port: 53, protocol: PortProtocol.UDP }] },
  },
  {
    title: 'a Classic Load Balancer does not balance UDP',
    controller: classic,
    request: { ports: [{ port: 53, protocol: PortProtocol.UDP }] },
    problems: ['a Classic Load Balancer cannot balance UDP; use AwsCloudProvider.nlb()'],
  },
  {
    title: 'no balancer mixes protocols',
    controller: nlb,
    request: { ports: [{ port: 53, protocol: PortProtocol.UDP }, { port: 53 }] },
    problems: ['one Service cannot mix UDP and TCP'],
  },
  {
    title: 'SCTP is refused',
    controller: nlb,
    request: { ports: [{ port: 9, protocol: PortProtocol.SCTP }] },
    problems: ['with value SCTP'],
  },
  {
    title: 'session affinity is refused',
    controller: nlb,
    request: { ...ONE_PORT, sessionAffinity: {} },
    problems: ['sessionAffinity must be None'],
  },
  {
    title: 'IPv4 is what balancers are',
    controller: nlb,
    request: { ...ONE_PORT, ipFamilies: [IpFamily.IPV4] },
    plan: { ipFamilies: [IpFamily.IPV4] },
  },
  {
    title: 'IPv6 is refused',
    controller: nlb,
    request: { ...ONE_PORT, ipFamilies: [IpFamily.IPV6] },
    problems: ['ipFamilies cannot be honoured'],
  },
  {
    title: 'source ranges stand in the spec',
    controller: classic,
    request: { ...ONE_PORT, sourceRanges: ['10.0.0.0/8'] },
    plan: { sourceRanges: ['10.0.0.0/8'] },
  },
  {
    title: 'fixed addresses of a public balancer are elastic ones',
    controller: nlb,
    request: { ...PUBLIC_PORT, staticAddresses: ['eipalloc-1'] },
    plan: { annotations: { ...NLB, ...PUBLIC, [key('eip-allocations')]: 'eipalloc-1' } },
  },
  {
    title: 'fixed addresses of an internal balancer are private ones',
    controller: nlb,
    request: { ...ONE_PORT, staticAddresses: ['10.0.0.8'] },
    plan: { annotations: { ...NLB, ...INTERNAL, [key('private-ipv4-addresses')]: '10.0.0.8' } },
  },
  {
    title: 'a public balancer takes no bare address',
    controller: nlb,
    request: { ...PUBLIC_PORT, staticAddresses: ['203.0.113.1'] },
    problems: ["'203.0.113.1' is not the id of an allocation"],
  },
  {
    title: 'a Classic Load Balancer has no fixed addresses',
    controller: classic,
    request: { ...ONE_PORT, staticAddresses: ['10.0.0.8'] },
    problems: ['has no fixed addresses'],
  },
  {
    title: 'a health check is written word by word, its protocol in capitals',
    controller: classic,
    request: {
      ...ONE_PORT,
      healthCheck: {
        protocol: HealthCheckProtocol.HTTP,
        port: 8080,
        path: '/ready',
        interval: Duration.seconds(10),
        timeout: Duration.seconds(6),
        healthyThreshold: 2,
        unhealthyThreshold: 3,
      },
    },
    plan: {
      annotations: {
        ...INTERNAL,
        [key('healthcheck-protocol')]: 'HTTP',
        [key('healthcheck-port')]: '8080',
        [key('healthcheck-path')]: '/ready',
        [key('healthcheck-interval')]: '10',
        [key('healthcheck-timeout')]: '6',
        [key('healthcheck-healthy-threshold')]: '2',
        [key('healthcheck-unhealthy-threshold')]: '3',
      },
    },
    source: 'cloud-provider-aws v1.36.1, pkg/providers/v1/aws_loadbalancer.go: ensureLoadBalancerHealthCheck',
  },
  {
    title: 'the health check of a Network Load Balancer is written without a timeout',
    controller: nlb,
    request: { ...ONE_PORT, healthCheck: { protocol: HealthCheckProtocol.HTTPS, interval: Duration.seconds(10) } },
    plan: {
      annotations: { ...NLB, ...INTERNAL, [key('healthcheck-protocol')]: 'HTTPS', [key('healthcheck-interval')]: '10' },
    },
  },
  {
    title: 'the health check of a Network Load Balancer has the timeout that AWS defaults to',
    controller: nlb,
    request: { ...ONE_PORT, healthCheck: { timeout: Duration.seconds(6) } },
    problems: [
      'cloud-provider-aws: the health check timeout of 6 seconds cannot be set: the controller leaves that of a Network Load Balancer to AWS; leave it out, or use AwsLoadBalancerController.nlb() or AwsCloudProvider.classic()',
    ],
    source: 'cloud-provider-aws v1.36.1, pkg/providers/v1/aws_loadbalancer.go: ensureTargetGroup',
  },
  {
    title: 'a timeout in milliseconds is refused in the same words',
    controller: nlb,
    request: { ...ONE_PORT, healthCheck: { timeout: Duration.millis(1500) } },
    problems: ['the health check timeout of 1.5 seconds cannot be set'],
  },
  {
    title: 'nodes do not keep their connections',
    controller: nlb,
    request: { ...ONE_PORT, rollout: {} },
    plan: { externalTrafficPolicy: TrafficPolicy.LOCAL },
    warnings: ['rollout-held-cut'],
  },
];

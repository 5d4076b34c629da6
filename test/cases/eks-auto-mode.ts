import { Duration } from 'cdk8s';
import {
  ClientAddress,
  EksAutoMode,
  FinalizerPolicy,
  HealthCheckProtocol,
  IpFamily,
  LoadBalancerScheme,
  NlbTargetType,
  NodePool,
  NodeRestriction,
  PortProtocol,
  TrafficPolicy,
} from '../../src';
import { type ControllerCases, ONE_PORT, service } from '../support/cases';
import { certificateRows } from './parts/aws.certificates';
import { claimsOf } from './parts/aws.claims';
import { key } from './parts/aws.words';
import { made } from './parts/eks-auto-mode.made';
import { rollouts } from './parts/eks-auto-mode.rollouts';

const eks = () => EksAutoMode.nlb();
const instances = () => EksAutoMode.nlb({ targetType: NlbTargetType.INSTANCE });
const IP = { [key('nlb-target-type')]: 'ip' };
const INSTANCE = { [key('nlb-target-type')]: 'instance' };
const INTERNAL = { [key('scheme')]: 'internal' };
const UDP = [{ port: 53, protocol: PortProtocol.UDP }];
const edge = NodePool.labeled({ 'karpenter.sh/nodepool': 'edge' });

export const cases: ControllerCases = {
  kind: EksAutoMode._kind.definition,
  make: (options) => EksAutoMode.nlb(options),
  options: [
    { option: 'targetType', valid: 'instance', writes: INSTANCE, refused: 'pod' },
    { option: 'scheme', valid: 'internet-facing', writes: { [key('scheme')]: 'internet-facing' }, refused: 'public' },
    { option: 'ipAddressType', valid: 'dualstack', writes: { [key('ip-address-type')]: 'dualstack' }, refused: 'ipv6' },
    {
      option: 'loadBalancerAttributes',
      valid: { crossZone: true },
      writes: { [key('attributes')]: 'load_balancing.cross_zone.enabled=true' },
      refused: { crosszone: true },
    },
    { option: 'subnets', valid: ['subnet-1', 'mine'], writes: { [key('subnets')]: 'subnet-1,mine' }, refused: [] },
    { option: 'sslCert', valid: ['arn:aws:acm:x'], writes: { [key('ssl-cert')]: 'arn:aws:acm:x' }, refused: ['mine'] },
    { option: 'sslPorts', valid: ['https', '8443'], writes: { [key('ssl-ports')]: 'https,8443' }, refused: ['*'] },
    {
      option: 'additionalResourceTags',
      valid: { team: 'a' },
      writes: { [key('additional-resource-tags')]: 'team=a' },
      refused: { '': 'a' },
    },
    {
      option: 'healthCheckProtocol',
      valid: 'http',
      writes: { [key('healthcheck-protocol')]: 'http' },
      refused: 'grpc',
    },
    {
      option: 'healthCheckPort',
      valid: 'traffic-port',
      writes: { [key('healthcheck-port')]: 'traffic-port' },
      refused: '0',
    },
    { option: 'healthCheckPath', valid: '/ready', writes: { [key('healthcheck-path')]: '/ready' }, refused: 'ready' },
    {
      option: 'healthCheckInterval',
      valid: Duration.seconds(10),
      writes: { [key('healthcheck-interval')]: '10' },
      refused: Duration.seconds(1),
    },
    {
      option: 'healthCheckTimeout',
      valid: Duration.seconds(6),
      writes: { [key('healthcheck-timeout')]: '6' },
      refused: Duration.seconds(1),
    },
    {
      option: 'healthCheckHealthyThreshold',
      valid: 2,
      writes: { [key('healthcheck-healthy-threshold')]: '2' },
      refused: 1,
    },
    {
      option: 'healthCheckUnhealthyThreshold',
      valid: 2,
      writes: { [key('healthcheck-unhealthy-threshold')]: '2' },
      refused: 11,
    },
    {
      option: 'healthCheckSuccessCodes',
      valid: '200-399',
      writes: { [key('healthcheck-success-codes')]: '200-399' },
      refused: '2xx',
    },
  ],
  requests: [
    {
      title: 'a balancer is internal, its targets are pods, and its finalizer is left to the controller',
      controller: eks,
      request: ONE_PORT,
      plan: {
        owner: 'eks-auto-mode',
        finalizers: [],
        annotations: { ...IP, ...INTERNAL },
        loadBalancerClass: 'eks.amazonaws.com/nlb',
      },
      source: 'Amazon EKS User Guide, auto-configure-nlb.html',
    },
    {
      title: 'the finalizer is declared for those who insist',
      controller: () => EksAutoMode.nlb({ declareFinalizer: true }),
      request: ONE_PORT,
      plan: { finalizers: ['service.eks.amazonaws.com/resources'] },
    },
    {
      title: 'the finalizer can be left to the controller by the request',
      controller: () => EksAutoMode.nlb({ declareFinalizer: true }),
      request: { ...ONE_PORT, finalizerPolicy: FinalizerPolicy.LEAVE_TO_CONTROLLER },
      plan: { finalizers: [] },
    },
    {
      title: 'nodes do not keep their connections',
      controller: () => EksAutoMode.nlb({ targetType: NlbTargetType.INSTANCE }),
      request: { ...ONE_PORT, rollout: {}, healthCheck: { interval: Duration.seconds(10), unhealthyThreshold: 2 } },
      plan: { externalTrafficPolicy: TrafficPolicy.LOCAL },
      warnings: ['rollout-held-cut'],
    },
    {
      title: 'a public balancer says so',
      controller: eks,
      request: { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNET_FACING },
      plan: { annotations: { ...IP, [key('scheme')]: 'internet-facing' } },
    },
    {
      title: 'an option may make it public',
      controller: () => EksAutoMode.nlb({ scheme: LoadBalancerScheme.INTERNET_FACING }),
      request: ONE_PORT,
      plan: { annotations: { ...IP, [key('scheme')]: 'internet-facing' } },
    },
    {
      title: 'with pods as targets nodes cannot be chosen',
      controller: eks,
      request: { ...ONE_PORT, backendNodes: edge },
      problems: ['use NlbTargetType.INSTANCE, or only pin the pods'],
    },
    {
      title: 'with nodes as targets the pods place the backend, with policy Local',
      controller: instances,
      request: { ...ONE_PORT, backendNodes: edge },
      plan: {
        annotations: { ...INSTANCE, ...INTERNAL },
        externalTrafficPolicy: TrafficPolicy.LOCAL,
        nodeRestriction: NodeRestriction.BY_POD_PLACEMENT,
      },
    },
    {
      title: 'policy Cluster makes every node a backend',
      controller: instances,
      request: { ...ONE_PORT, backendNodes: edge, trafficPolicy: TrafficPolicy.CLUSTER },
      problems: ['pin the pods with NodePool.pin, and leave trafficPolicy out'],
    },
    {
      title: 'nodes keep the client address with policy Local',
      controller: instances,
      request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE },
      plan: { externalTrafficPolicy: TrafficPolicy.LOCAL },
    },
    {
      title: 'nodes lose the client address with policy Cluster',
      controller: instances,
      request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE, trafficPolicy: TrafficPolicy.CLUSTER },
      problems: ['nodes replace the client address'],
    },
    {
      title: 'nodes replace the client address with policy Cluster',
      controller: instances,
      request: { ...ONE_PORT, clientAddress: ClientAddress.REPLACE },
      plan: { externalTrafficPolicy: TrafficPolicy.CLUSTER },
    },
    {
      title: 'nodes cannot replace it with a pool as backend',
      controller: instances,
      request: { ...ONE_PORT, clientAddress: ClientAddress.REPLACE, backendNodes: edge },
      problems: ['Local, which backendNodes needs, the pod sees'],
    },
    {
      title: 'pods as targets do not see the client of TCP',
      controller: eks,
      request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE },
      problems: ["with target type 'ip' TCP replaces the client address"],
    },
    {
      title: 'pods as targets see the balancer',
      controller: eks,
      request: { ...ONE_PORT, clientAddress: ClientAddress.REPLACE },
    },
    {
      title: 'pods as targets see the client of UDP',
      controller: eks,
      request: { ports: UDP, clientAddress: ClientAddress.PRESERVE },
    },
    {
      title: 'pods as targets always see the client of UDP',
      controller: eks,
      request: { ports: UDP, clientAddress: ClientAddress.REPLACE },
      problems: ['UDP always keeps the client address'],
    },
    {
      title: 'a traffic policy is written',
      controller: eks,
      request: { ...ONE_PORT, trafficPolicy: TrafficPolicy.LOCAL },
      plan: { externalTrafficPolicy: TrafficPolicy.LOCAL },
    },
    { title: 'UDP and TCP have ports of their own', controller: eks, request: { ports: [...UDP, { port: 443 }] } },
    {
      title: 'one port has one protocol',
      controller: eks,
      request: { ports: [...UDP, { port: 53 }] },
      problems: ['port 53 cannot carry UDP and TCP at once'],
    },
    {
      title: 'SCTP is refused',
      controller: eks,
      request: { ports: [{ port: 9, protocol: PortProtocol.SCTP }] },
      problems: ['cannot balance SCTP'],
    },
    {
      title: 'session affinity is refused',
      controller: eks,
      request: { ...ONE_PORT, sessionAffinity: {} },
      problems: ['stickiness is an attribute of target groups'],
    },
    {
      title: 'IPv6 makes a balancer of both families',
      controller: eks,
      request: { ...ONE_PORT, ipFamilies: [IpFamily.IPV6] },
      plan: { annotations: { ...IP, ...INTERNAL, [key('ip-address-type')]: 'dualstack' }, ipFamilies: [IpFamily.IPV6] },
    },
    {
      title: 'IPv4 makes a balancer of IPv4',
      controller: eks,
      request: { ...ONE_PORT, ipFamilies: [IpFamily.IPV4] },
      plan: { annotations: { ...IP, ...INTERNAL, [key('ip-address-type')]: 'ipv4' } },
    },
    {
      title: 'source ranges stand in the spec',
      controller: eks,
      request: { ...ONE_PORT, sourceRanges: ['10.0.0.0/8'] },
      plan: { annotations: { ...IP, ...INTERNAL }, sourceRanges: ['10.0.0.0/8'] },
    },
    {
      title: 'fixed addresses are refused',
      controller: eks,
      request: { ...ONE_PORT, staticAddresses: ['eipalloc-1'] },
      problems: ['does not document fixed addresses'],
    },
    {
      title: 'proxy protocol is refused',
      controller: eks,
      request: { ...ONE_PORT, proxyProtocol: true },
      problems: ['does not support proxy protocol'],
    },
    { title: 'no proxy protocol is what there is', controller: eks, request: { ...ONE_PORT, proxyProtocol: false } },
    {
      title: 'a health check is written word by word',
      controller: eks,
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
          ...IP,
          ...INTERNAL,
          [key('healthcheck-protocol')]: 'http',
          [key('healthcheck-port')]: '8080',
          [key('healthcheck-path')]: '/ready',
          [key('healthcheck-interval')]: '10',
          [key('healthcheck-timeout')]: '6',
          [key('healthcheck-healthy-threshold')]: '2',
          [key('healthcheck-unhealthy-threshold')]: '3',
        },
      },
    },
  ],
  services: [
    { title: 'a plain Service', service: service() },
    ...certificateRows((annotations) => service({}, annotations)),
    {
      title: 'source ranges by annotation',
      service: service({}, { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8' }),
      errors: ['eks-auto-mode-unsupported'],
    },
    ...[
      'type',
      'internal',
      'proxy-protocol',
      'cross-zone-load-balancing-enabled',
      'access-log-enabled',
      'access-log-s3-bucket-name',
      'access-log-s3-bucket-prefix',
      'access-log-emit-interval',
    ].map((name) => ({
      title: `${name} is not supported`,
      service: service({}, { [key(name)]: 'x' }),
      errors: ['eks-auto-mode-unsupported'],
    })),
  ],
  claims: claimsOf('eks-auto-mode'),
  made,
  rollouts,
};

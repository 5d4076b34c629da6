import { Duration } from 'cdk8s';
import {
  AwsLoadBalancerType,
  ClientAddress,
  FinalizerPolicy,
  HealthCheckProtocol,
  IpFamily,
  LoadBalancerScheme,
  NlbTargetType,
  NodeRestriction,
  PortProtocol,
  TrafficPolicy,
} from '../../../src';
import { ONE_PORT, type RequestRow } from '../../support/cases';
import { key } from './aws.words';
import {
  ARN,
  DUALSTACK,
  edge,
  INTERNET_FACING,
  ip,
  nlb,
  plain,
  plainIp,
  TCP_AND_UDP,
  UDP,
} from './aws-load-balancer-controller.words';

/** What becomes of each wish. */
export const requests: RequestRow[] = [
  {
    title: 'a plain request makes an internal balancer by class, target type and finalizer, and is quiet',
    controller: nlb(),
    request: ONE_PORT,
    plan: {
      owner: 'aws-load-balancer-controller',
      finalizers: ['service.k8s.aws/resources'],
      annotations: plain(),
      loadBalancerClass: 'service.k8s.aws/nlb',
      externalTrafficPolicy: undefined,
      allocateLoadBalancerNodePorts: undefined,
      nodeRestriction: NodeRestriction.NONE,
    },
    source: 'facts: ownership.by_spec',
  },
  {
    title: 'the class and the finalizer are those of the installed controller',
    controller: nlb({ loadBalancerClass: 'example.com/nlb' }),
    request: { ...ONE_PORT, finalizerPolicy: FinalizerPolicy.LEAVE_TO_CONTROLLER },
    plan: { loadBalancerClass: 'example.com/nlb', finalizers: [] },
  },
  {
    title: 'claimed by annotation, the Service has type and target type and no class',
    controller: nlb({ type: AwsLoadBalancerType.EXTERNAL }),
    request: ONE_PORT,
    plan: {
      annotations: plain({ [key('type')]: 'external' }),
      loadBalancerClass: undefined,
      finalizers: ['service.k8s.aws/resources'],
    },
  },
  {
    title: 'type nlb-ip implies ip targets',
    controller: nlb({ type: AwsLoadBalancerType.NLB_IP }),
    request: ONE_PORT,
    plan: {
      annotations: plainIp({ [key('type')]: 'nlb-ip' }),
      loadBalancerClass: undefined,
      allocateLoadBalancerNodePorts: false,
    },
  },
  {
    title: 'ip targets need no node ports',
    controller: ip,
    request: ONE_PORT,
    plan: { annotations: plainIp(), allocateLoadBalancerNodePorts: false },
  },
  {
    title: 'a public balancer has to be wished for',
    controller: nlb(),
    request: { ...ONE_PORT, scheme: INTERNET_FACING },
    plan: { annotations: plain({ [key('scheme')]: 'internet-facing' }) },
  },
  {
    title: 'the scheme of an option holds where the request says nothing',
    controller: nlb({ scheme: INTERNET_FACING }),
    request: ONE_PORT,
    plan: { annotations: plain({ [key('scheme')]: 'internet-facing' }) },
  },
  {
    title: 'request and option cannot disagree on the scheme',
    controller: nlb({ scheme: INTERNET_FACING }),
    request: { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNAL },
    problems: ["scheme asks for 'internal', but the controller's option scheme is already 'internet-facing'"],
  },
  {
    title: 'the old spelling of the scheme stands alone',
    controller: nlb({ loadBalancerInternal: false }),
    request: { ...ONE_PORT, scheme: INTERNET_FACING },
    plan: { annotations: { [key('internal')]: 'false', [key('nlb-target-type')]: 'instance' } },
  },
  {
    title: 'a traffic policy is written',
    controller: nlb(),
    request: { ...ONE_PORT, trafficPolicy: TrafficPolicy.LOCAL },
    plan: { externalTrafficPolicy: TrafficPolicy.LOCAL },
  },
  {
    title: 'ip targets keep the address of the client by a target group attribute, merged with those of the option',
    controller: nlb({
      targetType: NlbTargetType.IP,
      targetGroupAttributes: { connectionTerminationOnDeregistration: true },
    }),
    request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE },
    plan: {
      annotations: plainIp({
        [key('target-group-attributes')]:
          'deregistration_delay.connection_termination.enabled=true,preserve_client_ip.enabled=true',
      }),
      externalTrafficPolicy: undefined,
    },
  },
  {
    title: 'instance targets keep the address of the client by policy Local too',
    controller: nlb(),
    request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE },
    plan: {
      annotations: plain({ [key('target-group-attributes')]: 'preserve_client_ip.enabled=true' }),
      externalTrafficPolicy: TrafficPolicy.LOCAL,
    },
  },
  {
    title: 'policy Cluster loses the address of the client at the nodes',
    controller: nlb(),
    request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE, trafficPolicy: TrafficPolicy.CLUSTER },
    problems: ['the client address does not survive instance targets with traffic policy Cluster'],
  },
  {
    title: 'an option for all ports cannot contradict the wish for the address of the client',
    controller: nlb({ targetType: NlbTargetType.IP, targetGroupAttributes: { preserveClientIp: false } }),
    request: { ...ONE_PORT, clientAddress: ClientAddress.PRESERVE },
    plan: { annotations: plainIp({ [key('target-group-attributes')]: 'preserve_client_ip.enabled=false' }) },
    problems: [
      "clientAddress asks for preserve_client_ip.enabled=true, but the controller's option targetGroupAttributes is already 'false'",
    ],
  },
  {
    title: 'an option for one port cannot contradict the wish for the address of the client',
    controller: nlb({ targetGroupAttributesPerPort: [{ port: 443, attributes: { preserveClientIp: true } }] }),
    request: { ...ONE_PORT, clientAddress: ClientAddress.REPLACE },
    problems: ["targetGroupAttributesPerPort 443 is already 'true'"],
  },
  {
    title: 'the address of the client is replaced by a target group attribute, so that pods reach themselves',
    controller: nlb(),
    request: { ...ONE_PORT, clientAddress: ClientAddress.REPLACE, trafficPolicy: TrafficPolicy.LOCAL },
    plan: {
      annotations: plain({ [key('target-group-attributes')]: 'preserve_client_ip.enabled=false' }),
      externalTrafficPolicy: TrafficPolicy.LOCAL,
      answers: {
        clientAddress: 'preserve_client_ip.enabled=false, the pod sees the balancer',
        trafficPolicy: 'externalTrafficPolicy Local',
      },
    },
  },
  {
    title: 'the address of the client cannot be replaced for UDP',
    controller: ip,
    request: { ports: [UDP], clientAddress: ClientAddress.REPLACE },
    problems: ['the client address cannot be replaced for port 53'],
  },
  {
    title: 'session affinity is the stickiness of ip targets',
    controller: ip,
    request: { ...ONE_PORT, sessionAffinity: {} },
    plan: {
      annotations: plainIp({ [key('target-group-attributes')]: 'stickiness.enabled=true,stickiness.type=source_ip' }),
      sessionAffinity: undefined,
    },
  },
  {
    title: 'session affinity of instance targets reaches the node only',
    controller: nlb(),
    request: { ...ONE_PORT, sessionAffinity: {} },
    plan: {
      annotations: plain({ [key('target-group-attributes')]: 'stickiness.enabled=true,stickiness.type=source_ip' }),
    },
    warnings: ['sticks-to-node'],
  },
  {
    title: 'beside UDP nodes do not keep the connections of TCP',
    controller: nlb(),
    request: {
      ports: [
        { name: 'tcp', port: 443 },
        { name: 'udp', port: 53, protocol: PortProtocol.UDP },
      ],
      rollout: {},
    },
    plan: { externalTrafficPolicy: TrafficPolicy.LOCAL },
    warnings: ['rollout-held-cut'],
  },
  {
    title: 'stickiness has no timeout',
    controller: ip,
    request: { ...ONE_PORT, sessionAffinity: { timeout: Duration.hours(1) } },
    problems: ['sessionAffinity cannot end after 3600 seconds'],
  },
  {
    title: 'stickiness and TLS exclude each other',
    controller: nlb({ sslCert: [ARN] }),
    request: { ...ONE_PORT, sessionAffinity: {} },
    problems: ['sessionAffinity cannot be had with sslCert'],
  },
  {
    title: 'a pool becomes node labels on the Service, and only nodes with a pod answer',
    controller: nlb(),
    request: { ...ONE_PORT, backendNodes: edge },
    plan: {
      annotations: plain({ [key('target-node-labels')]: 'pool=edge' }),
      nodeRestriction: NodeRestriction.ON_SERVICE,
      externalTrafficPolicy: TrafficPolicy.LOCAL,
    },
    source: 'lab: exactly the matching nodes',
  },
  {
    title: 'a pool leaves a traffic policy that is said as it is',
    controller: nlb(),
    request: { ...ONE_PORT, backendNodes: edge, trafficPolicy: TrafficPolicy.CLUSTER },
    plan: { externalTrafficPolicy: TrafficPolicy.CLUSTER },
  },
  {
    title: 'backend nodes cannot be chosen with ip targets',
    controller: ip,
    request: { ...ONE_PORT, backendNodes: edge },
    plan: { annotations: plainIp(), nodeRestriction: NodeRestriction.NONE },
    problems: ['use NlbTargetType.INSTANCE, or only pin the pods with NodePool.pin'],
  },
  {
    title: 'source ranges stand in the field',
    controller: nlb(),
    request: { ...ONE_PORT, sourceRanges: ['10.0.0.0/8'] },
    plan: { sourceRanges: ['10.0.0.0/8'], annotations: plain() },
  },
  {
    title: 'source ranges are not for own security groups',
    controller: nlb({ securityGroups: ['sg-1'] }),
    request: { ...ONE_PORT, sourceRanges: ['10.0.0.0/8'] },
    plan: { sourceRanges: undefined },
    problems: ['source ranges 10.0.0.0/8 are ignored with the option securityGroups, sg-1'],
  },
  {
    title: 'source ranges of IPv6 need a dualstack balancer',
    controller: nlb(),
    request: { ...ONE_PORT, sourceRanges: ['2001:db8::/32'] },
    problems: ['the source range 2001:db8::/32 needs a dualstack balancer'],
  },
  {
    title: 'source ranges are said in one place',
    controller: nlb({ loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    request: { ...ONE_PORT, sourceRanges: ['10.1.0.0/16'] },
    problems: ["option loadBalancerSourceRanges is already '10.0.0.0/8'"],
  },
  {
    title: 'the fixed addresses of a public balancer are elastic IPs',
    controller: nlb(),
    request: { ...ONE_PORT, scheme: INTERNET_FACING, staticAddresses: ['eipalloc-1', 'eipalloc-2'] },
    plan: {
      annotations: plain({ [key('scheme')]: 'internet-facing', [key('eip-allocations')]: 'eipalloc-1,eipalloc-2' }),
    },
  },
  {
    title: 'elastic IPs are named by allocation id',
    controller: nlb({ scheme: INTERNET_FACING }),
    request: { ...ONE_PORT, staticAddresses: ['203.0.113.7'] },
    problems: ["a public balancer takes elastic IPs by allocation id, not the address '203.0.113.7'"],
  },
  {
    title: 'the fixed addresses of an internal dual stack balancer are of both families',
    controller: nlb(DUALSTACK),
    request: { ...ONE_PORT, staticAddresses: ['10.0.0.7', '2001:db8::7'] },
    plan: {
      annotations: plain({
        [key('ip-address-type')]: 'dualstack',
        [key('private-ipv4-addresses')]: '10.0.0.7',
        [key('ipv6-addresses')]: '2001:db8::7',
      }),
    },
  },
  {
    title: 'an internal balancer has no elastic IPs',
    controller: nlb(),
    request: { ...ONE_PORT, staticAddresses: ['eipalloc-1'] },
    problems: ["an internal balancer takes private addresses, not the elastic IP 'eipalloc-1'"],
  },
  {
    title: 'a fixed IPv6 address needs a dualstack balancer',
    controller: nlb(),
    request: { ...ONE_PORT, staticAddresses: ['2001:db8::7'] },
    problems: ['the fixed address 2001:db8::7 needs a dualstack balancer'],
  },
  {
    title: 'a Service of IPv4 has a balancer of IPv4',
    controller: nlb(),
    request: { ...ONE_PORT, ipFamilies: [IpFamily.IPV4] },
    plan: { annotations: plain({ [key('ip-address-type')]: 'ipv4' }), ipFamilies: [IpFamily.IPV4] },
  },
  {
    title: 'a Service of IPv6 alone needs a dualstack balancer',
    controller: ip,
    request: { ...ONE_PORT, ipFamilies: [IpFamily.IPV6] },
    plan: { annotations: plainIp({ [key('ip-address-type')]: 'dualstack' }), ipFamilies: [IpFamily.IPV6] },
    source: 'pkg/service/model_build_target_group.go, buildTargetGroupIPAddressType',
  },
  {
    title: 'UDP on a dualstack balancer has IPv6 source NAT',
    controller: ip,
    request: { ports: [UDP], ipFamilies: [IpFamily.IPV4, IpFamily.IPV6] },
    plan: {
      annotations: plainIp({ [key('ip-address-type')]: 'dualstack', [key('enable-prefix-for-ipv6-source-nat')]: 'on' }),
    },
  },
  {
    title: 'UDP is balanced',
    controller: nlb(),
    request: { ports: [UDP] },
    plan: { annotations: plain(), answers: { protocols: 'UDP listeners' } },
  },
  {
    title: 'TCP and UDP of one number are one listener',
    controller: nlb(),
    request: TCP_AND_UDP,
    plan: { annotations: plain({ [key('enable-tcp-udp-listener')]: 'true' }) },
  },
  {
    title: 'SCTP is refused',
    controller: nlb(),
    request: { ports: [{ port: 3868, protocol: PortProtocol.SCTP }] },
    problems: ['port 3868 is SCTP, and a Network Load Balancer has TCP and UDP only'],
  },
  {
    title: 'proxy protocol is switched on by an asterisk',
    controller: nlb(),
    request: { ...ONE_PORT, proxyProtocol: true },
    plan: { annotations: plain({ [key('proxy-protocol')]: '*' }) },
  },
  {
    title: 'no proxy protocol needs no annotation',
    controller: nlb(),
    request: { ...ONE_PORT, proxyProtocol: false },
    plan: { annotations: plain() },
  },
  {
    title: 'an option cannot switch on the proxy protocol that a request switches off',
    controller: nlb({ targetGroupAttributes: { proxyProtocolV2: true } }),
    request: { ...ONE_PORT, proxyProtocol: false },
    problems: ['proxyProtocol asks for none, but an option of the controller switches it on'],
  },
  {
    title: 'proxy protocol for all ports and for a list of ports exclude each other',
    controller: nlb({ proxyProtocolPerTargetGroup: [443] }),
    request: { ...ONE_PORT, proxyProtocol: true },
    problems: ['option proxyProtocolPerTargetGroup has 443'],
  },
  {
    title: 'a health check with a path is HTTP unless somebody says otherwise',
    controller: nlb(),
    request: {
      ...ONE_PORT,
      healthCheck: {
        path: '/ready',
        port: 8080,
        interval: Duration.seconds(20),
        timeout: Duration.seconds(5),
        healthyThreshold: 2,
        unhealthyThreshold: 3,
      },
    },
    plan: {
      annotations: plain({
        [key('healthcheck-protocol')]: 'http',
        [key('healthcheck-port')]: '8080',
        [key('healthcheck-path')]: '/ready',
        [key('healthcheck-interval')]: '20',
        [key('healthcheck-timeout')]: '5',
        [key('healthcheck-healthy-threshold')]: '2',
        [key('healthcheck-unhealthy-threshold')]: '3',
      }),
    },
  },
  {
    title: 'a health check by TCP has no path',
    controller: nlb(),
    request: { ...ONE_PORT, healthCheck: { protocol: HealthCheckProtocol.TCP, path: '/ready' } },
    problems: ["the health check has the path '/ready', which TCP ignores"],
  },
  {
    title: 'a health check outside the range of AWS is refused',
    controller: nlb(),
    request: { ...ONE_PORT, healthCheck: { interval: Duration.seconds(1) } },
    problems: ["healthCheckInterval: '1' is not a whole number from 5 to 300 (seconds)"],
  },
];

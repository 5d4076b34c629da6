import { Duration } from 'cdk8s';
import {
  AwsLoadBalancerController,
  type AwsLoadBalancerControllerNlbOptions,
  AwsLoadBalancerType,
  ClientAddress,
  FinalizerPolicy,
  HealthCheckProtocol,
  IpFamily,
  LoadBalancerScheme,
  NlbIpAddressType,
  NlbListenerProtocol,
  NlbTargetType,
  NodePool,
  NodeRestriction,
  PortProtocol,
  TrafficPolicy,
} from '../../src';
import { type ControllerCases, ONE_PORT, type OptionRow, type ServiceRow, service } from '../support/cases';

const key = (name: string) => `service.beta.kubernetes.io/aws-load-balancer-${name}`;
const nlb = (options?: AwsLoadBalancerControllerNlbOptions) => () => AwsLoadBalancerController.nlb(options);
const ip = nlb({ targetType: NlbTargetType.IP });
const edge = NodePool.labeled({ pool: 'edge' });
const INTERNET_FACING = LoadBalancerScheme.INTERNET_FACING;
const UDP = { port: 53, protocol: PortProtocol.UDP };
const TCP_AND_UDP = {
  ports: [
    { port: 53, name: 'tcp' },
    { port: 53, name: 'udp', protocol: PortProtocol.UDP },
  ],
};

/** The annotations that every plan has. */
const plain = (more: Record<string, string> = {}) => ({
  [key('scheme')]: 'internal',
  [key('nlb-target-type')]: 'instance',
  ...more,
});
const plainIp = (more: Record<string, string> = {}) => plain({ [key('nlb-target-type')]: 'ip', ...more });

/** An option whose value is text: what it writes, under which name, and what is refused. */
const option = (
  name: string,
  suffix: string,
  valid: unknown,
  text: string,
  refused: unknown,
  more = {},
): OptionRow => ({
  option: name,
  valid,
  writes: { [key(suffix)]: text },
  refused,
  ...more,
});

const CERTIFICATE = { with: { sslCert: ['arn:aws:acm:eu-west-1:1:certificate/a'] } };
const DUALSTACK = { ipAddressType: NlbIpAddressType.DUALSTACK };
const target = { serviceName: 'next', servicePort: '81', weight: 30 };

const options: OptionRow[] = [
  option('type', 'type', 'external', 'external', 'nlb'),
  option('targetType', 'nlb-target-type', 'ip', 'ip', 'pods'),
  option('loadBalancerName', 'name', 'edge-1', 'edge-1', 'a-name-of-thirty-three-characters'),
  option('scheme', 'scheme', 'internet-facing', 'internet-facing', 'public'),
  option('internal', 'internal', false, 'false', 'no'),
  option('ipAddressType', 'ip-address-type', 'dualstack', 'dualstack', 'ipv6'),
  option(
    'loadBalancerAttributes',
    'attributes',
    {
      deletionProtection: false,
      dnsRecordClientRoutingPolicy: 'any_availability_zone',
      additional: { 'zonal_shift.config.enabled': 'true' },
    },
    'deletion_protection.enabled=false,dns_record.client_routing_policy=any_availability_zone,zonal_shift.config.enabled=true',
    { crossZone: 'on' },
  ),
  option('crossZoneLoadBalancingEnabled', 'cross-zone-load-balancing-enabled', true, 'true', 'on'),
  option('accessLogEnabled', 'access-log-enabled', false, 'false', 'yes'),
  option('accessLogS3BucketName', 'access-log-s3-bucket-name', 'logs', 'logs', ''),
  option('accessLogS3BucketPrefix', 'access-log-s3-bucket-prefix', 'edge', 'edge', ' '),
  option('minimumLoadBalancerCapacity', 'minimum-load-balancer-capacity', 3000, 'CapacityUnits=3000', 0.5),
  option('subnets', 'subnets', ['subnet-1', 'private b'], 'subnet-1,private b', []),
  option('eipAllocations', 'eip-allocations', ['eipalloc-1', 'eipalloc-2'], 'eipalloc-1,eipalloc-2', ['203.0.113.7']),
  option('privateIpv4Addresses', 'private-ipv4-addresses', ['10.0.0.7'], '10.0.0.7', ['10.0.0.777']),
  option('ipv6Addresses', 'ipv6-addresses', ['2001:db8::7'], '2001:db8::7', ['10.0.0.7']),
  option('enablePrefixForIpv6SourceNat', 'enable-prefix-for-ipv6-source-nat', true, 'on', 'yes', { with: DUALSTACK }),
  option(
    'sourceNatIpv6Prefixes',
    'source-nat-ipv6-prefixes',
    ['auto_assigned', '2001:db8::/80'],
    'auto_assigned,2001:db8::/80',
    ['2001:db8::/64'],
    {
      with: { enablePrefixForIpv6SourceNat: true, ...DUALSTACK },
    },
  ),
  option('targetNodeLabels', 'target-node-labels', { pool: 'edge', zone: 'a' }, 'pool=edge,zone=a', {}),
  option('sslCert', 'ssl-cert', ['arn:aws:acm:eu-west-1:1:certificate/a'], 'arn:aws:acm:eu-west-1:1:certificate/a', [
    'my-certificate',
  ]),
  option('sslPorts', 'ssl-ports', ['443', 'https'], '443,https', ['*'], CERTIFICATE),
  option(
    'sslNegotiationPolicy',
    'ssl-negotiation-policy',
    'ELBSecurityPolicy-TLS13-1-2-2021-06',
    'ELBSecurityPolicy-TLS13-1-2-2021-06',
    '',
    CERTIFICATE,
  ),
  option('backendProtocol', 'backend-protocol', 'ssl', 'ssl', 'https', CERTIFICATE),
  option('alpnPolicy', 'alpn-policy', 'HTTP2Preferred', 'HTTP2Preferred', 'h2', CERTIFICATE),
  option(
    'listenerAttributes',
    'listener-attributes.TCP-443',
    [{ protocol: NlbListenerProtocol.TCP, port: 443, tcpIdleTimeout: Duration.minutes(10) }],
    'tcp.idle_timeout.seconds=600',
    [{ protocol: NlbListenerProtocol.TCP, port: 443, tcpIdleTimeout: Duration.hours(2) }],
  ),
  option('enableTcpUdpListener', 'enable-tcp-udp-listener', true, 'true', 'on'),
  option('quicEnabledPorts', 'quic-enabled-ports', ['443'], '443', ['*'], { with: { targetType: NlbTargetType.IP } }),
  {
    option: 'actions',
    valid: [
      { protocol: NlbListenerProtocol.TCP, port: 443, baseServiceWeight: 70, targetGroups: [target], stickiness: true },
    ],
    writes: {
      'service.beta.kubernetes.io/actions.TCP-443':
        '{"type":"forward","forwardConfig":{"baseServiceWeight":70,"targetGroups":[{"servicePort":81,"serviceName":"next","weight":30}],"targetGroupStickinessConfig":{"enabled":true}}}',
    },
    refused: [{ protocol: NlbListenerProtocol.TCP, port: 443, baseServiceWeight: 1000, targetGroups: [] }],
  },
  option('proxyProtocol', 'proxy-protocol', true, '*', false),
  option('proxyProtocolPerTargetGroup', 'proxy-protocol-per-target-group', [80, 443], '80,443', ['http']),
  option(
    'targetGroupAttributes',
    'target-group-attributes',
    { preserveClientIp: true, deregistrationDelay: Duration.minutes(2), additional: { note: 'a,b\\c' } },
    'preserve_client_ip.enabled=true,deregistration_delay.timeout_seconds=120,note=a\\,b\\\\c',
    { preserveClientIp: 'yes' },
  ),
  option(
    'targetGroupAttributesPerPort',
    'target-group-attributes.443',
    [{ port: 443, attributes: { stickiness: true, stickinessType: 'source_ip' } }],
    'stickiness.enabled=true,stickiness.type=source_ip',
    [{ port: 0, attributes: { stickiness: true } }],
  ),
  option('multiClusterTargetGroup', 'multi-cluster-target-group', true, 'true', 'maybe'),
  option('healthCheckProtocol', 'healthcheck-protocol', 'http', 'http', 'grpc'),
  option('healthCheckPort', 'healthcheck-port', 'traffic-port', 'traffic-port', '99999'),
  option('healthCheckPath', 'healthcheck-path', '/ready', '/ready', 'ready'),
  option('healthCheckInterval', 'healthcheck-interval', Duration.minutes(1), '60', Duration.seconds(1)),
  option('healthCheckTimeout', 'healthcheck-timeout', Duration.seconds(6), '6', Duration.minutes(3)),
  option('healthCheckHealthyThreshold', 'healthcheck-healthy-threshold', 2, '2', 1),
  option('healthCheckUnhealthyThreshold', 'healthcheck-unhealthy-threshold', 10, '10', 11),
  option('healthCheckSuccessCodes', 'healthcheck-success-codes', '200-299,401', '200-299,401', '2xx'),
  {
    option: 'loadBalancerSourceRanges',
    valid: ['10.0.0.0/8'],
    writes: { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8' },
    refused: ['10.0.0.0'],
  },
  option('securityGroupPrefixLists', 'security-group-prefix-lists', ['pl-1'], 'pl-1', ['10.0.0.0/8']),
  option('securityGroups', 'security-groups', ['sg-1', 'edge'], 'sg-1,edge', []),
  option('manageBackendSecurityGroupRules', 'manage-backend-security-group-rules', true, 'true', 'on'),
  option('disableNlbSg', 'disable-nlb-sg', true, 'true', 'yes'),
  option('inboundSgRulesOnPrivateLinkTraffic', 'inbound-sg-rules-on-private-link-traffic', false, 'off', 'no'),
  option('enableIcmpForPathMtuDiscovery', 'enable-icmp-for-path-mtu-discovery', true, 'on', 'yes'),
  option(
    'additionalResourceTags',
    'additional-resource-tags',
    { team: 'edge', note: 'a=b,c' },
    'team=edge,note=a=b\\,c',
    { team: 7 },
  ),
];

const requests: ControllerCases['requests'] = [
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
    problems: ["scheme asks for 'internal', but the controller's option scheme already says 'internet-facing'"],
  },
  {
    title: 'the old spelling of the scheme stands alone',
    controller: nlb({ internal: false }),
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
      "clientAddress asks for preserve_client_ip.enabled=true, but the controller's option targetGroupAttributes already says 'false'",
    ],
  },
  {
    title: 'an option for one port cannot contradict the wish for the address of the client',
    controller: nlb({ targetGroupAttributesPerPort: [{ port: 443, attributes: { preserveClientIp: true } }] }),
    request: { ...ONE_PORT, clientAddress: ClientAddress.REPLACE },
    problems: ["targetGroupAttributesPerPort 443 already says 'true'"],
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
    title: 'stickiness has no timeout',
    controller: ip,
    request: { ...ONE_PORT, sessionAffinity: { timeout: Duration.hours(1) } },
    problems: ['sessionAffinity cannot end after 3600 seconds'],
  },
  {
    title: 'stickiness and TLS exclude each other',
    controller: nlb({ sslCert: ['arn:aws:acm:eu-west-1:1:certificate/a'] }),
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
    problems: ["option loadBalancerSourceRanges already says '10.0.0.0/8'"],
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
    problems: ['option proxyProtocolPerTargetGroup says 443'],
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

const CLASS = { loadBalancerClass: 'service.k8s.aws/nlb' };
/** A Service of this controller's class: annotations without their prefix. */
const of = (annotations: Record<string, string>, spec: Record<string, unknown> = {}) =>
  service(
    { ...CLASS, ...spec },
    Object.fromEntries(Object.entries(annotations).map(([name, text]) => [key(name), text])),
  );
const row = (
  title: string,
  seen: ServiceRow['service'],
  found: { errors?: string[]; warnings?: string[] },
): ServiceRow => ({
  title,
  service: seen,
  ...found,
});
const errs = (...errors: string[]) => ({ errors });
const warns = (...warnings: string[]) => ({ warnings });
const IP = { 'nlb-target-type': 'ip' };
const udp = (spec: Record<string, unknown> = {}) => ({
  ports: [{ port: 53, protocol: 'UDP', nodePort: 30053 }],
  ...spec,
});
const local = { externalTrafficPolicy: 'Local' };
const pool = { 'target-node-labels': 'pool=edge' };
const certificate = { 'ssl-cert': 'arn:aws:acm:eu-west-1:1:certificate/a' };

const services: ServiceRow[] = [
  row('a plain Service is quiet', of({ scheme: 'internal', 'nlb-target-type': 'instance' }), {}),
  row(
    'garbage is no matter of these rules',
    { kind: 'Service', spec: { ports: [null, 'x', { port: {} }] }, metadata: { annotations: { [key('subnets')]: 7 } } },
    {},
  ),
  row('node labels are ignored by ip targets', of({ ...IP, ...pool }), errs('node-labels-with-ip-targets')),
  row(
    'instance targets without node ports cannot be reached',
    of({}, { allocateLoadBalancerNodePorts: false }),
    errs('instance-targets-need-node-ports'),
  ),
  row(
    'a fixed node port serves instance targets',
    of({}, { allocateLoadBalancerNodePorts: false, ports: [{ port: 443, nodePort: 30443 }] }),
    {},
  ),
  row(
    'elastic IPs stand on a public balancer only',
    of({ 'eip-allocations': 'eipalloc-1' }),
    errs('addresses-and-scheme'),
  ),
  row(
    'elastic IPs may stand on a balancer that is public by the old spelling',
    of({ internal: 'false', 'eip-allocations': 'eipalloc-1' }),
    {},
  ),
  row(
    'private addresses stand on an internal balancer only',
    of({ scheme: 'internet-facing', 'private-ipv4-addresses': '10.0.0.7' }),
    errs('addresses-and-scheme'),
  ),
  row(
    'as many addresses as subnets',
    of({ scheme: 'internet-facing', subnets: 'a, b', 'eip-allocations': 'eipalloc-1' }),
    errs('addresses-and-subnets'),
  ),
  row('fixed IPv6 addresses need dualstack', of({ 'ipv6-addresses': '2001:db8::7' }), errs('ipv6-without-dualstack')),
  row('an IPv6 Service needs dualstack', of({}, { ipFamilies: ['IPv6'] }), errs('ipv6-without-dualstack')),
  row(
    'an IPv6 source range needs dualstack',
    of({}, { loadBalancerSourceRanges: ['10.0.0.0/8', '2001:db8::/32'] }),
    errs('ipv6-without-dualstack'),
  ),
  row('dualstack serves IPv6', of({ 'ip-address-type': 'dualstack' }, { ipFamilies: ['IPv6'] }), {}),
  row(
    'source NAT prefixes need source NAT',
    of({ 'ip-address-type': 'dualstack', 'source-nat-ipv6-prefixes': 'auto_assigned' }),
    errs('source-nat-prefixes-without-source-nat'),
  ),
  row(
    'UDP on dualstack needs source NAT',
    of({ ...IP, 'ip-address-type': 'dualstack', 'healthcheck-port': '8080' }, udp()),
    errs('udp-on-dualstack'),
  ),
  row('SCTP has no listener', of({}, { ports: [{ port: 3868, protocol: 'SCTP' }] }), errs('sctp')),
  row(
    'TCP and UDP of one number are not merged by themselves',
    of({ 'healthcheck-port': '8080' }, { ports: [{ port: 53 }, { port: 53, protocol: 'UDP' }] }),
    errs('tcp-and-udp-on-one-port'),
  ),
  row(
    'TCP and UDP of one number are merged on demand, and checked by TCP',
    of({ 'enable-tcp-udp-listener': 'true' }, { ports: [{ port: 53 }, { port: 53, protocol: 'UDP' }] }),
    {},
  ),
  row(
    'fifty-one ports are too many',
    of({}, { ports: Array.from({ length: 51 }, (_, i) => ({ port: i + 1 })) }),
    errs('too-many-listeners'),
  ),
  row('fifty ports are not', of({}, { ports: Array.from({ length: 50 }, (_, i) => ({ port: i + 1 })) }), {}),
  row(
    'a TLS port is a port of the Service',
    of({ ...certificate, 'ssl-ports': '443, https' }),
    errs('ssl-port-unknown'),
  ),
  row(
    'TLS settings need a certificate',
    of({ 'ssl-ports': '443', 'backend-protocol': 'tcp', 'alpn-policy': 'None' }),
    warns('tls-without-certificate', 'tls-without-certificate'),
  ),
  row(
    'QUIC needs ip targets',
    of({ 'quic-enabled-ports': '53', 'healthcheck-port': '8080' }, udp()),
    errs('quic-with-instance-targets'),
  ),
  row('QUIC needs UDP', of({ ...IP, 'quic-enabled-ports': '443' }), errs('quic-needs-udp')),
  row('a health check port is known', of({ 'healthcheck-port': 'health' }), errs('health-check-port-unknown')),
  row(
    'ip targets do not resolve the name of a target port',
    of({ ...IP, 'healthcheck-port': 'web' }, { ports: [{ name: 'web', port: 443, targetPort: 'https' }] }),
    errs('health-check-port-unknown'),
  ),
  row(
    'the name of a port with a number may be checked',
    of({ ...IP, 'healthcheck-port': 'web' }, { ports: [{ name: 'web', port: 443, targetPort: 8443 }] }),
    {},
  ),
  row(
    'UDP always keeps the address of the client',
    of({ ...IP, 'healthcheck-port': '8080', 'target-group-attributes': 'preserve_client_ip.enabled=false' }, udp()),
    errs('client-address-of-udp'),
  ),
  row(
    'the attributes of a port win',
    of(
      {
        'healthcheck-port': '8080',
        'target-group-attributes': 'preserve_client_ip.enabled=false',
        'target-group-attributes.53': 'preserve_client_ip.enabled=true',
      },
      udp(),
    ),
    {},
  ),
  row(
    'TLS has no stickiness',
    of({ ...certificate, 'target-group-attributes': 'stickiness.enabled=true' }),
    errs('stickiness-with-tls'),
  ),
  row(
    'own security groups are void on a balancer without any',
    of({ 'disable-nlb-sg': 'true', 'security-groups': 'sg-1' }),
    errs('groups-without-groups'),
  ),
  row(
    'own security groups make source ranges void',
    of({ 'security-groups': 'sg-1' }, { loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    errs('source-ranges-with-own-groups'),
  ),
  row(
    'access logs need a bucket',
    of({ attributes: 'access_logs.s3.enabled=true' }),
    errs('access-logs-without-bucket'),
  ),
  row(
    'the old spellings of access logs serve',
    of({ 'access-log-enabled': 'true', 'access-log-s3-bucket-name': 'logs' }),
    {},
  ),
  row(
    'the old bucket needs the old switch',
    of({ 'access-log-s3-bucket-name': 'logs' }),
    warns('access-log-settings-unread'),
  ),
  row(
    'old spellings do not stand beside new ones',
    of({
      scheme: 'internal',
      internal: 'true',
      'cross-zone-load-balancing-enabled': 'true',
      attributes: 'load_balancing.cross_zone.enabled=false',
    }),
    warns('old-beside-new', 'old-beside-new'),
  ),
  row('policy Local wants a pool', of({}, local), warns('local-without-pool')),
  row('policy Local with a pool is quiet', of(pool, local), {}),
  row('policy Local means nothing to ip targets', of(IP, local), warns('local-without-effect')),
  row(
    'policy Local is defeated by a health check of its own',
    of({ ...pool, 'healthcheck-port': '8080' }, local),
    warns('local-health-check-defeated'),
  ),
  row(
    'policy Local is defeated by a TCP health check',
    of({ ...pool, 'healthcheck-protocol': 'TCP' }, local),
    warns('local-health-check-defeated'),
  ),
  row(
    'kube-proxy does not understand proxy protocol',
    of({ ...pool, 'proxy-protocol': '*' }, local),
    warns('proxy-protocol-with-local'),
  ),
  row('UDP is checked by TCP', of({}, udp()), warns('udp-health-check')),
  row('UDP with policy Local is checked at kube-proxy', of(pool, udp(local)), {}),
  row(
    'the balancer does not know session affinity',
    of({}, { sessionAffinity: 'ClientIP' }),
    warns('session-affinity-without-effect'),
  ),
  row('loadBalancerIP is not read', of({}, { loadBalancerIP: '10.0.0.7' }), warns('load-balancer-ip-ignored')),
  row(
    'deletion protection blocks the Service',
    of({ attributes: 'deletion_protection.enabled=1' }),
    warns('deletion-protection'),
  ),
  row('a class makes the type void', of({ type: 'nlb' }), warns('class-and-type')),
  row('a type without a class claims', service({}, { [key('type')]: 'nlb-ip' }), {}),
  row(
    'a path needs HTTP',
    of({ 'healthcheck-path': '/ready', 'healthcheck-success-codes': '200' }),
    warns('health-check-path-with-tcp', 'health-check-path-with-tcp'),
  ),
  row('a path with policy Local is one of HTTP', of({ ...pool, 'healthcheck-path': '/ready' }, local), {}),
  row(
    'proxy protocol stands once',
    of({ 'proxy-protocol': '*', 'proxy-protocol-per-target-group': '443' }),
    warns('proxy-protocol-twice'),
  ),
  row(
    'settings are for ports that exist',
    of({ 'proxy-protocol-per-target-group': '443,8443', 'target-group-attributes.80': 'stickiness.enabled=true' }),
    warns('setting-for-a-missing-port', 'setting-for-a-missing-port'),
  ),
  row(
    'settings of a listener name its protocol',
    of({ ...certificate, 'listener-attributes.TCP-443': 'tcp.idle_timeout.seconds=60' }),
    warns('setting-for-a-missing-port'),
  ),
  row(
    'source ranges stand once',
    service(
      { ...CLASS, loadBalancerSourceRanges: ['10.0.0.0/8'] },
      { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.1.0.0/16' },
    ),
    warns('source-ranges-twice'),
  ),
  row(
    'without a security group source ranges need the address of the client',
    of({ ...IP, 'disable-nlb-sg': 'true' }, { loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    warns('source-ranges-without-group'),
  ),
  row('instance targets see it', of({ 'disable-nlb-sg': 'true' }, { loadBalancerSourceRanges: ['10.0.0.0/8'] }), {}),
  row(
    'a conversion of families loses the address of the client',
    of({ ...IP, 'ip-address-type': 'dualstack', 'target-group-attributes': 'preserve_client_ip.enabled=true' }),
    warns('client-address-of-other-family'),
  ),
  row(
    'an unknown attribute is told',
    of({ attributes: 'load_balancing.crosszone.enabled=true' }),
    warns('unknown-load-balancer-attribute'),
  ),
];

export const cases: ControllerCases = {
  kind: AwsLoadBalancerController._kind,
  make: (given) => AwsLoadBalancerController.nlb(given as AwsLoadBalancerControllerNlbOptions),
  options,
  requests,
  services,
};

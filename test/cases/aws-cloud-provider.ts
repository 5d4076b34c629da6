import { Duration } from 'cdk8s';
import {
  AwsCloudProvider,
  ClientAddress,
  HealthCheckProtocol,
  IpFamily,
  LoadBalancerScheme,
  NodePool,
  NodeRestriction,
  PortProtocol,
  TrafficPolicy,
} from '../../src';
import { type ControllerCases, ONE_PORT, service } from '../support/cases';

const key = (name: string) => `service.beta.kubernetes.io/aws-load-balancer-${name}`;
const nlb = () => AwsCloudProvider.nlb();
const classic = () => AwsCloudProvider.classic();
const edge = NodePool.labeled({ pool: 'edge' });
const NLB = { [key('type')]: 'nlb' };
const INTERNAL = { [key('internal')]: 'true' };
const PUBLIC = { [key('internal')]: 'false' };
const PUBLIC_PORT = { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNET_FACING };
const CLASSIC = { kind: 'classic' };

/** A value for the factory that does not know the option. */
const elsewhere = (value: unknown) => ({ elsewhere: value });

function make({ kind, ...options }: Record<string, unknown>) {
  const stray = Object.keys(options).find(
    (name) => (options[name] as { elsewhere?: unknown })?.elsewhere !== undefined,
  );
  if (stray) {
    options[stray] = (options[stray] as { elsewhere: unknown }).elsewhere;
  }
  return (kind === 'classic') === (stray === undefined)
    ? AwsCloudProvider.classic(options)
    : AwsCloudProvider.nlb(options);
}

export const cases: ControllerCases = {
  kind: AwsCloudProvider._kind,
  make,
  options: [
    { option: 'internal', valid: false, writes: PUBLIC, refused: 'no' },
    { option: 'subnets', valid: ['subnet-1', 'mine'], writes: { [key('subnets')]: 'subnet-1,mine' }, refused: [] },
    {
      option: 'securityGroups',
      valid: ['sg-1', 'sg-2'],
      writes: { [key('security-groups')]: 'sg-1,sg-2' },
      refused: ['web'],
    },
    {
      option: 'extraSecurityGroups',
      with: CLASSIC,
      valid: ['sg-1'],
      writes: { [key('extra-security-groups')]: 'sg-1' },
      refused: elsewhere(['sg-1']),
    },
    {
      option: 'sslCert',
      valid: 'arn:aws:acm:eu-west-1:1:certificate/2',
      writes: { [key('ssl-cert')]: 'arn:aws:acm:eu-west-1:1:certificate/2' },
      refused: 'my-cert',
    },
    { option: 'sslPorts', valid: ['443', 'https'], writes: { [key('ssl-ports')]: '443,https' }, refused: ['4 43'] },
    {
      option: 'sslNegotiationPolicy',
      valid: 'ELBSecurityPolicy-TLS13-1-2-2021-06',
      writes: { [key('ssl-negotiation-policy')]: 'ELBSecurityPolicy-TLS13-1-2-2021-06' },
      refused: '',
    },
    { option: 'backendProtocol', valid: 'ssl', writes: { [key('backend-protocol')]: 'ssl' }, refused: 'http' },
    {
      option: 'backendProtocol',
      with: CLASSIC,
      valid: 'http',
      writes: { [key('backend-protocol')]: 'http' },
      refused: 'grpc',
    },
    {
      option: 'crossZoneLoadBalancingEnabled',
      valid: true,
      writes: { [key('cross-zone-load-balancing-enabled')]: 'true' },
      refused: 'on',
    },
    { option: 'accessLogEnabled', valid: false, writes: { [key('access-log-enabled')]: 'false' }, refused: 'yes' },
    {
      option: 'accessLogS3BucketName',
      valid: 'logs',
      writes: { [key('access-log-s3-bucket-name')]: 'logs' },
      refused: '',
    },
    {
      option: 'accessLogS3BucketPrefix',
      valid: 'echo',
      writes: { [key('access-log-s3-bucket-prefix')]: 'echo' },
      refused: '',
    },
    {
      option: 'accessLogEmitInterval',
      with: CLASSIC,
      valid: Duration.hours(1),
      writes: { [key('access-log-emit-interval')]: '60' },
      refused: Duration.minutes(30),
    },
    {
      option: 'connectionDrainingEnabled',
      with: CLASSIC,
      valid: true,
      writes: { [key('connection-draining-enabled')]: 'true' },
      refused: elsewhere(true),
    },
    {
      option: 'connectionDrainingTimeout',
      with: CLASSIC,
      valid: Duration.minutes(1),
      writes: { [key('connection-draining-timeout')]: '60' },
      refused: Duration.hours(2),
    },
    {
      option: 'connectionIdleTimeout',
      with: CLASSIC,
      valid: Duration.minutes(1),
      writes: { [key('connection-idle-timeout')]: '60' },
      refused: Duration.seconds(4001),
    },
    {
      option: 'connectionIdleTimeout',
      with: CLASSIC,
      valid: Duration.seconds(1),
      writes: { [key('connection-idle-timeout')]: '1' },
      refused: elsewhere(Duration.minutes(1)),
    },
    { option: 'proxyProtocol', with: CLASSIC, valid: true, writes: { [key('proxy-protocol')]: '*' }, refused: false },
    {
      option: 'additionalResourceTags',
      valid: { team: 'a', empty: '' },
      writes: { [key('additional-resource-tags')]: 'team=a,empty=' },
      refused: { team: 'a,b' },
    },
    {
      option: 'targetNodeLabels',
      valid: { pool: 'edge', any: '' },
      writes: { [key('target-node-labels')]: 'pool=edge,any=' },
      refused: { pool: 'no blanks' },
    },
    {
      option: 'targetGroupAttributes',
      valid: { preserveClientIp: false, proxyProtocolV2: true },
      writes: { [key('target-group-attributes')]: 'preserve_client_ip.enabled=false,proxy_protocol_v2.enabled=true' },
      refused: { preserveClientIp: 'yes' },
    },
    {
      option: 'targetGroupAttributes',
      valid: { proxyProtocolV2: true },
      writes: { [key('target-group-attributes')]: 'proxy_protocol_v2.enabled=true' },
      refused: elsewhere({ proxyProtocolV2: true }),
    },
    {
      option: 'eipAllocations',
      valid: ['eipalloc-1', 'eipalloc-2'],
      writes: { [key('eip-allocations')]: 'eipalloc-1,eipalloc-2' },
      refused: ['203.0.113.1'],
    },
    {
      option: 'privateIpv4Addresses',
      valid: ['10.0.0.8'],
      writes: { [key('private-ipv4-addresses')]: '10.0.0.8' },
      refused: ['fd00::1'],
    },
    {
      option: 'healthCheckProtocol',
      valid: HealthCheckProtocol.HTTP,
      writes: { [key('healthcheck-protocol')]: 'http' },
      refused: 'grpc',
    },
    {
      option: 'healthCheckPort',
      valid: 'traffic-port',
      writes: { [key('healthcheck-port')]: 'traffic-port' },
      refused: 'web',
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
      valid: Duration.seconds(5),
      writes: { [key('healthcheck-timeout')]: '5' },
      refused: Duration.seconds(61),
    },
    {
      option: 'healthCheckHealthyThreshold',
      valid: 2,
      writes: { [key('healthcheck-healthy-threshold')]: '2' },
      refused: 1,
    },
    {
      option: 'healthCheckUnhealthyThreshold',
      valid: 10,
      writes: { [key('healthcheck-unhealthy-threshold')]: '10' },
      refused: 11,
    },
  ],
  requests: [
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
      controller: () => AwsCloudProvider.nlb({ internal: false }),
      request: ONE_PORT,
      plan: { annotations: { ...NLB, ...PUBLIC } },
    },
    {
      title: 'a public request contradicts an internal option',
      controller: () => AwsCloudProvider.nlb({ internal: true }),
      request: PUBLIC_PORT,
      problems: ["option internal already says 'true'"],
    },
    {
      title: 'a pool becomes node labels on the Service and policy Local',
      controller: nlb,
      request: { ...ONE_PORT, backendNodes: edge },
      plan: {
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
      problems: ['the option targetGroupAttributes says false'],
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
      title: 'a health check is written word by word',
      controller: nlb,
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
          ...NLB,
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
    {
      title: 'the sample of the Kubernetes docs is a public Classic Load Balancer',
      service: service({ ports: [{ protocol: 'TCP', port: 80, targetPort: 9376 }] }),
    },
    {
      title: 'the ports have one protocol',
      service: service({ ports: [{ port: 53, protocol: 'UDP' }, { port: 53 }] }, NLB),
      errors: ['aws-cloud-mixed-protocols'],
    },
    {
      title: 'a Classic Load Balancer balances TCP',
      service: service({ ports: [{ port: 53, protocol: 'UDP' }] }),
      errors: ['aws-cloud-protocol'],
    },
    {
      title: 'a Network Load Balancer balances UDP',
      service: service({ ports: [{ port: 53, protocol: 'UDP' }] }, NLB),
    },
    {
      title: 'sessionAffinity is refused',
      service: service({ sessionAffinity: 'ClientIP' }),
      errors: ['aws-cloud-session-affinity'],
    },
    { title: 'sessionAffinity None is fine', service: service({ sessionAffinity: 'None' }) },
    {
      title: 'loadBalancerIP is refused',
      service: service({ loadBalancerIP: '10.0.0.8' }),
      errors: ['aws-cloud-load-balancer-ip'],
    },
    {
      title: 'ports need node ports',
      service: service({ allocateLoadBalancerNodePorts: false }),
      errors: ['aws-cloud-no-node-ports'],
    },
    { title: 'clb is no type', service: service({}, { [key('type')]: 'clb' }), warnings: ['aws-cloud-unknown-type'] },
    { title: 'elb is no type', service: service({}, { [key('type')]: 'elb' }), warnings: ['aws-cloud-unknown-type'] },
    {
      title: 'NLB in capitals is no type',
      service: service({}, { [key('type')]: 'NLB' }),
      warnings: ['aws-cloud-unknown-type'],
    },
    {
      title: 'extra security groups are refused for a Network Load Balancer',
      service: service({}, { ...NLB, [key('extra-security-groups')]: 'sg-1' }),
      errors: ['aws-cloud-refused-annotation'],
    },
    {
      title: 'target group attributes are refused for a Classic Load Balancer',
      service: service({}, { [key('target-group-attributes')]: 'proxy_protocol_v2.enabled=true' }),
      errors: ['aws-cloud-refused-annotation'],
    },
    {
      title: 'an idle timeout has no effect on a Network Load Balancer',
      service: service({}, { ...NLB, [key('connection-idle-timeout')]: '60' }),
      warnings: ['aws-cloud-ignored-annotation'],
    },
    {
      title: 'elastic addresses have no effect on a Classic Load Balancer',
      service: service({}, { [key('eip-allocations')]: 'eipalloc-1' }),
      warnings: ['aws-cloud-ignored-annotation'],
    },
    {
      title: 'a Network Load Balancer does not speak HTTP',
      service: service({}, { ...NLB, [key('backend-protocol')]: 'http' }),
      warnings: ['aws-cloud-nlb-backend-protocol'],
    },
    {
      title: 'backend protocol tcp is what a Network Load Balancer does anyway',
      service: service({}, { ...NLB, [key('backend-protocol')]: 'tcp' }),
    },
    {
      title: 'elastic addresses are not for internal balancers',
      service: service({}, { ...NLB, [key('internal')]: '0.0.0.0/0', [key('eip-allocations')]: 'eipalloc-1' }),
      errors: ['aws-cloud-addresses-of-scheme'],
    },
    {
      title: 'private addresses are not for public balancers',
      service: service({}, { ...NLB, [key('private-ipv4-addresses')]: '10.0.0.8' }),
      errors: ['aws-cloud-addresses-of-scheme'],
    },
    {
      title: 'there is one address for each subnet',
      service: service({}, { ...NLB, [key('eip-allocations')]: 'eipalloc-1', [key('subnets')]: 'a,b' }),
      errors: ['aws-cloud-address-count'],
    },
    {
      title: 'UDP keeps the client address',
      service: service(
        { ports: [{ port: 53, protocol: 'UDP' }] },
        { ...NLB, [key('target-group-attributes')]: 'preserve_client_ip.enabled=false' },
      ),
      errors: ['aws-cloud-udp-client-address'],
    },
    {
      title: 'a label without a value matches any value',
      service: service({}, { [key('target-node-labels')]: 'pool=' }),
      warnings: ['aws-cloud-any-label-value'],
    },
    {
      title: 'access logs need a bucket',
      service: service({}, { [key('access-log-enabled')]: 'true' }),
      errors: ['aws-cloud-access-log-bucket'],
    },
    {
      title: 'a TCP check has no path',
      service: service({}, { ...NLB, [key('healthcheck-path')]: '/ready' }),
      warnings: ['aws-cloud-health-check-path'],
    },
    {
      title: 'with policy Local the check is HTTP',
      service: service({ externalTrafficPolicy: 'Local' }, { ...NLB, [key('healthcheck-path')]: '/ready' }),
    },
    {
      title: 'own security groups make source ranges idle',
      service: service({ loadBalancerSourceRanges: ['10.0.0.0/8'] }, { [key('security-groups')]: 'sg-1' }),
      errors: ['aws-cloud-source-ranges-ignored'],
    },
    {
      title: 'the older place of source ranges is read as well',
      service: service({}, { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8, fd00::/8' }),
      errors: ['aws-cloud-ipv6-source-range'],
    },
    {
      title: 'source ranges are IPv4',
      service: service({ loadBalancerSourceRanges: ['fd00::/8'] }, NLB),
      errors: ['aws-cloud-ipv6-source-range'],
    },
    {
      title: 'garbage is judged in peace',
      service: service(
        { ports: 'none', sessionAffinity: 0, loadBalancerSourceRanges: {} },
        { [key('type')]: false as unknown as string },
      ),
    },
  ],
};

import { Duration } from 'cdk8s';
import { NlbListenerProtocol, NlbTargetType } from '../../../src';
import type { OptionRow } from '../../support/cases';
import { key } from './aws.words';
import { ARN, DUALSTACK } from './aws-load-balancer-controller.words';

/** An option whose value is text: what it writes, under which name, and what is refused. */
const option = (
  name: string,
  suffix: string,
  valid: unknown,
  text: string,
  refused: unknown,
  more = {},
): OptionRow => ({ option: name, valid, writes: { [key(suffix)]: text }, refused, ...more });

const CERTIFICATE = { with: { sslCert: [ARN] } };
const target = { serviceName: 'next', servicePort: '81', weight: 30 };

/** What each option writes, and what it refuses. */
export const options: OptionRow[] = [
  option('type', 'type', 'external', 'external', 'nlb'),
  option('targetType', 'nlb-target-type', 'ip', 'ip', 'pods'),
  option('loadBalancerName', 'name', 'edge-1', 'edge-1', 'a-name-of-thirty-three-characters'),
  option('scheme', 'scheme', 'internet-facing', 'internet-facing', 'public'),
  option('loadBalancerInternal', 'internal', false, 'false', 'no'),
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
    { with: { enablePrefixForIpv6SourceNat: true, ...DUALSTACK } },
  ),
  option('targetNodeLabels', 'target-node-labels', { pool: 'edge', zone: 'a' }, 'pool=edge,zone=a', {}),
  option('sslCert', 'ssl-cert', [ARN], ARN, ['my-certificate']),
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

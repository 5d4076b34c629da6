import { Duration } from 'cdk8s';
import { HealthCheckProtocol, KubernetesVersion } from '../../../src';
import type { OptionRow } from '../../support/cases';
import { key } from './aws.words';
import { CLASSIC, PUBLIC } from './aws-cloud-provider.words';

/** What each option writes, and what it refuses. */
export const options: OptionRow[] = [
  { option: 'loadBalancerInternal', valid: false, writes: PUBLIC, refused: 'no' },
  { option: 'subnets', valid: ['subnet-1', 'mine'], writes: { [key('subnets')]: 'subnet-1,mine' }, refused: [] },
  {
    option: 'securityGroups',
    with: CLASSIC,
    valid: ['sg-1', 'sg-2'],
    writes: { [key('security-groups')]: 'sg-1,sg-2' },
    refused: ['web'],
  },
  {
    option: 'securityGroups',
    valid: ['sg-1', 'sg-2'],
    writes: { [key('security-groups')]: 'sg-1,sg-2' },
    refused: ['web'],
  },
  { option: 'version', valid: KubernetesVersion.V1_37, writes: {}, anything: 'a version is typed, and goes nowhere' },
  {
    option: 'extraSecurityGroups',
    with: CLASSIC,
    valid: ['sg-1'],
    writes: { [key('extra-security-groups')]: 'sg-1' },
    refused: ['web'],
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
    refused: 'on',
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
    writes: { [key('healthcheck-protocol')]: 'HTTP' },
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
    with: CLASSIC,
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
];

import { AwsCloudProvider, KubernetesVersion } from '../../../src';
import { type ServiceRow, service } from '../../support/cases';
import { key } from './aws.words';
import { NLB } from './aws-cloud-provider.words';

const { V1_34, V1_35, V1_36, V1_37 } = KubernetesVersion;
const UDP = { ports: [{ port: 53, protocol: 'UDP' }] };

/** What the rules say of anybody's Service. */
export const services: ServiceRow[] = [
  {
    title: 'the sample of the Kubernetes docs is a public Classic Load Balancer',
    service: service({ ports: [{ protocol: 'TCP', port: 80, targetPort: 9376 }] }),
  },
  {
    title: 'a certificate is where the balancer is',
    service: service({}, { ...NLB, [key('ssl-cert')]: 'arn:aws:acm:us-east-1:1:certificate/a' }),
    known: { region: 'eu-west-1' },
    errors: ['certificate-of-another-region'],
  },
  {
    title: 'a Network Load Balancer balances UDP, and policy Local checks its nodes by HTTP',
    service: service({ ...UDP, externalTrafficPolicy: 'Local' }, NLB),
  },
  {
    title: 'another protocol does not help where the port is that of the traffic',
    service: service(UDP, { ...NLB, [key('healthcheck-protocol')]: 'HTTP', [key('healthcheck-port')]: 'traffic-port' }),
    warnings: ['aws-cloud-udp-health-check'],
  },
  {
    title: 'nor does policy Local',
    service: service({ ...UDP, externalTrafficPolicy: 'Local' }, { ...NLB, [key('healthcheck-port')]: 'traffic-port' }),
    warnings: ['aws-cloud-udp-health-check'],
  },
  {
    title: 'a port of its own is a health check for UDP',
    service: service(UDP, {
      ...NLB,
      [key('healthcheck-protocol')]: 'HTTP',
      [key('healthcheck-port')]: '10256',
      [key('healthcheck-path')]: '/healthz',
    }),
  },
  {
    title: 'settings of TLS need a certificate',
    service: service({}, { [key('ssl-ports')]: '443', [key('backend-protocol')]: 'ssl' }),
    warnings: ['tls-without-certificate', 'tls-without-certificate'],
  },
  {
    title: 'HTTP is balanced without a certificate',
    service: service({}, { [key('backend-protocol')]: 'http' }),
  },
  { title: 'sessionAffinity None is fine', service: service({ sessionAffinity: 'None' }) },
  { title: 'elb is no type', service: service({}, { [key('type')]: 'elb' }), warnings: ['aws-cloud-unknown-type'] },
  {
    title: 'NLB in capitals is no type',
    service: service({}, { [key('type')]: 'NLB' }),
    warnings: ['aws-cloud-unknown-type'],
  },
  {
    title: 'whether security groups count for a Network Load Balancer, version and cloud config decide',
    service: service({}, { ...NLB, [key('security-groups')]: 'sg-1' }),
    warnings: ['aws-cloud-nlb-security-groups'],
  },
  ...[V1_34, V1_35, V1_36].map((version) => ({
    title: `security groups of a Network Load Balancer are not taken by ${version.version}`,
    controller: () => AwsCloudProvider.nlb({ version }),
    service: service({}, { ...NLB, [key('security-groups')]: 'sg-1' }),
    errors: ['aws-cloud-nlb-security-groups-version'],
  })),
  {
    title: 'of 1.37 the cloud config decides whether they count',
    controller: () => AwsCloudProvider.nlb({ version: V1_37 }),
    service: service({}, { ...NLB, [key('security-groups')]: 'sg-1' }),
    warnings: ['aws-cloud-nlb-security-groups'],
  },
  {
    title: 'security groups of a Classic Load Balancer are fine',
    service: service({}, { [key('security-groups')]: 'sg-1' }),
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
    title: 'backend protocol tcp is what a Network Load Balancer does anyway',
    service: service({}, { ...NLB, [key('backend-protocol')]: 'tcp' }),
  },
  {
    title: 'elastic addresses are not for internal balancers',
    service: service({}, { ...NLB, [key('internal')]: '0.0.0.0/0', [key('eip-allocations')]: 'eipalloc-1' }),
    errors: ['aws-cloud-addresses-of-scheme'],
  },
  {
    title: 'with policy Local the check is HTTP',
    service: service({ externalTrafficPolicy: 'Local' }, { ...NLB, [key('healthcheck-path')]: '/ready' }),
  },
  {
    title: 'an SSL check has no path either',
    service: service({}, { [key('healthcheck-protocol')]: 'SSL', [key('healthcheck-path')]: '/ready' }),
    warnings: ['aws-cloud-health-check-path'],
  },
  {
    title: 'what checks a Classic Load Balancer is written in capitals',
    service: service({}, { [key('healthcheck-protocol')]: 'http' }),
    warnings: ['aws-cloud-health-check-capitals'],
  },
  { title: 'capitals are fine', service: service({}, { [key('healthcheck-protocol')]: 'HTTPS' }) },
  {
    title: 'a Network Load Balancer reads any case',
    service: service({}, { ...NLB, [key('healthcheck-protocol')]: 'http' }),
  },
  {
    title: 'a health check timeout has no effect on a Network Load Balancer',
    service: service({}, { ...NLB, [key('healthcheck-timeout')]: '6' }),
    warnings: ['aws-cloud-ignored-annotation'],
  },
  {
    title: 'a Classic Load Balancer has a health check timeout',
    service: service({}, { [key('healthcheck-timeout')]: '6' }),
  },
  {
    title: 'the older place of source ranges is read as well',
    service: service({}, { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8, fd00::/8' }),
    errors: ['aws-cloud-ipv6-source-range'],
  },
  {
    title: 'garbage is judged in peace',
    service: service(
      { ports: 'none', sessionAffinity: 0, loadBalancerSourceRanges: {} },
      { [key('type')]: false as unknown as string },
    ),
  },
];

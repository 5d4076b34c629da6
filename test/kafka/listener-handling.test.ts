import {
  AnnotatedController,
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  CustomController,
  EksAutoMode,
  HealthCheckProtocol,
  HetznerCloud,
  HetznerProtocol,
  type ILoadBalancerController,
  LoadBalancerScheme,
  LoadBalancers,
  NlbBackendProtocol,
  NlbTargetType,
  StrimziVersion,
  TrafficPolicy,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf } from '../support/apps';
import { clusterWith } from './clusters';
import { listen, nlb, type Props, present } from './listeners';

const { V1_2 } = StrimziVersion;
const { INTERNAL } = LoadBalancerScheme;
const { IP, INSTANCE } = NlbTargetType;
const { HTTP } = HealthCheckProtocol;
const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';
const AZURE = 'service.beta.kubernetes.io/azure-';
const HCLOUD = 'load-balancer.hetzner.cloud/';
const ARN = 'arn:aws:acm:eu-central-1:1:certificate/a';
const OUR_RULES = /\((listener-proxy-protocol|listener-tls-terminated|listener-http)\)$/;

function handled(props: Props, listeners: Json[] = []): string[] {
  const { chart } = listen({ scheme: INTERNAL, ...props }, V1_2, listeners);
  return errorsOf(chart).filter((error) => OUR_RULES.test(error));
}

const aws = (options: Parameters<typeof AwsLoadBalancerController.nlb>[0]) =>
  AwsLoadBalancerController.nlb({ targetType: IP, ...options });

test.each<[string, ILoadBalancerController, string]>([
  ['a header of AWS', aws({ proxyProtocol: true }), `annotation ${AWS}proxy-protocol '*'`],
  [
    'a header of AWS for this port',
    aws({ proxyProtocolPerTargetGroup: [9094] }),
    `annotation ${AWS}proxy-protocol-per-target-group '9094'`,
  ],
  [
    'an attribute of AWS',
    aws({ targetGroupAttributes: { proxyProtocolV2: true } }),
    `annotation ${AWS}target-group-attributes 'proxy_protocol_v2.enabled=true'`,
  ],
  [
    'a header of a Classic balancer',
    AwsCloudProvider.classic({ proxyProtocol: true }),
    `annotation ${AWS}proxy-protocol '*'`,
  ],
  [
    'an attribute of the cloud provider of AWS',
    AwsCloudProvider.nlb({ targetGroupAttributes: { proxyProtocolV2: true } }),
    `annotation ${AWS}target-group-attributes`,
  ],
  [
    'a header of Hetzner',
    HetznerCloud.loadBalancer({ usesProxyProtocol: true }),
    `annotation ${HCLOUD}uses-proxyprotocol`,
  ],
  [
    'a header of a private link service',
    AzureCloudProvider.standard({ plsCreate: true, plsProxyProtocol: true }),
    `annotation ${AZURE}pls-proxy-protocol 'true'`,
  ],
  [
    'a header that somebody else sends',
    AnnotatedController.of(CustomController.of({ owner: 'acme', answers: { scheme: 'it is internal' } }), {
      annotations: { [`${AWS}proxy-protocol`]: '*' },
    }),
    `annotation ${AWS}proxy-protocol '*'`,
  ],
])('brokers do not understand %s', (_, controller, expected) => {
  expect(handled({ controller })).toEqual([expect.stringContaining(expected)]);
  expect(handled({ controller })[0]).toMatch(
    / has the balancer send a header of the PROXY protocol to port 9094, which Kafka brokers do not understand; leave it out: .* \(listener-proxy-protocol\)$/,
  );
});

test('a header that the manifest alone asks for is told with its Service', () => {
  const annotations = { [`${AWS}proxy-protocol`]: '*' };
  expect(handled({}, [present({ bootstrap: { annotations } })])).toEqual([
    expect.stringContaining(`Service events-kafka-external-bootstrap: annotation ${AWS}proxy-protocol '*' has the`),
  ]);
});

test('a header that is wished for is refused once', () => {
  const { chart } = listen({ controller: HetznerCloud.loadBalancer({ location: 'fsn1' }), proxyProtocol: true }, V1_2);
  expect(errorsOf(chart).filter((error) => /PROXY|proxyProtocol/.test(error))).toEqual([
    expect.stringContaining('(listener-cannot-carry)'),
  ]);
});

const tlsAuthentication = { authentication: { type: 'tls' } };

test.each<[string, Props, string[]]>([
  [
    'plain text to brokers that speak TLS',
    { controller: aws({ sslCert: [ARN] }) },
    [
      `annotation ${AWS}ssl-cert '${ARN}' ends TLS at the balancer, which sends plain text to brokers that speak TLS on port 9094; leave it out, and give the brokers a certificate by brokerCertificate; or set tls: false (listener-tls-terminated)`,
    ],
  ],
  [
    'plain text to brokers that speak TLS, for this port',
    { controller: aws({ sslCert: [ARN], sslPorts: ['9094'] }) },
    ['ends TLS'],
  ],
  [
    'the same of a Classic balancer',
    { controller: AwsCloudProvider.classic({ sslCert: ARN }) },
    ['ends TLS at the balancer'],
  ],
  ['the same of EKS Auto Mode', { controller: EksAutoMode.nlb({ sslCert: [ARN] }) }, ['ends TLS at the balancer']],
  [
    'plain text, with certificates of clients',
    { controller: aws({ sslCert: [ARN] }), ...tlsAuthentication },
    ['sends plain text'],
  ],
  [
    'no certificates of clients',
    { controller: aws({ sslCert: [ARN], backendProtocol: NlbBackendProtocol.SSL }), ...tlsAuthentication },
    ['ends TLS at the balancer, so the certificates of clients never reach the brokers; leave it out'],
  ],
  ['TLS again, with passwords', { controller: aws({ sslCert: [ARN], backendProtocol: NlbBackendProtocol.SSL }) }, []],
  ['plain text to brokers that speak it', { controller: aws({ sslCert: [ARN] }), tls: false }, []],
  [
    'TLS again to brokers that do not speak it',
    { controller: aws({ sslCert: [ARN], backendProtocol: NlbBackendProtocol.SSL }), tls: false },
    [
      `annotation ${AWS}backend-protocol 'ssl' sends TLS to port 9094 of brokers that do not speak it, since tls is false; leave it out, or set tls: true`,
    ],
  ],
  ['a certificate of another port', { controller: aws({ sslCert: [ARN], sslPorts: ['9095'] }) }, []],
])('TLS that the balancer ends: %s', (_, props, expected) => {
  expect(handled(props)).toEqual(expected.map((text) => expect.stringContaining(text)));
});

test.each<[string, Props, string[]]>([
  [
    'a balancer of HTTPS',
    { controller: HetznerCloud.loadBalancer({ protocol: HetznerProtocol.HTTPS, httpCertificates: ['1'] }) },
    [
      `annotation ${HCLOUD}protocol 'https' has the balancer treat port 9094 as HTTP, which no client of Kafka speaks; leave it out, so that it passes TCP on (listener-http)`,
    ],
  ],
  [
    'a Classic balancer of HTTP',
    {
      controller: AnnotatedController.of(AwsCloudProvider.classic(), {
        annotations: { [`${AWS}backend-protocol`]: 'http' },
      }),
    },
    ['treat port 9094 as HTTP'],
  ],
  [
    'a health check by HTTP',
    { controller: nlb(), healthCheck: { protocol: HTTP, path: '/' } },
    [
      `annotation ${AWS}healthcheck-protocol 'http' has the balancer check port 9094 of brokers by HTTP, so no target is healthy; check by TCP (listener-http)`,
    ],
  ],
  [
    'a health check by HTTP of port 9094',
    { controller: nlb(), healthCheck: { protocol: HTTP, port: 9094, path: '/' } },
    ['so no target is healthy'],
  ],
  [
    'a health check by HTTP of metrics',
    { controller: nlb(), healthCheck: { protocol: HTTP, port: 9404, path: '/' } },
    [],
  ],
  [
    'a health check by HTTP of nodes',
    {
      controller: AwsLoadBalancerController.nlb({ targetType: INSTANCE }),
      healthCheck: { protocol: HTTP, path: '/healthz' },
      trafficPolicy: TrafficPolicy.LOCAL,
    },
    [],
  ],
  [
    'a health check by HTTP of Hetzner',
    { controller: HetznerCloud.loadBalancer({ healthCheckProtocol: HetznerProtocol.HTTP }) },
    ['so no target is healthy'],
  ],
  [
    'a probe by HTTP of Azure',
    { controller: AzureCloudProvider.standard({ healthProbeProtocol: HTTP }) },
    [`annotation ${AZURE}load-balancer-health-probe-protocol 'http' has the balancer check`],
  ],
  [
    'a probe by HTTP of Azure with policy Local',
    { controller: AzureCloudProvider.standard({ healthProbeProtocol: HTTP }), trafficPolicy: TrafficPolicy.LOCAL },
    [],
  ],
  [
    'a health check by HTTP of a Classic balancer',
    { controller: AwsCloudProvider.classic({ healthCheckProtocol: HTTP }) },
    ['so no target is healthy'],
  ],
])('HTTP: %s', (_, props, expected) => {
  expect(handled(props)).toEqual(expected.map((text) => expect.stringContaining(text)));
});

/** A second listener with balancers, of which nobody here makes a construct. */
const vpc = (configuration: Json, more: Json = {}): Json => ({
  ...present(configuration, { authentication: { type: 'tls' }, ...more }),
  name: 'vpc',
  port: 9097,
});

test.each<[string, Json, string[]]>([
  [
    'a header',
    vpc({ bootstrap: { annotations: { [`${AWS}proxy-protocol`]: '*' } } }),
    [`listener 'vpc': Service events-kafka-vpc-bootstrap: annotation ${AWS}proxy-protocol '*' has the balancer send`],
  ],
  [
    'a header of an owner that nobody knows',
    vpc({ class: 'acme.example/lb', perBrokerAnnotationsTemplate: { [`${HCLOUD}uses-proxyprotocol`]: 'true' } }),
    [`Service events-brokers-vpc-0: annotation ${HCLOUD}uses-proxyprotocol 'true'`],
  ],
  [
    'no header where no balancer is made',
    vpc({ bootstrap: { annotations: { [`${AWS}proxy-protocol`]: '*' } } }, { type: 'nodeport' }),
    [],
  ],
])('a listener beside it with %s', (_, other, expected) => {
  const { chart } = listen({}, V1_2, [other]);
  expect(errorsOf(chart).filter((error) => OUR_RULES.test(error))).toEqual(
    expected.map((text) => expect.stringContaining(text)),
  );
});

test('brokers behind instance targets of policy Local are one pod by design', () => {
  const controller = AwsLoadBalancerController.nlb({ targetType: INSTANCE });
  const { chart } = listen({ controller, trafficPolicy: TrafficPolicy.LOCAL }, V1_2);
  const told = LoadBalancers.of(chart).warnings.map(({ finding }) => finding);
  expect(told.filter(({ ruleId }) => ruleId === 'local-without-pool').map(({ what }) => what)).toEqual([
    expect.stringContaining('Service events-kafka-external-bootstrap: with policy Local'),
  ]);
  const without = listen({ controller, trafficPolicy: TrafficPolicy.LOCAL, createBootstrapService: false }, V1_2);
  const rules = LoadBalancers.of(without.chart).warnings.map(({ finding }) => finding.ruleId);
  expect(rules).not.toContain('local-without-pool');
});

test('what is never asked of a cluster without such listeners is not told', () => {
  const { chart } = clusterWith([], V1_2);
  expect(errorsOf(chart)).toEqual([]);
});

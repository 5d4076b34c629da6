import { Duration } from 'cdk8s';
import { HealthCheckProtocol, LoadBalancerScheme, TrafficPolicy } from '../../../src';
import type { RequestRow } from '../../support/cases';
import { basic, internal, keys, publicly, SCTP, standard, UDP } from './azure-cloud-provider.words';

/** Protocols and probes. */
export const ports: RequestRow[] = [
  {
    title: 'TCP and UDP live on one Service',
    controller: standard,
    request: { ...publicly, ports: [{ port: 53 }, UDP] },
    plan: { annotations: {} },
  },
  {
    title: 'SCTP needs an internal Standard balancer',
    controller: standard,
    request: { ports: [SCTP] },
    plan: { annotations: internal },
    source: 'pkg/provider/azure_loadbalancer.go, getExpectedLBRules',
  },
  {
    title: 'a public balancer forwards no SCTP',
    controller: standard,
    request: { ...publicly, ports: [SCTP] },
    problems: ['a public balancer cannot forward SCTP port 132'],
  },
  {
    title: 'a Basic balancer forwards no SCTP',
    controller: basic,
    request: { ports: [SCTP] },
    problems: ['a Basic balancer cannot forward SCTP port 132'],
  },
  {
    title: 'a health check becomes the probe of the Service and of each port',
    controller: standard,
    request: {
      scheme: LoadBalancerScheme.INTERNET_FACING,
      ports: [{ port: 80, appProtocol: 'kubernetes.io/h2c' }, { port: 8080, appProtocol: 'http' }, UDP],
      healthCheck: {
        protocol: HealthCheckProtocol.HTTP,
        path: '/ready',
        port: 9000,
        interval: Duration.seconds(10),
        unhealthyThreshold: 3,
      },
    },
    plan: {
      annotations: keys({
        'azure-load-balancer-health-probe-interval': '10',
        'azure-load-balancer-health-probe-num-of-probe': '3',
        'azure-load-balancer-health-probe-protocol': 'http',
        'azure-load-balancer-health-probe-request-path': '/ready',
        'port_80_health-probe_port': '9000',
        'port_80_health-probe_protocol': 'http',
        'port_8080_health-probe_port': '9000',
      }),
    },
    source: 'pkg/provider/azure_loadbalancer_healthprobe.go',
  },
  {
    title: 'a probe knows neither timeout nor healthyThreshold',
    controller: standard,
    request: { ...publicly, healthCheck: { healthyThreshold: 2, timeout: Duration.seconds(3) } },
    problems: [
      'healthCheck.healthyThreshold cannot be set, with value 2',
      'healthCheck.timeout cannot be set, with value 3 s',
    ],
  },
  {
    title: 'a probe interval is at least five seconds',
    controller: standard,
    request: { ...publicly, healthCheck: { interval: Duration.seconds(2) } },
    problems: ["'2' is not a whole number of at least 5"],
  },
  {
    title: 'UDP is not probed with policy Cluster',
    controller: standard,
    request: { ...publicly, ports: [UDP], healthCheck: { interval: Duration.seconds(10) } },
    problems: ['ports of UDP have no healthCheck'],
  },
  {
    title: 'UDP is probed with policy Local',
    controller: standard,
    request: {
      ...publicly,
      ports: [UDP],
      trafficPolicy: TrafficPolicy.LOCAL,
      healthCheck: { interval: Duration.seconds(10) },
    },
    plan: { annotations: keys({ 'azure-load-balancer-health-probe-interval': '10' }) },
  },
  {
    title: 'a Basic balancer has no https probe',
    controller: basic,
    request: { ...publicly, healthCheck: { protocol: HealthCheckProtocol.HTTPS } },
    problems: ['cannot probe by https'],
  },
];

import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { count, path, probePort, probeProtocol, seconds, switchedOn } from './codecs';
import { AZURE_FILES, azureEntry as entry } from './product.annotations';

/** How nodes are probed, where no port says otherwise. */
export const AZURE_PROBE = {
  healthProbeProtocol: entry('azure-load-balancer-health-probe-protocol', {
    option: 'healthProbeProtocol',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: probeProtocol(),
    default: 'tcp; http on healthCheckNodePort with traffic policy Local',
    since: 'v1.10',
    badValue: 'accepted',
    source: AZURE_FILES.healthProbe,
    remark: 'appProtocol of a port goes before it; ignored with traffic policy Local; https falls back to tcp on Basic',
  }),
  healthProbeRequestPath: entry('azure-load-balancer-health-probe-request-path', {
    option: 'healthProbeRequestPath',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: path(),
    default: '/',
    since: 'v1.20',
    source: AZURE_FILES.healthProbe,
    remark: 'http and https only; ignored with traffic policy Local',
  }),
  healthProbeInterval: entry('azure-load-balancer-health-probe-interval', {
    option: 'healthProbeInterval',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: seconds(5),
    default: '5 seconds',
    since: 'v1.21',
    source: AZURE_FILES.healthProbe,
    remark: 'times the number of probes it must stay below 120 seconds; counts with traffic policy Local too',
  }),
  healthProbeNumOfProbe: entry('azure-load-balancer-health-probe-num-of-probe', {
    option: 'healthProbeNumOfProbe',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: count(2),
    default: '2',
    since: 'v1.21',
    source: AZURE_FILES.healthProbe,
    remark: 'failures that take a node out; counts with traffic policy Local too',
  }),
};

/** Rules and probes of single ports of the Service. */
export const AZURE_PORT = {
  portNoLbRule: entry('port_{port}_no_lb_rule', {
    option: 'portNoLbRule',
    codec: switchedOn(),
    default: 'false',
    since: 'v1.24',
    badValue: 'accepted',
    remark: 'neither rule nor probe',
  }),
  portNoProbeRule: entry('port_{port}_no_probe_rule', {
    option: 'portNoProbeRule',
    codec: switchedOn(),
    default: 'false',
    since: 'v1.24',
    badValue: 'accepted',
    remark: 'a rule without a probe: every node gets traffic',
  }),
  portHealthProbeProtocol: entry('port_{port}_health-probe_protocol', {
    option: 'portHealthProbeProtocol',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: probeProtocol(),
    default: 'appProtocol of the port, else that of the Service',
    since: 'v1.24',
    badValue: 'accepted',
    source: AZURE_FILES.healthProbe,
  }),
  portHealthProbePort: entry('port_{port}_health-probe_port', {
    option: 'portHealthProbePort',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: probePort(),
    default: 'the node port',
    since: 'v1.24',
    source: AZURE_FILES.healthProbe,
    remark:
      'the number or name of a port of the Service means its node port; replaces the probe of traffic policy Local',
  }),
  portHealthProbeRequestPath: entry('port_{port}_health-probe_request-path', {
    option: 'portHealthProbeRequestPath',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: path(),
    default: 'that of the Service, else /',
    since: 'v1.20',
    source: AZURE_FILES.healthProbe,
  }),
  portHealthProbeInterval: entry('port_{port}_health-probe_interval', {
    option: 'portHealthProbeInterval',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: seconds(5),
    default: 'that of the Service, else 5 seconds',
    since: 'v1.21',
    source: AZURE_FILES.healthProbe,
  }),
  portHealthProbeNumOfProbe: entry('port_{port}_health-probe_num-of-probe', {
    option: 'portHealthProbeNumOfProbe',
    wish: LoadBalancerWish.HEALTH_CHECK,
    codec: count(2),
    default: 'that of the Service, else 2',
    since: 'v1.21',
    source: AZURE_FILES.healthProbe,
  }),
};

import { duration, exactFlag, list } from '../../contract/annotation-codec';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import { name, switchedOn, trimmed, virtualMachineSet } from './codecs';
import { azureEntry as entry } from './product.annotations';

/** How the balancer is chosen, and how it forwards. */
export const AZURE_BALANCER = {
  loadBalancerInternal: entry('azure-load-balancer-internal', {
    option: 'loadBalancerInternal',
    wish: LoadBalancerWish.SCHEME,
    codec: exactFlag(),
    default: 'false: public',
    since: 'v1.10',
    badValue: 'accepted',
    remark:
      'compared exactly where the balancer is chosen, so True makes a public one; a change moves the Service to another address',
  }),
  internalSubnet: entry('azure-load-balancer-internal-subnet', {
    option: 'internalSubnet',
    codec: name('a subnet'),
    default: 'the subnet of the cloud configuration',
    since: 'v1.10',
    remark: 'only with an internal balancer; the identity of the cluster must be allowed to read and join the subnet',
  }),
  mode: entry('azure-load-balancer-mode', {
    option: 'virtualMachineSet',
    wish: LoadBalancerWish.BACKEND_NODES,
    codec: virtualMachineSet(),
    default: 'the primary VM set',
    since: 'v1.10',
    remark: 'Basic only, ignored by Standard without an event; the name of a VM set, which is not that of the AKS pool',
  }),
  configurations: entry('azure-load-balancer-configurations', {
    option: 'configurations',
    wish: LoadBalancerWish.BACKEND_NODES,
    codec: list(name('a load balancer configuration')),
    default: 'every configuration is a candidate',
    since: 'v1.28',
    badValue: 'accepted',
    remark: 'multiple Standard balancers only; not together with a fixed address',
  }),
  tcpIdleTimeout: entry('azure-load-balancer-tcp-idle-timeout', {
    option: 'tcpIdleTimeout',
    codec: trimmed(duration('minutes', 4, 100)),
    default: '4 minutes',
    since: 'v1.11.4',
  }),
  disableTcpReset: entry('azure-load-balancer-disable-tcp-reset', {
    option: 'disableTcpReset',
    codec: switchedOn(),
    default: 'false',
    since: 'v1.25',
    badValue: 'accepted',
    remark: 'Standard only',
  }),
  enableHighAvailabilityPorts: entry('azure-load-balancer-enable-high-availability-ports', {
    option: 'enableHighAvailabilityPorts',
    codec: switchedOn(),
    default: 'false: one rule per port',
    since: 'v1.20',
    badValue: 'accepted',
    remark: 'internal Standard only; one such rule per frontend',
  }),
  disableFloatingIp: entry('azure-disable-load-balancer-floating-ip', {
    option: 'disableFloatingIp',
    codec: switchedOn(),
    default: 'false',
    since: 'v1.21',
    badValue: 'accepted',
    remark: 'the rules then target node ports, so every port needs one',
  }),
};

import { Duration } from 'cdk8s';
import { ClientAddress, HetznerCloud, LoadBalancerScheme, NodePool, NodeRestriction, PortProtocol } from '../../src';
import { type ControllerCases, ONE_PORT, service } from '../support/cases';

const key = (name: string) => `load-balancer.hetzner.cloud/${name}`;
const hetzner = () => HetznerCloud.loadBalancer();
const edge = NodePool.labeled({ pool: 'edge' });

export const cases: ControllerCases = {
  kind: HetznerCloud._kind,
  make: (options) => HetznerCloud.loadBalancer(options),
  options: [
    { option: 'location', valid: 'fsn1', writes: { [key('location')]: 'fsn1' }, refused: '' },
    { option: 'type', valid: 'lb21', writes: { [key('type')]: 'lb21' }, refused: ' ' },
    { option: 'algorithmType', valid: 'least_connections', writes: { [key('algorithm-type')]: 'least_connections' }, refused: 'random' },
    { option: 'usePrivateIp', valid: true, writes: { [key('use-private-ip')]: 'true' }, refused: 'yes' },
    { option: 'httpTimeoutIdle', valid: Duration.minutes(1), writes: { [key('http-timeout-idle')]: '60s' }, anything: 'a Duration is typed' },
  ],
  requests: [
    {
      title: 'a balancer is internal unless somebody says otherwise',
      controller: hetzner,
      request: ONE_PORT,
      plan: {
        owner: 'hcloud-cloud-controller-manager',
        finalizers: ['service.kubernetes.io/load-balancer-cleanup'],
        annotations: { [key('disable-public-network')]: 'true' },
        loadBalancerClass: undefined,
      },
    },
    {
      title: 'a pool becomes a selector on the Service',
      controller: hetzner,
      request: { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNET_FACING, backendNodes: edge },
      plan: { annotations: { [key('node-selector')]: 'pool=edge' }, nodeRestriction: NodeRestriction.ON_SERVICE },
    },
    {
      title: 'the client address is kept by proxy protocol, which the pods must understand',
      controller: hetzner,
      request: { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNET_FACING, clientAddress: ClientAddress.PRESERVE },
      plan: { annotations: { [key('uses-proxyprotocol')]: 'true' } },
      warnings: ['pod-must-speak-proxy-protocol'],
    },
    {
      title: 'UDP is refused',
      controller: hetzner,
      request: { ports: [{ port: 53, protocol: PortProtocol.UDP }] },
      problems: ['protocols cannot be honoured, with value UDP'],
    },
  ],
  services: [
    {
      title: 'location and network zone exclude each other',
      service: service({}, { [key('location')]: 'fsn1', [key('network-zone')]: 'eu-central' }),
      errors: ['hetzner-one-placement'],
    },
    {
      title: 'a port of UDP is left out of the balancer',
      service: service({ ports: [{ port: 53, protocol: 'UDP' }] }),
      errors: ['hetzner-tcp-only'],
    },
  ],
};

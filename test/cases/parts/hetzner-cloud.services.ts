import { type ServiceRow, service } from '../../support/cases';
import { keys } from './hetzner-cloud.words';

export const services: ServiceRow[] = [
  { title: 'a plain Service is in order', service: service() },
  {
    title: 'a controller without a default makes no balancer that is nowhere',
    service: service(),
    beside: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'hcloud' },
        spec: {
          template: { spec: { containers: [{ image: 'hetznercloud/hcloud-cloud-controller-manager:v1.35.0' }] } },
        },
      },
    ],
    errors: ['hetzner-no-placement'],
  },
  {
    title: 'a location beats a network zone',
    service: service({}, keys({ location: 'fsn1', 'network-zone': 'eu-central' })),
    warnings: ['hetzner-one-placement'],
  },
  {
    title: 'an empty location leaves the network zone to count',
    service: service({}, keys({ location: '', 'network-zone': 'eu-central' })),
  },
  {
    title: 'a port of UDP is left out of the balancer',
    service: service({ ports: [{ port: 53, protocol: 'UDP' }] }),
    errors: ['hetzner-tcp-only'],
  },
  {
    title: 'a balancer without a public interface must use private addresses',
    service: service({}, keys({ 'disable-public-network': 'true', 'use-private-ip': 'false' })),
    errors: ['hetzner-private-targets'],
  },
  {
    title: 'a balancer without a public network has its private address alone',
    service: service(
      {},
      keys({ 'disable-public-network': 'true', 'use-private-ip': 'true', 'disable-private-ingress': 'true' }),
    ),
    errors: ['hetzner-no-address'],
  },
  {
    title: 'node ports are needed',
    service: service({ allocateLoadBalancerNodePorts: false }),
    errors: ['hetzner-needs-node-ports'],
  },
  {
    title: 'a node port that is fixed is one',
    service: service({ allocateLoadBalancerNodePorts: false, ports: [{ port: 443, nodePort: 30443 }] }),
  },
  {
    title: 'source ranges let everybody through',
    service: service({ loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    errors: ['hetzner-source-ranges'],
  },
  {
    title: 'a managed certificate needs domains',
    service: service({}, keys({ 'certificate-type': 'managed' })),
    errors: ['hetzner-managed-certificate-domains'],
  },
  {
    title: 'with policy Local a port of its own makes the health check blind to pods',
    service: service({ externalTrafficPolicy: 'Local' }, keys({ 'health-check-port': '8080' })),
    warnings: ['hetzner-local-health-port'],
  },
  {
    title: 'with policy Local the node port and the port of kube-proxy both tell whether there is a pod',
    service: service(
      { externalTrafficPolicy: 'Local', healthCheckNodePort: 31000 },
      keys({ 'health-check-port': '31000', 'health-check-protocol': 'http' }),
    ),
  },
  {
    title: 'with policy Local an HTTP check of the node port fails where there is no pod',
    service: service({ externalTrafficPolicy: 'Local' }, keys({ 'health-check-protocol': 'http' })),
  },
  {
    title: 'a path means nothing to a TCP check',
    service: service({}, keys({ 'health-check-http-path': '/healthz' })),
    warnings: ['hetzner-http-check-ignored'],
  },
  {
    title: 'the health check follows the protocol of the balancer',
    service: service({}, keys({ protocol: 'HTTP', 'health-check-http-path': '/healthz' })),
  },
  {
    title: 'session affinity sees the balancer only',
    service: service({ sessionAffinity: 'ClientIP' }),
    warnings: ['hetzner-session-affinity'],
  },
  { title: 'garbage is not judged', service: service({ ports: 7, loadBalancerSourceRanges: 'all' }) },
];

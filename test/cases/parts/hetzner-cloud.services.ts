import { type ServiceRow, service } from '../../support/cases';
import { keys } from './hetzner-cloud.words';

export const services: ServiceRow[] = [
  { title: 'a plain Service is in order', service: service() },
  {
    title: 'an empty location leaves the network zone to count',
    service: service({}, keys({ location: '', 'network-zone': 'eu-central' })),
  },
  {
    title: 'a node port that is fixed is one',
    service: service({ allocateLoadBalancerNodePorts: false, ports: [{ port: 443, nodePort: 30443 }] }),
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
    title: 'the health check follows the protocol of the balancer',
    service: service({}, keys({ protocol: 'HTTP', 'health-check-http-path': '/healthz' })),
  },
  { title: 'garbage is not judged', service: service({ ports: 7, loadBalancerSourceRanges: 'all' }) },
];

import { App, Chart, Testing } from 'cdk8s';
import { type ILoadBalancerController, LoadBalancedService, type LoadBalancedServiceProps } from '../../../src';
import type { Ref } from './api';

export function ours(
  namespace: string,
  name: string,
  controller: ILoadBalancerController,
  wishes: Partial<LoadBalancedServiceProps> = {},
  change: (service: LoadBalancedService) => void = () => undefined,
): Ref {
  const chart = new Chart(new App(), 'chart', { namespace });
  const ports = [{ name: 'tcp', port: 443, targetPort: 8443 }];
  change(new LoadBalancedService(chart, 'Service', { name, selector: { app: name }, ports, controller, ...wishes }));
  return Testing.synth(chart)[0];
}

import { type ILoadBalancerController, LoadBalancedService, type LoadBalancedServiceProps } from '../../../src';
import type { Ref } from '../../cluster/harness/api';
import { movedTo, objectsIn } from '../../cluster/harness/manifests';
import { newChart, stderrOf, synth } from '../../support/apps';
import { goldens } from '../../support/goldens';

export type Wishes = Partial<Omit<LoadBalancedServiceProps, 'controller'>>;

/** The ports where a story says no other. */
const PORTS = [{ name: 'echo', port: 443, targetPort: 8443 }];

/** The Service that the library writes for some wishes. */
export function written(namespace: string, controller: ILoadBalancerController, wishes: Wishes = {}): Ref {
  const chart = newChart(namespace);
  new LoadBalancedService(chart, 'Echo', {
    name: 'echo',
    selector: { app: 'echo' },
    ports: PORTS,
    controller,
    ...wishes,
  });
  let service: Ref | undefined;
  stderrOf(() => {
    [service] = synth(chart) as Ref[];
  });
  return service as Ref;
}

/** The Service of a golden. */
export function golden(namespace: string, name: string): Ref {
  const [service] = movedTo(namespace, objectsIn(goldens[name]()));
  return service;
}

import type { Body, Ref } from '../harness/api';
import { metadataOfMade, wordsOnServices } from './beside-the-spec';
import { haproxy } from './haproxy';
import { openListeners } from './listeners';
import { machinery } from './machinery';
import { otherDoors } from './other-doors';
import { reservedKinds } from './reserved-kinds';
import { routes } from './routes';
import { attackerOf, SCENARIOS, type Scenario } from './scenarios';
import { creations, deletions, finalizerChanges, serviceChanges, statusChanges } from './services';
import type { Attack } from './ways';

export function attacks(): Attack[] {
  return [
    ...SCENARIOS.flatMap((scenario) => [
      ...serviceChanges(scenario),
      ...statusChanges(scenario),
      ...finalizerChanges(scenario),
      ...deletions(scenario),
      ...creations(scenario),
      ...reservedKinds(scenario),
      ...machinery(scenario),
      ...metadataOfMade(scenario),
      ...wordsOnServices(scenario),
      ...otherDoors(scenario),
    ]),
    ...openListeners(),
    ...routes('envoy'),
    ...routes('open'),
    ...haproxy(),
  ];
}

/** What is there to be attacked, beside what the platform makes. */
export function victimsOf(scenario: Scenario): Ref[] {
  const service = (name: string, port: number, metadata: Body = {}, spec: Body = {}): Ref => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: attackerOf(scenario), labels: { app: 'plain' }, ...metadata },
    spec: { selector: { app: name }, ports: [{ name: 'tcp', port }], ...spec },
  });
  const shared = { type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/16'] };
  return [
    service('plain', 31_001),
    service('db', 5432),
    service('waiting', 31_002, {}, shared),
    service('published', 31_005, { finalizers: [`metacontroller.io/decoratorcontroller-${scenario}-run`] }, shared),
    service(
      'owned',
      31_006,
      { finalizers: ['service.k8s.aws/resources', 'service.kubernetes.io/load-balancer-cleanup'] },
      shared,
    ),
  ];
}

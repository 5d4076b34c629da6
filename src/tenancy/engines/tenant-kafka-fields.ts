import type { FieldKinds } from '../manifests/field-kinds';

/** Of a Kafka that has listeners with load balancers. */
export const KAFKA_KINDS: FieldKinds = {
  'spec.kafka.listeners.[]': 'map',
  'spec.kafka.template': 'map',
  ...annotated('spec.kafka.template.externalBootstrapService.metadata'),
  ...annotated('spec.kafka.template.perPodService.metadata'),
};

/** Of such a listener. */
export const LISTENER_KINDS: FieldKinds = {
  tls: 'truth',
  networkPolicyPeers: 'list',
  configuration: 'map',
  'configuration.loadBalancerSourceRanges': 'list',
  'configuration.loadBalancerSourceRanges.[]': 'range',
  'configuration.finalizers': 'list',
  'configuration.class': 'text',
  'configuration.externalTrafficPolicy': 'text',
  'configuration.createBootstrapService': 'truth',
  'configuration.perBrokerAnnotationsTemplate': 'map',
  'configuration.perBrokerAnnotationsTemplate.*': 'scalar',
  'configuration.bootstrap': 'map',
  'configuration.bootstrap.alternativeNames': 'list',
  'configuration.bootstrap.alternativeNames.[]': 'text',
  ...annotated('configuration.bootstrap'),
  'configuration.brokers': 'list',
  'configuration.brokers.[]': 'map',
  ...annotated('configuration.brokers.[]'),
};

function annotated(path: string): FieldKinds {
  return { [path]: 'map', [`${path}.annotations`]: 'map', [`${path}.annotations.*`]: 'scalar' };
}

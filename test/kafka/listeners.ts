import {
  AwsLoadBalancerController,
  KafkaLoadBalancedListener,
  type KafkaLoadBalancedListenerProps,
  MetalLb,
  NlbTargetType,
  StrimziVersion,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { type newChart, written } from '../support/apps';
import { clusterWith } from './clusters';

const { V0_49 } = StrimziVersion;
export const RESOURCES = 'service.k8s.aws/resources';
export const CLEANUP = 'service.kubernetes.io/load-balancer-cleanup';
export const DNS = 'external-dns.alpha.kubernetes.io/hostname';
export const SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';

export const nlb = () => AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
export const metalLb = () => MetalLb.layer2({ addressPool: 'edge' });

export type Props = Partial<KafkaLoadBalancedListenerProps>;

/** A listener in a cluster of three brokers, new unless `present` is there already. */
export function listen(props: Props = {}, strimzi = V0_49, present: Json[] = [], more: Json = {}, pool: Json = {}) {
  const { chart, cluster } = clusterWith(present, strimzi, more, pool);
  const base = { kafka: cluster, name: 'external', port: 9094, controller: nlb() };
  const listener = new KafkaLoadBalancedListener(chart, 'External', { ...base, ...props });
  return { chart, cluster, listener };
}

/** A listener that is there already. */
export const present = (configuration: Json = {}, more: Json = {}) => ({
  name: 'external',
  port: 9094,
  type: 'loadbalancer',
  tls: true,
  ...more,
  configuration,
});

export const writtenListener = (chart: ReturnType<typeof newChart>, name = 'external'): Json =>
  written(chart, 'Kafka').spec.kafka.listeners.find((listener: Json) => listener.name === name);

import type { Chart } from 'cdk8s';
import {
  KafkaCluster,
  type KafkaClusterProps,
  KafkaNodePool,
  type KafkaNodePoolProps,
  KafkaNodeRole,
  StrimziVersion,
} from '../../../src';
import { newChart } from '../../support/apps';

/** A cluster with one listener inside, in a chart. */
export function events(props: Partial<KafkaClusterProps> = {}, chart: Chart = newChart('kafka'), id = 'Events') {
  const kafka = new KafkaCluster(chart, id, {
    name: 'events',
    strimzi: StrimziVersion.V1_2,
    listeners: [{ name: 'plain', port: 9092, type: 'internal', tls: false }],
    ...props,
  });
  return { chart, kafka };
}

/** Three nodes that are brokers and controllers. */
export function brokersOf(kafka: KafkaCluster, props: Partial<KafkaNodePoolProps> = {}, id = props.name ?? 'brokers') {
  return new KafkaNodePool(kafka.kafka.chart, id, {
    kafka,
    name: 'brokers',
    replicas: 3,
    roles: [KafkaNodeRole.BROKER, KafkaNodeRole.CONTROLLER],
    storage: { type: 'persistent-claim', size: '100Gi' },
    ...props,
  });
}

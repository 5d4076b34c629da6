import { KafkaCluster, KafkaLoadBalancedListener, LoadBalancerScheme, StrimziVersion } from '../../../src';
import { errorsOf, synth } from '../../support/apps';
import { nlb } from '../listeners';
import { brokersOf, events } from './events';

test.each([StrimziVersion.V0_45, StrimziVersion.V1_2])(
  'a cluster that was made here is found in its chart before it has a listener: %#',
  (strimzi) => {
    const { chart, kafka } = events({ listeners: [], strimzi });
    brokersOf(kafka);
    const found = KafkaCluster.fromManifest(chart, { strimzi });
    expect([found.clusterName, found.brokerIds, found.kafka]).toEqual(['events', [0, 1, 2], kafka.kafka]);
    expect(found.nodePoolOf(0)).toBe('brokers');
    new KafkaLoadBalancedListener(chart, 'External', {
      kafka: found,
      name: 'external',
      port: 9094,
      controller: nlb(),
      scheme: LoadBalancerScheme.INTERNAL,
    });
    expect(errorsOf(chart)).toEqual([]);
    expect(synth(chart).map(({ kind }) => kind)).toEqual(['Kafka', 'KafkaNodePool']);
  },
);

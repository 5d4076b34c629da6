import { KafkaLoadBalancedListener, StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { listenerNamed } from '../../src/kafka/operator/kafka-document';
import { servicesOf } from '../../src/kafka/operator/operator-services';
import { errorsOf, stderrOf, synth } from '../support/apps';
import { kinds } from '../support/subjects';
import { clusterWith } from './clusters';

const VERSIONS = Object.entries(StrimziVersion).filter((entry): entry is [string, StrimziVersion] => {
  return entry[1] instanceof StrimziVersion;
});

/** Controllers whose finalizer the manifest does not declare by itself: an operator that strips it cannot serve them. */
const REFUSED_BELOW_0_51: Record<string, string> = {
  'eks-auto-mode': 'finalizer-undeclared',
  gke: 'finalizer-stripped',
};

const rows = VERSIONS.flatMap(([title, strimzi]) => kinds.map((kind) => [title, kind.name, strimzi, kind] as const));

/** What somebody sees of a Service that a plan decides. */
function decided({ metadata, spec }: Json): Json {
  const { loadBalancerClass, externalTrafficPolicy, allocateLoadBalancerNodePorts } = spec;
  return {
    annotations: metadata.annotations ?? {},
    labels: metadata.labels,
    finalizers: metadata.finalizers ?? [],
    loadBalancerClass,
    externalTrafficPolicy,
    allocateLoadBalancerNodePorts,
  };
}

test.each(rows)(
  'on %s every Service of a listener has the plan of %s, or the synth fails',
  (_, name, strimzi, kind) => {
    const { chart, cluster } = clusterWith([], strimzi);
    const controller = kind.installed();
    const authentication = { type: 'scram-sha-512' };
    const props = { kafka: cluster, name: 'external', port: 9094, authentication, controller };
    const { plan, serviceNames } = new KafkaLoadBalancedListener(chart, 'External', props);
    const refusal = strimzi.keepsForeignFinalizers ? undefined : REFUSED_BELOW_0_51[name];
    if (refusal) {
      expect(errorsOf(chart)).toEqual([expect.stringContaining(`(${refusal})`)]);
      return;
    }
    let kafka: Json = {};
    // what is to be said is said at the first synth only
    const told = stderrOf(() => {
      kafka = synth(chart).find((object) => object.kind === 'Kafka') as Json;
    });
    const { services } = servicesOf(cluster, kafka, listenerNamed(kafka, 'external') as Json);
    expect(services.map(({ metadata }) => metadata.name)).toEqual(serviceNames);
    expect(services).toHaveLength(4);
    for (const service of services) {
      expect(decided(service)).toEqual({
        annotations: plan.annotations ?? {},
        labels: { ...plan.labels, 'strimzi.io/cluster': 'events' },
        finalizers: plan.finalizers ?? [],
        loadBalancerClass: plan.loadBalancerClass,
        externalTrafficPolicy: plan.externalTrafficPolicy ?? 'Cluster',
        allocateLoadBalancerNodePorts: plan.allocateLoadBalancerNodePorts,
      });
    }
    const warnings = strimzi.knownVulnerabilities.length > 0 ? ['strimzi-vulnerable'] : [];
    expect(told.match(/(?<= {2}\()[a-z-]+(?=\)$)/gm) ?? []).toEqual(warnings);
  },
);

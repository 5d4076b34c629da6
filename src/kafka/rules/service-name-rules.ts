import type { Finding } from '../../contract/finding';
import type { Json } from '../../contract/json';
import { type Fault, serviceNameFault } from '../../contract/kubernetes-syntax';
import type { Rule } from '../../rules/rule';
import { configurationOf, listenersOf, textAt, titleOf } from '../document/kafka-json';
import { bootstrapServiceName, brokerServiceName } from '../operator/operator-names';
import { LISTENER_NAME } from '../strimzi/listener-schema.facts';
import { LISTENER_TYPES } from '../strimzi/operator-services.facts';
import type { KafkaContext } from './kafka-context';

// The operator makes names of Services without validating them: it fails at the first one that is not valid.

/** Services that every cluster has. */
const OF_THE_CLUSTER = ['kafka-bootstrap', 'kafka-brokers'];

/** The names of the Services of a listener that has some of its own, as far as they are known. */
function namesOf(clusterName: string, listener: Json, { brokerIds = [], nodePoolOf }: KafkaContext): string[] {
  const { name, port, type } = listener;
  // another rule reports an invalid name of a listener
  if (typeof name !== 'string' || !LISTENER_NAME.test(name) || type === LISTENER_TYPES.internal) {
    return [];
  }
  const cluster = nodePoolOf && { clusterName, nodePoolOf };
  const brokers = cluster ? brokerIds.map((id) => brokerServiceName(cluster, name, port, id)) : [];
  const hasBootstrap = configurationOf(listener).createBootstrapService !== false;
  return hasBootstrap ? [bootstrapServiceName({ clusterName }, name), ...brokers] : brokers;
}

/** The first fault among some names, the longest name first. */
function faultAmong(names: readonly string[]): { readonly name: string; readonly fault: Fault } | undefined {
  return [...names]
    .sort((one, other) => other.length - one.length)
    .map((name) => ({ name, fault: serviceNameFault(name) }))
    .find(({ fault }) => fault !== undefined);
}

function findingFor(names: readonly string[], of: string, remedy: string): Finding[] {
  const found = faultAmong(names);
  return found ? [{ what: `${of}: ${found.fault}`, remedy, value: found.name }] : [];
}

/** Whether the Services that the operator will make have names. */
export const SERVICE_NAME_RULES: readonly Rule<KafkaContext>[] = [
  {
    id: 'kafka-service-name',
    who: 'kubernetes',
    severity: 'error',
    says: 'the Services of a cluster and of its listeners get names that Services can have',
    source: {
      repository: 'strimzi/strimzi-kafka-operator',
      version: '1.2.0',
      file: 'cluster-operator/src/main/java/io/strimzi/operator/cluster/model/ListenersUtils.java',
    },
    supersedes: ['service-name'],
    judge(kafka, context) {
      const cluster = textAt(kafka, 'metadata.name');
      if (cluster === undefined) {
        return undefined;
      }
      const own = findingFor(
        OF_THE_CLUSTER.map((end) => `${cluster}-${end}`),
        'the Services of the cluster',
        'give the cluster a shorter or simpler name',
      );
      return own.length > 0
        ? own
        : listenersOf(kafka).flatMap((listener) =>
            findingFor(
              namesOf(cluster, listener, context),
              `the Services of ${titleOf(listener)}`,
              'give the cluster, the node pool or the listener a shorter name',
            ),
          );
    },
  },
];

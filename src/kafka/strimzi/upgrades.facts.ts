import { compareVersions } from '../../contract/compare-versions';
import { type Json, mapIn, mapsIn } from '../../contract/json';
import { type Citation, Confidence } from '../../contract/kubernetes.facts';
import type { UpgradeFact } from '../../contract/upgrade';
import { KUBERNETES } from '../../rules/kubernetes-upgrades.facts';
import { finalizersOf } from '../../rules/service-json';
import {
  SERVER_SIDE_APPLY_FIXED_SINCE,
  SERVER_SIDE_APPLY_GATE,
  SERVER_SIDE_APPLY_SINCE,
  STRIMZI_API,
  STRIMZI_API_SINCE,
  STRIMZI_GROUP,
  STRIMZI_OLD_API,
  STRIMZI_OLD_API_UNTIL,
  STRIMZI_RELEASES,
} from './strimzi.facts';

// What another release of the operator does to the balancers of a live cluster.

const from = (file: string): Citation => ({ repository: 'strimzi/strimzi-kafka-operator', version: '1.2.0', file });
const CHANGELOG = from('CHANGELOG.md');

/** The first release that runs clusters without ZooKeeper alone. */
const KRAFT_ALONE_SINCE = '0.46.0';

/** The versions of Kafka that a release runs: those of the newest known one that is not newer; nothing of an older one. */
function kafkaVersionsOf(version: string): readonly string[] | undefined {
  const known = Object.entries(STRIMZI_RELEASES).filter(([release]) => compareVersions(release, version) <= 0);
  return known.at(-1)?.[1].kafka;
}

/** The variable of the operator by which feature gates are switched. cluster-operator, ClusterOperatorConfig */
const GATES_VARIABLE = 'STRIMZI_FEATURE_GATES';

function gatesIn(objects: readonly Json[]): string[] {
  return objects
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap((workload) => mapsIn(mapIn(mapIn(workload.spec, 'template'), 'spec'), 'containers'))
    .flatMap((container) => mapsIn(container, 'env'))
    .flatMap(({ name, value }) => (name === GATES_VARIABLE ? [String(value)] : []));
}

/** Releases from which an older Kubernetes is not supported any more. */
const MINIMUMS = Object.entries(STRIMZI_RELEASES).flatMap(([since, { kubernetes }], i, all) =>
  i > 0 && all[i - 1][1].kubernetes !== kubernetes ? [{ since, kubernetes }] : [],
);

const STAYS = 'nothing of the cluster is reconciled, and its balancers stay as they are';

export const OPERATOR_UPGRADES: readonly UpgradeFact[] = [
  {
    since: SERVER_SIDE_APPLY_SINCE,
    concerns: ({ service, finalizers }) =>
      finalizers.length > 0 && !finalizersOf(service).some((one) => finalizers.includes(one)),
    up: {
      outcome: 'kept',
      what: 'finalizers that controllers add are kept from then on; one that was removed before comes back with the next edit of the Service alone',
    },
    down: {
      outcome: 'orphaned',
      what: 'the next reconcile removes the finalizer that the controller added: deleting the cluster then leaves the balancer behind',
      first: "declare the controller's finalizer in the listener",
    },
    source: from(
      'cluster-operator/src/main/java/io/strimzi/operator/cluster/operator/resource/kubernetes/ServiceOperator.java',
    ),
    confidence: Confidence.SEEN,
  },
  {
    since: SERVER_SIDE_APPLY_SINCE,
    concerns: ({ service }) => finalizersOf(service).length > 0,
    up: {
      outcome: 'kept',
      what: 'what the older release wrote stays its own: a finalizer or annotation that the Kafka drops later is not removed from this Service',
    },
    source: from(
      'cluster-operator/src/main/java/io/strimzi/operator/cluster/operator/resource/kubernetes/ServiceOperator.java',
    ),
    confidence: Confidence.SEEN,
  },
  {
    since: STRIMZI_OLD_API_UNTIL,
    concerns: ({ maker }) => maker?.apiVersion === `${STRIMZI_GROUP}/${STRIMZI_OLD_API}`,
    up: {
      outcome: 'refused',
      what: `${STRIMZI_OLD_API} is not served any more: ${STAYS}`,
      first: `convert the resources and what the definitions store to ${STRIMZI_API} under a release that serves both`,
    },
    source: from('documentation/modules/upgrading/con-api-conversion-v1.adoc'),
    confidence: Confidence.SOURCE,
  },
  {
    since: STRIMZI_API_SINCE,
    concerns: ({ maker }) => maker?.apiVersion === `${STRIMZI_GROUP}/${STRIMZI_API}`,
    down: {
      outcome: 'refused',
      what: `${STRIMZI_API} is not served: ${STAYS}`,
      first: `write the resources in ${STRIMZI_OLD_API}`,
    },
    source: CHANGELOG,
    confidence: Confidence.SOURCE,
  },
  {
    since: KRAFT_ALONE_SINCE,
    concerns: ({ maker }) => mapIn(maker, 'spec').zookeeper !== undefined,
    up: {
      outcome: 'refused',
      what: `clusters with ZooKeeper are not run any more: ${STAYS}`,
      first: 'migrate the cluster to KRaft under the older release',
    },
    source: CHANGELOG,
    confidence: Confidence.SOURCE,
  },
  {
    concerns: ({ maker, to }) => {
      const { version } = mapIn(mapIn(maker, 'spec'), 'kafka');
      return version !== undefined && kafkaVersionsOf(to)?.includes(String(version)) === false;
    },
    up: {
      outcome: 'refused',
      what: `it does not run the version of Kafka that is asked for: ${STAYS}`,
      first: 'move the cluster to a version of Kafka that both releases run',
    },
    down: {
      outcome: 'refused',
      what: `it does not run the version of Kafka that is asked for: ${STAYS}`,
      first: 'move the cluster to a version of Kafka that both releases run',
    },
    source: from('kafka-versions.yaml'),
    confidence: Confidence.SOURCE,
  },
  {
    since: SERVER_SIDE_APPLY_FIXED_SINCE,
    concerns: ({ beside }) => gatesIn(beside).some((gates) => gates.includes(SERVER_SIDE_APPLY_GATE)),
    up: {
      outcome: 'refused',
      what: `the operator does not start with the feature gate ${SERVER_SIDE_APPLY_GATE}, which is gone: ${STAYS}`,
      first: `take ${SERVER_SIDE_APPLY_GATE} out of ${GATES_VARIABLE} of the operator`,
    },
    source: CHANGELOG,
    confidence: Confidence.SOURCE,
  },
  {
    since: SERVER_SIDE_APPLY_FIXED_SINCE,
    concerns: ({ beside }) => gatesIn(beside).length === 0,
    up: {
      outcome: 'kept',
      notApplied: true,
      what: `an operator with the feature gate ${SERVER_SIDE_APPLY_GATE}, which is gone, does not start, and the balancer stays as it is`,
      first: `take ${SERVER_SIDE_APPLY_GATE} out of ${GATES_VARIABLE} of the operator, where it is there`,
    },
    source: CHANGELOG,
    confidence: Confidence.SOURCE,
  },
  ...MINIMUMS.map(
    ({ since, kubernetes }): UpgradeFact => ({
      since,
      concerns: ({ versions }) => {
        const known: string | undefined = versions[KUBERNETES];
        return known !== undefined && compareVersions(known, kubernetes) < 0;
      },
      up: {
        outcome: 'unknown',
        what: `${since} supports Kubernetes ${kubernetes} and newer, and what it does on an older one is not known`,
        first: `upgrade Kubernetes to ${kubernetes} or newer`,
      },
      source: CHANGELOG,
      confidence: Confidence.SOURCE,
    }),
  ),
  {
    up: {
      outcome: 'interrupted',
      what: 'the operator rolls the brokers one by one: clients of each are cut off until it is back',
    },
    down: {
      outcome: 'interrupted',
      what: 'the operator rolls the brokers one by one: clients of each are cut off until it is back',
    },
    source: from('documentation/assemblies/upgrading/assembly-upgrade.adoc'),
    confidence: Confidence.DOCS,
  },
];

/** Whose releases these are, and the group of what it reads. */
export const OPERATOR = {
  name: 'strimzi',
  group: `${STRIMZI_GROUP}/`,
  newest: Object.keys(STRIMZI_RELEASES).at(-1) ?? '',
  oldest: Object.keys(STRIMZI_RELEASES)[0],
} as const;

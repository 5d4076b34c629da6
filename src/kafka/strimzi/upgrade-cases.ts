import { compareVersions } from '../../contract/compare-versions';
import type { UpgradedBalancer } from '../../contract/edit';
import { type Json, mapIn, mapsIn } from '../../contract/json';
import { finalizersOf } from '../../rules/service-json';
import { SERVER_SIDE_APPLY_GATE, STRIMZI_API, STRIMZI_GROUP, STRIMZI_OLD_API, STRIMZI_RELEASES } from './strimzi.facts';

// Balancers that another release of the operator concerns.

const GATES_VARIABLE = 'STRIMZI_FEATURE_GATES';

function gatesIn(objects: readonly Json[]): string[] {
  return objects
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap((workload) => mapsIn(mapIn(mapIn(workload.spec, 'template'), 'spec'), 'containers'))
    .flatMap((container) => mapsIn(container, 'env'))
    .flatMap(({ name, value }) => (name === GATES_VARIABLE ? [String(value)] : []));
}

type Concerns = (balancer: UpgradedBalancer) => boolean;

export const lacksFinalizer: Concerns = ({ service, finalizers }) =>
  finalizers.length > 0 && !finalizersOf(service).some((one) => finalizers.includes(one));

export const hasFinalizers: Concerns = ({ service }) => finalizersOf(service).length > 0;

export const isOfOldApi: Concerns = ({ maker }) => maker?.apiVersion === `${STRIMZI_GROUP}/${STRIMZI_OLD_API}`;

export const isOfNewApi: Concerns = ({ maker }) => maker?.apiVersion === `${STRIMZI_GROUP}/${STRIMZI_API}`;

export const hasZooKeeper: Concerns = ({ maker }) => mapIn(maker, 'spec').zookeeper !== undefined;

export const hasOtherKafka: Concerns = ({ maker, to }) => {
  const { version } = mapIn(mapIn(maker, 'spec'), 'kafka');
  const known = Object.entries(STRIMZI_RELEASES).filter(([release]) => compareVersions(release, to) <= 0);
  return version !== undefined && known.at(-1)?.[1].kafka.includes(String(version)) === false;
};

export const hasGate: Concerns = ({ beside }) =>
  gatesIn(beside).some((gates) => gates.includes(SERVER_SIDE_APPLY_GATE));

export const mayHaveGate: Concerns = ({ beside }) => gatesIn(beside).length === 0;

import { ApiObject, Chart } from 'cdk8s';
import { LEASE_NAME_VARIABLE } from '../../kafka/operator/cluster-operator.facts';
import type { Finding } from '../../rules/rule';
import { someOf } from '../some-of';
import { type InstallationRule, type Operator, upstream } from './installation-rule';
import { clusterScopedNames } from './operator-rbac';
import { type AppOperator, areNamesakes, asWritten, isFirst, operatorsOf, watchedByBoth } from './operators-of-app';

const CONFIG = upstream('cluster-operator/src/main/java/io/strimzi/operator/cluster/ClusterOperatorConfig.java');
const DELEGATION = upstream('packaging/install/cluster-operator/030-ClusterRole-strimzi-kafka-broker.yaml');

/** Operators that were there before an installation, and those of others: what two have in common is told with the later. */
function earlier({ host, object }: Operator): readonly AppOperator[] {
  const all = operatorsOf(host);
  const place = all.findIndex((operator) => operator.object === object);
  return all.filter(({ installation }, index) => !installation || index < place);
}

/** Those of them that are in the same cluster, as far as can be known. */
function earlierBeside(operator: Operator): readonly AppOperator[] {
  return earlier(operator).filter((other) => !areNamesakes(asWritten(operator), other));
}

/** Pairs of operators of others that are in one cluster. */
function strangersBeside({ host }: Operator): [AppOperator, AppOperator][] {
  const strangers = operatorsOf(host).filter(({ installation }) => !installation);
  return strangers.flatMap((other, index) =>
    strangers
      .slice(0, index)
      .filter((one) => !areNamesakes(one, other))
      .map((one): [AppOperator, AppOperator] => [one, other]),
  );
}

function watchedTwice(who: string, one: AppOperator, other: AppOperator): Finding[] {
  const both = watchedByBoth(one, other);
  const what = `${who} watches ${both}, which ${pathOf(other)} watches too, and two operators undo each other's work`;
  return both === undefined ? [] : [{ what, remedy: 'give each its own namespaces', value: both }];
}

/** How messages call an operator. */
function pathOf({ installation, object }: AppOperator): string {
  return (installation?.host ?? object).node.path;
}

function sharesLease(one: AppOperator, other: AppOperator): boolean {
  const [mine, theirs] = [one, other].map(({ variables }) => variables.get(LEASE_NAME_VARIABLE));
  // somebody else's may have a lease of another name
  return one.namespace === other.namespace && (other.installation !== undefined || mine === theirs);
}

/** Names of the objects of the whole cluster that come with an operator: with somebody else's in its chart. */
function clusterScopedNamesOf({ installation, object }: AppOperator): string[] {
  if (installation) {
    return clusterScopedNames(installation.settings);
  }
  const hosts = operatorsOf(object).flatMap((each) => each.installation?.host ?? []);
  return Chart.of(object)
    .node.findAll()
    .filter((each): each is ApiObject => ApiObject.isApiObject(each))
    .filter(({ node }) => !hosts.some((host) => node.scopes.includes(host)))
    .map(({ kind, name }) => `${kind} ${name}`);
}

/** What holds for an operator beside others. */
export const NEIGHBOUR_RULES: readonly InstallationRule[] = [
  {
    id: 'strimzi-operator-twice-in-app',
    severity: 'warning',
    says: 'operators of one namespace and name in different charts are for different clusters',
    source: upstream('packaging/install/cluster-operator/060-Deployment-strimzi-cluster-operator.yaml'),
    judge: (operator) =>
      earlier(operator)
        .filter((other) => areNamesakes(asWritten(operator), other))
        .slice(0, 1)
        .map((other) => ({
          what: `operator ${other.name} in namespace ${other.namespace} is written by ${pathOf(other)} as well, so that one replaces the other`,
          remedy:
            'give one of the two another name and namespace, or acknowledge it where the charts are applied to different clusters of Kubernetes',
          value: other.name,
        })),
  },
  {
    id: 'strimzi-watched-twice',
    severity: 'error',
    says: 'one operator watches a namespace',
    source: CONFIG,
    judge: (operator) => [
      ...earlierBeside(operator).flatMap((other) => watchedTwice('it', asWritten(operator), other)),
      ...(isFirst(operator) ? strangersBeside(operator) : []).flatMap(([one, other]) =>
        watchedTwice(pathOf(one), one, other),
      ),
    ],
  },
  {
    id: 'strimzi-operator-namespace-twice',
    severity: 'error',
    says: 'each operator has a namespace of its own: their leases and pods are told apart by it',
    source: upstream('packaging/install/cluster-operator/022-ClusterRole-strimzi-cluster-operator-role.yaml'),
    judge: (operator) =>
      earlierBeside(operator)
        .filter((other) => sharesLease(asWritten(operator), other))
        .map((other) => ({
          what: `it shares namespace ${other.namespace} with the operator of ${pathOf(other)}, and so the Lease by which one pod alone works`,
          remedy: 'give each installation a namespace of its own',
          value: other.namespace,
        })),
  },
  {
    id: 'strimzi-cluster-scoped-twice',
    severity: 'error',
    says: 'objects of the whole cluster are made by one installation',
    source: DELEGATION,
    judge: (operator) =>
      earlierBeside(operator).flatMap((other): Finding[] => {
        const mine = clusterScopedNames(operator.settings);
        const both = clusterScopedNamesOf(other).filter((name) => mine.includes(name));
        return both.length === 0
          ? []
          : [
              {
                what: `${someOf(both)} are made by ${pathOf(other)} as well, and whoever is applied last wins`,
                remedy: 'say createClusterScoped false for one of the two',
                value: both[0],
              },
            ];
      }),
  },
];

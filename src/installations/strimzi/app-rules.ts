import { Chart } from 'cdk8s';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import type { Verdict } from '../../rules/rule';
import { CONTROLLER_WITH_ITS_SERVICES } from '../served-services';
import { type InstallationRule, type Operator, upstream } from './installation-rule';
import { clusterScopedNames } from './operator-rbac';
import { type AppKafka, areNamesakes, kafkasOf, operatorsOf, serves, watchedByBoth } from './operators-of-app';

const CONFIG = upstream('cluster-operator/src/main/java/io/strimzi/operator/cluster/ClusterOperatorConfig.java');
const DELEGATION = upstream('packaging/install/cluster-operator/030-ClusterRole-strimzi-kafka-broker.yaml');
const MAIN = upstream('cluster-operator/src/main/java/io/strimzi/operator/cluster/Main.java');

/** How many names a message shows. */
const SHOWN = 3;

/** The installations that were made before this one: what two have in common is told with the later. */
function earlier({ host }: Operator): readonly Operator[] {
  const all = operatorsOf(host);
  return all.slice(
    0,
    all.findIndex((operator) => operator.host === host),
  );
}

/** Those of them that are in the same cluster, as far as can be known. */
function earlierBeside(operator: Operator): readonly Operator[] {
  return earlier(operator).filter((other) => !areNamesakes(operator, other));
}

function servedBy(operator: Operator): AppKafka[] {
  return kafkasOf(operator.host).filter((kafka) => serves(operator, kafka));
}

/** What an operator serves and does not fit; what fits a namesake of it is in the cluster of that one. */
function misfitsOf(operator: Operator, fits: (kafka: AppKafka, operator: Operator) => boolean): AppKafka[] {
  const all = [operator, ...operatorsOf(operator.host).filter((other) => areNamesakes(operator, other))];
  return servedBy(operator).filter((kafka) => !all.some((each) => serves(each, kafka) && fits(kafka, each)));
}

function isMadeFor({ strimzi }: AppKafka, { settings: { version } }: Operator): boolean {
  return !strimzi || shown(strimzi) === shown(version);
}

/** Of a Kafka that is made for a version, that version decides. */
function hasServedApiVersion({ object, strimzi }: AppKafka, { settings: { version } }: Operator): boolean {
  return strimzi !== undefined || version.servesApiVersion(object.apiVersion);
}

function nameOf({ object, namespace }: AppKafka): string {
  return `Kafka ${namespace === undefined ? '' : `${namespace}/`}${object.name} (${object.node.path})`;
}

function shown({ version, keepsForeignFinalizers }: StrimziVersion): string {
  return `${version} with${keepsForeignFinalizers ? '' : 'out'} server-side apply`;
}

/** What holds for an installation beside others, and the Kafka resources of its app. */
export const APP_RULES: readonly InstallationRule[] = [
  {
    id: 'strimzi-operator-twice-in-app',
    severity: 'warning',
    says: 'operators of one namespace and name in different charts are for different clusters',
    source: upstream('packaging/install/cluster-operator/060-Deployment-strimzi-cluster-operator.yaml'),
    judge: (operator) =>
      earlier(operator)
        .filter((other) => areNamesakes(operator, other))
        .slice(0, 1)
        .map(({ host, settings: { name, namespace } }) => ({
          what: `operator ${name} in namespace ${namespace} is written by ${host.node.path} as well, so that one replaces the other`,
          wayOut:
            'give one of the two another name and namespace, or acknowledge it where the charts are applied to different clusters of Kubernetes',
          value: name,
        })),
  },
  {
    id: 'strimzi-watched-twice',
    severity: 'error',
    says: 'one operator watches a namespace',
    source: CONFIG,
    judge: (operator) =>
      earlierBeside(operator).flatMap((other): Verdict[] => {
        const both = watchedByBoth(operator, other);
        return both === undefined
          ? []
          : [
              {
                what: `it watches ${both}, which ${other.host.node.path} watches too, and two operators undo each other's work`,
                wayOut: 'give each its own namespaces',
                value: both,
              },
            ];
      }),
  },
  {
    id: 'strimzi-operator-namespace-twice',
    severity: 'error',
    says: 'each operator has a namespace of its own: their leases and pods are told apart by it',
    source: upstream('packaging/install/cluster-operator/022-ClusterRole-strimzi-cluster-operator-role.yaml'),
    judge: (operator) =>
      earlierBeside(operator)
        .filter(({ settings }) => settings.namespace === operator.settings.namespace)
        .map(({ host, settings: { namespace } }) => ({
          what: `it shares namespace ${namespace} with the operator of ${host.node.path}, and so the Lease by which one pod alone works`,
          wayOut: 'give each installation a namespace of its own',
          value: namespace,
        })),
  },
  {
    id: 'strimzi-cluster-scoped-twice',
    severity: 'error',
    says: 'objects of the whole cluster are made by one installation',
    source: DELEGATION,
    judge: (operator) =>
      earlierBeside(operator).flatMap((other): Verdict[] => {
        const mine = clusterScopedNames(operator.settings);
        const both = clusterScopedNames(other.settings).filter((name) => mine.includes(name));
        return both.length === 0
          ? []
          : [
              {
                what: `${list(both)} are made by ${other.host.node.path} as well, and whoever is applied last wins`,
                wayOut: 'say createClusterScoped false for one of the two',
                value: both[0],
              },
            ];
      }),
  },
  {
    id: 'strimzi-kafka-version',
    severity: 'error',
    says: 'a Kafka is made for the version of the operator that serves it',
    source: MAIN,
    judge: (operator) =>
      misfitsOf(operator, isMadeFor).map((kafka) => ({
        what: `${nameOf(kafka)} is made for Strimzi ${shown(kafka.strimzi as StrimziVersion)}, and the operator that serves it is ${shown(operator.settings.version)}`,
        wayOut: 'pass the version of this installation as its strimzi',
        value: kafka.strimzi?.version,
      })),
  },
  {
    id: 'strimzi-kafka-api-version',
    severity: 'error',
    says: 'the operator serves the API version of a Kafka in a namespace that it watches',
    source: upstream('packaging/install/cluster-operator/040-Crd-kafka.yaml'),
    judge: (operator) =>
      misfitsOf(operator, hasServedApiVersion).map((kafka) => ({
        what: `${nameOf(kafka)} has apiVersion ${kafka.object.apiVersion}, which Strimzi ${operator.settings.version.version} does not serve`,
        wayOut: `write ${operator.settings.version.apiVersion}, or install a release that serves it`,
        value: kafka.object.apiVersion,
      })),
  },
  {
    id: 'strimzi-kafka-unwatched',
    severity: 'warning',
    says: 'some operator of the app watches the namespace of each Kafka',
    source: CONFIG,
    judge: (operator) => {
      const operators = operatorsOf(operator.host);
      // told once, with the first installation
      return operators[0].host !== operator.host
        ? []
        : kafkasOf(operator.host)
            .filter(({ namespace }) => namespace !== undefined)
            .filter((kafka) => !operators.some((each) => serves(each, kafka)))
            .map((kafka) => ({
              what: `${nameOf(kafka)} stands where no operator of this app watches, so nothing happens to it`,
              wayOut: `add ${kafka.namespace} to watchNamespaces, or acknowledge that another operator serves it`,
              value: kafka.namespace,
            }));
    },
  },
  {
    id: CONTROLLER_WITH_ITS_SERVICES,
    severity: 'warning',
    says: 'an operator outlives the clusters that it serves',
    source: upstream('operator-common/src/main/java/io/strimzi/operator/common/model/Labels.java'),
    judge: (operator) => {
      const chart = Chart.of(operator.host);
      const inside = servedBy(operator).filter(({ object }) => Chart.of(object) === chart);
      return inside.length === 0
        ? []
        : [
            {
              what: `chart '${chart.node.id}' installs the operator and holds what it serves (${list(inside.map(nameOf))}): deleted together, nobody ends the clusters, and what has a finalizer stays`,
              wayOut: 'put the installation into a chart of its own, and delete that one last',
            },
          ];
    },
  },
];

function list(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${more}`;
}

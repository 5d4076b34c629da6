import type { Finding } from '../../contract/finding';
import { IMAGE_SYNTAX } from '../../contract/image-syntax';
import { isMap, type Json, list } from '../../contract/json';
import { labelKeyFault, labelValueFault } from '../../contract/kubernetes-syntax';
import { isUnresolved } from '../../identity/aws/aws-arn';
import { LEADER_ELECTION_VARIABLE } from '../../kafka/operator/cluster-operator.facts';
import type { IndexedObject } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { VERSION_TAG } from '../workloads';
import { IMAGES } from './facts';
import { type InstalledOperator, upstream, variablesOf } from './installation-rule';

const DEPLOYMENT = upstream('packaging/install/cluster-operator/060-Deployment-strimzi-cluster-operator.yaml');

function imagesOf(deployment: Json): string[] {
  return list<Json>(deployment.spec?.template?.spec?.containers).map((container) => String(container?.image ?? ''));
}

/** What is applied along with an operator and keeps its pods where they are. */
function budgetsOver(deployment: Json, { among }: InstalledOperator): readonly IndexedObject[] {
  const labels: Json = deployment.spec?.template?.metadata?.labels ?? {};
  return among.index
    .of('policy', 'PodDisruptionBudget')
    .filter(({ unit }) => unit === among.unit)
    .filter(({ json: { metadata, spec } }) => {
      const wanted = isMap(spec?.selector?.matchLabels) ? Object.entries(spec.selector.matchLabels) : [];
      const isHere = metadata?.namespace === deployment.metadata?.namespace;
      return isHere && wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
    });
}

function replicaFaults(deployment: Json, operator: InstalledOperator): Finding[] {
  const replicas = deployment.spec?.replicas ?? 1;
  if (!Number.isInteger(replicas) || replicas < 0) {
    return [{ what: `replicas is ${replicas}`, remedy: 'write a whole number', value: String(replicas) }];
  }
  const elects = variablesOf(deployment).get(LEADER_ELECTION_VARIABLE) !== 'false';
  return [
    ...(replicas > 1 && !elects
      ? [
          {
            what: `${replicas} pods without leader election work against each other`,
            remedy: 'leave leaderElection on, or take one replica',
            value: String(replicas),
          },
        ]
      : []),
    ...(replicas < 2
      ? budgetsOver(deployment, operator).map(({ name }) => ({
          what: `a PodDisruptionBudget (${name}) over ${replicas === 1 ? 'one pod' : 'no pod'} keeps the node of the operator from being drained, or protects nothing`,
          remedy: 'take two replicas, or no budget',
          value: String(replicas),
        }))
      : []),
  ];
}

/** What holds for the finished Deployment of an operator. */
export const WORKLOAD_RULES: readonly Rule<InstalledOperator>[] = [
  {
    id: 'strimzi-replicas',
    severity: 'error',
    says: 'several pods of the operator elect a leader, and a PodDisruptionBudget has a second pod',
    source: upstream(
      'packaging/helm-charts/helm3/strimzi-kafka-operator/templates/051-PodDisruptionBudget-strimzi-cluster-operator.yaml',
    ),
    judge: replicaFaults,
  },
  {
    id: 'strimzi-image',
    severity: 'error',
    says: 'the image of the operator is a valid reference, whose tag is of the version that is installed',
    source: DEPLOYMENT,
    judge: (deployment, { version }) =>
      imagesOf(deployment).flatMap((image): Finding[] => {
        if (isUnresolved(image)) {
          return [];
        }
        if (!IMAGE_SYNTAX.test(image)) {
          const remedy = 'write imageRegistry and imageRepository without a scheme, and without slashes around them';
          return [{ what: `image '${image}' is not a valid image reference`, remedy, value: image }];
        }
        const tag = VERSION_TAG.exec(image)?.[1];
        const isOperator = image.split('/').pop()?.startsWith(`${IMAGES.operator}:`);
        return !isOperator || tag === undefined || version === undefined || tag === version.version
          ? []
          : [
              {
                what: `Strimzi ${version.version} is installed with the image '${image}', and what is written is for that version`,
                remedy: 'name the version of the image, and leave the image out',
                value: tag,
              },
            ];
      }),
  },
  {
    id: 'strimzi-labels',
    severity: 'error',
    says: 'labels are such that Kubernetes takes them',
    source: DEPLOYMENT,
    judge: (deployment) =>
      Object.entries<string>(deployment.metadata?.labels ?? {}).flatMap(([key, value]) => {
        const fault = labelKeyFault(key) ?? labelValueFault(value);
        return fault === undefined ? [] : [{ what: `labels: ${fault}`, remedy: 'write other labels', value: key }];
      }),
  },
];

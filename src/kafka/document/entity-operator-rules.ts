import { reaches } from '../../contract/compare-versions';
import { OTHER_NAMESPACE_GUARDED_SINCE, OTHER_NAMESPACE_VARIABLE } from '../cluster/kafka-cluster.facts';
import { surprisingInDocument } from './document-says';
import { at, isSaid, textAt } from './kafka-json';
import type { DocumentRule } from './kafka-rule';

const PARTS = ['topicOperator', 'userOperator'].map((part) => `spec.entityOperator.${part}`);

/** The operators of topics and users. */
export const ENTITY_OPERATOR_RULES: readonly DocumentRule[] = [
  surprisingInDocument(
    'kafka-watched-namespace',
    'the entity operator watches another namespace only where the operator allows it',
    'cluster-operator/src/main/java/io/strimzi/operator/cluster/operator/assembly/EntityOperatorReconciler.java',
    (kafka, { strimzi, operators }) => {
      const namespace = textAt(kafka, 'metadata.namespace');
      const others = PARTS.map((part) => [part, textAt(kafka, `${part}.watchedNamespace`)] as const).filter(
        ([, watched]) => watched !== undefined && namespace !== undefined && watched !== namespace,
      );
      if (others.length === 0 || !reaches(strimzi, OTHER_NAMESPACE_GUARDED_SINCE)) {
        return [];
      }
      const serving = operators?.() ?? [];
      const forbidding = serving.find(
        ({ variables }) => variables.get(OTHER_NAMESPACE_VARIABLE)?.toLowerCase() !== 'true',
      );
      if (serving.length > 0 && !forbidding) {
        return [];
      }
      const [why, where, then] = forbidding
        ? [
            `, as ${forbidding.object.node.path} allows no other namespace`,
            'there (entityOperatorWatchedNamespace)',
            '',
          ]
        : [
            ' unless its installation allows other namespaces',
            "in the operator's installation",
            ' and acknowledge this',
          ];
      return others.map(([part, watched]) => ({
        what: `${part}.watchedNamespace is '${watched}', and the cluster is in '${namespace}', so Strimzi ${strimzi.version} deletes the entity operator${why}`,
        remedy: `set ${OTHER_NAMESPACE_VARIABLE}=true ${where}${then}, or watch the namespace of the cluster`,
        value: watched,
      }));
    },
  ),
  surprisingInDocument(
    'kafka-entity-operator-empty',
    'an entity operator has a part that does something',
    'EntityOperator.java',
    (kafka) =>
      isSaid(at(kafka, 'spec.entityOperator')) && PARTS.every((part) => !isSaid(at(kafka, part)))
        ? {
            what: 'spec.entityOperator has neither topicOperator nor userOperator, so none is deployed',
            remedy: 'write topicOperator: {} or userOperator: {}, or remove it',
          }
        : undefined,
  ),
];

import { isMap, type Json, list } from '../contract/json';
import { objectNameOf } from '../contract/object-title';
import { unquoted } from '../contract/printable';
import { podTemplateOf } from '../contract/workload';

/** What a workload demands of its nodes, as text: labels that must all match, and terms of which one must. */
export function requiredNodes(workload: Json): string | undefined {
  const pod = podTemplateOf(workload)?.spec;
  const labels = Object.entries(isMap(pod?.nodeSelector) ? pod.nodeSelector : {}).map(
    ([key, value]) => `${key}=${unquoted(value)}`,
  );
  const terms = list<Json>(
    pod?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms,
  ).map((term) =>
    [...list<Json>(term?.matchExpressions), ...list<Json>(term?.matchFields)]
      .filter(isMap)
      .map(
        ({ key, operator, values }) =>
          `${unquoted(key)} ${unquoted(operator)} [${list(values).map(unquoted).join(', ')}]`,
      )
      .join(' and '),
  );
  const demands = [...labels, terms.filter((term) => term !== '').join(' or ')].filter((words) => words !== '');
  return demands.length > 0
    ? `pods of ${unquoted(workload.kind)} ${objectNameOf(workload)} only on ${demands.join(' and ')}`
    : undefined;
}

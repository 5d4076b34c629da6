import type { Said } from '../../contract/finding';
import type { Json } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';
import type { DocumentRule, ListenerContext } from './kafka-rule';

type Look = (kafka: Json, context: ListenerContext) => Said;

/** Where a rule of the operator was read; files are those of the model in `cluster-operator` unless they say otherwise. */
export function operatorFile(file: string): Citation {
  const isPath = file.includes('/src/');
  return {
    repository: 'strimzi/strimzi-kafka-operator',
    version: '1.2.0',
    file: isPath ? file : `cluster-operator/src/main/java/io/strimzi/operator/cluster/model/${file}`,
  };
}

/** What cannot be: the operator stops reconciling, or does something else than what is written. */
export function refusedInDocument(id: string, says: string, file: string, judge: Look): DocumentRule {
  return { id, severity: 'error', says, source: operatorFile(file), judge };
}

/** What works and surprises. */
export function surprisingInDocument(id: string, says: string, file: string, judge: Look): DocumentRule {
  return { id, severity: 'warning', says, source: operatorFile(file), judge };
}

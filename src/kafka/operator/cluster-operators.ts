import { isMap, type Json, list } from '../../contract/json';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import {
  CLUSTER_OPERATOR_SCRIPT,
  NAMESPACE_VARIABLE,
  NAMESPACES,
  OPERATOR_IMAGE,
  OPERATOR_SCRIPTS,
  RESOURCE_SELECTOR,
} from '../strimzi/strimzi.facts';
import { at, listAt, textAt } from './kafka-document';

export interface OperatorInApp {
  readonly object: IndexedObject;
  readonly name: string;
  readonly namespace?: string;
  readonly watched?: readonly (string | undefined)[];
  readonly selector: string;
  readonly variables: ReadonlyMap<string, string>;
}

export function operatorsIn(index: ObjectIndex): readonly OperatorInApp[] {
  return index.once(operatorsIn, () =>
    index
      .of('apps', 'Deployment')
      .filter(({ json }) => isOperator(json))
      .map(operatorOf),
  );
}

export function isOperator(deployment: Json): boolean {
  return containersOf(deployment).some(runsOperator);
}

export function operatorsServing(kafka: IndexedObject): readonly OperatorInApp[] {
  return operatorsIn(kafka.index).filter((operator) => serves(operator, kafka));
}

export function operatorOf(object: IndexedObject): OperatorInApp {
  const deployment = object.json;
  const containers = containersOf(deployment);
  const env = (containers.find(runsOperator) ?? containers[0])?.env;
  const variables = list<Json>(env).filter(isMap);
  const texts = variables.filter(({ value }) => typeof value === 'string').map(({ name, value }) => [name, value]);
  const byName = new Map<string, string>(texts as [string, string][]);
  const namespace = textAt(deployment, 'metadata.namespace');
  const isOwn = variables.some(({ name, valueFrom }) => name === NAMESPACE_VARIABLE && isMap(valueFrom));
  return {
    object,
    name: String(object.name),
    namespace,
    watched: isOwn ? [namespace] : namespacesIn(byName.get(NAMESPACE_VARIABLE)),
    selector: byName.get(RESOURCE_SELECTOR) ?? '',
    variables: byName,
  };
}

/** True if an operator watches a namespace, as far as that is known: whatever says none may be applied into any. */
export function watches({ watched }: OperatorInApp, namespace: string | undefined): boolean {
  return watched === undefined || namespace === undefined || watched.includes(namespace);
}

export function serves(operator: OperatorInApp, kafka: IndexedObject): boolean {
  const wanted = operator.selector
    .split(',')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('=').map((part) => part.trim()));
  return watches(operator, kafka.namespace) && wanted.every(([key, value]) => kafka.label(key) === value);
}

function containersOf(deployment: Json): Json[] {
  return listAt<Json>(deployment, 'spec.template.spec.containers').filter(isMap);
}

function runsOperator(container: Json): boolean {
  const words = [...listAt(container, 'command'), ...listAt(container, 'args')].map(String);
  const scripts = words.filter((word) => word.includes(OPERATOR_SCRIPTS));
  if (scripts.length > 0) {
    return scripts.some((word) => word.includes(CLUSTER_OPERATOR_SCRIPT));
  }
  const image = /^(.*?)(:[^:/]*)?(@.*)?$/.exec(String(at(container, 'image')))?.[1] ?? '';
  return image === OPERATOR_IMAGE || image.endsWith(`/${OPERATOR_IMAGE}`);
}

function namespacesIn(text = ''): string[] | undefined {
  const names = text
    .split(NAMESPACES.separator)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 || names.includes(NAMESPACES.all) ? undefined : names;
}

import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Json } from './json';

const POD_TEMPLATES = new Map<unknown, string[]>([
  ['Deployment', ['spec', 'template']],
  ['StatefulSet', ['spec', 'template']],
  ['DaemonSet', ['spec', 'template']],
  ['ReplicaSet', ['spec', 'template']],
  ['Job', ['spec', 'template']],
  ['CronJob', ['spec', 'jobTemplate', 'spec', 'template']],
  ['Pod', []],
]);

/**
 * The ApiObject of the one workload inside a construct: any line of cdk8s-plus, `Include`, typed imports.
 * Throws where there is none, or more than one.
 */
export function workloadIn(construct: IConstruct): ApiObject {
  const found = construct.node
    .findAll()
    .filter((child): child is ApiObject => ApiObject.isApiObject(child) && isWorkload(child));
  if (found.length === 1) {
    return found[0];
  }
  const seen =
    found.length === 0 ? 'no workload' : `several workloads: ${found.map((child) => child.node.path).join(', ')}`;
  throw new Error(
    `${construct.node.path}: there is ${seen}; pass the construct of one Deployment, StatefulSet, DaemonSet, ReplicaSet, Job, CronJob or Pod`,
  );
}

function isWorkload(object: ApiObject): boolean {
  return POD_TEMPLATES.has(object.kind) && ['core', 'apps', 'batch'].includes(object.apiGroup);
}

/** The pod template inside a rendered workload (of a Pod, the Pod itself), or inside an object of another kind that has one. */
export function podTemplateOf(workload: Json): Json | undefined {
  const path = POD_TEMPLATES.get(workload.kind);
  const template = (path ?? ['spec', 'template']).reduce<Json | undefined>((json, key) => json?.[key], workload);
  return path || Array.isArray(template?.spec?.containers) ? template : undefined;
}

/** The JSON pointer to the pod template inside a workload of a kind. */
export function podTemplatePointer(kind: unknown): string {
  return (POD_TEMPLATES.get(kind) ?? []).map((step) => `/${step}`).join('');
}

export function podSelectorOf(workload: Json): Record<string, string> {
  return workload.spec?.selector?.matchLabels ?? podTemplateOf(workload)?.metadata?.labels ?? {};
}

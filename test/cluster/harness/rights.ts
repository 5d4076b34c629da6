import type { Api } from './api';
import { until } from './wait';

/** Something that somebody may do or not, in the words of RBAC; in all namespaces, where none is named. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  /** With its subresource, where one is meant: `pods/exec`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** A rule, and where it holds: in the whole cluster, where no namespace is named. */
export interface Grant {
  readonly namespace?: string;
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** Whether rules allow something, as RBAC reads them; none of ours has a star. */
function isAllowedBy(grants: readonly Grant[], { verb, group, resource, namespace, name }: Right): boolean {
  return grants.some(
    (grant) =>
      (grant.namespace === undefined || grant.namespace === namespace) &&
      grant.groups.includes(group) &&
      grant.resources.includes(resource) &&
      grant.verbs.includes(verb) &&
      (grant.resourceNames === undefined || (name !== undefined && grant.resourceNames.includes(name))),
  );
}

/** Every verb on every resource that is named anywhere in some rules, in some namespaces; on each name of theirs and another. */
function rightsAround(grants: readonly Grant[], namespaces: readonly string[]): Right[] {
  const rights = grants.flatMap(({ groups, resources, resourceNames }) =>
    groups.flatMap((group) =>
      resources.flatMap((resource) =>
        namespaces.flatMap((namespace) =>
          VERBS.flatMap((verb) =>
            [undefined, ...(resourceNames ? [...resourceNames, 'another'] : [])].map((name) => ({
              verb,
              group,
              resource,
              namespace,
              name,
            })),
          ),
        ),
      ),
    ),
  );
  return [...new Map(rights.map((right) => [shown(right), right])).values()];
}

export function shown({ verb, group, resource, namespace = '*', name }: Right): string {
  const what = name === undefined ? resource : `${resource} ${name}`;
  return `${verb} ${what}${group && ` of ${group}`} in ${namespace}`;
}

/** Whether the API server lets somebody do something, as `kubectl auth can-i` asks it. */
export async function mayDo(api: Api, { verb, group, resource: whole, namespace, name }: Right): Promise<boolean> {
  const [resource, subresource] = whole.split('/');
  const { status } = await api.create({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: { name: '' },
    spec: { resourceAttributes: { verb, group, resource, subresource, namespace, name } },
  });
  return status.allowed;
}

/** One right of each rule. */
function firstOf({ groups, resources, resourceNames, verbs, namespace = 'default' }: Grant): Right {
  return { verb: verbs[0], group: groups[0], resource: resources[0], name: resourceNames?.[0], namespace };
}

/** Waits until the API server has seen that rules hold, or hold no more: it learns of roles and bindings one by one. */
export async function untilSeen(api: Api, grants: readonly Grant[], wanted: boolean): Promise<void> {
  await until(wanted ? 'the roles to hold' : 'the roles to hold no more', async () => {
    const answers = await Promise.all(grants.map((grant) => mayDo(api, firstOf(grant))));
    return answers.every((answer) => answer === wanted);
  });
}

/**
 * Asks for every verb on everything that is named in some rules, and compares.
 *
 * @param granted what is allowed, and nothing else of it
 * @param related rules that are not granted here, and must be refused
 * @returns how many were asked for, how many of them are allowed, and where the API server sees it otherwise
 */
export async function compareRights(
  api: Api,
  granted: readonly Grant[],
  related: readonly Grant[],
  namespaces: readonly string[],
): Promise<{ asked: number; allowed: number; otherwise: string[] }> {
  const rights = rightsAround([...granted, ...related], namespaces);
  const answers = await Promise.all(rights.map(async (right) => ({ right, isAllowed: await mayDo(api, right) })));
  return {
    asked: rights.length,
    allowed: answers.filter(({ isAllowed }) => isAllowed).length,
    otherwise: answers
      .filter(({ right, isAllowed }) => isAllowed !== isAllowedBy(granted, right))
      .map(({ right, isAllowed }) => `${shown(right)} is ${isAllowed ? 'allowed' : 'refused'}`),
  };
}

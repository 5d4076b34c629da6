import { type Chart, Testing } from 'cdk8s';
import { type Api, ApiRefusal, type Body, type Ref } from './api';
import { DENIED, untilPoliciesHold } from './policies';
import { until } from './wait';

/** Writes the objects of a chart, those of the whole cluster first, and waits until its policies hold. */
export async function install(api: Api, chart: Chart): Promise<void> {
  for (const object of Testing.synth(chart) as Ref[]) {
    await api.create(object);
  }
  await untilPoliciesHold(api);
}

/** What a policy says of a request, or why it was refused otherwise; undefined where it is admitted. */
export async function refusalOf(request: Promise<unknown>): Promise<string | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiRefusal)) {
      throw error;
    }
    const [, said] = error.message.split(DENIED);
    return said ?? error.message;
  }
}

/** Waits until a request is admitted whose permissions or quotas have just been written. */
export function untilAdmitted(what: string, request: () => Promise<unknown>): Promise<unknown> {
  return until(what, async () => (await refusalOf(request())) === undefined);
}

/** Gives somebody rights in a namespace, or everywhere. */
export async function permit(api: Api, user: string, rules: Body[], namespace?: string): Promise<void> {
  const name = `${user.replaceAll(':', '-')}-may`;
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }];
  const version = 'rbac.authorization.k8s.io/v1';
  await api.create({ apiVersion: version, kind: 'ClusterRole', metadata: { name }, rules });
  await api.create({
    apiVersion: version,
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name, namespace },
    roleRef,
    subjects,
  });
}

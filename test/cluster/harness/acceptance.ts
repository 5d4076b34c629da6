import type { Api, Ref } from './api';
import { lackIn, withoutZeros } from './contains';
import { namespacesOf } from './manifests';

export async function ensureNamespaces(api: Api, objects: readonly Ref[]): Promise<void> {
  for (const name of namespacesOf(objects)) {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    if (!(await api.find(namespace))) {
      await api.create(namespace);
    }
  }
}

/** What the API server made of an object otherwise than written, under two managers. */
export async function lacksAfterWriting(api: Api, object: Ref): Promise<string[]> {
  await api.create(object, { as: 'first' });
  return lacksAfterApplying(api, object);
}

/** What of an object is otherwise than written, before and after a second manager applies it. */
export async function lacksAfterApplying(api: Api, object: Ref): Promise<string[]> {
  const created = await api.get(object);
  await api.apply(object, { as: 'second' });
  const applied = await api.get(object);
  await api.apply(object, { as: 'second' });
  const again = await api.get(object);
  // other libraries write the zeros of Deployments out; what we write into Services must be there to the letter
  const written = object.kind === 'Deployment' ? withoutZeros(object) : object;
  return [
    ...lackIn(created, written, 'created'),
    ...lackIn(applied, written, 'applied'),
    ...lackIn(again.metadata.resourceVersion, applied.metadata.resourceVersion, 'applied twice'),
    ...lackIn(applied.spec, created.spec, 'spec after the second manager'),
  ];
}

import { ensureNamespaces, lacksAfterApplying, lacksAfterWriting } from './acceptance';
import type { Api, Body, Ref } from './api';
import { lackIn } from './contains';
import { install } from './custom-resources';
import { until } from './wait';

export const isDefinition = ({ kind }: Pick<Ref, 'kind'>) => kind === 'CustomResourceDefinition';

/** What makes the API server ask somebody before it writes. */
export const isWebhookConfiguration = ({ kind }: Pick<Ref, 'kind'>) => kind.endsWith('WebhookConfiguration');

/** Creates definitions and waits until each is served; returns which are not established, or otherwise than written. */
export async function lacksOfForeignDefinitions(api: Api, definitions: readonly Ref[]): Promise<string[]> {
  await install(api, definitions);
  const lacks = await Promise.all(
    definitions.map(async (definition) => {
      const live = await api.get(definition);
      const missing = ['Established', 'NamesAccepted'].filter(
        (type) => !live.status.conditions.some((each: Body) => each.type === type && each.status === 'True'),
      );
      const { name } = definition.metadata;
      return [
        ...missing.map((type) => `${name} is not ${type}`),
        ...lackIn(live, withoutEmptyProperties(definition), name),
      ];
    }),
  );
  return lacks.flat();
}

/** Schemas that say of no property what it is: the API server does not keep that they say so. */
function withoutEmptyProperties(definition: Ref): Ref {
  return JSON.parse(
    JSON.stringify(definition, (key, value) =>
      key === 'properties' && Object.keys(value).length === 0 ? undefined : value,
    ),
  );
}

/** The same, under two managers: ours say even what the API server would add. */
export async function lacksOfDefinitions(api: Api, definitions: readonly Ref[]): Promise<string[]> {
  const lacks = await lacksOfForeignDefinitions(api, definitions);
  const applied = await Promise.all(definitions.map((definition) => lacksAfterApplying(api, definition)));
  return [...lacks, ...applied.flat()];
}

/** Creates objects in their order, each under two managers; returns what is otherwise than written. */
export async function lacksOfAll(api: Api, objects: readonly Ref[]): Promise<string[]> {
  await ensureNamespaces(api, objects);
  const lacks: string[] = [];
  for (const object of objects) {
    lacks.push(
      ...(await lacksAfterWriting(api, object)).map((lack) => `${object.kind} ${object.metadata.name}: ${lack}`),
    );
  }
  return lacks;
}

export async function removeAll(api: Api, objects: readonly Ref[]): Promise<void> {
  const there = await Promise.all(objects.map(async (object) => ((await api.find(object)) ? [object] : [])));
  await Promise.all(there.flat().map((object) => api.delete(object)));
  for (const object of there.flat()) {
    await until(`${object.kind} ${object.metadata.name} to go`, async () => (await api.find(object)) === undefined);
  }
}

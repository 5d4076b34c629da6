import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api, Body, Ref } from './api';
import { objectsIn } from './manifests';
import { until } from './wait';

/** Where a Go module keeps its custom resource definitions. */
const FOLDERS: Record<string, string> = {
  'sigs.k8s.io/gateway-api': 'config/crd/standard',
  'github.com/envoyproxy/gateway': 'charts/gateway-crds-helm/templates/generated',
  'go.universe.tf/metallb': 'config/crd/bases',
};

const CRD = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };

/** The definitions inside the pinned modules of test/cluster/crds/go.mod. */
export function customResourceDefinitions(): Ref[] {
  const modules = JSON.parse(process.env.CRD_MODULES ?? '{}') as Record<string, string>;
  return Object.entries(FOLDERS).flatMap(([name, folder]) => {
    if (!modules[name]) {
      throw new Error(`the module ${name} was not fetched: run \`npm run test:cluster\`, which fetches it`);
    }
    const within = join(modules[name], folder);
    return readdirSync(within)
      .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
      .flatMap((file) => objectsIn(withoutTemplating(readFileSync(join(within, file), 'utf8'))))
      .filter((object) => object?.kind === CRD.kind);
  });
}

/** Definitions in a chart stand between lines of its own language, which switch them on and off as a whole. */
function withoutTemplating(yaml: string): string {
  return yaml.replace(/^\{\{.*\}\}$/gm, '');
}

/** Installs definitions and waits until the API server serves them; returns how many. */
export async function install(api: Api, definitions: readonly Ref[]): Promise<number> {
  await Promise.all(definitions.map((definition) => api.create(definition)));
  await until(
    'the API server to serve the custom resources',
    async () => {
      const live = await api.list(CRD);
      return live.every(({ status }: Body) =>
        status?.conditions?.some((each: Body) => each.type === 'Established' && each.status === 'True'),
      );
    },
    { seconds: 60 },
  );
  return definitions.length;
}

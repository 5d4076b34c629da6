import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api, Body, Ref } from './api';
import { objectsIn } from './manifests';
import { until } from './wait';

/** Where a Go module keeps its custom resource definitions. */
const FOLDERS: Record<string, string> = {
  'github.com/cert-manager/cert-manager': 'deploy/crds',
  'sigs.k8s.io/gateway-api': 'config/crd/standard',
  'github.com/envoyproxy/gateway': 'charts/gateway-crds-helm/templates/generated',
  'go.universe.tf/metallb': 'config/crd/bases',
};

/** The definitions inside the pinned modules of test/cluster/crds/go.mod: of all of them, or of some. */
export function customResourceDefinitions(of = Object.keys(FOLDERS)): Ref[] {
  const modules = JSON.parse(process.env.CRD_MODULES ?? '{}') as Record<string, string>;
  return of.flatMap((name) => {
    if (!modules[name]) {
      throw new Error(`the module ${name} was not fetched: run \`npm run test:cluster\`, which fetches it`);
    }
    const within = join(modules[name], FOLDERS[name]);
    return readdirSync(within)
      .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
      .flatMap((file) => objectsIn(withoutTemplating(readFileSync(join(within, file), 'utf8'))))
      .filter((object) => object?.kind === 'CustomResourceDefinition');
  });
}

/** Definitions in a chart stand between lines of its own language, which switch them on and off as a whole. */
function withoutTemplating(yaml: string): string {
  return yaml.replace(/^\{\{.*\}\}$/gm, '');
}

/** What the API server serves by a definition, as it must list it. */
function served({ spec }: Body): Pick<Ref, 'apiVersion' | 'kind'>[] {
  return spec.versions
    .filter((version: Body) => version.served)
    .map(({ name }: Body) => ({ apiVersion: `${spec.group}/${name}`, kind: spec.names.kind }));
}

/** Installs definitions and waits until the API server serves them; returns how many. */
export async function install(api: Api, definitions: readonly Ref[]): Promise<number> {
  await Promise.all(definitions.map((definition) => api.create(definition)));
  // a definition that is established may be missing for a while in the lists of what there is
  const missing = new Set(definitions.flatMap(served));
  await until(
    'the API server to serve the custom resources',
    async () => {
      const asked = [...missing].map((kind) =>
        api.list(kind).then(
          () => missing.delete(kind),
          () => false,
        ),
      );
      await Promise.all(asked);
      return missing.size === 0;
    },
    { seconds: 60, seen: () => [...missing] },
  );
  return definitions.length;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api, Body, Ref } from './api';
import { objectsIn } from './manifests';
import { until } from './wait';

/** Where a Go module keeps its custom resource definitions. */
const FOLDERS: Record<string, readonly string[]> = {
  'github.com/cert-manager/cert-manager': ['deploy/crds'],
  'sigs.k8s.io/gateway-api': ['config/crd/standard'],
  'github.com/envoyproxy/gateway': ['charts/gateway-crds-helm/templates/generated'],
  'go.universe.tf/metallb': ['config/crd/bases'],
  'github.com/kyverno/kyverno': ['config/crds/kyverno', 'config/crds/policies.kyverno.io'],
};

/** The other channel of the Gateway API, which has fields more. */
const EXPERIMENTAL = 'config/crd/experimental';

/** Its definitions have megabytes: whoever needs some asks for them. */
const ON_DEMAND = ['github.com/kyverno/kyverno'];

/** The definitions inside the pinned modules of test/cluster/crds/go.mod: of the usual ones, or of some. */
export function customResourceDefinitions(
  of = Object.keys(FOLDERS).filter((name) => !ON_DEMAND.includes(name)),
): Ref[] {
  return of.flatMap((name) => FOLDERS[name].flatMap((folder) => definitionsIn(join(moduleOf(name), folder))));
}

/** The definitions of the experimental channel of the Gateway API, of some kinds. */
export function experimentalDefinitions(...plurals: readonly string[]): Ref[] {
  return definitionsIn(join(moduleOf('sigs.k8s.io/gateway-api'), EXPERIMENTAL)).filter(({ spec }) =>
    plurals.includes(spec.names.plural),
  );
}

function moduleOf(name: string): string {
  const modules = JSON.parse(process.env.CRD_MODULES ?? '{}') as Record<string, string>;
  if (!modules[name]) {
    throw new Error(`the module ${name} was not fetched: run \`npm run test:cluster\`, which fetches it`);
  }
  return modules[name];
}

/** Of the definitions in the pinned modules, those of one group; of some kinds, if any are named. */
export function definitionsOfGroup(of: string, group: string, ...kinds: readonly string[]): Ref[] {
  const found = customResourceDefinitions([of]).filter(
    ({ spec }) => spec.group === group && (kinds.length === 0 || kinds.includes(spec.names.kind)),
  );
  if (found.length < Math.max(1, kinds.length)) {
    throw new Error(`the module ${of} defines too few of ${group} ${kinds.join(', ')}: ${found.length}`);
  }
  return found;
}

/**
 * The definitions of a group that no Go module brings along, from the files in the folder that CRD_FILES names; none where
 * it names no folder, or none of them is of the group.
 */
export function definitionsFromFiles(group: string): Ref[] {
  const folder = process.env.CRD_FILES;
  return folder ? definitionsIn(folder).filter(({ spec }) => spec.group === group) : [];
}

function definitionsIn(folder: string): Ref[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
    .flatMap((file) => objectsIn(withoutTemplating(readFileSync(join(folder, file), 'utf8'))))
    .filter((object) => object?.kind === 'CustomResourceDefinition');
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
    { seen: () => [...missing] },
  );
  return definitions.length;
}

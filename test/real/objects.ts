import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { goldenNames, goldenText } from '../support/goldens';
import { runExample as run } from '../support/pasted-page';
import type { Api, Body, Ref } from './api';
import { until } from './program';

export interface ManifestFile {
  readonly name: string;
  readonly objects: Ref[];
}

const TEST = join(__dirname, '..');
const GOLDENS = join(TEST, 'goldens');
const EXAMPLES = join(GOLDENS, 'examples');
const KAFKA_GOLDENS = join(TEST, 'kafka', 'goldens');

const GIVEN = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

export function objectsIn(yaml: string): Ref[] {
  return parseAllDocuments(yaml).map((document) => {
    for (const problem of [...document.errors, ...document.warnings]) {
      throw problem;
    }
    return document.toJS() as Ref;
  });
}

function filesIn(...folders: string[]): ManifestFile[] {
  return folders.flatMap((folder) =>
    goldenNames(folder).map((name) => ({
      name: name.replace(/\.k8s$/, ''),
      objects: objectsIn(goldenText(folder, name)),
    })),
  );
}

/** Whether the operator of Strimzi serves an object: nobody else knows its kind. */
export function isOfStrimzi({ apiVersion }: Pick<Ref, 'apiVersion'>): boolean {
  return /^([\w-]+\.)*strimzi\.io\//.test(apiVersion);
}

const needsStrimzi = ({ objects }: ManifestFile) => objects.some(isOfStrimzi);

/** Every golden and what every example writes, but for those that need Strimzi. */
export function manifestFiles(): ManifestFile[] {
  return filesIn(GOLDENS, EXAMPLES).filter((file) => !needsStrimzi(file));
}

/** The goldens of the Kafka room, and what examples with Kafka in them write. */
export function kafkaManifestFiles(): ManifestFile[] {
  return [...filesIn(KAFKA_GOLDENS), ...filesIn(GOLDENS, EXAMPLES).filter(needsStrimzi)];
}

export function namespacesOf(objects: readonly Ref[]): string[] {
  const named = objects.map((object) => object.metadata.namespace);
  return [...new Set(named)].filter((name): name is string => name !== undefined && !GIVEN.includes(name));
}

/**
 * The same objects with one namespace replaced, so that files do not meet: that of the Services, or of other objects.
 * Other namespaces stay.
 */
export function movedTo(
  namespace: string,
  objects: readonly Ref[],
  isOne: (object: Ref) => boolean = (object) => object.kind === 'Service',
): Ref[] {
  const theirs = objects.find(isOne)?.metadata.namespace;
  return objects.map((object) =>
    object.metadata.namespace === theirs ? { ...object, metadata: { ...object.metadata, namespace } } : object,
  );
}

/** A copy of an object with values at places; `-` is after the last item of a list, and `{ $at: place }` a copy of what is at a place. */
export function withValues(object: Body, values: Readonly<Record<string, unknown>>): Body {
  const changed = structuredClone(object);
  const at = (keys: readonly string[]) => keys.reduce((one, key) => one[key], changed);
  for (const [place, given] of Object.entries(values)) {
    const keys = place.slice(1).split('/');
    const last = keys.pop() as string;
    const from = (given as Body | null)?.$at as string | undefined;
    const value = from === undefined ? given : structuredClone(at(from.slice(1).split('/')));
    if (last === '-') at(keys).push(...[value].flat());
    else at(keys)[last] = value;
  }
  return changed;
}

/**
 * Where an object lacks what was written into it: paths with what was written and what is there. Fields that others added are
 * no difference; lists must be the same length.
 */
export function lackIn(live: unknown, written: unknown, path = ''): string[] {
  if (Array.isArray(written)) {
    if (!Array.isArray(live) || live.length !== written.length) {
      return [difference(path, live, written)];
    }
    return written.flatMap((each, index) => lackIn(live[index], each, `${path}/${index}`));
  }
  if (typeof written === 'object' && written !== null) {
    if (typeof live !== 'object' || live === null) {
      return [difference(path, live, written)];
    }
    return Object.entries(written).flatMap(([key, value]) =>
      lackIn((live as Record<string, unknown>)[key], value, `${path}/${key}`),
    );
  }
  return live === written ? [] : [difference(path, live, written)];
}

function difference(path: string, live: unknown, written: unknown): string {
  return `${path}: wrote ${JSON.stringify(written)}, found ${JSON.stringify(live)}`;
}

/** An object without the zeros and empty texts that the API server does not keep, where they mean the same as nothing. */
export function withoutZeros(written: unknown): unknown {
  if (Array.isArray(written)) {
    return written.map(withoutZeros);
  }
  if (typeof written === 'object' && written !== null) {
    const kept = Object.entries(written).filter(([, value]) => value !== 0 && value !== false && value !== '');
    return Object.fromEntries(kept.map(([key, value]) => [key, withoutZeros(value)]));
  }
  return written;
}

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

const ANYTHING = { 'x-kubernetes-preserve-unknown-fields': true };

/** The least that a kind needs to be served if its own definition is not at hand: any fields, or a spec of a schema. */
export function leastDefinition(apiVersion: string, kind: string, spec?: Body, scope = 'Namespaced'): Ref {
  const [group, version] = apiVersion.split('/');
  const plural = kind.toLowerCase().replace(/s?$/, 's');
  const schema = spec ? { properties: { spec } } : ANYTHING;
  const served = { name: version, served: true, storage: true, subresources: { status: {} } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    // groups of Kubernetes ask for it
    metadata: { name: `${plural}.${group}`, annotations: { 'api-approved.kubernetes.io': 'unapproved' } },
    spec: {
      group,
      names: { kind, plural },
      scope,
      versions: [{ ...served, schema: { openAPIV3Schema: { type: 'object', ...schema } } }],
    },
  };
}

/** The definition of a kind of HAProxy: the files of CRD_FILES have its own. */
export function haproxyDefinition(kind: 'TCP' | 'Backend'): Ref {
  const service = { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer' } } };
  const items = { type: 'object', properties: { service }, ...ANYTHING };
  return leastDefinition('ingress.v3.haproxy.org/v3', kind, kind === 'TCP' ? { type: 'array', items } : ANYTHING);
}

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

/** The same of definitions, which are written first, and all other objects. */
export async function lacksOfInstallation(
  api: Api,
  objects: readonly Ref[],
  ofDefinitions = lacksOfDefinitions,
): Promise<string[]> {
  const lacks = await ofDefinitions(api, objects.filter(isDefinition));
  return [
    ...lacks,
    ...(await lacksOfAll(
      api,
      objects.filter((object) => !isDefinition(object)),
    )),
  ];
}

export async function removeAll(api: Api, objects: readonly Ref[]): Promise<void> {
  const there = await Promise.all(objects.map(async (object) => ((await api.find(object)) ? [object] : [])));
  await Promise.all(there.flat().map((object) => api.delete(object)));
  for (const object of there.flat()) {
    await until(`${object.kind} ${object.metadata.name} to go`, async () => (await api.find(object)) === undefined);
  }
}

/** Folders and files of a Go module that have its custom resource definitions. */
const FOLDERS: Record<string, readonly string[]> = {
  'github.com/cert-manager/cert-manager': ['deploy/crds'],
  'sigs.k8s.io/gateway-api': ['config/crd/standard'],
  'github.com/envoyproxy/gateway': ['charts/gateway-crds-helm/templates/generated'],
  'go.universe.tf/metallb': ['config/crd/bases'],
  'github.com/cilium/cilium': [
    'pkg/k8s/apis/cilium.io/client/crds/v2alpha1',
    'pkg/k8s/apis/cilium.io/client/crds/v2/ciliumloadbalancerippools.yaml',
    'pkg/k8s/apis/cilium.io/client/crds/v2/ciliumbgpadvertisements.yaml',
  ],
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
  return (folder.endsWith('.yaml') ? [''] : readdirSync(folder))
    .filter((file) => file === '' || (file.endsWith('.yaml') && file !== 'kustomization.yaml'))
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

/** The objects that a program of examples/ writes, file by file, and what it says meanwhile. */
export function runExample(name: string): { readonly files: Record<string, Ref[]>; readonly said: string } {
  const { files, said } = run(name);
  return { said, files: Object.fromEntries(Object.entries(files).map(([file, text]) => [file, objectsIn(text)])) };
}

export interface NodeProps {
  readonly labels?: Record<string, string>;
  readonly taints?: Body[];
  /** @default true */
  readonly ready?: boolean;
  readonly providerID?: string;
  readonly internalIp?: string;
}

export function nodeRef(name: string): Ref {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name } };
}

/** A node without a kubelet: object and status. */
export async function addNode(api: Api, name: string, props: NodeProps = {}): Promise<void> {
  const { labels, taints, ready = true, providerID, internalIp } = props;
  const ref = nodeRef(name);
  await api.create({ ...ref, metadata: { name, labels }, spec: { taints, providerID } });
  const status = {
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', reason: 'Said', lastHeartbeatTime: null }],
    addresses: internalIp ? [{ type: 'InternalIP', address: internalIp }] : [],
  };
  await api.merge(ref, { status }, { subresource: 'status' });
}

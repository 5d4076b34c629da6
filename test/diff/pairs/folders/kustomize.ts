import { dirname, join, relative } from 'node:path';
import { AWS } from '../../../../src/controllers/aws-load-balancer-controller/annotations';
import type { Random } from '../../../support/random';
import {
  type Body,
  balanced,
  copyOf,
  drawnFor,
  type Family,
  type Folder,
  KEPT,
  NOT_KEPT,
  PERHAPS_KEPT,
  readIn,
  type Truth,
  textOf,
} from './folder-pair';

// Kustomizations change, and few of the files that they render do. What is true is what a small renderer of its own makes of both
// sides: kubernetes-sigs/kustomize, api/internal/target/kusttarget.go and api/types/kustomization.go.

/** An object as it is rendered, and the file that it is written in. */
interface Rendered {
  readonly origin: string;
  readonly object: Body;
  /** What is made of it by fields that are not read here, with the files that they name. */
  readonly beside: readonly string[];
}

const FILE = 'kustomization.yaml';
/** What has Flux apply the folder: fluxcd/kustomize-controller v1.6.0, docs/spec/v1/kustomizations.md */
const APPLIER = 'flux/apps.yaml';

/** What all kustomizations that no other one lists make of a folder. */
function rendered(folder: Folder): readonly Rendered[] {
  const files = Object.keys(folder).filter((file) => file.endsWith(FILE));
  const listed = new Set(files.flatMap((file) => listedBy(file, readIn(folder[file]))));
  const roots = files.filter((file) => !listed.has(dirname(file)) && readIn(folder[file]).kind !== 'Component');
  const applied = APPLIER in folder ? [JSON.stringify({ ...readIn(folder[APPLIER]).spec, interval: '' })] : [];
  return roots
    .flatMap((file) => renderedBy(file, folder))
    .map((one) => ({ ...one, beside: [...one.beside, ...applied] }));
}

function listedBy(file: string, { resources = [], components = [] }: Body): string[] {
  return [...resources, ...components].map((path: string) => join(dirname(file), path));
}

/** Fields that make nothing of Services but what they select or are beside. */
const OF_OTHERS = ['images', 'replicas', 'configMapGenerator', 'secretGenerator', 'generatorOptions', 'sortOptions'];
const READ = ['apiVersion', 'kind', 'resources', 'components', 'namePrefix', 'nameSuffix', 'namespace', 'patches'];
const LABELS = ['labels', 'commonLabels', 'commonAnnotations', 'buildMetadata'];

function renderedBy(file: string, folder: Folder, from: readonly Rendered[] = []): Rendered[] {
  const one = readIn(folder[file]);
  let objects: Rendered[] = [...from];
  for (const path of (one.resources ?? []).map((each: string) => join(dirname(file), each))) {
    const inner = join(path, FILE);
    objects.push(
      ...(inner in folder ? renderedBy(inner, folder) : [{ origin: path, object: readIn(folder[path]), beside: [] }]),
    );
  }
  for (const path of (one.components ?? []).map((each: string) => join(dirname(file), each, FILE))) {
    objects = renderedBy(path, folder, objects);
  }
  const unread = unreadIn(one, file, folder);
  return objects.map(({ origin, object, beside }) => ({
    origin,
    object: transformed(copyOf(object), one, file, folder),
    beside: [...beside, ...unread],
  }));
}

/** Fields that are not read here, and the files that they name. */
function unreadIn(one: Body, file: string, folder: Folder): string[] {
  const others = Object.entries(one).filter(([field]) => ![...OF_OTHERS, ...READ, ...LABELS].includes(field));
  // what is generated may be copied from there
  const copied = 'replacements' in one || 'vars' in one ? [one.configMapGenerator ?? null] : [];
  const texts = [...others, ...copied].map((value) => JSON.stringify(value));
  const named = Object.keys(folder).filter((path) =>
    texts.some((text) => text.includes(`"${relative(dirname(file), path)}"`)),
  );
  return [...texts, ...named.map((path) => folder[path])];
}

function transformed(object: Body, one: Body, file: string, folder: Folder): Body {
  const {
    namePrefix = '',
    nameSuffix = '',
    namespace,
    labels = [],
    commonLabels,
    commonAnnotations,
    patches = [],
  } = one;
  for (const { path, patch, target } of patches) {
    const body = readIn(path === undefined ? patch : folder[join(dirname(file), path)]);
    const isOf = ({ kind, name }: Body) =>
      (kind === undefined || kind === object.kind) && (name === undefined || name === object.metadata.name);
    if (isOf(target ?? { kind: body.kind, name: body.metadata?.name })) {
      Array.isArray(body) ? body.forEach((step) => void patchedAt(object, step)) : merge(object, body);
    }
  }
  object.metadata.name = `${namePrefix}${object.metadata.name}${nameSuffix}`;
  if (namespace !== undefined) {
    object.metadata.namespace = namespace;
  }
  for (const { pairs, includeSelectors } of [...labels, { pairs: commonLabels, includeSelectors: true }]) {
    object.metadata.labels = { ...object.metadata.labels, ...pairs };
    if (includeSelectors && object.spec?.selector) {
      object.spec.selector = { ...object.spec.selector, ...pairs };
    }
  }
  if (commonAnnotations) {
    object.metadata.annotations = { ...object.metadata.annotations, ...commonAnnotations };
  }
  return object;
}

/** A step of RFC 6902 at a place of maps. */
function patchedAt(object: Body, { op, path, value }: Body): void {
  const steps = path.split('/').slice(1);
  const keys = steps.map((step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop();
  const map = keys.reduce((inner: Body, key: string) => inner[key], object);
  if (op === 'remove') {
    delete map[last];
  } else {
    map[last] = value;
  }
}

function merge(into: Body, from: Body): void {
  for (const [key, value] of Object.entries(from)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && typeof into[key] === 'object') {
      merge(into[key], value);
    } else {
      into[key] = value;
    }
  }
}

/** What decides of a balancer: labels do not. */
const decides = ({ object: { metadata, spec }, beside }: Rendered) => {
  const { labels: _, annotations = {}, ...rest } = metadata;
  return JSON.stringify([rest, Object.entries(annotations).sort(), spec, beside]);
};

function truthOf(file: string, before: readonly Rendered[], after: readonly Rendered[]): Truth {
  const [old, now] = [before, after].map((all) =>
    all
      .filter(({ origin }) => origin === file)
      .map(decides)
      .sort(),
  );
  return JSON.stringify(old) === JSON.stringify(now) ? PERHAPS_KEPT : NOT_KEPT;
}

type Change = (folder: Record<string, Body>, at: string, random: Random) => void;

/** Files, and the kustomization among them that changes. */
interface Subject {
  readonly tree: Record<string, Body>;
  readonly at: string;
}

interface Mutation {
  readonly name: string;
  readonly fits?: (subject: Subject) => boolean;
  readonly change: Change;
  /** Whether it is known to leave balancers: then `unknown` is wrong as well. */
  readonly isPlain?: true;
}

const SCHEME = AWS.scheme.key();
const set =
  (field: string, ...values: readonly unknown[]): Change =>
  (folder, at, random) => {
    const value = random(values);
    folder[at] = { ...folder[at], [field]: value };
    if (value === undefined) {
      delete folder[at][field];
    }
  };
const addPatch =
  (patch: Body): Change =>
  (folder, at) => {
    folder[at] = { ...folder[at], patches: [...(folder[at].patches ?? []), patch] };
  };
const inline = (body: unknown, target?: Body) => ({ patch: JSON.stringify(body), ...(target && { target }) });
const ofEcho = (more: Body) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'echo', ...more } });

const OF_FILE = 'a Service itself';
const isApplied = ({ tree }: Subject) => APPLIER in tree;
const ofApplier =
  (spec: Body): Change =>
  (folder) => {
    if (APPLIER in folder) {
      folder[APPLIER].spec = { ...folder[APPLIER].spec, ...spec };
    }
  };

const MUTATIONS: readonly Mutation[] = [
  { name: 'nothing', change: () => undefined, isPlain: true },
  { name: 'a prefix', change: set('namePrefix', 'a-', 'b-', undefined) },
  { name: 'a suffix', change: set('nameSuffix', '-a', '-b', undefined) },
  { name: 'a namespace', change: set('namespace', 'shop', 'edge', undefined) },
  { name: 'an image', change: set('images', [{ name: 'a', newTag: 'b' }]), isPlain: true },
  { name: 'replicas', change: set('replicas', [{ name: 'a', count: 2 }]), isPlain: true },
  {
    name: 'a generated ConfigMap',
    change: set('configMapGenerator', [{ name: 'a', literals: ['a=b'] }]),
    isPlain: true,
  },
  { name: 'a generated Secret', change: set('secretGenerator', [{ name: 'a', literals: ['a=b'] }]), isPlain: true },
  { name: 'options of generators', change: set('generatorOptions', { disableNameSuffixHash: true }), isPlain: true },
  { name: 'an order', change: set('sortOptions', { order: 'fifo' }), isPlain: true },
  { name: 'labels', change: set('labels', [{ pairs: { team: 'edge' } }]) },
  { name: 'labels of selectors', change: set('labels', [{ pairs: { team: 'edge' }, includeSelectors: true }]) },
  { name: 'common labels', change: set('commonLabels', { team: 'edge' }) },
  { name: 'common annotations', change: set('commonAnnotations', { [SCHEME]: 'internet-facing' }) },
  { name: 'a transformer', change: set('transformers', ['transformer.yaml']) },
  { name: 'a generator', change: set('generators', ['generator.yaml']) },
  { name: 'a configuration', change: set('configurations', ['configuration.yaml']) },
  { name: 'a replacement', change: set('replacements', [{ source: { kind: 'ConfigMap' }, targets: [] }]) },
  { name: 'a chart', change: set('helmCharts', [{ name: 'a', repo: 'https://example.com' }]) },
  {
    name: 'a patch of steps',
    change: addPatch(inline([{ op: 'add', path: '/spec/type', value: 'NodePort' }], ofKind('Service'))),
  },
  { name: 'a patch of parts', change: addPatch(inline(ofEcho({ annotations: { [SCHEME]: 'internet-facing' } }))) },
  {
    name: 'a patch of a Deployment',
    change: addPatch(inline([{ op: 'add', path: '/spec/replicas', value: 2 }], ofKind('Deployment'))),
  },
  {
    name: 'the file of a patch',
    fits: ({ tree }) => 'prod/patch.yaml' in tree,
    change: (folder) => {
      folder['prod/patch.yaml'] = ofEcho({ annotations: { [SCHEME]: 'internet-facing' } });
    },
  },
  {
    name: 'a file that another field names',
    fits: ({ tree }) => 'prod/named.yaml' in tree,
    change: (folder) => {
      folder['prod/named.yaml'] = { ...folder['prod/named.yaml'], more: 'b' };
    },
  },
  {
    name: 'a file listed no more',
    fits: ({ tree, at }) => (tree[at].resources ?? []).some((path: string) => path.endsWith('.yaml')),
    change: (folder, at) => {
      folder[at] = {
        ...folder[at],
        resources: folder[at].resources.filter((path: string) => !path.startsWith('echo')),
      };
    },
  },
  {
    name: 'a base listed no more',
    fits: ({ tree, at }) => (tree[at].resources ?? []).includes('../base'),
    change: (folder, at) => {
      folder[at] = { ...folder[at], resources: folder[at].resources.filter((path: string) => path !== '../base') };
    },
  },
  {
    name: 'one more file',
    change: (folder, at) => {
      folder[join(dirname(at), 'mail.yaml')] = balanced({ name: 'mail' });
      folder[at] = { ...folder[at], resources: [...(folder[at].resources ?? []), 'mail.yaml'] };
    },
    isPlain: true,
  },
  {
    name: 'a component',
    fits: ({ tree, at }) => at === `prod/${FILE}` && `part/${FILE}` in tree,
    change: (folder, at) => {
      const has = (folder[at].components ?? []).length > 0;
      folder[at] = { ...folder[at], components: has ? [] : ['../part'] };
    },
  },
  {
    name: 'another overlay of the base',
    fits: ({ tree }) => `base/${FILE}` in tree,
    change: (folder) => {
      folder[`stage/${FILE}`] = { resources: ['../base'], namePrefix: 'stage-' };
    },
  },
  {
    name: 'how often it is applied',
    fits: isApplied,
    change: ofApplier({ interval: '1h' }),
    isPlain: true,
  },
  { name: 'another namespace of what is applied', fits: isApplied, change: ofApplier({ targetNamespace: 'shop' }) },
  {
    name: 'another value of a variable',
    fits: isApplied,
    change: ofApplier({ postBuild: { substitute: { SCHEME: 'internet-facing' } } }),
  },
  { name: 'another folder that is applied', fits: isApplied, change: ofApplier({ path: './elsewhere' }) },
  {
    name: 'nothing applies it any more',
    fits: isApplied,
    change: (folder) => {
      delete folder[APPLIER];
    },
  },
  {
    name: OF_FILE,
    change: (folder) => {
      const file = Object.keys(folder).find((one) => one.endsWith('echo.yaml')) as string;
      folder[file] = balanced({ ...ECHO, annotations: { [SCHEME]: 'internet-facing' } });
    },
  },
];

function ofKind(kind: string): Body {
  return { kind };
}

const LBC = {
  class: 'service.k8s.aws/nlb',
  finalizers: ['service.k8s.aws/resources'],
  annotations: { [SCHEME]: 'internal' },
};
const ECHO = { name: 'echo', ...LBC };

/** Fields that name a file, which decides of anything. */
const NAMING: readonly Body[] = [
  ...['transformers', 'generators', 'configurations', 'crds'].map((field) => ({ [field]: ['named.yaml'] })),
  { replacements: [{ path: 'named.yaml' }] },
  { helmCharts: [{ name: 'a', repo: 'https://example.com', valuesFile: 'named.yaml' }] },
  { patchesJson6902: [{ path: 'named.yaml', target: { kind: 'Service' } }] },
  { patchesStrategicMerge: ['named.yaml'] },
];
const NAMED: readonly Body[] = [
  { a: 'a' },
  { apiVersion: 'builtin', kind: 'PrefixTransformer', metadata: { name: 'a' }, prefix: 'a-' },
];

/** One folder, or a base with an overlay and a component beside it. */
function treeOf(random: Random): Record<string, Body> {
  const tree = writtenTree(random);
  const applier = {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'apps', namespace: 'flux-system' },
    spec: { interval: '10m', path: FILE in tree ? './' : './prod', sourceRef: { kind: 'GitRepository', name: 'apps' } },
  };
  return random([true, false]) ? { ...tree, [APPLIER]: applier } : tree;
}

function writtenTree(random: Random): Record<string, Body> {
  const echo = balanced(ECHO);
  const web = balanced({ name: 'web', ...LBC });
  if (random([true, false, false])) {
    const kustomization = {
      resources: ['echo.yaml', 'web.yaml'],
      ...(random([true, false]) && { namePrefix: random(['a-', 'c-']) }),
    };
    return { 'echo.yaml': echo, 'web.yaml': web, [FILE]: kustomization };
  }
  const hasPatch = random([true, false]);
  const naming = random([undefined, undefined, ...NAMING]);
  return {
    'base/echo.yaml': echo,
    'base/web.yaml': web,
    [`base/${FILE}`]: { resources: ['echo.yaml', 'web.yaml'] },
    [`part/${FILE}`]: { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component' },
    [`prod/${FILE}`]: {
      resources: ['../base'],
      ...(random([true, false]) && { components: ['../part'] }),
      ...(random([true, false]) && { namespace: 'edge' }),
      ...(hasPatch && { patches: [{ path: 'patch.yaml' }] }),
      ...naming,
    },
    ...(naming && { 'prod/named.yaml': random(NAMED) }),
    ...(hasPatch && { 'prod/patch.yaml': ofEcho({ annotations: { [SCHEME]: 'internal' } }) }),
  };
}

function textsOf(tree: Record<string, Body>): Folder {
  return Object.fromEntries(Object.entries(tree).map(([file, body]) => [file, textOf(body)]));
}

function pairOf(random: Random, number: number) {
  const { mutation: first, subject } = drawnFor(MUTATIONS, number, () => {
    const tree = treeOf(random);
    return { tree, at: random(Object.keys(tree).filter((file) => file.endsWith(FILE))) };
  });
  const before = subject.tree;
  const after = copyOf(before);
  const changes: string[] = [];
  const plain: boolean[] = [];
  const make = (mutation: Mutation, at: string) => {
    mutation.change(after, at, random);
    changes.push(`${at}: ${mutation.name}`);
    plain.push(mutation.isPlain === true);
  };
  make(first, subject.at);
  if (random([true, false, false, false])) {
    const at = random(Object.keys(before).filter((file) => file.endsWith(FILE)));
    make(random(MUTATIONS.filter(({ fits }) => fits?.({ tree: after, at }) ?? true)), at);
  }
  const [old, now] = [before, after].map(textsOf);
  const services = Object.entries(before).filter(([, { kind, spec }]) => kind === 'Service' && spec !== undefined);
  const truths = services.map(([file, { metadata }]): [string, Truth] => {
    const truth = truthOf(file, rendered(old), rendered(now));
    const isCopying = Object.values(before).some((one) => 'replacements' in one);
    const isPlain = truth === PERHAPS_KEPT && plain.every(Boolean) && !isCopying;
    // what is written in the file is not what is applied where a patch writes over it: the file alone is compared
    const isOver = truth === PERHAPS_KEPT && changes.some((change) => change.endsWith(OF_FILE));
    return [`edge/${metadata.name}`, isPlain ? KEPT : isOver ? [...PERHAPS_KEPT, 'replaced'] : truth];
  });
  return { changes, before: old, after: now, options: { prune: true }, truths: new Map(truths) };
}

/** Pairs in which what kustomize renders is another. */
export const KUSTOMIZATIONS: Family = { name: 'kustomizations', changes: MUTATIONS.map(({ name }) => name), pairOf };

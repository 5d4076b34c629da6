import type { NodePool } from '../../contract/node-pool';
import { printable } from '../../contract/printable';
import type { InstalledController } from '../context/check-context';
import { CONTEXT_FIELDS } from '../context/context-fields.facts';
import type { Evidence } from '../context/inference';
import { fromWhere, type Seen } from '../context/seen';
import type { ProposedCluster, ProposedSource } from './proposal';

/** Where the package has the schema of the file, from the folder of the file. */
export const SCHEMA_FILE = 'node_modules/cdk8s-load-balancers/schema/load-balancers.schema.json';

/** A cluster with what the objects of its sources show of it. */
export interface InitialCluster extends ProposedCluster {
  readonly evidence: Evidence;
}

/** A context file as the objects of some files show the cluster; comments say which objects. The same ones give the same text. */
export function initialContextFile(evidence: Evidence): string {
  return `${HEAD}\n${keysOf(evidence)}`;
}

/** The same for clusters with their sources. */
export function initialClustersFile(clusters: readonly InitialCluster[]): string {
  const entries = clusters.map(({ name, sources, evidence }) => {
    const keys = keysOf(evidence).replace(/^(?=.)/gm, '    ');
    const listed = sources.map((source) => `      - ${flow(source)}\n`).join('');
    return `  - name: ${scalar(name)}\n    sources:\n${listed}${keys}`;
  });
  return `${HEAD}\nclusters:\n${entries.join('\n')}`;
}

function flow(source: ProposedSource): string {
  const [[kind, value]] = Object.entries(source);
  if (typeof value === 'string') {
    return `${kind}: ${scalar(value)}`;
  }
  return Array.isArray(value) ? `${kind}: [${value.map(scalar).join(', ')}]` : `${kind}: { ${fields(value)} }`;
}

function fields(map: Readonly<Record<string, unknown>>): string {
  return Object.entries(map)
    .map(([key, value]) => `${key}: ${Array.isArray(value) ? `[${value.map(scalar).join(', ')}]` : scalar(value)}`)
    .join(', ');
}

function keysOf(evidence: Evidence): string {
  return [
    kubernetes(evidence),
    controllers(evidence),
    key('strimzi', evidence.strimzi, ({ version }) => version),
    key('region', evidence.region, (region) => region),
    nodePools(evidence.nodePools),
    unseen('namespaces'),
    unseen('accepted'),
  ]
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

const HEAD = `# yaml-language-server: $schema=${SCHEMA_FILE}
# What manifests cannot say about their cluster. This was read from the manifests: correct it, and complete it.
`;

function comment(text: string): string[] {
  return [`# ${printable(text)}`];
}

/** A key that nothing was seen of, as one would write it. */
function unseen(name: keyof typeof CONTEXT_FIELDS): string[] {
  const { says, example } = CONTEXT_FIELDS[name];
  return [...comment(says), `# ${name}: ${example}`];
}

function key<T>(name: string, seen: Seen<T> | undefined, textOf: (value: T) => string): string[] {
  return seen === undefined
    ? unseen(name)
    : [
        ...comment(`${CONTEXT_FIELDS[name].says}: from ${fromWhere(seen.by)}`),
        `${name}: ${scalar(textOf(seen.value))}`,
      ];
}

/** The kubelets show a lower bound alone. */
function kubernetes({ kubelet }: Evidence): string[] {
  return kubelet === undefined
    ? unseen('kubernetes')
    : [
        ...comment(`${CONTEXT_FIELDS.kubernetes.says}: this one or a newer one, by ${fromWhere(kubelet.by)}`),
        `# kubernetes: ${scalar(kubelet.value)}`,
      ];
}

function controllers({ controllers: seen, doubt }: Evidence): string[] {
  if (seen.length === 0) {
    return unseen('controllers');
  }
  const lines = ['controllers:', ...seen.flatMap(entry)];
  return doubt === undefined
    ? [...comment(CONTEXT_FIELDS.controllers.says), ...lines]
    : [...comment(`${CONTEXT_FIELDS.controllers.says}; decide, since ${doubt}`), ...lines.map((line) => `# ${line}`)];
}

function entry({ value: { name, options }, by }: Seen<InstalledController>): string[] {
  const from = `  # ${fromWhere(by)}`;
  const written = Object.entries(options).map(([option, value]) => `    ${option}: ${scalar(value)}`);
  return written.length === 0 ? [from, `  - ${name}`] : [from, `  - name: ${name}`, ...written];
}

function nodePools(pools: readonly Seen<NodePool>[]): string[] {
  return pools.length === 0
    ? unseen('nodePools')
    : [...comment(CONTEXT_FIELDS.nodePools.says), 'nodePools:', ...pools.flatMap(pool)];
}

function pool({ value: { name, labels, taints, zones }, by }: Seen<NodePool>): string[] {
  const texts = (values: readonly unknown[]) => `[${values.map((value) => scalar(String(value))).join(', ')}]`;
  return [
    `  # ${fromWhere(by)}`,
    `  ${scalar(name)}:`,
    '    labels:',
    ...Object.entries(labels).map(([label, value]) => `      ${scalar(label)}: ${scalar(value)}`),
    ...(taints.length > 0 ? [`    taints: ${texts(taints)}`] : []),
    ...(zones.length > 0 ? [`    zones: ${texts(zones)}`] : []),
  ];
}

/** Texts that every reader of YAML takes for what they are. */
const PLAIN = /^([A-Za-z][\w./-]*|\d+\.\d+\.\d+)$/;

/** Words that some readers of YAML take for no text. */
const WORDS = /^(y|n|yes|no|on|off|true|false|null)$/i;

function scalar(value: unknown): string {
  if (typeof value !== 'string') {
    return String(value);
  }
  return PLAIN.test(value) && !WORDS.test(value) ? value : `'${printable(value).replaceAll("'", "''")}'`;
}

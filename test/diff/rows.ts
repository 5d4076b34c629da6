import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { NodePool, NodeTaint } from '../../src';
import type { ILoadBalancerController } from '../../src/contract/load-balancer-request';
import type { BalancerChange } from '../../src/diff/effect';
import type { DiffOptions } from '../../src/diff/side';
import { casesIn, revived } from '../support/yaml-cases';
import { changesOf, type SideOptions, sideOf, type Texts } from './sides';

/** What is the same in most rows of a table of cases. */
export interface RowOptions extends DiffOptions {
  /** What runs in the cluster on both sides. */
  readonly installed?: readonly ILoadBalancerController[];
  readonly before?: SideOptions;
  readonly after?: SideOptions;
}

/** One case: two texts, what is known, and what is said of each balancer. */
export type Row = readonly [title: string, before: Texts, after: Texts, options: RowOptions, said: readonly string[]];

export function changesIn(
  before: Texts,
  after: Texts,
  { installed, before: old, after: now, ...options }: RowOptions,
): BalancerChange[] {
  return changesOf(sideOf(before, { installed, ...old }), sideOf(after, { installed, ...now }), options);
}

/** What is said of each balancer, in order: `replaced edge/echo: metadata.name`. */
export function saidOf(changes: readonly BalancerChange[]): string[] {
  return changes.map(({ outcome, before, after, effects: causes }) => {
    const id = (after ?? before)?.id;
    const first = causes.find((cause) => cause.outcome === outcome);
    return first ? `${outcome} ${id}: ${first.field}` : `${outcome} ${id}`;
  });
}

/** A Service of type LoadBalancer, with some lines of YAML in place of others. */
export interface ServiceLines {
  readonly name?: string;
  readonly namespace?: string;
  readonly type?: string;
  readonly class?: string;
  readonly finalizers?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly selector?: string;
  readonly port?: number;
  readonly nodePort?: number;
  /** More of `metadata`, and of `spec`, as JSON. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

export function service(lines: ServiceLines = {}): string {
  const { name = 'echo', namespace = 'edge', type = 'LoadBalancer', selector = 'echo', port = 80, nodePort } = lines;
  const object = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      ...(namespace !== '' && { namespace }),
      ...(lines.finalizers && { finalizers: lines.finalizers }),
      ...(lines.annotations && { annotations: lines.annotations }),
      ...lines.metadata,
    },
    spec: {
      type,
      ...(lines.class && { loadBalancerClass: lines.class }),
      selector: { app: selector },
      ports: [{ port, targetPort: 8080, ...(nodePort && { nodePort }) }],
      ...lines.spec,
    },
    ...(lines.status && { status: lines.status }),
  };
  return JSON.stringify(object);
}

/** Several documents in one text. */
export const documents = (...all: readonly string[]): string => all.join('\n---\n');

/** Controllers by their names in files of cases. */
export const CONTROLLERS: Readonly<Record<string, ILoadBalancerController>> = revived(
  casesIn(__dirname, 'rows.yaml').controllers,
);

/** An object of a file, or else the Service, with other values at some paths: `{ of: deployment, spec.replicas: 0 }`. */
type Document = Readonly<Record<string, unknown>> & { readonly of?: string };

/** What runs in a cluster: controllers by their names, and node pools by their labels, with the key of a taint. */
interface Running {
  readonly installed?: readonly string[];
  readonly nodePools?: readonly { readonly [label: string]: string }[];
}

interface Case extends Omit<RowOptions, 'installed' | 'before' | 'after'>, Running {
  readonly case: string;
  readonly from: readonly Document[] | Readonly<Record<string, readonly Document[]>>;
  readonly to: Case['from'];
  readonly before?: Omit<SideOptions, keyof Running> & Running;
  readonly after?: Case['before'];
  readonly expect: readonly string[];
}

export const readCases = <T>(file: string): T => parse(readFileSync(join(__dirname, file), 'utf8'), { merge: true });

/** The changes of a file beside the tests. */
export function rowsOf(file: string): Row[] {
  const text = readFileSync(join(__dirname, file), 'utf8');
  const { objects = {}, cases } = parse(text, { merge: true }) as Record<'objects', object> & {
    cases: readonly Case[];
  };
  const all: Readonly<Record<string, object>> = { ...objects, service: JSON.parse(service()) };
  const textOf = ({ of = 'service', ...values }: Document) =>
    JSON.stringify(withValues(structuredClone(all[of]), values));
  const textsOf = (side: Case['from']): Texts =>
    Array.isArray(side)
      ? documents(...side.map(textOf))
      : Object.fromEntries(Object.entries(side).map(([path, one]) => [path, documents(...one.map(textOf))]));
  return cases.map(({ case: title, from, to, expect: said, before, after, ...options }): Row => {
    const sides = { ...(before && { before: installedIn(before) }), ...(after && { after: installedIn(after) }) };
    return [title, textsOf(from), textsOf(to), { ...installedIn(options), ...sides }, said];
  });
}

function installedIn<O extends Running>({ installed, nodePools, ...options }: O) {
  const poolOf = ({ taint, ...labels }: Readonly<Record<string, string>>) =>
    NodePool.labeled(labels, { taints: [NodeTaint.noSchedule(taint)] });
  return {
    ...options,
    ...(installed && { installed: installed.map((name) => CONTROLLERS[name]) }),
    ...(nodePools && { nodePools: nodePools.map(poolOf) }),
  };
}

function withValues(object: object, values: object): object {
  for (const [path, value] of Object.entries(values)) {
    const steps = path.split('.');
    const last = steps.pop() as string;
    const parent = steps.reduce<Record<string, unknown>>(
      (map, step) => {
        map[step] ??= {};
        return map[step] as Record<string, unknown>;
      },
      object as Record<string, unknown>,
    );
    parent[last] = value ?? undefined;
  }
  return object;
}

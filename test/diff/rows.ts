import type { ILoadBalancerController } from '../../src/contract/load-balancer-request';
import type { BalancerChange } from '../../src/diff/effect';
import type { DiffOptions } from '../../src/diff/side';
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
export function documents(...all: readonly string[]): string {
  return all.join('\n---\n');
}

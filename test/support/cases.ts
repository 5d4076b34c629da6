import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ILoadBalancerController, LoadBalancerPlan, LoadBalancerRequestProps, TrafficPolicy } from '../../src';
import * as library from '../../src';
import type { Json } from '../../src/contract/json';
import type { BalancerLimit, LoadBalancerModel } from '../../src/contract/load-balancer-model';
import type { Claim, ControllerDefinition } from '../../src/rules/controller-definition';
import type { RuleContext } from '../../src/rules/rule';
import { casesIn, revived } from './yaml-cases';

/** One option of a controller: what a valid value writes, and a value that is refused at construction. */
export interface OptionRow {
  /** The option's name. */
  readonly option: string;
  readonly valid: unknown;
  /** The annotations that the valid value writes: key and text. */
  readonly writes: Record<string, string>;
  /** A value that the controller would not read. `undefined` where every text is legal: say why in `anything`. */
  readonly refused?: unknown;
  readonly anything?: string;
  /** Other options without which this one is refused. */
  readonly with?: Record<string, unknown>;
  /** The factory that takes it, if it is not that of the table. */
  readonly factory?: string;
}

export interface RequestRow {
  /** A sentence that could stand in a specification. */
  readonly title: string;
  readonly controller: () => ILoadBalancerController;
  readonly request: LoadBalancerRequestProps;
  /** Fields of the plan, each compared whole; fields that are not named here are not compared. */
  readonly plan?: Partial<LoadBalancerPlan>;
  /** The problems, in order: each a text that its sentence contains. None means there are none. */
  readonly problems?: string[];
  /** The rule ids of the warnings, in order. None means there are none. */
  readonly warnings?: string[];
  /** Where upstream says so. */
  readonly source?: string;
}

/** One finished Service of anybody's and what the controller's rules say of it. */
export interface ServiceRow {
  readonly title: string;
  readonly service: Json;
  /** Options of the installed controller; its defaults where left out. */
  readonly controller?: () => ILoadBalancerController;
  /** The objects beside it; left out, rules that compare objects are not asked. */
  readonly beside?: Json[];
  /** What else is known, such as the node pool that is the backend. */
  readonly known?: Partial<RuleContext>;
  /** Rule ids of the errors, in order. */
  readonly errors?: string[];
  /** Rule ids of the warnings, in order. */
  readonly warnings?: string[];
}

export interface RefusedOptionsRow {
  readonly title: string;
  /** Makes the controller; throws. */
  readonly make: () => unknown;
  /** A text that the message contains. */
  readonly message: string;
}

export interface ClaimRow {
  readonly title: string;
  readonly service: Json;
  /** Options of the installed controller; its defaults where left out. */
  readonly controller?: () => ILoadBalancerController;
  readonly claimed: Claim['claimed'];
}

export interface MadeRow {
  readonly title: string;
  readonly service: Json;
  /** Options of the installed controller; without them the kind alone is asked. */
  readonly controller?: () => ILoadBalancerController;
  /** The objects beside it. */
  readonly beside?: Json[];
  /** Fields of the balancer, each compared whole; fields that are not named here are not compared. Nothing: it makes none. */
  readonly made: Partial<LoadBalancerModel> | undefined;
  /** The limits in words, in order; left out, they are not compared. */
  readonly limits?: string[];
}

/** A limit in a few words: `50 listeners, 2 used`. */
export function limitInWords({ counts, limit, each, used, scope, beyond }: BalancerLimit): string {
  return [
    `${limit} ${counts}${scope ? ` of the ${scope}` : ''}`,
    ...(each === undefined ? [] : [`${each} each`]),
    ...(used === undefined ? [] : [`${used} used`]),
    ...(beyond === undefined ? [] : [beyond]),
  ].join(', ');
}

export interface ControllerCases {
  readonly kind: ControllerDefinition;
  /** Makes a controller from options, for the option rows. */
  readonly make: (options: Record<string, unknown>, factory?: string) => ILoadBalancerController;
  readonly options: OptionRow[];
  readonly requests: RequestRow[];
  readonly services: ServiceRow[];
  /**
   * Rules that the value of a wish may break although the plan honours its word: what the finished Service shows is
   * checked there, and nowhere twice. Every other error in a Service that was planned without a problem breaks a law.
   */
  readonly wishesMayBreak?: string[];
  readonly refusedOptions?: RefusedOptionsRow[];
  readonly claims?: ClaimRow[];
  /** What it makes of finished Services. */
  readonly made: MadeRow[];
  /** How it answers that no connection is refused while pods are replaced: at least one row. */
  readonly rollouts: RolloutRow[];
}

export const ONE_PORT: LoadBalancerRequestProps = { ports: [{ port: 443 }] };

/** One rollout that is wished for, and for how long pods must serve on, or why that does not help. */
export interface RolloutRow {
  /** A sentence that could stand in a specification. */
  readonly title: string;
  readonly controller: () => ILoadBalancerController;
  /** What is wished for beside an empty rollout and one port of TCP, or in its place. */
  readonly wishes?: Partial<LoadBalancerRequestProps>;
  /** Seconds for which connections come to a pod that goes; none where it is refused. */
  readonly stops?: number;
  /** Seconds until connections come to a pod that is new; at once where left out. */
  readonly starts?: number;
  readonly policy?: TrafficPolicy;
  /** The labels by which pods of a Namespace wait for the balancer. */
  readonly labels?: Record<string, string>;
  /** Annotations that it takes, among others. */
  readonly writes?: Record<string, string>;
  /** A text of the refusal. */
  readonly refused?: string;
  /** A text of the warning; none where left out. */
  readonly warns?: string;
}

export function service(spec: Json = {}, annotations: Record<string, string> = {}, metadata: Json = {}): Json {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'echo', ...metadata, annotations },
    spec: { type: 'LoadBalancer', selector: { app: 'echo' }, ports: [{ port: 443, protocol: 'TCP' }], ...spec },
  };
}

const FOLDER = join(__dirname, '..', 'cases');

/** The tables of cases, by the name of their file. */
export const caseTables: readonly (readonly [string, ControllerCases])[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml'))
  .sort()
  .map((file) => [file.replace('.yaml', ''), tableOf(casesIn(FOLDER, file))]);

/** A table as its file has it: `controller` makes the controller, `shared` is the key of one that shares; null is unset. */
function tableOf({ class: name, factory, controller: byDefault, ...table }: Json): ControllerCases {
  const own = (library as unknown as Record<string, Json>)[name];
  const kind: ControllerDefinition = (own._kind ?? own[factory]()._kind).definition;
  const maker = (given: unknown, key: string | undefined) => () => {
    const made = given === undefined ? kind.installed() : revived(given);
    return key === undefined ? made : made.shared(key);
  };
  const rows = (of: Json[] | undefined, make?: (row: Json) => Json) =>
    of?.map(({ controller, shared, ...row }) => ({
      ...row,
      ...((controller || shared) && { controller: maker(controller, shared) }),
      ...make?.(row),
    }));
  const always = (of: Json[]): Json[] =>
    (rows(of) ?? []).map((row) => ({ controller: maker(byDefault, undefined), ...row }));
  const onService = (row: Json) => ({
    service: serviceOf(row.service),
    ...(row.known && { known: revived(row.known) }),
  });
  return {
    wishesMayBreak: table.wishesMayBreak,
    kind,
    make: (options, by = factory) => own[by](options),
    options: revived(table.options ?? []).map(unset),
    refusedOptions: rows(table.refusedOptions)?.map(({ controller, ...row }: Json) => ({ ...row, make: controller })),
    claims: rows(table.claims, onService),
    requests: always(table.requests).map((row) => ({
      ...row,
      request: { ...ONE_PORT, ...revived(row.request ?? {}) },
      ...(row.plan && { plan: unset(revived(row.plan)) }),
    })),
    services: rows(table.services, onService) ?? [],
    made: rows(table.made, (row) => ({
      ...onService(row),
      made: row.made === 'none' ? undefined : unset(revived(row.made)),
    })),
    rollouts: always(table.rollouts).map((row) => ({ ...row, ...(row.wishes && { wishes: revived(row.wishes) }) })),
  } as ControllerCases;
}

/** A Service of a row: a whole manifest, or what differs from the usual one. */
function serviceOf({ manifest, spec, annotations, metadata }: Json = {}): Json {
  return manifest ?? service(spec, annotations, metadata);
}

/** A value with undefined in the place of null, at any depth of plain maps. */
// biome-ignore lint/suspicious/noExplicitAny: values are of any type
function unset(value: any): any {
  if (Array.isArray(value)) return value.map(unset);
  return value !== null && Object.getPrototypeOf(value) === Object.prototype
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unset(one)]))
    : (value ?? undefined);
}

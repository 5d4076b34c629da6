import { parse } from 'yaml';
import { NO_CONTEXT } from '../../../../src/cli/context/check-context';
import { readContextFile } from '../../../../src/cli/context/context-file';
import { makeDiff } from '../../../../src/cli/diff/make-diff';
import type { ReadSide } from '../../../../src/cli/diff/read-sides';
import type { Files } from '../../../../src/cli/files';
import { readManifests } from '../../../../src/cli/manifests';
import type { Outcome } from '../../../../src/contract/edit';
import { isMap } from '../../../../src/contract/json';
import type { DiffOptions } from '../../../../src/diff/side';
import type { Random } from '../../../support/random';
import { casesIn } from '../../../support/yaml-cases';

// Pairs of folders, generated, as the command reads them: with what installs controllers, kustomizations, and context files.

/** What may truly be said of a balancer: one of these. */
export type Truth = readonly (Outcome | 'nothing')[];

/** Truths in a word, each the list of what may be said. */
const TRUTHS: Readonly<Record<string, Truth>> = casesIn(__dirname, 'folder-pair.yaml');

/** A truth as a file of cases has it. */
export type TruthWord = string | Truth;

export const truthOf = (word: TruthWord): Truth => (typeof word === 'string' ? TRUTHS[word] : word);

/** `kept`: nothing happens to it. `perhaps kept`: the same, and that is not to be seen in the files. */
export const [KEPT, PERHAPS_KEPT, NOT_KEPT] = ['kept', 'perhaps kept', 'not kept'].map(truthOf);

/** Texts by the names of their files. */
export type Folder = Readonly<Record<string, string>>;

/** Two folders, and what becomes of each balancer. */
export interface FolderPair {
  /** What was changed, in words. */
  readonly changes: readonly string[];
  readonly before: Folder;
  readonly after: Folder;
  /** The file that says what manifests cannot say, of both sides. */
  readonly context?: string;
  readonly options?: DiffOptions;
  /** By the id of the Service. */
  readonly truths: ReadonlyMap<string, Truth>;
}

/** Pairs of one kind. */
export interface Family {
  readonly name: string;
  /** The names of all changes. */
  readonly changes: readonly string[];
  /** A pair: the changes take turns by its number. */
  pairOf(random: Random, number: number): FolderPair;
}

/** What fits the change whose turn it is: drawn until it does. */
export function drawnFor<M extends { readonly fits?: (subject: S) => boolean }, S>(
  mutations: readonly M[],
  number: number,
  draw: () => S,
): { readonly mutation: M; readonly subject: S } {
  const mutation = mutations[number % mutations.length];
  for (;;) {
    const subject = draw();
    if (mutation.fits?.(subject) ?? true) return { mutation, subject };
  }
}

/** What is said of a balancer, and what is true. */
export interface ComparedTruth {
  readonly family: string;
  readonly number: number;
  readonly id: string;
  readonly changes: readonly string[];
  readonly said: Outcome | 'nothing';
  readonly causes: readonly string[];
  readonly truth: Truth;
}

const HARMLESS: readonly string[] = ['kept', 'created', 'nothing'];

/** Whether something is lost or open that was said to be kept. */
export const isFalselyKept = ({ said, truth }: ComparedTruth) =>
  !truth.includes(said) && (HARMLESS.includes(said) || (said === 'interrupted' && !truth.includes('kept')));

/** Whether a loss is said that does not come. */
export const isFalselyLost = ({ said, truth }: ComparedTruth) =>
  !truth.includes(said) &&
  truth.some((one) => HARMLESS.includes(one)) &&
  !HARMLESS.includes(said) &&
  said !== 'unknown';

/** Whether it is said to be unknown where it is known. */
export const isFalselyOpen = ({ said, truth }: ComparedTruth) => said === 'unknown' && !truth.includes(said);

/** Whether another loss is said than the one that comes. */
export const isOther = (one: ComparedTruth) =>
  !one.truth.includes(one.said) && !isFalselyKept(one) && !isFalselyLost(one) && !isFalselyOpen(one);

function filesOf(folder: Folder): Files {
  return {
    kindOf: (path) => (path in folder ? 'file' : undefined),
    below: () => [],
    read: (file) => Buffer.from(folder[file]),
    onDisk: (path) => path,
  };
}

function sideOf(name: string, folder: Folder, context: string | undefined): ReadSide {
  const file = 'load-balancers.yaml';
  return {
    name,
    read: readManifests(Object.keys(folder), filesOf(folder)),
    context: (context && readContextFile(file, filesOf({ [file]: context })).context) || NO_CONTEXT,
    notes: [],
    common: (path) => path,
    real: (path) => path,
    shown: (path) => path,
  };
}

/** What the command says of a pair, beside what is true. */
export function comparedTruths(family: Family, number: number, pair: FolderPair): ComparedTruth[] {
  const { before, after, context, options, truths } = pair;
  const sides = { before: sideOf('old', before, context), after: sideOf('new', after, context) };
  const report = makeDiff(
    { ...sides, isSame: (file) => file in before && before[file] === after[file] },
    { allowed: [], today: '2026-01-01', ...options },
  );
  return [...truths].map(([id, truth]) => {
    const change = report.changes.find((one) => (one.before ?? one.after)?.id === id);
    return {
      ...{ family: family.name, number, id, changes: pair.changes, truth },
      said: change?.outcome ?? 'nothing',
      causes: (change?.causes ?? []).map((cause) => `${cause.outcome} ${cause.field}: ${cause.why}`),
    };
  });
}

// biome-ignore lint/suspicious/noExplicitAny: objects of any kind
export type Body = Record<string, any>;

/** An object as text: JSON is YAML. */
export const textOf = (object: unknown) => `${JSON.stringify(object)}\n`;

/** Several objects in one file. */
export const documents = (...objects: readonly unknown[]) => objects.map(textOf).join('---\n');

/** What a file holds. */
export const readIn = (text: string): Body => parse(text);

/** An object with a JSON merge patch: null removes. */
export function withPatch(object: Body, patch: Body): Body {
  const merged = { ...object };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = isMap(value) && isMap(merged[key]) ? withPatch(merged[key], value) : value;
  }
  return merged;
}

export const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value));

export interface ServiceParts {
  readonly name: string;
  readonly namespace?: string;
  readonly class?: string;
  readonly finalizers?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Body;
}

/** A Service of type LoadBalancer. */
export function balanced({ name, namespace = 'edge', annotations, finalizers, spec, ...parts }: ServiceParts): Body {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      ...{ name, namespace, labels: { app: name } },
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
    },
    spec: {
      type: 'LoadBalancer',
      ...(parts.class !== undefined && { loadBalancerClass: parts.class }),
      selector: { app: name },
      ports: [{ name: 'main', port: 443, targetPort: 8443 }],
      ...spec,
    },
  };
}

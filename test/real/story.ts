import { basename } from 'node:path';
import { LEGEND, LETTERS } from '../cluster/models/owners';
import type { Body, Ref } from './api';
import type { ControlPlane } from './control-plane';
import { append, count, pause, until } from './program';

export const HEADING = ['step', 'finalizers', 'ledger', 'safety'] as const;

/** Who acts in a story beside the API server. */
export enum Cast {
  /** Controllers of Kubernetes itself, and the writers that a user could be. */
  REAL = 'real controllers',
  /** A model of a controller or an operator takes part. */
  MODEL = 'a model',
}

/** A story as it is written down. */
export interface StoryRecord {
  /** The test file that tells it. */
  readonly chapter: string;
  readonly title: string;
  readonly why: string;
  readonly cast: Cast;
  readonly rows: string[][];
}

const SERVICE = { apiVersion: 'v1', kind: 'Service' };

/**
 * A story of Services in a namespace of their own. Every step says what is expected, waits for it, and becomes a row of the
 * table that is printed at the end, also of a story that goes wrong.
 */
export class Story {
  private static counter = 0;

  /** Runs a story and prints it. */
  public static async tell(
    plane: ControlPlane,
    title: string,
    why: string,
    cast: Cast,
    act: (story: Story) => Promise<void>,
  ): Promise<void> {
    const namespace = `story-${++Story.counter}`;
    await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const story = new Story(plane, namespace);
    const { rows } = story;
    try {
      await act(story);
      const written = rows.map((row, index) => story.rewritten.get(index) ?? row);
      const chapter = basename(expect.getState().testPath ?? '', '.test.ts');
      append('STORIES', { chapter, title, why, cast, rows: written } satisfies StoryRecord);
      count(`stories with ${cast}`);
    } finally {
      process.stdout.write(`\n${title} (${cast})\n${table(HEADING, rows)}\n${LEGEND}\n`);
    }
  }

  public readonly rows: string[][] = [];
  private readonly rewritten = new Map<number, string[]>();

  private constructor(
    private readonly plane: ControlPlane,
    public readonly namespace: string,
  ) {}

  /** A Service of this story. */
  public service(name: string, changes: { metadata?: Body; spec?: Body } = {}): Ref {
    return {
      ...SERVICE,
      metadata: { name, namespace: this.namespace, ...changes.metadata },
      spec: {
        type: 'LoadBalancer',
        selector: { app: name },
        ports: [{ name: 'tcp', port: 443, targetPort: 8443 }],
        ...changes.spec,
      },
    };
  }

  /** Waits for a state and as many balancers in the ledger. */
  public async see(step: string, state: string, balancers: number, verdict = ''): Promise<void> {
    await this.saw(step, verdict, [state, String(balancers)], async () => [await this.state(), String(this.balancers)]);
  }

  /** As `see`, and nothing changes for a while: this is how a Service hangs. */
  public async seeForLong(step: string, state: string, balancers: number, verdict = '', seconds = 3): Promise<void> {
    await this.see(step, state, balancers, verdict);
    await pause(seconds * 1000);
    expect([await this.state(), this.balancers]).toEqual([state, balancers]);
  }

  /** Waits for the nodes behind the balancers. */
  public async seeNodes(step: string, nodes: string[], verdict = ''): Promise<void> {
    await this.saw(step, verdict, ['[K]', nodes.join(' ')], async () => [
      await this.state(),
      [...new Set(this.plane.ledger.of(this.namespace).map((entry) => entry.nodes.join(' ')))].join(' / '),
    ]);
  }

  /** A refusal of somebody who should refuse. */
  public async refused(step: string, act: () => Promise<unknown>, expected: RegExp): Promise<void> {
    const message = await act().then(
      () => 'accepted',
      (error: Error) => error.message,
    );
    this.rows.push([step, await this.state(), String(this.balancers), sentence(message)]);
    expect(message).toMatch(expected);
  }

  /** A refusal that ends by itself; what was refused in between is not shown, since it depends on the moment. */
  public async retried(step: string, act: () => Promise<unknown>): Promise<void> {
    await until(step, () =>
      act().then(
        () => true,
        () => false,
      ),
    );
  }

  /** What was looked up and is not for waiting; `written` stands for a figure that differs from run to run. */
  public say(step: string, finalizers: string, ledger: string, verdict: string, written = ledger): void {
    this.rows.push([step, finalizers, ledger, verdict]);
    this.rewritten.set(this.rows.length - 1, [step, finalizers, written, verdict]);
  }

  public get balancers(): number {
    return this.plane.ledger.of(this.namespace).length;
  }

  /** Finalizers of the Services here, whether they are being deleted, or that there are none. */
  public async state(): Promise<string> {
    const services = await this.plane.api.list(SERVICE, this.namespace);
    const states = new Set(
      services.map(({ metadata: { finalizers = [], deletionTimestamp } }) => {
        const letters = (finalizers as string[]).map((finalizer) => LETTERS[finalizer] ?? finalizer);
        return `[${letters.sort().reverse().join(',')}]${deletionTimestamp ? ' Terminating' : ''}`;
      }),
    );
    return states.size === 0 ? 'gone' : [...states].sort().join(' / ');
  }

  private async saw(step: string, verdict: string, expected: string[], look: () => Promise<string[]>): Promise<void> {
    let seen: string[] = [];
    const same = async () => {
      seen = await look();
      return seen.join('\n') === expected.join('\n');
    };
    try {
      await until(`${expected.join(', ')} after: ${step}`, same, {
        seen: () => [...seen, this.plane.ledger.callsOf(this.namespace)],
      });
    } finally {
      this.rows.push([step, ...seen, verdict]);
    }
  }
}

/** A message as one line. */
function sentence(message: string): string {
  return message.replace(/\s+/g, ' ').trim();
}

/** Characters of the last column before it goes on in the next line. */
const LAST_COLUMN = 88;

/** Rows under a heading, in columns as wide as their widest cell; the last column is wrapped. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = rows.flatMap(wrapped);
  const widths = heading.map((name, column) => Math.max(name.length, ...lines.map((line) => line[column].length)));
  const write = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd();
  return [write(heading), widths.map((width) => '-'.repeat(width)).join('  '), ...lines.map(write)].join('\n');
}

/** The same as Markdown. */
export function markdownTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const write = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [write(heading), `|${'---|'.repeat(heading.length)}`, ...rows.map(write)].join('\n');
}

function wrapped(row: readonly string[]): string[][] {
  const first = row.slice(0, -1);
  const [head, ...rest] = lines(row[row.length - 1]);
  return [[...first, head], ...rest.map((line) => [...first.map(() => ''), line])];
}

function lines(text: string): string[] {
  const all = [''];
  for (const word of text.split(' ')) {
    const last = all[all.length - 1];
    if (last && last.length + word.length >= LAST_COLUMN) {
      all.push(word);
    } else {
      all[all.length - 1] = last ? `${last} ${word}` : word;
    }
  }
  return all;
}

/** Two tables of as many rows beside each other: their steps are the same, so only the first shows them. */
export function sideBySide(titles: readonly string[], tables: readonly (readonly (readonly string[])[])[]): string {
  const [first] = tables;
  const heading = ['', ...titles];
  const rows = first.map(([step], index) => [
    step,
    ...tables.map((each) => {
      const [, finalizers, balancers, verdict] = each[index];
      return `${finalizers}, ${balancers} in the ledger${verdict ? `: ${verdict}` : ''}`;
    }),
  ]);
  return table(heading, rows);
}

export interface LifecycleOptions {
  /** Who must make the balancer. */
  readonly owner: string;
  /** The finalizers that must stand in the manifest, since only their owner's presence would add them later. */
  readonly declared: readonly string[];
  /** How long anything may take. @default 15 */
  readonly seconds?: number;
}

/**
 * Creates the Services among some objects, waits until their balancers are made by their owner and by nobody else, deletes
 * them, and waits until neither object nor balancer is left. Returns what went otherwise.
 */
export async function lifecycle(plane: ControlPlane, objects: Ref[], options: LifecycleOptions): Promise<string[]> {
  const services = objects.filter((object) => object.kind === 'Service');
  const problems = await Promise.all(services.map((service) => lived(plane, service, options)));
  return problems.flat();
}

/** Where a manifest declares other finalizers than its owner goes with: a cluster in which every owner runs repairs that. */
export function declarationFaults(service: Ref, { owner, declared }: LifecycleOptions): string[] {
  const written = [...(service.metadata.finalizers ?? [])].sort();
  return JSON.stringify(written) === JSON.stringify([...declared].sort())
    ? []
    : [
        `the manifest declares ${JSON.stringify(written)}, and its owner (${owner}) goes with ${JSON.stringify(declared)}`,
      ];
}

async function lived(plane: ControlPlane, service: Ref, options: LifecycleOptions): Promise<string[]> {
  const { api, ledger } = plane;
  const { owner, seconds } = options;
  const problems = declarationFaults(service, options);
  const name = `${service.metadata.namespace}/${service.metadata.name}`;
  const balancers = () => ledger.all.filter((entry) => entry.service === name);
  try {
    await api.create(service);
  } catch (error) {
    return [...problems, `the API server refuses it: ${(error as Error).message}`];
  }
  const or = (problem: string) => () => problems.push(problem);
  await until('a balancer', () => balancers().length > 0, { seconds }).catch(or('nobody made a balancer'));
  const strangers = balancers().filter((entry) => entry.owner !== owner);
  problems.push(...strangers.map((stranger) => `${stranger.owner} made a balancer, and not ${owner}`));
  await api.delete(service);
  const gone = async () => (await api.find(service)) === undefined;
  await until('the Service to go', gone, { seconds }).catch(async () => {
    const left = (await api.find(service))?.metadata.finalizers;
    problems.push(`the Service hangs in Terminating on ${JSON.stringify(left)}`);
  });
  await until('the balancer to go', () => balancers().length === 0, { seconds }).catch(or('the balancer is an orphan'));
  return problems;
}

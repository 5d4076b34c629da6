import { basename } from 'node:path';
import { LEGEND, LETTERS } from '../models/finalizers';
import type { Body, Ref } from './api';
import type { ControlPlane } from './control-plane';
import { append, count } from './report';
import { table } from './table';
import { pause, until } from './wait';

export const HEADING = ['step', 'finalizers', 'ledger', 'verdict'] as const;

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

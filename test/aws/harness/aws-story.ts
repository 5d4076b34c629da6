import { type ILoadBalancerController, LoadBalancedService, type LoadBalancedServiceProps } from '../../../src';
import { LEGEND, LETTERS } from '../../cluster/models/owners';
import type { Body, Ref } from '../../real/api';
import { movedTo, objectsIn } from '../../real/objects';
import { pause, until } from '../../real/program';
import { table } from '../../real/story';
import { newChart, stderrOf, synth } from '../../support/apps';
import { goldens } from '../../support/goldens';
import type { AwsCluster } from './aws-cluster';
import {
  type ClassicBalancer,
  type Inventory,
  inWords,
  type NetworkBalancer,
  type SecurityGroupRule,
  since,
  type TargetGroup,
} from './inventory';

export type Wishes = Partial<Omit<LoadBalancedServiceProps, 'controller'>>;

/** The ports where a story says no other. */
const PORTS = [{ name: 'echo', port: 443, targetPort: 8443 }];

/** The Service that the library writes for some wishes. */
export function written(namespace: string, controller: ILoadBalancerController, wishes: Wishes = {}): Ref {
  const chart = newChart(namespace);
  new LoadBalancedService(chart, 'Echo', {
    name: 'echo',
    selector: { app: 'echo' },
    ports: PORTS,
    controller,
    ...wishes,
  });
  let service: Ref | undefined;
  stderrOf(() => {
    [service] = synth(chart) as Ref[];
  });
  return service as Ref;
}

/** The Service of a golden. */
export function golden(namespace: string, name: string): Ref {
  const [service] = movedTo(namespace, objectsIn(goldens[name]()));
  return service;
}

// How stories read what is in AWS, where one Service has made it all.

function only<T>(all: readonly T[], what: string): T {
  if (all.length !== 1) throw new Error(`there is not one ${what} but ${all.length}`);
  return all[0];
}

export const theNetworkBalancer = (inventory: Inventory): NetworkBalancer =>
  only(inventory.networkBalancers, 'Network Load Balancer');

export const theClassicBalancer = (inventory: Inventory): ClassicBalancer =>
  only(inventory.classicBalancers, 'Classic Load Balancer');

export const theGroup = (inventory: Inventory): TargetGroup => only(inventory.targetGroups, 'target group');

/** The nodes that are targets, by their names. */
export function targetNodes({ cluster }: AwsStory): (inventory: Inventory) => string[] {
  const named = Object.entries(cluster.aws.account.nodes);
  return ({ targetGroups, classicBalancers }) => {
    const targets = new Set([
      ...targetGroups.flatMap((group) => group.targets.map(({ instance }) => instance)),
      ...classicBalancers.flatMap(({ instances }) => instances),
    ]);
    return named
      .filter(([, { instance }]) => targets.has(instance))
      .map(([name]) => name)
      .sort();
  };
}

/** The rules of a security group that have a word in their description, each as `from:port`. */
export function rulesOf(inventory: Inventory, group: string, why: string): string[] {
  const rules = inventory.securityGroups.find(({ id }) => id === group)?.rules ?? [];
  const asText = ({ from, ports }: SecurityGroupRule) => `${from}:${ports[0]}`;
  return rules
    .filter((rule) => rule.why.includes(why))
    .map(asText)
    .sort();
}

/** The node ports that the API server chose, in the order of the ports. */
export async function nodePorts({ cluster }: AwsStory, service: Ref): Promise<number[]> {
  const { spec } = await cluster.plane.api.get(service);
  return spec.ports.map((port: { nodePort: number }) => port.nodePort);
}

/** The health check node port that the API server chose, as the text that AWS has for ports. */
export async function healthCheckNodePort({ cluster }: AwsStory, service: Ref): Promise<string> {
  return String((await cluster.plane.api.get(service)).spec.healthCheckNodePort);
}

const HEADING = ['step', 'finalizers', 'AWS', 'safety'];

const SERVICE = { apiVersion: 'v1', kind: 'Service' };

/** What happens in a story. */
export type Plot = (story: AwsStory) => Promise<void>;

/**
 * A story of Services in a namespace of their own, and of what becomes of them in AWS. Every step says what is expected,
 * waits for it, and becomes a row of the table that is printed at the end, also of a story that goes wrong.
 */
export class AwsStory {
  private static counter = 0;

  /** Runs a story and prints it. */
  public static async tell(cluster: AwsCluster, title: string, act: Plot): Promise<void> {
    const namespace = `story-${++AwsStory.counter}`;
    await cluster.plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const story = new AwsStory(cluster, namespace, await cluster.aws.inventory());
    try {
      await act(story);
    } finally {
      await story.cleanUp();
      process.stdout.write(`\n${title}\n${table(HEADING, story.rows)}\n${LEGEND}\n`);
    }
  }

  private readonly rows: string[][] = [];

  private constructor(
    public readonly cluster: AwsCluster,
    public readonly namespace: string,
    /** What earlier stories left. */
    private readonly before: Inventory,
  ) {}

  /** Creates a Service, and waits until the controller has made what is expected of it. */
  public async create(step: string, service: Ref, aws: string, verdict = ''): Promise<Inventory> {
    await this.cluster.plane.api.create(service);
    return this.see(step, '[K]', aws, verdict, service);
  }

  /** Deletes a Service, and waits until nothing of it is left, in AWS either. */
  public async remove(service: Ref): Promise<void> {
    await this.cluster.plane.api.delete(service);
    await this.see('deleted', 'gone', 'nothing', 'nothing is left');
  }

  /**
   * Waits for a state and for what is in AWS.
   *
   * @param served a Service that must have its address by then, so that the controller has done all that it does
   */
  public async see(step: string, state: string, aws: string, verdict = '', served?: Ref): Promise<Inventory> {
    let seen = ['', ''];
    let inventory: Inventory | undefined;
    const same = async () => {
      this.cluster.controller.mustRun();
      // the address comes last, so what is looked up after it is complete
      const complete = !served || (await this.hasAddress(served));
      inventory = await this.inventory();
      seen = [await this.state(), inWords(inventory)];
      return complete && seen[0] === state && seen[1] === aws;
    };
    try {
      await until(`${state}, ${aws} after: ${step}`, same, { seen: () => seen });
      return inventory as Inventory;
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${this.cluster.controller.lastLines()}`);
    } finally {
      this.rows.push([step, ...seen, verdict]);
    }
  }

  /** Waits for something about the inventory that a count does not tell. */
  public async seeThat<T>(step: string, what: (inventory: Inventory) => T, expected: T, verdict = ''): Promise<void> {
    let seen: T | undefined;
    const same = async () => {
      this.cluster.controller.mustRun();
      seen = what(await this.inventory());
      return JSON.stringify(seen) === JSON.stringify(expected);
    };
    try {
      await until(`${JSON.stringify(expected)} after: ${step}`, same, { seen: () => seen });
    } finally {
      this.rows.push([step, await this.state(), JSON.stringify(seen), verdict]);
    }
  }

  /** As `seeThat`, and nothing changes for a while. */
  public async seeThatForLong<T>(
    step: string,
    what: (inventory: Inventory) => T,
    expected: T,
    verdict: string,
    seconds = 2,
  ): Promise<void> {
    await this.seeThat(step, what, expected, verdict);
    await pause(seconds * 1000);
    expect(what(await this.inventory())).toEqual(expected);
  }

  /** As `see`, and nothing changes for a while: this is how a Service hangs. */
  public async seeForLong(step: string, state: string, aws: string, verdict: string, seconds = 2): Promise<void> {
    await this.see(step, state, aws, verdict);
    await pause(seconds * 1000);
    expect([await this.state(), inWords(await this.inventory())]).toEqual([state, aws]);
  }

  /** Creates a Service, waits until the controller says why it makes no balancer for it, and deletes it. */
  public async refused(step: string, service: Ref, because: RegExp): Promise<void> {
    await this.cluster.plane.api.create(service);
    await this.hearRefusal(step, because);
    await this.remove(service);
  }

  /** Waits until the controller says why it does not do what a Service wants. */
  public async hearRefusal(step: string, because: RegExp): Promise<void> {
    const said = await until(
      `the controller to refuse: ${step}`,
      async () =>
        (await this.events('SyncLoadBalancerFailed')).map(({ message }) => message).find((each) => because.test(each)),
      { seen: () => this.events('SyncLoadBalancerFailed') },
    );
    this.rows.push([step, await this.state(), inWords(await this.inventory()), said.replace(NOISE, '')]);
  }

  /** Waits until the controller has said something once more. */
  public async hearAgain(reason: string): Promise<void> {
    await until(
      `another event ${reason}`,
      async () => (await this.events(reason)).reduce((sum, { count }) => sum + count, 0) > 1,
      { seen: () => this.events(reason) },
    );
  }

  /** Writes a row of what was looked up. */
  public async say(step: string, aws: string, verdict: string): Promise<void> {
    this.rows.push([step, await this.state(), aws, verdict]);
  }

  private async events(reason: string): Promise<Array<{ message: string; count: number }>> {
    const all = await this.cluster.plane.api.list({ apiVersion: 'v1', kind: 'Event' }, this.namespace);
    return all.filter((event) => event.reason === reason).map(({ message, count = 1 }: Body) => ({ message, count }));
  }

  /** What is in AWS because of this story. */
  private async inventory(): Promise<Inventory> {
    return since(this.before, await this.cluster.aws.inventory());
  }

  /** Finalizers of the Services here, whether they are being deleted, or that there are none. */
  private async state(): Promise<string> {
    const services = await this.cluster.plane.api.list(SERVICE, this.namespace);
    const states = services.map(({ metadata: { finalizers = [], deletionTimestamp } }) => {
      const letters = (finalizers as string[]).map((finalizer) => LETTERS[finalizer] ?? finalizer);
      return `[${letters.join(',')}]${deletionTimestamp ? ' Terminating' : ''}`;
    });
    return states.sort().join(' / ') || 'gone';
  }

  private async hasAddress(service: Ref): Promise<boolean> {
    const live = await this.cluster.plane.api.find(service);
    return live?.status?.loadBalancer?.ingress?.[0]?.hostname !== undefined;
  }

  /** So that a story that went wrong does not spoil the next one; what it says itself matters more than how this goes. */
  private async cleanUp(): Promise<void> {
    const { api } = this.cluster.plane;
    const services = (await api.list(SERVICE, this.namespace)) as Ref[];
    for (const { metadata } of services) {
      await api.delete({ ...SERVICE, metadata });
    }
    const gone = async () => (await api.list(SERVICE, this.namespace)).length === 0;
    await until('the Services to go', gone, { seconds: 5 }).catch(() => undefined);
  }
}

/** What the service controller puts before a reason, and what AWS puts into it for its support. */
const NOISE =
  /^Error syncing load balancer: |failed to ensure load balancer: |, https response error|,? RequestID: [^,]*,/g;

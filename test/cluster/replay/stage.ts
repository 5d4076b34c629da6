import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { KubernetesVersion, LoadBalancerKeeper, TenancyIdentity } from '../../../src';
import type { Scenario } from '../../../src/lifecycle/scenario';
import type { State } from '../../../src/lifecycle/state';
import { type Api, ApiRefusal, type Body, type Ref } from '../../real/api';
import { ADMIN, ControlPlane, type Owner } from '../../real/control-plane';
import { addNode } from '../../real/objects';
import { install, permit } from '../../real/policies';
import { until } from '../../real/program';
import { DeletionHook } from '../harness/run-time';
import { Gates, type Leave, WatchingProxy, type Wish } from '../harness/watching-proxy';
import {
  AWS_LOAD_BALANCER_CONTROLLER,
  AWS_RESOURCES,
  EKS_AUTO_MODE,
  KEP_980,
  LEFT_TO_OTHERS,
  METALLB,
} from '../models/owners';
import { besideOf, otherFinalizer, type Playing, playingOf } from './parts';

/** Controllers that can take part. */
export type Part = 'service-controller' | 'aws' | 'namesake' | 'eks' | 'metallb';

/** At once on one control plane. */
const WORKERS = 64;
const FOREGROUND = 'foregroundDeletion';

/** Who writes where a keeper puts back what is dropped: the programs are administrators, and count as controllers. */
export const WRITER = 'writer';
export const KEPT = { 'example.com/kept': 'yes' };

/** What a model program plays; nothing for the real service controller. */
const PLAYED: Readonly<Record<Part, Owner | undefined>> = {
  'service-controller': undefined,
  aws: AWS_LOAD_BALANCER_CONTROLLER,
  namesake: { ...AWS_LOAD_BALANCER_CONTROLLER, classes: ['service.k8s.aws/of-another'], annotations: [] },
  eks: EKS_AUTO_MODE,
  metallb: METALLB,
};

/** The finalizer that a part adds and removes. */
export const FINALIZERS: Readonly<Record<Part, string>> = {
  'service-controller': KEP_980,
  aws: AWS_RESOURCES,
  namesake: AWS_RESOURCES,
  eks: EKS_AUTO_MODE.finalizer as string,
  metallb: '',
};

/** A controller behind its proxy: it is shown some namespaces, and can be killed and started. */
export class Player {
  /** The namespaces that it is shown. */
  public readonly shown = new Set<string>();
  private proxy?: WatchingProxy;
  public isUp = false;

  public constructor(
    private readonly plane: ControlPlane,
    private readonly gates: Gates,
    public readonly part: Part | 'manager',
    public readonly name: string,
  ) {}

  /** Starts it where it does not run. */
  public async start(): Promise<void> {
    if (this.isUp) {
      return;
    }
    const { plane, gates, name, part } = this;
    const finalizer = part === 'manager' ? FOREGROUND : FINALIZERS[part];
    const shows = part === 'manager' ? undefined : (namespace: string) => this.shown.has(namespace);
    this.proxy ??= await WatchingProxy.open({ actor: name, gates, finalizer, shows, ...plane.endpoint });
    const behind = { name, server: this.proxy.address };
    const played = part === 'manager' ? undefined : PLAYED[part];
    if (played) {
      await plane.startOwners([{ ...played, workers: WORKERS }], behind);
    } else if (part === 'manager') {
      await plane.startManager(behind, ['endpointslice-controller']);
    } else {
      await plane.startCloud(LEFT_TO_OTHERS, undefined, behind);
    }
    this.isUp = true;
  }

  public async kill(): Promise<void> {
    this.isUp = false;
    await this.plane.program(this.name).kill();
    this.proxy?.forget();
  }

  /** Its way to the API server. */
  public get way(): WatchingProxy {
    if (!this.proxy) {
      throw new Error(`${this.name} has never run`);
    }
    return this.proxy;
  }

  public close(): Promise<void> {
    return this.proxy?.close() ?? Promise.resolve();
  }
}

/** One control plane on which many traces are replayed at once, each in a namespace of its own. */
export class Scene {
  public static async open(): Promise<Scene> {
    const plane = await ControlPlane.start();
    const gates = new Gates();
    plane.ledger.gates = gates;
    await addNode(plane.api, 'plain');
    const hook = await DeletionHook.open(plane.api, plane.folder, gates);
    const scene = new Scene(plane, gates, hook);
    await scene.manager.start();
    await permit(plane.api, WRITER, [{ apiGroups: [''], resources: ['services'], verbs: ['*'] }]);
    await plane.api
      .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } })
      .catch(() => undefined);
    const chart = new Chart(new App(), 'keeper');
    new LoadBalancerKeeper(chart, 'Keeper', {
      kubernetes: KubernetesVersion.V1_36,
      allServices: true,
      namespaceLabels: KEPT,
      controllers: [TenancyIdentity.user(ADMIN.user)],
    });
    await install(plane.api, chart);
    return scene;
  }

  public readonly manager: Player;
  /** Written once: many read it at the same time. */
  public readonly kubeconfig: string;
  private readonly players = new Map<string, Promise<Player>>();
  private counter = 0;

  private constructor(
    public readonly plane: ControlPlane,
    public readonly gates: Gates,
    public readonly hook: DeletionHook,
  ) {
    this.kubeconfig = plane.kubeconfig;
    this.manager = new Player(plane, gates, 'manager', 'manager-behind');
  }

  /** A controller that runs: the one that many share, or that of a lane, which may be killed. */
  public async player(part: Part, lane?: number): Promise<Player> {
    const name = lane === undefined ? part : `${part}-${lane}`;
    const known = this.players.get(name) ?? Promise.resolve(new Player(this.plane, this.gates, part, name));
    const started = known.then(async (player) => {
      await player.start();
      return player;
    });
    this.players.set(name, started);
    return started;
  }

  public newNamespace(): string {
    return `replay-${++this.counter}`;
  }

  public async close(): Promise<void> {
    await this.plane.stop();
    const players = await Promise.all([...this.players.values()]);
    await Promise.all([...players, this.manager].map((player) => player.close()));
    await this.hook.close();
  }
}

const NAME = 'echo';
const MANAGER = 'operator';

/** How long a program may take to want something: the service controller waits after a failure, each time longer. */
const PATIENCE = 25;

/** One trace's namespace, with the programs that act in it, and what its people want. */
export class Stage {
  public static async set(scene: Scene, scenario: Scenario, lane?: number): Promise<Stage> {
    const playing = playingOf(scenario.owner);
    if (!playing) {
      throw new Error(`nobody plays ${scenario.owner.name} here`);
    }
    const beside = besideOf(scenario);
    const owner = await scene.player(playing.part, lane);
    const stage = new Stage(scene, scenario, playing, owner, beside && (await scene.player(beside)));
    const { namespace, place } = stage;
    for (const player of stage.players) {
      player.shown.add(namespace);
      player.way.hold(place);
    }
    scene.gates.close(place);
    scene.plane.ledger.places.set(place.replace('/', '-'), place);
    const labels = scenario.keeper ? KEPT : {};
    await stage.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } });
    if (scenario.ending?.startsWith('parent')) {
      await stage.bear();
    }
    return stage;
  }

  public readonly namespace: string;
  public readonly place: string;
  public readonly own: string;
  public readonly other: string;
  public readonly parent: Ref;
  /** Who sends the deletion that is wanted. */
  public deleter: 'user' | 'manager' = 'user';
  /** A deletion that is held. */
  public removal?: Promise<unknown>;
  /** What was refused, for those who look for why. */
  public readonly refusals: string[] = [];
  public type = 'LoadBalancer';
  private edits = 0;
  private parentUid?: string;

  private constructor(
    public readonly scene: Scene,
    public readonly scenario: Scenario,
    public readonly playing: Playing,
    public readonly owner: Player,
    public readonly beside: Player | undefined,
  ) {
    this.namespace = scene.newNamespace();
    this.place = `${this.namespace}/${NAME}`;
    this.own = FINALIZERS[playing.part];
    this.other = otherFinalizer(playing);
    this.parent = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'parent', namespace: this.namespace } };
  }

  public get api(): Api {
    return this.scene.plane.api;
  }

  private get writer(): Api {
    return this.scenario.keeper ? this.api.actingAs(WRITER) : this.api;
  }

  public get ref(): Ref {
    return { apiVersion: 'v1', kind: 'Service', metadata: { name: NAME, namespace: this.namespace } };
  }

  public get players(): Player[] {
    return [this.owner, ...(this.beside ? [this.beside] : [])];
  }

  /** Waits for a program to want something, and lets it. */
  public async let(player: Player | string, wishes: readonly Wish[], leave: Leave = 'pass'): Promise<[Wish, number]> {
    const held = await this.wants(player, wishes);
    return [held.wish, await this.scene.gates.let(this.place, held, leave)];
  }

  /** Waits for a program to want something. */
  public wants(player: Player | string, wishes: readonly Wish[], seconds = PATIENCE) {
    const name = typeof player === 'string' ? player : player.name;
    return this.scene.gates.arrival(this.place, name, wishes, seconds);
  }

  /** Lets a program do something if it wants to within a while. */
  public async letIf(
    player: Player,
    wishes: readonly Wish[],
    seconds: number,
  ): Promise<{ wish: Wish; status: number } | undefined> {
    const held = await this.wants(player, wishes, seconds).catch(() => undefined);
    return held && { wish: held.wish, status: await this.scene.gates.let(this.place, held) };
  }

  /** The version of the Service that is there. */
  public async version(): Promise<string | undefined> {
    return (await this.api.find(this.ref))?.metadata.resourceVersion;
  }

  /** What a write of ours comes to; a refusal is one of its outcomes. */
  public async try(write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof ApiRefusal)) {
        throw error;
      }
      this.refusals.push(error.message);
    }
  }

  /** The Service as its writer has it, with the finalizers that are given. */
  public manifest(finalizers: readonly string[]): Ref {
    const { spec, annotations } = this.playing;
    // client-side apply leaves alone what others have added
    const isKnown = this.edits > 0 && this.scenario.writer !== 'client-apply';
    const edited = isKnown ? { edited: String(this.edits) } : {};
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'parent', uid: this.parentUid };
    return {
      ...this.ref,
      metadata: {
        ...this.ref.metadata,
        annotations: { ...annotations, ...edited },
        ...(finalizers.length > 0 ? { finalizers: [...finalizers] } : {}),
        ...(this.parentUid ? { ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }] } : {}),
      },
      spec: {
        type: this.type,
        selector: { app: NAME },
        ports: [{ name: 'tcp', port: 443, targetPort: 8443 }],
        ...(this.type === 'LoadBalancer' ? spec : {}),
      },
    };
  }

  /** What the writer of a state declares. */
  public declared({ declaredOwn, declaredOther }: State): string[] {
    return [...(declaredOther === 'absent' ? [] : [this.other]), ...(declaredOwn === 'absent' ? [] : [this.own])];
  }

  /** The writer creates the Service. */
  public async create(state: State): Promise<void> {
    this.type = 'LoadBalancer';
    this.edits = 0;
    const manifest = this.manifest(this.declared(state));
    await this.try(() => {
      switch (this.scenario.writer) {
        case 'server-apply':
          return this.writer.apply(manifest, { as: MANAGER, force: true });
        case 'client-apply':
          return this.kubectlApply(manifest);
        default:
          return this.writer.create(manifest, { as: MANAGER });
      }
    });
    await this.know();
  }

  /** The writer writes the Service that is there, with some finalizers. */
  public async write(finalizers: readonly string[]): Promise<void> {
    const manifest = this.manifest(finalizers);
    await this.try(() => {
      switch (this.scenario.writer) {
        case 'server-apply':
          return this.writer.apply(manifest, { as: MANAGER, force: true });
        case 'client-apply':
          return this.kubectlApply(manifest);
        case 'put-class-null':
          return this.writer.replace(
            { ...manifest, spec: { ...manifest.spec, loadBalancerClass: undefined } },
            { as: MANAGER },
          );
        default:
          return this.writer.replace(manifest, { as: MANAGER });
      }
    });
  }

  public async edit(): Promise<void> {
    this.edits++;
    await this.api.merge(this.ref, { metadata: { annotations: { edited: String(this.edits) } } });
  }

  public async changeType(): Promise<void> {
    this.type = 'ClusterIP';
    await this.api.merge(this.ref, { spec: { type: this.type, loadBalancerClass: null } });
  }

  /** The deletion of the Service as its user sends it; it may be held on its way. */
  public delete(): Promise<unknown> {
    const propagationPolicy = this.scenario.ending?.includes('foreground') ? 'Foreground' : 'Background';
    return this.try(() =>
      this.api.call('DELETE', `/api/v1/namespaces/${this.namespace}/services/${NAME}`, { propagationPolicy }),
    );
  }

  public async deleteParent(propagationPolicy: 'Background' | 'Foreground' | 'Orphan'): Promise<void> {
    await this.api.call('DELETE', `/api/v1/namespaces/${this.namespace}/configmaps/parent`, { propagationPolicy });
  }

  /** The object that the Service belongs to, anew. */
  public async bear(): Promise<void> {
    await until('the parent to be gone', async () => (await this.api.find(this.parent)) === undefined);
    this.parentUid = (await this.api.create(this.parent)).metadata.uid;
  }

  /** The garbage collector has seen what belongs to the Service. */
  public async isKnownToCollector(): Promise<void> {
    if ((await this.api.find(this.ref))?.metadata.deletionTimestamp) {
      // what belongs to it may be collected already
      return;
    }
    const slices = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' };
    await until('what belongs to the Service', async () => {
      const found = await this.api.list(slices, this.namespace);
      return found.length > 0;
    });
  }

  /** The cloud knows what the balancers of this Service are called. */
  public async know(): Promise<void> {
    const uid: string | undefined = (await this.api.find(this.ref))?.metadata.uid;
    if (uid) {
      this.scene.plane.ledger.places.set(`a${uid.replace(/-/g, '')}`.slice(0, 32), this.place);
    }
  }

  /** Takes away what is left. */
  public async strike(): Promise<void> {
    const { gates, plane } = this.scene;
    gates.open(this.place);
    this.scene.hook.disarm(this.place);
    for (const player of this.players) {
      player.way.release(this.place);
    }
    if (await this.api.find(this.ref)) {
      await this.try(() => this.api.merge(this.ref, { metadata: { finalizers: null } }));
      await this.delete();
    }
    for (const player of this.players) {
      player.shown.delete(this.namespace);
    }
    gates.forget(this.place);
    plane.ledger.forget(this.namespace);
  }

  private kubectlApply(manifest: Body): Promise<void> {
    const { plane } = this.scene;
    const file = join(plane.folder, `${this.namespace}.json`);
    writeFileSync(file, JSON.stringify(manifest));
    const as = this.scenario.keeper ? ['--as', WRITER] : [];
    const args = ['kubectl', '--kubeconfig', this.scene.kubeconfig, ...as, 'apply', '-f', file];
    return new Promise((resolve, reject) => {
      execFile(process.env.CONTROL_PLANE ?? '', args, { timeout: 60_000 }, (error, _, stderr) => {
        if (error) {
          reject(new ApiRefusal(0, 'Kubectl', stderr));
        } else {
          resolve();
        }
      });
    });
  }
}

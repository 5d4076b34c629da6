import { App, Chart } from 'cdk8s';
import { KeptServices, KubernetesVersion, LoadBalancerKeeper, TenancyIdentity } from '../../../src';
import type { Owner } from '../harness/control-plane';
import { ControlPlane } from '../harness/control-plane';
import { ADMIN } from '../harness/credentials';
import { DeletionHook } from '../harness/deletion-hook';
import { Gates } from '../harness/gates';
import { addNode } from '../harness/nodes';
import { install, permit } from '../harness/tenants';
import { WatchingProxy } from '../harness/watching-proxy';
import { AWS_RESOURCES, KEP_980 } from '../models/finalizers';
import { AWS_LOAD_BALANCER_CONTROLLER, EKS_AUTO_MODE, LEFT_TO_OTHERS, METALLB } from '../models/owners';

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
      services: KeptServices.ALL,
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

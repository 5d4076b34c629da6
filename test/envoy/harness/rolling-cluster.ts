import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Api, ApiRefusal, type Body, type Ref } from '../../cluster/harness/api';
import { ControlPlane } from '../../cluster/harness/control-plane';
import { addNode, nodeRef } from '../../cluster/harness/nodes';
import { pause, until } from '../../cluster/harness/wait';
import { Kubelet } from './kubelet';
import { prepareNetwork } from './network';

/** Controllers of Kubernetes itself that replace pods, tell where they are, and guard disruptions. */
const CONTROLLERS = [
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'endpointslice-controller',
  'disruption-controller',
];

/** Nodes, with addresses of their own. */
export const NODES: Readonly<Record<string, string>> = {
  'node-a': '10.61.201.1',
  'node-b': '10.61.201.2',
  'node-c': '10.61.201.3',
};

/** A cluster whose pods come and go as real controllers have them, on nodes that are played. */
export class RollingCluster {
  public static async start(): Promise<RollingCluster> {
    prepareNetwork();
    const plane = await ControlPlane.start();
    const { api, folder } = plane;
    const pods = join(folder, 'pods');
    mkdirSync(pods);
    const nodes = Object.keys(NODES);
    await Promise.all([
      plane.startManager(undefined, CONTROLLERS),
      ...nodes.map((name) =>
        addNode(api, name, { labels: { 'kubernetes.io/hostname': name }, internalIp: NODES[name] }),
      ),
    ]);
    const kubelet = new Kubelet({ api, etc: folder, nodes, folder: pods, programs: {} });
    kubelet.start();
    return new RollingCluster(plane, kubelet);
  }

  private constructor(
    public readonly plane: ControlPlane,
    private readonly kubelet: Kubelet,
  ) {}

  public get api(): Api {
    return this.plane.api;
  }

  public async stop(): Promise<void> {
    try {
      await this.kubelet.stop();
    } finally {
      await this.plane.stop();
    }
  }

  public async pods(namespace: string): Promise<Body[]> {
    return (await this.api.call('GET', `/api/v1/namespaces/${namespace}/pods`)).items;
  }

  /** Waits until a Deployment has all its pods of the newest template, available, and no other one. */
  public async rolledOut(ref: Ref): Promise<void> {
    const namespace = String(ref.metadata.namespace);
    await until(
      `${ref.metadata.name} to be rolled out`,
      async () => {
        const { metadata, spec, status = {} } = await this.api.get(ref);
        const { replicas } = spec;
        const isThere = [status.updatedReplicas, status.availableReplicas, status.replicas].every(
          (count) => count === replicas,
        );
        return (
          status.observedGeneration === metadata.generation &&
          isThere &&
          (await this.pods(namespace)).length === replicas
        );
      },
      { seconds: 180, seen: async () => (await this.api.get(ref)).status },
    );
  }

  /** Replaces all pods, as `kubectl rollout restart` does. */
  public async restart(ref: Ref): Promise<void> {
    const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date().toISOString() };
    await this.api.merge(ref, { spec: { template: { metadata: { annotations } } } });
    await until('the controller to see it', async () => {
      const { metadata, status } = await this.api.get(ref);
      return status?.observedGeneration === metadata.generation;
    });
    await this.rolledOut(ref);
  }

  /** Nodes that were drained take pods again. */
  public async uncordon(): Promise<void> {
    for (const node of Object.keys(NODES)) {
      this.kubelet.uncordon(node);
      await this.api.merge(nodeRef(node), { spec: { unschedulable: null } });
    }
  }

  /** Cordons a node and evicts its pods, as `kubectl drain` does: again and again where a budget refuses. Returns the refusals. */
  public async drain(node: string, namespace: string): Promise<number> {
    let refusals = 0;
    this.kubelet.cordon(node);
    await this.api.merge(nodeRef(node), { spec: { unschedulable: true } });
    const left = async () => (await this.pods(namespace)).filter(({ spec }) => spec.nodeName === node);
    for (const { metadata } of await left()) {
      const { name } = metadata;
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
      for (;;) {
        try {
          await this.api.call('POST', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, eviction);
          break;
        } catch (error) {
          if (!(error instanceof ApiRefusal && error.status === 429)) throw error;
          refusals++;
          await pause(500);
        }
      }
    }
    await until(`${node} to be empty`, async () => (await left()).length === 0, { seconds: 180 });
    return refusals;
  }
}

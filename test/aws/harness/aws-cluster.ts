import { ControlPlane } from '../../cluster/harness/control-plane';
import { addNode } from '../../cluster/harness/nodes';
import type { Program } from '../../cluster/harness/program';
import { newRunFolder, removeRunFolder } from '../../cluster/harness/run-folder';
import { startCloudControllerManager } from './cloud-controller-manager';
import { FakeAws } from './fake-aws';

/** The label by which the nodes of the account are told apart: `edge-1` and `edge-2` are of pool edge. */
export const POOL = 'pool';

/** A cluster on AWS: a real API server, the real AWS cloud controller manager, a fake AWS, and nodes without a kubelet. */
export class AwsCluster {
  public static async start(): Promise<AwsCluster> {
    const folder = newRunFolder();
    const started = await Promise.allSettled([ControlPlane.start(), FakeAws.start(folder)]);
    const [plane, aws] = started.map((each) => (each.status === 'fulfilled' ? each.value : undefined)) as [
      ControlPlane | undefined,
      FakeAws | undefined,
    ];
    try {
      const failure = started.find((each) => each.status === 'rejected');
      if (!plane || !aws || failure) {
        throw failure?.reason;
      }
      for (const [name, { instance, zone, address }] of Object.entries(aws.account.nodes)) {
        await addNode(plane.api, name, {
          labels: { [POOL]: name.replace(/-\d+$/, '') },
          providerID: `aws:///${zone}/${instance}`,
          internalIp: address,
        });
      }
      return new AwsCluster(folder, plane, aws, await startCloudControllerManager(aws, plane.kubeconfig, folder));
    } catch (error) {
      await Promise.all([plane?.stop(), aws?.program.kill()]);
      removeRunFolder(folder);
      throw error;
    }
  }

  private constructor(
    private readonly folder: string,
    public readonly plane: ControlPlane,
    public readonly aws: FakeAws,
    public readonly controller: Program,
  ) {}

  public get pids(): number[] {
    return [...this.plane.pids, this.aws.program.pid, this.controller.pid];
  }

  /** The ids of instances, by the names of their nodes. */
  public instances(...nodes: string[]): string[] {
    return nodes.map((node) => this.aws.account.nodes[node].instance).sort();
  }

  /** Ends everything. */
  public async stop(): Promise<void> {
    await this.controller.kill();
    await Promise.all([this.plane.stop(), this.aws.program.kill()]);
    removeRunFolder(this.folder);
  }
}

// The same pinned Service on other platforms: only the controller and the pool change.
import { App, Chart } from 'cdk8s';
import {
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  MetalLb,
  NodePool,
  NodePools,
  NodepoolPinnedService,
  NodeTaint,
} from 'cdk8s-load-balancers';
import { echoDeployment } from './echo-deployment';

const app = new App();

function pinnedEcho(cluster: string, controller: ILoadBalancerController, nodePool: NodePool): void {
  const chart = new Chart(app, cluster, { namespace: 'echo' });
  new NodepoolPinnedService(chart, 'Service', {
    name: 'echo',
    controller,
    workload: echoDeployment(chart),
    nodePool,
    ports: [{ name: 'echo', port: 80, targetPort: 8080 }],
  });
}

pinnedEcho('gke', Gke.passthrough(), NodePools.gke('edge'));
pinnedEcho(
  'hetzner',
  HetznerCloud.loadBalancer({ location: 'fsn1', type: 'lb11' }),
  NodePool.labeled({ pool: 'edge' }, { taints: [NodeTaint.noSchedule('pool', 'edge')] }),
);
pinnedEcho('metal', MetalLb.layer2({ addressPool: 'edge' }), NodePool.labeled({ 'node.example.com/role': 'edge' }));

app.synth();

import { join } from 'node:path';
import { App, Chart, Include } from 'cdk8s';
import { AwsLoadBalancerController, NlbTargetType, NodePools, NodepoolPinnedService } from 'cdk8s-load-balancers';

const app = new App();
const chart = new Chart(app, 'edge', { namespace: 'edge' });
new NodepoolPinnedService(chart, 'Echo', {
  name: 'echo',
  controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE }),
  workload: new Include(chart, 'Deployment', { url: join(__dirname, 'deployment.yaml') }), // without its nodeSelector
  nodePool: NodePools.eksManagedNodeGroup('edge'),
  ports: [{ port: 443, targetPort: 8080 }],
});
app.synth();

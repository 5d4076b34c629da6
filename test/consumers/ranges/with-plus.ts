// Prints a Deployment of cdk8s-plus that is pinned to a node pool, and its Service.
import { App, Chart } from 'cdk8s';
import { AwsLoadBalancerController, NlbTargetType, NodePools, NodepoolPinnedService } from 'cdk8s-load-balancers';
import { Deployment } from 'cdk8s-plus-27';

const app = new App();
const chart = new Chart(app, 'edge', { namespace: 'edge' });
new NodepoolPinnedService(chart, 'Pinned', {
  controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE }),
  workload: new Deployment(chart, 'Echo', {
    containers: [{ image: 'registry.example/echo:1.4.2', portNumber: 8443 }],
  }),
  nodePool: NodePools.eksManagedNodeGroup('ingest'),
  ports: [{ port: 443, targetPort: 8443 }],
});
console.log(app.synthYaml());

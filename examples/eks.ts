// Services on EKS with the AWS Load Balancer Controller.
import { App, Chart } from 'cdk8s';
import {
  AwsLoadBalancerController,
  ClientAddress,
  LoadBalancedService,
  LoadBalancerScheme,
  NlbTargetType,
  NodePools,
  NodepoolPinnedService,
} from 'cdk8s-load-balancers';
import { echoDeployment } from './echo-deployment';

const app = new App();

// Pods are the targets: no second hop, no node port, and the client address because somebody wants it.
const edge = new Chart(app, 'eks-edge', { namespace: 'edge' });
new LoadBalancedService(edge, 'Public', {
  name: 'echo',
  controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
  workload: echoDeployment(edge),
  ports: [{ name: 'echo', port: 443, targetPort: 8080 }],
  scheme: LoadBalancerScheme.INTERNET_FACING,
  clientAddress: ClientAddress.PRESERVE,
});

// Nodes are the targets: only those of one managed node group, where the pods are as well.
const ingest = new Chart(app, 'eks-ingest', { namespace: 'ingest' });
new NodepoolPinnedService(ingest, 'Pinned', {
  name: 'echo',
  controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE }),
  workload: echoDeployment(ingest),
  nodePool: NodePools.eksManagedNodeGroup('ingest'),
  ports: [{ name: 'echo', port: 443, targetPort: 8080 }],
});

app.synth();

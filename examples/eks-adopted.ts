// A Deployment and a Service that exist as plain YAML, in the cluster so far: pinned and balanced without touching the
// files. A Service may be given a class when it becomes one of type LoadBalancer, and never again.
import { join } from 'node:path';
import { type ApiObject, App, Chart, Include } from 'cdk8s';
import { AwsLoadBalancerController, NlbTargetType, NodePools, NodepoolPinnedService } from 'cdk8s-load-balancers';

const app = new App();
const chart = new Chart(app, 'eks-adopted', { namespace: 'echo' });
const include = new Include(chart, 'Manifests', { url: join(__dirname, 'manifests', 'echo.yaml') });
const [deployment, service] = include.apiObjects as [ApiObject, ApiObject];

new NodepoolPinnedService(chart, 'Echo', {
  controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE }),
  workload: deployment,
  service,
  nodePool: NodePools.karpenter('edge'),
});

app.synth();

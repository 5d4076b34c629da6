// Fails on purpose, and writes nothing: an internal balancer has no Elastic IP.
import { App, Chart } from 'cdk8s';
import { AwsLoadBalancerController, LoadBalancedService, NlbTargetType } from 'cdk8s-load-balancers';
import { workload } from './workload.js';

const app = new App();
const chart = new Chart(app, 'edge', { namespace: 'edge' });
new LoadBalancedService(chart, 'Address', {
  controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE }),
  workload: workload(chart, 'Echo'),
  ports: [{ port: 443, targetPort: 8443 }],
  staticAddresses: ['eipalloc-0123456789abcdef0'],
});
app.synth();

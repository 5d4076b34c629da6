import { App, Chart } from 'cdk8s';
import {
  AwsLoadBalancerController,
  ClientAddress,
  LoadBalancedService,
  LoadBalancerScheme,
  NlbTargetType,
} from 'cdk8s-load-balancers';

const app = new App();
const chart = new Chart(app, 'shop', { namespace: 'shop' });
new LoadBalancedService(chart, 'Web', {
  name: 'web',
  controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
  selector: { app: 'web' },
  ports: [{ port: 443, targetPort: 8443 }],
  scheme: LoadBalancerScheme.INTERNET_FACING,
  clientAddress: ClientAddress.PRESERVE,
});
app.synth();

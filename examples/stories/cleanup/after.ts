import { App, Chart } from 'cdk8s';
import { AzureCloudProvider, type ILoadBalancerController, LoadBalancedService, MetalLb } from 'cdk8s-load-balancers';

const app = new App();

/** The same Service for every cluster: its finalizer follows from who will own the balancer. */
function web(cluster: string, controller: ILoadBalancerController): void {
  const chart = new Chart(app, cluster, { namespace: 'shop' });
  new LoadBalancedService(chart, 'Web', {
    name: 'web',
    controller,
    selector: { app: 'web' },
    ports: [{ port: 443, targetPort: 8443 }],
  });
}

web('on-premises', MetalLb.layer2({ addressPool: 'shop' }));
web('azure', AzureCloudProvider.standard());
app.synth();

// Fails on purpose: what the synth says where a Service cannot be what it asks for. All problems are told at once, with the path
// of the construct and what to do, and nothing is written.
//   npx tsx --tsconfig tsconfig.scripts.json examples/mistakes.ts
import { App, Chart } from 'cdk8s';
import {
  AwsLoadBalancerController,
  AzureCloudProvider,
  LoadBalancedService,
  LoadBalancerScheme,
  NlbTargetType,
  NodePools,
} from 'cdk8s-load-balancers';
import { echoDeployment } from './echo-deployment';

const app = new App();
const chart = new Chart(app, 'edge', { namespace: 'edge' });
const workload = echoDeployment(chart);
const ports = [{ port: 443, targetPort: 8080 }];

// the targets are pods: there are no backend nodes to choose
new LoadBalancedService(chart, 'Nodes', {
  controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
  workload,
  ports,
  backendNodes: NodePools.eksManagedNodeGroup('ingest'),
});

// an Elastic IP is public, while a balancer is internal unless it says otherwise
new LoadBalancedService(chart, 'Address', {
  controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE }),
  workload,
  ports,
  staticAddresses: ['eipalloc-0123456789abcdef0'],
});

// an Azure Load Balancer does not speak proxy protocol, and no wish is dropped in silence
new LoadBalancedService(chart, 'Proxy', {
  controller: AzureCloudProvider.standard(),
  workload,
  ports,
  scheme: LoadBalancerScheme.INTERNET_FACING,
  proxyProtocol: true,
});

app.synth();

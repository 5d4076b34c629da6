// One node pool for the pods and for the balancer's backend, on three generations of Azure load balancers.
import { App, Chart } from 'cdk8s';
import {
  AzureCloudProvider,
  LoadBalancerScheme,
  LoadBalancers,
  NodePools,
  NodepoolPinnedService,
  NodeTaint,
} from 'cdk8s-load-balancers';
import { echoDeployment } from './echo-deployment';

const app = new App();

// Today's default: every node is a backend, and only those with a pod are healthy.
const standard = new Chart(app, 'aks-standard', { namespace: 'echo' });
new NodepoolPinnedService(standard, 'Service', {
  name: 'echo',
  controller: AzureCloudProvider.standard(),
  workload: echoDeployment(standard),
  nodePool: NodePools.aks('pool1'),
  ports: [{ name: 'echo', port: 80, targetPort: 8080 }],
  scheme: LoadBalancerScheme.INTERNET_FACING,
});

// Several Standard load balancers in one cluster, a preview of AKS: the Service goes to the one that serves the pool.
const several = new Chart(app, 'aks-multiple', { namespace: 'ingest' });
new NodepoolPinnedService(several, 'Service', {
  name: 'echo',
  controller: AzureCloudProvider.multipleStandard({ configurations: ['lb-ingest'] }),
  workload: echoDeployment(several),
  nodePool: NodePools.aks('ingest'),
  ports: [{ name: 'echo', port: 80, targetPort: 8080 }],
});

// A cluster on Azure Stack Hub, where Basic load balancers live on and serve one availability set each.
const basic = new Chart(app, 'aks-basic', { namespace: 'echo' });
new NodepoolPinnedService(basic, 'Service', {
  name: 'echo',
  controller: AzureCloudProvider.basic({ virtualMachineSet: 'pool-1-availabilitySet-27255451' }),
  workload: echoDeployment(basic),
  nodePool: NodePools.banzai('pool-1', { taints: [NodeTaint.noSchedule('pool-1', 'true')] }),
  ports: [{ name: 'echo', port: 80, targetPort: 8080 }],
  scheme: LoadBalancerScheme.INTERNET_FACING,
});
LoadBalancers.of(basic).acknowledge('azure-basic-retired', 'Azure Stack Hub still serves Basic load balancers');

app.synth();

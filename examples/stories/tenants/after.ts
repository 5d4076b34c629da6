import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import {
  AwsLoadBalancerController,
  NlbTargetType,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  TenancyIdentity,
  TenantManifests,
} from 'cdk8s-load-balancers';

const app = new App();
const platform = new Chart(app, 'platform', { namespace: 'infra' });
const shared = new SharedLoadBalancer(platform, 'Shared', {
  engine: SharedLoadBalancerEngine.envoyGateway({
    controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
  }),
  namespaceLabels: { 'example.com/tenant': 'true' },
  platform: [TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller')],
  hostname: 'tcp.example.com',
  portLock: join(__dirname, 'ports.lock.json'),
});
for (const tenant of ['team-a', 'team-b', 'team-c']) {
  shared.addTenant(tenant);
  const chart = new Chart(app, tenant, { namespace: tenant });
  new TenantManifests(chart, 'Manifests', { url: join(__dirname, `${tenant}.yaml`), shared });
}
app.synth();

// Three tenants, one load balancer. Their files stay as they wrote them; in the output their Services are behind one NLB.
// Envoy Gateway 1.9.1 and the definitions of the Gateway API 1.6 are installed; so is the controller of class service.k8s.aws/nlb.
// A new port: npx cdk8s-load-balancers ports --app 'npx tsx examples/tenants.ts', and commit ports.lock.json.
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import {
  AwsLoadBalancerController,
  LoadBalancers,
  NlbTargetType,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  TenancyIdentity,
  TenantLoadBalancerGuard,
  TenantManifests,
} from 'cdk8s-load-balancers';

const app = new App();
const platform = new Chart(app, 'tenants-platform', { namespace: 'infra' });
const namespaceLabels = { 'example.com/tenant': 'true' };
const teams = ['team-a', 'team-b', 'team-c'];

// No Service and no Ingress of a tenant makes a load balancer of its own, whatever its manifests say.
new TenantLoadBalancerGuard(platform, 'Guard', {
  namespaceLabels,
  ingressClasses: [],
});

const shared = new SharedLoadBalancer(platform, 'Shared', {
  engine: SharedLoadBalancerEngine.envoyGateway({
    replicas: 2,
    controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
  }),
  namespaceLabels,
  platform: [TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller')],
  hostname: 'tcp.example.com',
  portLock: join(__dirname, 'tenants', 'ports.lock.json'),
});

for (const tenant of teams) {
  shared.addTenant(tenant, { maxConnections: 200 });
  new TenantManifests(new Chart(app, `tenants-${tenant}`, { namespace: tenant }), 'Manifests', {
    url: join(__dirname, 'tenants', `${tenant}.yaml`),
    shared,
  });
}

/** What each tenant tells its clients. */
export const endpoints = shared.endpoints;

LoadBalancers.of(app).acknowledge(
  'sharing-drops-settings',
  'the tenants were told what sharing means for their annotations',
);

app.synth();

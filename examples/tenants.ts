// Three tenants, one load balancer. Their files stay as they wrote them; in the output their Services are behind one NLB.
// Envoy Gateway 1.9 and the definitions of the Gateway API 1.6 are installed; so is the controller of class service.k8s.aws/nlb.
// A new port: npx cdk8s-load-balancers ports --app 'npx tsx examples/tenants.ts', and commit ports.lock.json.
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import {
  AwsLoadBalancerController,
  KubernetesVersion,
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

// No Service of a tenant gets a load balancer of its own. Other kinds that make one, such as an Ingress of class alb, are a
// matter of permissions; TenantManifests warns of those in the files below.
new TenantLoadBalancerGuard(platform, 'Guard', {
  namespaceLabels,
  dedicated: 0,
  minSourceRangePrefix: 16,
  kubernetes: KubernetesVersion.V1_36,
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

for (const tenant of ['team-a', 'team-b', 'team-c']) {
  shared.addTenant(tenant, { maxConnections: 200 });
  new TenantManifests(new Chart(app, `tenants-${tenant}`, { namespace: tenant }), 'Manifests', {
    url: join(__dirname, 'tenants', `${tenant}.yaml`),
    shared,
  });
}

/** What each tenant tells its clients. */
export const endpoints = shared.endpoints;

LoadBalancers.of(app).acknowledge('lost-in-sharing', 'the tenants were told what sharing means for their annotations');

app.synth();

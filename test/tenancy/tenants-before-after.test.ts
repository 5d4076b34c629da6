import { join } from 'node:path';
import { App, Chart, Include } from 'cdk8s';
import {
  AdoptedService,
  AwsLoadBalancerController,
  LoadBalancerScheme,
  LoadBalancers,
  NlbTargetType,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
} from '../../src';
import { wantsLoadBalancer } from '../../src/rules/service-json';
import { TenantManifests } from '../../src/tenancy/manifests/tenant-manifests';
import { stderrOf } from '../support/apps';
import { lockedAsWished } from './shared/locked';

const ROOT = join(__dirname, '..', '..');
const TENANTS = ['team-a', 'team-b', 'team-c'];

const fileOf = (tenant: string) => join(ROOT, 'examples', 'tenants', `${tenant}.yaml`);
const nlb = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });

function before(): number {
  const app = new App();
  for (const tenant of TENANTS) {
    const chart = new Chart(app, tenant, { namespace: tenant });
    const { apiObjects } = new Include(chart, 'Manifests', { url: fileOf(tenant) });
    for (const service of apiObjects.filter((object) => wantsLoadBalancer(object.toJson()))) {
      new AdoptedService(chart, service.name, { service, controller: nlb, scheme: LoadBalancerScheme.INTERNAL });
    }
  }
  return LoadBalancers.of(app).count;
}

function after(engine = SharedLoadBalancerEngine.envoyGateway({ controller: nlb })): number {
  const app = new App();
  const shared = new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
    engine,
    oneTeam: true,
    hostname: 'tcp.example.com',
    portLock: lockedAsWished(
      'team-a/db:5432',
      'team-b/queue:5671',
      'team-b/queue:5672',
      'team-c/mqtt:1883',
      'team-c/mqtt:8883',
    ),
  });
  for (const tenant of TENANTS) {
    shared.addTenant(tenant, { maxConnections: 200 });
    new TenantManifests(new Chart(app, tenant, { namespace: tenant }), 'Manifests', { url: fileOf(tenant), shared });
  }
  stderrOf(() => app.synth());
  return LoadBalancers.of(app).count;
}

test('the example has three balancers before and one after', () => {
  expect([before(), after()]).toEqual([3, 1]);
});

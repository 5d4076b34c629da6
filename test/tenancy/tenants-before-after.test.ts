import { readFileSync } from 'node:fs';
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

// What the page on sharing says of balancers and quota, before and after, is counted here.

const ROOT = join(__dirname, '..', '..');
const TENANTS = ['team-a', 'team-b', 'team-c'];
/** Network Load Balancers in a region, by default. docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-limits.html */
const QUOTA = 50;

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

test('the page says how many balancers the example has before and after, and how much of a quota that is', () => {
  const page = readFileSync(join(ROOT, 'docs', 'how-to', 'share-a-load-balancer.md'), 'utf8');
  const row = (begin: string) => {
    const line = page.split('\n').find((text) => text.startsWith(begin)) ?? '';
    return line
      .split('|')
      .slice(2, 4)
      .map((cell) => cell.trim());
  };
  const counts = [before(), after()];
  expect(row('| Network Load Balancers ')).toEqual(counts.map(String));
  expect(row(`| of the [${QUOTA}]`)).toEqual(counts.map((count) => `${(count * 100) / QUOTA} %`));
});

test('with the NLB engine one message lists all that the example asks for and the engine cannot enforce', () => {
  const engine = SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'] });
  let message = '';
  try {
    after(engine);
  } catch (error) {
    message = (error as Error).message;
  }
  const lines = message.split('\n').filter((line) => line.includes('engine-'));
  expect(lines).toEqual([
    expect.stringMatching(
      /cannot enforce maxConnections 200 for tenant team-a, tenant team-b, tenant team-c; source ranges 10\.0\.0\.0\/16, 10\.8\.0\.0\/16 for Service team-b\/queue .*use an engine that counts connections; .*set sourceRanges of the engine.*\(engine-cannot-enforce\)$/,
    ),
  ]);
});

import { App, Chart, Testing } from 'cdk8s';
import { AwsLoadBalancerController, KubernetesVersion, NlbTargetType } from '../../../src';
import {
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  type SharedLoadBalancerProps,
  SharedServicesAtRunTime,
  TenancyIdentity,
  TenantLoadBalancerGuard,
  TenantWatch,
} from '../../../src/tenancy';
import type { Ref } from '../../real/api';
import { lockFile } from '../../tenancy/shared/locked';

/** Balancers whose tenants attack them; `open` is one of Envoy Gateway whose platform has no name. */
export const SCENARIOS = ['envoy', 'open', 'nlb', 'haproxy'] as const;
export type Scenario = (typeof SCENARIOS)[number];

export const DELIVERY = TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller');

export const METACONTROLLER = TenancyIdentity.serviceAccount('metacontroller', 'metacontroller');

/** A tenant with `edit` and the role of the guard, and one with every right in its namespace. */
export const tenantOf = (scenario: Scenario) => `tenant-${scenario}`;
export const strongOf = (scenario: Scenario) => `strong-${scenario}`;

export const attackerOf = (scenario: Scenario) => `${scenario}-a`;
export const otherOf = (scenario: Scenario) => `${scenario}-b`;

export function platformOf(scenario: Scenario): Ref[] {
  const app = new App();
  const infra = `infra-${scenario}`;
  const chart = new Chart(app, 'platform', { namespace: infra });
  const [attacker, other] = [attackerOf(scenario), otherOf(scenario)];
  const namespaceLabels = { scenario };
  const front = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
  const watch = TenancyIdentity.serviceAccount(infra, `${scenario}-watch`);
  const engines: Record<Scenario, () => Partial<SharedLoadBalancerProps>> = {
    envoy: () => ({ engine: SharedLoadBalancerEngine.envoyGateway({ controller: front }) }),
    open: () => ({ engine: SharedLoadBalancerEngine.envoyGateway({ controller: front, makesGatewayClass: false }) }),
    nlb: () => ({
      engine: SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'] }),
    }),
    haproxy: () => ({
      engine: SharedLoadBalancerEngine.haproxy({ controller: front, runtimePorts: { first: 31_000, last: 31_019 } }),
    }),
  };
  new TenantLoadBalancerGuard(chart, 'Guard', {
    name: `${scenario}-guard`,
    namespaceLabels,
    kubernetes: KubernetesVersion.V1_36,
    attachments: scenario !== 'haproxy',
    minSourceRangePrefix: 16,
    maxPorts: 3,
    maxSharedServices: 5,
    ingressClasses: ['other'],
    tenants: [attacker, other].map((namespace) => ({
      namespace,
      subjects: namespace === attacker ? [TenancyIdentity.user(tenantOf(scenario))] : [],
    })),
  });
  const domain = `${scenario}.example.com`;
  const hosts = scenario === 'envoy' || scenario === 'open';
  const shared = new SharedLoadBalancer(chart, 'Shared', {
    ...(engines[scenario]() as SharedLoadBalancerProps),
    name: scenario,
    namespaceLabels,
    platform: scenario === 'open' ? undefined : [DELIVERY, METACONTROLLER, watch],
    hostname: domain,
    kubernetes: KubernetesVersion.V1_36,
    portLock: lockFile(
      Object.fromEntries(
        [attacker, other].flatMap((tenant, i) => [
          [`${tenant}/db:${5432 + i}`, { balancer: 0, port: 5432 + i }] as const,
          ...(hosts
            ? [[`${tenant}/api:8443`, { balancer: 0, port: 443, hosts: [`api.${tenant}.${domain}`] }] as const]
            : []),
        ]),
      ),
      scenario,
    ),
  });
  for (const [i, tenant] of [attacker, other].entries()) {
    shared.addTenant(tenant, {
      ...(hosts ? { maxConnections: 200 } : {}),
      runtimePorts: { first: 31_000 + 10 * i, last: 31_009 + 10 * i },
    });
    const own = new Chart(app, tenant, { namespace: tenant });
    shared.attach(own, { tenant, service: 'db', ports: [{ port: 5432 + i }] });
    if (hosts) {
      shared.attach(own, { tenant, service: 'api', ports: [{ port: 8443, hostnames: [`api.${tenant}.${domain}`] }] });
    }
  }
  new SharedServicesAtRunTime(chart, 'RunTime', { shared, name: `${scenario}-run` });
  new TenantWatch(chart, 'Watch', { shared, name: `${scenario}-watch` });
  return app.charts.flatMap((each) => Testing.synth(each)) as Ref[];
}

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
import { type Api, ApiRefusal, type Body, type Ref } from '../../real/api';
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

export function definitionOf(group: string, version: string, kind: string, plural: string): Ref {
  const anything = { 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    // groups of kubernetes ask for it
    metadata: { name: `${plural}.${group}`, annotations: { 'api-approved.kubernetes.io': 'unapproved' } },
    spec: {
      group,
      names: { kind, plural },
      scope: 'Namespaced',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', ...(anything as Body) } },
        },
      ],
    },
  };
}

/** What an attack must come to: `refused`, or `harmless` with the reason why it may pass. */
export interface Attack {
  readonly what: string;
  readonly scenario: Scenario;
  readonly who: string;
  readonly act: (api: Api, admin: Api) => Promise<unknown>;
  readonly harmless?: string;
}

export const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const APPLY = 'application/apply-patch+yaml';

export const GATEWAY = 'gateway.networking.k8s.io';
export const ENVOY = 'gateway.envoyproxy.io';

export function pathOf(apiVersion: string, plural: string, namespace: string): string {
  return `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}/namespaces/${namespace}/${plural}`;
}

export const servicesOf = (scenario: Scenario) => pathOf('v1', 'services', attackerOf(scenario));

type Way = (api: Api, path: string, now: Body, wanted: Body) => Promise<unknown>;

function withoutServerFields({ metadata, status: _, ...rest }: Body): Body {
  const { managedFields: _m, resourceVersion: _r, uid: _u, creationTimestamp: _c, generation: _g, ...own } = metadata;
  return { ...rest, metadata: own };
}

function mergePatch(now: Body, wanted: Body): Body {
  const keys = new Set([...Object.keys(now), ...Object.keys(wanted)]);
  const patch: Body = {};
  for (const key of keys) {
    const [one, other] = [now[key], wanted[key]];
    if (JSON.stringify(one) !== JSON.stringify(other)) {
      const deep = one && other && typeof one === 'object' && typeof other === 'object' && !Array.isArray(other);
      patch[key] = other === undefined ? null : deep ? mergePatch(one, other) : other;
    }
  }
  return patch;
}

/** Every way in which one object becomes another; each is tried without writing it, too late to matter. */
const WAYS: Readonly<Record<string, Way>> = {
  'replaces it': (api, path, _, wanted) => api.call('PUT', `${path}?dryRun=All&fieldValidation=Ignore`, wanted),
  'merges into it': (api, path, now, wanted) =>
    api.call('PATCH', `${path}?dryRun=All&fieldManager=kubectl-client-side-apply`, mergePatch(now, wanted), MERGE),
  'patches the whole document': (api, path, _, wanted) =>
    api.call('PATCH', `${path}?dryRun=All`, [{ op: 'replace', path: '', value: wanted }], JSON_PATCH),
  'patches field by field': (api, path, now, wanted) =>
    api.call('PATCH', `${path}?dryRun=All`, operations(now, wanted, ''), JSON_PATCH),
  'applies it under the name of a controller': (api, path, _, wanted) =>
    api.call('PATCH', `${path}?dryRun=All&force=true&fieldManager=metacontroller`, withoutServerFields(wanted), APPLY),
  'applies it under the name of the platform': (api, path, _, wanted) =>
    api.call(
      'PATCH',
      `${path}?dryRun=All&force=true&fieldManager=kustomize-controller`,
      withoutServerFields(wanted),
      APPLY,
    ),
};

const STRATEGIC_WAY: Way = (api, path, now, wanted) =>
  api.call('PATCH', `${path}?dryRun=All`, mergePatch(now, wanted), STRATEGIC);

function operations(now: Body, wanted: Body, at: string): Body[] {
  const keys = new Set([...Object.keys(now), ...Object.keys(wanted)]);
  return [...keys].flatMap((key) => {
    const path = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const [one, other] = [now[key], wanted[key]];
    if (JSON.stringify(one) === JSON.stringify(other)) return [];
    if (other === undefined) return [{ op: 'remove', path }];
    const deep = one && typeof one === 'object' && typeof other === 'object' && !Array.isArray(other);
    return deep ? operations(one, other, path) : [{ op: 'add', path, value: other }];
  });
}

export function everyWay(
  scenario: Scenario,
  who: string,
  what: string,
  path: string,
  change: (now: Body) => Body,
  options: { readonly below?: string; readonly strategic?: boolean; readonly harmless?: string } = {},
): Attack[] {
  const { below = '', strategic = false, harmless } = options;
  const ways = { ...WAYS, ...(strategic ? { 'patches it strategically': STRATEGIC_WAY } : {}) };
  return Object.entries(ways).map(([how, way]) => ({
    what: `${who} ${how}: ${what}`,
    scenario,
    who,
    harmless,
    act: async (api, admin) => {
      const now = await admin.call('GET', path);
      const wanted = change(structuredClone(now));
      if (how.startsWith('applies')) {
        // what an apply leaves out stays
        if (JSON.stringify(wanted).length < JSON.stringify(now).length)
          throw new ApiRefusal(0, '', 'an apply removes nothing');
      }
      return way(api, `${path}${below}`, now, wanted);
    },
  }));
}

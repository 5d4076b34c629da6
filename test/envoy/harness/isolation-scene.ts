import { App, Chart } from 'cdk8s';
import { AwsLoadBalancerController, KubernetesVersion, NlbTargetType } from '../../../src';
import {
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  type SharedProxyOptions,
  TenancyIdentity,
  TenantLoadBalancerGuard,
} from '../../../src/tenancy';
import type { Api, Body, Ref } from '../../real/api';
import { createUnderQuota, permit, untilPoliciesHold } from '../../real/policies';

import { until } from '../../real/program';
import { lockFile } from '../../tenancy/shared/locked';
import { answerOf, Held } from './client';
import { Engine } from './engine';
import { certificate, type Envoy } from './envoy';

/** Who does something. */
export const PLATFORM = TenancyIdentity.serviceAccount('flux-system', 'kustomize-controller');

/** A tenant with what `edit` of Kubernetes and the role of the guard give. */
export const TENANT = 'anna';

/** One whom somebody gave every right in the namespace of that tenant: the policies alone are left. */
export const STRONG = 'sara';

/** What serves the tenants of all namespaces, as operators do. */
export const OPERATOR = 'system:serviceaccount:operators:strimzi-cluster-operator';

/** What the documentation asks of the installation of Envoy Gateway. */
const CONFIGURATION = { runtimeFlags: { enabled: ['XDSNameSchemeV2'] } };

export const GROUP = 'gateway.networking.k8s.io';

export const DOMAIN = 'tcp.example.com';
/** Port 443, as the pods of the proxies have it. */
export const TLS_PORT = 10_443;
/** The connections of the attacker at each port and name. */
export const SHARE = 10;

/** The attacker, who it attacks, and two whose names are the same text when they are joined. */
const TENANTS: Readonly<Record<string, { readonly service: string; readonly port: number; readonly host?: string }>> = {
  'team-a': { service: 'db', port: 5432, host: `api.team-a.${DOMAIN}` },
  'team-b': { service: 'db', port: 5433, host: `api.team-b.${DOMAIN}` },
  'a-b': { service: 'c', port: 5434 },
  a: { service: 'b-c', port: 5435 },
};

/** For how long the proxies drain, where that is not as long as by default. */
type ProxyDrain = Required<Pick<SharedProxyOptions, 'minDrainTime' | 'drainTime'>>;

/** A shared load balancer under attack. */
export class IsolationScene {
  /** @param configuration of Envoy Gateway */
  public static async start(proxies?: ProxyDrain, configuration: Body = CONFIGURATION): Promise<IsolationScene> {
    const tls = certificate();
    const engine = await Engine.start({
      configuration,
      behaviour: ({ metadata }) => (metadata.labels.app === 'api' ? { ports: [8443], tls } : undefined),
    });
    const platform = engine.api.actingAs(PLATFORM.username, ['system:masters']);
    for (const object of objects(proxies)) {
      await createUnderQuota(platform, object);
    }
    await untilPoliciesHold(engine.api);
    // as the guard's role with attachments, whose quota takes minutes to count a kind that is as new as this cluster
    const resources = ['listenersets', 'tcproutes', 'tlsroutes'];
    await permit(engine.api, TENANT, [{ apiGroups: [GROUP], resources, verbs: ['*'] }], 'team-a');
    await permit(engine.api, OPERATOR, [{ apiGroups: [GROUP], resources: ['tlsroutes'], verbs: ['*'] }]);
    const [envoy] = await engine.envoys('shared', 1);
    await engine.listening([envoy], [...Object.values(TENANTS).map(({ port }) => port), TLS_PORT]);
    const scene = new IsolationScene(engine, envoy, platform);
    await until('all tenants to be served', async () => {
      const { port, name } = await scene.served();
      return port + name === 20 && (await scene.at(5432)) !== '' && (await scene.named('api.team-a')) !== '';
    });
    return scene;
  }

  public readonly tenant: Api;
  public readonly strong: Api;
  public readonly operator: Api;
  private changes = 0;

  private constructor(
    public readonly engine: Engine,
    public readonly envoy: Envoy,
    /** Whom the policies let through: what it does shows what the engine itself holds. */
    public readonly platform: Api,
  ) {
    this.tenant = engine.api.actingAs(TENANT);
    this.strong = engine.api.actingAs(STRONG);
    this.operator = engine.api.actingAs(OPERATOR);
  }

  /** Who answers at a port; nobody where the connection is closed before a word. */
  public at(port: number, first?: Buffer): Promise<string> {
    return answerOf({ host: this.envoy.address, port, first, patience: 3000 });
  }

  /** Who answers to a name at the port that tenants share. */
  public named(name: string): Promise<string> {
    const serverName = name === '' ? DOMAIN : `${name}.${DOMAIN}`;
    return answerOf({ host: this.envoy.address, port: TLS_PORT, serverName, patience: 3000 });
  }

  /** Connections that are held, at a port or to a name. */
  public held(count: number, to: number | string): Promise<Held> {
    const host = this.envoy.address;
    return Held.open(
      count,
      typeof to === 'number' ? { host, port: to } : { host, port: TLS_PORT, serverName: `${to}.${DOMAIN}` },
    );
  }

  /** How many of ten connections to each port of team-b it serves itself. */
  public async served(): Promise<{ readonly port: number; readonly name: number }> {
    const of = async (ask: () => Promise<string>) =>
      (await Promise.all(Array.from({ length: 10 }, ask))).filter((said) => said.startsWith('team-b/')).length;
    return { port: await of(() => this.at(5433)), name: await of(() => this.named('api.team-b')) };
  }

  /** Whether changes of team-b arrive within some seconds: a port more, and a name more. */
  public async changesArrive(seconds = 5): Promise<{ readonly port: boolean; readonly name: boolean }> {
    const number = ++this.changes;
    const port = 6000 + number;
    const objects = [
      tlsRoute(`more-${number}`, [`more-${number}.team-b`], 'team-b'),
      tcpRoute(`more-${number}`, `more-${number}`, { name: 'db', port: 5433 }, 'team-b'),
      listenerSet(`more-${number}`, [tcpListener(port)], 'team-b'),
    ];
    for (const object of objects) {
      await this.platform.create(object);
    }
    const soon = (ask: () => Promise<string>) =>
      until('a change', async () => (await ask()).startsWith('team-b/'), { seconds }).catch(() => false);
    const arrived = {
      port: await soon(() => this.at(port)),
      name: await soon(() => this.named(`more-${number}.team-b`)),
    };
    for (const object of objects) {
      await this.platform.delete(object);
    }
    return arrived;
  }

  /** Creates objects past the policies, does something, and takes them away again. */
  public async pastPolicies(objects: readonly Ref[], act: () => Promise<unknown>): Promise<void> {
    for (const object of objects) {
      await this.platform.create(object);
    }
    try {
      await act();
    } finally {
      for (const object of objects) {
        await this.platform.delete(object);
      }
    }
  }
}

const at = (kind: string, apiVersion: string, namespace: string, name: string, spec: Body): Ref => ({
  ...{ apiVersion, kind, metadata: { name, namespace } },
  spec,
});

/** An object of team-a, or of another tenant. */
export function gatewayObject(kind: string, name: string, spec: Body, namespace = 'team-a'): Ref {
  return at(kind, `${GROUP}/v1`, namespace, name, spec);
}

/** An object of Envoy Gateway's own kinds, of team-a. */
export function envoyObject(kind: string, name: string, spec: Body): Ref {
  return at(kind, 'gateway.envoyproxy.io/v1alpha1', 'team-a', name, spec);
}

export function tlsRoute(name: string, names: readonly string[], namespace = 'team-a', set = 'shared'): Ref {
  return gatewayObject(
    'TLSRoute',
    name,
    {
      parentRefs: [{ group: GROUP, kind: 'ListenerSet', name: set }],
      hostnames: names.map((each) => `${each}.${DOMAIN}`),
      rules: [{ backendRefs: [{ group: '', kind: 'Service', name: 'api', port: 8443, weight: 1 }] }],
    },
    namespace,
  );
}

export function tcpRoute(name: string, set: string, backend: Body, namespace = 'team-a'): Ref {
  return gatewayObject(
    'TCPRoute',
    name,
    {
      parentRefs: [{ group: GROUP, kind: 'ListenerSet', name: set }],
      rules: [{ backendRefs: [{ group: '', kind: 'Service', weight: 1, ...backend }] }],
    },
    namespace,
  );
}

export function listenerSet(name: string, listeners: readonly Body[], namespace = 'team-a'): Ref {
  const parentRef = { group: GROUP, kind: 'Gateway', name: 'shared', namespace: 'infra' };
  return gatewayObject('ListenerSet', name, { parentRef, listeners }, namespace);
}

export function tcpListener(port: number): Body {
  return { name: `tcp-${port}`, port, protocol: 'TCP', allowedRoutes: { namespaces: { from: 'Same' } } };
}

export function tlsListener(name: string, hostname: string): Body {
  const tls = { mode: 'Passthrough' };
  return { name, port: 443, protocol: 'TLS', hostname, tls, allowedRoutes: { namespaces: { from: 'Same' } } };
}

function objects(proxies?: ProxyDrain): Ref[] {
  const app = new App();
  const chart = new Chart(app, 'platform', { namespace: 'infra' });
  const locked = Object.entries(TENANTS).flatMap(([name, { service, port, host }]) => [
    [`${name}/${service}:${port}`, { balancer: 0, port }] as const,
    ...(host ? [[`${name}/api:8443`, { balancer: 0, port: 443, hosts: [host] }] as const] : []),
  ]);
  const namespaceLabels = { 'example.com/tenant': 'true' };
  new TenantLoadBalancerGuard(chart, 'Guard', {
    name: 'guard',
    namespaceLabels,
    kubernetes: KubernetesVersion.V1_36,
    tenants: [{ namespace: 'team-a', subjects: [TenancyIdentity.user(TENANT)] }],
  });
  const shared = new SharedLoadBalancer(chart, 'Shared', {
    engine: SharedLoadBalancerEngine.envoyGateway({
      replicas: 1,
      controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
      ...(proxies && { proxies }),
    }),
    namespaceLabels,
    platform: [PLATFORM],
    hostname: DOMAIN,
    portLock: lockFile(Object.fromEntries(locked)),
    kubernetes: KubernetesVersion.V1_36,
  });
  for (const [tenant, { service, port, host }] of Object.entries(TENANTS)) {
    shared.addTenant(tenant, tenant === 'team-a' ? { maxConnections: 2 * SHARE } : {});
    const own = new Chart(app, tenant, { namespace: tenant });
    shared.attach(own, { tenant, service, ports: [{ port }] });
    if (host) {
      shared.attach(own, { tenant, service: 'api', ports: [{ port: 8443, hostnames: [host] }] });
    }
  }
  const namespaces = ['infra', ...Object.keys(TENANTS)].map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: name === 'infra' ? {} : namespaceLabels },
  }));
  const workloads = Object.entries(TENANTS).flatMap(([name, { service, port, host }]) => [
    ...workload(name, service, port),
    ...(host ? workload(name, 'api', 8443) : []),
  ]);
  return [
    ...namespaces,
    ...workloads,
    ...app.charts.flatMap((each) => each.toJson()),
    bindingOf(TENANT, 'edit'),
    bindingOf(STRONG, 'cluster-admin'),
  ] as Ref[];
}

/** A Service and one pod. */
export function workload(namespace: string, name: string, port: number): Ref[] {
  const labels = { app: name };
  const metadata = { name, namespace };
  const containers = [{ name, image: name, ports: [{ containerPort: port }] }];
  return [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels, ports: [{ port }] } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    },
  ];
}

function bindingOf(user: string, role: string): Body {
  const apiGroup = 'rbac.authorization.k8s.io';
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: 'RoleBinding',
    metadata: { name: `${user}-${role}`, namespace: 'team-a' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup, kind: 'User', name: user }],
  };
}

import { ApiObject, SizeRoundingBehavior } from 'cdk8s';
import { Construct } from 'constructs';
import { labelKeyFault, labelValueFault } from '../../contract/kubernetes-syntax';
import { GATEWAY_GROUP, NAMESPACE_NAME_LABEL } from '../../gateway/gateway.facts';
import { validateProps } from '../../rules/warnings';
import type { EngineWatching } from '../engines/contract/engine';
import { type Fault, faultOf, faultsIn, refuse, refuseFirst } from '../fault';
import { imageFault } from '../guard/rules';
import { TenancyIdentity } from '../guard/tenancy-identity';
import { registryOf, WATCH } from '../runtime/hook-settings';
import type { WatchConfig, WatchedBalancer, WatchedTenant } from '../runtime/program-config';
import {
  grantInCluster,
  grantInNamespace,
  programLabels,
  programText,
  roleRule,
  runProgram,
} from '../runtime/program-workload';
import { type AttachedTenant, balancerName } from '../shared/attached-tenant';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import { NODE_IMAGE, SUSPENDED, SUSPENDED_LABEL } from '../tenancy.facts';
import type { TenantWatchProps } from './options';

/**
 * Watches the tenants of a shared load balancer while it runs: an event at the Service of a tenant says that it is at its limit
 * of connections or traffic, that it was suspended or resumed, and `/metrics` says what each tenant takes. All of it is from the
 * statistics of the engine's own proxies.
 *
 * A tenant is suspended by the label `cdk8s-load-balancers/suspended: 'true'` of its namespace, without a synth. Envoy Gateway
 * sees that label itself; HAProxy and the AWS Load Balancer Controller do not, and this tells them. It suspends no tenant by itself.
 */
export class TenantWatch extends Construct {
  /**
   * The identity under which it writes. With an engine whose ListenerSets it must touch, name it in `platform` of the shared load
   * balancer.
   */
  public readonly identity: TenancyIdentity;

  /** The shared load balancer whose tenants it watches. */
  public readonly shared: SharedLoadBalancer;

  /** The namespace that it runs in. */
  public readonly namespace: string;

  /** Labels of its pod, whose port `metrics` has the metrics. */
  public readonly podLabels: { [key: string]: string };

  /**
   * The program, and the rights that it needs.
   *
   * @param props whose tenants are watched, and where it runs
   * @throws on an existing Gateway, an interval under 5 seconds or over 300, metrics that every namespace may read, and an engine whose ListenerSets it must touch, if
   * the shared load balancer does not have it as platform
   */
  public constructor(scope: Construct, id: string, props: TenantWatchProps) {
    validateProps(scope, id, 'TenantWatchProps', props);
    super(scope, id);
    const { shared } = props;
    const registry = registryOf(shared);
    const { engine, platform = [], oneTeam } = registry.settings;
    const { watching } = engine;
    if (!watching) {
      refuse(this, faultOf(WATCH['watch-engine-unsupported'], { name: engine.name }));
    }
    const name = props.name ?? 'tenant-watch';
    const namespace = props.namespace ?? shared.namespace;
    this.shared = shared;
    this.namespace = namespace;
    const interval = props.interval?.toSeconds({ integral: false }) ?? DEFAULT_INTERVAL;
    const isSeldom = !(Number.isInteger(interval) && interval >= 5 && interval <= 300);
    refuseFirst(this, [
      ...faultsIn(WATCH, { 'watch-interval-invalid': isSeldom && { interval } }),
      imageFault(WATCH['watch-props-invalid'], props.image),
      ...readersFaults(props.metricsReaders),
    ]);
    this.identity = TenancyIdentity.serviceAccount(namespace, name);
    const { username } = this.identity;
    const isKept = watching.touchesListenerSets && !oneTeam && !platform.some((one) => one.username === username);
    const of = { name: engine.name, username, namespace, name2: name, path: shared.node.path };
    refuseFirst(this, faultsIn(WATCH, { 'watch-not-exempt': isKept && of }));
    this.podLabels = programLabels(name);
    runProgram(this, 'Program', {
      name,
      namespace,
      image: props.image ?? NODE_IMAGE,
      container: 'watch',
      file: 'tenant-watch.js',
      text: () => programText('tenant-watch.js'),
      configuration: () => watchSettings(registry, name, interval),
      port: 'metrics',
      liveSeconds: 30,
      resources: { cpu: '20m', memoryLimit: '256Mi' },
      env: [{ name: 'NODE_EXTRA_CA_CERTS', value: API_CERTIFICATE }],
      pod: { serviceAccountName: name },
      // two would post every event twice
      deployment: { replicas: 1, strategy: { type: 'Recreate' } },
      // its metrics say what every tenant takes: no tenant reads them
      from: [
        {
          namespaceSelector: { matchLabels: { ...(props.metricsReaders ?? { [NAMESPACE_NAME_LABEL]: 'monitoring' }) } },
        },
      ],
      policy: { policyTypes: ['Ingress'] },
    });
    new ApiObject(this, 'Account', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name, namespace, labels: programLabels(name) },
    });
    this.grant({ name, namespace }, registry, watching);
  }

  private grant(
    account: { readonly name: string; readonly namespace: string },
    { settings }: TenancyRegistry,
    { proxies, list, touchesListenerSets }: EngineWatching,
  ): void {
    const { name } = account;
    const readsListenerSets = touchesListenerSets || settings.engine.publishing.throughGateway;
    grantInCluster(this, name, account, [
      roleRule('', ['namespaces'], ['list']),
      roleRule('', ['services'], ['get']),
      roleRule('', ['events'], ['create', 'patch']),
      ...(readsListenerSets
        ? [roleRule(GATEWAY_GROUP, ['listenersets'], touchesListenerSets ? ['list', 'patch'] : ['list'])]
        : []),
    ]);
    const { namespace } = settings;
    const pods = proxies?.podsOf({ name: settings.name, namespace });
    if (pods) {
      const role = { name: `${name}-pods`, namespace: pods.namespace };
      grantInNamespace(this, 'Pods', role, account, [roleRule('', ['pods'], ['list'])]);
    }
    if (list) {
      grantInNamespace(this, 'List', { name: `${name}-list`, namespace }, account, [
        { ...roleRule('', ['configmaps'], ['patch']), resourceNames: [list.name] },
        // a right to create knows no names
        roleRule('', ['configmaps'], ['create']),
      ]);
    }
  }
}

/** Path of the API server's certificate in pods. kubernetes/kubernetes v1.36.3: plugin/pkg/admission/serviceaccount/admission.go */
const API_CERTIFICATE = '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt';

const DEFAULT_INTERVAL = 15;

function readersFaults(labels: { readonly [key: string]: string } | undefined): Fault[] {
  const entries = Object.entries(labels ?? {});
  const fault = entries.map(([key, value]) => labelKeyFault(key) ?? labelValueFault(value)).find((one) => one);
  const what =
    labels && entries.length === 0
      ? 'metricsReaders is empty, which selects every namespace, those of tenants among them'
      : fault && `metricsReaders: ${fault}`;
  return faultsIn(WATCH, { 'watch-props-invalid': what && { what } });
}

function watchSettings(registry: TenancyRegistry, component: string, intervalSeconds: number): WatchConfig {
  const { engine, name, namespace } = registry.settings;
  const { proxies, list, touchesListenerSets } = engine.watching ?? {};
  const tenants = [...registry.tenants.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    shared: `${namespace}/${name}`,
    component,
    intervalSeconds,
    reader: proxies?.reader,
    balancers: proxies ? balancersOf(registry) : [],
    tenants: Object.fromEntries(tenants.map((tenant) => [tenant.name, watchedTenant(tenant)])),
    suspension: { label: SUSPENDED_LABEL, value: SUSPENDED },
    list: list && { namespace, ...list },
    touchesListenerSets,
  };
}

function balancersOf(registry: TenancyRegistry): WatchedBalancer[] {
  const { engine, name, namespace, lock } = registry.settings;
  const services = [...registry.tenants.values()].flatMap((tenant) =>
    tenant.services.map((service) => ({ ...service, tenant: tenant.name })),
  );
  return Array.from({ length: Math.max(1, lock.balancers(name)) }, (_, i) => {
    const here = services.filter(({ balancer }) => balancer === i);
    // those who share a port by host name are counted together, under no tenant's name
    const ports = here.flatMap(({ tenant, attached }) =>
      attached.ports
        .filter(({ hostnames }) => hostnames === undefined)
        .map(({ port }) => [port, `${tenant}/${attached.name}`] as const),
    );
    const at = { name: balancerName(name, i), namespace };
    return {
      name: at.name,
      pods: engine.watching?.proxies?.podsOf(at),
      ports: Object.fromEntries([...ports].sort(([one], [other]) => one - other)),
    };
  });
}

function watchedTenant({ options, services }: AttachedTenant): WatchedTenant {
  const { runtimePorts, maxConnections, bandwidth } = options;
  return {
    services: services.map(({ asked }) => asked.service).sort(),
    range: runtimePorts && { first: runtimePorts.first, last: runtimePorts.last },
    connections: maxConnections,
    bytesPerSecond: bandwidth && bandwidth.toKibibytes({ rounding: SizeRoundingBehavior.NONE }) * 1024,
    hasSourceRanges: services.some(({ attached }) => attached.sourceRanges !== undefined) ? true : undefined,
  };
}

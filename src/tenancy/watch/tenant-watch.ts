import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { labelKeyFault, labelValueFault } from '../../contract/kubernetes-syntax';
import { GATEWAY_GROUP, NAMESPACE_NAME_LABEL } from '../../gateway/gateway.facts';
import { judgeProps } from '../../rules/judge-props';
import type { EngineWatching } from '../engines/contract/engine';
import { type Fault, refuse, refuseFirst } from '../fault';
import { clusterObject } from '../guard/cluster-object';
import { RBAC_API_VERSION, RBAC_GROUP } from '../guard/guard.facts';
import { imageFault } from '../guard/prop-faults';
import { TenancyIdentity } from '../guard/tenancy-identity';
import { NODE_IMAGE } from '../runtime/runtime.facts';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import { WATCH_ENGINE, WATCH_INTERVAL, WATCH_NOT_PLATFORM, WATCH_PROPS } from './rules';
import type { TenantWatchProps } from './tenant-watch.options';
import { watchSettings } from './watch-settings';
import { labelsOf, type WatchWorkload, watchWorkload } from './watch-workload';

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
   * @param scope a chart of the platform, or a construct in one
   * @param id the name of the construct in its scope
   * @param props whose tenants are watched, and where it runs
   * @throws on an existing Gateway, an interval under 5 seconds or over 300, metrics that every namespace may read, and an engine whose ListenerSets it must touch, if
   * the shared load balancer does not have it as platform
   */
  public constructor(scope: Construct, id: string, props: TenantWatchProps) {
    judgeProps(scope, id, 'TenantWatchProps', props);
    super(scope, id);
    const { shared } = props;
    const registry = registryOf(shared);
    const { engine, platform = [], oneTeam } = registry.settings;
    const { watching } = engine;
    if (!watching) {
      refuse(this, {
        rule: WATCH_ENGINE,
        what: `tenants of ${engine.name} cannot be watched, since it is not known what serves it`,
        remedy: 'use an engine that is made here',
      });
    }
    const name = props.name ?? 'tenant-watch';
    const namespace = props.namespace ?? shared.namespace;
    this.shared = shared;
    this.namespace = namespace;
    const interval = props.interval?.toSeconds({ integral: false }) ?? DEFAULT_INTERVAL;
    refuseFirst(this, [
      Number.isInteger(interval) && interval >= 5 && interval <= 300
        ? undefined
        : {
            rule: WATCH_INTERVAL,
            what: `interval is ${interval} seconds`,
            remedy: 'use whole seconds from 5 to 300',
          },
      imageFault(WATCH_PROPS, props.image),
      readersFault(props.metricsReaders),
    ]);
    this.identity = TenancyIdentity.serviceAccount(namespace, name);
    const isPlatform = platform.some(({ username }) => username === this.identity.username);
    if (watching.touchesListenerSets && !isPlatform && !oneTeam) {
      refuse(this, {
        rule: WATCH_NOT_PLATFORM,
        what: `${engine.name} sees a label of a namespace only when a ListenerSet changes, and the policies would keep ${this.identity.username} from touching one`,
        remedy: `add TenancyIdentity.serviceAccount('${namespace}', '${name}') to platform of ${shared.node.path}`,
      });
    }
    this.podLabels = labelsOf({ name });
    const ask: WatchWorkload = {
      name,
      namespace,
      image: props.image ?? NODE_IMAGE,
      metricsReaders: props.metricsReaders ?? { [NAMESPACE_NAME_LABEL]: 'monitoring' },
      configuration: () => `${JSON.stringify(watchSettings(registry, name, interval), undefined, 2)}\n`,
    };
    for (const [part, document] of Object.entries(watchWorkload(ask))) {
      new ApiObject(this, part, document as Json & { apiVersion: string; kind: string });
    }
    this.grant(ask, registry, watching);
  }

  /** What it reads and writes, and nothing else. */
  private grant({ name, namespace }: WatchWorkload, registry: TenancyRegistry, watching: EngineWatching): void {
    const subjects = [{ kind: 'ServiceAccount', name, namespace }];
    const { proxies, list, touchesListenerSets } = watching;
    const readsListenerSets = touchesListenerSets || registry.settings.engine.publishing.throughGateway;
    const rules = [
      rule('', ['namespaces'], ['list']),
      rule('', ['services'], ['get']),
      rule('', ['events'], ['create', 'patch']),
      ...(readsListenerSets
        ? [rule(GATEWAY_GROUP, ['listenersets'], touchesListenerSets ? ['list', 'patch'] : ['list'])]
        : []),
    ];
    const inCluster = { apiVersion: RBAC_API_VERSION, name };
    clusterObject(this, 'ClusterRole', { ...inCluster, kind: 'ClusterRole', content: { rules } });
    clusterObject(this, 'ClusterRoleBinding', {
      ...inCluster,
      kind: 'ClusterRoleBinding',
      content: { roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name }, subjects },
    });
    const home = registry.settings.namespace;
    const pods = proxies?.podsOf({ name: registry.settings.name, namespace: home });
    const near: NamespacedRights[] = [];
    if (pods) {
      near.push({ part: 'Pods', where: pods.namespace, rules: [rule('', ['pods'], ['list'])] });
    }
    if (list) {
      const patches = { ...rule('', ['configmaps'], ['patch']), resourceNames: [list.name] };
      // a right to create knows no names
      near.push({ part: 'List', where: home, rules: [patches, rule('', ['configmaps'], ['create'])] });
    }
    for (const { part, where, rules: rights } of near) {
      const metadata = { name: `${name}-${part.toLowerCase()}`, namespace: where };
      new ApiObject(this, `${part}Role`, { apiVersion: RBAC_API_VERSION, kind: 'Role', metadata, rules: rights });
      new ApiObject(this, `${part}RoleBinding`, {
        apiVersion: RBAC_API_VERSION,
        kind: 'RoleBinding',
        metadata,
        roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name: metadata.name },
        subjects,
      });
    }
  }
}

const DEFAULT_INTERVAL = 15;

/** Rights in one namespace. */
interface NamespacedRights {
  readonly part: string;
  readonly where: string;
  readonly rules: Json[];
}

/** No label would let every namespace read, tenants among them. */
function readersFault(labels: { readonly [key: string]: string } | undefined): Fault | undefined {
  const entries = Object.entries(labels ?? {});
  const fault = entries.map(([key, value]) => labelKeyFault(key) ?? labelValueFault(value)).find((one) => one);
  const what =
    labels && entries.length === 0
      ? 'metricsReaders is empty, which selects every namespace, those of tenants among them'
      : fault && `metricsReaders: ${fault}`;
  return what
    ? { rule: WATCH_PROPS, what, remedy: 'name labels that the namespace of your Prometheus has' }
    : undefined;
}

function rule(group: string, resources: readonly string[], verbs: readonly string[]): Json {
  return { apiGroups: [group], resources: [...resources], verbs: [...verbs] };
}

function registryOf(shared: SharedLoadBalancer): TenancyRegistry {
  // biome-ignore lint/complexity/useLiteralKeys: of the package, and not of its public surface
  return shared['registry'];
}

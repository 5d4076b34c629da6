import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { GATEWAY_GROUP } from '../../gateway/gateway.facts';
import { judgeObject } from '../../rules/judge-object';
import { judgeProps } from '../../rules/judge-props';
import type { PublishedKind } from '../engines/contract/runtime-publisher';
import { refusal, refuseFirst } from '../fault';
import { clusterObject } from '../guard/cluster-object';
import { RBAC_API_VERSION, RBAC_GROUP } from '../guard/guard.facts';
import { registerServed } from '../guard/served-classes';
import { TenancyIdentity } from '../guard/tenancy-identity';
import { makeControllers } from './decorator-controllers';
import { makeHolderQuota } from './holder-quota';
import { balancersOf, hasSeats, hookSettings, kindsOf, publisherOf, registryOf } from './hook-settings';
import { hookUrl, hookWorkload, type WorkloadAsk } from './hook-workload';
import { ENGINE_WITHOUT_RUN_TIME, judgeRunTime, RUN_TIME_NAMESPACE, settingFaults } from './rules';
import { CLIENT_RATE, CONTROLLER, DECORATOR_GROUP, DECORATOR_KINDS, NODE_IMAGE, SEATS_LABEL } from './runtime.facts';
import type { SharedServicesAtRunTimeProps } from './shared-services-at-run-time.options';
import { makeWithdrawalPolicy } from './withdrawal-policy';

/**
 * Serves Services that are created at run time, by operators, charts and people, at a shared load balancer: each gets its
 * listener and its routes, and its status says where it can be reached, or why it cannot.
 *
 * Metacontroller watches the Services and writes; what it writes is decided by a hook of this package, which runs from a
 * ConfigMap on a stock Node image. Metacontroller itself is installed by its own means, with `controllerArgs`. It gives each
 * Service a finalizer: a deleted one goes when its ports are closed, and waits while Metacontroller or the hook is away.
 *
 * @see https://metacontroller.github.io/metacontroller/api/decoratorcontroller.html
 */
export class SharedServicesAtRunTime extends Construct {
  /**
   * Arguments of Metacontroller: a higher rate of requests, with whose default 200 Services take minutes, and a leader, without
   * which two replicas would both write.
   */
  public readonly controllerArgs: string[];

  /**
   * The identity under which Metacontroller writes. Admission policies must let it write the status of Services, and objects
   * in namespaces of tenants: if its own manifests do not give it this name, pass it to the shared load balancer as
   * `platform`, and to the guard as exempt.
   */
  public readonly controller: TenancyIdentity;

  /**
   * The hook, what calls it, and the rights that this needs.
   *
   * @param scope a chart of the platform, or a construct in one
   * @param id the name of the construct in its scope
   * @param props where Services are published, and where things run
   * @throws when the engine cannot publish at run time, when the namespace of an existing Gateway is unknown, with less than one
   * pod, and when the policies of the shared load balancer would refuse what the controller writes
   */
  public constructor(scope: Construct, id: string, props: SharedServicesAtRunTimeProps) {
    judgeProps(scope, id, 'SharedServicesAtRunTimeProps', props);
    super(scope, id);
    const { shared } = props;
    const registry = registryOf(shared);
    const { engine } = registry.settings;
    const publisher = publisherOf(engine);
    if (!publisher) {
      throw refusal(this.node.path, {
        rule: ENGINE_WITHOUT_RUN_TIME,
        what: `${engine.name} cannot publish Services that are created at run time`,
        remedy: 'use an engine that makes or takes a Gateway, or attach the Services in the app',
      });
    }
    const namespace = props.namespace ?? shared.namespace;
    if (balancersOf(registry).length === 0) {
      throw refusal(this.node.path, {
        rule: RUN_TIME_NAMESPACE,
        what: `the namespace of ${engine.name} is unknown, and the hook must name it`,
        remedy: 'set it where the Gateway is referred to',
      });
    }
    const name = props.name ?? 'shared-services';
    const serviceLabels = props.serviceLabels ?? { [shared.loadBalancerClass]: 'true' };
    const controllerNamespace = props.controllerNamespace ?? CONTROLLER.namespace;
    const serviceAccount = props.controllerServiceAccount ?? CONTROLLER.serviceAccount;
    this.controller = TenancyIdentity.serviceAccount(controllerNamespace, serviceAccount);
    refuseFirst(this, settingFaults(props, registry, this.controller));
    this.controllerArgs = [
      `--client-go-qps=${CLIENT_RATE.qps}`,
      `--client-go-burst=${CLIENT_RATE.burst}`,
      '--leader-election',
      `--leader-election-namespace=${controllerNamespace}`,
    ];
    const ask: WorkloadAsk = {
      name,
      namespace,
      image: props.image ?? NODE_IMAGE,
      replicas: props.replicas ?? 2,
      caller: { namespace: controllerNamespace, podLabels: props.controllerPodLabels ?? CONTROLLER.podLabels },
      serviceLabels: hasSeats(registry) ? { [SEATS_LABEL]: name } : undefined,
      configuration: () =>
        `${JSON.stringify(hookSettings({ shared, controller: name, namespace, serviceLabels }), undefined, 2)}\n`,
    };
    for (const [part, document] of Object.entries(hookWorkload(ask))) {
      new ApiObject(this, part, document as Json & { apiVersion: string; kind: string });
    }
    const kinds = kindsOf(engine, publisher);
    const controller = makeControllers(this, {
      name,
      kinds,
      serviceLabels,
      resyncPeriodSeconds: props.resync?.toSeconds(),
      urlOf: (hook) => hookUrl(ask, hook),
      seatLabels: ask.serviceLabels,
    });
    registry.forEachTenant((tenant) => void makeHolderQuota(this, { name, registry, publisher, tenant }));
    makeWithdrawalPolicy(this, { name, shared, controller: this.controller });
    judgeObject(this, controller, { judge: () => judgeRunTime(registry) });
    this.grant(name, { namespace: controllerNamespace, serviceAccount }, controllerRules(kinds, publisher.balancer));
    registerServed(this, { loadBalancerClass: shared.loadBalancerClass, namespaceLabels: shared.namespaceLabels });
  }

  private grant(name: string, to: { namespace: string; serviceAccount: string }, rules: Json[]): void {
    const apiVersion = RBAC_API_VERSION;
    const apiGroup = RBAC_GROUP;
    const subjects = [{ kind: 'ServiceAccount', name: to.serviceAccount, namespace: to.namespace }];
    clusterObject(this, 'ClusterRole', { apiVersion, kind: 'ClusterRole', name, content: { rules } });
    clusterObject(this, 'ClusterRoleBinding', {
      apiVersion,
      kind: 'ClusterRoleBinding',
      name,
      content: { roleRef: { apiGroup, kind: 'ClusterRole', name }, subjects },
    });
    const metadata = { name: `${name}-leader`, namespace: to.namespace };
    new ApiObject(this, 'Role', { apiVersion, kind: 'Role', metadata, rules: leaderRules() });
    new ApiObject(this, 'RoleBinding', {
      apiVersion,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup, kind: 'Role', name: metadata.name },
      subjects,
    });
  }
}

/**
 * What the controller does in the whole cluster for these Services, and nothing else: its own manifests give it every
 * right on everything.
 */
function controllerRules(kinds: readonly PublishedKind[], balancer: PublishedKind): Json[] {
  const watched = ['gateways', ...(kinds.some(({ kind }) => kind === 'TLSRoute') ? [] : ['tlsroutes'])];
  return [
    rule(DECORATOR_GROUP, DECORATOR_KINDS, ['get', 'list', 'watch']),
    rule('', ['namespaces'], ['list', 'watch']),
    rule('', ['events'], ['create', 'patch']),
    // the object itself is written even where its status alone has changed
    rule('', ['services'], ['get', 'list', 'watch', 'update']),
    rule('', ['services/status'], ['update']),
    ...groupsOf(kinds).map(([group, resources]) =>
      rule(group, resources, ['list', 'watch', 'create', 'update', 'delete']),
    ),
    ...(balancer.kind === 'Gateway' ? [rule(GATEWAY_GROUP, watched, ['list', 'watch'])] : []),
  ];
}

/** What several replicas of it need, of which one works. */
function leaderRules(): Json[] {
  return [rule('coordination.k8s.io', ['leases'], ['get', 'create', 'update'])];
}

function rule(group: string, resources: readonly string[], verbs: readonly string[]): Json {
  return { apiGroups: [group], resources: [...resources], verbs: [...verbs] };
}

function groupsOf(kinds: readonly PublishedKind[]): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const { apiVersion, resource } of kinds) {
    const [group] = apiVersion.split('/');
    groups.set(group, [...(groups.get(group) ?? []), resource].sort());
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
}

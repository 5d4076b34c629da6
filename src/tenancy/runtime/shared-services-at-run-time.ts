import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { GATEWAY_GROUP, NAMESPACE_NAME_LABEL } from '../../gateway/gateway.facts';
import { validateObject } from '../../rules/synth-object';
import { validateProps } from '../../rules/warnings';
import type { PublishedKind, RuntimePublisher } from '../engines/contract/publishing';
import { faultOf, refusal, refuseFirst } from '../fault';
import { celText, clusterObject, denyPolicy } from '../guard/policy';
import { policyOf } from '../guard/policy-template';
import { namespaceSelector, registerServed } from '../guard/rules';
import { TenancyIdentity } from '../guard/tenancy-identity';
import type { AttachedTenant } from '../shared/attached-tenant';
import type { SharedLoadBalancer } from '../shared/shared-load-balancer';
import type { TenancyRegistry } from '../shared/tenancy-registry';
import * as facts from '../tenancy.facts';
import {
  balancersOf,
  checkRunTime,
  hasPortReservations,
  hookSettings,
  kindsOf,
  publisherOf,
  RUN_TIME,
  registryOf,
  settingFaults,
} from './hook-settings';
import type { SharedServicesAtRunTimeProps } from './options';
import { WITHDRAWAL } from './policies.facts';
import { maxListenerSets } from './program-config';
import { grantInCluster, grantInNamespace, programLabels, programText, roleRule, runProgram } from './program-workload';

/**
 * As many objects that hold ports as a tenant may have ports at run time, and those of the platform: counted by the API server
 * itself, however many come at once and whoever writes them.
 */
function makeHolderQuota(
  host: Construct,
  name: string,
  { settings }: TenancyRegistry,
  publisher: RuntimePublisher,
  tenant: AttachedTenant,
): void {
  const { runtimePorts } = tenant.options;
  const holder = publisher.kinds.find(({ kind }) => kind === publisher.holder.kind);
  if (!runtimePorts || !holder) {
    return;
  }
  const [group] = holder.apiVersion.split('/');
  const ofPlatform = settings.engine.existing ? 1 : Math.max(1, settings.lock.balancers(settings.name));
  new ApiObject(host, `Quota-${tenant.name}`, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name, namespace: tenant.name },
    spec: { hard: { [`count/${holder.resource}.${group}`]: String(maxListenerSets(runtimePorts, ofPlatform)) } },
  });
}

interface ControllersAsk {
  readonly name: string;
  readonly kinds: readonly PublishedKind[];
  readonly serviceLabels: Readonly<Record<string, string>>;
  readonly resyncPeriodSeconds?: number;
  readonly urlOf: (hook: string) => string;
  readonly seatLabels?: Readonly<Record<string, string>>;
}

/**
 * The controller of Services, and the one of the table of ports: that has no finalizer, so that the table goes with the hook.
 *
 * @returns the controller of Services
 */
function makeControllers(host: Construct, ask: ControllersAsk): ApiObject {
  const { name, kinds, serviceLabels, resyncPeriodSeconds, seatLabels } = ask;
  const webhook = (hook: string) => ({
    version: facts.HOOK_VERSION,
    webhook: { url: ask.urlOf(hook), timeout: '10s' },
  });
  if (seatLabels) {
    decoratorController(host, 'SeatsController', `${name}-seats`, {
      resources: [servicesWith(seatLabels)],
      hooks: { sync: webhook('seats'), customize: webhook('customize-seats') },
    });
  }
  return decoratorController(host, 'Controller', name, {
    resources: [servicesWith(serviceLabels)],
    attachments: kinds.map(({ apiVersion, resource }) => ({
      apiVersion,
      resource,
      updateStrategy: { method: 'InPlace' },
    })),
    resyncPeriodSeconds,
    hooks: { sync: webhook('sync'), finalize: webhook('finalize'), customize: webhook('customize') },
  });
}

function decoratorController(host: Construct, id: string, name: string, spec: Json): ApiObject {
  return clusterObject(host, id, {
    apiVersion: facts.DECORATOR_API,
    kind: 'DecoratorController',
    name,
    content: { spec },
  });
}

function servicesWith(matchLabels: Readonly<Record<string, string>>): Json {
  return { apiVersion: 'v1', resource: 'services', labelSelector: { matchLabels } };
}

function makeWithdrawalPolicy(
  host: Construct,
  name: string,
  shared: SharedLoadBalancer,
  controller: TenancyIdentity,
): void {
  const finalizerName = `${facts.FINALIZER_PREFIX}${name}`;
  const params = { finalizerName, finalizer: celText(finalizerName), controller: controller.name };
  denyPolicy(host, 'Withdrawal', {
    ...policyOf(WITHDRAWAL, params),
    name: `${name}-withdrawal`,
    namespaceSelector: namespaceSelector(host, shared.namespaceLabels),
    exempt: [controller],
  });
}

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
   * @param props where Services are published, and where things run
   * @throws when the namespace of an existing Gateway is unknown, with less than one pod, and when the policies of the shared load
   * balancer would refuse what the controller writes
   */
  public constructor(scope: Construct, id: string, props: SharedServicesAtRunTimeProps) {
    validateProps(scope, id, 'SharedServicesAtRunTimeProps', props);
    super(scope, id);
    const { shared } = props;
    const registry = registryOf(shared);
    const { engine } = registry.settings;
    const publisher = publisherOf(engine);
    const namespace = props.namespace ?? shared.namespace;
    if (balancersOf(registry).length === 0) {
      throw refusal(this.node.path, faultOf(RUN_TIME['runtime-namespace-unknown'], { name: engine.name }));
    }
    const name = props.name ?? 'shared-services';
    const serviceLabels = props.serviceLabels ?? { [shared.loadBalancerClass]: 'true' };
    const controllerNamespace = props.controllerNamespace ?? facts.CONTROLLER.namespace;
    const serviceAccount = props.controllerServiceAccount ?? facts.CONTROLLER.serviceAccount;
    this.controller = TenancyIdentity.serviceAccount(controllerNamespace, serviceAccount);
    refuseFirst(this, settingFaults(props, registry, this.controller));
    this.controllerArgs = [
      `--client-go-qps=${facts.CLIENT_RATE.qps}`,
      `--client-go-burst=${facts.CLIENT_RATE.burst}`,
      '--leader-election',
      `--leader-election-namespace=${controllerNamespace}`,
    ];
    const seatLabels = hasPortReservations(registry) ? { [facts.SEATS_LABEL]: name } : undefined;
    runProgram(this, 'Hook', {
      name,
      namespace,
      image: props.image ?? facts.NODE_IMAGE,
      container: 'hook',
      file: 'hook.js',
      text: () => programText(HOOK_ASSET),
      configuration: () => hookSettings(shared, name, namespace, serviceLabels),
      port: 'http',
      liveSeconds: 10,
      resources: { cpu: '50m', memoryLimit: '512Mi' },
      pod: { automountServiceAccountToken: false },
      deployment: { replicas: props.replicas ?? 2 },
      // the controller may call it, and it calls no other service
      from: [
        {
          namespaceSelector: { matchLabels: { [NAMESPACE_NAME_LABEL]: controllerNamespace } },
          podSelector: { matchLabels: props.controllerPodLabels ?? facts.CONTROLLER.podLabels },
        },
      ],
      policy: { policyTypes: ['Ingress', 'Egress'], egress: [] },
    });
    new ApiObject(this, 'Service', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace, labels: { ...programLabels(name), ...seatLabels } },
      spec: { selector: programLabels(name), ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    });
    const kinds = kindsOf(engine, publisher);
    const controller = makeControllers(this, {
      name,
      kinds,
      serviceLabels,
      resyncPeriodSeconds: props.resync?.toSeconds(),
      urlOf: (hook) => `http://${name}.${namespace}.svc/${hook}`,
      seatLabels,
    });
    registry.forEachTenant((tenant) => void makeHolderQuota(this, name, registry, publisher, tenant));
    makeWithdrawalPolicy(this, name, shared, this.controller);
    validateObject(this, controller, { check: () => checkRunTime(registry) });
    const account = { name: serviceAccount, namespace: controllerNamespace };
    grantInCluster(this, name, account, controllerRules(kinds, publisher.balancer));
    // of several replicas one works
    const leader = { name: `${name}-leader`, namespace: controllerNamespace };
    grantInNamespace(this, '', leader, account, [
      roleRule('coordination.k8s.io', ['leases'], ['get', 'create', 'update']),
    ]);
    registerServed(this, { loadBalancerClass: shared.loadBalancerClass, namespaceLabels: shared.namespaceLabels });
  }
}

const HOOK_ASSET = 'shared-services-hook.js';

/**
 * Cluster-wide permissions of the controller for these Services: its own manifests give it every
 * right on everything.
 */
function controllerRules(kinds: readonly PublishedKind[], balancer: PublishedKind): Json[] {
  const watched = ['gateways', ...(kinds.some(({ kind }) => kind === 'TLSRoute') ? [] : ['tlsroutes'])];
  return [
    roleRule(facts.DECORATOR_GROUP, facts.DECORATOR_KINDS, ['get', 'list', 'watch']),
    roleRule('', ['namespaces'], ['list', 'watch']),
    roleRule('', ['events'], ['create', 'patch']),
    // the object itself is written even where its status alone has changed
    roleRule('', ['services'], ['get', 'list', 'watch', 'update']),
    roleRule('', ['services/status'], ['update']),
    ...groupsOf(kinds).map(([group, resources]) =>
      roleRule(group, resources, ['list', 'watch', 'create', 'update', 'delete']),
    ),
    ...(balancer.kind === 'Gateway' ? [roleRule(GATEWAY_GROUP, watched, ['list', 'watch'])] : []),
  ];
}

function groupsOf(kinds: readonly PublishedKind[]): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const { apiVersion, resource } of kinds) {
    const [group] = apiVersion.split('/');
    groups.set(group, [...(groups.get(group) ?? []), resource].sort());
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
}

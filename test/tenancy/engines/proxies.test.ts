import { Chart, Duration, Testing } from 'cdk8s';
import {
  ClientAddress,
  HealthCheckProtocol,
  type ILoadBalancerController,
  NodePool,
  NodeTaint,
  PodSpread,
  TrafficPolicy,
} from '../../../src/contract';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  EksAutoMode,
  HetznerCloud,
  NlbTargetType,
} from '../../../src/controllers';
import { LoadBalancers } from '../../../src/rules';
import {
  type EnvoyGatewayEngineOptions,
  HaproxyIngress,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  type SharedProxyOptions,
  TenancyIdentity,
} from '../../../src/tenancy';
import { casesIn, revived, titled } from '../../support/yaml-cases';
import { lockedAsWished } from '../shared/locked';

// biome-ignore lint/suspicious/noExplicitAny: cases of a file
type Any = any;

const CASES = casesIn(__dirname, 'proxies.yaml');

const POOL = NodePool.labeled({ 'example.com/pool': 'edge' }, { taints: [NodeTaint.noSchedule('edge', 'true')] });
const OTHER = NodePool.labeled({ 'example.com/pool': 'other' });
const platform = [TenancyIdentity.user('delivery')];

const made = (engine: SharedLoadBalancerEngine) => {
  const app = Testing.app();
  new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
    engine,
    platform,
    portLock: lockedAsWished(),
  });
  return app;
};
const nlb = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
const nodes = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE });

const behindEnvoy = (proxies: SharedProxyOptions, more: Partial<EnvoyGatewayEngineOptions> = {}) =>
  made(SharedLoadBalancerEngine.envoyGateway({ controller: nlb, proxies, ...more }));
const behindHaproxy = (proxies: SharedProxyOptions, more: object = {}, replicas = 2) =>
  made(
    SharedLoadBalancerEngine.haproxy({
      controller: nlb,
      installation: new HaproxyIngress({ proxies, replicas }),
      ...more,
    }),
  );

// biome-ignore lint/suspicious/noExplicitAny: manifests
const objects = (app: ReturnType<typeof made>): any[] => app.charts.flatMap((chart) => chart.toJson());
const envoy = (app: ReturnType<typeof made>) => objects(app).find(({ kind }) => kind === 'EnvoyProxy').spec;
const service = (app: ReturnType<typeof made>) =>
  objects(app).find(({ kind, spec }) => kind === 'Service' && spec.type === 'LoadBalancer');
const warned = (app: ReturnType<typeof made>) =>
  LoadBalancers.of(app).warnings.map(({ finding }) => `${finding.ruleId}: ${finding.what}`);

describe('by default', () => {
  const spread = (labels: object) => [
    expect.objectContaining({
      labelSelector: { matchLabels: labels },
      matchLabelKeys: ['pod-template-hash'],
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'DoNotSchedule',
      maxSkew: 1,
    }),
    expect.objectContaining({
      labelSelector: { matchLabels: labels },
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'ScheduleAnyway',
    }),
  ];

  test('proxies of Envoy Gateway survive the loss of a node', () => {
    const { provider } = envoy(behindEnvoy({}));
    const { envoyDeployment, envoyPDB } = provider.kubernetes;
    const labels = {
      'gateway.envoyproxy.io/owning-gateway-name': 'shared',
      'gateway.envoyproxy.io/owning-gateway-namespace': 'infra',
    };
    expect(envoyDeployment.pod.topologySpreadConstraints).toEqual(spread(labels));
    expect(envoyDeployment.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(envoyPDB).toEqual({ maxUnavailable: 1 });
  });

  test('pods of HAProxy do as well, and go by a soft stop', () => {
    const { controller } = new HaproxyIngress({ release: 'edge' }).helmValues;
    const labels = { 'app.kubernetes.io/name': 'kubernetes-ingress', 'app.kubernetes.io/instance': 'edge' };
    expect(controller.topologySpreadConstraints).toEqual(spread(labels));
    expect(controller).toMatchObject({
      PodDisruptionBudget: { enable: true, maxUnavailable: 1 },
      minReadySeconds: 140,
      resources: { requests: { cpu: '250m', memory: '512Mi' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      terminationGracePeriodSeconds: 330,
    });
    const [, , script] = controller.lifecycle.preStop.exec.command;
    expect(script).toMatch(/^sleep 140; .*kill -USR1 .* \+ 160\)\)/);
  });
});

describe('what is asked for is written, for both', () => {
  const asked: SharedProxyOptions = {
    nodePool: POOL,
    spread: PodSpread.PREFERRED,
    disruptionBudget: false,
    minDrainTime: Duration.minutes(3),
    drainTime: Duration.minutes(15),
    resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } },
    priorityClassName: 'edge',
  };
  const resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } };
  const pod = casesIn(__dirname, 'proxies.yaml').pod;

  test('by Envoy Gateway', () => {
    const { provider, shutdown } = envoy(behindEnvoy(asked));
    const { envoyDeployment, envoyPDB } = provider.kubernetes;
    expect(envoyDeployment.pod).toMatchObject(pod);
    expect(envoyDeployment.pod.topologySpreadConstraints[0].whenUnsatisfiable).toBe('ScheduleAnyway');
    expect(envoyDeployment.container.resources).toMatchObject({ limits: { cpu: '2' } });
    expect(envoyPDB).toBeUndefined();
    expect(shutdown).toEqual({ drainTimeout: '900s', healthCheckFailureDelay: '180s', minDrainDuration: '180s' });
  });

  test("by HAProxy's chart", () => {
    const { controller } = new HaproxyIngress({ proxies: asked }).helmValues;
    expect(controller).toMatchObject({ ...pod, minReadySeconds: 180, terminationGracePeriodSeconds: 930 });
    expect(controller.resources).toEqual(resources);
    expect(controller.PodDisruptionBudget).toBeUndefined();
  });

  test('no spread is none', () => {
    const { provider } = envoy(behindEnvoy({ spread: PodSpread.NONE }));
    expect(provider.kubernetes.envoyDeployment.pod).toBeUndefined();
    expect(new HaproxyIngress({ proxies: { spread: PodSpread.NONE } }).helmValues.controller).not.toHaveProperty(
      'topologySpreadConstraints',
    );
  });
});

describe('a proxy of Envoy Gateway serves for as long as the balancer in front needs', () => {
  const cases = titled(CASES.serves as Any[]).map(
    ([title, { options, seconds }]) => [title, options, seconds] as const,
  );
  test.each([...cases, ['a controller that is not known', { controller: unknown() }, 60] as const])(
    '%s',
    (_, options, expected) => {
      const { shutdown, provider } = envoy(behindEnvoy({}, revived(options ?? {})));
      expect(shutdown.minDrainDuration).toBe(`${expected}s`);
      expect(shutdown.drainTimeout).toBe('300s');
      expect(provider.kubernetes.envoyDeployment.patch.value.spec.minReadySeconds).toBe(expected);
    },
  );
});

function unknown(): ILoadBalancerController {
  return {
    name: 'acme',
    bind: (_, request) => ({
      owner: 'acme',
      answers: Object.fromEntries(request.wishes.map((wish) => [wish, 'somehow'])),
    }),
  };
}

test('a balancer that asks pods by HTTP is told at once', () => {
  const healthCheck = { protocol: HealthCheckProtocol.HTTP, port: 19003, path: '/ready' };
  expect(envoy(behindEnvoy({}, { healthCheck })).shutdown).toEqual({ drainTimeout: '300s', minDrainDuration: '140s' });
});

describe('connections that a node holds when its proxy is to go', () => {
  const key = 'service.beta.kubernetes.io/aws-load-balancer-target-group-attributes';
  const kept = 'target_health_state.unhealthy.connection_termination.enabled=false';
  const local = { controller: nodes, clientAddress: ClientAddress.PRESERVE };

  test('are not cut by an NLB whose health check fails', () => {
    const { annotations } = envoy(behindEnvoy({}, local)).provider.kubernetes.envoyService;
    expect(annotations[key]).toBe(`preserve_client_ip.enabled=true,${kept}`);
    const { metadata, spec } = service(behindHaproxy({}, local));
    expect(metadata.annotations[key]).toBe(`preserve_client_ip.enabled=true,${kept}`);
    expect(spec.externalTrafficPolicy).toBe('Local');
  });

  test('are drained by a Classic Load Balancer for as long as proxies drain', () => {
    const controller = AwsCloudProvider.classic();
    const options = { controller, proxyProtocol: true, trafficPolicy: TrafficPolicy.LOCAL };
    const { annotations } = envoy(behindEnvoy({}, options)).provider.kubernetes.envoyService;
    expect(annotations['service.beta.kubernetes.io/aws-load-balancer-connection-draining-timeout']).toBe('300');
  });

  test('are cut where an option of the controller says so', () => {
    const controller = AwsLoadBalancerController.nlb({
      targetGroupAttributes: { unhealthyConnectionTermination: true },
    });
    const { annotations } = envoy(behindEnvoy({}, { ...local, controller })).provider.kubernetes.envoyService;
    expect(annotations[key]).toContain(kept.replace('false', 'true'));
  });

  test.each<[string, ILoadBalancerController]>([
    ['the AWS cloud provider', AwsCloudProvider.nlb()],
    ['EKS Auto Mode', EksAutoMode.nlb({ targetType: NlbTargetType.INSTANCE })],
  ])('are cut by an NLB of %s, which is told', (_, controller) => {
    const [found, ...others] = warned(behindEnvoy({}, { ...local, controller })).filter((each) =>
      /connections-dropped/.test(each),
    );
    expect(found).toMatch(
      /^proxies-connections-dropped: .* ends the connections of a node when its health check fails/,
    );
    expect(others).toEqual([]);
  });

  test.each<[string, object]>([
    ['of one with policy Cluster', { controller: AwsCloudProvider.nlb(), clientAddress: ClientAddress.REPLACE }],
  ])('are not warned of behind nodes %s', (_, options) => {
    expect(warned(behindEnvoy({}, options)).filter((each) => /connections-dropped/.test(each))).toEqual([]);
  });
});

describe('the nodes of the proxies', () => {
  const key = 'service.beta.kubernetes.io/aws-load-balancer-target-node-labels';

  test.each([
    ['Envoy Gateway', (controller: ILoadBalancerController, more = {}) => envoyService(controller, more)],
    [
      'HAProxy',
      (controller: ILoadBalancerController, more = {}) =>
        service(behindHaproxy({ nodePool: POOL }, { controller, ...more })).metadata.annotations,
    ],
  ])('are the backends of the balancer where its controller can choose nodes: %s', (_, annotations) => {
    expect(annotations(nodes)[key]).toBe('example.com/pool=edge');
    expect(annotations(nlb)).not.toHaveProperty([key]);
    expect(
      annotations(nodes, { backendNodes: OTHER, trafficPolicy: TrafficPolicy.CLUSTER, proxyProtocol: true })[key],
    ).toBe('example.com/pool=other');
  });

  function envoyService(controller: ILoadBalancerController, more: object) {
    return envoy(behindEnvoy({ nodePool: POOL }, { controller, ...more })).provider.kubernetes.envoyService.annotations;
  }
});

test.each(titled(CASES.refused as Any[]))('refused: %s', (_, { envoy: proxies, haproxy, more = {}, says }) => {
  const app = () =>
    haproxy ? behindHaproxy(revived(haproxy), revived(more)) : behindEnvoy(revived(proxies), revived(more));
  expect(() => app().synthYaml()).toThrow(new RegExp(says));
});

describe('told', () => {
  test('one proxy', () => {
    expect(warned(behindEnvoy({ spread: PodSpread.REQUIRED }, { replicas: 1 }))).toContainEqual(
      expect.stringMatching(/^proxies-single-replica: replicas is 1, which spread DoNotSchedule cannot spread/),
    );
    expect(warned(behindHaproxy({}, {}, 1))).toContainEqual(
      expect.stringMatching(/^proxies-single-replica: replicas is 1:/),
    );
  });

  test('an NLB that acts on failed checks later', () => {
    const options = { controller: nodes, clientAddress: ClientAddress.PRESERVE };
    const proxies = { minDrainTime: Duration.seconds(30) };
    for (const app of [behindEnvoy(proxies, options), behindHaproxy(proxies, options)]) {
      expect(warned(app)).toContainEqual(
        expect.stringMatching(
          /^proxies-stop-before-deregistration: .* 30 seconds .* 60 seconds \(2 failures × 10 s, and 40 s until it acts on them\)/,
        ),
      );
    }
  });

  test('an NLB that is slower than its health check', () => {
    const proxies = { minDrainTime: Duration.seconds(60) };
    for (const app of [behindEnvoy(proxies), behindHaproxy(proxies)]) {
      expect(warned(app)).toContainEqual(
        expect.stringMatching(/^proxies-stop-before-deregistration: .* 60 seconds .* 140 seconds after/),
      );
    }
  });

  test('a check that a proxy answers until it is gone', () => {
    const options = {
      controller: HetznerCloud.loadBalancer(),
      proxyProtocol: true,
      trafficPolicy: TrafficPolicy.LOCAL,
    };
    const told = expect.stringMatching(
      /^proxies-health-check-too-slow: .* Hetzner Cloud Load Balancer LB11 asks port traffic port/,
    );
    for (const app of [behindEnvoy({}, options), behindHaproxy({}, options)]) {
      expect(warned(app)).toContainEqual(told);
    }
    expect(warned(behindEnvoy({}, { ...options, trafficPolicy: TrafficPolicy.CLUSTER }))).not.toContainEqual(told);
  });

  test('nothing of two proxies by default', () => {
    for (const app of [behindEnvoy({}), behindHaproxy({})]) {
      expect(warned(app).filter((text) => /^(proxies-single-replica|proxies-)/.test(text))).toEqual([]);
    }
  });
});

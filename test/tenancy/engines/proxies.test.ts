import { Chart, Duration, Size, Testing } from 'cdk8s';
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
  AzureCloudProvider,
  EksAutoMode,
  Gke,
  HetznerCloud,
  MetalLb,
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
import { lockedAsWished } from '../shared/locked';

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
    resources: { cpuRequest: '1', cpuLimit: '2', memoryRequest: Size.gibibytes(1), memoryLimit: Size.gibibytes(2) },
    priorityClassName: 'edge',
  };
  const resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } };
  const pod = {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'example.com/pool', operator: 'In', values: ['edge'] }] }],
        },
      },
    },
    priorityClassName: 'edge',
    tolerations: [{ effect: 'NoSchedule', key: 'edge', operator: 'Equal', value: 'true' }],
  };

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
  const local = { trafficPolicy: TrafficPolicy.LOCAL };
  const CASES: [string, Partial<EnvoyGatewayEngineOptions>, number][] = [
    ['an NLB with pods as targets: what deregistration takes', {}, 140],
    [
      'an NLB with nodes, policy Local: 2 × 10 s, 40 s until it acts on them, and 10 s more',
      { controller: nodes, ...local },
      70,
    ],
    [
      'an NLB with nodes whose check is slow: 4 × 60 s, 40 s, and 10 s more',
      {
        controller: nodes,
        ...local,
        healthCheck: { interval: Duration.seconds(60), unhealthyThreshold: 4, healthyThreshold: 4 },
      },
      290,
    ],
    ['MetalLB, which has no check', { controller: MetalLb.layer2(), ...local }, 30],
    [
      'an NLB of the cloud provider, policy Cluster: kube-proxy decides',
      { controller: AwsCloudProvider.nlb(), proxyProtocol: true },
      30,
    ],
    ['the same, policy Local: 2 × 10 s, 40 s, and 10 s more', { controller: AwsCloudProvider.nlb(), ...local }, 70],
    [
      'a Classic one, policy Local: 6 × 10 s and 10 s more',
      { controller: AwsCloudProvider.classic(), proxyProtocol: true, ...local },
      70,
    ],
    ['Azure, policy Local: 2 × 5 s', { controller: AzureCloudProvider.standard(), ...local }, 30],
    ['GKE, policy Local: 2 × 3 s', { controller: Gke.passthrough(), ...local }, 30],
    [
      'Hetzner Cloud, policy Local: 3 × 15 s and 10 s more',
      { controller: HetznerCloud.loadBalancer(), proxyProtocol: true, ...local },
      55,
    ],
    [
      'EKS Auto Mode with nodes, whose check is not documented',
      { controller: EksAutoMode.nlb({ targetType: NlbTargetType.INSTANCE }), ...local },
      60,
    ],
    ['EKS Auto Mode with pods', { controller: EksAutoMode.nlb(), clientAddress: ClientAddress.REPLACE }, 140],
    ['a controller that is not known', { controller: unknown() }, 60],
  ];
  test.each(CASES)('%s', (_, options, expected) => {
    const { shutdown, provider } = envoy(behindEnvoy({}, options));
    expect(shutdown.minDrainDuration).toBe(`${expected}s`);
    expect(shutdown.drainTimeout).toBe('300s');
    expect(provider.kubernetes.envoyDeployment.patch.value.spec.minReadySeconds).toBe(expected);
  });
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
    ['an option', AwsLoadBalancerController.nlb({ targetGroupAttributes: { unhealthyConnectionTermination: true } })],
  ])('are cut by an NLB of %s, which is told', (_, controller) => {
    const [found, ...others] = warned(behindEnvoy({}, { ...local, controller })).filter((each) => /held/.test(each));
    expect(found).toMatch(/^proxies-held-cut: .* ends the connections of a node when its health check fails/);
    expect(others).toEqual([]);
  });

  test.each<[string, object]>([
    ['of an NLB that was told to', local],
    ['of one with policy Cluster', { controller: AwsCloudProvider.nlb(), clientAddress: ClientAddress.REPLACE }],
    ['of one with pods as targets', {}],
  ])('are not warned of behind nodes %s', (_, options) => {
    expect(warned(behindEnvoy({}, options)).filter((each) => /held/.test(each))).toEqual([]);
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

describe('refused', () => {
  const local = { controller: nodes, trafficPolicy: TrafficPolicy.LOCAL };
  const CASES: [string, () => { synthYaml(): unknown }, RegExp][] = [
    [
      'a drain that is shorter than the health check needs',
      () => behindEnvoy({ minDrainTime: Duration.seconds(10) }, local),
      /\[platform\/Shared\] Envoy Gateway: .*takes new connections for 10 seconds \(minDrainTime\), and the health check of the Network Load Balancer needs 2 failures × 10 s = 20 s to notice; set minDrainTime to 20 seconds or more.*\(proxies-drain-too-short\)/,
    ],
    [
      'a whole drain that is',
      () => behindEnvoy({ drainTime: Duration.seconds(15) }, local),
      /for 15 seconds \(drainTime\), .* set drainTime to 20 seconds or more.*\(proxies-drain-too-short\)/,
    ],
    [
      'the same of HAProxy',
      () => behindHaproxy({ minDrainTime: Duration.seconds(19) }, local),
      /for 19 seconds \(minDrainTime\), .*20 s to notice.*\(proxies-drain-too-short\)/,
    ],
    [
      'a least drain that is longer than the whole',
      () => behindEnvoy({ minDrainTime: Duration.minutes(2), drainTime: Duration.minutes(1) }),
      /minDrainTime is 120 seconds, longer than the drainTime of 60 seconds.*\(proxies-drain-time\)/,
    ],
    [
      'half a second',
      () => behindEnvoy({ minDrainTime: Duration.millis(500) }),
      /minDrainTime is 0.5 seconds; use whole seconds up to 86400.*\(proxies-drain-time\)/,
    ],
    [
      'two days, of HAProxy',
      () => behindHaproxy({ drainTime: Duration.days(2) }),
      /HaproxyIngress shared-haproxy: drainTime is 172800 seconds.*\(proxies-drain-time\)/,
    ],
    [
      'no amount',
      () => behindEnvoy({ resources: { cpuRequest: 'much' } }),
      /cpuRequest 'much' is not a valid quantity.*\(proxies-resources\)/,
    ],
    [
      'a request above its limit',
      () => behindHaproxy({ resources: { memoryLimit: Size.mebibytes(100) } }),
      /memoryRequest '512Mi' is above memoryLimit '100Mi'.*\(proxies-resources\)/,
    ],
    [
      'nodes of the balancer where no proxy is',
      () => behindEnvoy({ nodePool: POOL }, { ...local, backendNodes: OTHER }),
      /the proxies run on node pool 'example.com\/pool=edge' alone, and backendNodes is 'example.com\/pool=other'.*\(proxies-elsewhere\)/,
    ],
    [
      'the PROXY protocol of a balancer, which the proxies were not told of',
      () => behindEnvoy({}, { controller: HetznerCloud.loadBalancer() }),
      /Envoy Gateway: the Hetzner Cloud Load Balancer LB11 begins connections with a header of the PROXY protocol, .*; set proxyProtocol of the engine.*\(proxies-proxy-protocol\)/,
    ],
    [
      'the same of HAProxy, by an option of the controller',
      () => behindHaproxy({}, { controller: AwsLoadBalancerController.nlb({ proxyProtocol: true }) }),
      /the HAProxy Kubernetes Ingress Controller: the Network Load Balancer begins connections.*\(proxies-proxy-protocol\)/,
    ],
    ...[behindEnvoy, behindHaproxy].map((behind, i): [string, () => { synthYaml(): unknown }, RegExp] => [
      `a rollout, which is for pods of one's own: ${i}`,
      () => behind({}, { rollout: {} }),
      /rollout is for pods of your own, and those of the proxies are drained by proxies; leave it out, and set minDrainTime and drainTime of proxies \(proxies-rollout\)/,
    ]),
    ...['Not a name', ''].map((priorityClassName): [string, () => { synthYaml(): unknown }, RegExp] => [
      `priority class '${priorityClassName}'`,
      () => behindEnvoy({ priorityClassName }),
      /priorityClassName '.*' is not a valid name.*\(proxies-resources\)/,
    ]),
    [
      'a priority class of HAProxy',
      () => behindHaproxy({ priorityClassName: 'UP' }),
      /priorityClassName 'UP' is not a/,
    ],
    [
      'an option that is none',
      () => behindEnvoy({ draintime: Duration.minutes(1) } as never),
      /proxies.draintime is unknown.*drainTime/,
    ],
    ['a time that is none', () => behindHaproxy({ drainTime: 60 as never }), /proxies.drainTime/],
  ];
  test.each(CASES)('%s', (_, app, expected) => {
    expect(() => app().synthYaml()).toThrow(expected);
  });
});

describe('told', () => {
  test('one proxy', () => {
    expect(warned(behindEnvoy({ spread: PodSpread.REQUIRED }, { replicas: 1 }))).toContainEqual(
      expect.stringMatching(/^one-proxy: replicas is 1, which spread DoNotSchedule cannot spread/),
    );
    expect(warned(behindHaproxy({}, {}, 1))).toContainEqual(expect.stringMatching(/^one-proxy: replicas is 1:/));
  });

  test('an NLB that acts on failed checks later', () => {
    const options = { controller: nodes, clientAddress: ClientAddress.PRESERVE };
    const proxies = { minDrainTime: Duration.seconds(30) };
    for (const app of [behindEnvoy(proxies, options), behindHaproxy(proxies, options)]) {
      expect(warned(app)).toContainEqual(
        expect.stringMatching(
          /^proxies-nlb-late: .* 30 seconds .* 60 seconds \(2 failures × 10 s, and 40 s until it acts on them\)/,
        ),
      );
    }
  });

  test('an NLB that is slower than its health check', () => {
    const proxies = { minDrainTime: Duration.seconds(60) };
    for (const app of [behindEnvoy(proxies), behindHaproxy(proxies)]) {
      expect(warned(app)).toContainEqual(
        expect.stringMatching(/^proxies-nlb-late: .* 60 seconds .* 140 seconds after/),
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
      /^proxies-check-late: .* Hetzner Cloud Load Balancer LB11 asks port traffic port/,
    );
    for (const app of [behindEnvoy({}, options), behindHaproxy({}, options)]) {
      expect(warned(app)).toContainEqual(told);
    }
    expect(warned(behindEnvoy({}, { ...options, trafficPolicy: TrafficPolicy.CLUSTER }))).not.toContainEqual(told);
  });

  test('nothing of two proxies by default', () => {
    for (const app of [behindEnvoy({}), behindHaproxy({})]) {
      expect(warned(app).filter((text) => /^(one-proxy|proxies-)/.test(text))).toEqual([]);
    }
  });
});

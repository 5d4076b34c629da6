import { ApiObject, App, Chart, Duration, Testing, Yaml } from 'cdk8s';
import { Namespace, Deployment as PlusDeployment } from 'cdk8s-plus-27';
import {
  AdoptedService,
  AnnotatedController,
  AwsCloudProvider,
  AwsLoadBalancerController,
  AzureCloudProvider,
  CustomController,
  Gke,
  HetznerCloud,
  type ILoadBalancerController,
  KubernetesVersion,
  LoadBalancedService,
  type LoadBalancedServiceProps,
  LoadBalancers,
  NlbTargetType,
  NodeRemoval,
  type Rollout,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { casesIn, revived } from '../support/yaml-cases';

const CASES = revived(casesIn(__dirname, 'rollout.yaml'));

const ip = () => AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
const hook = (seconds: number) => ({ lifecycle: { preStop: { sleep: { seconds } } } });
const PROBE = { readinessProbe: { tcpSocket: { port: 8080 } } };

interface Made {
  readonly chart: Chart;
  readonly service: LoadBalancedService;
  readonly workload: ApiObject;
}

function made(
  rollout: Rollout,
  spec: Json = {},
  { kind = 'Deployment', pod = {}, container = {}, ...props }: Json & Partial<LoadBalancedServiceProps> = {},
): Made {
  const chart = new Chart(new App(), 'app', { namespace: 'shop' });
  const labels = { app: 'echo' };
  const containers = [{ name: 'echo', image: 'echo', ports: [{ containerPort: 8080 }], ...PROBE, ...container }];
  const workload = new ApiObject(chart, 'echo', {
    apiVersion: kind === 'Pod' ? 'v1' : 'apps/v1',
    kind,
    spec:
      kind === 'Pod'
        ? { containers }
        : {
            ...(kind === 'DaemonSet' ? {} : { replicas: 2 }),
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: { containers, ...pod } },
            ...spec,
          },
  });
  const service = new LoadBalancedService(chart, 'edge', {
    controller: Gke.passthrough(),
    workload,
    ports: [{ port: 80, targetPort: 8080 }],
    rollout,
    ...props,
  });
  return { chart, service, workload };
}

function objects({ chart }: Made, kind: string): Json[] {
  return (Testing.synth(chart) as Json[]).filter((one) => one.kind === kind);
}

function refusal({ chart }: Made): string {
  try {
    Testing.synth(chart);
    return 'nothing is refused';
  } catch (error) {
    return (error as Error).message;
  }
}

const warned = ({ chart }: Made) => LoadBalancers.of(chart).warnings.map(({ finding }) => finding.ruleId);

describe('what is written', () => {
  test('pods of a Deployment serve on, new ones come first, and drains take one at a time', () => {
    const app = made({ drainTime: Duration.seconds(20) });
    const [deployment] = objects(app, 'Deployment');
    // 3 s × 2 failures of the health check, and 5 s until all nodes have heard
    expect(deployment.spec.template.spec.containers[0].lifecycle).toEqual({ preStop: { sleep: { seconds: 11 } } });
    expect(deployment.spec.template.spec.terminationGracePeriodSeconds).toBe(31);
    expect(deployment.spec.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0 } });
    expect(deployment.spec.minReadySeconds).toBe(11);
    expect(objects(app, 'PodDisruptionBudget')[0].spec).toEqual({
      maxUnavailable: 1,
      selector: { matchLabels: { app: 'echo' } },
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    });
    expect(objects(app, 'PodDisruptionBudget')[0].metadata.namespace).toBe('shop');
    expect(objects(app, 'Service')[0].spec.externalTrafficPolicy).toBe('Local');
    expect(app.service.plan.answers?.rollout).toContain('pods serve on for 11 s');
  });

  test('the default of Kubernetes, which cdk8s-plus writes, counts as not said', () => {
    const chart = new Chart(new App(), 'app');
    const workload = new PlusDeployment(chart, 'echo', { containers: [{ image: 'echo', portNumber: 8080 }] });
    new LoadBalancedService(chart, 'edge', {
      controller: AwsCloudProvider.classic(),
      workload,
      ports: [{ port: 80, targetPort: 8080 }],
      rollout: {},
    });
    const deployment = (Testing.synth(chart) as Json[]).find(({ kind }) => kind === 'Deployment') as Json;
    expect(deployment.spec.template.spec.terminationGracePeriodSeconds).toBe(95);
    expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxSurge: '25%', maxUnavailable: 0 });
    expect(deployment.spec.template.spec.containers[0].lifecycle.preStop).toEqual({ sleep: { seconds: 65 } });
  });

  test('what the workload says itself is kept where it is enough', () => {
    const app = made(
      {},
      { minReadySeconds: 60, strategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } } },
      { pod: { terminationGracePeriodSeconds: 600 }, container: hook(100) },
    );
    const [{ spec }] = objects(app, 'Deployment');
    expect(spec.minReadySeconds).toBe(60);
    expect(spec.strategy).toEqual({ rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } });
    expect(spec.template.spec.terminationGracePeriodSeconds).toBe(600);
    expect(spec.template.spec.containers[0].lifecycle.preStop).toEqual({ sleep: { seconds: 100 } });
  });

  test('before Kubernetes 1.30 the hook runs the program of the image, which is warned of', () => {
    const app = made({}, {}, { controller: AzureCloudProvider.standard(), kubernetes: KubernetesVersion.V1_29 });
    expect(objects(app, 'Deployment')[0].spec.template.spec.containers[0].lifecycle.preStop).toEqual({
      exec: { command: ['sleep', '15'] },
    });
    expect(warned(app)).toContain('rollout-sleep-program-missing');
  });

  test('a StatefulSet waits as well, and keeps its own order of updates', () => {
    const [{ spec }] = objects(made({}, {}, { kind: 'StatefulSet' }), 'StatefulSet');
    expect(spec.minReadySeconds).toBe(11);
    expect(spec.strategy).toBeUndefined();
    expect(spec.template.spec.terminationGracePeriodSeconds).toBe(41);
  });

  test('a DaemonSet has no budget, for drains leave its pods alone', () => {
    const app = made({ nodeRemoval: NodeRemoval.WAITS_FOR_BALANCER }, {}, { kind: 'DaemonSet' });
    expect(objects(app, 'PodDisruptionBudget')).toEqual([]);
    expect(objects(app, 'DaemonSet')[0].spec.template.spec.terminationGracePeriodSeconds).toBe(41);
  });

  test('two Services of one workload share one budget, and the slower balancer counts', () => {
    const app = made({});
    new LoadBalancedService(app.chart, 'slow', {
      controller: AwsCloudProvider.classic(),
      workload: app.workload,
      ports: [{ port: 81, targetPort: 8080 }],
      rollout: {},
    });
    expect(objects(app, 'PodDisruptionBudget')).toHaveLength(1);
    expect(objects(app, 'Deployment')[0].spec.template.spec.containers[0].lifecycle.preStop.sleep.seconds).toBe(65);
  });

  test('a Service that was adopted rolls as well', () => {
    const app = made({ disruptionBudget: false });
    const service = new ApiObject(app.chart, 'old', {
      apiVersion: 'v1',
      kind: 'Service',
      spec: { selector: { app: 'echo' }, ports: [{ port: 81, targetPort: 8080 }] },
    });
    new AdoptedService(app.chart, 'adopted', {
      controller: AwsCloudProvider.nlb(),
      service,
      workload: app.workload,
      rollout: {},
    });
    expect(objects(app, 'Deployment')[0].spec.template.spec.containers[0].lifecycle.preStop.sleep.seconds).toBe(65);
    expect(objects(app, 'PodDisruptionBudget')).toHaveLength(1);
  });

  test('the balancer is asked at a health check node port that is set, and so is the node', () => {
    const app = made({ healthCheckNodePort: 32100 }, {}, { controller: HetznerCloud.loadBalancer() });
    const [{ spec, metadata }] = objects(app, 'Service');
    expect(spec.healthCheckNodePort).toBe(32100);
    expect(spec.externalTrafficPolicy).toBe('Local');
    expect(metadata.annotations).toMatchObject({
      'load-balancer.hetzner.cloud/health-check-port': '32100',
      'load-balancer.hetzner.cloud/health-check-protocol': 'http',
      'load-balancer.hetzner.cloud/health-check-http-path': '/healthz',
    });
  });
});

describe('pods as targets', () => {
  test('the Namespace that is handed in has its pods wait for the balancer', () => {
    const chart = new Chart(new App(), 'namespaces');
    const namespace = new Namespace(chart, 'shop', { metadata: { name: 'shop' } });
    const app = made({ namespace }, {}, { controller: ip() });
    const [{ spec }] = objects(app, 'Deployment');
    expect(Testing.synth(chart)[0].metadata.labels).toEqual({ 'elbv2.k8s.aws/pod-readiness-gate-inject': 'enabled' });
    expect(warned(app)).toEqual([]);
    expect(spec.minReadySeconds).toBeUndefined();
    expect(spec.template.spec.terminationGracePeriodSeconds).toBe(170);
    expect(Yaml.stringify(app.service.plan.annotations)).toContain('deregistration_delay.timeout_seconds=170');
  });

  test('without it a warning has the command', () => {
    const app = made({}, {}, { controller: ip() });
    expect(warned(app)).toEqual(['rollout-namespace-label-missing']);
    expect(LoadBalancers.of(app.service).warnings[0].finding.remedy).toContain(
      'kubectl label namespace shop elbv2.k8s.aws/pod-readiness-gate-inject=enabled',
    );
  });

  test.each([
    ['another Namespace', 'web', {}, 'rollout.namespace is web, and the workload is in shop'],
    ['the opposite', 'shop', { 'elbv2.k8s.aws/pod-readiness-gate-inject': 'disabled' }, 'pods do not wait'],
  ])('%s is refused', (_, name, labels, message) => {
    const chart = new Chart(new App(), 'namespaces');
    const namespace = new ApiObject(chart, 'shop', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    expect(refusal(made({ namespace }, {}, { controller: ip() }))).toContain(message);
  });
});

describe('what cannot be kept is refused, with what is missing', () => {
  test.each<[string, Parameters<typeof made>, ...string[]]>(CASES.refused)('%s', (_, args, ...texts) => {
    const message = refusal(made(...args));
    for (const text of texts) expect(message).toContain(text);
  });

  test.each<[string, Json]>(CASES['budgets over the same pods'])(
    'two budgets over one pod, the other %s',
    (_, selector) => {
      const app = made({});
      new ApiObject(app.chart, 'own', {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        spec: { minAvailable: 1, selector },
      });
      expect(refusal(app)).toContain('the API server never evicts these pods');
    },
  );

  test.each<[string, Json?]>(CASES['budgets over other pods'])(
    'a budget over other pods is none: %s',
    (_, selector) => {
      const app = made({});
      const spec = { minAvailable: 1, selector };
      new ApiObject(app.chart, 'own', { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', spec });
      expect(refusal(app)).toBe('nothing is refused');
    },
  );

  test.each([
    ['selects others', { app: 'web' }, undefined, 'selects no pod of rollout.workload Deployment'],
    ['is in another namespace', { app: 'echo' }, 'web', 'is in namespace web, and rollout.workload Deployment'],
  ])('a workload of the rollout whose Service %s', (_, selector, namespace, message) => {
    const { chart, workload } = made({}, {}, { rollout: undefined });
    new LoadBalancedService(chart, 'other', {
      controller: Gke.passthrough(),
      namespace,
      selector,
      ports: [{ port: 81, targetPort: 8080 }],
      rollout: { workload },
    });
    expect(refusal({ chart } as Made)).toContain(message);
  });

  test('times that are no whole seconds are one error, with its path', () => {
    for (const rollout of [{ drainTime: Duration.millis(1500) }, { balancerTime: Duration.millis(1500) }]) {
      const message = refusal(made(rollout));
      expect(message).toContain(`[app/edge] request: rollout.${Object.keys(rollout)[0]} is 1.5 seconds`);
      expect(message).not.toContain('rollout-time-unknown');
    }
  });

  test('another workload than that of the Service', () => {
    const other = made({});
    expect(refusal(made({ workload: other.workload }))).toContain('and the Service is for app/echo');
  });
});

describe('what nobody can tell is a warning', () => {
  test.each<[string, Parameters<typeof made>, string]>(CASES.warnings)('%s', (_, args, rule) => {
    expect(warned(made(...args))).toEqual([rule]);
  });

  test('an autoscaler that may leave one pod, whatever replicas are', () => {
    const app = made({}, { replicas: 3 });
    const scaleTargetRef = { kind: 'Deployment', name: app.workload.name };
    const spec = { maxReplicas: 5, scaleTargetRef };
    new ApiObject(app.chart, 'scaler', { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', spec });
    expect(warned(app)).toEqual(['rollout-replicas-unknown']);
    expect(LoadBalancers.of(app.chart).warnings[0].finding.what).toContain('the autoscaler keeps 1 pod only');
  });

  test('an autoscaler of the app that keeps two pods is none', () => {
    const app = made({}, { replicas: undefined });
    new ApiObject(app.chart, 'scaler', {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      spec: { minReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: app.workload.name } },
    });
    expect(warned(app)).toEqual([]);
  });
});

test('what a controller is wrapped in does not answer for it', () => {
  const annotations = { 'example.com/team': 'edge' };
  const wrapped = AnnotatedController.of(Gke.passthrough(), annotations);
  const [{ spec }] = objects(made({}, {}, { controller: wrapped }), 'Deployment');
  expect(spec.template.spec.terminationGracePeriodSeconds).toBe(41);
});

test('a controller of a user says by its plan, or its user by what was measured, for how long it sends', () => {
  const controller = (rollout?: { stopsSendingAfter: Duration }): ILoadBalancerController =>
    CustomController.of({ owner: 'mine', answers: { ROLLOUT: 'by its agents', rollout: 'by its agents' }, rollout });
  const sleeps = (app: Made) => objects(app, 'Deployment')[0].spec.template.spec.containers[0].lifecycle.preStop.sleep;
  expect(sleeps(made({}, {}, { controller: controller({ stopsSendingAfter: Duration.seconds(7) }) }))).toEqual({
    seconds: 7,
  });
  expect(sleeps(made({ balancerTime: Duration.seconds(9) }, {}, { controller: controller() }))).toEqual({ seconds: 9 });
});

import { join } from 'node:path';
import { App, Chart, Size, Testing } from 'cdk8s';
import { parse } from 'yaml';
import {
  AwsCloudControllerManagerInstallation,
  AwsLoadBalancerController,
  type CloudControllerManagerMetrics,
  KubernetesVersion,
  LoadBalancerAlert,
  LoadBalancerAlerts,
  type LoadBalancerAlertsProps,
  WatchedController,
  WatchedSharedLoadBalancer,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { revived, table, tablesOf } from '../support/yaml-cases';
import { alertsAlone, everythingWatched, lbcIn, objectsOf, rulesIn } from './watched-app';

const tables = tablesOf<Record<string, never>>(join(__dirname, 'load-balancer-alerts.yaml'));

/** A cloud controller manager of others. */
const ccmWith = (pods: Partial<CloudControllerManagerMetrics>) =>
  WatchedController.cloudControllerManager({
    name: 'hcloud',
    namespace: 'kube-system',
    podLabels: { app: 'hcloud' },
    ...pods,
  });
const byKind = (objects: readonly Json[], kind: string) => objects.filter((object) => object.kind === kind);
const named = (objects: readonly Json[], kind: string, name: string): Json =>
  byKind(objects, kind).find(({ metadata }) => metadata.name === name) as Json;

const ALL = objectsOf(everythingWatched());
const LBC_NAME = 'load-balancer-alerts-aws-load-balancer-controller';
const CCM_NAME = 'load-balancer-alerts-aws-cloud-controller-manager';

describe('alerts', () => {
  test('are all written where all that they are about is watched', () => {
    const names = new Set(rulesIn(ALL).map(({ alert }) => alert));
    expect([...names].sort()).toEqual(Object.values(LoadBalancerAlert).sort());
  });

  test('each have an expression, a severity, a command, a remedy and a page', () => {
    for (const { expr, labels, annotations } of rulesIn(ALL)) {
      expect(expr).not.toBe('');
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations).toEqual({
        summary: expect.any(String),
        description: expect.stringMatching(/\.$/),
        command: expect.stringMatching(/^kubectl /),
        remedy: expect.any(String),
        runbook_url: expect.stringMatching(/\/docs\/[\w/-]+\.md$/),
        ...(annotations.explain && { explain: expect.stringContaining('cdk8s-load-balancers explain') }),
      });
    }
  });

  test('ask for the whole log of all pods, and not for its last ten lines', () => {
    const commands = rulesIn(ALL).map(({ annotations }) => annotations.command);
    const logs = commands.filter((command) => /^kubectl logs .* -l /.test(command));
    expect(logs.length).toBeGreaterThan(0);
    expect(logs.filter((command) => !command.includes(' --tail=-1'))).toEqual([]);
  });

  test('are about Services alone where nothing is installed', () => {
    const objects = alertsAlone();
    expect(named(objects, 'PrometheusRule', 'load-balancer-alerts').spec.groups).toHaveLength(1);
    expect(objects.map(({ kind }) => kind).sort()).toEqual([
      'ConfigMap',
      'PrometheusRule',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionPolicyBinding',
    ]);
  });

  test('are about the installations that the app has so far', () => {
    const app = new App();
    lbcIn(app);
    const alerts = new LoadBalancerAlerts(new Chart(app, 'alerts'), 'Alerts');
    new AwsCloudControllerManagerInstallation(new Chart(app, 'late'), 'Late', { clusterName: 'prod' });
    expect(alerts.monitors.map(({ kind, name }) => `${kind} ${name}`)).toEqual([`PodMonitor ${LBC_NAME}`]);
  });

  test('can be left out, and a group of none with them', () => {
    const without = Object.values(LoadBalancerAlert).filter((alert) => alert !== LoadBalancerAlert.PENDING);
    const objects = objectsOf(everythingWatched({ without }));
    expect(rulesIn(objects).map(({ alert }) => alert)).toEqual([LoadBalancerAlert.PENDING]);
    expect(byKind(objects, 'ValidatingAdmissionPolicy')).toEqual([]);
  });

  test('have the labels, severities and pages that are wished for', () => {
    const objects = objectsOf(
      everythingWatched({
        labels: { release: 'prometheus' },
        alertLabels: { team: 'edge' },
        criticalSeverity: 'page',
        warningSeverity: 'ticket',
        runbooks: 'https://docs.example.com/',
      }),
    );
    const rules = rulesIn(objects);
    expect(new Set(rules.map(({ labels }) => labels.severity))).toEqual(new Set(['page', 'ticket']));
    expect(rules.every(({ labels }) => labels.team === 'edge')).toBe(true);
    expect(rules[0].annotations.runbook_url).toBe('https://docs.example.com/stuck-in-pending.md');
    const selected = objects.filter(({ kind }) => /Monitor|PrometheusRule/.test(kind));
    expect(selected.every(({ metadata }) => metadata.labels.release === 'prometheus')).toBe(true);
  });

  test('are the same each time', () => expect(objectsOf(everythingWatched())).toEqual(ALL));

  test('compare traffic in bytes a second', () => {
    const [{ expr }] = rulesIn(
      objectsOf(everythingWatched({ thresholds: { tenantTraffic: Size.kibibytes(3) } })),
    ).filter(({ alert }) => alert === LoadBalancerAlert.TENANT_TRAFFIC);
    expect(expr).toMatch(/ >= 3072$/);
  });
});

describe('metrics are read', () => {
  test('from pods that ask for no token, at the port that the installation has', () => {
    const app = new App();
    const lbc = lbcIn(app);
    const alerts = new LoadBalancerAlerts(new Chart(app, 'alerts', { namespace: 'monitoring' }), 'Alerts');
    const monitor = named(objectsOf(alerts), 'PodMonitor', LBC_NAME);
    const { selector, template } = lbc.deployment.toJson().spec;
    expect(monitor.metadata.namespace).toBe('kube-system');
    expect(monitor.spec).toEqual({
      namespaceSelector: { matchNames: ['kube-system'] },
      selector,
      podMetricsEndpoints: [
        {
          port: 'metrics-server',
          path: '/metrics',
          interval: '30s',
          honorLabels: true,
          relabelings: [
            { targetLabel: 'load_balancer_controller', replacement: 'kube-system/aws-load-balancer-controller' },
          ],
        },
      ],
    });
    expect(template.spec.containers[0].ports).toContainEqual(expect.objectContaining({ name: 'metrics-server' }));
  });

  test('with a token from those that ask for one, through a Service without an address', () => {
    const monitor = named(ALL, 'ServiceMonitor', CCM_NAME);
    const service = named(ALL, 'Service', CCM_NAME);
    expect(service.spec).toEqual({
      clusterIP: 'None',
      ports: [{ name: 'metrics', port: 10258, targetPort: 10258 }],
      selector: { 'k8s-app': 'aws-cloud-controller-manager' },
    });
    expect(service.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels);
    expect(monitor.spec.endpoints[0]).toMatchObject({
      port: 'metrics',
      scheme: 'https',
      bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
      tlsConfig: { insecureSkipVerify: true },
    });
  });

  test('at the port that a flag moves', () => {
    const app = new App();
    new AwsCloudControllerManagerInstallation(new Chart(app, 'ccm'), 'Controller', {
      clusterName: 'prod',
      flags: { 'secure-port': '11258' },
    });
    const objects = objectsOf(new LoadBalancerAlerts(new Chart(app, 'alerts'), 'Alerts'));
    expect(named(objects, 'Service', CCM_NAME).spec.ports[0].port).toBe(11258);
  });

  test('from another cloud controller manager', () => {
    const controllers = [
      WatchedController.cloudControllerManager({
        name: 'hcloud',
        namespace: 'kube-system',
        podLabels: { app: 'hcloud' },
      }),
    ];
    const objects = alertsAlone({ controllers });
    expect(named(objects, 'Service', 'load-balancer-alerts-hcloud').spec.selector).toEqual({ app: 'hcloud' });
    expect(rulesIn(objects).map(({ alert }) => alert)).toContain(LoadBalancerAlert.SYNC_FAILING);
  });

  test('from the proxies of shared balancers, each at its own path', () => {
    const of = (name: string) => named(ALL, 'PodMonitor', `load-balancer-alerts-${name}-proxies`).spec;
    expect(of('shared').selector.matchLabels).toEqual({
      'gateway.envoyproxy.io/owning-gateway-name': 'shared',
      'gateway.envoyproxy.io/owning-gateway-namespace': 'infra',
    });
    expect(of('shared').podMetricsEndpoints[0]).toMatchObject({ port: 'metrics', path: '/stats/prometheus' });
    expect(of('edge').selector.matchLabels).toEqual({
      'app.kubernetes.io/name': 'kubernetes-ingress',
      'app.kubernetes.io/instance': 'shared-haproxy',
    });
    expect(of('edge').podMetricsEndpoints[0]).toMatchObject({ port: 'stat', path: '/metrics' });
  });

  test('from two that have one name, in namespaces of their own', () => {
    const sharedLoadBalancers = ['a', 'b'].map((namespace) =>
      WatchedSharedLoadBalancer.envoyGateway({ name: 'shared', namespace }),
    );
    const objects = alertsAlone({ sharedLoadBalancers });
    const names = ['load-balancer-alerts-a-shared', 'load-balancer-alerts-b-shared'];
    expect(byKind(objects, 'PodMonitor').map(({ metadata }) => metadata.name)).toEqual(names);
    const { groups } = named(objects, 'PrometheusRule', 'load-balancer-alerts').spec;
    expect(groups.map(({ name }: Json) => name)).toEqual(['load-balancer-alerts-services', ...names]);
  });

  test('by others where they are', () => {
    const objects = objectsOf(everythingWatched({ monitors: false }));
    expect(objects.filter(({ kind }) => /Monitor$|^Service$/.test(kind))).toEqual([]);
  });
});

describe('kube-state-metrics', () => {
  test('is told to say whose slices are, as values of its chart and as flags', () => {
    const { data, metadata } = byKind(alertsAlone({ metricLabelsAllowlist: ['pods=[app]'] }), 'ConfigMap')[0];
    expect(metadata.name).toBe('load-balancer-alerts-kube-state-metrics');
    expect(parse(data['values.yaml'])).toEqual({
      metricLabelsAllowlist: ['endpointslices=[kubernetes.io/service-name]', 'pods=[app]'],
      prometheus: { monitor: { enabled: true, http: { honorLabels: true } } },
    });
    expect(data.args).toBe('--metric-labels-allowlist=endpointslices=[kubernetes.io/service-name],pods=[app]\n');
  });

  test('is selected by the Prometheus that selects the rules', () => {
    const { data } = byKind(alertsAlone({ labels: { release: 'prometheus' } }), 'ConfigMap')[0];
    expect(parse(data['values.yaml']).prometheus.monitor.additionalLabels).toEqual({ release: 'prometheus' });
  });

  test('has the same values in code', () => {
    const alerts = everythingWatched();
    expect(parse(byKind(ALL, 'ConfigMap')[0].data['values.yaml'])).toEqual(alerts.kubeStateMetricsValues);
  });
});

describe('the policy that counts', () => {
  test('denies nothing, is in no namespace, and sees every write that could lose a finalizer', () => {
    const policy = named(ALL, 'ValidatingAdmissionPolicy', 'load-balancer-alerts');
    const binding = named(ALL, 'ValidatingAdmissionPolicyBinding', 'load-balancer-alerts');
    expect(binding.spec).toEqual({ policyName: 'load-balancer-alerts', validationActions: ['Audit'] });
    expect(policy.spec.failurePolicy).toBe('Ignore');
    expect(policy.spec.matchConstraints.resourceRules[0]).toMatchObject({
      operations: ['UPDATE'],
      resources: ['services', 'services/status'],
    });
    expect([policy.metadata.namespace, binding.metadata.namespace]).toEqual([undefined, undefined]);
  });

  test('leaves out those that are served without a finalizer', () => {
    const [policy] = byKind(
      alertsAlone({ classesWithoutFinalizer: ['example.com/bare'] }),
      'ValidatingAdmissionPolicy',
    );
    const conditions = policy.spec.matchConditions.map(({ expression }: Json) => expression).join('\n');
    expect(conditions).toContain('["example.com/bare"]');
    expect(conditions).toContain('metallb.io/ip-allocated-from-pool');
  });

  test('can be left out, and its alert with it', () => {
    const objects = alertsAlone({ finalizerPolicy: false });
    expect(byKind(objects, 'ValidatingAdmissionPolicy')).toEqual([]);
    expect(rulesIn(objects).map(({ alert }) => alert)).not.toContain(LoadBalancerAlert.WITHOUT_FINALIZER);
  });
});

describe('refused is', () => {
  test.each<[string, LoadBalancerAlertsProps, RegExp]>([
    ...revived(table('alerts/load-balancer-alerts.yaml', 'refused is'), { ccmWith }),
    ...tables.refused,
  ])('%s', (_, props, message) => expect(() => alertsAlone(props)).toThrow(message));

  test('no older API server where the policy is not written', () => {
    expect(() => alertsAlone({ kubernetes: KubernetesVersion.V1_29, finalizerPolicy: false })).not.toThrow();
  });
});

test.each<[string, (given: never) => unknown]>([
  ['awsLoadBalancerController', WatchedController.awsLoadBalancerController],
  ['awsCloudControllerManager', WatchedController.awsCloudControllerManager],
  ['strimzi', WatchedController.strimzi],
  ['installedIn', WatchedController.installedIn],
])('%s takes nothing of another kind', (name, watch) => {
  expect(() => watch({} as never)).toThrow(new RegExp(`WatchedController\\.${name}: the \\w+ is .*\\(prop-invalid\\)`));
});

test('a controller of Services is none that is watched', () => {
  const controllers = [AwsLoadBalancerController.nlb() as unknown as WatchedController];
  expect(() => alertsAlone({ controllers })).toThrow(
    /controllers\[0\] is an? AwsLoadBalancerController, which is not a WatchedController.*\(prop-invalid\)/,
  );
});

test('a second installation of alerts in a chart has names of its own', () => {
  const chart = new Chart(new App(), 'alerts');
  new LoadBalancerAlerts(chart, 'One', { name: 'one' });
  new LoadBalancerAlerts(chart, 'Two', { name: 'two' });
  const names = Testing.synth(chart).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
  expect(() => new LoadBalancerAlerts(chart, 'Third', { name: 'two' })).toThrow(
    /'two' are the alerts of alerts\/Two as well.*\(alert-name-duplicate\)/,
  );
});

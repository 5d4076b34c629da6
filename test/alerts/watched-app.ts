import { App, Chart, Testing } from 'cdk8s';
import {
  AwsCloudControllerManagerInstallation,
  AwsIdentity,
  AwsLoadBalancerControllerInstallation,
  HaproxyIngress,
  LoadBalancerAlerts,
  type LoadBalancerAlertsProps,
  MetalLb,
  SharedLoadBalancer,
  SharedLoadBalancerEngine,
  StrimziClusterOperatorInstallation,
  StrimziVersion,
  TenantWatch,
  WatchedController,
  WatchedSharedLoadBalancer,
  WebhookCertificate,
} from '../../src';
import type { Json } from '../../src/contract/json';

/** Every object of a chart with alerts and nothing else. */
export function alertsAlone(props?: LoadBalancerAlertsProps): Json[] {
  const chart = new Chart(new App(), 'alerts', { namespace: 'monitoring' });
  new LoadBalancerAlerts(chart, 'Alerts', props);
  return Testing.synth(chart);
}

/** An installation of the AWS Load Balancer Controller. */
export function lbcIn(app: App, certificate = WebhookCertificate.certManager()): AwsLoadBalancerControllerInstallation {
  return new AwsLoadBalancerControllerInstallation(new Chart(app, 'lbc', { namespace: 'kube-system' }), 'Controller', {
    clusterName: 'prod',
    region: 'eu-west-1',
    vpcId: 'vpc-0123456789abcdef0',
    identity: AwsIdentity.podIdentity(),
    certificate,
  });
}

function tenantWatchIn(app: App): TenantWatch {
  const shared = new SharedLoadBalancer(new Chart(app, 'tcp', { namespace: 'infra' }), 'Shared', {
    engine: SharedLoadBalancerEngine.envoyGateway({ controller: MetalLb.bgp() }),
    name: 'tcp',
  });
  return new TenantWatch(shared, 'Watch', { shared });
}

/** What a cluster can have at most: every installation of this library, and what others install. */
export function everythingWatched(props: LoadBalancerAlertsProps = {}): LoadBalancerAlerts {
  const app = new App();
  const lbc = lbcIn(app);
  new AwsCloudControllerManagerInstallation(new Chart(app, 'ccm'), 'Controller', { clusterName: 'prod' });
  new StrimziClusterOperatorInstallation(new Chart(app, 'strimzi', { namespace: 'kafka' }), 'Operator', {
    version: StrimziVersion.V1_2,
    watchNamespaces: ['*'],
  });
  const [, ...others] = WatchedController.installedIn(app);
  return new LoadBalancerAlerts(new Chart(app, 'alerts', { namespace: 'monitoring' }), 'Alerts', {
    controllers: [
      WatchedController.awsLoadBalancerController(lbc, true),
      ...others,
      WatchedController.metalLb(),
      WatchedController.envoyGateway(),
    ],
    sharedLoadBalancers: [
      WatchedSharedLoadBalancer.envoyGateway({ name: 'shared', namespace: 'infra' }),
      WatchedSharedLoadBalancer.haproxy({ name: 'edge', namespace: 'infra', ingress: new HaproxyIngress() }),
      WatchedSharedLoadBalancer.tenantWatch(tenantWatchIn(app)),
    ],
    ...props,
  });
}

/** Every object of the chart that alerts are in. */
export const objectsOf = (alerts: LoadBalancerAlerts): Json[] => Testing.synth(Chart.of(alerts));

/** Every alert in objects, in the order in which they are written. */
export function rulesIn(objects: readonly Json[]): Json[] {
  return objects
    .filter(({ kind }) => kind === 'PrometheusRule')
    .flatMap(({ spec }) => spec.groups.flatMap(({ rules }: Json) => rules));
}

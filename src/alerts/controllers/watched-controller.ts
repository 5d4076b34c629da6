import type { IConstruct } from 'constructs';
import { refuseOther, refuseWrongProps, refuseWrongValue } from '../../contract/declared-types';
import { apiObjectsIn } from '../../contract/synth-run';
import { AwsCloudControllerManagerInstallation } from '../../installations/aws-cloud-controller-manager/installation';
import { AwsLoadBalancerControllerInstallation } from '../../installations/aws-load-balancer-controller/installation';
import type { WatchedInstallation } from '../../installations/objects';
import { StrimziClusterOperatorInstallation } from '../../installations/strimzi/installation';
import type { AlertValues, ScrapedTarget, ScrapeTarget } from '../alert-rules';
import { CCM_PORT, CERTIFICATE_KIND, CONTROLLER_LABEL, ENVOY_GATEWAY, METALLB, METRICS_PATH } from '../alerts.facts';
import type { CloudControllerManagerMetrics, ControllerPods } from './options';

/**
 * A controller whose metrics are read, and whose failures raise alerts.
 */
export class WatchedController {
  /**
   * The AWS Load Balancer Controller: its reconcilers, what AWS refuses, its targets, and the certificate of its webhooks.
   *
   * @param installation the installation
   * @param cloudWatchExporter true if Prometheus has the metric `HealthyHostCount` of `AWS/NetworkELB` from cloudwatch_exporter, with the
   *   dimensions `LoadBalancer` and `TargetGroup` and the statistic `Minimum`: the controller itself says nothing of health checks. CloudWatch
   *   charges for every query
   * @throws when it is of another kind
   * @see https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/metrics/prometheus/
   */
  public static awsLoadBalancerController(
    installation: AwsLoadBalancerControllerInstallation,
    cloudWatchExporter: boolean = false,
  ): WatchedController {
    refuseOtherInstallation('awsLoadBalancerController', AwsLoadBalancerControllerInstallation, installation);
    refuseWrongValue(
      'WatchedController.awsLoadBalancerController',
      'cloudWatchExporter',
      'boolean',
      cloudWatchExporter,
    );
    const { certificateSecret, ...watched } = installation._watched;
    const target = targetOf(watched, false);
    const certificates = apiObjectsIn(installation)
      .filter(({ apiGroup, kind }) => apiGroup === CERTIFICATE_KIND.group && kind === CERTIFICATE_KIND.kind)
      .map(({ name }) => name);
    const alerts = [
      'down',
      'lbcFailing',
      'cloudRefuses',
      ...(cloudWatchExporter ? ['targetsUnhealthy'] : []),
      certificates.length > 0 ? 'certificateEnding' : 'secretEnding',
    ];
    return new WatchedController(target, alerts, {
      certificates: certificates.join(' '),
      certificatePattern: certificates.join('|'),
      secret: certificateSecret ?? '',
    });
  }

  /**
   * The AWS cloud controller manager: Services and nodes that it fails to bring to AWS. Its metrics are for those whose token
   * the API server knows, and who may `get` the path `/metrics`: the service account of Prometheus needs that right.
   *
   * @param installation the installation
   * @throws when it is of another kind
   */
  public static awsCloudControllerManager(installation: AwsCloudControllerManagerInstallation): WatchedController {
    refuseOtherInstallation('awsCloudControllerManager', AwsCloudControllerManagerInstallation, installation);
    return new WatchedController(targetOf(installation._watched, true), ['down', 'ccmFailing']);
  }

  /**
   * The service controller of another cloud, in a cloud controller manager that runs in the cluster. Those of EKS, AKS and GKE
   * cannot be reached. Its metrics are for those whose token the API server knows, and who may `get` the path `/metrics`.
   *
   * @param pods where it runs
   * @throws when a prop is of another kind than its own
   */
  public static cloudControllerManager(pods: CloudControllerManagerMetrics): WatchedController {
    refuseWrongProps('WatchedController.cloudControllerManager', 'CloudControllerManagerMetrics', pods);
    return new WatchedController(targetOf({ ...pods, port: pods.port ?? CCM_PORT }, true), ['down', 'ccmFailing']);
  }

  /**
   * The Strimzi operator: reconciliations that fail.
   *
   * @param installation the installation
   * @throws when it is of another kind
   */
  public static strimzi(installation: StrimziClusterOperatorInstallation): WatchedController {
    refuseOtherInstallation('strimzi', StrimziClusterOperatorInstallation, installation);
    return new WatchedController(targetOf(installation._watched, false), ['down', 'strimziFailing']);
  }

  /**
   * MetalLB 0.16 or newer, which is installed by its own means: what its pods fail to do, pools, and BGP sessions. Where FRR speaks
   * BGP, its sessions are in metrics that are not read here.
   *
   * @param pods where it runs; without it, where the manifests of its project put it
   * @throws when a prop is of another kind than its own
   * @see https://github.com/metallb/metallb/blob/v0.16.2/website/content/release-notes/_index.md
   */
  public static metalLb(pods: ControllerPods = {}): WatchedController {
    refuseWrongProps('WatchedController.metalLb', 'ControllerPods', pods);
    const { namespace = METALLB.namespace, podLabels = METALLB.labels } = pods;
    const target = targetOf({ name: 'metallb', namespace, podLabels, port: METALLB.port }, true);
    return new WatchedController(target, ['down', 'metalLbFailing', 'poolNearlyUsed', 'sessionDown']);
  }

  /**
   * Envoy Gateway, which is installed by its own chart: what it fails to write, and what its proxies refuse.
   *
   * @param pods where it runs; without it, where its chart puts it
   * @throws when a prop is of another kind than its own
   */
  public static envoyGateway(pods: ControllerPods = {}): WatchedController {
    refuseWrongProps('WatchedController.envoyGateway', 'ControllerPods', pods);
    const { namespace = ENVOY_GATEWAY.namespace, podLabels = ENVOY_GATEWAY.labels } = pods;
    const target = targetOf({ name: 'envoy-gateway', namespace, podLabels, port: ENVOY_GATEWAY.port }, false);
    return new WatchedController(target, ['down', 'envoyGatewayFailing']);
  }

  /**
   * The installations that an app has so far, in the order in which they were made.
   *
   * @param scope any construct of the app
   */
  public static installedIn(scope: IConstruct): WatchedController[] {
    refuseWrongValue('WatchedController.installedIn', 'the scope', 'IConstruct', scope);
    return scope.node.root.node.findAll().flatMap((found) => {
      if (found instanceof AwsLoadBalancerControllerInstallation) {
        return [WatchedController.awsLoadBalancerController(found)];
      }
      if (found instanceof AwsCloudControllerManagerInstallation) {
        return [WatchedController.awsCloudControllerManager(found)];
      }
      return found instanceof StrimziClusterOperatorInstallation ? [WatchedController.strimzi(found)] : [];
    });
  }

  /** Name in alerts and in the names of its scrape configuration. */
  public readonly name: string;

  private constructor(
    private readonly target: ScrapeTarget,
    private readonly alerts: readonly string[],
    private readonly values: AlertValues = {},
  ) {
    this.name = target.name;
  }

  /** @internal */
  public get _watched(): ScrapedTarget {
    const { target, alerts, values } = this;
    return { target, alerts, values };
  }
}

function refuseOtherInstallation(factory: string, type: new (...args: never[]) => object, installation: object): void {
  const what = `WatchedController.${factory}: the installation`;
  refuseOther(what, type.name, installation, installation instanceof type);
}

function targetOf(watched: WatchedInstallation, isGuarded: boolean): ScrapeTarget {
  const { name, namespace = 'default', podLabels, port } = watched;
  const labels = { [CONTROLLER_LABEL]: `${namespace}/${name}` };
  return { name, namespace, podLabels, port, path: METRICS_PATH, isGuarded, labels };
}

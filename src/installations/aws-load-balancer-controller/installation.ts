import { type ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { AWS_LBC_CLASS, AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { encodeNlbOptions } from '../../controllers/aws-load-balancer-controller/answers';
import { AwsLoadBalancerController } from '../../controllers/aws-load-balancer-controller/controller';
import type { AwsLoadBalancerControllerNlbOptions } from '../../controllers/aws-load-balancer-controller/options';
import { isUnresolved } from '../../identity/aws/aws-arn';
import { AwsLoadBalancerControllerPolicy } from '../../identity/aws/aws-load-balancer-controller-policy';
import { AwsPartition } from '../../identity/aws/aws-partition';
import type { IamPolicy } from '../../identity/aws/iam-policy';
import { AwsLoadBalancerControllerFeature } from '../../identity/aws/options';
import { RuleSet } from '../../rules/rule-set';
import { validateProps } from '../../rules/warnings';
import { refusal } from '../construct-rules';
import { filledTemplate, type WatchedInstallation } from '../objects';
import type { ClassClaim } from './controllers';
import { KUBE_SYSTEM, PORT_NAMES, SELECTOR } from './installation.facts';
import { gatesOf, makeObjects } from './objects';
import type { AwsLoadBalancerControllerInstallationProps } from './options';
import { checkInstallation, servedRules } from './rules';
import { AwsLoadBalancerControllerVersion } from './version';

const FEATURES_OF_GATES: Readonly<Record<string, AwsLoadBalancerControllerFeature>> = {
  EnableCertificateManagement: AwsLoadBalancerControllerFeature.CERTIFICATE_MANAGEMENT,
  EnableRGTAPI: AwsLoadBalancerControllerFeature.TAGGING_API,
  GlobalAcceleratorController: AwsLoadBalancerControllerFeature.GLOBAL_ACCELERATOR,
  // a TLS listener of a Gateway that names no certificate has one looked up by host name: pkg/gateway/model/model_build_listener.go
  NLBGatewayAPI: AwsLoadBalancerControllerFeature.CERTIFICATE_DISCOVERY,
};

/**
 * The AWS Load Balancer Controller itself, as its vendor installs it: Deployment, permissions, kinds, webhooks, IngressClass.
 *
 * It differs from the vendor's chart in this:
 * - no certificate is made when manifests are written;
 * - the webhook that gives its class to Services is off, and if it is on, only Services that want a class wait for it;
 * - while the controller is away, no webhook stops Pods of the system, Ingresses of others, or finalizers from being removed;
 * - webhooks, permissions and kinds are those of the features that are on;
 * - the gates of the Gateway API are off unless they are wanted, whatever kinds the cluster has;
 * - a Service that is no load balancer any more loses its balancer.
 *
 * It must outlive everything that it serves: deleted first, it leaves Services and namespaces hanging and balancers behind.
 * So it belongs into a chart of its own.
 *
 * @see https://kubernetes-sigs.github.io/aws-load-balancer-controller/v3.5/deploy/installation/
 * @example
 * const alb = new AwsLoadBalancerControllerInstallation(chart, 'Controller', {
 *   clusterName: 'prod',
 *   region: 'eu-west-1',
 *   vpcId: 'vpc-0123456789abcdef0',
 *   identity: AwsIdentity.podIdentity(),
 *   certificate: WebhookCertificate.certManager(),
 * });
 * const controller = alb.nlb();
 * const policies = alb.permissions.split();
 */
export class AwsLoadBalancerControllerInstallation extends Construct {
  /** The Deployment, for patches and dependencies. */
  public readonly deployment: ApiObject;

  /** The service account, for patches. */
  public readonly serviceAccount: ApiObject;

  /** Cluster-wide permissions, for patches: secrets are not among it, which sign-in by OIDC at Ingresses needs. */
  public readonly clusterRole: ApiObject;

  /** The namespace that it runs in. */
  public readonly namespace: string;

  /** The name of its service account, for the trust policy of its role. */
  public readonly serviceAccountName: string;

  /** The name of the cluster, which it has by flag. */
  public readonly clusterName: string;

  /** The class of Services that it serves. */
  public readonly loadBalancerClass: string;

  /** The version that is installed. */
  public readonly version: AwsLoadBalancerControllerVersion;

  private readonly gates: Readonly<Record<string, boolean>>;
  private readonly certificateSecret: string;

  /**
   * An installation of the AWS Load Balancer Controller.
   *
   * @param props what is wished for
   * @throws when a prop is of another kind than its own
   */
  public constructor(
    scope: Construct,
    id: string,
    private readonly props: AwsLoadBalancerControllerInstallationProps,
  ) {
    validateProps(scope, id, 'AwsLoadBalancerControllerInstallationProps', props);
    super(scope, id);
    this.version = props.version ?? AwsLoadBalancerControllerVersion.V3_5_0;
    this.namespace = props.namespace ?? Chart.of(this).namespace ?? KUBE_SYSTEM;
    this.clusterName = props.clusterName;
    this.loadBalancerClass = props.loadBalancerClass ?? AWS_LBC_CLASS;
    this.gates = gatesOf(props.featureGates);
    const { version } = this.version;
    const { namespace, gates } = this;
    this.serviceAccountName = props.name ?? AWS_LBC_CONTROLLER;
    const objects = makeObjects(this, { props, name: this.serviceAccountName, namespace, gates, version });
    this.deployment = objects.deployment;
    this.serviceAccount = objects.serviceAccount;
    this.clusterRole = objects.clusterRole;
    this.certificateSecret = objects.certificateSecret;
    checkInstallation(this, {
      ...objects,
      version: this.version,
      loadBalancerClass: this.loadBalancerClass,
      writesCrds: props.crds !== false,
      nlbOnly: props.nlbOnly === true,
      gatewayApiCrds: props.gatewayApiCrds,
      serviceMutatorWebhook: props.serviceMutatorWebhook === true,
      reservesCapacity: reservesCapacity(props),
    });
  }

  /**
   * A controller object for Services that this installation serves: of its class, and with its webhook.
   *
   * @param options what a Service wishes of it
   * @throws when they name another class or webhook, something that a feature gate has switched off, or what the role of an
   * installation for NLBs only may not do
   */
  public nlb(options: AwsLoadBalancerControllerNlbOptions = {}): AwsLoadBalancerController {
    const { loadBalancerClass, props } = this;
    const serviceMutatorWebhook = props.serviceMutatorWebhook === true;
    this.refuse(
      (options.loadBalancerClass ?? loadBalancerClass) !== loadBalancerClass,
      `serves class '${loadBalancerClass}', and the options name '${options.loadBalancerClass}'`,
      'leave the class out',
    );
    this.refuse(
      (options.serviceMutatorWebhook ?? serviceMutatorWebhook) !== serviceMutatorWebhook,
      `has the webhook for Services ${serviceMutatorWebhook ? 'on' : 'off'}, but the options differ`,
      'leave serviceMutatorWebhook out',
    );
    // what the gate means for Services without the annotation is set, so that rules for Services know of it
    const enableTcpUdpListener = options.enableTcpUdpListener ?? (this.gates.EnableTCPUDPListener ? true : undefined);
    const given = { ...options, enableTcpUdpListener, loadBalancerClass, serviceMutatorWebhook };
    this.refuseUnserved({ metadata: { annotations: encodeNlbOptions(given, loadBalancerClass) } });
    return AwsLoadBalancerController.nlb(given);
  }

  /**
   * Permissions that its AWS role needs: everything, or what Network Load Balancers need (`nlbOnly`), and what its
   * feature gates and `policyFeatures` want in addition, for this cluster alone and in the partition of the region. Where the region is a token,
   * the partition is the commercial one: ask `AwsLoadBalancerControllerPolicy` for another.
   *
   * @throws when the region is not an AWS region, or `vpcArn` is not an ARN of a VPC or of another partition
   */
  public get permissions(): IamPolicy {
    const { clusterName, props, gates } = this;
    const options = {
      clusterName,
      partition: isUnresolved(props.region) ? undefined : AwsPartition.ofRegion(props.region),
      features: [
        ...Object.keys(FEATURES_OF_GATES)
          .filter((gate) => gates[gate])
          .map((gate) => FEATURES_OF_GATES[gate]),
        ...(props.policyFeatures ?? []),
      ],
      isolation: props.isolation,
      vpcArn: props.vpcArn,
    };
    return props.nlbOnly
      ? AwsLoadBalancerControllerPolicy.nlbOnly(options)
      : AwsLoadBalancerControllerPolicy.full(options);
  }

  /** @internal */
  public get _claiming(): ClassClaim {
    const { loadBalancerClass, namespace, props } = this;
    return { loadBalancerClass, namespace, webhook: props.serviceMutatorWebhook === true };
  }

  /** @internal */
  public get _watched(): WatchedInstallation {
    const { namespace, certificateSecret, serviceAccountName: name } = this;
    const podLabels = filledTemplate(SELECTOR, { name });
    return { name, namespace, podLabels, port: PORT_NAMES.metrics, certificateSecret };
  }

  private refuseUnserved(service: Json): void {
    const gates = Object.fromEntries(Object.entries(this.gates).map(([gate, on]) => [gate, String(on)]));
    const serving = { gates, flags: this.props.flags ?? {}, reservesCapacity: reservesCapacity(this.props) };
    const [refused] = new RuleSet(servedRules(serving), AWS_LBC_CONTROLLER).check(service, serving).errors;
    if (refused) {
      this.refuse(true, refused.what, refused.remedy);
    }
  }

  private refuse(wrong: boolean, what: string, remedy: string): void {
    if (wrong) {
      throw refusal(
        'controller-installation-mismatch',
        `[${this.node.path}] ${AWS_LBC_CONTROLLER}: ${what}; ${remedy}`,
      );
    }
  }
}

function reservesCapacity({ nlbOnly, policyFeatures }: AwsLoadBalancerControllerInstallationProps): boolean {
  return !nlbOnly || policyFeatures?.includes(AwsLoadBalancerControllerFeature.LOAD_BALANCER_CAPACITY) === true;
}

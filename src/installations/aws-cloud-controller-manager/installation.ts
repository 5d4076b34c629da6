import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { AwsCloudProvider } from '../../controllers/aws-cloud-provider/controller';
import type {
  AwsCloudProviderClassicOptions,
  AwsCloudProviderNlbOptions,
} from '../../controllers/aws-cloud-provider/options';
import { AwsCloudControllerManagerPolicy } from '../../identity/aws/aws-cloud-controller-manager-policy';
import { AwsIdentity } from '../../identity/aws/aws-identity';
import type { IamPolicy } from '../../identity/aws/iam-policy';
import { AwsCloudControllerFeature } from '../../identity/aws/options';
import { validateProps } from '../../rules/warnings';
import { refusal } from '../construct-rules';
import type { WatchedInstallation } from '../objects';
import { registerInstallation } from './controllers';
import * as facts from './installation.facts';
import { makeObjects, USUAL_FEATURES } from './objects';
import type { AwsCloudControllerManagerInstallationProps } from './options';
import { checkInstallation } from './rules';

/**
 * The AWS cloud controller manager: for clusters that run their own control plane. EKS runs one that cannot be configured.
 *
 * It differs from the manifests of its project in this:
 * - it may do what its controllers call, and neither make nodes nor ask for tokens of other service accounts;
 * - its cloud config is part of it, and its pods start anew when that changes;
 * - the name of the cluster is always passed;
 * - its container gains no rights and writes no file, and the kubelet asks whether it lives, unless `flags` say where it listens;
 * - with the network of its node it also runs on nodes that have no other network yet.
 *
 * It must outlive the Services that it serves: deleted first, it leaves them in Terminating, and their balancers behind. So it
 * belongs into a chart of its own.
 *
 * @see https://cloud-provider-aws.sigs.k8s.io/getting_started/
 */
export class AwsCloudControllerManagerInstallation extends Construct {
  /** The DaemonSet, or the Deployment, for patches and dependencies. */
  public readonly workload: ApiObject;

  /** The service account, for patches. */
  public readonly serviceAccount: ApiObject;

  /** Cluster-wide permissions, for patches. */
  public readonly clusterRole: ApiObject;

  /** The ConfigMap with its cloud config. */
  public readonly cloudConfig: ApiObject;

  /** The namespace that it runs in: `kube-system`, where its lease always is. */
  public readonly namespace: string = facts.CCM_NAMESPACE;

  /** The name of its service account, for the trust policy of its role. */
  public readonly serviceAccountName: string = facts.CCM_NAMES.serviceAccount;

  /** The name of the cluster, which it has by flag. */
  public readonly clusterName: string;

  private readonly features: AwsCloudControllerFeature[];
  private readonly version: KubernetesVersion;
  private readonly managesGroups: boolean;
  private readonly port: number;

  /**
   * An installation of the AWS cloud controller manager.
   *
   * @param props what is wished for
   * @throws when a prop is of another kind than its own, or the version is not valid
   */
  public constructor(scope: Construct, id: string, props: AwsCloudControllerManagerInstallationProps) {
    validateProps(scope, id, 'AwsCloudControllerManagerInstallationProps', props);
    super(scope, id);
    const { features = [...USUAL_FEATURES], version = facts.CCM_VERSION } = props;
    if (!facts.VERSION_SYNTAX.test(version)) {
      this.refuse(`is of version '${version}', which is not valid`, `write it like ${facts.CCM_VERSION}, without a v`);
    }
    const { clusterName, cloudConfig, identity = AwsIdentity.nodeRole() } = props;
    this.port = Number(props.flags?.['secure-port'] ?? facts.CCM_HEALTH.port);
    this.clusterName = clusterName;
    this.features = features;
    this.version = KubernetesVersion.of(version);
    this.managesGroups = cloudConfig?.nlbSecurityGroups === true;
    const objects = makeObjects(this, props, identity.serviceAccountAnnotations);
    this.serviceAccount = objects.ServiceAccount;
    this.clusterRole = objects.ClusterRole;
    this.cloudConfig = objects.CloudConfig;
    this.workload = objects.Workload;
    checkInstallation(this, {
      workload: this.workload,
      configMap: this.cloudConfig,
      serviceAccount: this.serviceAccount,
      clusterRole: this.clusterRole,
      version,
    });
    registerInstallation(this, { clusterName, region: cloudConfig?.region, vpcId: cloudConfig?.vpcId });
  }

  /**
   * A controller object for Services that get a Network Load Balancer from this installation.
   *
   * @param options what a Service wishes of it
   * @throws when the feature is off, when the options name another version, or security groups that the cloud config
   * or the version does not allow
   */
  public nlb(options: AwsCloudProviderNlbOptions = {}): AwsCloudProvider {
    this.mustServe(AwsCloudControllerFeature.NETWORK_LOAD_BALANCERS);
    const { managesGroups, version } = this;
    if (options.version !== undefined && options.version.version !== version.version) {
      this.refuse(
        `is of version ${version.version}, but the options have ${options.version.version}`,
        'leave version out',
      );
    }
    if (options.securityGroups !== undefined && !managesGroups) {
      this.refuse(
        `makes Network Load Balancers without security groups, and the options name ${options.securityGroups.join(', ')}`,
        'set cloudConfig.nlbSecurityGroups, or leave securityGroups out',
      );
    }
    return AwsCloudProvider._installedNlb({ ...options, version }, managesGroups);
  }

  /**
   * A controller object for Services that get a Classic Load Balancer from this installation.
   *
   * @param options what a Service wishes of it
   * @throws when the feature is off
   */
  public classic(options: AwsCloudProviderClassicOptions = {}): AwsCloudProvider {
    this.mustServe(AwsCloudControllerFeature.CLASSIC_LOAD_BALANCERS);
    return AwsCloudProvider.classic(options);
  }

  /**
   * Permissions that its AWS role needs: what the program calls for its features. Where `cloudConfig` names a
   * role, it is for that one, and the role of the pod needs `AwsCloudControllerManagerPolicy.assuming`.
   */
  public get permissions(): IamPolicy {
    return AwsCloudControllerManagerPolicy.only(this.features);
  }

  /** @internal */
  public get _watched(): WatchedInstallation {
    const { namespace, port } = this;
    const { name } = this.workload;
    return { name, namespace, podLabels: { [facts.CCM_LABEL]: name }, port };
  }

  private mustServe(feature: AwsCloudControllerFeature): void {
    if (!this.features.includes(feature)) {
      this.refuse(
        `makes no load balancers of the kind '${feature}', since that is not among its features`,
        'add it to features, or use the controller that serves instead',
      );
    }
  }

  private refuse(what: string, remedy: string): never {
    throw refusal('controller-installation-mismatch', `[${this.node.path}] ${facts.CCM}: ${what}; ${remedy}`);
  }
}

import type { Duration } from 'cdk8s';
import type { HealthCheckProtocol, LoadBalancerScheme } from '../../contract/options';
import type { NlbAttributes, NlbIpAddressType, NlbTargetType } from '../aws-load-balancer-controller/options';

/**
 * Options of the load balancing of EKS Auto Mode.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/auto-configure-nlb.html
 */
export interface EksAutoModeOptions {
  /**
   * Whether the finalizer of EKS Auto Mode is declared in the manifest. Its name, `service.eks.amazonaws.com/resources`,
   * is known from manifests of third parties only: a wrong one would block the deletion of the Service for ever.
   * @default false - left to the controller
   */
  readonly declareFinalizer?: boolean;
  /**
   * Whether nodes or pods are targets. Always written, since the default differs between the controllers of AWS. Changing
   * it replaces the target groups.
   * @default NlbTargetType.IP
   */
  readonly targetType?: NlbTargetType;
  /**
   * Whether the balancer is public, for all requests that do not say it. Changing it replaces the balancer, with a new
   * DNS name.
   * @default LoadBalancerScheme.INTERNAL
   */
  readonly scheme?: LoadBalancerScheme;
  /**
   * The address families of the balancer.
   * @default - the families of the request; else IPv4
   */
  readonly ipAddressType?: NlbIpAddressType;
  /**
   * Attributes of the balancer, such as cross-zone balancing and access logs.
   * @default - AWS's
   */
  readonly loadBalancerAttributes?: NlbAttributes;
  /**
   * The subnets of the balancer, by id or by the value of their Name tag: one each zone.
   * @default - found by their tags, which Auto Mode requires
   */
  readonly subnets?: string[];
  /**
   * Certificates by ARN, the default one first: they make listeners of TCP ports speak TLS.
   * @default - no TLS
   */
  readonly sslCert?: string[];
  /**
   * The ports, by name or number, that speak TLS.
   * @default - all TCP ports, where there is a certificate
   */
  readonly sslPorts?: string[];
  /**
   * Tags for what AWS makes. The role of the cluster needs a permission more for it.
   * @default - none
   */
  readonly additionalResourceTags?: { [key: string]: string };
  /**
   * The protocol of health checks.
   * @default - the controller's
   */
  readonly healthCheckProtocol?: HealthCheckProtocol;
  /**
   * The port of health checks: a number, the name of a port of the Service, or `traffic-port`.
   * @default - the controller's
   */
  readonly healthCheckPort?: string;
  /**
   * The path of health checks by HTTP and HTTPS; ignored with TCP.
   * @default - the controller's
   */
  readonly healthCheckPath?: string;
  /**
   * The time between two health checks, 5 to 300 seconds.
   * @default - the controller's
   */
  readonly healthCheckInterval?: Duration;
  /**
   * How long a health check waits for an answer, 2 to 120 seconds.
   * @default - the controller's
   */
  readonly healthCheckTimeout?: Duration;
  /**
   * Successes in a row that make a target healthy, 2 to 10.
   * @default - the controller's
   */
  readonly healthCheckHealthyThreshold?: number;
  /**
   * Failures in a row that take a target out, 2 to 10.
   * @default - the controller's
   */
  readonly healthCheckUnhealthyThreshold?: number;
  /**
   * Status codes that count as healthy: `200-399`, `200,204`. Ignored with TCP.
   * @default - the controller's
   */
  readonly healthCheckSuccessCodes?: string;
}

/**
 * What a controller is to do beside Network Load Balancers, and needs permissions for.
 */
export enum AwsLoadBalancerControllerFeature {
  /** Application Load Balancers: Ingresses and Gateways of the class for HTTP. */
  APPLICATION_LOAD_BALANCERS = 'alb',

  /**
   * Certificates of ACM found by host name, for Ingresses and for Gateways of both kinds whose TLS listeners name none. Services
   * name theirs, and need nothing.
   */
  CERTIFICATE_DISCOVERY = 'certificate-discovery',

  /** Certificates that the controller requests and deletes (gate `EnableCertificateManagement`). */
  CERTIFICATE_MANAGEMENT = 'certificate-management',

  /** Sign-in with Cognito at an ALB. */
  COGNITO = 'cognito',

  /** Global Accelerator (gate `GlobalAcceleratorController`). */
  GLOBAL_ACCELERATOR = 'global-accelerator',

  /**
   * Reserved capacity: the annotation `aws-load-balancer-minimum-load-balancer-capacity`, and `minimumLoadBalancerCapacity` of a
   * LoadBalancerConfiguration for Gateways.
   */
  LOAD_BALANCER_CAPACITY = 'capacity',

  /** Resources that the first version of the controller made are taken over. */
  MIGRATION_FROM_V1 = 'migration-from-v1',

  /** AWS Shield. Without it, run the controller with `--enable-shield=false`: it asks for the subscription at every deployment. */
  SHIELD = 'shield',

  /** Tags are read with one call for all (gate `EnableRGTAPI`). */
  TAGGING_API = 'tagging-api',

  /** WAF Classic. Without it, run the controller with `--enable-waf=false`. */
  WAF_CLASSIC = 'waf-classic',

  /** WAFv2. Without it, run the controller with `--enable-wafv2=false`. */
  WAFV2 = 'wafv2',

  /** WAFv2 with web ACLs that an Ingress calls by name. */
  WAFV2_BY_NAME = 'wafv2-by-name',
}

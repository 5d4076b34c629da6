// cert-manager/cert-manager, tag v1.18.2: pkg/apis/certmanager/v1/types.go, deploy/crds; names and durations as the chart of the
// AWS Load Balancer Controller has them: kubernetes-sigs/aws-load-balancer-controller, tag v3.5.0,
// helm/aws-load-balancer-controller/templates/cert-manager.yaml and values.yaml

/** What cert-manager's objects say they are. */
export const CERT_MANAGER_GROUP = 'cert-manager.io';
export const CERT_MANAGER_API_VERSION = 'cert-manager.io/v1';

/** Has the CA bundle of a Certificate written into a webhook configuration. */
export const INJECT_CA_ANNOTATION = 'cert-manager.io/inject-ca-from';

/** How long certificates are good, in hours. */
export const CERTIFICATE_HOURS = { root: 43_800, serving: 8_760, renewBefore: 720 } as const;

/** The shortest lives of certificates, in minutes; its webhook refuses shorter ones. pkg/apis/certmanager/v1/const.go */
export const SHORTEST_MINUTES = { duration: 60, renewBefore: 5 } as const;

/** The longest common name, in characters; its webhook refuses longer ones. internal/apis/certmanager/validation/certificate.go */
export const LONGEST_COMMON_NAME = 64;

/** The kinds of issuers of its own group; other groups have others. */
export const ISSUER_KINDS: readonly string[] = ['ClusterIssuer', 'Issuer'];

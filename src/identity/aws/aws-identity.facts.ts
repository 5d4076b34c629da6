// How pods get an identity of AWS. Amazon EKS user guide, "Associate an IAM role with a service account" and "Create an IAM role
// with trust policy required by EKS Pod Identity" (2026, the edition for China says the same); the annotations:
// aws/amazon-eks-pod-identity-webhook v0.6, README.md; the audience in China: eksctl-io/eksctl#1910

/** Annotations of a ServiceAccount. */
export const ROLE_ARN_ANNOTATION = 'eks.amazonaws.com/role-arn';
export const AUDIENCE_ANNOTATION = 'eks.amazonaws.com/audience';
export const REGIONAL_STS_ANNOTATION = 'eks.amazonaws.com/sts-regional-endpoints';
export const TOKEN_EXPIRATION_ANNOTATION = 'eks.amazonaws.com/token-expiration';

/** Seconds that a token may live for. */
export const TOKEN_SECONDS = { least: 600, most: 86400 } as const;

/** Who takes a role on behalf of pods, in every partition. */
export const POD_IDENTITY_PRINCIPAL = 'pods.eks.amazonaws.com';

/** Whom tokens are meant for, in every partition. */
export const STS_AUDIENCE = 'sts.amazonaws.com';

/** Tags of a session of Pod Identity, as a trust policy can ask for them; "Enable or disable session tags" of the same guide. */
export const CLUSTER_NAME_SESSION_TAG = 'aws:RequestTag/eks-cluster-name';
export const CLUSTER_ARN_SESSION_TAG = 'aws:RequestTag/eks-cluster-arn';
export const NAMESPACE_SESSION_TAG = 'aws:RequestTag/kubernetes-namespace';
export const SERVICE_ACCOUNT_SESSION_TAG = 'aws:RequestTag/kubernetes-service-account';

/**
 * Which ServiceAccount may take a role with a token of its cluster.
 */
export interface AwsIrsaTrustOptions {
  /** The namespace of the ServiceAccount. */
  readonly namespace: string;

  /** The name of the ServiceAccount. */
  readonly serviceAccount: string;

  /**
   * The ARN of the OIDC provider that the account has for the cluster. Either this, or `issuer` and `accountId`.
   *
   * @default - made of `issuer` and `accountId`
   */
  readonly oidcProviderArn?: string;

  /**
   * The issuer of the cluster's tokens, without `https://`: `oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF`.
   *
   * @default - the one that is in `oidcProviderArn`
   */
  readonly issuer?: string;

  /**
   * The account of the OIDC provider.
   *
   * @default - the one that is in `oidcProviderArn`
   */
  readonly accountId?: string;

  /**
   * Whom the tokens are meant for. It is the same in every partition; only a cluster whose webhook was configured otherwise differs.
   *
   * @default 'sts.amazonaws.com'
   */
  readonly audience?: string;
}

/**
 * Whom EKS may give a role to. EKS gives it to the pods of the associations that name it; this narrows what an association may
 * say, by the tags of its sessions: one that disables session tags fails then.
 */
export interface AwsPodIdentityTrustOptions {
  /**
   * The name of the only cluster. Clusters of other regions may have the same.
   *
   * @default - any cluster that `clusterArn` leaves
   */
  readonly clusterName?: string;

  /**
   * The ARN of the only cluster.
   *
   * @default - any cluster that `clusterName` leaves
   */
  readonly clusterArn?: string;

  /**
   * The only namespace.
   *
   * @default - any
   */
  readonly namespace?: string;

  /**
   * The only ServiceAccount.
   *
   * @default - any
   */
  readonly serviceAccount?: string;
}

import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { refuseWrongProps } from '../../contract/declared-types';
import { dnsLabelFault, dnsNameFault } from '../../contract/kubernetes-syntax';
import { judgeByRules } from '../../rules/judge-by-rules';
import {
  FEDERATED_CREDENTIAL_KIND,
  MANAGED_IDENTITY_GROUP,
  MANAGED_IDENTITY_VERSION,
  TOKEN_EXCHANGE_AUDIENCE,
} from './azure-identity.facts';
import type { AzureConfigMapValue } from './azure-role-assignment';
import { FEDERATED_CREDENTIAL_RULE_SET } from './azure-rules';

/**
 * Which ServiceAccount may act as which identity of Azure.
 */
export interface AzureFederatedCredentialProps {
  /** The namespace of the ServiceAccount. */
  readonly serviceAccountNamespace: string;

  /** The name of the ServiceAccount. */
  readonly serviceAccount: string;

  /**
   * The UserAssignedIdentity in the same namespace. Either this or `identityArmId`.
   *
   * @default - the one of `identityArmId`
   */
  readonly identityName?: string;

  /**
   * The ID of an identity that is made elsewhere.
   *
   * @default - the one of `identityName`
   */
  readonly identityArmId?: string;

  /**
   * The OIDC issuer URL of the cluster, exactly as its tokens have it: that of AKS ends with a slash. Either this or
   * `issuerFrom`.
   *
   * @default - the one of `issuerFrom`
   */
  readonly issuer?: string;

  /**
   * Where the operator wrote the issuer, with `operatorSpec.configMaps.oidcIssuerProfile` of a ManagedCluster.
   *
   * @default - the one of `issuer`
   */
  readonly issuerFrom?: AzureConfigMapValue;

  /**
   * Whom the tokens are meant for. Sovereign clouds have others.
   *
   * @default 'api://AzureADTokenExchange'
   */
  readonly audience?: string;

  /**
   * The name of the object, and of the credential in Azure: 3 to 120 characters.
   *
   * @default - made by cdk8s from the construct path
   */
  readonly name?: string;

  /**
   * The namespace of the object.
   *
   * @default - the one of the chart
   */
  readonly namespace?: string;

  /**
   * The version of its API.
   *
   * @default 'v1api20230131'
   */
  readonly apiVersion?: string;
}

/**
 * Lets a ServiceAccount act as an identity of Azure without a secret (workload identity). An identity takes 20 of them.
 *
 * @see https://azure.github.io/azure-service-operator/reference/managedidentity/
 */
export class AzureFederatedCredential extends Construct {
  /** The FederatedIdentityCredential, for patches and dependencies. */
  public readonly credential: ApiObject;

  /**
   * A credential for a ServiceAccount.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props which ServiceAccount, and which identity
   * @throws when the namespace or the ServiceAccount has no such name
   */
  public constructor(scope: Construct, id: string, props: AzureFederatedCredentialProps) {
    refuseWrongProps([scope.node.path, id].filter(Boolean).join('/'), 'AzureFederatedCredentialProps', props);
    super(scope, id);
    const { serviceAccountNamespace, serviceAccount, identityName, identityArmId, issuer, issuerFrom } = props;
    const fault = dnsLabelFault(serviceAccountNamespace) ?? dnsNameFault(serviceAccount);
    if (fault !== undefined) {
      throw new Error(
        `${this.node.path}: ${fault}; name one ServiceAccount of one namespace (azure-credential-subject)`,
      );
    }
    this.credential = new ApiObject(this, 'Resource', {
      apiVersion: `${MANAGED_IDENTITY_GROUP}/${props.apiVersion ?? MANAGED_IDENTITY_VERSION}`,
      kind: FEDERATED_CREDENTIAL_KIND,
      metadata: { name: props.name, namespace: props.namespace },
      spec: {
        owner: { name: identityName, armId: identityArmId },
        audiences: [props.audience ?? TOKEN_EXCHANGE_AUDIENCE],
        issuer,
        issuerFromConfig: issuerFrom && { name: issuerFrom.name, key: issuerFrom.key },
        subject: `system:serviceaccount:${serviceAccountNamespace}:${serviceAccount}`,
      },
    });
    judgeByRules(this.credential, FEDERATED_CREDENTIAL_RULE_SET);
  }
}

import { AZURE_WORKLOAD_IDENTITY } from '../refused-identities';
import { CLIENT_ID_ANNOTATION, GUID, TENANT_ID_ANNOTATION, USE_LABEL } from './azure-identity.facts';

/**
 * What the ServiceAccount and the pods carry that act as an identity of Azure. A pod without the label gets no token, and
 * no error is reported.
 */
export class AzureWorkloadIdentity {
  /** What the ServiceAccount must carry. */
  public readonly serviceAccountAnnotations: { [key: string]: string };

  /** What the pods must carry. */
  public readonly podLabels: { [key: string]: string };

  /**
   * An identity for pods.
   *
   * @param clientId the client ID of the identity, which is another GUID than its object ID
   * @param tenantId the tenant, where it is another than that of the cluster
   * @throws when one of them is not a GUID
   */
  public constructor(clientId: string, tenantId?: string) {
    const wrong = [clientId, ...(tenantId === undefined ? [] : [tenantId])].find((id) => !GUID.test(id));
    if (wrong !== undefined) {
      throw new Error(
        `AzureWorkloadIdentity: '${wrong}' is not a GUID; write the client ID of the identity, and the ID of the tenant (${AZURE_WORKLOAD_IDENTITY.id})`,
      );
    }
    this.serviceAccountAnnotations = {
      [CLIENT_ID_ANNOTATION]: clientId,
      ...(tenantId !== undefined && { [TENANT_ID_ANNOTATION]: tenantId }),
    };
    this.podLabels = { [USE_LABEL]: 'true' };
  }
}

import { dnsLabelFault, dnsNameFault } from '../../contract/kubernetes-syntax';
import { GCP_WORKLOAD_IDENTITY } from '../refused-identities';
import { PROJECT_ID, PROJECT_NUMBER, SERVICE_ACCOUNT_ANNOTATION, SERVICE_ACCOUNT_EMAIL } from './gcp-identity.facts';

function refuse(what: string, remedy: string): never {
  throw new Error(`GcpWorkloadIdentity: ${what}; ${remedy} (${GCP_WORKLOAD_IDENTITY.id})`);
}

/**
 * A ServiceAccount of a cluster, as Google's IAM knows it. Load balancers of GKE need none: Google runs their controllers.
 *
 * @see https://cloud.google.com/kubernetes-engine/docs/how-to/workload-identity
 */
export class GcpWorkloadIdentity {
  /**
   * A ServiceAccount. All clusters of a project share the names: the same namespace and name in another cluster is the same
   * identity.
   *
   * @param projectId the project of the cluster
   * @param namespace the namespace of the ServiceAccount
   * @param serviceAccount its name
   * @throws when one of them has no such name
   */
  public static of(projectId: string, namespace: string, serviceAccount: string): GcpWorkloadIdentity {
    const fault = dnsLabelFault(namespace) ?? dnsNameFault(serviceAccount);
    if (!PROJECT_ID.test(projectId)) {
      refuse(`'${projectId}' is not the ID of a project`, 'write its ID, not its number or its display name');
    }
    if (fault !== undefined) {
      refuse(fault, 'name one ServiceAccount of one namespace');
    }
    return new GcpWorkloadIdentity(projectId, namespace, serviceAccount);
  }

  /**
   * What a ServiceAccount carries that acts as a service account of Google.
   *
   * @param email the address of the service account of Google
   * @throws when it is no such address
   */
  public static serviceAccountAnnotations(email: string): { [key: string]: string } {
    if (!SERVICE_ACCOUNT_EMAIL.test(email)) {
      refuse(
        `'${email}' is not the address of a service account`,
        'write its address, such as edge@my-project.iam.gserviceaccount.com',
      );
    }
    return { [SERVICE_ACCOUNT_ANNOTATION]: email };
  }

  private constructor(
    private readonly projectId: string,
    private readonly namespace: string,
    private readonly serviceAccount: string,
  ) {}

  /** The member that may act as a service account of Google, with `roles/iam.workloadIdentityUser`. */
  public get member(): string {
    return `serviceAccount:${this.projectId}.svc.id.goog[${this.namespace}/${this.serviceAccount}]`;
  }

  /**
   * The member that is given a role directly, without a service account of Google and without an annotation.
   *
   * @param projectNumber the number of the project
   * @throws when it is no number
   */
  public principal(projectNumber: string): string {
    if (!PROJECT_NUMBER.test(projectNumber)) {
      refuse(`'${projectNumber}' is not a project number`, 'write the number here, and not the ID');
    }
    const pool = `projects/${projectNumber}/locations/global/workloadIdentityPools/${this.projectId}.svc.id.goog`;
    return `principal://iam.googleapis.com/${pool}/subject/ns/${this.namespace}/sa/${this.serviceAccount}`;
  }
}

import { GCP_PROJECT } from '../refused-identities';
import { PROJECT_ID } from './gcp.facts';

/**
 * What a role is given on.
 */
export class GcpResourceRef {
  /**
   * A project.
   *
   * @param projectId its ID
   * @throws when it is not the ID of a project
   */
  public static project(projectId: string): GcpResourceRef {
    if (!PROJECT_ID.test(projectId)) {
      throw new Error(
        `GcpResourceRef: '${projectId}' is not the ID of a project; write its ID, not its number or its display name (${GCP_PROJECT.id})`,
      );
    }
    return new GcpResourceRef({ kind: 'Project', external: `projects/${projectId}` });
  }

  /**
   * A resource that is no object of the cluster.
   *
   * @param kind the kind that Config Connector has for it, such as `ComputeSubnetwork`
   * @param reference its name in Google's API: `projects/shared/regions/europe-west1/subnetworks/edge`
   */
  public static external(kind: string, reference: string): GcpResourceRef {
    return new GcpResourceRef({ kind, external: reference });
  }

  /**
   * An object of the cluster.
   *
   * @param kind its kind
   * @param name its name
   * @param namespace its namespace, where it is another
   */
  public static ofObject(kind: string, name: string, namespace?: string): GcpResourceRef {
    return new GcpResourceRef({ kind, name, ...(namespace !== undefined && { namespace }) });
  }

  private constructor(private readonly json: object) {}

  /** @internal */
  public _toJson(): object {
    return this.json;
  }
}

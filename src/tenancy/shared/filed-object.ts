import type { ApiObject } from 'cdk8s';

/** An object of a tenant's file. */
export interface FiledObject {
  readonly object: ApiObject;
  readonly tenant: string;
  /** The path of the construct that read the file. */
  readonly path: string;
  /** File and line. */
  readonly place: string;
}

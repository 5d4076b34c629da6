import type { Edit } from '../contract/edit';
import type { Json } from '../contract/json';

/** Whether an edit can reach the balancer of a Service. */
export enum Reach {
  YES = 'yes',
  NO = 'no',
  /** The Service does not say it. */
  PERHAPS = 'perhaps',
}

/** What other labels of a Service do, and whether objects that selected it are known to reach its balancer. */
export type LabelsEdit = { readonly edit: Edit; readonly reach: Reach };

/** The edit of an object on which the balancer of a Service hangs without being made of it. */
export interface EditBeside {
  /** The row of the table of its kind; the empty one where the object comes or goes. */
  readonly row: string;
  /** The object; nothing on a side that does not have it. */
  readonly object: { readonly before?: Json; readonly after?: Json };
  readonly service: { readonly before: Json; readonly after: Json };
  /** All objects of the kinds of its controller. */
  readonly objects: { readonly before: readonly Json[]; readonly after: readonly Json[] };
}

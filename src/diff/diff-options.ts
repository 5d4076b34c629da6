import type { Writer } from '../lifecycle/writers.facts';

/** What is known of how a change is applied. */
export interface DiffOptions {
  /** Whether objects that are not in the manifests any more are deleted; nothing where it is not known. */
  readonly prune?: boolean;
  /** How the manifests are applied; the worst of client-side and server-side apply where it is not known. */
  readonly writer?: Writer;
}

import type { Document } from '../../attachment/attachment';

/** Objects as the hook is sent them: by kind (`TCPRoute.group/version`), then by `namespace/name`. */
export type ObjectMap = Readonly<Record<string, Readonly<Record<string, Document>> | null>>;

/** What the hook is asked: what is to be there for a Service. */
export interface SyncRequest {
  readonly object: Document;
  /** What was made for the Service before. */
  readonly attachments?: ObjectMap | null;
  /** What `customize` asked for. */
  readonly related?: ObjectMap | null;
}

/** What is to be there; a status of null is left as it is. */
export interface SyncAnswer {
  readonly status: Document | null;
  readonly attachments: readonly Document[];
  /** Annotations to write; null removes one. */
  readonly annotations?: Readonly<Record<string, string | null>>;
}

/** Objects of one kind, whatever their version. */
export function ofKind(map: ObjectMap | null | undefined, kind: string): Document[] {
  return Object.entries(map ?? {})
    .filter(([key]) => key.split('.', 1)[0] === kind)
    .flatMap(([, objects]) => Object.values(objects ?? {}));
}

/** Whether an object is controlled by a Service: by this very one, not by another of its name. */
export function isOf(object: Document, service: Document): boolean {
  const owners: Document[] = object.metadata.ownerReferences ?? [];
  return owners.some(({ controller, uid }) => controller === true && uid === service.metadata.uid);
}

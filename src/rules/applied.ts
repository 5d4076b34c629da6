import { type Json, list, mapIn, mapOfJson, mapsIn } from '../contract/json';
import { LAST_APPLIED_ANNOTATION } from '../contract/kubernetes.facts';
import { annotationsOf } from './service-json';

/** What shows who wrote a field: what kubectl applied last, and the managers that applied. */
export class Applied {
  private readonly last?: Json;
  private readonly managed?: readonly Json[];

  public constructor(object: Json) {
    const text: unknown = annotationsOf(object)[LAST_APPLIED_ANNOTATION];
    this.last = mapOfJson(text);
    const managed = mapIn(object, 'metadata').managedFields;
    const applied = Array.isArray(managed) ? mapsIn(mapIn(object, 'metadata'), 'managedFields').filter(isApplied) : [];
    this.managed = applied.length > 0 ? applied : undefined;
  }

  /** Whether the object shows it at all. */
  public get isKnown(): boolean {
    return this.last !== undefined || this.managed !== undefined;
  }

  /** Whether a manifest had a field of `spec`. */
  public hasInSpec(field: string): boolean {
    return (
      mapIn(this.last, 'spec')[field] !== undefined ||
      (this.managed ?? []).some(({ fieldsV1 }) => `f:${field}` in mapIn(fieldsV1, 'f:spec'))
    );
  }

  public hasAnnotation(key: string): boolean {
    return (
      annotationsOf(this.last ?? {})[key] !== undefined ||
      (this.managed ?? []).some(({ fieldsV1 }) => `f:${key}` in mapIn(mapIn(fieldsV1, 'f:metadata'), 'f:annotations'))
    );
  }

  public hasFinalizer(finalizer: string): boolean {
    return (
      list<unknown>(mapIn(this.last, 'metadata').finalizers).includes(finalizer) ||
      (this.managed ?? []).some(
        ({ fieldsV1 }) => `v:${JSON.stringify(finalizer)}` in mapIn(mapIn(fieldsV1, 'f:metadata'), 'f:finalizers'),
      )
    );
  }
}

/**
 * kubectl and Helm have names of their own for what they apply without the server; what a controller updates is no manifest's.
 * helm/helm v3.19.0, pkg/kube/client.go, getManagedFieldsManager
 */
function isApplied({ manager, operation, subresource }: Json): boolean {
  return !subresource && (operation === 'Apply' || /^(kubectl($|-)|helm$)/.test(String(manager)));
}

/**
 * Whether a controller has written something on an object of a cluster: the object has what the API server gives it, and
 * nothing shows that a manifest has it.
 *
 * @param inManifest whether a manifest had it, as far as the object shows that
 */
export function isOfController(object: Json, inManifest: (applied: Applied) => boolean): boolean {
  return typeof mapIn(object, 'metadata').uid === 'string' && !inManifest(new Applied(object));
}

import { ApiObject, type JsonPatch } from 'cdk8s';

/** A JSON patch that cannot be applied. */
export interface FailedPatch {
  readonly op: string;
  readonly path: string;
  /** The place to which it reaches beside `path`, where it copies or moves. */
  readonly from?: string;
}

/** What cdk8s keeps of the patches of an object. */
interface Patched {
  readonly patches?: readonly (JsonPatch & { _toJson(): FailedPatch })[];
}

/** The first patch of an object that cannot be applied to what the patches before it leave; nothing where all can. */
export function failedPatchOf(object: ApiObject): FailedPatch | undefined {
  const { patches = [] } = object as unknown as Patched;
  const place = patches.findIndex((_, i) => !isRenderedWith(object, patches.slice(0, i + 1)));
  return place >= 0 && isRenderedWith(object, []) ? patches[place]._toJson() : undefined;
}

function isRenderedWith(object: ApiObject, patches: Patched['patches']): boolean {
  const likeIt: ApiObject = Object.create(object, { patches: { value: patches } });
  try {
    ApiObject.prototype.toJson.call(likeIt);
    return true;
  } catch {
    return false;
  }
}

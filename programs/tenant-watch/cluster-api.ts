import type { Document } from '../../src/tenancy/engines/contract/publishing';

/** How a document is changed. */
export type PatchType = 'merge' | 'apply';

const CONTENT_TYPES: Readonly<Record<PatchType, string>> = {
  merge: 'application/merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** An answer of the API server that is an error. */
export class ApiError extends Error {
  public constructor(
    public readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** As much of an API server as is needed. */
export interface ClusterApi {
  get(path: string): Promise<Document>;
  create(path: string, document: Document): Promise<Document>;
  patch(path: string, document: Document, type: PatchType): Promise<Document>;
}

/** The API server at an address, with a token that is read anew for each request, since it is renewed. */
export function clusterApi(address: string, token: () => string, timeoutMs = 10_000): ClusterApi {
  async function request(method: string, path: string, document?: Document, contentType = 'application/json') {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token()}`, accept: 'application/json', 'content-type': contentType },
      body: document && JSON.stringify(document),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new ApiError(response.status, `${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    }
    return JSON.parse(text) as Document;
  }
  return {
    get: (path) => request('GET', path),
    create: (path, document) => request('POST', path, document),
    patch: (path, document, type) => request('PATCH', path, document, CONTENT_TYPES[type]),
  };
}

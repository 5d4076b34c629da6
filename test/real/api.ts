import { Agent, request as send } from 'node:https';

// biome-ignore lint/suspicious/noExplicitAny: objects of any kind, as the API server speaks of them
export type Body = Record<string, any>;

export interface Ref extends Body {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string } & Body;
}

/** What the API server said instead of doing it. */
export class ApiRefusal extends Error {
  public constructor(
    public readonly status: number,
    public readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

export interface WriteOptions {
  /** Who writes. @default 'operator' */
  readonly as?: string;
  readonly dryRun?: boolean;
  /** Take over fields of others, in server-side apply. */
  readonly force?: boolean;
  readonly subresource?: string;
  /** Take what has unknown fields, and drop them, as writers do that do not ask for more. */
  readonly lenient?: boolean;
}

const JSON_TYPE = 'application/json';
const APPLY_TYPE = 'application/apply-patch+yaml';
const MERGE_TYPE = 'application/merge-patch+json';

/** An API server, spoken to with strict field validation unless it is asked for less. */
export class Api {
  private readonly agent: Agent;
  private readonly kinds = new Map<string, { plural: string; namespaced: boolean }>();

  public constructor(
    private readonly port: number,
    private readonly token: string,
    private readonly ca: string,
    private readonly user?: string,
    private readonly groups: readonly string[] = [],
  ) {
    this.agent = new Agent({ ca, keepAlive: true, maxSockets: 32 });
  }

  /** The same API server, with the permissions of somebody else; the groups of a service account are known without a word. */
  public actingAs(user: string, groups: readonly string[] = []): Api {
    return new Api(this.port, this.token, this.ca, user, groups);
  }

  public create<T extends Ref>(object: T, options: WriteOptions = {}): Promise<Body> {
    return this.write('POST', object, object, JSON_TYPE, options, 'collection');
  }

  /** Writes the whole object over what is there. */
  public replace(object: Ref, options: WriteOptions = {}): Promise<Body> {
    return this.write('PUT', object, object, JSON_TYPE, options);
  }

  /** Reads an object and writes it over as a whole, again when somebody else was quicker. */
  public async rewrite(ref: Ref, change: (current: Body) => Ref, options: WriteOptions = {}): Promise<Body> {
    for (;;) {
      try {
        return await this.replace(change(await this.get(ref)), options);
      } catch (error) {
        if (!(error instanceof ApiRefusal && error.reason === 'Conflict')) {
          throw error;
        }
      }
    }
  }

  /** Server-side apply. */
  public apply(object: Ref, options: WriteOptions = {}): Promise<Body> {
    return this.write('PATCH', object, object, APPLY_TYPE, options);
  }

  public merge(ref: Ref, patch: Body, options: WriteOptions = {}): Promise<Body> {
    return this.write('PATCH', ref, patch, MERGE_TYPE, options);
  }

  public async get(ref: Ref): Promise<Body> {
    return this.call('GET', await this.path(ref));
  }

  /** The object, or undefined where there is none. */
  public async find(ref: Ref): Promise<Body | undefined> {
    return this.get(ref).catch((error) => {
      if (error instanceof ApiRefusal && error.status === 404) {
        return undefined;
      }
      throw error;
    });
  }

  public async list(kind: Pick<Ref, 'apiVersion' | 'kind'>, namespace?: string): Promise<Body[]> {
    const ref: Ref = { ...kind, metadata: { name: '', namespace } };
    return (await this.call('GET', await this.path(ref, 'collection'))).items;
  }

  /** Those of all namespaces. */
  public async listAll(kind: Pick<Ref, 'apiVersion' | 'kind'>): Promise<Body[]> {
    const { plural } = await this.resource(kind);
    return (await this.call('GET', `${groupPath(kind.apiVersion)}/${plural}`)).items;
  }

  public async delete(ref: Ref): Promise<void> {
    await this.call('DELETE', await this.path(ref));
  }

  /** @throws ApiRefusal for every answer but a good one. */
  public call(method: string, path: string, body?: unknown, contentType = JSON_TYPE): Promise<Body> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const headers: Record<string, string | number | string[]> = {
        authorization: `Bearer ${this.token}`,
        accept: JSON_TYPE,
      };
      if (this.user !== undefined) {
        headers['impersonate-user'] = this.user;
      }
      if (this.groups.length > 0) {
        headers['impersonate-group'] = [...this.groups];
      }
      if (text !== undefined) {
        headers['content-type'] = contentType;
        headers['content-length'] = Buffer.byteLength(text);
      }
      const request = send(
        { host: '127.0.0.1', port: this.port, method, path, headers, agent: this.agent, timeout: 120_000 },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const answer = Buffer.concat(chunks).toString();
            const status = response.statusCode ?? 0;
            if (status >= 200 && status < 300) {
              resolve(answer.startsWith('{') ? JSON.parse(answer) : { text: answer });
            } else {
              const said = answer.startsWith('{') ? JSON.parse(answer) : { message: answer };
              reject(new ApiRefusal(status, said.reason ?? '', said.message ?? answer));
            }
          });
        },
      );
      request.on('error', reject);
      request.on('timeout', () => request.destroy(new Error(`no answer to ${method} ${path}`)));
      request.end(text);
    });
  }

  public close(): void {
    this.agent.destroy();
  }

  private async write(
    method: string,
    ref: Ref,
    body: unknown,
    contentType: string,
    options: WriteOptions,
    where: 'object' | 'collection' = 'object',
  ): Promise<Body> {
    const query = new URLSearchParams({
      fieldManager: options.as ?? 'operator',
      fieldValidation: options.lenient ? 'Ignore' : 'Strict',
    });
    if (options.dryRun) {
      query.set('dryRun', 'All');
    }
    if (options.force) {
      query.set('force', 'true');
    }
    const path = await this.path(ref, where);
    const below = options.subresource ? `/${options.subresource}` : '';
    return this.call(method, `${path}${below}?${query}`, body, contentType);
  }

  private async path(ref: Ref, where: 'object' | 'collection' = 'object'): Promise<string> {
    const { plural, namespaced } = await this.resource(ref);
    const { name, namespace = 'default' } = ref.metadata;
    const base = groupPath(ref.apiVersion);
    const collection = namespaced ? `${base}/namespaces/${namespace}/${plural}` : `${base}/${plural}`;
    return where === 'object' ? `${collection}/${name}` : collection;
  }

  private async resource({ apiVersion, kind }: Pick<Ref, 'apiVersion' | 'kind'>) {
    const key = `${apiVersion}/${kind}`;
    if (!this.kinds.has(key)) {
      const { resources } = await this.call('GET', groupPath(apiVersion));
      for (const { name, kind: its, namespaced } of resources.filter((each: Body) => !each.name.includes('/'))) {
        this.kinds.set(`${apiVersion}/${its}`, { plural: name, namespaced });
      }
    }
    const found = this.kinds.get(key);
    if (!found) {
      throw new ApiRefusal(404, 'NotFound', `the API server knows no ${kind} of ${apiVersion}`);
    }
    return found;
  }
}

function groupPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

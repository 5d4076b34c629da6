import { ApiError, type ClusterApi } from '../../../programs/tenant-watch/cluster-api';
import type { Document } from '../../../src/tenancy/engines/contract/publishing';

/** An API server of which as much is played as the program that watches tenants asks for. */
export class ClusterInMemory implements ClusterApi {
  public readonly namespaces = new Map<string, Record<string, string>>();
  public readonly services = new Map<string, Document>();
  public readonly listenerSets: Document[] = [];
  public pods: Document[] = [];
  public events: Document[] = [];
  public lists: { path: string; document: Document }[] = [];
  public readonly asked: string[] = [];
  /** Paths that it refuses. */
  public refuses?: RegExp;

  public get(path: string): Promise<Document> {
    return this.answer(`GET ${path}`, () => {
      const url = new URL(path, 'https://api');
      const [, namespace, kind, name] = /\/namespaces\/([^/]+)\/([^/]+)(?:\/(.+))?$/.exec(url.pathname) ?? [];
      const selector = url.searchParams.get('labelSelector')?.split(',') ?? [];
      const selected = (labels: Record<string, string> = {}) =>
        selector.every((pair) => labels[pair.split('=')[0]] === pair.split('=')[1]);
      if (url.pathname === '/api/v1/namespaces') {
        const items = [...this.namespaces].map(([name, labels]) => ({ metadata: { name, labels } }));
        return { items: items.filter(({ metadata: { labels } }) => selected(labels)) };
      }
      if (kind === 'pods') {
        const isHere = ({ metadata }: Document) => metadata.namespace === namespace && selected(metadata.labels);
        return { items: this.pods.filter(isHere) };
      }
      if (kind === 'listenersets') {
        return { items: this.listenerSets.filter(({ metadata }) => metadata.namespace === namespace) };
      }
      return this.services.get(`${namespace}/${name}`);
    });
  }

  public create(path: string, document: Document): Promise<Document> {
    return this.answer(`POST ${path}`, () => {
      this.events.push(document);
      return document;
    });
  }

  public patch(path: string, document: Document, type: string): Promise<Document> {
    return this.answer(`PATCH ${path}`, () => {
      if (type === 'apply') {
        this.lists.push({ path, document });
        return document;
      }
      const name = path.split('/').pop();
      const event = this.events.find(({ metadata }) => metadata.name === name);
      const set = this.listenerSets.find(({ metadata }) =>
        path.endsWith(`/${metadata.namespace}/listenersets/${name}`),
      );
      if (set) set.metadata.annotations = { ...set.metadata.annotations, ...document.metadata.annotations };
      return event ? Object.assign(event, document) : set;
    });
  }

  private answer(request: string, make: () => Document | undefined): Promise<Document> {
    this.asked.push(request);
    if (this.refuses?.test(request)) return Promise.reject(new ApiError(403, `${request}: 403`));
    const made = make();
    return made ? Promise.resolve(made) : Promise.reject(new ApiError(404, `${request}: 404`));
  }
}

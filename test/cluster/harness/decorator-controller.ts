import { type Api, ApiRefusal, type Body } from '../../real/api';
import { pause } from '../../real/program';

/** Marks what a controller has made, beside the reference to the owner. */
const MADE_BY = 'metacontroller.k8s.io/decorator-controller';

/** What the garbage collector puts on an object whose dependents it deletes or leaves behind first. */
const OF_COLLECTOR = ['orphan', 'foregroundDeletion'];

/** How long one that the hook refused waits for its next turn, in ms. */
const BACK_OFF = 500;

/** Refusals that are no lack of rights: of a namespace that goes, of a quota, and of a policy. */
const PASSING = /is being terminated|exceeded quota|denied request/;

interface Resource {
  readonly apiVersion: string;
  readonly resource: string;
}

interface RelatedRule extends Resource {
  readonly namespace?: string;
  readonly names?: readonly string[];
  readonly labelSelector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly namespaceSelector?: { readonly matchLabels?: Readonly<Record<string, string>> };
}

/**
 * A stand-in for Metacontroller, as far as one DecoratorController of hook version v2 needs it: it looks for changes
 * instead of being told of them, calls the hooks, and writes as the real one does (v4.17.2: pkg/controller/decorator): the
 * status, then the object, then what is attached; a conflict is left to the next turn, and a name that is taken as well. Where
 * there is a hook that finalizes, a Service gets a finalizer before anything else, and is looked at while it has it.
 */
export class DecoratorController {
  public calls = 0;
  public refused = 0;
  private isRunning = false;
  private done?: Promise<void>;
  private failure?: Error;
  private readonly seen = new Map<string, string>();
  private readonly rules = new Map<string, RelatedRule[]>();
  private readonly retryAt = new Map<string, number>();
  private readonly againAt = new Map<string, number>();
  private lists = new Map<string, Body[]>();
  private kinds = new Map<string, string>();

  /** @param api with the rights that the controller has */
  public constructor(
    private readonly api: Api,
    private readonly document: Body,
  ) {}

  public start(): void {
    this.isRunning = true;
    this.done = this.run().catch((error) => {
      this.failure = error;
    });
  }

  /** @throws what ended it before */
  public async stop(): Promise<void> {
    this.isRunning = false;
    await this.done;
    if (this.failure) {
      throw this.failure;
    }
  }

  private async run(): Promise<void> {
    while (this.isRunning) {
      await this.look();
      await pause(30);
    }
  }

  private async look(): Promise<void> {
    const { items } = await this.api.call('GET', '/api/v1/services');
    this.lists = new Map();
    const turns = (items as Body[])
      .filter((service) => this.matches(service) || this.hasFinalizer(service))
      .map((service) => ({ ...service, apiVersion: 'v1', kind: 'Service' }));
    for (let i = 0; i < turns.length && this.isRunning; i += 5) {
      await Promise.all(turns.slice(i, i + 5).map((service) => this.turn(service)));
    }
  }

  private matches({ metadata }: Body): boolean {
    const [{ labelSelector }] = this.document.spec.resources;
    return Object.entries(labelSelector.matchLabels).every(([key, value]) => metadata.labels?.[key] === value);
  }

  private get finalizer(): string {
    return `metacontroller.io/decoratorcontroller-${this.document.metadata.name}`;
  }

  private hasFinalizer({ metadata }: Body): boolean {
    return metadata.finalizers?.includes(this.finalizer) === true;
  }

  private async withFinalizer(service: Body): Promise<Body> {
    const { name, namespace, deletionTimestamp, finalizers = [] } = service.metadata;
    if (!this.document.spec.hooks.finalize || this.hasFinalizer(service) || deletionTimestamp !== undefined) {
      return service;
    }
    const metadata = { ...service.metadata, finalizers: [...finalizers, this.finalizer] };
    const path = `/api/v1/namespaces/${namespace}/services/${name}`;
    return { ...(await this.api.call('PUT', path, { ...service, metadata })), apiVersion: 'v1', kind: 'Service' };
  }

  private async turn(found: Body): Promise<void> {
    const { uid } = found.metadata;
    if ((this.retryAt.get(uid) ?? 0) > Date.now()) {
      return;
    }
    try {
      const service = await this.withFinalizer(found);
      const { sync, finalize, customize } = this.document.spec.hooks as Record<string, Body | undefined>;
      if (!this.rules.has(uid)) {
        const { relatedResources } = await this.ask(customize, { controller: this.document, parent: service });
        this.rules.set(uid, relatedResources);
      }
      const attachments = await this.attachedTo(service);
      const related = await this.relatedTo(this.rules.get(uid) ?? []);
      const state = [service, ...attachments, ...related].map(versionOf).join();
      if (this.seen.get(uid) === state && (this.againAt.get(uid) ?? Number.POSITIVE_INFINITY) > Date.now()) {
        return;
      }
      const finalizing =
        finalize !== undefined && (service.metadata.deletionTimestamp !== undefined || !this.matches(service));
      const answer = await this.ask(finalizing ? finalize : sync, {
        controller: this.document,
        object: service,
        attachments: mapOf(attachments),
        related: mapOf(related),
        finalizing,
      });
      await this.write(service, attachments, answer);
      this.seen.set(uid, state);
      this.againAt.delete(uid);
      if (answer.resyncAfterSeconds > 0) {
        this.againAt.set(uid, Date.now() + answer.resyncAfterSeconds * 1000);
      }
    } catch (error) {
      const isPassing = error instanceof ApiRefusal && PASSING.test(error.message);
      if (error instanceof ApiRefusal && error.reason !== 'Conflict' && error.status !== 404 && !isPassing) {
        throw error;
      }
      this.refused++;
      this.retryAt.set(uid, Date.now() + BACK_OFF);
    }
  }

  private async ask(hook: Body | undefined, message: Body): Promise<Body> {
    this.calls++;
    const url = hook?.webhook.url;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(message) });
    const answer = (await response.json()) as Body;
    if (!response.ok) {
      throw new Error(`${url}: ${response.status} ${JSON.stringify(answer)}`);
    }
    return answer;
  }

  private async all({ apiVersion, resource }: Resource): Promise<Body[]> {
    const key = `${apiVersion}/${resource}`;
    let found = this.lists.get(key);
    if (!found) {
      const list = await this.api.call('GET', `${groupPath(apiVersion)}/${resource}`);
      const kind = list.kind.replace(/List$/, '');
      this.kinds.set(`${apiVersion}/${kind}`, resource);
      found = (list.items as Body[]).map((object) => ({ ...object, apiVersion, kind }));
      this.lists.set(key, found);
    }
    return found;
  }

  private async attachedTo({ metadata }: Body): Promise<Body[]> {
    const lists = await Promise.all(((this.document.spec.attachments ?? []) as Resource[]).map((one) => this.all(one)));
    return lists
      .flat()
      .filter(
        (object) =>
          object.metadata.namespace === metadata.namespace &&
          object.metadata.annotations?.[MADE_BY] === this.document.metadata.name &&
          object.metadata.ownerReferences?.some(({ uid, controller }: Body) => controller && uid === metadata.uid),
      );
  }

  private async relatedTo(rules: readonly RelatedRule[]): Promise<Body[]> {
    const spaces = await this.all({ apiVersion: 'v1', resource: 'namespaces' });
    const lists = await Promise.all(
      rules.map(async (rule) => {
        const labels = Object.entries(rule.namespaceSelector?.matchLabels ?? {});
        const selected = spaces.filter(({ metadata }) =>
          labels.every(([key, value]) => metadata.labels?.[key] === value),
        );
        return (await this.all(rule)).filter(
          ({ metadata }) =>
            Object.entries(rule.labelSelector?.matchLabels ?? {}).every(([key, of]) => metadata.labels?.[key] === of) &&
            (rule.namespace ?? metadata.namespace) === metadata.namespace &&
            (!rule.namespaceSelector || selected.some((space) => space.metadata.name === metadata.namespace)) &&
            (rule.names?.includes(metadata.name) ?? true),
        );
      }),
    );
    return lists.flat();
  }

  private async write(service: Body, before: readonly Body[], answer: Body): Promise<void> {
    const status = answer.status ?? service.status;
    const annotations = { ...service.metadata.annotations, ...answer.annotations };
    for (const key of Object.keys(annotations)) {
      if (annotations[key] === null) delete annotations[key];
    }
    const next = { ...service, status, metadata: { ...service.metadata, annotations } };
    const hasNewStatus = !same(service.status, status);
    const path = `/api/v1/namespaces/${service.metadata.namespace}/services/${service.metadata.name}`;
    if (hasNewStatus) {
      const { metadata } = await this.api.call('PUT', `${path}/status`, next);
      next.metadata = { ...next.metadata, resourceVersion: metadata.resourceVersion };
    }
    const isDone = answer.finalized === true && this.hasFinalizer(service);
    if (isDone) {
      const { finalizers } = next.metadata;
      next.metadata = { ...next.metadata, finalizers: finalizers.filter((one: string) => one !== this.finalizer) };
    }
    if (isDone || hasNewStatus || !same(service.metadata.annotations ?? {}, annotations)) {
      await this.api.call('PUT', path, next);
    }
    const { deletionTimestamp, finalizers = [] } = service.metadata;
    const isCollected = (finalizers as string[]).some((one) => OF_COLLECTOR.includes(one));
    if (deletionTimestamp === undefined || (this.hasFinalizer(service) && !isCollected)) {
      await this.writeAttachments(service, before, answer.attachments ?? []);
    }
  }

  private async writeAttachments(service: Body, before: readonly Body[], wanted: readonly Body[]): Promise<void> {
    for (const old of before) {
      if (!wanted.some((one) => isSame(one, old)) && old.metadata.deletionTimestamp === undefined) {
        await this.api.call('DELETE', this.pathOf(old)).catch(unless404);
      }
    }
    for (const one of wanted) {
      const old = before.find((candidate) => isSame(candidate, one));
      if (!old) {
        await this.create(service, one);
      } else if (old.metadata.deletionTimestamp === undefined && !contains(old.spec, one.spec)) {
        await this.api.call('PUT', this.pathOf(old), { ...old, spec: one.spec });
      }
    }
  }

  private async create(service: Body, document: Body): Promise<void> {
    const { apiVersion, kind, metadata } = service;
    const owner = {
      apiVersion,
      kind,
      name: metadata.name,
      uid: metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    };
    const made = {
      ...document,
      metadata: {
        ...document.metadata,
        annotations: { ...document.metadata.annotations, [MADE_BY]: this.document.metadata.name },
        ownerReferences: [owner],
      },
    };
    await this.api.call('POST', this.pathOf(document, false), made).catch((error) => {
      if (!(error instanceof ApiRefusal && error.reason === 'AlreadyExists')) {
        throw error;
      }
    });
  }

  private pathOf({ apiVersion, kind, metadata }: Body, isNamed = true): string {
    const resource = this.kinds.get(`${apiVersion}/${kind}`);
    const collection = `${groupPath(apiVersion)}/namespaces/${metadata.namespace}/${resource}`;
    return isNamed ? `${collection}/${metadata.name}` : collection;
  }
}

function groupPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

function versionOf({ metadata }: Body): string {
  return `${metadata.uid}@${metadata.resourceVersion}`;
}

function isSame(one: Body, other: Body): boolean {
  return one.kind === other.kind && one.metadata.name === other.metadata.name;
}

function mapOf(objects: readonly Body[]): Body {
  const map: Body = {};
  for (const object of objects) {
    const key = `${object.kind}.${object.apiVersion}`;
    map[key] = { ...map[key], [`${object.metadata.namespace}/${object.metadata.name}`]: object };
  }
  return map;
}

function unless404(error: unknown): void {
  if (!(error instanceof ApiRefusal && error.status === 404)) {
    throw error;
  }
}

/** Whether everything that is wanted is there; what the API server adds does not matter. */
function contains(there: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(there) && there.length === wanted.length && wanted.every((one, i) => contains(there[i], one));
  }
  if (typeof wanted === 'object' && wanted !== null) {
    return (
      typeof there === 'object' &&
      there !== null &&
      Object.entries(wanted).every(([key, value]) => value === undefined || contains((there as Body)[key], value))
    );
  }
  return there === wanted;
}

function same(one: unknown, other: unknown): boolean {
  return contains(one ?? {}, other ?? {}) && contains(other ?? {}, one ?? {});
}

const GROUP = '/apis/gateway.networking.k8s.io/v1';

/**
 * A stand-in for the controller of a Gateway: it says of everything that it did its part, and nothing of two listeners
 * that want one TCP port, like some real ones. It takes its time where it is told to.
 */
export class GatewayController {
  /** Whether it does anything. */
  public isAtWork = true;
  private isRunning = true;
  private readonly done: Promise<void>;
  private failure?: Error;
  private readonly seen = new Map<string, number>();

  public constructor(private readonly api: Api) {
    this.done = this.run().catch((error) => {
      this.failure = error;
    });
  }

  public async stop(): Promise<void> {
    this.isRunning = false;
    await this.done;
    if (this.failure) {
      throw this.failure;
    }
  }

  private async run(): Promise<void> {
    while (this.isRunning) {
      if (this.isAtWork) {
        await this.see('gateways', (gateway) => ({
          addresses: [{ type: 'Hostname', value: 'shared.elb.example.com' }],
          conditions: conditions(gateway, 'Accepted', 'Programmed'),
        }));
        await this.see('listenersets', (set) => ({
          conditions: conditions(set, 'Accepted', 'Programmed'),
          listeners: set.spec.listeners.map(({ name }: Body) => ({
            name,
            attachedRoutes: 1,
            conditions: conditions(set, 'Accepted', 'Programmed', 'ResolvedRefs'),
          })),
        }));
        for (const routes of ['tcproutes', 'tlsroutes']) {
          await this.see(routes, (route) => ({
            parents: (route.spec.parentRefs ?? []).map((parentRef: Body) => ({
              parentRef,
              controllerName: 'example.com/stand-in',
              conditions: conditions(route, 'Accepted', 'ResolvedRefs'),
            })),
          }));
        }
      }
      await pause(50);
    }
  }

  private async see(resource: string, statusOf: (object: Body) => Body): Promise<void> {
    const { items } = await this.api.call('GET', `${GROUP}/${resource}`);
    const news = (items as Body[]).filter(({ metadata }) => this.seen.get(metadata.uid) !== metadata.generation);
    for (const object of news) {
      const { name, namespace, uid, generation } = object.metadata;
      const path = `${GROUP}/namespaces/${namespace}/${resource}/${name}/status`;
      const patch = { status: statusOf(object) };
      await this.api.call('PATCH', path, patch, 'application/merge-patch+json').then(
        () => this.seen.set(uid, generation),
        (error) => {
          if (!(error instanceof ApiRefusal && error.status === 404)) {
            throw error;
          }
        },
      );
    }
  }
}

function conditions({ metadata }: Body, ...types: string[]): Body[] {
  return types.map((type) => ({
    type,
    status: 'True',
    reason: type,
    message: '',
    observedGeneration: metadata.generation,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }));
}

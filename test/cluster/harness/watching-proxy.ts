import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request as send } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Body } from '../../real/api';
import { until } from '../../real/program';

/** What a program wants to do to a Service or its balancer. */
export type Wish =
  /** Adds its finalizer, or removes it. */
  | 'mark'
  | 'unmark'
  /** Writes an address into the status, or empties it. */
  | 'publish'
  | 'clear'
  /** Deletes the Service, or all Services of its namespace. */
  | 'delete'
  /** Lets the object go that the Service belongs to. */
  | 'release the parent'
  /** Asks the cloud for a balancer, looks for it, or gives it back. */
  | 'ensure'
  | 'look'
  | 'give back'
  /** The API server is about to remove the Service. */
  | 'remove';

/** How a wish may end: it is done, it is done and its answer is lost, or it is never done. */
export type Leave = 'pass' | 'lose' | 'drop';

/** A wish that waits. */
export class Held {
  public isOver = false;
  private leave!: (leave: Leave) => void;
  private end!: (status: number) => void;
  public readonly left = new Promise<Leave>((resolve) => {
    this.leave = resolve;
  });
  private readonly answered = new Promise<number>((resolve) => {
    this.end = resolve;
  });

  public constructor(
    public readonly actor: string,
    public readonly wish: Wish,
    public readonly body: Body = {},
  ) {}

  /** Lets it be done; the status of its answer, when the program has it. */
  public go(leave: Leave = 'pass'): Promise<number> {
    this.leave(leave);
    return this.answered;
  }

  /** It is done, or nobody waits for it any more. */
  public done(status: number): void {
    this.isOver = true;
    this.leave('drop');
    this.end(status);
  }
}

/** What is held at a place: a Service by namespace and name. */
class Place {
  public readonly held: Held[] = [];
  public isOpen = false;
  /** How many went through since it is open. */
  public passed = 0;
}

/** Where programs wait with what they do to the Services of some places, until they are let through. */
export class Gates {
  private readonly places = new Map<string, Place>();

  /** From now on whatever is done to a Service waits. */
  public close(place: string): void {
    this.places.set(place, new Place());
  }

  /** Lets through what waits, and all that comes. */
  public open(place: string): void {
    const found = this.places.get(place);
    if (found) {
      found.isOpen = true;
      for (const held of found.held.splice(0)) {
        void held.go();
      }
    }
  }

  public forget(place: string): void {
    this.open(place);
    this.places.delete(place);
  }

  /** The places that are closed in a namespace. */
  public in(namespace: string): string[] {
    return [...this.places.keys()].filter((place) => place.startsWith(`${namespace}/`));
  }

  /** Waits at the gate; says how to leave it. */
  public pass(place: string, held: Held): Promise<Leave> {
    const found = this.places.get(place);
    if (!found || found.isOpen) {
      if (found) {
        found.passed++;
      }
      void held.go();
    } else {
      found.held.push(held);
    }
    return held.left;
  }

  /** How often something was done at a place since it is open. */
  public passedAt(place: string): number {
    return this.places.get(place)?.passed ?? 0;
  }

  /** What waits at a place. */
  public at(place: string): Held[] {
    const held = this.places.get(place)?.held ?? [];
    const alive = held.filter(({ isOver }) => !isOver);
    held.splice(0, held.length, ...alive);
    return alive;
  }

  /** Waits until a program wants one of some things; it is not let through yet. */
  public arrival(place: string, actor: string, wishes: readonly Wish[], seconds?: number): Promise<Held> {
    return until(
      `${actor} to ${wishes.join(' or ')} at ${place}`,
      () => this.at(place).find((held) => held.actor === actor && wishes.includes(held.wish)),
      { seconds, seen: () => this.at(place).map((held) => `${held.actor}: ${held.wish}`) },
    );
  }

  /** Takes what waits out of the gate, and lets it be done. */
  public async let(place: string, held: Held, leave: Leave = 'pass'): Promise<number> {
    const all = this.places.get(place)?.held ?? [];
    if (all.includes(held)) {
      all.splice(all.indexOf(held), 1);
    }
    return held.go(leave);
  }
}

export interface ProxyProps {
  /** Whose it is. */
  readonly actor: string;
  readonly gates: Gates;
  readonly port: number;
  readonly token: string;
  readonly ca: string;
  /** The finalizer that the program adds and removes. */
  readonly finalizer: string;
  /** The namespaces that the program is shown; it is shown nothing of the Services of others. @default - all */
  readonly shows?: (namespace: string) => boolean;
}

const SERVICE = /^\/api\/v1\/namespaces\/([^/]+)\/services(?:\/([^/]+))?(\/status)?$/;
const PARENT = /^\/api\/v1\/namespaces\/([^/]+)\/configmaps\/([^/]+)$/;
const ALL_SERVICES = '/api/v1/services';

interface WatchEvent {
  readonly type: string;
  readonly uid: string;
  readonly version: string;
  readonly line: string;
  readonly to: ServerResponse;
}

/** What a watch has of one Service and has not delivered. */
class Backlog {
  private ready: WatchEvent[] = [];
  private late: WatchEvent[] = [];
  private isStalled = false;
  /** The newest version that the watch has, delivered or not; none where the Service is gone. */
  public version?: string;

  public push(event: WatchEvent): void {
    this.version = event.type === 'DELETED' ? undefined : event.version;
    (this.isStalled ? this.late : this.ready).push(event);
  }

  public stall(): void {
    this.isStalled = true;
  }

  public resume(): void {
    this.isStalled = false;
    this.ready.push(...this.late.splice(0));
  }

  /** One event for each object: what it is now, as if its earlier versions had been overtaken. */
  public deliver(): void {
    const last: WatchEvent[] = [];
    for (const event of this.ready.splice(0)) {
      const before = last.at(-1);
      if (before?.uid !== event.uid) {
        last.push(event);
      } else if (before.type === 'ADDED' && event.type === 'MODIFIED') {
        last[last.length - 1] = { ...event, type: 'ADDED', line: event.line.replace('"MODIFIED"', '"ADDED"') };
      } else if (before.type === 'ADDED') {
        last.pop();
      } else {
        last[last.length - 1] = event;
      }
    }
    for (const { line, to } of last) {
      to.write(line);
    }
  }
}

/**
 * What stands between one controller and the API server: whatever it writes to Services waits at a gate, and its watch of them
 * can be held back for one Service. It is the same for every program, which does not know of it.
 */
export class WatchingProxy {
  public static async open(props: ProxyProps): Promise<WatchingProxy> {
    const proxy = new WatchingProxy(props);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  private readonly secret = randomBytes(16).toString('hex');
  private readonly agent: Agent;
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));
  /** What of the watch is held back, by place. */
  private readonly backlogs = new Map<string, Backlog>();

  private constructor(private readonly props: ProxyProps) {
    this.agent = new Agent({ ca: props.ca, keepAlive: true });
  }

  /** Where the program finds the API server; nobody else knows the way. */
  public get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${this.secret}`;
  }

  /** From now on the program hears of a Service when it is told to. */
  public hold(place: string): void {
    this.backlogs.set(place, new Backlog());
  }

  /** The program hears of what became of a Service, in as few events as a watch may have for it. */
  public deliver(place: string): void {
    this.backlogs.get(place)?.deliver();
  }

  /** From now on the watch has nothing new of a Service, also where the program is told to hear. */
  public stall(place: string): void {
    this.backlogs.get(place)?.stall();
  }

  /** The watch is as new as it was before it stalled. */
  public resume(place: string): void {
    this.backlogs.get(place)?.resume();
  }

  /** The newest version of a Service that the watch has, delivered or not. */
  public versionOf(place: string): string | undefined {
    return this.backlogs.get(place)?.version;
  }

  /** The program hears of a Service as ever. */
  public release(place: string): void {
    const backlog = this.backlogs.get(place);
    this.backlogs.delete(place);
    backlog?.resume();
    backlog?.deliver();
  }

  /** The program is gone, and all that was held back for it. */
  public forget(): void {
    for (const place of this.backlogs.keys()) {
      this.hold(place);
    }
  }

  public async close(): Promise<void> {
    this.agent.destroy();
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '';
    if (!url.startsWith(`/${this.secret}/`)) {
      response.writeHead(401).end();
      return;
    }
    const path = url.slice(this.secret.length + 1);
    const [resource, query = ''] = path.split('?');
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) {
        chunks.push(chunk);
      }
    } catch {
      return; // the program is gone
    }
    const body = Buffer.concat(chunks);
    const waits = this.waits(request.method ?? '', resource, body);
    for (const { place, held } of waits) {
      response.once('close', () => held.done(response.headersSent ? response.statusCode : 0));
      const leave = await this.props.gates.pass(place, held);
      if (leave === 'drop') {
        return void response.destroy();
      }
    }
    const isFiltered = resource === ALL_SERVICES && this.props.shows !== undefined;
    this.forward(request, path, body, response, isFiltered, query.includes('watch='));
  }

  /** What has to wait where before a request is forwarded. */
  private waits(method: string, resource: string, body: Buffer): { place: string; held: Held }[] {
    const { actor, gates } = this.props;
    const hold = (place: string, wish: Wish, content?: Body) => ({ place, held: new Held(actor, wish, content) });
    const [, of, parent] = PARENT.exec(resource) ?? [];
    if (of && parent && method === 'PATCH') {
      return gates.in(of).map((place) => hold(place, 'release the parent'));
    }
    const [, namespace, name] = SERVICE.exec(resource) ?? [];
    if (!namespace) {
      return [];
    }
    if (method === 'DELETE') {
      return (name ? [`${namespace}/${name}`] : gates.in(namespace)).map((place) => hold(place, 'delete'));
    }
    if (method !== 'PATCH' && method !== 'PUT') {
      return [];
    }
    const content = JSON.parse(body.toString());
    const touched = Object.keys(content.metadata ?? {}).some((key) => key.endsWith('finalizers'));
    return !touched && !content.status ? [] : [hold(`${namespace}/${name}`, this.wishOf(content), content)];
  }

  private wishOf({ metadata, status }: Body): Wish {
    if (status) {
      return status.loadBalancer?.ingress?.length > 0 ? 'publish' : 'clear';
    }
    return metadata?.finalizers?.includes(this.props.finalizer) ? 'mark' : 'unmark';
  }

  private forward(
    request: IncomingMessage,
    path: string,
    body: Buffer,
    response: ServerResponse,
    isFiltered: boolean,
    isWatch: boolean,
  ): void {
    const { port, token } = this.props;
    const headers: Record<string, string | string[] | undefined> = {
      ...request.headers,
      host: undefined,
      authorization: `Bearer ${token}`,
      'accept-encoding': 'identity',
      ...(isFiltered ? { accept: 'application/json' } : {}),
    };
    for (const name of ['host', 'content-length', 'transfer-encoding', 'connection']) {
      delete headers[name];
    }
    const upstream = send(
      {
        host: '127.0.0.1',
        port,
        method: request.method,
        path,
        agent: this.agent,
        headers: { ...headers, ...(body.length > 0 ? { 'content-length': String(body.length) } : {}) },
      },
      (answer) => {
        const { connection, 'transfer-encoding': coding, 'content-length': length, ...kept } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, kept);
        if (!isFiltered) {
          answer.pipe(response);
        } else if (isWatch) {
          this.relay(answer, response);
        } else {
          this.list(answer, response);
        }
        answer.on('error', () => response.destroy());
      },
    );
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    upstream.end(body);
  }

  /** The events of a watch one by one. */
  private relay(answer: IncomingMessage, response: ServerResponse): void {
    let rest = '';
    response.flushHeaders();
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        this.event(`${line}\n`, response);
      }
    });
    answer.on('end', () => response.end());
  }

  private event(line: string, response: ServerResponse): void {
    const { type, object } = JSON.parse(line);
    const { namespace, name, uid, resourceVersion: version } = object?.metadata ?? {};
    const { shows = () => true } = this.props;
    if (namespace !== undefined && !shows(namespace)) {
      return;
    }
    const backlog = this.backlogs.get(`${namespace}/${name}`);
    if (backlog) {
      backlog.push({ type, uid, version, line, to: response });
    } else {
      response.write(line);
    }
  }

  private list(answer: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk) => chunks.push(chunk));
    answer.on('end', () => {
      const found = JSON.parse(Buffer.concat(chunks).toString());
      const { shows = () => true } = this.props;
      const items = found.items?.filter(({ metadata }: Body) => shows(metadata.namespace));
      response.end(JSON.stringify({ ...found, ...(items ? { items } : {}) }));
    });
  }
}

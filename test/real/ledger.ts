import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Gates, Held, type Wish } from '../cluster/harness/watching-proxy';
import { pause } from './program';

export interface LedgerEntry {
  readonly owner: string;
  readonly name: string;
  /** Namespace and name of the Service that it was asked for last. */
  readonly service: string;
  readonly uid: string;
  readonly nodes: string[];
}

export interface LedgerCall extends LedgerEntry {
  readonly call: 'ensure' | 'update' | 'delete';
  readonly refused: boolean;
}

const WISHES: Readonly<Record<string, Wish>> = { PUT: 'ensure', GET: 'look', DELETE: 'give back' };

/**
 * The account of a cloud: the balancers that were asked for and not yet given back. It lives here, and not in the programs
 * that ask, since a cloud forgets nothing when a controller dies. A quota makes it refuse further balancers.
 */
export class Ledger {
  public static async open(): Promise<Ledger> {
    const ledger = new Ledger();
    await new Promise<void>((resolve) => ledger.server.listen(0, '127.0.0.1', resolve));
    return ledger;
  }

  /** How many balancers this account may have. */
  public quota = Number.POSITIVE_INFINITY;
  /** How long the cloud takes for a call, in ms. */
  public delay = 0;
  public readonly calls: LedgerCall[] = [];
  /** Where calls wait, by the Service that they are about; its balancers are known by their names from before they are made. */
  public gates?: Gates;
  public readonly places = new Map<string, string>();
  /** How many calls the cloud is at work on. */
  public pending = 0;
  private readonly entries = new Map<string, LedgerEntry>();
  private readonly token = randomBytes(16).toString('hex');
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  /** What a program must know to ask, under its name. */
  public environment(name: string): Record<string, string> {
    const { port } = this.server.address() as AddressInfo;
    return { LEDGER_ADDRESS: `http://127.0.0.1:${port}`, LEDGER_TOKEN: `${this.token}:${name}` };
  }

  public get all(): LedgerEntry[] {
    return [...this.entries.values()];
  }

  /** The balancers of the Services of a namespace. */
  public of(namespace: string): LedgerEntry[] {
    return this.all.filter((entry) => entry.service.startsWith(`${namespace}/`));
  }

  /** Gives back all balancers of the Services of a namespace. */
  public forget(namespace: string): void {
    for (const [key, { service }] of this.entries) {
      if (service.startsWith(`${namespace}/`)) {
        this.entries.delete(key);
      }
    }
  }

  public callsOf(namespace: string): LedgerCall[] {
    return this.calls.filter((call) => call.service.startsWith(`${namespace}/`));
  }

  public close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, text: string) => response.writeHead(status).end(text);
    const [token, actor = ''] = (request.headers.authorization ?? '').split(':');
    if (token !== `Bearer ${this.token}`) {
      return void reply(401, 'a token is needed');
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk);
    }
    const [, , owner, name] = (request.url ?? '').split('/').map(decodeURIComponent);
    const key = `${owner}/${name}`;
    const body = Buffer.concat(chunks).toString();
    const held = this.held(actor, request.method ?? '', name, body);
    if (held) {
      response.once('close', () => held.done(response.headersSent ? response.statusCode : 0));
      if ((await held.left) === 'drop') {
        return void response.destroy();
      }
    }
    const isLost = (await held?.left) === 'lose';
    const say = (status: number, text: string) =>
      isLost ? reply(504, 'the answer of the cloud is lost') : reply(status, text);
    const known = this.entries.get(key);
    if (this.delay > 0) {
      this.pending++;
      await pause(this.delay);
      this.pending--;
    }
    if (request.method === 'PUT') {
      const asked = { owner, name, nodes: [], ...JSON.parse(body) };
      if (asked.call === 'update' && !known) {
        return void say(404, 'no such balancer');
      }
      const refused = !known && this.entries.size >= this.quota;
      this.calls.push({ ...asked, nodes: asked.nodes ?? [], refused });
      if (refused) {
        return void say(429, 'TooManyLoadBalancers: the quota of load balancers of this account has been reached');
      }
      const { service, uid, nodes } = asked;
      this.entries.set(key, { owner, name, service, uid, nodes: nodes ?? [] });
      return void say(200, JSON.stringify({ ip: '192.0.2.1' }));
    }
    if (!known) {
      return void say(404, 'no such balancer');
    }
    if (request.method === 'DELETE') {
      this.entries.delete(key);
      this.calls.push({ ...known, call: 'delete', refused: false });
    }
    return void say(200, '{}');
  }

  /** A call at the gate of its Service, where there is one. */
  private held(actor: string, method: string, name: string, body: string): Held | undefined {
    const wish = WISHES[method];
    const asked = method === 'PUT' ? JSON.parse(body) : undefined;
    const place = asked?.service ?? this.places.get(name);
    if (!this.gates || !wish || !place || asked?.call === 'update') {
      return undefined;
    }
    const held = new Held(actor, wish);
    void this.gates.pass(place, held);
    return held;
  }
}

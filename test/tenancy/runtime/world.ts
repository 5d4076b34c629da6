import { createHash } from 'node:crypto';
import { assignSeats } from '../../../programs/shared-services-hook/assign-seats';
import type { SyncAnswer, SyncRequest } from '../../../programs/shared-services-hook/cluster-state';
import { customize, customizeSeats } from '../../../programs/shared-services-hook/customize';
import { sync } from '../../../programs/shared-services-hook/sync';
import { withdraw } from '../../../programs/shared-services-hook/withdraw';
import type { Document } from '../../../src/tenancy/engines/contract/publishing';
import { PUBLISHERS } from '../../../src/tenancy/engines/publishers';
import type { HookConfig } from '../../../src/tenancy/runtime/program-config';

export const CLASS = 'acme.example/shared';
export const CONDITION = 'acme.example/Shared';
export const ENDPOINTS = 'acme.example/endpoints';
export const SEATS = 'cdk8s-load-balancers/seats';
export const HOSTNAMES = 'acme.example/hostnames';
export const CONFLICT = 'acme.example/PortConflict';

/** A configuration with two tenants, and what a test wants of it. */
export function configOf(changes: Partial<HookConfig> = {}): HookConfig {
  return {
    controller: 'services',
    loadBalancerClass: CLASS,
    balancers: [{ name: 'shared', namespace: 'infra', hostname: 'tcp.example.com' }],
    publisher: 'existing-gateway',
    settings: {},
    sourceRanges: changes.publisher === 'envoy-gateway',
    conflict: 'FAIL',
    tenants: { 'team-a': { ports: { first: 31000, last: 31009 } }, 'team-b': { ports: { first: 31010, last: 31019 } } },
    serviceLabels: {},
    keys: { condition: CONDITION, endpoints: ENDPOINTS, portConflict: CONFLICT, hostnames: HOSTNAMES, seats: SEATS },
    ...changes,
  };
}

export interface ServiceAsk {
  readonly name: string;
  readonly namespace?: string;
  readonly ports?: readonly (number | Document)[];
  readonly spec?: Document;
  readonly annotations?: Record<string, string>;
}

/** A cluster in memory: Services, what the hook makes for them, and a controller of Gateways that says what it did. */
export class World {
  public readonly objects = new Map<string, Document>();
  public writes = 0;
  public clock = Date.UTC(2026, 0, 1);

  public constructor(public config: HookConfig = configOf()) {
    this.put({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: { name: 'shared', namespace: 'infra' },
      spec: { listeners: [{ name: 'own', port: 65535, protocol: 'TCP' }] },
      status: {
        addresses: [{ type: 'Hostname', value: 'shared.elb.example.com' }],
        conditions: [yes('Accepted'), yes('Programmed')],
      },
    });
  }

  public service({ name, namespace = 'team-a', ports = [31000], spec = {}, annotations }: ServiceAsk): Document {
    return this.put({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace, ...(annotations && { annotations }) },
      spec: {
        type: 'LoadBalancer',
        loadBalancerClass: CLASS,
        ports: ports.map((port) => (typeof port === 'number' ? { port, protocol: 'TCP' } : port)),
        ...spec,
      },
      status: {},
    });
  }

  public put(object: Document): Document {
    const key = keyOf(object);
    const before = this.objects.get(key);
    const metadata = {
      uid: before?.metadata.uid ?? createHash('sha256').update(`${key} ${this.clock}`).digest('hex').slice(0, 8),
      creationTimestamp: before?.metadata.creationTimestamp ?? this.now,
      ...object.metadata,
    };
    this.clock += 1000;
    const stored = { ...object, metadata };
    this.objects.set(key, stored);
    return stored;
  }

  public get(kind: string, name: string, namespace = 'team-a'): Document | undefined {
    return this.objects.get(`${kind} ${namespace}/${name}`);
  }

  public of(kind: string): Document[] {
    return [...this.objects.values()].filter((object) => object.kind === kind);
  }

  public remove(kind: string, name: string, namespace = 'team-a'): void {
    const gone = this.get(kind, name, namespace);
    this.objects.delete(`${kind} ${namespace}/${name}`);
    for (const object of [...this.objects.values()]) {
      if (object.metadata.ownerReferences?.some(({ uid }: Document) => uid === gone?.metadata.uid)) {
        this.objects.delete(keyOf(object));
      }
    }
  }

  /** What the hook is sent for a Service. */
  public request(service: Document): SyncRequest {
    const { kinds: usual, kindsByHost = [] } = PUBLISHERS[this.config.publisher];
    const kinds = [...usual, ...kindsByHost];
    const own = [...this.objects.values()].filter(
      ({ kind, metadata }) =>
        kinds.some((one) => one.kind === kind) &&
        metadata.ownerReferences?.some(({ uid }: Document) => uid === service.metadata.uid),
    );
    const related = this.related(customize(service, this.config));
    return JSON.parse(JSON.stringify({ object: service, attachments: mapOf(own), related: mapOf(related) }));
  }

  /** What the hook is sent for the table of ports that are set aside. */
  public seatsRequest(): SyncRequest {
    const { name, namespace } = this.config.seats as { name: string; namespace: string };
    const object =
      this.get('Service', name, namespace) ??
      this.put({ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, spec: {}, status: {} });
    return JSON.parse(JSON.stringify({ object, related: mapOf(this.related(customizeSeats(object, this.config))) }));
  }

  /** Calls the hook for the table, with what is there or was there, and writes what it says unless the table has changed. */
  public assignSeats(request = this.seatsRequest()): void {
    const { name, namespace } = request.object.metadata;
    const table = this.get('Service', name, namespace) as Document;
    const before = table.metadata.annotations?.[SEATS];
    if (before !== request.object.metadata.annotations?.[SEATS]) {
      return; // a conflict
    }
    const after = assignSeats(request, this.config, this.now).annotations?.[SEATS] ?? undefined;
    if (before !== after) {
      this.writes++;
      this.put({ ...table, metadata: { ...table.metadata, annotations: { [SEATS]: after } } });
    }
  }

  private related({ relatedResources }: ReturnType<typeof customize>): Document[] {
    const plural = (object: Document) => `${object.apiVersion} ${object.kind.toLowerCase().replace(/cy$/, 'cie')}s`;
    return [...this.objects.values()].filter((object) =>
      relatedResources.some(
        ({ apiVersion, resource, namespace, names }) =>
          `${apiVersion} ${resource}` === plural(object) &&
          (namespace ?? object.metadata.namespace) === object.metadata.namespace &&
          (names?.includes(object.metadata.name) ?? true),
      ),
    );
  }

  /** Calls the hook for a Service, and does what it says. */
  public step(
    name: string,
    namespace = 'team-a',
    request = this.request(this.get('Service', name, namespace) as Document),
  ): void {
    const service = this.get('Service', name, namespace) as Document;
    const answer = JSON.parse(JSON.stringify(sync(request, this.config, this.now)));
    const annotations = { ...service.metadata.annotations, ...answer.annotations };
    for (const key of Object.keys(annotations)) {
      if (annotations[key] === null) delete annotations[key];
    }
    const metadata = { ...service.metadata, annotations };
    const after = { ...service, metadata, status: answer.status ?? service.status };
    if (!same({ annotations: {}, ...service.metadata }, metadata) || !same(service.status, after.status)) {
      this.writes++;
      this.put(after);
    }
    const wanted: Document[] = answer.attachments;
    for (const document of wanted) {
      const key = keyOf(document);
      const there = this.objects.get(key);
      if (there && !there.metadata.ownerReferences?.some(({ uid }: Document) => uid === service.metadata.uid)) {
        continue; // refused by the API server, and swallowed
      }
      if (!there || !same(there.spec, document.spec)) {
        this.writes++;
        const ownerReferences = [{ kind: 'Service', name, controller: true, uid: service.metadata.uid }];
        this.put({ ...document, metadata: { ...document.metadata, ownerReferences }, status: there?.status });
      }
    }
    const keys = wanted.map(keyOf);
    for (const object of Object.values(request.attachments ?? {}).flatMap((group) => Object.values(group ?? {}))) {
      if (!keys.includes(keyOf(object))) {
        this.writes++;
        this.objects.delete(keyOf(object));
      }
    }
  }

  /** Calls the hook for a Service that goes until it says that nothing is left; returns what it said each time. */
  public withdraw(name: string, namespace = 'team-a'): SyncAnswer[] {
    const answers: SyncAnswer[] = [];
    for (let i = 0; i < 10 && answers.at(-1)?.finalized !== true; i++) {
      const service = this.get('Service', name, namespace) as Document;
      const request = this.request(service);
      const answer: SyncAnswer = JSON.parse(JSON.stringify(withdraw(request, this.config, this.now)));
      answers.push(answer);
      this.put({ ...service, status: answer.status ?? service.status });
      for (const made of Object.values(request.attachments ?? {}).flatMap((group) => Object.values(group ?? {}))) {
        this.objects.delete(keyOf(made));
      }
      this.clock += (answer.resyncAfterSeconds ?? 0) * 1000;
    }
    this.objects.delete(`Service ${namespace}/${name}`);
    return answers;
  }

  /** The controller of Gateways has seen everything; of conflicts between TCP ports it says nothing. */
  public program(): void {
    for (const set of this.of('ListenerSet')) {
      const listeners = set.spec.listeners.map(({ name }: Document) => ({ name, conditions: [yes('Programmed')] }));
      this.put({ ...set, status: { conditions: [yes('Accepted')], listeners } });
    }
    for (const route of [...this.of('TCPRoute'), ...this.of('TLSRoute')]) {
      const parents = route.spec.parentRefs.map((parentRef: Document) => ({
        parentRef,
        conditions: [yes('Accepted'), yes('ResolvedRefs')],
      }));
      this.put({ ...route, status: { parents } });
    }
  }

  /** Everybody does their part until nothing changes; returns after how many rounds. */
  public settle(rounds = 20): number {
    for (let round = 1; round <= rounds; round++) {
      const before = this.writes;
      this.program();
      if (this.config.seats) {
        this.clock += 5000; // what is given up is free
        this.assignSeats();
      }
      for (const { metadata } of this.of('Service')) {
        this.step(metadata.name, metadata.namespace);
      }
      if (this.writes === before) return round;
    }
    throw new Error(`after ${rounds} rounds there were still ${this.writes} writes`);
  }

  public condition(name: string, namespace?: string): Document {
    return (this.get('Service', name, namespace)?.status.conditions ?? []).find(
      ({ type }: Document) => type === CONDITION,
    );
  }

  public ingress(name: string, namespace?: string): Document[] | undefined {
    return this.get('Service', name, namespace)?.status.loadBalancer?.ingress;
  }

  public get now(): string {
    return new Date(this.clock).toISOString().replace('.000', '');
  }
}

export function yes(type: string): Document {
  return { type, status: 'True', reason: type };
}

export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}

function keyOf({ kind, metadata }: Document): string {
  return `${kind} ${metadata.namespace}/${metadata.name}`;
}

function mapOf(objects: Document[]): Record<string, Record<string, Document>> {
  const map: Record<string, Record<string, Document>> = {};
  for (const object of objects) {
    const [group, version] = object.apiVersion.split('/');
    const key = `${object.kind}.${group}/${version}`;
    map[key] = { ...map[key], [`${object.metadata.namespace}/${object.metadata.name}`]: object };
  }
  return map;
}

import { type Random, randomOf } from '../../support/random';
import { fateByModel, PAIR_PLATFORMS, type PairPlatform } from './platforms';

// Pairs of manifests, generated: what was, what is to be, and what the change does to each balancer.

// biome-ignore lint/suspicious/noExplicitAny: objects of any kind
type Body = Record<string, any>;

/** An object of a pair. */
export interface PairObject extends Body {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string } & Body;
}

/** What can become of a balancer; `kept` says nothing of interruptions. */
export type Fate = 'kept' | 'created' | 'deleted' | 'replaced' | 'orphaned' | 'stuck' | 'refused';

export type PairWriter = 'client-apply' | 'server-apply' | 'put';

/** What was applied, what is applied now, and what becomes of each balancer. */
export interface Pair {
  readonly number: number;
  readonly platform: PairPlatform;
  readonly writer: PairWriter;
  readonly prune: boolean;
  /** What was changed, in words. */
  readonly changes: readonly string[];
  readonly before: readonly PairObject[];
  readonly after: readonly PairObject[];
  /** By `namespace/name`. */
  readonly fates: ReadonlyMap<string, Fate>;
}

/** What a Service declares. */
export type Declared = 'declared' | 'left';

const APPLIES: readonly PairWriter[] = ['client-apply', 'server-apply'];
const WRITERS: readonly PairWriter[] = [...APPLIES, 'put'];
const BOTH: readonly Declared[] = ['left', 'declared', 'declared'];

interface Subject {
  readonly platform: PairPlatform;
  readonly writer: PairWriter;
  readonly declared: Declared;
  readonly random: Random;
}

interface Mutation {
  readonly name: string;
  readonly fits?: (subject: Subject) => boolean;
  /** What the Service is before it, where that is another than those around it. */
  readonly from?: (service: Body) => void;
  change(service: Body, subject: Subject): Fate;
}

const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value));
const reversed = (map: Body): Body => Object.fromEntries(Object.entries(map).reverse());
const ofModel = ({ platform, writer, declared }: Subject, change: Parameters<typeof fateByModel>[0]['change']) =>
  fateByModel({ owner: platform.owner, writer, declared, change });

const SOFT: readonly Mutation[] = [
  {
    name: 'other order of keys',
    change: (service) => {
      service.spec = reversed(service.spec);
      service.metadata.labels = reversed(service.metadata.labels);
      return 'kept';
    },
  },
  {
    name: 'defaults spelt out',
    change: (service) => {
      service.spec.externalTrafficPolicy ??= 'Cluster';
      service.spec.sessionAffinity = 'None';
      service.spec.ports = service.spec.ports.map((port: Body) => ({
        protocol: 'TCP',
        targetPort: port.port,
        ...port,
      }));
      return 'kept';
    },
  },
  {
    name: 'a label',
    change: (service, { random }) => {
      service.metadata.labels.team = random(['edge', 'core', 'data']);
      return 'kept';
    },
  },
  {
    name: 'an annotation of others',
    change: (service) => {
      service.metadata.annotations = { ...service.metadata.annotations, 'example.com/owner': 'edge' };
      return 'kept';
    },
  },
  {
    name: 'policy',
    change: (service, { random }) => {
      service.spec.externalTrafficPolicy = random(['Local', 'Cluster']);
      return 'kept';
    },
  },
  {
    name: 'one more port',
    change: (service) => {
      service.spec.ports = [...service.spec.ports, { name: 'more', port: 8443, targetPort: 8443 }];
      return 'kept';
    },
  },
  {
    name: 'another number of a port',
    change: (service) => {
      service.spec.ports = service.spec.ports.map((port: Body, i: number) =>
        i === 0 ? { ...port, port: 9999 } : port,
      );
      return 'kept';
    },
  },
  {
    name: 'source ranges',
    change: (service, { random }) => {
      service.spec.loadBalancerSourceRanges = [random(['10.0.0.0/8', '192.0.2.0/24'])];
      return 'kept';
    },
  },
  {
    name: 'selector',
    change: (service) => {
      service.spec.selector = { app: 'another' };
      return 'kept';
    },
  },
];

function setType(service: Body, type: 'ClusterIP' | 'NodePort'): void {
  service.spec.type = type;
  delete service.spec.loadBalancerClass;
  delete service.spec.loadBalancerSourceRanges;
  if (type === 'ClusterIP') delete service.spec.externalTrafficPolicy;
}

const HARD: readonly Mutation[] = [
  {
    name: 'rename',
    change: (service) => {
      service.metadata.name += '-renamed';
      return 'replaced';
    },
  },
  {
    name: 'move',
    change: (service) => {
      service.metadata.namespace += '-moved';
      return 'replaced';
    },
  },
  { name: 'remove', change: () => 'deleted' },
  {
    name: 'type away',
    change: (service, subject) => {
      setType(service, 'ClusterIP');
      return ofModel(subject, 'type away');
    },
  },
  {
    name: 'type NodePort',
    change: (service, subject) => {
      setType(service, 'NodePort');
      return ofModel(subject, 'type away');
    },
  },
  {
    name: 'type from ClusterIP',
    from: (service) => {
      setType(service, 'ClusterIP');
      delete service.metadata.finalizers;
    },
    change: () => 'created',
  },
  {
    name: 'type from NodePort',
    from: (service) => {
      setType(service, 'NodePort');
      delete service.metadata.finalizers;
    },
    change: () => 'created',
  },
  {
    name: 'another class',
    change: (service) => {
      service.spec.loadBalancerClass = 'example.com/another';
      return 'refused';
    },
  },
  {
    name: 'class away',
    fits: ({ platform }) => platform.class !== undefined,
    change: (service) => {
      delete service.spec.loadBalancerClass;
      return 'refused';
    },
  },
  {
    name: 'finalizer dropped',
    fits: ({ declared }) => declared === 'declared',
    change: (service, subject) => {
      delete service.metadata.finalizers;
      return ofModel(subject, 'finalizer dropped');
    },
  },
  {
    name: 'finalizer declared',
    fits: ({ platform, declared }) => platform.finalizer !== undefined && declared === 'left',
    change: (service, { platform }) => {
      service.metadata.finalizers = [platform.finalizer];
      return 'kept';
    },
  },
  {
    name: "nobody's finalizer",
    change: (service) => {
      service.metadata.finalizers = [...(service.metadata.finalizers ?? []), 'example.com/nobodys'];
      return 'stuck';
    },
  },
  {
    name: 'a port that there is not',
    change: (service) => {
      service.spec.ports = [{ name: 'main', port: 70_000 }];
      return 'refused';
    },
  },
  {
    name: 'two ports of one name',
    change: (service) => {
      service.spec.ports = [1, 2].map((port) => ({ name: 'twice', port }));
      return 'refused';
    },
  },
  {
    name: 'an annotation of the owner',
    fits: ({ platform }) => platform.added.length > 0,
    change: (service, { platform, random }) => {
      const [key, value, fate] = random(platform.added);
      service.metadata.annotations = { ...service.metadata.annotations, [key]: value };
      return fate;
    },
  },
];

function lookedAt({ metadata, spec }: Body): string {
  const annotations = Object.entries(metadata.annotations ?? {}).sort();
  const ports = spec.ports.map(({ port }: Body) => port);
  return JSON.stringify([annotations, ports, spec.externalTrafficPolicy ?? 'Cluster', spec.loadBalancerSourceRanges]);
}

/** Names of all changes. */
export const MUTATIONS: readonly string[] = [...SOFT, ...HARD].map(({ name }) => name);

function serviceOf(name: string, namespace: string, { platform, declared, random }: Subject): PairObject {
  const isLocal = random([true, false]);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace,
      labels: { app: name, part: 'pair' },
      ...(Object.keys(platform.annotations).length > 0 && { annotations: platform.annotations }),
      ...(declared === 'declared' && { finalizers: [platform.finalizer] }),
    },
    spec: {
      type: 'LoadBalancer',
      ...(platform.class !== undefined && { loadBalancerClass: platform.class }),
      ...(isLocal && { externalTrafficPolicy: 'Local' }),
      selector: { app: name },
      ports: [
        { name: 'main', port: random([80, 443, 5432, 9094]), targetPort: 8080 },
        ...(random([true, false]) ? [{ name: 'second', port: 9000, targetPort: 'second' }] : []),
      ],
    },
  };
}

/** A pair by its number: the same one for a number and a seed. */
export function pairOf(number: number, seed: number, platforms = PAIR_PLATFORMS): Pair {
  const random = randomOf(seed * 1_000_003 + number);
  const platform = random(platforms);
  // who writes whole objects removes an undeclared finalizer with every write: that is no question of a change
  const writer = random(platform.leftToOwner ? APPLIES : WRITERS);
  // a deletion is what prune does: without it the Service stays, and what was said of it
  const prune = random([true, true, true, false]);
  const mayLeave = platform.finalizer !== undefined && writer !== 'put';
  const declared: Declared = platform.finalizer === undefined ? 'left' : random(mayLeave ? BOTH : BOTH.slice(1));
  const subject: Subject = { platform, writer, declared, random };
  const namespace = `pair-${number}`;
  const names = random([['echo'], ['echo', 'shop'], ['echo', 'shop', 'mail']]);
  const before = names.map((name) => serviceOf(name, namespace, subject));
  const after = copyOf(before);
  const fates = new Map<string, Fate>(names.map((name) => [`${namespace}/${name}`, 'kept']));
  const changes: string[] = [];
  const changed = after[0];
  for (const mutation of chosen(SOFT, random, random([0, 0, 1, 2]))) {
    mutation.change(changed, subject);
    changes.push(mutation.name);
  }
  const hard = random([true, true, true, false])
    ? random(HARD.filter(({ fits }) => fits?.(subject) ?? true))
    : undefined;
  if (hard) {
    const id = `${namespace}/${names[0]}`;
    hard.from?.(before[0]);
    const byItself = hard.change(changed, subject);
    // an owner that looks at the Service puts its finalizer back
    // kubectl notes down what it applied in an annotation
    const isEdited = writer === 'client-apply' || lookedAt(before[0]) !== lookedAt(changed);
    const isLookedAt = writer !== 'put' && isEdited;
    const fate = hard.name === 'finalizer dropped' && isLookedAt ? 'kept' : byItself;
    fates.set(id, fate);
    const isGone = changed.metadata.name !== names[0] || changed.metadata.namespace !== namespace;
    if (isGone) fates.set(`${changed.metadata.namespace}/${changed.metadata.name}`, 'created');
    if (hard.name === 'remove') after.shift();
    if ((isGone || hard.name === 'remove') && !prune) fates.set(id, 'kept');
    changes.push(hard.name);
  }
  if (random([true, false, false])) {
    after.push(serviceOf('added', namespace, subject));
    fates.set(`${namespace}/added`, 'created');
    changes.push('one more Service');
  }
  return { number, platform, writer, prune, changes, before, after, fates };
}

function chosen(mutations: readonly Mutation[], random: Random, count: number): Mutation[] {
  return [...new Set(Array.from({ length: count }, () => random(mutations)))];
}

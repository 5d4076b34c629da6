import { type Citation, Confidence } from '../contract/kubernetes.facts';
import { type Table, table } from './transition';

// Watches, crashes and answers that are lost: what happens to any controller.

const CLIENT_GO = (file: string): Citation => ({ repository: 'kubernetes/client-go', version: 'v0.36.3', file });
const CACHE = CLIENT_GO('tools/cache/shared_informer.go');
const REFLECTOR = CLIENT_GO('tools/cache/reflector.go');
const QUEUE = CLIENT_GO('util/workqueue/rate_limiting_queue.go');
const { SOURCE, SEEN } = Confidence;

/** What the owner knows of the Service: its cache follows the API server unless its watch stalls. */
export const CACHES: Table = table({ actor: 'watch', source: CACHE, kind: 'reaction', confidence: SOURCE }, [
  {
    id: 'watch.falls-behind',
    says: 'has a change that it has not delivered',
    when: { watch: 'stalled', event: ['created', 'metadata', 'edited', 'deletion', 'removed'] },
    does: { watch: 'behind' },
    source: REFLECTOR,
  },
  {
    id: 'watch.delivers',
    says: 'delivers the Service to the cache of the owner',
    when: { watch: 'current' },
    does: { seen: { copy: 'object' }, seenOwn: { copy: 'own' }, seenAsks: { copy: 'asks' } },
  },
  {
    id: 'watch.overtakes',
    says: 'has a newer version than the owner works on',
    when: {
      event: ['created', 'metadata', 'edited', 'deletion'],
      owner: ['planned', 'marked', 'created', 'releasing', 'released'],
      read: 'fresh',
    },
    does: { read: 'stale' },
  },
  {
    id: 'watch.loses',
    says: 'no longer has the Service that the owner works on',
    when: { event: 'removed', owner: ['planned', 'marked', 'created', 'releasing', 'released'] },
    does: { read: 'gone' },
  },
]);

export const LAG: Table = table({ actor: 'watch', source: REFLECTOR }, [
  {
    id: 'watch.stalls',
    kind: 'may',
    says: 'stalls: the owner acts on what it has seen',
    when: { watch: 'current', lags: 'left' },
    does: { watch: 'stalled', lags: 'taken' },
    turn: 'watch-lags',
    confidence: SOURCE,
  },
  {
    id: 'watch.catches-up',
    says: 'delivers all that it held back',
    when: { watch: ['stalled', 'behind'] },
    does: { watch: 'current' },
  },
  {
    id: 'watch.catches-up-and-queues',
    says: 'delivers all that it held back, which the owner looks at',
    when: { watch: 'owing' },
    does: { watch: 'current', queue: 'pending' },
  },
]);

const STARTS = { actor: 'owner', kind: 'must', source: CACHE, confidence: SEEN } as const;
const LISTS = { process: 'down', object: ['live', 'dying'] } as const;
const LOOKS = { process: 'runs', queue: 'pending', watch: 'current' } as const;
const NOT_ITS_OWN = { ...LISTS, asks: ['nothing', 'another'] } as const;
const CLEANS_UP: Citation = {
  repository: 'kubernetes/cloud-provider',
  version: 'v0.36.3',
  file: 'controllers/service/controller.go',
};

/** An owner that starts, after a crash or as another version, and looks at every Service. */
const STARTS_WITH_ALL: Table = [
  {
    ...STARTS,
    id: 'owner.starts',
    says: 'starts, and lists the Services',
    when: LISTS,
    does: LOOKS,
  },
];

/** The same of an owner that puts into its queue what asks for its balancer or has its finalizer. */
const STARTS_WITH_ITS_OWN: Table = [
  {
    ...STARTS,
    id: 'owner.starts',
    says: 'starts, and lists the Services',
    when: { ...LISTS, asks: ['owner', 'in vain'] },
    does: LOOKS,
  },
  {
    ...STARTS,
    id: 'owner.starts-to-clean-up',
    says: 'starts, and finds its finalizer on a Service that does not ask for its balancer',
    when: { ...NOT_ITS_OWN, own: ['held', 'applied', 'both'] },
    does: LOOKS,
    source: CLEANS_UP,
  },
  {
    ...STARTS,
    id: 'owner.starts-and-ignores',
    says: 'starts, and ignores a Service without its finalizer that does not ask for its balancer',
    when: { ...NOT_ITS_OWN, own: 'absent' },
    does: { process: 'runs', watch: 'current' },
    source: CLEANS_UP,
  },
];

/** How an owner starts that has a finalizer to know its Services by, or has none. */
export const startTable = (looksAtAll: boolean): Table => [
  ...(looksAtAll ? STARTS_WITH_ALL : STARTS_WITH_ITS_OWN),
  {
    id: 'owner.starts-without',
    actor: 'owner',
    kind: 'must',
    says: 'starts, and finds no Service of that name',
    when: { process: 'down', object: 'absent' },
    does: { process: 'runs', watch: 'current' },
    source: CACHE,
    confidence: SEEN,
  },
];

export const CRASH: Table = table({ actor: 'owner', source: QUEUE, kind: 'may' }, [
  {
    id: 'owner.crashes',
    says: 'crashes, and forgets what it was at',
    when: { process: 'runs', crashes: 'left' },
    does: { process: 'down', owner: 'idle', queue: 'empty', remembers: 'no', crashes: 'taken' },
    turn: 'owner-crashes',
  },
]);

export const UNINSTALL: Table = table(
  {
    actor: 'owner',
    source: {
      repository: 'kubernetes-sigs/aws-load-balancer-controller',
      version: 'v3.5.0',
      file: 'helm/aws-load-balancer-controller/README.md',
    },
    kind: 'may',
  },
  [
    {
      id: 'owner.is-uninstalled',
      says: 'is uninstalled',
      when: { process: 'runs' },
      does: { process: 'uninstalled', owner: 'idle', queue: 'empty', remembers: 'no' },
      turn: 'owner-uninstalled',
    },
  ],
);

/** One answer of the cloud is lost after it has done what it was asked for. */
export const LOST_ANSWER: Table = table({ actor: 'cloud', source: QUEUE, kind: 'may', confidence: SOURCE }, [
  {
    id: 'cloud.loses-the-answer',
    says: 'makes the balancer, and its answer is lost',
    when: { process: 'runs', owner: 'marked', losses: 'left' },
    does: { balancer: 'made', owner: 'idle', queue: 'pending', losses: 'taken' },
    turn: 'answer-lost',
  },
  {
    id: 'cloud.loses-the-answer-of-a-deletion',
    says: 'deletes the balancer, and its answer is lost',
    when: { process: 'runs', owner: 'releasing', losses: 'left' },
    does: { balancer: 'none', owner: 'idle', queue: 'pending', losses: 'taken' },
    turn: 'answer-lost',
  },
]);

/** The user edits an annotation, once, and the owner looks at all Services from time to time. */
export const EDIT: Table = table({ actor: 'owner', source: CACHE, kind: 'may' }, [
  {
    id: 'owner.looks-again',
    says: 'looks at every Service again, as it does from time to time',
    when: { process: 'runs', owner: 'idle', queue: 'empty', object: ['live', 'dying'], watch: 'current' },
    does: { queue: 'pending' },
  },
  {
    id: 'user.edits',
    actor: 'user',
    says: 'edits an annotation',
    when: { object: 'live', edits: 'left' },
    does: { edits: 'taken', event: 'edited' },
    turn: 'edited',
    source: { repository: 'kubernetes/kubernetes', version: 'v1.36.3', file: 'pkg/registry/core/service/strategy.go' },
  },
]);

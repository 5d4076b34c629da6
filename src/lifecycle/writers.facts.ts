import { type Citation, Confidence } from '../contract/kubernetes.facts';
import type { Actor, Effect, Table, Transition } from './transition';

// Who writes Services, by how they write: what becomes of a finalizer that they do not declare, or no longer.

const strimzi = (version: string, file: string): Citation => ({
  repository: 'strimzi/strimzi-kafka-operator',
  version,
  file,
});
const WHOLE = strimzi(
  '0.49.1',
  'cluster-operator/src/main/java/io/strimzi/operator/cluster/operator/resource/kubernetes/ServiceOperator.java',
);
/** The last releases that took away a class which they did not write: 0.36.0 has patchLoadBalancerClass. */
const WITHOUT_CLASS = strimzi(
  '0.35.0',
  'operator-common/src/main/java/io/strimzi/operator/common/operator/resource/ServiceOperator.java',
);
const APPLY: Citation = {
  repository: 'kubernetes-sigs/structured-merge-diff',
  version: 'v6.3.3',
  file: 'merge/update.go',
};
const CLIENT: Citation = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'staging/src/k8s.io/kubectl/pkg/cmd/apply/patcher.go',
};
const CREATE: Citation = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'staging/src/k8s.io/kubectl/pkg/cmd/create/create.go',
};
const GITOPS: Citation = { repository: 'argoproj/gitops-engine', version: 'v0.7.3', file: 'pkg/sync/sync_context.go' };
const { SEEN, SOURCE } = Confidence;

export const WRITERS = ['create', 'client-apply', 'server-apply', 'put', 'put-class-null', 'recreate'] as const;
export type Writer = (typeof WRITERS)[number];

/** What each of them is. */
export const WRITER_SAYS: Readonly<Record<Writer, string>> = {
  create: 'creates the Service and never writes it again',
  'client-apply': 'client-side apply: kubectl apply, GitOps with three-way merges',
  'server-apply': 'server-side apply: GitOps, and operators such as Strimzi from 0.51',
  put: 'whole objects, without what others added: kubectl replace, operators such as Strimzi before 0.51',
  'put-class-null': 'whole objects without the class of the live Service',
  recreate: 'deletes the Service and creates it again to change it',
};

/** How operators write, by whether finalizers that others add survive their next reconciliation. */
export const OPERATOR_WRITES: Readonly<Record<'keeps' | 'strips' | 'unknown', readonly Writer[]>> = {
  keeps: ['server-apply'],
  strips: ['put'],
  unknown: ['server-apply', 'put'],
};

/** How files are applied, where it is not known with what: the worst of them counts. */
export const FILE_WRITES: readonly Writer[] = ['client-apply', 'server-apply'];

export type Slot = 'first' | 'second';

interface Place {
  readonly actor: Actor;
  readonly works: 'first' | 'second';
  readonly own: 'firstOwn' | 'secondOwn';
  readonly other: 'firstOther' | 'secondOther';
  readonly last: 'firstLast' | 'secondLast';
  readonly lastOther: 'firstLastOther' | 'secondLastOther';
  /** The value by which it declares in server-side apply: the model has one apply manager, the first writer's. */
  readonly applied: 'applied' | 'held';
}

const PLACES: Readonly<Record<Slot, Place>> = {
  first: {
    actor: 'first writer',
    works: 'first',
    own: 'firstOwn',
    other: 'firstOther',
    last: 'firstLast',
    lastOther: 'firstLastOther',
    applied: 'applied',
  },
  second: {
    actor: 'second writer',
    works: 'second',
    own: 'secondOwn',
    other: 'secondOther',
    last: 'secondLast',
    lastOther: 'secondLastOther',
    applied: 'held',
  },
};

/** The rows of a writer, as the first of an object, which creates it, or as the second. */
export function writerTable(writer: Writer, slot: Slot): Table {
  const place = PLACES[slot];
  const rows = WRITES[writer](place);
  return slot === 'first' ? [creates(writer, place), ...rows] : rows;
}

/** How it is known what each of them writes. */
export const SOURCES: Readonly<Record<Writer, readonly [Citation, Confidence]>> = {
  create: [CREATE, SEEN],
  'client-apply': [CLIENT, SEEN],
  'server-apply': [APPLY, SEEN],
  put: [WHOLE, SEEN],
  'put-class-null': [WITHOUT_CLASS, SOURCE],
  recreate: [GITOPS, SOURCE],
};

function creates(writer: Writer, { actor, works, own, other, last, lastOther }: Place): Transition {
  const [source, confidence] = SOURCES[writer];
  return {
    id: `${writer}.creates`,
    actor,
    kind: 'must',
    says: 'creates the Service with what it declares',
    when: { [works]: 'works', object: 'absent', deletion: ['unwanted', 'sent'] },
    does: {
      object: 'live',
      asks: 'owner',
      own: { copy: own },
      other: { copy: other },
      // of the writers, client-side apply alone goes by what it wrote last
      ...(writer === 'client-apply' ? { [last]: { copy: own }, [lastOther]: { copy: other } } : {}),
      decided: 'no',
      deletion: 'unwanted',
      event: 'created',
    },
    source,
    confidence,
  };
}

const LIVE = { object: ['live', 'dying'] } as const;

const putsBack = (field: 'own' | 'other'): Transition => ({
  id: `keeper.puts-back-${field}`,
  actor: 'API server',
  kind: 'admission',
  says: 'puts back a finalizer that the write drops',
  when: { ...LIVE, [field]: ['held', 'applied', 'both'] },
  would: { ...LIVE, [field]: 'absent' },
  does: { [field]: 'held' },
  source: { repository: 'kubernetes/kubernetes', version: 'v1.36.3', file: 'pkg/registry/admissionregistration' },
  confidence: SEEN,
});

/** The LoadBalancerKeeper, a policy of the API server. */
export const KEEPER: Table = [putsBack('own'), putsBack('other')];

const OWNERS = "the owner's finalizer";
const ANOTHER = 'a finalizer that the owner does not remove';
/** What is left of a finalizer that is no longer applied. */
const GIVES_UP = { map: { applied: 'absent', both: 'held' } } as const;

const WRITES: Readonly<Record<Writer, (place: Place) => Table>> = {
  create: () => [],
  put: ({ actor, works, own, other }) => [
    {
      id: 'put.writes',
      actor,
      kind: 'must',
      says: 'writes the whole object: it has the finalizers that are declared, and no others',
      when: { [works]: 'works', ...LIVE },
      unlike: [
        ['own', own],
        ['other', other],
      ],
      does: { own: { copy: own }, other: { copy: other }, collected: 'no', event: 'metadata' },
      turn: 'stripped',
      source: WHOLE,
      confidence: SEEN,
    },
  ],
  'put-class-null': ({ actor, works, own, other }) => [
    {
      id: 'put-class-null.writes',
      actor,
      kind: 'must',
      says: 'writes the whole object without its class',
      when: { [works]: 'works', ...LIVE },
      unlike: [
        ['own', own],
        ['other', other],
      ],
      does: {
        own: { copy: own },
        other: { copy: other },
        collected: 'no',
        asks: { map: { owner: 'another' } },
        event: 'metadata',
      },
      turn: 'class-removed',
      unnoticed: 'the API server refuses it while there is a class, and that refusal is noticed',
      source: WITHOUT_CLASS,
      confidence: SOURCE,
    },
  ],
  'server-apply': ({ actor, works, own, other, applied }) => {
    const adds = (field: 'own' | 'other', wanted: typeof own | typeof other, what: string): Transition => ({
      id: `server-apply.adds-${field}`,
      actor,
      kind: 'must',
      says: `applies ${what}`,
      when: {
        [works]: 'works',
        ...LIVE,
        [wanted]: applied,
        [field]: applied === 'held' ? 'absent' : ['absent', 'held'],
      },
      does: {
        // who declares the one does not declare the other
        ...(field === 'own' ? { other: GIVES_UP } : {}),
        [field]: { map: { absent: applied, held: 'both' } },
        event: 'metadata',
      },
      source: APPLY,
      confidence: SEEN,
    });
    const drops = (field: 'own' | 'other', what: string): Transition => ({
      id: `server-apply.drops-${field}`,
      actor,
      kind: 'must',
      says: `no longer applies ${what}, and so has no list of them: what no field manager has goes with it`,
      when: { [works]: 'works', ...LIVE, [own]: 'absent', [other]: 'absent', [field]: ['applied', 'both'] },
      does: { [field]: GIVES_UP, collected: 'no', event: 'metadata' },
      turn: 'no-longer-declared',
      source: APPLY,
      confidence: SEEN,
    });
    return [adds('own', own, OWNERS), drops('own', OWNERS), adds('other', other, ANOTHER), drops('other', ANOTHER)];
  },
  'client-apply': ({ actor, works, own, other, last, lastOther }) => {
    const row = (rest: Omit<Transition, 'actor' | 'kind' | 'source' | 'confidence'>): Transition => ({
      actor,
      kind: 'must',
      source: CLIENT,
      confidence: SEEN,
      ...rest,
      when: { [works]: 'works', ...LIVE, ...rest.when },
    });
    // what it declares is in an annotation of the Service too: who heeds annotations looks when that changes
    const empties = { own: 'absent', other: 'absent', collected: 'no', event: 'edited' } as const;
    return [
      row({
        id: 'client-apply.adds-own',
        says: "adds the owner's finalizer",
        when: { [own]: 'held', [last]: 'no', [lastOther]: 'no' },
        does: { own: 'held', [last]: 'yes', event: 'edited' },
      }),
      row({
        id: 'client-apply.changes-to-own',
        says: "adds the owner's finalizer, and removes another that it applied last time",
        when: { [own]: 'held', [last]: 'no', [lastOther]: 'yes' },
        does: { own: 'held', other: 'absent', [last]: 'yes', [lastOther]: 'no', event: 'edited' },
      }),
      row({
        id: 'client-apply.restores-own',
        says: "adds the owner's finalizer again",
        when: { [own]: 'held', [last]: 'yes', own: 'absent' },
        does: { own: 'held', event: 'metadata' },
      }),
      row({
        id: 'client-apply.adds-other',
        says: 'adds a finalizer that the owner does not remove',
        when: { [other]: 'held', other: 'absent' },
        does: { other: 'held', event: 'metadata' },
      }),
      row({
        id: 'client-apply.drops-own',
        says: "has no list of finalizers any more, in which it applied the owner's last time: all of them go",
        when: { [own]: 'absent', [other]: 'absent', [last]: 'yes' },
        does: { ...empties, [last]: 'no' },
        turn: 'no-longer-declared',
      }),
      row({
        id: 'client-apply.drops-other',
        says: 'has no list of finalizers any more, in which it applied another last time: all of them go',
        when: { [own]: 'absent', [other]: 'absent', [lastOther]: 'yes' },
        does: { ...empties, [lastOther]: 'no' },
        turn: 'no-longer-declared',
      }),
    ];
  },
  recreate: ({ actor, works }) => [
    {
      id: 'recreate.deletes',
      actor,
      kind: 'may',
      says: 'deletes the Service, to create it again',
      when: { [works]: 'works', object: 'live', deletion: 'unwanted', turns: 'left' },
      does: { deletion: 'wanted', turns: 'taken' },
      turn: 're-created',
      source: GITOPS,
      confidence: SOURCE,
    },
  ],
};

/** What changes once in the life of a Service, beside edits. */
export const TURNS = ['nothing', 'again', 'drops', 'declares', 'type', 'upgraded', 'downgraded'] as const;
export type Turn = (typeof TURNS)[number];

/** The rows of a turn; `held` is the value by which the first writer declares. */
export function turnTable(turn: Turn, held: 'held' | 'applied', isKeptByAnnotation: boolean): Table {
  const declared = (id: string, says: string, does: Effect): Transition => ({
    id,
    actor: 'user',
    kind: 'may',
    says,
    when: { object: ['live', 'dying'], first: 'works', turns: 'left' },
    does: { ...does, turns: 'taken' },
    source: WHOLE,
    confidence: SEEN,
  });
  switch (turn) {
    case 'drops':
      return [
        declared('user.stops-declaring', 'stops declaring finalizers', { firstOwn: 'absent', firstOther: 'absent' }),
      ];
    case 'declares':
      return [
        declared('user.declares-own', "declares the owner's finalizer alone", { firstOwn: held, firstOther: 'absent' }),
      ];
    case 'again':
      return [
        {
          id: 'user.wants-it-again',
          actor: 'user',
          kind: 'may',
          says: 'wants the same Service again, without a finalizer',
          when: { first: 'done', turns: 'left', namespace: 'live', deletion: 'sent' },
          does: {
            first: 'works',
            firstOwn: 'absent',
            firstOther: 'absent',
            turns: 'taken',
            deletion: 'unwanted',
            parent: 'live',
          },
          turn: 'created-again',
          source: WHOLE,
          confidence: SEEN,
        },
      ];
    case 'type':
      return [
        {
          id: isKeptByAnnotation ? 'user.changes-the-type-alone' : 'user.changes-the-type',
          actor: 'user',
          kind: 'may',
          says: 'changes the type to ClusterIP',
          when: { object: 'live', turns: 'left' },
          does: { asks: isKeptByAnnotation ? 'in vain' : 'nothing', address: 'no', turns: 'taken', event: 'edited' },
          turn: 'type-changed',
          source: {
            repository: 'kubernetes/kubernetes',
            version: 'v1.36.3',
            file: 'pkg/registry/core/service/strategy.go',
          },
          confidence: SEEN,
        },
      ];
    default:
      return [];
  }
}

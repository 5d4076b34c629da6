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
  'operator-common/src/main/java/io/strimzi/operator/common/operator/resource/ServiceOperator.java',
);
const APPLY: Citation = {
  repository: 'kubernetes-sigs/structured-merge-diff',
  version: 'v6.3.0',
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
const { SEEN, SOURCE, UNVERIFIED } = Confidence;

/** How a writer writes. */
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

export type Slot = 'first' | 'second';

interface Place {
  readonly actor: Actor;
  readonly works: 'first' | 'second';
  readonly own: 'firstOwn' | 'secondOwn';
  readonly other: 'firstOther' | 'secondOther';
  readonly last: 'firstLast' | 'secondLast';
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
    applied: 'applied',
  },
  second: {
    actor: 'second writer',
    works: 'second',
    own: 'secondOwn',
    other: 'secondOther',
    last: 'secondLast',
    applied: 'held',
  },
};

/** The rows of a writer, as the first of an object, which creates it, or as the second. */
export function writerTable(writer: Writer, slot: Slot): Table {
  const place = PLACES[slot];
  const rows = WRITES[writer](place);
  return slot === 'first' ? [creates(writer, place), ...rows] : rows;
}

const SOURCES: Readonly<Record<Writer, readonly [Citation, Confidence]>> = {
  create: [CREATE, SEEN],
  'client-apply': [CLIENT, SEEN],
  'server-apply': [APPLY, SEEN],
  put: [WHOLE, SEEN],
  'put-class-null': [strimzi('0.35.0', WHOLE.file), UNVERIFIED],
  recreate: [GITOPS, SOURCE],
};

function creates(writer: Writer, { actor, works, own, other, last }: Place): Transition {
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
      [last]: { copy: own },
      decided: 'no',
      deletion: 'unwanted',
      event: 'created',
    },
    source,
    confidence,
  };
}

const LIVE = { object: ['live', 'dying'] } as const;
const ANY: ('held' | 'applied' | 'both')[] = ['held', 'applied', 'both'];

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
      does: { own: { copy: own }, other: { copy: other }, event: 'metadata' },
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
      does: { own: { copy: own }, other: { copy: other }, asks: 'another', event: 'metadata' },
      turn: 'class-removed',
      unnoticed: 'the API server refuses it every time, and that refusal is noticed',
      source: strimzi('0.35.0', WHOLE.file),
      confidence: UNVERIFIED,
    },
  ],
  'server-apply': ({ actor, works, own, other, applied }) => [
    ...(
      [
        ['own', own, "the owner's finalizer"],
        ['other', other, 'a finalizer that the owner does not remove'],
      ] as const
    ).flatMap(([field, wanted, what]): Transition[] => [
      {
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
        does: { [field]: { map: { absent: applied, held: 'both' } }, event: 'metadata' },
        source: APPLY,
        confidence: SEEN,
      },
      {
        id: `server-apply.drops-${field}`,
        actor,
        kind: 'must',
        says: `no longer applies ${what}: it goes unless another field manager has it`,
        when: { [works]: 'works', ...LIVE, [wanted]: 'absent', [field]: ['applied', 'both'] },
        does: { [field]: { map: { applied: 'absent', both: 'held' } }, event: 'metadata' },
        turn: 'no-longer-declared',
        source: APPLY,
        confidence: SEEN,
      },
    ]),
  ],
  'client-apply': ({ actor, works, own, other, last }) => [
    {
      id: 'client-apply.adds-own',
      actor,
      kind: 'must',
      says: "adds the owner's finalizer",
      when: { [works]: 'works', ...LIVE, [own]: 'held', own: 'absent' },
      does: { own: 'held', [last]: 'yes', event: 'metadata' },
      source: CLIENT,
      confidence: SOURCE,
    },
    {
      id: 'client-apply.adds-other',
      actor,
      kind: 'must',
      says: 'adds a finalizer that the owner does not remove',
      when: { [works]: 'works', ...LIVE, [other]: 'held', other: 'absent' },
      does: { other: 'held', event: 'metadata' },
      source: CLIENT,
      confidence: SOURCE,
    },
    {
      id: 'client-apply.drops-own',
      actor,
      kind: 'must',
      says: "removes the owner's finalizer, which it applied last time and does not declare any more",
      when: { [works]: 'works', ...LIVE, [own]: 'absent', [last]: 'yes', own: ANY },
      does: { own: 'absent', [last]: 'no', event: 'metadata' },
      turn: 'no-longer-declared',
      source: CLIENT,
      confidence: SOURCE,
    },
  ],
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
          does: { ...(isKeptByAnnotation ? {} : { asks: 'nothing' }), turns: 'taken', event: 'edited' },
          turn: 'type-changed',
          source: {
            repository: 'kubernetes/kubernetes',
            version: 'v1.36.3',
            file: 'pkg/registry/core/service/strategy.go',
          },
          confidence: SEEN,
          ...(isKeptByAnnotation
            ? { unnoticed: 'a claim by annotation does not look at the type, so the balancer stays with or without it' }
            : {}),
        },
      ];
    default:
      return [];
  }
}

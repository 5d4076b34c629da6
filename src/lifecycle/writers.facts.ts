import { type Citation, Confidence } from '../contract/kubernetes.facts';
import type { Effect, Guard, Table, Transition } from './transition';

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
const kubernetes = (file: string): Citation => ({ repository: 'kubernetes/kubernetes', version: 'v1.36.3', file });
const CLIENT = kubernetes('staging/src/k8s.io/kubectl/pkg/cmd/apply/patcher.go');
const CREATE = kubernetes('staging/src/k8s.io/kubectl/pkg/cmd/create/create.go');
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

/** How it is known what each of them writes. */
export const SOURCES: Readonly<Record<Writer, readonly [Citation, Confidence]>> = {
  create: [CREATE, SEEN],
  'client-apply': [CLIENT, SEEN],
  'server-apply': [APPLY, SEEN],
  put: [WHOLE, SEEN],
  'put-class-null': [WITHOUT_CLASS, SOURCE],
  recreate: [GITOPS, SOURCE],
};

const WORKS = { writer: 'works' } as const;
const LIVE = { object: ['live', 'dying'] } as const;
const OWNERS = "the owner's finalizer";
const ANOTHER = 'a finalizer that the owner does not remove';

type Rest = Omit<Transition, 'id' | 'actor' | 'kind' | 'says' | 'source' | 'confidence'> & Partial<Transition>;

/** A row of a writer that writes a Service which is there. */
function row(writer: Writer, id: string, says: string, { when, ...rest }: Rest): Transition {
  const [source, confidence] = SOURCES[writer];
  const all = { ...WORKS, ...LIVE, ...when };
  return { id: `${writer}.${id}`, actor: 'writer', kind: 'must', says, when: all, source, confidence, ...rest };
}

/** The rows of a writer. */
export function writerTable(writer: Writer): Table {
  return [creates(writer), ...(WRITES[writer] ?? [])];
}

const creates = (writer: Writer): Transition =>
  row(writer, 'creates', 'creates the Service with what it declares', {
    when: { object: 'absent', deletion: ['unwanted', 'sent'] },
    does: {
      ...{ object: 'live', asks: 'owner', own: { copy: 'declaredOwn' }, other: { copy: 'declaredOther' } },
      // of the writers, client-side apply alone goes by what it wrote last
      ...(writer === 'client-apply' && { lastOwn: { copy: 'declaredOwn' }, lastOther: { copy: 'declaredOther' } }),
      ...{ decided: 'no', deletion: 'unwanted', event: 'created' },
    },
  });

const putsBack = (field: 'own' | 'other'): Transition => ({
  id: `keeper.puts-back-${field}`,
  actor: 'API server',
  kind: 'admission',
  says: 'puts back a finalizer that the write drops',
  when: { ...LIVE, [field]: ['held', 'applied', 'both'] },
  would: { ...LIVE, [field]: 'absent' },
  does: { [field]: 'held' },
  source: kubernetes('pkg/registry/admissionregistration'),
  confidence: SEEN,
});

/** The LoadBalancerKeeper, a policy of the API server. */
export const KEEPER: Table = [putsBack('own'), putsBack('other')];

/** What a write of the whole object does: it has the finalizers that are declared, and no others. */
const WHOLE_OBJECT = {
  unlike: [
    ['own', 'declaredOwn'],
    ['other', 'declaredOther'],
  ],
  does: { own: { copy: 'declaredOwn' }, other: { copy: 'declaredOther' }, collected: 'no', event: 'metadata' },
} as const;
const NONE_DECLARED = { declaredOwn: 'absent', declaredOther: 'absent' } as const;

/** What server-side apply does with the finalizer in a field; `rest` is the field of the other. */
function applies(field: 'own' | 'other', rest: 'own' | 'other'): Table {
  const what = field === 'own' ? OWNERS : ANOTHER;
  // what is left of a finalizer that is no longer applied
  const givesUp = { map: { applied: 'absent', both: 'held' } } as const;
  const drops = (id: string, says: string, when: Guard, does: Effect = {}): Transition =>
    row('server-apply', `${id}-${field}`, `no longer applies ${what}${says}`, {
      when: { ...NONE_DECLARED, ...when },
      does: { [field]: givesUp, ...does, event: 'metadata' },
      turn: 'no-longer-declared',
    });
  const ofAll = ', and so has no list of them: what no field manager has goes with it';
  return [
    row('server-apply', `adds-${field}`, `applies ${what}`, {
      when: { [field === 'own' ? 'declaredOwn' : 'declaredOther']: 'applied', [field]: ['absent', 'held'] },
      // who declares the one does not declare the other
      does: {
        ...(field === 'own' && { other: givesUp }),
        [field]: { map: { absent: 'applied', held: 'both' } },
        event: 'metadata',
      },
    }),
    drops('drops', ofAll, { [field]: 'applied', [rest]: ['absent', 'applied'] }, { collected: 'no' }),
    drops('takes-from-the-list', ': others still hold the list', { [field]: 'applied', [rest]: ['held', 'both'] }),
    drops('stops-sharing', ', which another manager holds too', { [field]: 'both' }),
  ];
}

// what it declares is in an annotation of the Service too: who heeds annotations looks when that changes
const EMPTIES = { own: 'absent', other: 'absent', collected: 'no', event: 'edited' } as const;
const WRITES: { readonly [W in Writer]?: Table } = {
  put: [
    row('put', 'writes', 'writes the whole object: it has the finalizers that are declared, and no others', {
      when: {},
      ...WHOLE_OBJECT,
      turn: 'stripped',
    }),
  ],
  'put-class-null': [
    row('put-class-null', 'writes', 'writes the whole object without its class', {
      when: {},
      ...WHOLE_OBJECT,
      does: { ...WHOLE_OBJECT.does, asks: { map: { owner: 'another' } } },
      turn: 'class-removed',
      unnoticed: 'the API server refuses it while there is a class, and that refusal is noticed',
    }),
  ],
  'server-apply': [...applies('own', 'other'), ...applies('other', 'own')],
  'client-apply': [
    row('client-apply', 'adds-own', "adds the owner's finalizer", {
      when: { declaredOwn: 'held', lastOwn: 'no', lastOther: 'no' },
      does: { own: 'held', lastOwn: 'yes', event: 'edited' },
    }),
    row('client-apply', 'changes-to-own', "adds the owner's finalizer, and removes another that it applied last time", {
      when: { declaredOwn: 'held', lastOwn: 'no', lastOther: 'yes' },
      does: { own: 'held', other: 'absent', lastOwn: 'yes', lastOther: 'no', event: 'edited' },
    }),
    row('client-apply', 'restores-own', "adds the owner's finalizer again", {
      when: { declaredOwn: 'held', lastOwn: 'yes', own: 'absent' },
      does: { own: 'held', event: 'metadata' },
    }),
    row('client-apply', 'adds-other', `adds ${ANOTHER}`, {
      when: { declaredOther: 'held', other: 'absent' },
      does: { other: 'held', event: 'metadata' },
    }),
    row(
      'client-apply',
      'drops-own',
      "has no list of finalizers any more, in which it applied the owner's last time: all of them go",
      { when: { ...NONE_DECLARED, lastOwn: 'yes' }, does: { ...EMPTIES, lastOwn: 'no' }, turn: 'no-longer-declared' },
    ),
    row(
      'client-apply',
      'drops-other',
      'has no list of finalizers any more, in which it applied another last time: all of them go',
      {
        when: { ...NONE_DECLARED, lastOther: 'yes' },
        does: { ...EMPTIES, lastOther: 'no' },
        turn: 'no-longer-declared',
      },
    ),
  ],
  recreate: [
    row('recreate', 'deletes', 'deletes the Service, to create it again', {
      kind: 'may',
      when: { object: 'live', deletion: 'unwanted', turns: 'left' },
      does: { deletion: 'wanted', turns: 'taken' },
      turn: 're-created',
    }),
  ],
};

/** What changes once in the life of a Service, beside edits. */
export const TURNS = ['nothing', 'again', 'drops', 'declares', 'type', 'upgraded', 'downgraded'] as const;
export type Turn = (typeof TURNS)[number];

/** The rows of a turn; `held` is the value by which the writer declares. */
export function turnTable(turn: Turn, held: 'held' | 'applied', isKeptByAnnotation: boolean): Table {
  const made = (id: string, says: string, when: Guard, does: Effect, rest: Partial<Transition> = {}): Table => [
    {
      ...{ id: `user.${id}`, actor: 'user', kind: 'may', says, source: WHOLE, confidence: SEEN },
      when: { ...when, turns: 'left' },
      does: { ...does, turns: 'taken' },
      ...rest,
    },
  ];
  switch (turn) {
    case 'drops':
      return made('stops-declaring', 'stops declaring finalizers', { ...LIVE, ...WORKS }, NONE_DECLARED);
    case 'declares':
      return made(
        'declares-own',
        "declares the owner's finalizer alone",
        { ...LIVE, ...WORKS },
        { declaredOwn: held, declaredOther: 'absent' },
      );
    case 'again':
      return made(
        'wants-it-again',
        'wants the same Service again, without a finalizer',
        { writer: 'done', namespace: 'live', deletion: 'sent' },
        { ...NONE_DECLARED, writer: 'works', deletion: 'unwanted', parent: 'live' },
        { turn: 'created-again' },
      );
    case 'type':
      return made(
        isKeptByAnnotation ? 'changes-the-type-alone' : 'changes-the-type',
        'changes the type to ClusterIP',
        { object: 'live' },
        { asks: isKeptByAnnotation ? 'in vain' : 'nothing', address: 'no', event: 'edited' },
        { turn: 'type-changed', source: kubernetes('pkg/registry/core/service/strategy.go') },
      );
    default:
      return [];
  }
}

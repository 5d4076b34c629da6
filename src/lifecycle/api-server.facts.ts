import { type Citation, Confidence } from '../contract/kubernetes.facts';
import { type Table, type Transition, table } from './transition';

// What the API server, the garbage collector and the namespace controller do with a Service that is written and deleted.

const KUBERNETES = 'kubernetes/kubernetes';
const in136 = (file: string): Citation => ({ repository: KUBERNETES, version: 'v1.36.3', file });
const STORE = in136('staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go');
const VALIDATION = in136('staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go');
const SERVICES = in136('pkg/apis/core/validation/validation.go');
const LIFECYCLE = in136('staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go');
const NAMESPACE = in136('pkg/registry/core/namespace/storage/storage.go');
const COLLECTOR = in136('pkg/controller/garbagecollector/garbagecollector.go');
const COLLECTS = in136('pkg/controller/garbagecollector/operations.go');
const NAMESPACES = in136('pkg/controller/namespace/deletion/namespaced_resources_deleter.go');
const SEEN = Confidence.SEEN;
const SOURCE = Confidence.SOURCE;

/** An object goes with its last finalizer, and what the API server refuses. */
export const API_SERVER: Table = table({ actor: 'API server', source: VALIDATION, kind: 'refusal' }, [
  {
    id: 'api-server.removes-the-released',
    kind: 'reaction',
    says: 'removes the Service with its last finalizer',
    when: { object: 'dying' },
    finalizers: 'none',
    does: { object: 'absent', address: 'no', event: 'removed' },
    source: STORE,
  },
  {
    id: 'api-server.refuses-late-finalizers',
    says: "refuses the owner's finalizer on a Service in Terminating",
    when: { object: 'dying', own: 'absent' },
    would: { own: ['held', 'applied', 'both'] },
    does: {},
  },
  {
    id: 'api-server.refuses-other-late-finalizers',
    says: 'refuses another finalizer on a Service in Terminating',
    when: { object: 'dying', other: 'absent' },
    would: { other: ['held', 'applied', 'both'] },
    does: {},
  },
  {
    id: 'api-server.refuses-another-class',
    says: 'refuses another class while the type stays',
    when: { object: ['live', 'dying'], asks: 'owner' },
    would: { object: ['live', 'dying'], asks: 'another' },
    does: {},
    source: SERVICES,
  },
  {
    id: 'api-server.refuses-an-address-without-a-balancer',
    says: 'refuses an address in the status of a Service whose type has none',
    when: { object: ['live', 'dying'], asks: ['nothing', 'in vain'] },
    would: { object: ['live', 'dying'], address: 'yes' },
    does: {},
    source: SERVICES,
  },
  {
    id: 'api-server.refuses-in-a-dying-namespace',
    says: 'refuses to create in a namespace that is being deleted',
    when: { namespace: 'dying', object: 'absent' },
    would: { object: 'live' },
    does: {},
    source: LIFECYCLE,
    confidence: SOURCE,
  },
]);

/** A deletion in two steps: what is decided when the request is read, and what is done. */
export const DELETE_IN_BACKGROUND: Table = table({ actor: 'API server', source: STORE }, [
  {
    id: 'delete.decides',
    says: 'reads a Service without finalizers and decides to remove it at once',
    when: { object: 'live', deletion: 'wanted', decided: 'no' },
    finalizers: 'none',
    does: { decided: 'yes' },
    turn: 'deleted-at-once',
  },
  {
    id: 'delete.removes',
    says: 'removes the Service as it decided, whatever was added since',
    when: { object: 'live', decided: 'yes' },
    does: {
      object: 'absent',
      own: 'absent',
      other: 'absent',
      address: 'no',
      decided: 'no',
      deletion: 'sent',
      event: 'removed',
    },
  },
  {
    id: 'delete.marks',
    says: 'sets the deletionTimestamp',
    when: { object: 'live', deletion: 'wanted', decided: 'no' },
    finalizers: 'some',
    does: { object: 'dying', deletion: 'sent', event: 'deletion' },
  },
]);

/** The same by the garbage collector, which insists on the version that it read: what is added meanwhile has it read again. */
export const DELETE_BY_COLLECTOR: Table = [
  ...DELETE_IN_BACKGROUND.map((row): Transition => {
    if (row.id !== 'delete.removes') {
      return row;
    }
    return {
      ...row,
      id: 'collector.removes',
      actor: 'garbage collector',
      says: 'removes the Service, to which nothing was added since it was read',
      finalizers: 'none',
      source: COLLECTS,
    };
  }),
  {
    id: 'collector.reads-again',
    actor: 'garbage collector',
    kind: 'must',
    says: 'is refused, since the Service has changed, and reads it again',
    when: { object: 'live', decided: 'yes' },
    finalizers: 'some',
    does: { decided: 'no' },
    source: COLLECTS,
    confidence: SEEN,
  },
];

/** A deletion that waits for what belongs to the Service: the finalizer of the garbage collector is there from its first moment. */
export const DELETE_IN_FOREGROUND: Table = table({ actor: 'API server', source: STORE, confidence: SOURCE }, [
  {
    id: 'delete.waits-for-dependents',
    says: 'sets the deletionTimestamp and the finalizer of the garbage collector',
    when: { object: 'live', deletion: 'wanted' },
    does: { object: 'dying', collected: 'yes', deletion: 'sent', event: 'deletion' },
  },
  {
    id: 'collector.has-collected',
    actor: 'garbage collector',
    says: 'removes its finalizer when the dependents are gone',
    when: { object: 'dying', collected: 'yes' },
    does: { collected: 'no', event: 'metadata' },
    source: COLLECTOR,
  },
]);

/** The user deletes the Service, or whoever acts for the user: prune, a listener removed from its cluster. */
export const USER_DELETES: Table = table(
  { actor: 'user', source: in136('staging/src/k8s.io/kubectl/pkg/cmd/delete/delete.go'), kind: 'may' },
  [
    {
      id: 'user.deletes',
      says: 'deletes the Service',
      when: { object: ['live', 'dying'], writer: 'works', deletion: 'unwanted' },
      does: { deletion: 'wanted', writer: 'done' },
    },
  ],
);

export const NAMESPACE_DELETED: Table = table({ actor: 'user', source: NAMESPACE, kind: 'may' }, [
  {
    id: 'user.deletes-the-namespace',
    says: 'deletes the namespace',
    when: { object: ['live', 'dying'], namespace: 'live' },
    does: { namespace: 'dying' },
  },
  {
    id: 'namespace-controller.deletes',
    actor: 'namespace controller',
    kind: 'must',
    says: 'deletes the Service with the namespace',
    when: { namespace: 'dying', object: 'live', deletion: ['unwanted', 'sent'] },
    does: { deletion: 'wanted' },
    source: NAMESPACES,
  },
]);

/** An object that the Service belongs to is deleted: what belongs to it goes afterwards. */
export const PARENT_DELETED: Table = table({ actor: 'user', source: COLLECTOR, kind: 'may' }, [
  {
    id: 'user.deletes-the-parent',
    says: 'deletes the object that the Service belongs to',
    when: { object: ['live', 'dying'], parent: 'live' },
    does: { parent: 'gone', writer: 'done' },
  },
  {
    id: 'collector.deletes',
    actor: 'garbage collector',
    kind: 'must',
    says: 'deletes the Service whose parent is gone',
    when: { parent: 'gone', object: 'live', deletion: ['unwanted', 'sent'] },
    does: { deletion: 'wanted' },
  },
]);

/** The same in the foreground: the parent waits, and its operator goes on meanwhile. */
export const PARENT_DELETED_IN_FOREGROUND: Table = table(
  { actor: 'garbage collector', source: COLLECTOR, confidence: SOURCE },
  [
    {
      id: 'user.deletes-the-parent-in-foreground',
      actor: 'user',
      kind: 'may',
      says: 'deletes the object that the Service belongs to, in the foreground',
      when: { object: ['live', 'dying'], parent: 'live' },
      does: { parent: 'leaving' },
      confidence: SEEN,
    },
    {
      id: 'collector.deletes-before-the-parent',
      says: 'deletes the Service whose parent waits for it',
      when: { parent: 'leaving', object: 'live', deletion: ['unwanted', 'sent'] },
      does: { deletion: 'wanted' },
    },
    {
      id: 'collector.releases-the-parent',
      says: 'lets the parent go, whose last dependent is gone',
      when: { parent: 'leaving', object: 'absent' },
      does: { parent: 'gone', writer: 'done' },
    },
  ],
);

/** The parent goes and leaves what belonged to it. */
export const PARENT_ORPHANS: Table = table({ actor: 'user', source: COLLECTOR, kind: 'may', confidence: SOURCE }, [
  {
    id: 'user.deletes-the-parent-alone',
    says: 'deletes the object that the Service belongs to and leaves the Service',
    when: { object: ['live', 'dying'], parent: 'live' },
    // the Service is changed too: it no longer says whose it is
    does: { parent: 'gone', writer: 'done', event: 'metadata' },
    unnoticed: 'with or without it the Service and its balancer stay: that is what this way of deletion is for',
  },
]);

/** Bookkeeping of the model: who has seen what, and whether an address is still promised. */
export const BOOKKEEPING: Table = [
  ...(
    [
      ['its writer is done', { writer: 'done' }],
      ['its namespace goes', { namespace: 'dying' }],
      ['its parent goes', { parent: ['leaving', 'gone'] }],
      ['its type asks for none', { asks: ['nothing', 'in vain'] }],
    ] as const
  ).map(
    ([why, when], index): Transition => ({
      id: `model.promise-ends-${index + 1}`,
      actor: 'user',
      kind: 'reaction',
      says: `gives up the address: ${why}`,
      when: { promised: 'yes', ...when },
      does: { promised: 'no' },
      source: { repository: 'this model', version: '1', file: 'src/lifecycle/properties.ts' },
      confidence: SOURCE,
    }),
  ),
];

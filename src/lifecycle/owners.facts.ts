import { type Citation, Confidence, LOAD_BALANCER_CLEANUP_FINALIZER } from '../contract/kubernetes.facts';
import { type Table, type Transition, table } from './transition';

// Controllers that make balancers of Services, each as a table of what it does from its queue to its cloud.

const { SEEN, SOURCE, UNVERIFIED } = Confidence;

interface Profile {
  /** How rows of it begin. */
  readonly prefix: string;
  /** Whether it has a finalizer. */
  readonly finalizer: boolean;
  /** Whether its patch of the finalizer fails where the Service has changed since it was read. */
  readonly locks: boolean;
  /** What it does with a Service that asks for no balancer of it any more. */
  readonly unclaimed: 'by-finalizer' | 'by-type' | 'by-absence';
  /** Whether it acts on the event of an object that is gone. */
  readonly heedsRemoval: boolean;
  /** Whether it never adds its finalizer, and removes it where it finds it. */
  readonly removesOnly?: boolean;
  /** Whether a change of finalizers alone makes it look where there is something to clean up. */
  readonly heedsFinalizers?: boolean;
  /**
   * Whether it patches by name alone, names balancers after UIDs, and remembers the Services that it worked on, so that it can
   * delete the balancer of one that is gone.
   */
  readonly remembers?: boolean;
  /** Whether it writes whole objects, which the API server refuses for another Service of that name. */
  readonly writesWhole?: boolean;
  readonly source: Citation;
  readonly confidence: Confidence;
}

const RUNS = { process: 'runs' } as const;

function ownerTable(profile: Profile): Table {
  const { prefix, finalizer, locks, unclaimed, heedsRemoval, removesOnly, heedsFinalizers } = profile;
  const { remembers, writesWhole, source, confidence } = profile;
  const row = (
    id: string,
    kind: 'must' | 'reaction',
    says: string,
    rest: Pick<Transition, 'when' | 'does'> & Partial<Transition>,
  ): Transition => ({
    actor: 'owner',
    kind,
    says,
    source,
    confidence,
    ...rest,
    id: `${prefix}.${id}`,
    when: { ...RUNS, ...rest.when },
  });
  const claimed = { owner: 'idle', queue: 'pending', seen: 'live', seenAsks: ['owner', 'in vain'] } as const;
  const taken = {
    queue: 'empty',
    read: 'fresh',
    // before it works on a Service it deletes the balancer of the last one of its name, if it remembers that
    ...(remembers ? ({ remembers: 'yes', leftover: { map: { remembered: 'none' } } } as const) : {}),
  } as const;
  const heeded = ['created', 'edited', 'deletion', ...(heedsRemoval ? (['removed'] as const) : [])] as const;
  return [
    row('queues', 'reaction', 'puts the Service into its queue', {
      when: { watch: 'current', event: heeded },
      does: { queue: 'pending' },
    }),
    row('will-queue', 'reaction', 'will put the Service into its queue when it hears of it', {
      when: { watch: ['stalled', 'behind'], event: heeded },
      does: { watch: 'owing' },
    }),
    ...(heedsFinalizers
      ? [
          row(
            'queues-to-clean-up',
            'reaction',
            'puts a Service with its finalizer that asks for no balancer into its queue',
            {
              when: { watch: 'current', event: 'metadata', asks: 'nothing', own: ['held', 'applied', 'both'] },
              does: { queue: 'pending' },
            },
          ),
          row('will-queue-to-clean-up', 'reaction', 'will put it into its queue when it hears of it', {
            when: { watch: 'behind', event: 'metadata', asks: 'nothing', own: ['held', 'applied', 'both'] },
            does: { watch: 'owing' },
          }),
        ]
      : []),
    ...(finalizer && !removesOnly
      ? [
          row('reads', 'must', 'reads a Service that it owns, without its finalizer', {
            when: { ...claimed, seenOwn: 'absent', watch: ['current', 'stalled'] },
            does: { ...taken, owner: 'planned' },
          }),
          row('reads-what-was', 'must', 'reads an old version of a Service that it owns, without its finalizer', {
            when: { ...claimed, seenOwn: 'absent', watch: NOT_NEW },
            does: { ...taken, owner: 'planned', read: 'stale', ...(remembers ? { leftover: { map: {} } } : {}) },
          }),
          row('reads-its-own', 'must', 'reads a Service with its finalizer', {
            when: { ...claimed, seenOwn: ['held', 'applied', 'both'] },
            does: { ...taken, owner: 'marked' },
          }),
          ...marks(row, locks, remembers),
        ]
      : [
          row('reads', 'must', 'reads a Service that it owns', {
            when: claimed,
            does: { ...taken, owner: 'marked' },
          }),
        ]),
    row('creates', 'must', 'makes the balancer, or finds it made', {
      when: { owner: 'marked', ...(remembers ? IS_THERE : {}) },
      does: { balancer: 'made', owner: 'created' },
    }),
    row('publishes', 'must', 'writes the address into the status', {
      when: { owner: 'created', object: 'live', ...IS_THERE },
      does: { address: 'yes', promised: 'yes', owner: 'idle' },
      refused: { owner: 'idle', queue: 'pending' },
    }),
    row('publishes-too-late', 'must', 'writes the address into the status of a Service in Terminating', {
      when: { owner: 'created', object: 'dying', ...IS_THERE },
      does: { address: 'yes', owner: 'idle' },
      refused: { owner: 'idle', queue: 'pending' },
      unnoticed: 'an address counts on a Service that lives',
    }),
    row('publishes-nowhere', 'must', 'finds no Service to write the address to', {
      when: { owner: 'created', object: 'absent' },
      does: { owner: 'idle' },
    }),
    ...(remembers ? OF_NAMESAKES(row) : OF_THOSE_BY_NAME(row, finalizer, writesWhole === true)),
    ...(finalizer
      ? [
          row('releases', 'must', 'sees the deletion of a Service with its finalizer', {
            when: { owner: 'idle', queue: 'pending', seen: 'dying', seenOwn: ['held', 'applied', 'both'] },
            does: { ...taken, owner: 'releasing' },
          }),
        ]
      : []),
    ...(unclaimed === 'by-finalizer'
      ? [
          row('releases-the-unclaimed', 'must', 'sees its finalizer on a Service that it does not own', {
            when: {
              owner: 'idle',
              queue: 'pending',
              seen: 'live',
              seenAsks: ['nothing', 'another'],
              seenOwn: ['held', 'applied', 'both'],
            },
            does: { ...taken, owner: 'releasing' },
          }),
        ]
      : [
          row('releases-by-type', 'must', 'sees a Service that asks for no balancer any more', {
            when: { owner: 'idle', queue: 'pending', seen: 'live', seenAsks: 'nothing' },
            does: { ...taken, owner: 'releasing' },
          }),
        ]),
    ...(heedsRemoval
      ? [
          row('releases-the-removed', 'must', 'sees that the Service is gone', {
            when: { owner: 'idle', queue: 'pending', seen: 'absent' },
            does: { ...taken, owner: 'releasing' },
          }),
        ]
      : []),
    row('deletes', 'must', 'deletes the balancer', {
      when: { owner: 'releasing', ...(remembers ? IS_THERE : {}) },
      does: { balancer: 'none', ...(heedsRemoval ? { leftover: 'none' } : {}), owner: 'released' },
    }),
    row('unmarks', 'must', 'empties the status and removes its finalizer', {
      when: { owner: 'released', object: ['live', 'dying'], ...IS_THERE },
      does: { own: 'absent', address: 'no', ...(remembers ? { remembers: 'no' } : {}), owner: 'idle' },
    }),
    row('unmarks-nothing', 'must', 'finds that the Service is gone', {
      when: { owner: 'released', object: 'absent' },
      does: { owner: 'idle' },
    }),
  ];
}

/** What a watch is that has more than the owner has heard of. */
const NOT_NEW = ['behind', 'owing'] as const;
const IS_THERE = { read: ['fresh', 'stale'] } as const;

const publishesToANamesake = (row: Row): Transition =>
  row('publishes-to-a-namesake', 'must', 'writes the address into the status of another Service of that name', {
    when: { owner: 'created', object: ['live', 'dying'], read: 'gone' },
    does: { address: 'yes', owner: 'idle' },
    refused: { owner: 'idle', queue: 'pending' },
  });

/** What becomes of another Service of the name where balancers are named after that name. */
const OF_THOSE_BY_NAME = (row: Row, finalizer: boolean, writesWhole: boolean): Table => [
  writesWhole
    ? row('publishes-not-to-a-namesake', 'must', 'finds another Service of that name', {
        when: { owner: 'created', object: ['live', 'dying'], read: 'gone' },
        does: { owner: 'idle' },
      })
    : publishesToANamesake(row),
  row('unmarks-no-namesake', 'must', 'finds another Service of that name', {
    when: { owner: 'released', object: ['live', 'dying'], read: 'gone' },
    does: { owner: 'idle' },
    ...(finalizer
      ? {}
      : { unnoticed: 'it needs a change of type and a second creation in one life, and a life has one change' }),
  }),
];

/** What becomes of it where the owner patches by name, and its balancers are named after UIDs. */
const OF_NAMESAKES = (row: Row): Table => [
  row('creates-for-the-gone', 'must', 'makes the balancer of a Service that is gone', {
    when: { owner: 'marked', read: 'gone' },
    does: { leftover: { map: { none: 'remembered' } }, owner: 'created' },
  }),
  publishesToANamesake(row),
  row('releases-the-remembered', 'must', 'finds no Service of a name that it has worked on', {
    when: { owner: 'idle', queue: 'pending', seen: 'absent', leftover: 'remembered' },
    does: { queue: 'empty', read: 'gone', remembers: 'no', owner: 'releasing' },
  }),
  row('deletes-of-the-gone', 'must', 'deletes the balancer of a Service that is gone', {
    when: { owner: 'releasing', read: 'gone' },
    does: { leftover: 'none', owner: 'released' },
  }),
  row('unmarks-a-namesake', 'must', 'empties the status of another Service of that name and removes its finalizer', {
    when: { owner: 'released', object: ['live', 'dying'], read: 'gone' },
    does: { own: 'absent', address: 'no', owner: 'idle' },
  }),
];

type Row = (
  id: string,
  kind: 'must' | 'reaction',
  says: string,
  rest: Pick<Transition, 'when' | 'does'> & Partial<Transition>,
) => Transition;

function marks(row: Row, locks: boolean, remembers = false): Table {
  // a patch that adds what is there does not make its field manager a holder
  const mark = { own: { map: { absent: 'held' } }, owner: 'marked' } as const;
  const again = { owner: 'idle', queue: 'pending' } as const;
  const gone = row('marks-nothing', 'must', 'finds that the Service is gone', {
    when: { owner: 'planned', object: 'absent' },
    does: remembers ? again : { owner: 'idle' },
  });
  if (!locks) {
    return [
      row('marks', 'must', 'adds its finalizer', {
        when: { owner: 'planned', object: ['live', 'dying'] },
        does: mark,
        refused: again,
      }),
      gone,
    ];
  }
  return [
    row('marks', 'must', 'adds its finalizer', {
      when: { owner: 'planned', object: 'live', read: 'fresh' },
      does: mark,
    }),
    row('conflicts', 'must', 'is refused: the Service has changed since it was read', {
      when: { owner: 'planned', object: ['live', 'dying'], read: ['stale', 'gone'], watch: ['current', 'stalled'] },
      does: again,
    }),
    row('conflicts-behind', 'must', 'is refused, and waits for the watch', {
      when: { owner: 'planned', object: ['live', 'dying'], read: ['stale', 'gone'], watch: NOT_NEW },
      // it tries in vain until the watch has what it needs
      does: { owner: 'idle', watch: 'owing' },
    }),
    gone,
  ];
}

/** Balancers that are named after the UID of the Service are lost with it, unless the process that made them remembers. */
const byUid = (prefix: string, source: Citation, confidence: Confidence): Table => {
  const row: Omit<Transition, 'id' | 'when' | 'does'> = {
    actor: 'cloud',
    kind: 'reaction',
    says: 'has a balancer that is named after the UID of a Service that is gone',
    source,
    confidence,
  };
  const lost = { event: 'removed', balancer: 'made' } as const;
  return [
    {
      ...row,
      id: `${prefix}.names-by-uid`,
      when: { ...lost, remembers: 'no' },
      does: { balancer: 'none', leftover: 'made' },
    },
    {
      ...row,
      id: `${prefix}.names-by-uid-what-is-remembered`,
      when: { ...lost, remembers: 'yes' },
      does: { balancer: 'none', leftover: { map: { none: 'remembered' } } },
    },
    {
      ...row,
      id: `${prefix}.forgets`,
      actor: 'owner',
      says: 'has forgotten which Services it has worked on',
      when: { process: ['down', 'uninstalled'], leftover: 'remembered' },
      does: { leftover: 'made' },
    },
  ];
};

const SERVICE_CONTROLLER: Citation = {
  repository: 'kubernetes/cloud-provider',
  version: 'v0.36.3',
  file: 'controllers/service/controller.go',
};

const serviceController = ownerTable({
  prefix: 'service-controller',
  finalizer: true,
  locks: false,
  unclaimed: 'by-type',
  heedsRemoval: false,
  heedsFinalizers: true,
  remembers: true,
  source: SERVICE_CONTROLLER,
  confidence: SEEN,
});

/** Before KEP-980: no finalizer, and the balancer goes when the process sees that the Service went. */
const beforeKep980 = ownerTable({
  prefix: 'service-controller-before-kep-980',
  writesWhole: true,
  finalizer: false,
  locks: false,
  unclaimed: 'by-type',
  heedsRemoval: true,
  source: {
    repository: 'kubernetes/kubernetes',
    version: 'v1.14.10',
    file: 'pkg/controller/service/service_controller.go',
  },
  confidence: SOURCE,
});

/** The step between: it removes the finalizer where it finds it, and adds none, so that the next version can be taken back. */
const between = ownerTable({
  prefix: 'service-controller-1.15',
  writesWhole: true,
  finalizer: true,
  removesOnly: true,
  locks: false,
  unclaimed: 'by-type',
  heedsRemoval: true,
  source: {
    repository: 'kubernetes/kubernetes',
    version: 'v1.15.12',
    file: 'pkg/controller/service/service_controller.go',
  },
  confidence: SOURCE,
});

/** A controller that makes balancers, as the model knows it. */
export interface Owner {
  /** Its name, and the version class where there is more than one. */
  readonly name: string;
  readonly versions: string;
  readonly table: Table;
  /** The finalizer that it adds and removes; none for those that have none. */
  readonly finalizer?: string;
  /** Whether a manifest may have that finalizer from the beginning. */
  readonly declares: 'by default' | 'on request' | 'never';
  /** Whether it is Kubernetes' service controller, which knows its finalizer in some versions alone. */
  readonly isServiceController?: boolean;
  /** Whether Services are claimed by an annotation, which a change of type does not take away. */
  readonly byAnnotation?: boolean;
  /** Whether it looks at every Service when it starts, and not at those alone that ask for its balancer or have its finalizer. */
  readonly looksAtAll?: boolean;
  /** Whether its balancers are in the cluster, and go with it. */
  readonly isTheBalancer?: boolean;
  /** What else is in a cluster of it and touches its Services. */
  readonly beside: readonly Beside[];
  /** The weakest way in which a row of it is known. */
  readonly confidence: Confidence;
}

export const BESIDES = [
  'alone',
  'service controller',
  'AWS Load Balancer Controller',
  'one of the same cluster name',
] as const;
export type Beside = (typeof BESIDES)[number];

/** The controller that is meant by another one in the cluster; the service controller is that of any cloud. */
export const BESIDE_IS: { readonly [B in Beside]?: string } = {
  'AWS Load Balancer Controller': 'aws-load-balancer-controller',
};

const ALONE: Beside = 'alone';
const WITH_SERVICE_CONTROLLER: Beside = 'service controller';
const WITH_AWS: Beside = 'AWS Load Balancer Controller';
const WITH_NAMESAKE: Beside = 'one of the same cluster name';

const AWS_LBC: Citation = {
  repository: 'kubernetes-sigs/aws-load-balancer-controller',
  version: 'v3.5.0',
  file: 'controllers/service/service_controller.go',
};
const GKE: Citation = {
  repository: 'kubernetes/ingress-gce',
  version: 'acbcf5d6 (2026-08-21)',
  file: 'pkg/l4/controllers/l4netlbcontroller.go',
};
const METALLB: Citation = { repository: 'metallb/metallb', version: 'v0.16.2', file: 'controller/main.go' };
const EKS: Citation = { repository: 'Amazon EKS User Guide', version: '2024-12-18', file: 'auto-configure-nlb.html' };

/** pkg/shared_constants/finalizers.go of the same version. */
const AWS_FINALIZER = 'service.k8s.aws/resources';

const awsLoadBalancerController = ownerTable({
  prefix: 'aws-load-balancer-controller',
  finalizer: true,
  locks: true,
  unclaimed: 'by-finalizer',
  heedsRemoval: false,
  source: AWS_LBC,
  confidence: SEEN,
});

const cloud = (name: string, source: Citation, confidence: Confidence, beside: readonly Beside[]): Owner => ({
  name,
  versions: 'service controller from Kubernetes 1.16',
  table: [...serviceController, ...byUid(name, source, confidence)],
  finalizer: LOAD_BALANCER_CLEANUP_FINALIZER,
  declares: 'by default',
  isServiceController: true,
  beside,
  confidence,
});

export const OWNERS: readonly Owner[] = [
  {
    name: 'aws-load-balancer-controller',
    versions: 'by class',
    table: awsLoadBalancerController,
    finalizer: AWS_FINALIZER,
    declares: 'by default',
    beside: [ALONE, WITH_SERVICE_CONTROLLER, WITH_NAMESAKE],
    confidence: SEEN,
  },
  {
    name: 'aws-load-balancer-controller',
    versions: 'by annotation',
    table: awsLoadBalancerController,
    finalizer: AWS_FINALIZER,
    declares: 'by default',
    byAnnotation: true,
    beside: [ALONE, WITH_SERVICE_CONTROLLER],
    confidence: SEEN,
  },
  cloud(
    'cloud-provider-aws',
    { repository: 'kubernetes/cloud-provider-aws', version: 'v1.36.1', file: 'pkg/providers/v1/aws.go' },
    SOURCE,
    [ALONE, WITH_AWS],
  ),
  cloud(
    'cloud-provider-azure',
    {
      repository: 'kubernetes-sigs/cloud-provider-azure',
      version: 'v1.36.3',
      file: 'pkg/provider/azure_loadbalancer.go',
    },
    SOURCE,
    [ALONE],
  ),
  cloud(
    'hcloud-cloud-controller-manager',
    {
      repository: 'hetznercloud/hcloud-cloud-controller-manager',
      version: 'v1.35.0',
      file: 'internal/hcops/load_balancer.go',
    },
    SOURCE,
    [ALONE],
  ),
  {
    name: 'service-controller',
    versions: 'Kubernetes before 1.15',
    table: beforeKep980,
    looksAtAll: true,
    finalizer: LOAD_BALANCER_CLEANUP_FINALIZER,
    declares: 'never',
    isServiceController: true,
    beside: [ALONE],
    confidence: SOURCE,
  },
  {
    name: 'service-controller',
    versions: 'Kubernetes 1.15',
    table: between,
    finalizer: LOAD_BALANCER_CLEANUP_FINALIZER,
    declares: 'never',
    isServiceController: true,
    beside: [ALONE],
    confidence: SOURCE,
  },
  {
    name: 'gke',
    finalizer: 'gke.networking.io/l4-netlb-v3',
    declares: 'never',
    versions: 'by class',
    table: ownerTable({
      prefix: 'gke',
      heedsFinalizers: true,
      finalizer: true,
      locks: false,
      unclaimed: 'by-finalizer',
      heedsRemoval: false,
      source: GKE,
      confidence: SOURCE,
    }),
    beside: [WITH_SERVICE_CONTROLLER],
    confidence: SOURCE,
  },
  {
    name: 'metallb',
    declares: 'never',
    versions: 'any',
    table: [
      ...ownerTable({
        prefix: 'metallb',
        writesWhole: true,
        finalizer: false,
        locks: false,
        unclaimed: 'by-type',
        heedsRemoval: true,
        source: METALLB,
        confidence: SOURCE,
      }),
      {
        id: 'metallb.forgets',
        actor: 'owner',
        kind: 'reaction',
        says: 'has addresses in its memory alone: none is left of a Service that went while it was down',
        when: { process: ['down', 'uninstalled'], object: 'absent', balancer: 'made' },
        does: { balancer: 'none' },
        source: METALLB,
        confidence: SOURCE,
      },
    ],
    looksAtAll: true,
    isTheBalancer: true,
    beside: [ALONE],
    confidence: SOURCE,
  },
  {
    name: 'eks-auto-mode',
    finalizer: 'service.eks.amazonaws.com/resources',
    declares: 'on request',
    versions: 'by class',
    table: ownerTable({
      prefix: 'eks-auto-mode',
      finalizer: true,
      locks: true,
      unclaimed: 'by-finalizer',
      heedsRemoval: false,
      source: EKS,
      confidence: UNVERIFIED,
    }),
    beside: [WITH_SERVICE_CONTROLLER],
    confidence: UNVERIFIED,
  },
];

/** What another controller does with a Service that it does not own. */
export function besideTable(beside: Beside, byAnnotation: boolean): Table {
  const present = { other: ['held', 'applied', 'both'] } as const;
  const queues = {
    kind: 'reaction',
    says: 'puts the Service into its queue',
    when: { event: ['created', 'edited', 'deletion'] },
    does: { otherQueue: 'pending' },
  } as const;
  switch (beside) {
    case 'service controller': {
      const adds = table({ actor: 'other controller', source: SERVICE_CONTROLLER }, [
        { ...queues, id: 'beside-service-controller.queues' },
        {
          id: 'beside-service-controller.adds',
          says: 'adds its finalizer before it sees that another controller makes the balancer',
          when: { otherQueue: 'pending', object: 'live', other: 'absent', asks: 'owner' },
          does: { other: 'held', otherQueue: 'empty', event: 'metadata' },
        },
      ]);
      const removes = table({ actor: 'other controller', source: SERVICE_CONTROLLER }, [
        {
          id: 'beside-service-controller.removes',
          says: 'empties the status and removes its finalizer from a Service in Terminating, whatever its class',
          when: { object: 'dying', ...present },
          does: { other: 'absent', address: 'no', event: 'metadata' },
        },
        {
          id: 'beside-service-controller.cleans-up',
          says: 'removes its finalizer from a Service that asks for no balancer any more',
          when: { object: 'live', asks: ['nothing', 'in vain'], ...present },
          does: { other: 'absent', event: 'metadata' },
        },
      ]);
      return [...(byAnnotation ? adds : []), ...removes];
    }
    case 'AWS Load Balancer Controller':
      return table({ actor: 'other controller', source: AWS_LBC }, [
        { ...queues, id: 'beside-aws-load-balancer-controller.queues' },
        {
          id: 'beside-aws-load-balancer-controller.releases',
          says: 'empties the status and removes its finalizer from a Service that it does not own',
          when: { otherQueue: 'pending', object: ['live', 'dying'], ...present },
          does: { other: 'absent', address: 'no', otherQueue: 'empty', event: 'metadata' },
          turn: 'status-emptied',
        },
      ]);
    case 'one of the same cluster name':
      return table({ actor: 'other controller', source: AWS_LBC }, [
        { ...queues, id: 'beside-namesake.queues', when: { event: ['edited', 'deletion'] } },
        {
          ...queues,
          id: 'beside-namesake.queues-the-declared',
          says: 'puts a Service that is created with its finalizer into its queue',
          when: { event: 'created', own: ['held', 'applied', 'both'] },
        },
        {
          id: 'beside-namesake.releases',
          says: 'serves another class, finds the finalizer that is its own too, and deletes the balancer of that cluster name',
          when: { otherQueue: 'pending', object: ['live', 'dying'], own: ['held', 'applied', 'both'] },
          does: { own: 'absent', balancer: 'none', address: 'no', otherQueue: 'empty', event: 'metadata' },
          turn: 'deleted-by-a-namesake',
          source: { ...AWS_LBC, file: 'pkg/deploy/tracking/provider.go' },
        },
        {
          id: 'beside-namesake.looks-in-vain',
          says: 'serves another class, and finds nothing to clean up on a Service without the finalizer',
          when: { otherQueue: 'pending', own: 'absent' },
          does: { otherQueue: 'empty' },
        },
        {
          id: 'beside-namesake.disturbs',
          actor: 'owner',
          kind: 'may',
          says: 'fails to make the balancer, of which parts are deleted meanwhile, and starts again',
          when: { process: 'runs', owner: 'marked', own: 'absent', read: 'stale' },
          does: { owner: 'idle', queue: 'pending' },
          source: { ...AWS_LBC, file: 'pkg/deploy/stack_deployer.go' },
        },
      ]);
    default:
      return [];
  }
}

/** Admission that refuses the status: the owner tries for ever. */
export const STATUS_REFUSED: Transition = {
  id: 'admission.refuses-the-status',
  actor: 'API server',
  kind: 'must',
  says: "refuses the owner's write of the status by an admission policy",
  when: { process: 'runs', owner: 'created', object: 'live' },
  does: { owner: 'idle', queue: 'pending' },
  turn: 'status-refused',
  source: {
    repository: 'kubernetes/kubernetes',
    version: 'v1.36.3',
    file: 'staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/plugin.go',
  },
  confidence: SEEN,
};

import { walk } from '../../scripts/lifecycle/walk';
import { explore, restsOf } from '../../src/lifecycle/checker';
import { Machine, type Table } from '../../src/lifecycle/machine';
import { OWNERS, type Owner } from '../../src/lifecycle/owners';
import { firstState, type Policy, rowsOf, type Scenario } from '../../src/lifecycle/scenario';
import { bytesOf, type PartialState, type State, stateOf } from '../../src/lifecycle/state';

/** An owner by its name, and by its versions where there is more than one. */
export function owner(name: string, versions?: string): Owner {
  const found = OWNERS.find((each) => each.name === name && (versions === undefined || each.versions === versions));
  if (!found) throw new Error(`no owner ${name} ${versions}`);
  return found;
}

export const AWS_BY_CLASS = owner('aws-load-balancer-controller', 'by class');
export const AWS_BY_ANNOTATION = owner('aws-load-balancer-controller', 'by annotation');
export const AWS_CLOUD = owner('cloud-provider-aws');
const BEFORE = owner('service-controller', 'Kubernetes before 1.15');
const BETWEEN = owner('service-controller', 'Kubernetes 1.15');

/** The finalizers of a Service as the tables of the stories write them: F is the owner's, K the other's. */
export function shown({ object, own, other, balancer, leftover, address }: State): string {
  const letters = [other === 'absent' ? '' : 'K', own === 'absent' ? '' : 'F'].filter(Boolean).join(',');
  const service =
    object === 'absent'
      ? 'gone'
      : `[${letters}]${object === 'dying' ? ' Terminating' : address === 'no' ? ' pending' : ''}`;
  return `${service}, ${balancer === 'made' ? 1 : 0}${leftover !== 'none' ? ' and 1 lost' : ''}`;
}

type Change = (rows: Table) => Table;
const SAME: Change = (rows) => rows;

/** What was seen on running programs, asked of the model. */
export interface Experiment {
  /** What was done, and what was seen. */
  readonly title: string;
  readonly expected: string;
  run(change?: Change): string;
}

/** What a scenario comes to: all that can be wrong. */
function broken(title: string, scenario: Scenario, expected: string): Experiment {
  return {
    title,
    expected,
    run: (change = SAME) =>
      [...explore(new Machine(change(rowsOf(scenario))), firstState(scenario)).broken.keys()].sort().join(', '),
  };
}

/** What a scenario comes to along a way: steps by their ids, and `…` where all actors come to rest. */
function way(title: string, scenario: Scenario, steps: string, expected: string, from: PartialState = {}): Experiment {
  return {
    title,
    expected,
    run: (change = SAME) => {
      const machine = new Machine(change(rowsOf(scenario)));
      let states: State[] = [stateOf(bytesOf({ ...firstState(scenario), ...from }))];
      const told: string[] = [];
      for (const step of steps.split(' ')) {
        try {
          states =
            step === '…'
              ? states.flatMap((state) => restsOf(machine.rows, state))
              : states.map((state) => walk(machine, state, [step])[1]);
        } catch {
          return `${step} impossible`;
        }
        if (step === '…') told.push([...new Set(states.map(shown))].sort().join(' or '));
      }
      return told.join(' > ');
    },
  };
}

const aws: Scenario = { owner: AWS_BY_CLASS, policy: 'left', writer: 'create', edited: true, faults: ['crash', 'lag'] };
const cloud: Scenario = { ...aws, owner: AWS_CLOUD };
const SERVED: PartialState = { object: 'live', balancer: 'made', address: 'yes', promised: 'yes' };
const MARKED: PartialState = { ...SERVED, own: 'held' };
const plain = { faults: [], edited: false } as const;
const strimzi: Scenario = { ...aws, ...plain, beside: 'service controller', writer: 'put' };

/** A watch that lags: what an owner reads then, and what becomes of its patch. */
function lagging(scenario: Scenario, name: string, refusal: string): Experiment {
  return way(
    `${name}: reads an old version, ${refusal === 'marks' ? 'and its patch is taken all the same' : 'is refused, and waits for the watch'}`,
    { ...scenario, writer: 'client-apply', policy: 'wrong' },
    `watch.stalls client-apply.adds-other ${name}.reads-what-was ${name}.${refusal} …`,
    '[K,F], 1',
    { object: 'live', queue: 'pending', seen: 'live' },
  );
}

/** A watch that stalls while an annotation is edited: the owner looks when it has caught up. */
function catchingUp(name: Owner, marked: boolean): Experiment {
  return way(
    `${name.name} ${name.versions}: hears late of an edit, and looks then`,
    { ...aws, owner: name },
    'watch.stalls user.edits watch.catches-up-and-queues …',
    marked ? '[F], 1' : '[], 1',
    marked ? MARKED : SERVED,
  );
}

/** A watch that stalls while a finalizer comes back to a Service that asks for no balancer. */
function cleaningUp(name: Owner): Experiment {
  return way(
    `${name.name}: hears late of its finalizer where it is not wanted, and removes it`,
    { ...aws, owner: name, policy: 'declared', writer: 'client-apply' },
    'watch.stalls client-apply.restores-own watch.catches-up-and-queues user.deletes …',
    'gone, 0',
    { object: 'live', asks: 'nothing', declaredOwn: 'held', lastOwn: 'yes' },
  );
}

const does = ({ table }: Owner, name: string) => table.some(({ id }) => id.endsWith(`.${name}`));

type Row = [title: string, steps: string, expected: string, from?: PartialState];
const ways = (of: Owner, all: readonly Row[], policy: Policy = 'left') =>
  all.map(([title, ...rest]) => way(`${of.name}: ${title}`, { ...aws, owner: of, policy }, ...rest));

const inCloud = (of: Owner) => {
  const REMEMBERED: PartialState = { ...MARKED, remembers: 'yes', leftover: 'remembered' };
  const next = does(of, 'names-by-service') ? '[F], 1' : '[F], 1 and 1 lost';
  const ends = 'owner.crashes owner.starts service-controller.reads user.deletes delete.decides delete.removes …';
  return ways(of, [
    ['a balancer that outlives its Service is left', 'user.deletes …', 'gone, 0 and 1 lost', SERVED],
    ['a process that has forgotten it', ends, 'gone, 0 and 1 lost', { ...REMEMBERED, own: 'absent' }],
    ['the next Service of its name after a crash', 'owner.crashes …', next, REMEMBERED],
  ]);
};

const inCluster = (of: Owner) => {
  const [prefix] = of.table[0].id.split('.');
  const namesake = `${prefix}.publishes-to-a-namesake ${prefix}.reads …`;
  const left = does(of, 'forgets') ? 'gone, 0' : 'gone, 0 or gone, 1';
  const created: PartialState = { object: 'live', balancer: 'made', owner: 'created', read: 'gone' };
  return [
    ...ways(of, [['the address goes with the Service', '… user.deletes …', '[], 1 > gone, 0']]),
    ...ways(of, [['K, which none removes: it hangs', '… user.deletes …', '[K], 1 > [K] Terminating, 1']], 'wrong'),
    ...ways(of, [['the Service goes while it is down', 'owner.crashes user.deletes …', left, SERVED]]),
    ...(does(of, 'publishes-to-a-namesake')
      ? ways(of, [['a namesake', namesake, '[], 1', { ...created, queue: 'pending', seen: 'live' }]])
      : []),
  ];
};

/** The experiments, by what was run. */
export const EXPERIMENTS: Readonly<Record<string, readonly Experiment[]>> = {
  'the AWS Load Balancer Controller 3.5.0': [
    broken('finalizer undeclared, deleted within 60 ms: an orphan', { ...aws, ...plain }, 'orphan'),
    broken('finalizer declared, deleted within 60 ms: none of 520', { ...aws, ...plain, policy: 'declared' }, ''),
    broken(
      'the same with a crash, a lag and a lost answer',
      { ...aws, policy: 'declared', faults: ['crash', 'lag', 'lost answer'] },
      '',
    ),
    way('finalizer undeclared: added before the balancer', aws, '…', '[F], 1'),
    way('deleted: the balancer goes first, then the object', aws, '… user.deletes …', '[F], 1 > gone, 0'),
    way('stripped: nothing happens', aws, '…', '[], 1', SERVED),
    way('stripped, then deleted: an orphan', aws, 'user.deletes …', 'gone, 1', SERVED),
    way('stripped, then an annotation edited: put back', aws, 'user.edits …', '[F], 1', SERVED),
    way('stripped, then a resync: put back', aws, 'owner.looks-again …', '[F], 1', SERVED),
    way('stripped, then a restart: put back', aws, 'owner.crashes …', '[F], 1', SERVED),
    way(
      'finalizer on a Service that it does not own: status emptied and finalizer removed',
      aws,
      'owner.looks-again …',
      '[] pending, 0',
      { ...MARKED, balancer: 'none', asks: 'another', promised: 'no', seenAsks: 'another' },
    ),
    way(
      'finalizer on such a Service, controller stopped: deletion hangs',
      aws,
      'user.deletes …',
      '[F] Terminating, 0',
      { ...MARKED, balancer: 'none', asks: 'another', process: 'uninstalled' },
    ),
    way('deletion waits for a controller that is down', aws, 'user.deletes …', 'gone, 0', {
      ...MARKED,
      process: 'down',
    }),
    way(
      'K and no service controller: the balancer goes, the object hangs on K',
      { ...aws, policy: 'wrong' },
      '… user.deletes …',
      '[K,F], 1 > [K] Terminating, 0',
    ),
    way(
      'created again with the finalizer: the orphan is adopted and then deleted',
      { ...aws, policy: 'declared' },
      '… user.deletes …',
      '[F], 1 > gone, 0',
      { balancer: 'made' },
    ),
    way('a ClusterIP Service with the finalizer alone: the orphan is deleted', aws, '…', '[] pending, 0', {
      object: 'live',
      asks: 'nothing',
      own: 'held',
      balancer: 'made',
      queue: 'pending',
    }),
    way(
      'type ClusterIP, by class: given back',
      { ...aws, turn: 'type' },
      '… user.changes-the-type …',
      '[F], 1 > [] pending, 0',
    ),
    way(
      'type ClusterIP, by annotation: finalizer and balancer stay, the address goes, and deletion removes all',
      { ...aws, owner: AWS_BY_ANNOTATION, turn: 'type' },
      '… user.changes-the-type-alone user.deletes …',
      '[F], 1 > gone, 0',
    ),
    broken(
      'type ClusterIP, by annotation: every address is refused, and it tries for ever',
      { ...aws, ...plain, owner: AWS_BY_ANNOTATION, turn: 'type', policy: 'declared' },
      'no-rest',
    ),
    way(
      'the address of a balancer whose Service is gone: written to the next one of that name',
      { ...aws, turn: 'again' },
      'aws-load-balancer-controller.publishes-to-a-namesake aws-load-balancer-controller.reads …',
      '[F], 1',
      { object: 'live', balancer: 'made', owner: 'created', read: 'gone', queue: 'pending', seen: 'live' },
    ),
    way(
      'another of its cluster name cleans up while it makes the balancer: it starts again',
      { ...aws, policy: 'declared', beside: 'one of the same cluster name' },
      'beside-namesake.releases beside-namesake.disturbs aws-load-balancer-controller.reads …',
      '[F], 1',
      { ...MARKED, address: 'no', promised: 'no', balancer: 'none', owner: 'marked', otherQueue: 'pending' },
    ),
    broken('class of a live Service removed: refused', { ...aws, ...plain, writer: 'put-class-null' }, 'orphan'),
    broken(
      'a second controller of the same cluster name: balancers are destroyed on edits',
      { ...aws, policy: 'declared', faults: [], beside: 'one of the same cluster name' },
      'address-lost, foreign-strip, orphan',
    ),
    way(
      'server-side apply that does not declare: the finalizer of the controller stays',
      { ...aws, writer: 'server-apply' },
      '…',
      '[F], 1',
      MARKED,
    ),
    way(
      'server-side apply that no longer declares what it wrote first: removed, an orphan on deletion',
      { ...aws, writer: 'server-apply' },
      '… user.deletes …',
      '[], 1 > gone, 1',
      { ...SERVED, own: 'applied' },
    ),
    ...(['own', 'other'] as const).flatMap((field) => [
      way(
        `written by a controller first, declared and dropped: it stays, ${field}`,
        { ...aws, writer: 'server-apply' },
        `server-apply.stops-sharing-${field} …`,
        field === 'own' ? '[F], 1' : '[K], 1',
        { ...SERVED, [field]: 'both' },
      ),
      way(
        `another dropped, of a Service that waits for its dependents: the collector's stays, ${field}`,
        { ...aws, writer: 'server-apply', ending: 'foreground' },
        `server-apply.takes-from-the-list-${field} collector.has-collected`,
        '',
        { ...SERVED, object: 'dying', collected: 'yes', own: 'held', other: 'held', [field]: 'applied' },
      ),
    ]),
    way(
      'a finalizer for a Service in Terminating: refused',
      { ...aws, policy: 'declared', writer: 'server-apply' },
      '…',
      '[K] Terminating, 1',
      { ...SERVED, object: 'dying', other: 'held' },
    ),
    way(
      'whole objects that declare it: kept',
      { ...aws, policy: 'declared', writer: 'put' },
      '… user.deletes …',
      '[F], 1 > gone, 0',
    ),
    broken(
      'the status refused by a policy: it tries for ever',
      { ...aws, faults: ['status refused'] },
      'no-rest, orphan',
    ),
    way(
      'a patch of what has changed since: refused, and tried again',
      { ...aws, writer: 'client-apply', policy: 'wrong' },
      'owner.looks-again aws-load-balancer-controller.reads client-apply.adds-other aws-load-balancer-controller.conflicts …',
      '[K,F], 1',
      { object: 'live' },
    ),
  ],
  'the service controller of Kubernetes 1.36': [
    way('no class: its finalizer is added, and deletion removes both', cloud, '… user.deletes …', '[F], 1 > gone, 0'),
    way(
      'its finalizer on a foreign class: no balancer, stripped on deletion',
      { ...cloud, policy: 'declared' },
      '… user.deletes …',
      '[F] pending, 0 > gone, 0',
      { object: 'live', asks: 'another', own: 'held' },
    ),
    way(
      'the finalizer of another: the balancer goes and the object hangs',
      { ...cloud, policy: 'wrong' },
      '… user.deletes …',
      '[K,F], 1 > [K] Terminating, 0',
    ),
    way(
      'type ClusterIP: given back',
      { ...cloud, turn: 'type' },
      '… user.changes-the-type …',
      '[F], 1 > [] pending, 0',
    ),
    broken(
      'type ClusterIP, and an apply that keeps its finalizer there: no rest',
      { ...cloud, ...plain, policy: 'declared', writer: 'server-apply', turn: 'type' },
      'no-rest',
    ),
    way(
      'a namespace deleted: it waits for the balancer',
      { ...cloud, ending: 'namespace' },
      '… user.deletes-the-namespace …',
      '[F], 1 > gone, 0',
    ),
    way(
      'the AWS controller empties the status of a Service with its finalizer',
      { ...cloud, policy: 'wrong', beside: 'AWS Load Balancer Controller' },
      '… user.edits …',
      '[F] pending, 1 or [F], 1 > [F], 1',
    ),
    way(
      'upgraded from a version without finalizers: added at the start',
      { ...cloud, turn: 'upgraded' },
      '… user.deletes …',
      '[F], 1 > gone, 0',
    ),
    way(
      'taken back to 1.15: the finalizer is removed all the same',
      { ...cloud, owner: BETWEEN, turn: 'downgraded' },
      '… user.deletes …',
      '[F], 1 > gone, 0',
    ),
    way(
      'taken back further: deletion hangs',
      { ...cloud, owner: BEFORE, turn: 'downgraded' },
      '… user.deletes …',
      '[F], 1 > [F] Terminating, 1',
    ),
  ],
  'Strimzi 0.49.1 and 1.2.0': [
    way(
      '0.49.1 no longer declares: removed from the live Service',
      { ...strimzi, policy: 'declared', turn: 'drops' },
      '… user.stops-declaring … user.deletes …',
      '[F], 1 > [], 1 > gone, 1',
    ),
    way(
      '1.2.0 no longer declares what it wrote first: removed',
      { ...strimzi, policy: 'declared', writer: 'server-apply', turn: 'drops' },
      '… user.stops-declaring … user.deletes …',
      '[F], 1 > [], 1 > gone, 1',
    ),
    way(
      'K changed to F before the deletion: nothing is left',
      { ...strimzi, policy: 'wrong', turn: 'declares' },
      '… user.declares-own … user.deletes …',
      '[K], 1 > [F], 1 > gone, 0',
    ),
    way(
      'an annotation edited: put back, and stripped again',
      { ...strimzi, edited: true },
      'user.edits … user.deletes …',
      '[], 1 > gone, 1',
      SERVED,
    ),
    broken(
      'created again without the finalizer while its Services are in Terminating: an orphan',
      { ...strimzi, policy: 'declared', turn: 'again' },
      'foreign-strip, orphan',
    ),
    way(
      'created again while its Services are in Terminating: the API server refuses its finalizer',
      { ...strimzi, policy: 'declared' },
      '…',
      '[] Terminating, 0',
      { object: 'dying', collected: 'yes' },
    ),
    way(
      'deletion in the foreground of what the Service belongs to',
      { ...strimzi, policy: 'declared', ending: 'parent' },
      '… user.deletes-the-parent …',
      '[F], 1 > gone, 0',
    ),
    broken(
      'client-side apply that no longer declares: removed whoever else wants it',
      { ...strimzi, policy: 'declared', writer: 'client-apply', turn: 'drops' },
      'foreign-strip, orphan',
    ),
  ],
  'replays of traces': [
    ...OWNERS.filter((each, index, all) => all.findIndex(({ table }) => table[0] === each.table[0]) === index).map(
      (each) => catchingUp(each, each.finalizer !== undefined && each.versions !== BEFORE.versions),
    ),
    cleaningUp(AWS_CLOUD),
    cleaningUp(owner('gke')),
    ...OWNERS.filter((each) => does(each, 'forgets') && each.finalizer !== undefined).flatMap(inCloud),
    way(
      'a Service of another type without its finalizer: the service controller ignores it at its start',
      { ...cloud, turn: 'type' },
      'owner.crashes owner.starts-and-ignores …',
      '[] pending, 1',
      { object: 'live', asks: 'nothing', balancer: 'made' },
    ),
    way(
      'a Service of another type with its finalizer: the service controller cleans up at its start',
      { ...cloud, turn: 'type' },
      'owner.crashes owner.starts-to-clean-up …',
      '[] pending, 0',
      { object: 'live', asks: 'nothing', own: 'held', balancer: 'made' },
    ),
    way(
      'another of the same cluster name that looks before the finalizer is there: in vain',
      { ...aws, beside: 'one of the same cluster name' },
      'user.edits beside-namesake.looks-in-vain …',
      '[F], 1',
      { object: 'live' },
    ),
    way(
      'a finalizer of the service controller comes between what an owner reads and its patch: refused, and tried again',
      { ...aws, owner: AWS_BY_ANNOTATION, beside: 'service controller' },
      'aws-load-balancer-controller.reads beside-service-controller.adds aws-load-balancer-controller.conflicts …',
      '[K,F], 1',
      { object: 'live', queue: 'pending', seen: 'live', otherQueue: 'pending' },
    ),
    way(
      'an address for a Service that asks for no balancer any more: refused',
      { ...aws, turn: 'type' },
      'aws-load-balancer-controller.publishes …',
      '[] pending, 1',
      { object: 'live', asks: 'nothing', balancer: 'made', owner: 'created' },
    ),
    way(
      'a finalizer that comes between the decision of the garbage collector and its deletion: it reads again',
      { ...aws, ending: 'parent' },
      'user.deletes-the-parent collector.deletes delete.decides aws-load-balancer-controller.marks collector.reads-again …',
      'gone, 0',
      { object: 'live', owner: 'planned' },
    ),
  ],
  'watches, clouds and collectors': [
    lagging(aws, 'aws-load-balancer-controller', 'conflicts-behind'),
    lagging({ ...aws, owner: owner('eks-auto-mode') }, 'eks-auto-mode', 'conflicts-behind'),
    lagging({ ...aws, owner: owner('gke') }, 'gke', 'marks'),
    lagging(cloud, 'service-controller', 'marks'),
    way(
      'an old version with the finalizer: a balancer for a Service that is gone',
      { ...aws, writer: 'put' },
      'watch.stalls put.writes user.deletes delete.decides delete.removes aws-load-balancer-controller.reads-its-own …',
      'gone, 1',
      { ...MARKED, balancer: 'none', address: 'no', queue: 'pending' },
    ),
    way(
      'an answer of the cloud to a deletion is lost: asked again',
      { ...aws, faults: ['lost answer'] },
      'user.deletes delete.marks aws-load-balancer-controller.releases cloud.loses-the-answer-of-a-deletion …',
      'gone, 0',
      MARKED,
    ),
    way(
      'deletion in the foreground of what the Service belongs to, which waits for it',
      { ...strimzi, policy: 'declared', ending: 'parent in foreground' },
      '… user.deletes-the-parent-in-foreground …',
      '[F], 1 > gone, 0',
    ),
  ],
  'balancers in the cluster': OWNERS.filter((each) => each.isTheBalancer && each.finalizer === undefined).flatMap(
    inCluster,
  ),
};

import { walk } from '../../scripts/lifecycle/walk';
import { explore, restsOf } from '../../src/lifecycle/checker';
import { Machine, type Table } from '../../src/lifecycle/machine';
import { OWNERS, type Owner } from '../../src/lifecycle/owners';
import { firstState, type Policy, rowsOf, type Scenario } from '../../src/lifecycle/scenario';
import { bytesOf, type PartialState, type State, stateOf } from '../../src/lifecycle/state';
import { casesIn } from '../support/yaml-cases';

/** An owner by its name, and by its versions where there is more than one. */
export function owner(name: string, versions?: string): Owner {
  const found = OWNERS.find((each) => each.name === name && (versions === undefined || each.versions === versions));
  if (!found) throw new Error(`no owner ${name} ${versions}`);
  return found;
}

export const AWS_BY_CLASS = owner('aws-load-balancer-controller', 'by class');
export const AWS_BY_ANNOTATION = owner('aws-load-balancer-controller', 'by annotation');
const AWS_CLOUD = owner('cloud-provider-aws');
const BEFORE = owner('service-controller', 'Kubernetes before 1.15');

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
const SERVED: PartialState = { object: 'live', balancer: 'made', address: 'yes', promised: 'yes' };
const MARKED: PartialState = { ...SERVED, own: 'held' };

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

/** What is seen of every owner of a kind, by what was run. */
const OF_OWNERS: Readonly<Record<string, readonly Experiment[]>> = {
  'replays of traces': [
    ...OWNERS.filter((each, index, all) => all.findIndex(({ table }) => table[0] === each.table[0]) === index).map(
      (each) => catchingUp(each, each.finalizer !== undefined && each.versions !== BEFORE.versions),
    ),
    cleaningUp(AWS_CLOUD),
    cleaningUp(owner('gke')),
    ...OWNERS.filter((each) => does(each, 'forgets') && each.finalizer !== undefined).flatMap(inCloud),
  ],
  'watches, clouds and collectors': [
    lagging(aws, 'aws-load-balancer-controller', 'conflicts-behind'),
    lagging({ ...aws, owner: owner('eks-auto-mode') }, 'eks-auto-mode', 'conflicts-behind'),
    lagging({ ...aws, owner: owner('gke') }, 'gke', 'marks'),
    lagging({ ...aws, owner: AWS_CLOUD }, 'service-controller', 'marks'),
  ],
  'balancers in the cluster': OWNERS.filter((each) => each.isTheBalancer && each.finalizer === undefined).flatMap(
    inCluster,
  ),
};

/** An experiment in a file: the owner is a name, or a name and versions. */
interface Written {
  readonly title: string;
  readonly in: Omit<Scenario, 'owner'> & { readonly owner: string };
  readonly steps?: string;
  readonly expected?: string;
  readonly broken?: string;
  readonly from?: PartialState;
}

function experimentOf({ title, in: scenario, steps, expected = '', broken: faults, from }: Written): Experiment {
  const [name, versions] = scenario.owner.split(', ');
  const found: Scenario = { ...scenario, owner: owner(name, versions) };
  return steps === undefined ? broken(title, found, faults ?? '') : way(title, found, steps, expected, from);
}

const WRITTEN: Readonly<Record<string, readonly Written[]>> = casesIn(__dirname, 'experiments.yaml').experiments;

/** The experiments, by what was run. */
export const EXPERIMENTS: Readonly<Record<string, readonly Experiment[]>> = Object.fromEntries(
  [...new Set([...Object.keys(WRITTEN), ...Object.keys(OF_OWNERS)])].map((run) => [
    run,
    [...(OF_OWNERS[run] ?? []), ...(WRITTEN[run] ?? []).map(experimentOf)],
  ]),
);

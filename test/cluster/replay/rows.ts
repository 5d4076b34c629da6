import { walk } from '../../../scripts/lifecycle/walk';
import { restsOf } from '../../../src/lifecycle/checker';
import { Machine, type Table } from '../../../src/lifecycle/machine';
import { firstState, rowsOf, type Scenario } from '../../../src/lifecycle/scenario';
import type { State } from '../../../src/lifecycle/state';
import { until } from '../../real/program';
import { API_SERVER } from '../harness/run-time';
import type { Wish } from '../harness/watching-proxy';
import type { Way } from './replay';
import type { Player, Stage } from './stage';

/** A model without one of its rows. */
export const without =
  (id: string) =>
  (rows: Table): Table =>
    rows.filter((row) => row.id !== id);

/** What of a state can be seen. */
const visible = ({ object, own, other, collected, address, balancer, leftover }: State): string =>
  object === 'absent'
    ? `absent ${balancer === 'made' || leftover !== 'none'}`
    : [object, own, other, collected, address, balancer, leftover].join(' ');

function restsIn(scenario: Scenario, steps: readonly string[], change = (rows: Table) => rows): Set<string> {
  const machine = new Machine(change(rowsOf(scenario)));
  return new Set(restsOf(machine.rows, walk(machine, firstState(scenario), steps).at(-1) as State).map(visible));
}

/** The beginning of a way after which the programs, without one row of the model, would come to rest elsewhere than with it. */
export function wayThatNotices(id: string, ways: readonly Way[]): Way | undefined {
  for (const way of [...ways].sort((a, b) => a.steps.length - b.steps.length)) {
    const place = way.steps.indexOf(id);
    if (place >= 0) {
      const steps = way.steps.slice(0, place);
      const [right, wrong] = [restsIn(way.scenario, steps), restsIn(way.scenario, steps, without(id))];
      if (right.size > 0 && wrong.size > 0 && ![...right].some((rest) => wrong.has(rest))) {
        return { ...way, name: `without ${id}`, steps };
      }
    }
  }
  return undefined;
}

/** What is done for a row of the model; the states are those of the model before and after it. */
type Act = (stage: Stage, after: State, before: State) => Promise<unknown>;

/** How long a program may take for what it may also leave out. */
const A_WHILE = 0.4;
const LONGER = 3;

const CONFLICT = 409;

const LOOKS: readonly Wish[] = ['look', 'give back'];
const CLEANS: readonly Wish[] = ['unmark', 'clear'];

/** Deletes the balancer; the real service controller looks for it first. */
async function giveBack(stage: Stage, player: Player): Promise<void> {
  const [wish, status] = await stage.let(player, LOOKS);
  if (wish === 'look' && status === 200) {
    await stage.let(player, ['give back']);
  }
}

/** Removes the finalizer and empties the status, in the order that the program has, as far as it has to. */
async function clean(stage: Stage, player: Player, isMarked: boolean, hasAddress: boolean): Promise<void> {
  const left = new Set<Wish>(CLEANS);
  let end = Date.now();
  const wait = () => {
    const isSure = (left.has('unmark') && isMarked) || (left.has('clear') && hasAddress);
    end = Date.now() + (isSure ? LONGER : A_WHILE) * 1000;
  };
  wait();
  while (left.size > 0 && Date.now() < end) {
    if (player.part !== 'service-controller') {
      // it insists on the version that it has heard of, also after its own write
      player.way.deliver(stage.place);
    }
    const done = await stage.letIf(player, [...left], 0.1);
    if (done && done.status !== CONFLICT) {
      left.delete(done.wish);
      wait();
    }
  }
}

/** Before a program finds that a Service is gone it hears of it, so that it does not try again with what it had. */
const heard =
  (act: Act): Act =>
  (stage, after, before) => {
    if (before.object === 'absent' && before.watch === 'current') {
      stage.owner.way.deliver(stage.place);
    }
    return act(stage, after, before);
  };

const publish: Act = (stage, _, { address, object, asks }) => {
  if (asks === 'nothing' || asks === 'in vain') {
    // it is refused, and must not try again with what it had
    stage.owner.way.deliver(stage.place);
  }
  return address === 'no' && object === 'live'
    ? stage.let(stage.owner, ['publish'])
    : stage.letIf(stage.owner, ['publish'], object === 'dying' && address === 'no' ? LONGER : A_WHILE);
};

/** Whether a program may have been refused, or have lost an answer: it then tries again at a time of its own. */
const triesAgain = ({ scenario }: Stage, { asks }: State): boolean =>
  asks === 'in vain' || scenario.faults?.includes('lost answer') === true;

/** The owner takes the Service from its queue: it hears of it now. */
const takes =
  (...wishes: Wish[]): Act =>
  async (stage, after, before) => {
    stage.owner.way.deliver(stage.place);
    if (before.leftover === 'remembered' && after.leftover === 'none') {
      await stage.let(stage.owner, ['give back']);
    }
    for (;;) {
      const again: Wish[] = ['mark', ...(triesAgain(stage, before) ? (['ensure'] as const) : [])];
      // the service controller first gives back what it made for the last Service of the name, also where that is done
      const first: Wish[] = before.remembers === 'yes' ? ['give back'] : [];
      const held = await stage.wants(stage.owner, [...wishes, ...again, ...first]);
      if (!wishes.includes(held.wish) && held.wish !== 'mark') {
        // after a failure it tries again by itself, and has not heard of what the model has it read
        await stage.scene.gates.let(stage.place, held, held.wish === 'ensure' ? 'drop' : 'pass');
        continue;
      }
      const version = held.body.metadata?.resourceVersion;
      const isOld = version !== undefined && after.read === 'fresh' && version !== (await stage.version());
      if (!isOld && wishes.includes(held.wish)) {
        return;
      }
      if (!isOld) {
        throw new Error(`${stage.owner.name} wants to ${held.wish}, and not to ${wishes.join(' or ')}`);
      }
      // a program that was refused tries again by itself with what it had
      await stage.scene.gates.let(stage.place, held);
    }
  };
const reads: Act = (stage, ...states) => takes(stage.own === '' ? 'ensure' : 'mark')(stage, ...states);
const mark: Act = (stage) => stage.let(stage.owner, ['mark']);
/** A program that is refused reads again at once, and has to have something newer to read. */
const conflicts: Act = (stage) => {
  stage.owner.way.deliver(stage.place);
  return stage.let(stage.owner, ['mark']);
};
const releases: Act = takes(...LOOKS);
const unmark: Act = async (stage, _, before) => {
  const { own, address, object } = before;
  await clean(stage, stage.owner, own !== 'absent' && object !== 'absent', address === 'yes' && object === 'live');
  if (triesAgain(stage, before) && stage.owner.part !== 'service-controller') {
    // it may try again by itself, with the version that has the finalizer
    stage.owner.way.deliver(stage.place);
    const held = await stage.wants(stage.owner, LOOKS, A_WHILE).catch(() => undefined);
    await (held && stage.scene.gates.let(stage.place, held, 'drop'));
  }
};

/** What the owner does, by how the ids of its rows end. */
const OF_OWNERS: Readonly<Record<string, Act>> = {
  reads,
  'reads-what-was': reads,
  'reads-its-own': takes('ensure'),
  marks: mark,
  'marks-nothing': heard(mark),
  conflicts,
  'conflicts-behind': mark,
  creates: (stage) => stage.let(stage.owner, ['ensure']),
  'creates-for-the-gone': (stage) => stage.let(stage.owner, ['ensure']),
  publishes: publish,
  'publishes-too-late': publish,
  'publishes-nowhere': heard(publish),
  'publishes-not-to-a-namesake': publish,
  'publishes-to-a-namesake': publish,
  releases,
  'releases-the-unclaimed': releases,
  'releases-by-type': releases,
  'releases-the-removed': releases,
  'releases-the-remembered': releases,
  deletes: (stage) => giveBack(stage, stage.owner),
  'deletes-of-the-gone': (stage) => giveBack(stage, stage.owner),
  unmarks: unmark,
  'unmarks-nothing': heard(unmark),
  'unmarks-no-namesake': unmark,
  'unmarks-a-namesake': unmark,
};

async function byAnother(stage: Stage, act: (player: Player) => Promise<unknown>): Promise<void> {
  if (!stage.beside) {
    throw new Error('nobody is beside the owner');
  }
  stage.beside.way.deliver(stage.place);
  await act(stage.beside);
}

const releasesBeside: Act = (stage, _, { address, own, other }) =>
  byAnother(stage, async (player) => {
    await giveBack(stage, player);
    await clean(stage, player, own !== 'absent' || other !== 'absent', address === 'yes');
  });

/** The request of whoever deletes, on its way. */
function send(stage: Stage): void {
  stage.removal = stage.deleter === 'user' ? stage.delete() : sentByManager(stage);
}

async function sentByManager(stage: Stage): Promise<number> {
  const [, status] = await stage.let(stage.scene.manager, ['delete']);
  return status;
}

const marksForDeletion: Act = async (stage) => {
  send(stage);
  if ((await stage.removal) === CONFLICT) {
    // the garbage collector insists on the version that it read, and then no longer
    await sentByManager(stage);
  }
};

/** Lets the garbage collector remove its finalizer, however often it has to read the Service for that. */
async function collect(stage: Stage): Promise<void> {
  for (let status = CONFLICT; status === CONFLICT; ) {
    [, status] = await stage.let(stage.scene.manager, ['unmark']);
  }
}

const wantedByUser: Act = async (stage) => {
  stage.deleter = 'user';
};
const wantedByManager: Act = async (stage) => {
  stage.deleter = 'manager';
  await stage.wants(stage.scene.manager, ['delete']);
};

const create: Act = (stage, _, before) => stage.create(before);
const declare: Act = (stage, _, before) => stage.write(stage.declared(before));

/** Server-side apply of what the writer has applied after the step. */
const apply: Act = (stage, { own, other }) => {
  const isApplied = (value: string) => value === 'applied' || value === 'both';
  return stage.write([...(isApplied(other) ? [stage.other] : []), ...(isApplied(own) ? [stage.own] : [])]);
};

/** A process that starts has a watch of its own. */
const starts: Act = (stage) => {
  stage.owner.way.resume(stage.place);
  return stage.owner.start();
};
const nothing: Act = async () => undefined;
const catchUp: Act = async (stage) => stage.owner.way.resume(stage.place);

const ROWS: Readonly<Record<string, Act>> = {
  'delete.decides': async (stage) => {
    stage.scene.hook.arm(stage.place);
    send(stage);
    const decided = stage.wants(API_SERVER, ['remove']);
    const answered = await Promise.race([decided, stage.removal]);
    if (answered === CONFLICT) {
      // the garbage collector insists on the version that it read, and then no longer
      send(stage);
    }
    await decided;
  },
  'delete.removes': async (stage) => {
    stage.scene.hook.disarm(stage.place);
    await stage.let(API_SERVER, ['remove']);
    await stage.removal;
  },
  'collector.removes': async (stage) => {
    stage.scene.hook.disarm(stage.place);
    await stage.let(API_SERVER, ['remove']);
    await stage.removal;
  },
  'collector.reads-again': async (stage) => {
    stage.scene.hook.disarm(stage.place);
    await stage.let(API_SERVER, ['remove']);
    await stage.wants(stage.scene.manager, ['delete']);
  },
  'delete.marks': marksForDeletion,
  'delete.waits-for-dependents': marksForDeletion,
  'user.deletes': wantedByUser,
  'recreate.deletes': wantedByUser,
  'user.deletes-the-namespace': (stage) =>
    stage.api.delete({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: stage.namespace } }),
  'namespace-controller.deletes': wantedByManager,
  'user.deletes-the-parent': async (stage) => {
    await stage.isKnownToCollector();
    await stage.deleteParent('Background');
  },
  'user.deletes-the-parent-in-foreground': async (stage) => {
    await stage.isKnownToCollector();
    await stage.deleteParent('Foreground');
  },
  'user.deletes-the-parent-alone': async (stage) => {
    await stage.isKnownToCollector();
    await stage.deleteParent('Orphan');
    await stage.let(stage.scene.manager, ['release the parent']);
  },
  'collector.deletes': wantedByManager,
  'collector.deletes-before-the-parent': wantedByManager,
  'collector.has-collected': collect,
  'collector.releases-the-parent': (stage) => stage.let(stage.scene.manager, ['release the parent']),

  'watch.stalls': async (stage) => stage.owner.way.stall(stage.place),
  'watch.catches-up': catchUp,
  'watch.catches-up-and-queues': catchUp,
  'owner.starts': starts,
  'owner.starts-to-clean-up': starts,
  'owner.starts-and-ignores': starts,
  'owner.starts-without': starts,
  'owner.crashes': (stage) => stage.owner.kill(),
  'owner.is-uninstalled': (stage) => stage.owner.kill(),
  'cloud.loses-the-answer': (stage) => {
    stage.owner.way.deliver(stage.place);
    return stage.let(stage.owner, ['ensure'], 'lose');
  },
  'cloud.loses-the-answer-of-a-deletion': async (stage, _, { balancer }) => {
    stage.owner.way.deliver(stage.place);
    const held = await stage.wants(stage.owner, LOOKS);
    const isLast = held.wish === 'give back' || balancer === 'none';
    await stage.scene.gates.let(stage.place, held, isLast ? 'lose' : 'pass');
    if (!isLast) {
      await stage.let(stage.owner, ['give back'], 'lose');
    }
  },

  'user.edits': (stage) => stage.edit(),
  'user.stops-declaring': nothing,
  'user.declares-own': nothing,
  'user.wants-it-again': async (stage) => {
    if (stage.scenario.ending?.startsWith('parent') && !(await stage.api.find(stage.parent))) {
      await stage.bear();
    }
  },
  'user.changes-the-type': (stage) => stage.changeType(),
  'user.changes-the-type-alone': (stage) => stage.changeType(),

  'create.creates': create,
  'client-apply.creates': create,
  'server-apply.creates': create,
  'put.creates': create,
  'put-class-null.creates': create,
  'recreate.creates': create,
  'put.writes': declare,
  'put-class-null.writes': declare,
  'client-apply.adds-own': declare,
  'client-apply.changes-to-own': declare,
  'client-apply.restores-own': declare,
  'client-apply.adds-other': declare,
  'client-apply.drops-own': declare,
  'client-apply.drops-other': declare,

  'beside-service-controller.adds': (stage) =>
    byAnother(stage, async (player) => {
      // it first gives back what it may have made for the last Service of the name
      for (let wish: Wish = 'look'; wish !== 'mark'; ) {
        [wish] = await stage.let(player, ['mark', ...LOOKS]);
      }
    }),
  'beside-service-controller.removes': releasesBeside,
  'beside-service-controller.cleans-up': releasesBeside,
  'beside-aws-load-balancer-controller.releases': releasesBeside,
  'beside-namesake.releases': releasesBeside,
  'beside-namesake.looks-in-vain': (stage) => byAnother(stage, async () => undefined),
};

/** What is done for a row; nothing where this is not known. */
export function actOf(id: string): Act | undefined {
  return ROWS[id] ?? (id.startsWith('server-apply.') ? apply : OF_OWNERS[id.slice(id.indexOf('.') + 1)]);
}

/** A Service whose balancer another version of its owner has made, which does not run: what a life after an upgrade begins with. */
export async function serve(stage: Stage, first: State): Promise<void> {
  await stage.create(first);
  const { gates, plane } = stage.scene;
  gates.open(stage.place);
  stage.owner.way.release(stage.place);
  await until('an address', async () => (await plane.api.find(stage.ref))?.status.loadBalancer?.ingress?.length > 0);
  await stage.owner.kill();
  gates.close(stage.place);
  stage.owner.way.hold(stage.place);
  if (first.own === 'absent') {
    const left = first.other === 'absent' ? null : [stage.other];
    await plane.api.merge(stage.ref, { metadata: { finalizers: left } });
  }
}

import { CHANGE_SAYS, CHANGES, type Change } from '../../src/lifecycle/change-cases';
import { rank } from '../../src/lifecycle/change-outcomes';
import { changeVerdictFor, type KnownChange } from '../../src/lifecycle/known-changes';
import { BESIDES, OWNERS } from '../../src/lifecycle/owners.facts';
import { PROPERTIES, PROPERTY_SAYS } from '../../src/lifecycle/properties';
import { ENDINGS, POLICIES, type Policy, rowsOf } from '../../src/lifecycle/scenario';
import { traceAsMermaid } from '../../src/lifecycle/trace-as-mermaid';
import { type FinalizerNames, traceInWords, weakestOf } from '../../src/lifecycle/trace-in-words';
import type { Transition } from '../../src/lifecycle/transition';
import { type KnownVerdict, knownVerdicts, scenarioOf, traceOf } from '../../src/lifecycle/verdicts';
import { FILE_WRITES, TURNS, type Turn, WRITER_SAYS, WRITERS } from '../../src/lifecycle/writers.facts';
import { NOT_ARRANGED, whyNot } from '../../test/cluster/replay/parts';
import { REPLAYED } from '../lifecycle/replayed.facts';
import { RUN_BY_HAND } from '../lifecycle/run-by-hand';
import { code, confidence, page, source, table } from './markdown';

/** What a change is called in a heading, and what it does. */
const TURN_SAYS: Readonly<Record<Turn, readonly [heading: string, says: string]>> = {
  nothing: ['A life without changes', 'Created, reconciled, edited and deleted, in every way of deletion.'],
  drops: ['Finalizers are no longer declared', 'The writer had declared them, and stops to, on a live Service.'],
  declares: ["The owner's finalizer is declared later", 'The writer declares it on a live Service, and nothing else.'],
  again: [
    'Deleted and wanted again',
    'The same Service is created again without a finalizer, at any moment of the deletion.',
  ],
  type: ['The type becomes ClusterIP', 'Once, on a live Service, whose manifest stays as it is otherwise.'],
  upgraded: [
    'The service controller is upgraded',
    'From a version that added no finalizer: its balancer is there, and the finalizer is not.',
  ],
  downgraded: ['The service controller is taken back', 'From a version that added its finalizer.'],
};

const NAMES: FinalizerNames = { own: "the owner's finalizer", other: 'another finalizer' };

const ASKING = [
  '`npx cdk8s-load-balancers explain --trace k8s/kafka.yaml` asks the table about each Service of a file, and about those that an operator makes of it, by the [context file](../how-to/check-manifests.md): the shortest way to an orphan or a hang, with the names of the Service, its owner and its finalizers, how well it is known, and what it was held against; and what a change of the live balancer would do. `explain --trace shop/echo k8s/` asks about one of them.',
  '`npx cdk8s-load-balancers explain orphan-deleted-at-once` prints a trace by the name that a rule or a report gives. `--format json` is for programs, and `--format mermaid` draws.',
].join('\n\n');

/** What the checker found, for readers. */
export function lifecyclePage(): string {
  const named = namedTraces();
  return page(
    '# The life of a load balancer, in every order',
    `A Service, its balancer, those who write it and those who serve it are a model of ${allRows().length} transitions, each with its source. \`npm run lifecycle\` looks at every order in which they can happen, with one crash of the owner, one lag of its watch and one lost answer of the cloud, and writes what can go wrong, by the shortest way to it. Rules read that table; nothing is searched at synth. Where only the model of an actor exists, and how well each of its transitions is known, is in the [last table](#transitions): \`replayed\` are those of [traces that were walked](#what-was-replayed), and \`run by hand\` those of which ${RUN_BY_HAND.ways} ways were walked on the real program, ${source(RUN_BY_HAND.program)}, over a fake cloud (${RUN_BY_HAND.cloud}).`,
    '## How to ask',
    ASKING,
    '## What is asked',
    table(
      ['property', 'what must hold'],
      PROPERTIES.map((property) => [code(property), PROPERTY_SAYS[property]]),
    ),
    '## Who writes',
    table(
      ['writer', 'how'],
      WRITERS.map((writer) => [code(writer), WRITER_SAYS[writer]]),
    ),
    `The finalizer of the owner is \`declared\` in the manifest, \`left\` to the owner, or a \`wrong\` one is declared in its place. A cell is \`safe\`, \`unsafe\` with the name of its shortest trace and the number of its steps, or \`safe if\` a fault does not happen. An owner that is uninstalled before its Services leaves them in Terminating where its finalizer is on them, and their balancers behind where it is not; ${uninstalledSafely()}.`,
    ...TURNS.flatMap((turn) => sectionOf(turn)),
    '## Changes of a live balancer',
    CHANGES_SAY,
    changesTable(),
    '## Traces',
    'The shortest of each name.',
    ...[...named].flatMap(([name, verdict]) => traceSection(name, verdict)),
    '## What was replayed',
    ...replayedSection(),
    '## Transitions',
    table(
      ['row', 'actor', 'what it does', 'source'],
      allRows().map((row) => [
        code(row.id),
        row.actor,
        row.says,
        `${source(row.source)} (${knownFrom(row)})${row.unnoticed ? `; no finding depends on it: ${row.unnoticed}` : ''}`,
      ]),
    ),
  );
}

const CHANGES_SAY =
  'What happens to a balancer that is live and at rest, with client-side or server-side apply, whichever is worse, and the worst of all that may be beside the owner but another controller of its cluster name; `later` is where the Service is deleted afterwards. The names of traces are for `explain`.';

/** What each change does to balancers whose finalizer is declared or left, by owners. */
function changesTable(): string {
  const rows = CHANGES.map((change) => [
    `**${change}**`,
    CHANGE_SAYS[change],
    ...(['declared', 'left'] as const).map((policy) => outcomesOf(change, policy)),
  ]);
  return table(['change', 'the user or the writer', 'declared', 'left'], rows);
}

function outcomesOf(change: Change, before: Policy): string {
  const owners = new Map<string, string[]>();
  for (const { name, versions, beside } of OWNERS.filter(
    (owner) => before !== 'declared' || owner.declares !== 'never',
  )) {
    const found = changeVerdictForAny(
      beside
        .filter((each) => each !== 'one of the same cluster name')
        .map((each) => changeVerdictFor({ owner: name, versions, beside: each, writer: FILE_WRITES, change, before })),
    );
    if (found) {
      const { outcome, when, trace } = found;
      const link = trace && outcome !== 'deleted' ? ` (${code(trace.name)})` : '';
      const key = `${outcome}${when === 'now' ? '' : ' later'}${link}`;
      owners.set(key, [...(owners.get(key) ?? []), isOneOfSeveral(name) ? `${name} (${versions})` : name]);
    }
  }
  const [only, ...others] = [...owners];
  if (!only) {
    return '–';
  }
  return others.length === 0
    ? only[0]
    : [only, ...others].map(([what, who]) => `${what}: ${who.join(', ')}`).join('; ');
}

function isOneOfSeveral(name: string): boolean {
  return OWNERS.filter((owner) => owner.name === name).length > 1;
}

function changeVerdictForAny(all: readonly (KnownChange | undefined)[]): KnownChange | undefined {
  return all.filter((one) => one !== undefined).sort((one, other) => rank(one.outcome) - rank(other.outcome))[0];
}

/** How well a transition is known, and on what it was walked. */
function knownFrom({ id, confidence: known }: Transition): string {
  return [
    confidence(known),
    ...(REPLAYED.rows.includes(id) ? ['replayed'] : []),
    ...(RUN_BY_HAND.rows.includes(id) ? ['run by hand'] : []),
  ].join(', ');
}

/** What was walked on the real API server, and what only the model has. */
function replayedSection(): string[] {
  const steps = allRows().filter(({ kind }) => kind === 'must' || kind === 'may');
  const without = steps.filter(({ id }) => !REPLAYED.rows.includes(id));
  const reasons = new Map<string, string[]>();
  for (const { id } of without) {
    const why = whyNot(id) ?? NOT_MET;
    reasons.set(why, [...(reasons.get(why) ?? []), code(id)]);
  }
  return [
    `\`npm run replay\` walks traces of the model on a real API server with the real service controller, garbage collector and namespace controller, and with programs that play the other owners. What each of them does to a Service or in the cloud is held until its step comes; after every step the Service, its finalizers with their field managers, its status and the balancers of the cloud must be what the model says, and nobody may want what the model does not have them do. At the end all are let go, and come to rest where the model says.`,
    `Of ${steps.length} transitions that are steps, ${steps.length - without.length} were walked, on ${REPLAYED.ways} ways with ${REPLAYED.steps} steps: the traces above of owners that run there, and others by chance. Every row that took part, what happens within a step among them, was then made wrong: dropped, or one of its effects left out or turned into another. Of these ${REPLAYED.mutants} wrong models what was seen contradicts ${REPLAYED.mutants - REPLAYED.unseen}, and every one without a step that was walked. Without ${REPLAYED.unnoticed.map(code).join(', ')} nothing changes on these ways. The effects that do not show are those that are there before the step, those of which only the process of an owner knows (which version it has read, that it looks once more and finds nothing to do), and events that nobody there heeds.`,
    'What only the model has:',
    table(
      ['rows', 'why'],
      [...reasons].map(([why, ids]) => [ids.join(', '), why]),
    ),
    'What is left out of the ways that are walked:',
    NOT_ARRANGED.map((why) => `- ${why}`).join('\n'),
  ];
}

const NOT_MET = 'no way that was walked comes through it';

function sectionOf(turn: Turn): string[] {
  const [heading, says] = TURN_SAYS[turn];
  const verdicts = knownVerdicts().filter((verdict) => verdict.turn === turn);
  const rows = OWNERS.flatMap((owner) =>
    BESIDES.flatMap((beside) =>
      WRITERS.map((writer) => {
        const cells = POLICIES.map((policy) =>
          verdicts.find(
            (verdict) =>
              verdict.owner === owner.name &&
              verdict.versions === owner.versions &&
              verdict.beside === beside &&
              verdict.writer === writer &&
              verdict.policy === policy,
          ),
        );
        return { owner, beside, writer, cells };
      }),
    ),
  ).filter(({ cells }) => cells.some((cell) => cell !== undefined));
  const lines = grouped(
    rows.map(({ owner, beside, writer, cells }) => ({
      key: [`${code(owner.name)}, ${owner.versions}`, beside, ...cells.map(cellOf)],
      writer,
    })),
  );
  return [`## ${heading}`, says, table(['owner', 'beside it', 'writers', ...POLICIES], lines)];
}

/** Writers of which the same holds are in one line. */
function grouped(rows: readonly { readonly key: readonly string[]; readonly writer: string }[]): string[][] {
  const groups = new Map<string, { key: readonly string[]; writers: string[] }>();
  for (const { key, writer } of rows) {
    const group = groups.get(key.join('|')) ?? { key, writers: [] };
    group.writers.push(code(writer));
    groups.set(key.join('|'), group);
  }
  return [...groups.values()].map(({ key: [owner, beside, ...cells], writers }) => [
    owner,
    beside,
    writers.join(', '),
    ...cells,
  ]);
}

function cellOf(verdict: KnownVerdict | undefined): string {
  if (!verdict) {
    return '–';
  }
  const { owner, versions, policy, outcome, unless, trace } = verdict;
  const link = trace ? `[${trace.name}](#${trace.name}), ${trace.steps.length} steps` : '';
  if (
    policy === 'declared' &&
    OWNERS.find(({ name, versions: of }) => name === owner && of === versions)?.declares === 'never'
  ) {
    return `not to be declared (${outcome})`;
  }
  switch (outcome) {
    case 'safe':
      return 'safe';
    case 'unsafe':
      return `unsafe: ${link}`;
    default:
      return `safe if no ${unless.join(', no ')}: ${link}`;
  }
}

function uninstalledSafely(): string {
  const safe = OWNERS.filter(({ name, versions }) =>
    knownVerdicts().some(
      ({ owner, versions: of, turn, policy, uninstalled }) =>
        owner === name && of === versions && turn === 'nothing' && policy === 'left' && uninstalled === undefined,
    ),
  );
  return safe.length === 0
    ? 'no owner is an exception'
    : `${safe.map(({ name }) => code(name)).join(', ')} leaves nothing`;
}

/** The shortest trace of each name, with the first line of the table that has it. */
function namedTraces(): Map<string, KnownVerdict> {
  const shortest = new Map<string, KnownVerdict>();
  for (const verdict of knownVerdicts()) {
    const { trace } = verdict;
    const other = trace && shortest.get(trace.name)?.trace;
    if (trace && (!other || trace.steps.length < other.steps.length)) {
      shortest.set(trace.name, verdict);
    }
  }
  return new Map([...shortest].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function traceSection(name: string, verdict: KnownVerdict): string[] {
  const trace = traceOf(verdict);
  if (!trace) {
    throw new Error(`${name} has no trace`);
  }
  const { owner, versions, beside, policy, writer } = verdict;
  const company =
    beside === 'alone' ? '' : `, beside it ${beside === 'one of the same cluster name' ? beside : `the ${beside}`}`;
  const weakest = weakestOf(trace.steps);
  const known = weakest ? `; its least known step is ${confidence(weakest.confidence)}` : '';
  return [
    `### ${name}`,
    `Owner ${code(owner)} (${versions})${company}, writer ${code(writer)}, finalizer ${policy}${known}.`,
    traceInWords(trace, NAMES).replace(/\n(?=Broken|1\. )/g, '\n\n'),
    `\`\`\`mermaid\n${traceAsMermaid(trace, NAMES, trace.property)}\n\`\`\``,
  ];
}

function allRows(): Transition[] {
  const rows = new Map<string, Transition>();
  for (const verdict of knownVerdicts()) {
    for (const faults of [[], ['crash', 'lag', 'lost answer', 'uninstalled'], ['status refused']] as const) {
      for (const ending of ENDINGS) {
        for (const row of rowsOf({ ...scenarioOf(verdict), faults, ending })) {
          rows.set(row.id, row);
        }
      }
    }
  }
  return [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

import { BESIDES, OWNERS } from '../../src/lifecycle/owners.facts';
import { PROPERTIES, PROPERTY_SAYS } from '../../src/lifecycle/properties';
import { POLICIES, rowsOf } from '../../src/lifecycle/scenario';
import { traceAsMermaid } from '../../src/lifecycle/trace-as-mermaid';
import { type FinalizerNames, traceInWords, weakestOf } from '../../src/lifecycle/trace-in-words';
import type { Transition } from '../../src/lifecycle/transition';
import { type KnownVerdict, knownVerdicts, scenarioOf, traceOf } from '../../src/lifecycle/verdicts';
import { TURNS, type Turn, WRITER_SAYS, WRITERS } from '../../src/lifecycle/writers.facts';
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

/** What the checker found, for readers. */
export function lifecyclePage(): string {
  const named = namedTraces();
  return page(
    '# The life of a load balancer, in every order',
    `A Service, its balancer, those who write it and those who serve it are a model of ${allRows().length} transitions, each with its source. \`npm run lifecycle\` looks at every order in which they can happen, with one crash of the owner, one lag of its watch and one lost answer of the cloud, and writes what can go wrong, by the shortest way to it. Rules read that table; nothing is searched at synth. Where only the model of an actor exists, and how well each of its transitions is known, is in the [last table](#transitions).`,
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
    '## Traces',
    'The shortest of each name.',
    ...[...named].flatMap(([name, verdict]) => traceSection(name, verdict)),
    '## Transitions',
    table(
      ['row', 'actor', 'what it does', 'source'],
      allRows().map((row) => [
        code(row.id),
        row.actor,
        row.says,
        `${source(row.source)} (${confidence(row.confidence)})${row.unnoticed ? `; no finding depends on it: ${row.unnoticed}` : ''}`,
      ]),
    ),
  );
}

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
    `\`\`\`mermaid\n${traceAsMermaid(trace, NAMES)}\n\`\`\``,
  ];
}

function allRows(): Transition[] {
  const rows = new Map<string, Transition>();
  for (const verdict of knownVerdicts()) {
    for (const faults of [[], ['crash', 'lag', 'lost answer', 'uninstalled'], ['status refused']] as const) {
      for (const row of rowsOf({ ...scenarioOf(verdict), faults })) {
        rows.set(row.id, row);
      }
    }
  }
  return [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

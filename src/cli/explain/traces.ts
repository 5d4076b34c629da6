import { cachedIn, mapIn, mapsIn, namespaceIn, printable, unquoted } from '../../contract/json';
import { citationInWords, nearest, ownCommand } from '../../contract/rule';
import type { LoadBalancerOwner } from '../../controllers/load-balancer-owner';
import { OwnershipState } from '../../controllers/options';
import { KAFKA_KIND } from '../../kafka/strimzi/strimzi.facts';
import { CHANGES, type Change, type ChangeCase, changeCasesOf } from '../../lifecycle/change-cases';
import {
  changeAnswer,
  type KnownService,
  type ModelCase,
  modelCaseOf,
  traceName,
  worstChangeAnswer,
} from '../../lifecycle/changes';
import { BROKEN_SAYS, CHANGE_FACTS, CHANGE_OUTCOME_SAYS } from '../../lifecycle/changes.facts';
import type { StatePath } from '../../lifecycle/checker';
import { FINALIZER_VERDICTS } from '../../lifecycle/finalizer-verdicts.facts';
import { CHANGE_OUTCOMES, type ChangeOutcome, PROPERTIES } from '../../lifecycle/outcomes';
import { OWNERS } from '../../lifecycle/owners';
import { type Case, casesOf, type SafetyResult, safetyOf, TRIALS } from '../../lifecycle/safety';
import { ENDINGS } from '../../lifecycle/scenario';
import {
  saysIn,
  stateInWords,
  type TraceNames,
  traceAsMermaid,
  wayInWords,
  weakestOf,
  whoIn,
} from '../../lifecycle/trace-text';
import { WRITER_SAYS } from '../../lifecycle/writers.facts';
import type { ReportedService } from '../../predicted/predicted';
import type { Line } from '../../report/document';
import { type ControllerDefinition, definitionOf } from '../../rules/controller-definition';
import { likelyClaimants } from '../../rules/known-kinds';
import { sourcePlaceOf } from '../../rules/manifest-objects';
import { typedService } from '../../rules/service-fields';
import { classOf, finalizersOf } from '../../rules/service-json';
import type { CheckContext } from '../context/check-context';
import { json, lineOf, pageUrl } from '../formats/words';
import { isLive, ownedService } from '../service-checks';
import { explained, items, nameOf, pathOf, section } from './explanation';

type TraceFormat = 'text' | 'json' | 'mermaid';

export function tracesOf(services: readonly ReportedService[], context: CheckContext): TracedService[] {
  return services.map((service) => traceService(service, context));
}

export function tracesText(traced: readonly TracedService[], format: TraceFormat): string {
  return format === 'mermaid' ? traced.flatMap(diagrams).join('\n') : traced.map(tracedText).join('\n');
}

function diagrams({ namespace, name, traces }: TracedService): string[] {
  const title = [namespace, name].filter(Boolean).join('/');
  return traces.map(({ owner, outcome, trace }) =>
    trace ? `%% ${title}, ${owner}\n${trace.mermaid}\n` : `%% ${title}, ${owner}: ${outcome}\n`,
  );
}

function tracedText({ file, line, madeBy, alike, owner, because, notes, traces, ...service }: TracedService): string {
  const blocks = traces.map((traced) => {
    const [first, ...rest] = tracedLines(traced);
    return traces.length > 1 || traced.owner !== owner
      ? [section(`If it is owned by ${traced.owner}`, first), ...rest]
      : [first, ...rest];
  });
  const isWithHead = traces.length === 1 && traces[0].owner === owner;
  const head: Line[] = [
    [0, `Service ${pathOf(service)}  (${madeBy ? `made by ${madeBy}, ` : ''}${lineOf(file, line)})`],
    ['also for', alike?.join(', ')],
    ['owner', `${owner}: ${because}`],
    ...notes.map((note): Line => ['note', note]),
    ...(isWithHead ? blocks[0][0] : []),
  ];
  return explained([head, ...blocks.flat().slice(isWithHead ? 1 : 0), READ_ON]);
}

const READ_ON: Line[] = [[2, `read on: ${pageUrl('docs/explanation/lifecycle.md')}`]];

type TracedOwner = TracedService['traces'][number];

function tracedLines(traced: TracedOwner): Line[][] {
  const { owner, versions, beside, finalizer, writer, outcome, unless, trace, heldAgainst, whatIf } = traced;
  const answer = outcome === 'safe if' ? `safe if no ${unless.join(' and no ')}` : outcome;
  return [
    [
      ['finalizer', finalizer],
      ['written by', writer],
      ['in the model', [owner, ...(versions === 'any' ? [] : [versions]), beside].join(', ')],
      ['finding', trace ? `${answer}: ${trace.name}, ${trace.steps.length} steps` : answer],
      ['held against', heldAgainst],
    ],
    trace ? wayLines(trace, outcome === 'unsafe' ? 'The shortest way to it' : `What happens with ${unless[0]}`) : [],
    section('What if it is changed', items(whatIf.map(ifText))),
  ];
}

function ifText({ change, outcome, when, means, trace }: TracedOwner['whatIf'][number]): string {
  const name = trace ? ` (${ownCommand(`explain ${trace}`)})` : '';
  return `${change}: ${outcome}${when === 'now' ? '' : ' when it is deleted afterwards'}: ${means}${name}`;
}

function wayLines({ lines, comesTo, known }: ReturnType<typeof shownTrace>, title: string): Line[] {
  return section(title, [...items(lines), ['result', comesTo], ['evidence', known]]);
}

/** Names of traces of a whole life, as rules name them: `orphan-deleted-at-once`. */
const LIVES = new Set(FINALIZER_VERDICTS.map((line) => line.split(' | ')[3]));

export function tracesNear(word: string): string[] {
  const changes = CHANGE_OUTCOMES.flatMap((outcome) => CHANGES.map((change) => traceName(outcome, change)));
  const name = nearest(word, [...LIVES, ...changes]);
  return name !== undefined && findTrace(name) ? [name] : [];
}

export function namedTrace(word: string, format: TraceFormat): string | undefined {
  const found = findTrace(word);
  if (!found || format === 'json') {
    return found && json([found]);
  }
  const { owner, versions, beside, finalizer, writer, trace } = found;
  return format === 'mermaid'
    ? `${trace.mermaid}\n`
    : explained([
        [
          [0, `trace ${word}`],
          ['owner', `${owner} (${versions})`],
          ['beside it', beside],
          ['finalizer', finalizer],
          ['written by', writer],
        ],
        wayLines(trace, `The shortest way, ${trace.steps.length} steps`),
        READ_ON,
      ]);
}

export type TraceSubject = ReturnType<typeof named>;

export function findTrace(word: string): TraceSubject | undefined {
  return LIVES.has(word) ? lifeNamed(word) : changeNamed(word);
}

function lifeNamed(word: string): TraceSubject | undefined {
  for (const line of FINALIZER_VERDICTS) {
    const [owner, , policy, trace, writers] = line.split(' | ');
    const cases = casesOf(OWNERS.filter(({ name }) => trace === word && name === owner)).filter(
      (one) => one.turn === 'nothing' && one.policy === policy && writers.split('+').includes(one.writer),
    );
    for (const one of cases) {
      const { found } = safetyOf(one);
      if (found?.name === word) {
        return named(word, one, policy, found.trace, BROKEN_SAYS[found.trace.property]);
      }
    }
  }
  return undefined;
}

function changeNamed(word: string): TraceSubject | undefined {
  const cases = changeCasesOf(OWNERS).filter(({ change }) => word.endsWith(traceName('', change)));
  for (const one of cases) {
    const { outcome, trace } = changeAnswer(one) ?? {};
    if (outcome && trace?.name === word) {
      const finalizer = one.before === one.after ? one.before : `${one.before}, and ${one.after} afterwards`;
      return named(word, one, finalizer, trace.way, `${outcome}: ${CHANGE_OUTCOME_SAYS[outcome]}`);
    }
  }
  return undefined;
}

function named(
  word: string,
  { owner, beside, writer }: Case | ChangeCase,
  finalizer: string,
  way: StatePath,
  comesTo: string,
) {
  const names = { own: owner.finalizer ?? 'its finalizer', other: 'another finalizer' };
  return {
    kind: 'trace' as const,
    word,
    ...{ owner: owner.name, versions: owner.versions, beside, finalizer, writer },
    trace: shownTrace(word, way, names, comesTo),
  };
}

function shownTrace(name: string, way: StatePath, names: TraceNames, comesTo: string) {
  const weakest = weakestOf(way.steps);
  return {
    name,
    comesTo,
    steps: way.steps.map((step, index) => ({
      row: step.id,
      who: whoIn(step.actor, names),
      does: saysIn(step, names),
      seen: stateInWords(way.states[index + 1], names),
      known: `${step.confidence}: ${citationInWords(step.source)}`,
    })),
    known: weakest ? `${weakest.confidence}; the weakest step is from ${citationInWords(weakest.source)}` : '',
    lines: wayInWords(way, names),
    mermaid: traceAsMermaid(way, names, name),
  };
}

export type TracedService = ReturnType<typeof traceService>;

function traceService(reported: ReportedService, context: CheckContext) {
  const { object, madeBy, alike = [] } = reported;
  const { service, owner } = ownedService(object, context);
  const kind = owner.controller && definitionOf(owner.controller);
  const isUnbalanced = owner.state === OwnershipState.NOT_APPLICABLE;
  const kinds = kind ? [kind] : isUnbalanced ? [] : likelyClaimants(service).map((one) => one.kind);
  const written = writingOf(reported, context);
  return {
    kind: 'Service' as const,
    ...{ namespace: namespaceIn(object), name: nameOf(object) },
    ...sourcePlaceOf(reported),
    ...(madeBy !== undefined && { madeBy }),
    ...(alike.length > 0 && { alike }),
    owner: kind?.name ?? owner.name ?? owner.state,
    because: owner.because,
    notes: [
      ...(kind || isUnbalanced ? [] : [unowned(kinds, owner)]),
      ...(written.how === 'unknown' ? [unknownOperator(written.maker)] : []),
      ...(object.metadata?.deletionTimestamp === undefined ? [] : [TERMINATING]),
      ...(isLive(object) ? [OF_THE_CLUSTER] : []),
    ],
    traces: kinds.flatMap((each) => tracedOwner(each, reported, context, written)),
  };
}

const TERMINATING = 'it is being deleted: explain with its name and without --trace says what it waits for';
const OF_THE_CLUSTER = 'the finalizers are those of the cluster: which of them its manifest declares is not known';

function unowned(kinds: readonly ControllerDefinition[], owner: LoadBalancerOwner): string {
  if (owner.state === OwnershipState.OWNED) {
    return 'the model does not have its owner, a controller of your own';
  }
  const names = kinds.length > 0 ? `; likely are ${kinds.map(({ name }) => name).join(', ')}` : '';
  if (owner.state === OwnershipState.UNCLAIMED) {
    return `no controller that runs claims it, so no balancer is made of it${names.replace('; likely', '; of those that do not run, likely')}`;
  }
  return `its owner is not known: name the controllers of the cluster, with --controllers or in the context file${names}`;
}

function unknownOperator(maker = ''): string {
  return maker === KAFKA_KIND
    ? 'the version of its operator is not known, so the worst way in which one may write counts: name it in the context file'
    : `how the operator of ${printable(maker)} writes it is not known, so the worst way in which one may write counts`;
}

interface Writing {
  readonly maker?: string;
  readonly how: KnownService['writer'];
}

function writingOf({ object, madeOf }: ReportedService, { strimzi, isStrimziOlder }: CheckContext): Writing {
  const [parent] = mapsIn(mapIn(object, 'metadata'), 'ownerReferences');
  const kind = parent && unquoted(parent.kind);
  // Strimzi has the Services of brokers belong to their set of pods
  const maker = madeOf ? String(madeOf.object.kind) : kind?.startsWith('Strimzi') ? KAFKA_KIND : kind;
  if (maker === undefined) {
    return { how: 'files' };
  }
  const isKnown = maker === KAFKA_KIND && (strimzi || isStrimziOlder);
  return { maker, how: isKnown ? (strimzi?.keepsForeignFinalizers ? 'keeps' : 'strips') : 'unknown' };
}

function tracedOwner(kind: ControllerDefinition, reported: ReportedService, context: CheckContext, written: Writing) {
  const { service } = typedService(reported.object);
  const finalizers = finalizersOf(service);
  const own = [...kind.finalizers, ...(kind.untouchableFinalizers ?? [])];
  const found = modelCaseOf({
    owner: kind.name,
    hasClass: classOf(service) !== undefined,
    ...{ finalizers, own, writer: written.how },
    controllers: context.controllers?.map(({ name }) => name),
  });
  const worst = found && worstOf(found);
  if (!worst) {
    return [];
  }
  const { found: way, policy, outcome, unless } = worst;
  const names = {
    own: finalizers.find((finalizer) => own.includes(finalizer)) ?? own[0] ?? 'a finalizer',
    other: finalizers.find((finalizer) => !own.includes(finalizer)) ?? 'another finalizer',
    service: [namespaceIn(reported.object), nameOf(reported.object)].filter(Boolean).join('/') || 'without a name',
    owner: kind.name,
    writer: writerName(written, context, worst),
  };
  const finalizer = {
    declared: `${names.own} is declared`,
    left:
      own.length === 0
        ? `none is declared, and ${kind.name} has none of its own`
        : `none is declared: ${names.own} is left to its controller`,
    wrong: `${finalizers.join(', ')} is declared, which the owner does not remove`,
  }[policy];
  const how = WRITER_SAYS[worst.writer];
  const writer = {
    files: how,
    unknown: `${names.writer} of an unknown version; the trace shows ${how}`,
    keeps: `${names.writer}: ${how}`,
    strips: `${names.writer}: ${how}`,
  }[written.how];
  return [
    {
      owner: worst.owner.name,
      ...{ versions: worst.owner.versions, beside: worst.beside },
      ...{ finalizer, writer, outcome, unless },
      ...(way && { trace: shownTrace(way.name, way.trace, names, BROKEN_SAYS[way.trace.property]) }),
      heldAgainst: HELD_AGAINST,
      whatIf: whatIfs(worst, found.writers),
    },
  ];
}

const HELD_AGAINST = `all orders of writer, owner, API server and cloud, with an edit and ${ENDINGS.length - 1} ways of deletion, and at most one ${TRIALS.join(', one ')}`;

function writerName({ maker }: Writing, { strimzi }: CheckContext, { writer }: Case): string {
  if (maker === undefined) {
    return WRITTEN_WITH[writer] ?? writer;
  }
  return maker === KAFKA_KIND ? `Strimzi${strimzi ? ` ${strimzi.version}` : ''}` : `the operator of ${maker}`;
}

const WRITTEN_WITH: { readonly [W in Case['writer']]?: string } = {
  'client-apply': 'kubectl apply',
  'server-apply': 'kubectl apply --server-side',
};

interface CaseResult extends Case, SafetyResult {}

const results = new Map<string, CaseResult>();

function caseResult(one: Case): CaseResult {
  const key = [one.owner.name, one.owner.versions, one.beside, one.policy, one.writer].join('|');
  return cachedIn(results, key, () => ({ ...one, ...safetyOf(one) }));
}

const OUTCOMES: readonly SafetyResult['outcome'][] = ['unsafe', 'safe if', 'safe'];

/** The worst of a case, by its shortest trace; undefined if the owner has no finalizer that could be declared. */
function worstOf({ owner, besides, policy, writers }: ModelCase): CaseResult | undefined {
  const isPossible = policy !== 'declared' || owner.finalizer !== undefined;
  const all = besides.flatMap((beside) =>
    writers.map((writer) => caseResult({ owner, beside, turn: 'nothing', policy, writer })),
  );
  const property = ({ found }: CaseResult) => (found ? PROPERTIES.indexOf(found.trace.property) : PROPERTIES.length);
  const steps = ({ found }: CaseResult) => found?.trace.steps.length ?? 0;
  const byBadness = (one: CaseResult, other: CaseResult) =>
    OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome) ||
    property(one) - property(other) ||
    steps(one) - steps(other);
  return isPossible ? all.sort(byBadness)[0] : undefined;
}

const ASKED: readonly Change[] = [
  'finalizer dropped',
  'type away',
  'annotation away',
  'deleted and created again',
  'owner uninstalled',
];

const HARMLESS: readonly ChangeOutcome[] = ['kept', 'refused', 'deleted', 'handed over'];

function whatIfs({ owner, beside, policy }: Case, writer: ModelCase['writers']) {
  return ASKED.flatMap((change) => {
    const { name, versions } = owner;
    const found = worstChangeAnswer({ owner: name, versions, beside, writer, change, before: policy });
    if (!found || HARMLESS.includes(found.outcome)) {
      return [];
    }
    const { outcome, when, trace } = found;
    const says = { change, says: CHANGE_FACTS[change].says, outcome, when, means: CHANGE_OUTCOME_SAYS[outcome] };
    return [{ ...says, ...(trace && { trace: trace.name }) }];
  });
}

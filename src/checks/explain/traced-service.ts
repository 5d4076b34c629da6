import { mapIn, mapsIn, namespaceIn, printable, unquoted } from '../../contract/json';
import { type LoadBalancerOwner, OwnershipState } from '../../controllers/load-balancer-owner';
import { KAFKA_KIND } from '../../kafka/strimzi/strimzi.facts';
import { CHANGE_SAYS, type Change } from '../../lifecycle/change-cases';
import { CHANGE_OUTCOME_SAYS, type ChangeOutcome } from '../../lifecycle/change-outcomes';
import { worstChangeAnswer } from '../../lifecycle/change-results';
import type { Way } from '../../lifecycle/checker';
import { type KnownService, type ModelCase, modelCaseOf } from '../../lifecycle/model-case';
import { BROKEN_SAYS, PROPERTIES } from '../../lifecycle/properties';
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
import { type Case, TRIALS, type Verdict, verdictOf } from '../../lifecycle/verdict';
import { WRITER_SAYS } from '../../lifecycle/writers.facts';
import type { ReportedService } from '../../predicted/predicted';
import { likelyClaimants } from '../../rules/claimants';
import { type ControllerDefinition, definitionOf } from '../../rules/controller-definition';
import { typedService } from '../../rules/service-fields';
import { classOf, finalizersOf } from '../../rules/service-json';
import type { CheckContext } from '../context/check-context';
import { isLive } from '../object-writers';
import { ownerIn } from '../service-judgement';
import { nameOf } from './explained-service';
import { cited } from './explanation';

export type ShownTrace = ReturnType<typeof shownTrace>;

export function shownTrace(name: string, way: Way, names: TraceNames, comesTo: string) {
  const weakest = weakestOf(way.steps);
  return {
    name,
    comesTo,
    steps: way.steps.map((step, index) => ({
      row: step.id,
      who: whoIn(step.actor, names),
      does: saysIn(step, names),
      seen: stateInWords(way.states[index + 1], names),
      known: `${step.confidence}: ${cited(step.source)}`,
    })),
    known: weakest ? `${weakest.confidence}; the weakest step is from ${cited(weakest.source)}` : '',
    lines: wayInWords(way, names),
    mermaid: traceAsMermaid(way, names, name),
  };
}

export type WhatIf = ReturnType<typeof whatIfs>[number];

export type TracedOwner = ReturnType<typeof tracedOwner>[number];

export type TracedService = ReturnType<typeof traceService>;

export function traceService(reported: ReportedService, context: CheckContext) {
  const { object, file, line, madeBy, alike = [] } = reported;
  const { service } = typedService(object);
  const owner = ownerIn(service, context);
  const kind = owner.controller && definitionOf(owner.controller);
  const kinds = kind ? [kind] : owner.state === OwnershipState.NOT_APPLICABLE ? [] : likely(service);
  return {
    kind: 'Service' as const,
    ...{ namespace: namespaceIn(object), name: nameOf(object) },
    ...{ file, line, ...(madeBy !== undefined && { madeBy }), ...(alike.length > 0 && { alike }) },
    owner: kind?.name ?? owner.name ?? owner.state,
    because: owner.because,
    notes: [
      ...(kind || owner.state === OwnershipState.NOT_APPLICABLE ? [] : [unowned(kinds, owner)]),
      ...(writerOf(reported, context) === 'unknown' ? [unknownOperator(makerOf(reported))] : []),
      ...(object.metadata?.deletionTimestamp === undefined ? [] : [TERMINATING]),
      ...(isLive(object)
        ? ['the finalizers are those of the cluster: which of them its manifest declares is not known']
        : []),
    ],
    traces: kinds.flatMap((each) => tracedOwner(each, reported, context)),
  };
}

function likely(service: ReportedService['object']): ControllerDefinition[] {
  return likelyClaimants(service).map(({ kind }) => kind);
}

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

const TERMINATING = 'it is being deleted: explain with its name and without --trace says what it waits for';

function unknownOperator(maker = ''): string {
  return maker === KAFKA_KIND
    ? 'the version of its operator is not known, so the worst way in which one may write counts: name it in the context file'
    : `how the operator of ${printable(maker)} writes it is not known, so the worst way in which one may write counts`;
}

function makerOf({ object, madeOf }: ReportedService): string | undefined {
  const [owner] = mapsIn(mapIn(object, 'metadata'), 'ownerReferences');
  const kind = owner && unquoted(owner.kind);
  // Strimzi has the Services of brokers belong to their set of pods
  return madeOf ? String(madeOf.object.kind) : kind?.startsWith('Strimzi') ? KAFKA_KIND : kind;
}

function tracedOwner(kind: ControllerDefinition, reported: ReportedService, context: CheckContext) {
  const { service } = typedService(reported.object);
  const finalizers = finalizersOf(service);
  const own = [...kind.finalizers, ...(kind.untouchableFinalizers ?? [])];
  const writer = writerOf(reported, context);
  const found = modelCaseOf({
    owner: kind.name,
    hasClass: classOf(service) !== undefined,
    ...{ finalizers, own, writer },
    controllers: context.controllers?.map(({ name }) => name),
  });
  const worst = found && worstOf(found);
  if (!worst) {
    return [];
  }
  const other = finalizers.find((finalizer) => !own.includes(finalizer)) ?? 'another finalizer';
  const names: TraceNames = {
    own: finalizers.find((finalizer) => own.includes(finalizer)) ?? own[0] ?? 'a finalizer',
    other,
    service: [namespaceIn(reported.object), nameOf(reported.object)].filter(Boolean).join('/') || 'without a name',
    owner: kind.name,
    writer: writerName(reported, context, worst),
  };
  const { found: way } = worst;
  return [
    {
      owner: worst.owner.name,
      ...{ versions: worst.owner.versions, beside: worst.beside },
      finalizer:
        own.length === 0 && worst.policy === 'left'
          ? `none is declared, and ${kind.name} has none of its own`
          : FINALIZER_SAYS[worst.policy](names, finalizers),
      writer: writtenBy(names.writer, worst, writerOf(reported, context)),
      ...{ outcome: worst.outcome, unless: worst.unless },
      ...(way && { trace: shownTrace(way.name, way.trace, names, BROKEN_SAYS[way.trace.property]) }),
      heldAgainst: HELD_AGAINST,
      whatIf: whatIfs(worst, found.writers),
    },
  ];
}

function writtenBy(name: string | undefined, { writer }: Case, known: KnownService['writer']): string {
  const how = WRITER_SAYS[writer];
  return known === 'files'
    ? how
    : known === 'unknown'
      ? `${name} of an unknown version; the trace shows ${how}`
      : `${name}: ${how}`;
}

const HELD_AGAINST = `all orders of writer, owner, API server and cloud, with an edit and ${ENDINGS.length - 1} ways of deletion, and at most one ${TRIALS.join(', one ')}`;

const FINALIZER_SAYS: Readonly<Record<Case['policy'], (names: TraceNames, declared: readonly string[]) => string>> = {
  declared: ({ own }) => `${own} is declared`,
  left: ({ own }) => `none is declared: ${own} is left to its controller`,
  wrong: (_, declared) => `${declared.join(', ')} is declared, which the owner does not remove`,
};

function writerOf(reported: ReportedService, { strimzi, isStrimziOlder }: CheckContext): KnownService['writer'] {
  const maker = makerOf(reported);
  if (maker === undefined) {
    return 'files';
  }
  if (maker !== KAFKA_KIND || !(strimzi || isStrimziOlder)) {
    return 'unknown';
  }
  return strimzi?.keepsForeignFinalizers ? 'keeps' : 'strips';
}

function writerName(reported: ReportedService, { strimzi }: CheckContext, { writer }: Case): string {
  const maker = makerOf(reported);
  if (maker === undefined) {
    return WRITTEN_WITH[writer] ?? writer;
  }
  return maker === KAFKA_KIND ? `Strimzi${strimzi ? ` ${strimzi.version}` : ''}` : `the operator of ${maker}`;
}

const WRITTEN_WITH: { readonly [W in Case['writer']]?: string } = {
  'client-apply': 'kubectl apply',
  'server-apply': 'kubectl apply --server-side',
};

interface JudgedCase extends Case, Verdict {}

const verdicts = new Map<string, JudgedCase>();

function judgedCase(one: Case): JudgedCase {
  const key = [one.owner.name, one.owner.versions, one.beside, one.policy, one.writer].join('|');
  const known = verdicts.get(key) ?? { ...one, ...verdictOf(one) };
  verdicts.set(key, known);
  return known;
}

const OUTCOMES: readonly Verdict['outcome'][] = ['unsafe', 'safe if', 'safe'];

/** The worst of a case, by its shortest trace; undefined if the owner has no finalizer that could be declared. */
function worstOf({ owner, besides, policy, writers }: ModelCase): JudgedCase | undefined {
  const isPossible = policy !== 'declared' || owner.finalizer !== undefined;
  const all = besides.flatMap((beside) =>
    writers.map((writer) => judgedCase({ owner, beside, turn: 'nothing', policy, writer })),
  );
  return isPossible ? all.sort(byBadness)[0] : undefined;
}

function byBadness(one: JudgedCase, other: JudgedCase): number {
  const propertyOf = ({ found }: JudgedCase) => (found ? PROPERTIES.indexOf(found.trace.property) : PROPERTIES.length);
  return (
    OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome) ||
    propertyOf(one) - propertyOf(other) ||
    (one.found?.trace.steps.length ?? 0) - (other.found?.trace.steps.length ?? 0)
  );
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
    return !found || HARMLESS.includes(found.outcome)
      ? []
      : [
          {
            change,
            says: CHANGE_SAYS[change],
            outcome: found.outcome,
            when: found.when,
            means: CHANGE_OUTCOME_SAYS[found.outcome],
            ...(found.trace && { trace: found.trace.name }),
          },
        ];
  });
}

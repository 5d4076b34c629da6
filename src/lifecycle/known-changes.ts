import { type Group, grouped } from '../contract/grouped';
import { type Change, isWritten } from './change-cases';
import { type ChangeOutcome, rank } from './change-outcomes';
import type { ChangeResult, ChangeTrace } from './changes';
import { CHANGE_TRACES, CHANGES_FOUND } from './changes.facts';
import { type Beside, OWNERS, type Owner } from './owners.facts';
import type { Fault, Policy } from './scenario';
import type { Writer } from './writers.facts';

// What changes do to live balancers, as it was generated: nothing is searched here, and nothing that searches is loaded.

/** A generated trace, which begins where the balancer is served and all actors are at rest. */
export interface KnownChangeTrace {
  readonly number: number;
  readonly name: string;
  readonly start: number;
  readonly faults: readonly Fault[];
  /** The rows, by their ids. */
  readonly steps: readonly string[];
}

/** What comes of a change, of one owner beside one other controller, by one writer. */
export interface KnownChange {
  readonly owner: string;
  readonly versions: string;
  readonly beside: Beside;
  readonly writer: Writer;
  readonly change: Change;
  readonly before: Policy;
  readonly after: Policy;
  readonly outcome: ChangeOutcome;
  /** Whether it comes of the change itself, or where the Service is deleted afterwards. */
  readonly when: ChangeResult['when'];
  /** What a deletion afterwards does, as it did before the change. */
  readonly anyway?: ChangeOutcome;
  readonly trace?: KnownChangeTrace;
  /** What is worse, by the fault that it takes. */
  readonly unless: readonly {
    readonly fault: Fault;
    readonly outcome: ChangeOutcome;
    readonly trace: KnownChangeTrace;
  }[];
}

const cells = (line: string) => line.split(' | ').map((cell) => (cell === '-' ? '' : cell));
const several = (cell: string) => (cell === '' ? [] : cell.split('+'));

let traces: readonly KnownChangeTrace[] | undefined;
let changes: readonly KnownChange[] | undefined;
let changesByStart: ReadonlyMap<string, Group<KnownChange>> | undefined;

/** Every generated trace. */
export function knownChangeTraces(): readonly KnownChangeTrace[] {
  traces ??= CHANGE_TRACES.map((line, index) => {
    const [name, start, faults, steps] = cells(line);
    return {
      number: index + 1,
      name,
      start: Number(start),
      faults: several(faults) as Fault[],
      steps: steps.split(' ').filter(Boolean),
    };
  });
  return traces;
}

/** Every generated result; a line is one for each of its writers. */
export function knownChanges(): readonly KnownChange[] {
  const traceOf = (number: string) => knownChangeTraces()[Number(number) - 1];
  changes ??= CHANGES_FOUND.flatMap((line) => {
    const [owner, versions, beside, change, before, after, writers, outcome, when, anyway, trace, unless] = cells(line);
    const found = {
      ...{ owner, versions, beside: beside as Beside, change: change as Change },
      ...{ before: before as Policy, after: after as Policy, outcome: outcome as ChangeOutcome },
      when: when as KnownChange['when'],
      ...(anyway === '' ? {} : { anyway: anyway as ChangeOutcome }),
      ...(trace === '' ? {} : { trace: traceOf(trace) }),
      unless: several(unless).map((cell) => {
        const [fault, worse, number] = cell.split(/[=#]/);
        return { fault: fault as Fault, outcome: worse as ChangeOutcome, trace: traceOf(number) };
      }),
    };
    return several(writers).map((writer) => ({ ...found, writer: writer as Writer }));
  });
  return changes;
}

/** The results for one owner whose Service had one policy: a diff asks for each of its balancers, many times. */
function changesFrom(owner: string, before: Policy): readonly KnownChange[] {
  changesByStart ??= grouped(knownChanges(), (found) => `${found.owner} ${found.before}`);
  return changesByStart.get(`${owner} ${before}`) ?? [];
}

/** What is asked of the table. */
export interface ChangeQuestion {
  readonly owner: string;
  readonly versions?: string;
  readonly beside?: Beside;
  /** One writer, or all that it may be: the worst of them counts. */
  readonly writer: Writer | readonly Writer[];
  readonly change: Change;
  readonly before: Policy;
  /** @default - as before */
  readonly after?: Policy;
}

/** What comes of a change: the worst of all that fits, or nothing where the model does not have it. */
export function changeVerdictFor(question: ChangeQuestion): KnownChange | undefined {
  const { owner, versions, beside, writer, before } = question;
  const cases = (typeof writer === 'string' ? [writer] : writer).map((each) => caseFor(question, each));
  const fitting = changesFrom(owner, before).filter(
    (found) =>
      (versions === undefined || found.versions === versions) &&
      (beside === undefined || found.beside === beside) &&
      cases.some(
        (one) =>
          found.change === one.change && found.after === one.after && found.writer === writerOn(found, one.writer),
      ),
  );
  return fitting.reduce<KnownChange | undefined>(
    (worst, next) => (worst && !isWorse(next, worst) ? worst : next),
    undefined,
  );
}

const DECLARED_BY: { readonly [C in Change]?: Policy } = {
  'finalizer dropped': 'left',
  'finalizer added': 'declared',
  'finalizer wrong': 'wrong',
};

/** The case of the table that a question is about: what a writer never writes is nothing, and whoever creates again does always. */
function caseFor(question: ChangeQuestion, writer: Writer): Pick<KnownChange, 'writer' | 'change' | 'after'> {
  const { change, before } = question;
  const after = question.after ?? DECLARED_BY[change] ?? before;
  if (writer === 'create' && isWritten(change)) {
    return { writer, change: 'nothing', after: before };
  }
  if (writer === 'recreate' && (change === 'nothing' || DECLARED_BY[change])) {
    return { writer, change: 'deleted and created again', after };
  }
  if (DECLARED_BY[change] && before === after) {
    return { writer, change: 'nothing', after };
  }
  return { writer, change, after: declaresAnew(change, writer) ? after : before };
}

function declaresAnew(change: Change, writer: Writer): boolean {
  return change === 'class changed'
    ? writer === 'recreate'
    : isWritten(change) || change === 'deleted and created again';
}

/** A claim by annotation has no class that could be left out. */
function writerOn({ owner, versions }: KnownChange, writer: Writer): Writer {
  return writer === 'put-class-null' && ownerOf(owner, versions).byAnnotation ? 'put' : writer;
}

/** The owner of a result. */
export function ownerOf(name: string, versions: string): Owner {
  const owner = OWNERS.find((each) => each.name === name && each.versions === versions);
  if (!owner) {
    throw new Error(`${name} ${versions} is not an owner of the model`);
  }
  return owner;
}

function isWorse(one: KnownChange, other: KnownChange): boolean {
  const difference = rank(one.outcome) - rank(other.outcome);
  return difference === 0 ? (one.trace?.steps.length ?? 0) < (other.trace?.steps.length ?? 0) : difference < 0;
}

/** The cells of a result behind those of its case, with the number of each trace by its line. */
export function cellsOf(result: ChangeResult, numberOf: (trace: string) => number): string {
  const { outcome, when, anyway, trace, unless } = result;
  const worse = unless.map((each) => `${each.fault}=${each.outcome}#${numberOf(lineOf(each.trace))}`);
  return [outcome, when, anyway, trace && numberOf(lineOf(trace)), worse.join('+')]
    .map((cell) => cell || '-')
    .join(' | ');
}

function lineOf({ name, start, faults, way }: ChangeTrace): string {
  return [name, start, faults.join('+') || '-', way.steps.map(({ id }) => id).join(' ')].join(' | ');
}

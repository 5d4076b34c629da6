import { type Change, type ChangeCase, isPossible, isWritten } from './change-cases';
import { rank } from './change-outcomes';
import { type ChangeResult, ChangeSearch } from './changes';
import { type Beside, OWNERS, type Owner } from './owners';
import type { Policy } from './scenario';
import type { Writer } from './writers';

export interface ChangeAnswer extends ChangeCase, ChangeResult {}

/** A question to the model about a change; a part that is left out may be anything. */
export interface ChangeQuestion {
  readonly owner: string;
  readonly versions?: string;
  readonly beside?: Beside;
  /** One writer, or all possible writers: the worst result counts. */
  readonly writer: Writer | readonly Writer[];
  readonly change: Change;
  readonly before: Policy;
  /** @default - the same policy as before */
  readonly after?: Policy;
  readonly keeper?: boolean;
}

const search = new ChangeSearch();
const answers = new Map<string, ChangeAnswer | undefined>();

export function givenAnswers(): ChangeAnswer[] {
  return [...answers.values()].filter((answer) => answer !== undefined);
}

/** Searches the model for the result of a case, once per process; undefined if no balancer comes to be served in it. */
export function changeAnswer(one: ChangeCase): ChangeAnswer | undefined {
  const { owner, beside, writer, change, before, after, keeper } = one;
  const key = [owner.name, owner.versions, beside, writer, change, before, after, keeper].join('|');
  if (!answers.has(key)) {
    const result = search.resultOf(one);
    answers.set(key, result && { ...one, ...result });
  }
  return answers.get(key);
}

/** The worst result of all cases that a question allows; undefined if the model has no such case. */
export function worstChangeAnswer(question: ChangeQuestion): ChangeAnswer | undefined {
  const { versions, writer } = question;
  const owners = OWNERS.filter(
    (owner) => owner.name === question.owner && (versions === undefined || owner.versions === versions),
  );
  let worst: ChangeAnswer | undefined;
  for (const owner of owners) {
    const besides = owner.beside.filter((beside) => question.beside === undefined || beside === question.beside);
    for (const beside of besides) {
      for (const each of typeof writer === 'string' ? [writer] : writer) {
        const one = caseOf(question, owner, beside, each);
        const next = isPossible(one) ? changeAnswer(one) : undefined;
        worst = next && (worst === undefined || isWorse(next, worst)) ? next : worst;
      }
    }
  }
  return worst;
}

const DECLARED_BY: { readonly [C in Change]?: Policy } = {
  'finalizer dropped': 'left',
  'finalizer added': 'declared',
  'finalizer wrong': 'wrong',
};

/** The case behind a question: `create` never writes again, and `recreate` always creates a new Service. */
function caseOf(question: ChangeQuestion, owner: Owner, beside: Beside, asked: Writer): ChangeCase {
  const { change, before, keeper } = question;
  // a claim by annotation has no class that could be left out, and a keeper puts it back
  const writer = asked === 'put-class-null' && (keeper || owner.byAnnotation) ? 'put' : asked;
  const after = question.after ?? DECLARED_BY[change] ?? before;
  const one = { owner, beside, writer, before, ...(keeper && { keeper }) };
  if (writer === 'create' && isWritten(change)) {
    return { ...one, change: 'nothing', after: before };
  }
  if (writer === 'recreate' && (change === 'nothing' || DECLARED_BY[change])) {
    return { ...one, change: 'deleted and created again', after };
  }
  if (DECLARED_BY[change] && before === after) {
    return { ...one, change: 'nothing', after };
  }
  return { ...one, change, after: declaresAnew(change, writer) ? after : before };
}

function declaresAnew(change: Change, writer: Writer): boolean {
  return change === 'class changed'
    ? writer === 'recreate'
    : isWritten(change) || change === 'deleted and created again';
}

function isWorse(one: ChangeAnswer, other: ChangeAnswer): boolean {
  const difference = rank(one.outcome) - rank(other.outcome);
  return difference === 0 ? stepsOf(one) < stepsOf(other) : difference < 0;
}

const stepsOf = ({ trace }: ChangeAnswer) => trace?.way.steps.length ?? 0;

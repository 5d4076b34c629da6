/** What somebody asks AWS to do: an action on resources, all of which must be allowed, with the tags that a policy can see. */
export interface IamRequest {
  readonly action: string;
  /** ARNs; one request can be checked against several. */
  readonly resources: readonly IamResource[];
  /** Keys of the request, such as `aws:RequestTag/team`. */
  readonly context?: Readonly<Record<string, string>>;
}

/** A resource with its own keys, such as `aws:ResourceTag/team`. */
export interface IamResource {
  readonly arn: string;
  readonly context?: Readonly<Record<string, string>>;
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: string | string[];
  readonly Condition?: Record<string, Record<string, string | string[]>>;
}

const listOf = (value: string | readonly string[]) => (typeof value === 'string' ? [value] : [...value]);

function matches(pattern: string, text: string): boolean {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${expression}$`).test(text);
}

/** Operators of the policy language; one that is not known here is a fault of the test. */
const OPERATORS: Record<string, (expected: string[], actual: string | undefined) => boolean> = {
  StringEquals: (expected, actual) => actual !== undefined && expected.includes(actual),
  ArnEquals: (expected, actual) => actual !== undefined && expected.some((pattern) => matches(pattern, actual)),
  Null: ([expected], actual) => (actual === undefined) === (expected === 'true'),
};

function holds(condition: Statement['Condition'], context: Readonly<Record<string, string>>): boolean {
  return Object.entries(condition ?? {}).every(([operator, keys]) => {
    const compare = OPERATORS[operator];
    if (!compare) throw new Error(`the evaluator does not know ${operator}`);
    return Object.entries(keys).every(([key, expected]) => compare(listOf(expected), context[key]));
  });
}

/** Whether a policy document allows a request: every resource by some statement, and none denied. */
export function allows(document: { [key: string]: unknown }, request: IamRequest): boolean {
  const statements = document.Statement as Statement[];
  return request.resources.every(({ arn, context }) => {
    const applying = statements.filter(
      ({ Action, Resource, Condition }) =>
        listOf(Action).some((pattern) => matches(pattern, request.action)) &&
        listOf(Resource).some((pattern) => matches(pattern, arn)) &&
        holds(Condition, { ...request.context, ...context }),
    );
    return applying.some(({ Effect }) => Effect === 'Allow') && !applying.some(({ Effect }) => Effect === 'Deny');
  });
}

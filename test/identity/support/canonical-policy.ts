import { createHash } from 'node:crypto';

interface Statement {
  readonly Action: string | string[];
  readonly Resource: string | string[];
  readonly Condition?: Record<string, Record<string, string | string[]>>;
}

const listOf = (value: string | readonly string[]) => (typeof value === 'string' ? [value] : [...value]);

function conditionText(condition: Statement['Condition']): string {
  return Object.entries(condition ?? {})
    .flatMap(([operator, keys]) =>
      Object.entries(keys).map(([key, value]) => `${operator} ${key} ${listOf(value).sort().join(',')}`),
    )
    .sort()
    .join(';');
}

/** Everything that a policy allows, one line for each action on each resource, however it is cut into statements. */
export function linesOf(document: { [key: string]: unknown }): string[] {
  const lines = (document.Statement as Statement[]).flatMap(({ Action, Resource, Condition }) =>
    listOf(Action).flatMap((action) =>
      listOf(Resource).map((resource) => `${action}|${resource}|${conditionText(Condition)}`),
    ),
  );
  return [...new Set(lines)].sort();
}

/** A short print of what a policy allows. */
export function digestOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 32);
}

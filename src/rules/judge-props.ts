import type { Construct, IConstruct } from 'constructs';
import { propFaults, refuse, sentenceOfUnknown } from '../contract/declared-types';
import type { LoadBalancerFinding } from '../contract/options';
import { WRONG_PROP } from '../contract/request-rules.facts';
import { UNKNOWN_PROP } from './app-rules';
import { warnOf } from './construct-warning';

/**
 * Compares the props of a construct with the types that they are declared with, for callers without types. A key that is a
 * slip of the hand is an error, since what it should have set may be what keeps a balancer closed. Another unknown key is
 * a warning: a construct that extends the props of this one may pass its own along. Of a subclass it is neither.
 *
 * @param scope the scope of the construct
 * @param id its name there
 * @param struct the name of the type of its props
 * @param props what was passed
 * @throws with all that is wrong
 */
export function judgeProps(scope: Construct, id: string, struct: string, props: unknown): void {
  const { wrong, unknown } = propFaults(struct, props);
  if (wrong.length === 0 && unknown.length === 0) {
    return;
  }
  refuse([scope.node.path, id].filter(Boolean).join('/'), [
    ...wrong.map((what) => `${what} (${WRONG_PROP.id})`),
    ...unknown.filter(({ isWrong }) => isWrong).map(sentenceOfUnknown),
  ]);
  for (const { path, remedy } of unknown) {
    warnOf(scope, () => (isSubclass(scope.node.tryFindChild(id), struct) ? undefined : unread(path, remedy)), id);
  }
}

/** Whether a construct is of a class that extends the one with these props, and has props of its own. */
function isSubclass(made: IConstruct | undefined, struct: string): boolean {
  return made !== undefined && `${made.constructor.name}Props` !== struct;
}

function unread(prop: string, remedy: string): LoadBalancerFinding {
  return {
    ruleId: UNKNOWN_PROP.id,
    who: 'props',
    what: `${prop} is unknown, so it has no effect`,
    remedy: `${remedy}, or acknowledge it where it is of your own`,
    value: prop,
  };
}

import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/options';
import { type DescribedNote, type DescribedRule, type Finding, filled, findingOf } from '../../contract/rule';
import type { ObjectContext, Rule } from '../../rules/rule';
import type { Message, Params } from '../../tenancy/fault';

type Place = Pick<Finding, 'value' | 'at'>;

/** The parameters of a message, with the value and the place of the mistake; the value may be a parameter. */
type Mistake<Of extends Message> = Omit<Params<Of>, 'value'> &
  ('value' extends keyof Params<Of> ? Required<Pick<Place, 'value'>> & Place : Place);

type Mistakes<Of extends Message> = Mistake<Of> | readonly (Mistake<Of> | undefined)[] | undefined | false;

function withMessage({ what, remedy }: Message, mistake: Place): Finding {
  const { value, at } = mistake;
  return { what: filled(what, mistake), remedy: filled(remedy, mistake), value, at };
}

/** A rule whose message has parameters: it returns those of each mistake. */
export function ruleOf<Of extends DescribedRule & Message, Context extends object = ObjectContext>(
  row: Of,
  judge: (object: Json, context: Context) => Mistakes<Of>,
  more: Partial<Rule<Context>> = {},
): Rule<Context> {
  return {
    ...row,
    ...more,
    judge: (object, context) =>
      [judge(object, context)].flat().flatMap((mistake) => (mistake ? [withMessage(row, mistake as Place)] : [])),
  };
}

/** A finding that no rule of a set makes. */
export function noteOf<Of extends (DescribedNote | DescribedRule) & Message>(
  row: Of,
  mistake: Mistake<Of>,
  who = 'check',
): LoadBalancerFinding {
  return findingOf(row, withMessage(row, mistake as Place), who);
}

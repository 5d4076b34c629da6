import type { Json } from '../../contract/json';
import type { YamlPath } from '../../contract/yaml-source';
import { isRule, ruleLike } from '../../rules/known-rules';
import type { AcceptedFinding, AcceptedLoss, CheckContext } from './check-context';
import { ACCEPTED_FIELDS } from './context-fields.facts';
import { brief, called, type Mistakes } from './context-mistakes';

/** Reads what somebody accepted: findings of rules, and what a change does to a balancer. */
export function acceptedIn(
  entries: unknown,
  mistakes: Mistakes,
  base: YamlPath = [],
): Required<Pick<CheckContext, 'accepted' | 'acceptedLosses'>> {
  const accepted: AcceptedFinding[] = [];
  const acceptedLosses: AcceptedLoss[] = [];
  (Array.isArray(entries) ? entries : []).forEach((entry, index) => {
    const path = [...base, 'accepted', index];
    if (!mistakes.check(entry, ACCEPTED_FIELDS, path) || !isOfOneKind(entry, path, mistakes)) {
      return;
    }
    const { rule, outcome, object, reason, until } = entry;
    if (rule !== undefined && !isRule(rule)) {
      const like = ruleLike(rule);
      mistakes.add(
        [...path, 'rule'],
        `rule ${brief(rule)} is unknown`,
        like ? `write ${like}` : 'write the id of a finding',
      );
    }
    if (until !== undefined && !isDay(until)) {
      mistakes.add(
        [...path, 'until'],
        `${called([...path, 'until'])} is '${until}', a day that no calendar has`,
        'write another one',
      );
    }
    const place = mistakes.placeOf(path);
    if (rule === undefined) {
      acceptedLosses.push({ outcome, object, reason, until, place });
    } else {
      accepted.push({ rule, object, reason, until, place });
    }
  });
  return { accepted, acceptedLosses };
}

/** A finding is named by its rule, everywhere or at an object; a loss by its outcome, at one object alone. */
function isOfOneKind({ rule, outcome, object }: Json, path: YamlPath, mistakes: Mistakes): boolean {
  if ((rule === undefined) === (outcome === undefined)) {
    const what = rule === undefined ? 'has neither rule nor outcome' : 'has both rule and outcome';
    mistakes.add(path, `${called(path)} ${what}`, 'write the rule of a finding, or the outcome of a change');
    return false;
  }
  if (outcome !== undefined && object === undefined) {
    mistakes.add(
      path,
      `${called(path)} accepts an outcome and names no object`,
      `write object: ${ACCEPTED_FIELDS.object.example}`,
    );
    return false;
  }
  return true;
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

import type { ApiObject } from 'cdk8s';
import { amongOthers } from './app-objects';
import { judgeObject } from './judge-object';
import type { ObjectContext } from './rule-context';
import type { RuleSet } from './rule-set';

/** Has an object validated at synth, by itself and among the others of its app. */
export function judgeByRules(object: ApiObject, rules: RuleSet<ObjectContext>): void {
  judgeObject(object, object, { judge: (json) => rules.judge(json, { among: amongOthers(object) }) });
}

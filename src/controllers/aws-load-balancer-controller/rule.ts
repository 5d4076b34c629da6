import type { Json } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';
import type { Finding, Rule } from '../../rules/rule';
import { annotationsOf } from '../../rules/service-json';
import type { Annotations } from './reading';

type Said = Finding | readonly Finding[] | false | undefined;
/** The fields and annotations without which a rule has nothing to say. */
type When = Pick<Rule, 'on' | 'reads'>;
type Judge = (service: Json, annotations: Annotations) => Said;

function rule(severity: Rule['severity']) {
  return (id: string, says: string, source: Citation, judge: Judge, when: When = {}): Rule => ({
    id,
    severity,
    says,
    source,
    ...when,
    judge: (service) => judge(service, annotationsOf(service)) || undefined,
  });
}

/** What the controller refuses, or can never work. */
export const error = rule('error');

/** What works and surprises. */
export const warning = rule('warning');

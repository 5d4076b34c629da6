import type { Json } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import type { LoadBalancerOwner } from '../controllers/load-balancer-owner';
import { isGraveForAllReaders } from '../rules/annotation-rules';
import { knownKinds } from '../rules/controller-definition';
import type { Judgement } from '../rules/judgement';
import type { IndexedObject } from '../rules/objects';
import { UNOWNED_RULES } from '../rules/service-rule-set';
import type { Level } from './check-report';
import type { CheckContext } from './context/check-context';
import { unlessTaken, webhookUnsaid } from './owners-in-words';
import { fieldOf } from './places';
import { judgeInFiles } from './rule-sets';
import { WRITTEN_SERVICE_RULES } from './written/service-rules';

/** An object, with its owner if it is a Service. */
interface Guessed {
  readonly entry: IndexedObject;
  readonly owned?: { readonly service: Json; readonly owner: LoadBalancerOwner };
}

/** What is said of a finding that rests on a guess: an error is a warning, and a setting that is left out is named. */
type Guess = (level: Level, finding: LoadBalancerFinding) => [Level, LoadBalancerFinding];

/** Guesses are the region, and controllers without which another one might own the balancer. */
export function guessAbout({ entry, owned }: Guessed, context: CheckContext): Guess {
  const webhook = owned && webhookUnsaid(owned.service, owned.owner.name, context.controllers);
  const isOwnerGuess = context.areControllersInferred === true || webhook !== undefined;
  let certain: ReadonlySet<string> | undefined;
  const isCertain = (finding: LoadBalancerFinding) => {
    certain ??= pointsIn(judgeInFiles(entry, { ...context, controllers: undefined }));
    const isOfAny = owned !== undefined && isTrueOfAnyOwner(owned.service, finding);
    return isOfAny || certain.has(pointOf(finding)) || finding.who === 'kubernetes';
  };
  return (level, finding) => {
    if (level === 'note') {
      return [level, finding];
    }
    if (context.isRegionInferred && restsOnRegion(finding.ruleId)) {
      return ['warning', finding];
    }
    if (!isOwnerGuess || isCertain(finding)) {
      return [level, finding];
    }
    return ['warning', webhook === undefined ? finding : unlessTaken(finding, webhook)];
  };
}

function pointsIn(judgement: Judgement | undefined): ReadonlySet<string> {
  return new Set([...(judgement?.errors ?? []), ...(judgement?.warnings ?? [])].map(pointOf));
}

function pointOf({ ruleId, at, value }: LoadBalancerFinding): string {
  return JSON.stringify([ruleId, at, value]);
}

function restsOnRegion(ruleId: string): boolean {
  return knownKinds().some(({ rules }) => rules.some(({ id, needs }) => id === ruleId && needs?.includes('region')));
}

/** True if a finding holds for every controller that may own the load balancer. */
export function isTrueOfAnyOwner(service: Json, finding: LoadBalancerFinding): boolean {
  const key = finding.ruleId === ANNOTATION_VALUE ? fieldOf(finding, service).at(-1) : undefined;
  return UNOWNED_IDS.has(finding.ruleId) || (typeof key === 'string' && isGraveForAllReaders(service, key));
}

const ANNOTATION_VALUE = 'annotation-value';

const UNOWNED_IDS: ReadonlySet<string> = new Set([
  ...UNOWNED_RULES.rules.map(({ id }) => id),
  ...WRITTEN_SERVICE_RULES.filter(({ who }) => who === 'kubernetes').map(({ id }) => id),
]);

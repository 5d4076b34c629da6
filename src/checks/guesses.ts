import type { Json } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import type { LoadBalancerOwner } from '../controllers/load-balancer-owner';
import { knownKinds } from '../rules/controller-definition';
import type { Judgement } from '../rules/judgement';
import type { IndexedObject } from '../rules/objects';
import type { Level } from './check-report';
import type { CheckContext } from './context/check-context';
import { unlessTaken, webhookUnsaid } from './owners-in-words';
import { judgeInFiles } from './rule-sets';
import { isTrueOfAnyOwner } from './service-report';

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

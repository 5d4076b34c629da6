import { unlessLive } from '../contract/hand-over';
import { type Json, mapIn } from '../contract/json';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { type DescribedNote, type DescribedRule, findingOf } from '../contract/rule';
import { AwsLoadBalancerController } from '../controllers/aws-load-balancer-controller/controller';
import { type LoadBalancerOwner, OwnershipState } from '../controllers/load-balancer-owner';
import { InstalledOtherController, ownerSigns } from '../controllers/other-controller';
import { likelyClaimants, possibleOwners } from '../rules/claimants';
import { knownKinds, unwrapped } from '../rules/controller-definition';
import { annotationsOf, classOf, finalizersOf, wantsLoadBalancer } from '../rules/service-json';

export const OWNER_UNSAID: DescribedNote = {
  id: 'owner-unsaid',
  who: 'check',
  severity: 'note',
  says: 'neither class nor annotations name the owner',
  source: 'ours',
};

export const OWNER_WITHOUT_RULES: DescribedNote = {
  id: 'owner-without-rules',
  who: 'check',
  severity: 'note',
  says: 'owner whose rules are not known here',
  source: 'ours',
};

/** The controller without rules here that owns a Service, or whose signs it has. */
function ownerWithoutRules(service: Json, { state, controller, because }: LoadBalancerOwner): LoadBalancerFinding[] {
  const [sign] = state === OwnershipState.UNKNOWN ? ownerSigns(service) : [];
  const name = controller instanceof InstalledOtherController ? controller.name : sign?.other.name;
  if (name === undefined || !wantsLoadBalancer(service)) {
    return [];
  }
  const finding = {
    what: sign
      ? `${sign.sign} is for ${name}, whose rules are not known here`
      : `${name}, whose rules are not known here, makes this balancer: ${because}`,
    remedy: `read the documentation of ${name}: what it does with annotations and fields is not checked`,
    ...placeOfSign(sign?.sign),
  };
  return [findingOf(OWNER_WITHOUT_RULES, finding, 'check')];
}

function placeOfSign(sign = ''): { readonly at: string } {
  const [, what, key] = /^(annotation|label) (.*)$/.exec(sign) ?? [];
  if (key !== undefined) {
    return { at: `/metadata/${what}s/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` };
  }
  return { at: sign.startsWith('class ') ? '/spec/loadBalancerClass' : '/spec/type' };
}

/** The controller of a Service where its rules are not known here, or the Service says nothing of it. */
export function ownerNotes(service: Json, owner: LoadBalancerOwner, isContextKnown: boolean): LoadBalancerFinding[] {
  const named = ownerWithoutRules(service, owner);
  return named.length > 0 || isContextKnown ? named : ownerUnsaid(service, owner);
}

/** What a Service that says nothing of its owner becomes under each controller that may take it. */
function ownerUnsaid(service: Json, { state }: LoadBalancerOwner): LoadBalancerFinding[] {
  const isSaid =
    classOf(service) !== undefined ||
    finalizersOf(service).length > 0 ||
    Object.keys(annotationsOf(service)).some((key) => knownKinds().some(({ catalogue }) => catalogue.find(key)));
  if (state !== OwnershipState.UNKNOWN || isSaid || likelyClaimants(service).length > 0) {
    return [];
  }
  const kinds = possibleOwners(service);
  const schemes = new Map<string, string[]>();
  for (const kind of kinds) {
    const scheme = kind.schemeOf(service).scheme ?? 'as its address pool says';
    schemes.set(scheme, [...(schemes.get(scheme) ?? []), kind.name]);
  }
  if (kinds.length === 0) {
    return [];
  }
  const ways = [...schemes].map(([scheme, names]) => `${scheme} by ${names.join(', ')}`);
  const finding = {
    what: `no class and no annotation that is known here says who makes this balancer: ${ways.join('; ')}; or another one`,
    remedy: 'set the class or the annotations of its owner, with a scheme, or name the controllers that run',
    at: '/spec/type',
  };
  return [findingOf(OWNER_UNSAID, finding, 'check')];
}

/** The controller whose webhook may give a new Service its class, if nobody says whether it does. */
export function webhookUnsaid(
  service: Json,
  owner: string | undefined,
  controllers: readonly ILoadBalancerController[] = [],
): string | undefined {
  // a live Service has the class that it was given
  const isNew = mapIn(service, 'metadata').uid === undefined;
  if (!isNew || !wantsLoadBalancer(service) || classOf(service) !== undefined) {
    return undefined;
  }
  const other = controllers
    .map(unwrapped)
    .find((one) => one instanceof AwsLoadBalancerController && one._isWebhookUnsaid);
  return other?.name === owner ? undefined : other?.name;
}

/** A finding of the owner that a Service has unless a webhook gives it to another one. */
export function unlessTaken(finding: LoadBalancerFinding, controller: string): LoadBalancerFinding {
  return {
    ...finding,
    what: `${finding.what}; unless the webhook of ${controller}, on by default, gives the Service its class`,
    remedy: `write serviceMutatorWebhook of ${controller} in load-balancers.yaml: true if it does; else false, and ${finding.remedy}`,
  };
}

export const UNCLAIMED: DescribedRule = {
  id: 'unclaimed',
  severity: 'error',
  says: 'no controller takes the Service',
  source: 'ours',
};

export const CONTESTED: DescribedRule = {
  id: 'contested',
  severity: 'error',
  says: 'more than one controller takes the Service',
  source: 'ours',
};

/** Errors of a load balancer that no controller creates, or several. */
export function ownershipErrors({ state, because }: LoadBalancerOwner): LoadBalancerFinding[] {
  if (state === OwnershipState.UNCLAIMED) {
    const what = `no controller that runs here makes this balancer, so the Service stays pending: ${because}`;
    const remedy = unlessLive('give it the class or the annotations of one that runs here');
    return [{ ruleId: UNCLAIMED.id, who: 'list', what, remedy }];
  }
  if (state === OwnershipState.CONTESTED) {
    const what = `more than one controller takes this Service: ${because}`;
    return [{ ruleId: CONTESTED.id, who: 'list', what, remedy: unlessLive('give it the class of one of them') }];
  }
  return [];
}

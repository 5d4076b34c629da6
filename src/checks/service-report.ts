import { DEFAULT_KUBERNETES } from '../contract/default-kubernetes';
import type { Json } from '../contract/late-rendering';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { LoadBalancerWish } from '../contract/load-balancer-wish';
import { podTemplateOf } from '../contract/workload';
import { LoadBalancerOwner, type OwnershipContext, OwnershipState } from '../controllers/load-balancer-owner';
import { type Claim, claimsOf, likelyClaimsOf } from '../rules/claims';
import { fightsAmong } from '../rules/claims-in-app';
import { kindOf } from '../rules/controller-kind';
import { judge, type RuleContext } from '../rules/rule';
import { serviceBookOf } from '../rules/service-book';
import { annotationsOf, classOf, finalizersOf, isMap, isService, list, wantsLoadBalancer } from '../rules/service-json';
import { SERVICE_RULES } from '../rules/service-rules';
import type { Manifest } from './manifests';

/** What is wrong with an object, and what may surprise. */
interface Findings {
  readonly errors: LoadBalancerFinding[];
  readonly warnings: LoadBalancerFinding[];
}

/** What a finished Service says of its load balancer. */
export interface ServiceReport {
  readonly file: string;
  readonly namespace?: string;
  readonly name: string;
  /** The owner, or why there is none to tell. */
  readonly owner: string;
  readonly because: string;
  readonly state: OwnershipState;
  readonly finalizers: string[];
  readonly finalizersBecause: string;
  readonly loadBalancerClass?: string;
  readonly policy: string;
  readonly policyMeans: string;
  /** What decides on which nodes traffic arrives, in words. */
  readonly nodes: string;
  /** What the annotations mean for wishes: `scheme: internet-facing`. */
  readonly settings: Record<string, string>;
  readonly errors: LoadBalancerFinding[];
  readonly warnings: LoadBalancerFinding[];
}

/** Reports on every Service of type LoadBalancer among some manifests. */
export function reportServices(manifests: readonly Manifest[], context: OwnershipContext): ServiceReport[] {
  const fights = fightsAmong(
    manifests
      .filter(({ object }) => isService(object))
      .map(({ file, object }) => ({
        object,
        group: file,
        place: file,
        claims: claimsIn(object, context),
        isSilent: !wantsLoadBalancer(object),
      })),
  );
  return manifests
    .filter(({ object }) => wantsLoadBalancer(object))
    .map(({ file, object }) => {
      const report = reportService(file, object, manifests, context);
      const { errors, warnings } = fights.get(object) ?? NO_FIGHTS;
      return { ...report, errors: [...report.errors, ...errors], warnings: [...report.warnings, ...warnings] };
    });
}

const NO_FIGHTS: Findings = { errors: [], warnings: [] };

function claimsIn(service: Json, context: OwnershipContext): readonly Claim[] {
  const { controller } = LoadBalancerOwner.of(service, context);
  return controller ? claimsOf(service, kindOf(controller)) : likelyClaimsOf(service);
}

function reportService(
  file: string,
  service: Json,
  manifests: readonly Manifest[],
  context: OwnershipContext,
): ServiceReport {
  const owner = LoadBalancerOwner.of(service, context);
  const { errors, warnings } = judgementOf(service, owner, manifests);
  const policy = String(service.spec?.externalTrafficPolicy ?? 'Cluster');
  const kind = owner.controller && kindOf(owner.controller);
  return {
    file,
    namespace: service.metadata?.namespace,
    name: String(service.metadata?.name ?? ''),
    owner: owner.name ?? owner.state,
    because: owner.because,
    state: owner.state,
    finalizers: finalizersOf(service),
    finalizersBecause: finalizerReason(service, owner),
    loadBalancerClass: classOf(service),
    policy,
    policyMeans: kind?.policyMeans?.(service) ?? POLICIES[policy] ?? 'unknown',
    nodes: nodesOf(service, owner, manifests),
    settings: settingsOf(service, owner),
    errors,
    warnings,
  };
}

function judgementOf(service: Json, owner: LoadBalancerOwner, manifests: readonly Manifest[]): Findings {
  const { controller } = owner;
  const kind = controller && kindOf(controller);
  const objects = manifests.map(({ object }) => object);
  const workload = objects.find((object) => selects(service, object));
  const context: RuleContext = {
    kind,
    controller,
    kubernetes: DEFAULT_KUBERNETES,
    pods: workload && [podTemplateOf(workload)?.spec ?? {}],
    beside: (name, namespace) =>
      objects.filter(
        (object) => isService(object) && object.metadata?.name === name && object.metadata.namespace === namespace,
      ),
  };
  const judgement = kind
    ? serviceBookOf(kind).judge(service, context, kind.name)
    : judge(service, SERVICE_RULES, context, owner.state);
  return { errors: [...ownershipErrors(owner), ...judgement.errors], warnings: judgement.warnings };
}

/** A balancer that nobody will make, or that two will. */
function ownershipErrors({ state, because }: LoadBalancerOwner): LoadBalancerFinding[] {
  if (state === OwnershipState.UNCLAIMED) {
    const what = `no controller that runs here makes this balancer, so the Service stays pending: ${because}`;
    const wayOut = 'give it the class or the annotations of one that runs here';
    return [{ ruleId: 'unclaimed', who: 'list', what, wayOut }];
  }
  if (state === OwnershipState.CONTESTED) {
    const what = `more than one controller takes this Service: ${because}`;
    return [{ ruleId: 'contested', who: 'list', what, wayOut: 'give it the class of one of them' }];
  }
  return [];
}

/** The annotations that answer wishes, by wish, without their prefixes. */
function settingsOf(service: Json, owner: LoadBalancerOwner): Record<string, string> {
  const catalogue = owner.controller && kindOf(owner.controller)?.catalogue;
  const settings: Record<string, string> = {};
  for (const [key, text] of Object.entries(annotationsOf(service))) {
    const wish = catalogue?.find(key)?.annotation.fact.wish;
    if (wish) {
      const setting = `${key.slice(key.lastIndexOf('/') + 1)} ${text}`;
      settings[wish] = settings[wish] === undefined ? setting : `${settings[wish]}, ${setting}`;
    }
  }
  const scheme = catalogue?.annotations.find(({ fact }) => fact.wish === LoadBalancerWish.SCHEME && !fact.deprecated);
  if (scheme && settings[LoadBalancerWish.SCHEME] === undefined && classOf(service) === undefined) {
    settings[LoadBalancerWish.SCHEME] =
      `${scheme.key().slice(scheme.key().lastIndexOf('/') + 1)} not written: ${scheme.fact.default}`;
  }
  return settings;
}

/** Who removes the finalizers, or why there are none. */
function finalizerReason(service: Json, { controller }: LoadBalancerOwner): string {
  const kind = controller && kindOf(controller);
  const finalizers = finalizersOf(service);
  if (!kind) {
    return finalizers.length > 0 ? 'whoever owns the balancer must remove them' : 'no owner is known';
  }
  if (finalizers.length > 0) {
    const own = finalizers.filter((finalizer) => kind.finalizers.includes(finalizer));
    return own.length === finalizers.length ? `${kind.name} removes it once the balancer is gone` : 'see below';
  }
  if (kind.untouchableFinalizers) {
    return `${kind.name} adds its own, which nobody else may write`;
  }
  return kind.finalizers.length > 0
    ? `${kind.name} adds its own when it first sees the Service`
    : `${kind.name} has none`;
}

/** What the traffic policy means. */
const POLICIES: Readonly<Record<string, string>> = {
  Cluster: 'a node that gets traffic forwards it to any pod',
  Local: 'a node that gets traffic forwards it to its own pods only, and fails the health check without one',
};

/** On which nodes traffic can arrive: the balancer's own restriction, then that of the pods. */
function nodesOf(service: Json, owner: LoadBalancerOwner, manifests: readonly Manifest[]): string {
  const said: string[] = [];
  const restriction = settingsOf(service, owner)[LoadBalancerWish.BACKEND_NODES];
  if (restriction) {
    said.push(`backend on ${restriction}`);
  }
  const kind = owner.controller && kindOf(owner.controller);
  const beside = kind?.restrictsNodes?.(
    service,
    manifests.map(({ object }) => object),
  );
  if (beside) {
    said.push(beside);
  }
  const workload = manifests.find(({ object }) => selects(service, object))?.object;
  const affinity = workload && requiredNodes(workload);
  if (workload && affinity) {
    said.push(`pods of ${workload.kind} ${workload.metadata?.name} only on ${affinity}`);
  }
  return said.join('; ') || 'any';
}

function selects(service: Json, object: Json): boolean {
  const labels = podTemplateOf(object)?.metadata?.labels;
  const selector = service.spec?.selector;
  return (
    isMap(labels) &&
    isMap(selector) &&
    Object.keys(selector).length > 0 &&
    object.metadata?.namespace === service.metadata?.namespace &&
    Object.entries(selector).every(([key, value]) => labels[key] === value)
  );
}

/** What a workload demands of its nodes: labels that must all match, and terms of which one must. */
function requiredNodes(workload: Json): string | undefined {
  const pod = podTemplateOf(workload)?.spec;
  const labels = Object.entries(isMap(pod?.nodeSelector) ? pod.nodeSelector : {}).map(
    ([key, value]) => `${key}=${value}`,
  );
  const terms = list<Json>(
    pod?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms,
  ).map((term) =>
    [...list<Json>(term?.matchExpressions), ...list<Json>(term?.matchFields)]
      .filter(isMap)
      .map(({ key, operator, values }) => `${key} ${operator} [${list(values).join(', ')}]`)
      .join(' and '),
  );
  const said = [...labels, terms.filter((term) => term !== '').join(' or ')].filter((text) => text !== '');
  return said.length > 0 ? said.join(' and ') : undefined;
}

import { isDeepStrictEqual } from 'node:util';
import { ApiObject, App, Chart } from 'cdk8s';
import {
  FinalizerPolicy,
  LoadBalancedService,
  type LoadBalancerPlan,
  LoadBalancerRequest,
  LoadBalancerScheme,
  LoadBalancerWish,
  NodeRestriction,
  PortProtocol,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../src/contract/kubernetes.facts';
import { labelKeyFault, labelValueFault } from '../../src/contract/kubernetes-syntax';
import { CANNOT_HONOUR } from '../../src/contract/request-rules.facts';
import { sentenceOf } from '../../src/contract/rule';
import { unwrapped } from '../../src/rules/controller-definition';
import { OWNERSHIP_RULES } from '../../src/rules/service-rule-set';
import { ServiceValidator } from '../../src/services/balance-service';
import { checkByRules } from './checks';
import { CONTAINER_PORTS } from './generator';
import type { Subject } from './subjects';

/** What is tried with each controller and each request; says what is wrong, or nothing. */
export type Law = (subject: Subject, request: LoadBalancerRequest) => string | undefined;

export const inChart = (): Chart => new Chart(new App(), 'laws');

function planOf({ controller }: Subject, request: LoadBalancerRequest): LoadBalancerPlan {
  return controller.bind(inChart(), request);
}

export const hasProblems = (plan: LoadBalancerPlan): boolean => (plan.problems ?? []).length > 0;

export interface Hosted {
  readonly service: LoadBalancedService;
  /** The finished Service, whatever its host says of it. */
  readonly json: Json;
  readonly errors: readonly string[];
}

/** A Service of the real host, over pods that stay on the wished nodes, and what the rules say of it. */
export function hosted({ controller }: Subject, request: LoadBalancerRequest): Hosted {
  const chart = inChart();
  const labels = { app: 'echo' };
  // a port is found by its name and its protocol, and a container has each name once
  const containers = Object.values(PortProtocol).map((protocol) => ({
    name: protocol.toLowerCase(),
    image: 'echo',
    ports: Object.entries(CONTAINER_PORTS).map(([name, containerPort]) => ({ name, containerPort, protocol })),
  }));
  const template = { metadata: { labels }, spec: { containers } };
  const spec = { selector: { matchLabels: labels }, template };
  const workload = new ApiObject(chart, 'echo', { apiVersion: 'apps/v1', kind: 'Deployment', spec });
  request.backendNodes?.pin(workload);
  const service = new LoadBalancedService(chart, 'service', { ...request, controller, workload });
  const json = ApiObject.prototype.toJson.call(service) as Json;
  const { kubernetes } = request;
  const { errors } = new ServiceValidator(controller, kubernetes, service.plan.finalizers, workload).check(json);
  return { service, json, errors: errors.map(sentenceOf) };
}

/** The keys that an answer claims to have written: `key: text, key: text`. */
const CLAIMED_KEY = /(?<=^|, )([a-z0-9.-]+\.[a-z]+\/[^\s:]+): /g;

const FIELDS = {
  loadBalancerSourceRanges: 'sourceRanges',
  'sessionAffinity ClientIP': 'sessionAffinity',
  'spec.sessionAffinity': 'sessionAffinity',
  'spec.ipFamilies': 'ipFamilies',
  'spec.loadBalancerIP': 'loadBalancerIp',
} as const;

export const LAWS: Record<string, Law> = {
  'the same request gives the same plan, whatever was asked before'(subject, request) {
    const first = planOf(subject, request);
    planOf(subject, new LoadBalancerRequest({ ports: [{ port: 1 }], scheme: LoadBalancerScheme.INTERNET_FACING }));
    return isDeepStrictEqual(planOf(subject, request), first)
      ? undefined
      : 'the second plan differs from the first; keep nothing between two calls of bind';
  },

  'a request stays as it was'(subject, request) {
    const before = JSON.stringify(request);
    planOf(subject, request);
    return JSON.stringify(request) === before
      ? undefined
      : `it is now ${JSON.stringify(request)}; copy what bind changes`;
  },

  'the owner of the plan is the controller'(subject, request) {
    const { owner } = planOf(subject, request);
    return owner === subject.controller.name ? undefined : `the owner is '${owner}', not '${subject.controller.name}'`;
  },

  'annotations and labels are texts and finalizers are names, as the API server demands'(subject, request) {
    const { annotations = {}, labels = {}, finalizers = [], loadBalancerClass } = planOf(subject, request);
    const texts = { ...annotations, ...labels };
    return (
      Object.keys(texts).find((key) => typeof texts[key] !== 'string') ??
      Object.keys(texts).map(labelKeyFault).find(Boolean) ??
      Object.values(labels).map(labelValueFault).find(Boolean) ??
      finalizers.map((name) => (name.includes('/') ? labelKeyFault(name) : `'${name}' has no domain`)).find(Boolean) ??
      (loadBalancerClass === undefined ? undefined : labelKeyFault(loadBalancerClass))
    );
  },

  'an annotation is one that the controller knows, with a value that it reads'(subject, request) {
    for (const [key, text] of Object.entries(planOf(subject, request).annotations ?? {})) {
      const found = subject.kind.catalogue.find(key);
      if (!found && !subject.adds.includes(key)) {
        return `annotation ${key} is in no catalogue; add it to annotations.ts`;
      }
      const read = found?.decode(text);
      if (read && 'fault' in read) return `annotation ${key}: ${read.fault}`;
    }
    return undefined;
  },

  'every wish is answered'(subject, request) {
    const { answers = {}, problems = [], warnings = [] } = planOf(subject, request);
    const reported = [...problems, ...warnings].map(({ wish }) => wish);
    const silent = request.wishes.filter((wish) => answers[wish] === undefined && !reported.includes(wish));
    return silent.length === 0
      ? undefined
      : `${silent.join(', ')} has neither answer nor problem nor warning; return the plan of PlanDraft.done`;
  },

  'what a plan reports is of a rule that the definition names'(subject, request) {
    const { problems = [], warnings = [] } = planOf(subject, request);
    const named = [CANNOT_HONOUR.id, ...(subject.kind.reports ?? []).map(({ id }) => id)];
    const other = [...problems, ...warnings].find(({ ruleId }) => !named.includes(ruleId));
    return other && `bind reports ${other.ruleId}, which the definition does not name; add its rule to reports`;
  },

  'nothing is answered that nobody wished'(subject, request) {
    const { answers = {} } = planOf(subject, request);
    const made = Object.keys(answers).filter((wish) => !request.wishes.includes(wish as LoadBalancerWish));
    return made.length === 0
      ? undefined
      : `${made.join(', ')} is answered and not in the request; answer it only where the request has it`;
  },

  'an answer that names an annotation tells what was written'(subject, request) {
    const { answers = {}, annotations = {} } = planOf(subject, request);
    for (const answer of Object.values(answers)) {
      for (const claim of answer.matchAll(CLAIMED_KEY)) {
        const rest = answer.slice(claim.index + claim[0].length);
        const written = annotations[claim[1]];
        if (written === undefined || (rest !== written && !rest.startsWith(`${written}, `))) {
          return `the answer is '${answer}', but ${claim[1]} is '${written}'; write it by draft.annotate`;
        }
      }
    }
    return undefined;
  },

  'an answer that names a field of the Service tells what was written'(subject, request) {
    const plan = planOf(subject, request);
    const answers = Object.values(plan.answers ?? {}).join(', ');
    const [, policy] = /\bexternalTrafficPolicy (Local|Cluster)/.exec(answers) ?? [];
    if (policy !== undefined && plan.externalTrafficPolicy !== policy) {
      return `the answers name externalTrafficPolicy ${policy}, and that of the plan is ${plan.externalTrafficPolicy}; pass it to draft.done`;
    }
    const [name, field] =
      Object.entries(FIELDS).find(([its, member]) => answers.includes(its) && plan[member] === undefined) ?? [];
    return name && `the answers name ${name}, and the plan has no ${field}; pass it to draft.done`;
  },

  'a finalizer is one that the controller removes'(subject, request) {
    const { finalizers = [], loadBalancerClass } = planOf(subject, request);
    const { kind } = subject;
    if (finalizers.length > 0 && request.finalizerPolicy === FinalizerPolicy.LEAVE_TO_CONTROLLER) {
      return `${finalizers.join(', ')} is declared, but was to be left to the controller; pass it to draft.done`;
    }
    if (finalizers.includes(LOAD_BALANCER_CLEANUP_FINALIZER) && !servesByKep980(subject, loadBalancerClass)) {
      return `${LOAD_BALANCER_CLEANUP_FINALIZER} is declared beside class '${loadBalancerClass}', where the service controller removes it; if ${kind.name} does, name the class in classes, or the finalizer in declarable`;
    }
    const foreign = finalizers.filter((finalizer) => !kind.finalizers.includes(finalizer));
    return foreign.length === 0
      ? undefined
      : `${kind.name} does not remove ${foreign.join(', ')}; add it to finalizers of the definition, or declare another`;
  },

  'its own rules and those of the API server find no error in a Service that was planned without a problem'(
    subject,
    request,
  ) {
    if (hasProblems(planOf(subject, request))) return undefined;
    const { errors } = hosted(subject, request);
    const unexpected = errors.filter((error) => !subject.wishesMayBreak.some((rule) => error.endsWith(`(${rule})`)));
    return unexpected.length === 0
      ? undefined
      : `${unexpected.join('; ')}; refuse the wish in bind, or name the rule in wishesMayBreak of the cases`;
  },

  'what was checked without an error is written'(subject, request) {
    const { service, json, errors } = hosted(subject, request);
    if (errors.length > 0 || hasProblems(service.plan)) return undefined;
    return isDeepStrictEqual(service.toJson(), json) ? undefined : `${JSON.stringify(json)} was checked`;
  },

  'the owner claims the Service as it is written'(subject, request) {
    if (hasProblems(planOf(subject, request))) return undefined;
    const { kind, controller } = subject;
    const { json } = hosted(subject, request);
    const context = { kind, controller, kubernetes: request.kubernetes };
    const { errors } = checkByRules(json, OWNERSHIP_RULES, context, controller.name);
    return errors.length === 0 ? undefined : errors.map(({ what }) => what).join('; ');
  },

  'there is a side object where the plan says so, and nowhere else'(subject, request) {
    const chart = inChart();
    const { nodeRestriction } = subject.controller.bind(chart, request);
    const objects = chart.node.findAll().filter((child) => ApiObject.isApiObject(child));
    const promised = nodeRestriction === NodeRestriction.ON_SIDE_OBJECT;
    return promised === objects.length > 0
      ? undefined
      : `there are ${objects.length} side objects, and the plan says ${nodeRestriction}; use NodeRestriction.ON_SIDE_OBJECT where there are some, and only there`;
  },

  'a balancer is internal unless somebody says otherwise'(subject, request) {
    const silent = planOf(subject, new LoadBalancerRequest({ ...request, scheme: undefined }));
    const internal = planOf(subject, request.with({ scheme: LoadBalancerScheme.INTERNAL }));
    const refused = internal.problems?.some(({ wish }) => wish === LoadBalancerWish.SCHEME);
    return refused || isDeepStrictEqual(silent.annotations, internal.annotations)
      ? undefined
      : `without a scheme ${JSON.stringify(silent.annotations)}, internal ${JSON.stringify(internal.annotations)}; write what internal writes in both`;
  },
};

/**
 * KEP-980 is for Services without a class, and for the few owners that use it with a class: one of theirs, or one that they were
 * installed with and that they declare it for.
 */
function servesByKep980({ kind, controller }: Subject, loadBalancerClass: string | undefined): boolean {
  const service = { spec: { loadBalancerClass } };
  return (
    loadBalancerClass === undefined ||
    kind.classes.includes(loadBalancerClass) ||
    kind.declarable?.(service, unwrapped(controller)).includes(LOAD_BALANCER_CLEANUP_FINALIZER) === true
  );
}

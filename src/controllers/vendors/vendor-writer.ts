import { Duration } from 'cdk8s';
import type { Construct } from 'constructs';
import type { AnyAnnotation } from '../../contract/annotation-catalogue';
import { selectorOf } from '../../contract/annotation-codecs-lists';
import type { Json } from '../../contract/json';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import {
  ClientAddress,
  type LoadBalancerPlan,
  LoadBalancerScheme,
  LoadBalancerWish,
  NodeRestriction,
  type TrafficPolicy,
} from '../../contract/options';
import { PlanDraft, textOf, wishAsText } from '../../contract/plan-draft';
import type { DescribedRule, Mistake, WordedRule } from '../../contract/rule';
import type { ControllerDefinition } from '../../rules/controller-definition';
import {
  answerByPolicy,
  answerClientByProxy,
  answerOneAddress,
  answerScheme,
  honourTrafficPolicy,
} from '../shared/answers';
import { encodeOptions } from '../shared/definition';
import { answerRollout, rollsByLocal } from '../shared/rollout';
import { ensureSideObjects, refuseWrongSideObjects, type SideObjects } from './side-objects';

// The `writing` section of vendors' descriptors: the answer to each member of a request, as data.

interface Refused {
  readonly refused: string;
  readonly remedy: string;
}

interface Annotated {
  readonly annotation: string;
  /** Values by what is wished, if that is not the value itself. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly milliseconds?: true;
  /** True if one value of several is all that can be written. */
  readonly one?: true;
  /** True if labels of nodes are written as a selector. */
  readonly selector?: true;
}

/** Nodes that a side object chooses. */
interface ChosenBySideObject {
  readonly sideObject: string;
  /** Rule of the nodes that the object leaves to other ones. */
  readonly warning: WordedRule;
}

export type VendorAnswer =
  | Refused
  | Annotated
  | ChosenBySideObject
  | { readonly field: string }
  | { readonly label: string };

/** Source of the client address for pods: nodes, by the traffic policy, or a header of the PROXY protocol. */
type ClientAnswer = { readonly byPolicy: string } | { readonly byProxy: string; readonly value?: unknown } | Refused;

export interface VendorWriting {
  readonly loadBalancerClass?: string;
  /** Annotations that are written unless an option has another value, by key. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** Without an annotation nothing on the Service decides the scheme. */
  readonly scheme: Annotated | { readonly decidedBy: string; readonly remedy: string };
  readonly clientAddress: ClientAnswer;
  readonly healthCheck: Readonly<Record<string, Annotated | Refused>>;
  /** Answers to other wishes, or answers by scheme; what has none is refused. */
  readonly answers: Readonly<Partial<Record<LoadBalancerWish, VendorAnswer | Readonly<Record<string, VendorAnswer>>>>>;
  readonly sideObjects?: SideObjects;
}

/** Nothing on the Service decides who can reach its addresses. */
export const SCHEME_DECIDED_ELSEWHERE: DescribedRule = {
  id: 'scheme-not-configurable',
  severity: 'warning',
  says: 'scheme that the cluster decides',
  source: 'docs/reference/controllers.md',
};

/** The annotations of the options of a load balancer. @throws on a value that the controller would not read */
export function annotationsOfVendor(kind: ControllerDefinition, writing: VendorWriting, options: object) {
  refuseWrongSideObjects(kind.name, writing.sideObjects, options);
  const fixed = Object.entries(writing.fixed).map(([key, value]) => [key, entryOf(kind, key).encode(value as never)]);
  return { ...Object.fromEntries(fixed), ...encodeOptions(kind.name, kind.catalogue, options) };
}

interface AskedOfVendor {
  readonly annotations: Readonly<Record<string, string>>;
  readonly options: object;
  readonly request: LoadBalancerRequest;
  readonly scope: Construct;
}

export function planOfVendor(
  kind: ControllerDefinition,
  writing: VendorWriting,
  { annotations, options, request, scope }: AskedOfVendor,
): LoadBalancerPlan {
  const draft = new PlanDraft(kind.name, request, annotations);
  const asked = { options, scope, pool: request.backendNodes };
  const labels: Record<string, string> = writing.sideObjects
    ? ensureSideObjects(draft, writing.sideObjects, asked)
    : {};
  const fields = new Set<string>();
  const on = { draft, request, kind, writing, labels, fields };
  answerSchemeOrWarn(on);
  honourTrafficPolicy(draft, request);
  const policy = answerClient(on);
  answerHealthCheck(on);
  for (const wish of request.wishes) {
    const given = writing.answers[wish as LoadBalancerWish];
    if (given !== undefined) {
      const answer = isAnswer(given) ? given : given[request.scheme ?? LoadBalancerScheme.INTERNAL];
      answerWish(wish as LoadBalancerWish, answer, on);
    }
  }
  const has = (wish: LoadBalancerWish) => fields.has(wish);
  const pool = writing.answers.backendNodes;
  return draft.done({
    finalizer: kind.finalizers[0],
    loadBalancerClass: writing.loadBalancerClass,
    labels: Object.keys(labels).length > 0 ? labels : undefined,
    rollout: answerRollout(draft, request, policy, (service) => modelOf(on, service)),
    externalTrafficPolicy: policy,
    sessionAffinity: has(LoadBalancerWish.SESSION_AFFINITY) ? request.sessionAffinity : undefined,
    sourceRanges: has(LoadBalancerWish.SOURCE_RANGES) ? request.sourceRanges : undefined,
    ipFamilies: has(LoadBalancerWish.IP_FAMILIES) ? request.ipFamilies : undefined,
    loadBalancerIp: has(LoadBalancerWish.STATIC_ADDRESSES) ? request.staticAddresses?.[0] : undefined,
    nodeRestriction: request.backendNodes && pool && isAnswer(pool) ? restrictionBy(pool) : NodeRestriction.NONE,
  });
}

function restrictionBy(answer: VendorAnswer): NodeRestriction {
  if ('refused' in answer) {
    return NodeRestriction.NONE;
  }
  return 'sideObject' in answer ? NodeRestriction.ON_SIDE_OBJECT : NodeRestriction.ON_SERVICE;
}

const isAnswer = (given: object): given is VendorAnswer =>
  'refused' in given || 'annotation' in given || 'field' in given || 'label' in given || 'sideObject' in given;

const entryOf = ({ catalogue }: ControllerDefinition, key: string) => catalogue.find(key) as AnyAnnotation;

interface Answering {
  readonly draft: PlanDraft;
  readonly request: LoadBalancerRequest;
  readonly kind: ControllerDefinition;
  readonly writing: VendorWriting;
  readonly labels: Record<string, string>;
  readonly fields: Set<string>;
}

function answerSchemeOrWarn({ draft, request, kind, writing: { scheme } }: Answering): void {
  const wish = LoadBalancerWish.SCHEME;
  if ('annotation' in scheme) {
    const wanted = request.internetFacing ? LoadBalancerScheme.INTERNET_FACING : LoadBalancerScheme.INTERNAL;
    answerScheme(draft, request, entryOf(kind, scheme.annotation), scheme.values?.[wanted] as never);
  } else if (request.scheme !== undefined) {
    draft.honour(wish, scheme.decidedBy);
    const what = `${scheme.decidedBy}, whether its addresses are ${request.scheme} or not`;
    if (!request.staticAddresses) {
      draft.warn(wish, SCHEME_DECIDED_ELSEWHERE, { what, remedy: scheme.remedy, value: request.scheme });
    }
  }
}

function answerClient({ draft, request, kind, writing }: Answering): TrafficPolicy | undefined {
  const { clientAddress, answers } = writing;
  const { clientAddress: wanted, trafficPolicy } = request;
  if ('byProxy' in clientAddress) {
    const { byProxy, value } = clientAddress;
    answerClientByProxy(draft, request, entryOf(kind, byProxy), undefined, value);
    return trafficPolicy;
  }
  if ('refused' in clientAddress) {
    if (wanted === ClientAddress.REPLACE) {
      draft.honour(LoadBalancerWish.CLIENT_ADDRESS, clientAddress.refused);
    } else if (wanted) {
      draft.refuse(LoadBalancerWish.CLIENT_ADDRESS, refusalOf(clientAddress, wanted));
    }
    return trafficPolicy;
  }
  const byPods = answers.backendNodes === undefined ? request.backendNodes : null;
  // without a health check nobody learns in time that the last pod of a node goes
  const isRolled = rollsByLocal(request) && modelOf({ draft, kind, writing })?.healthCheck !== undefined;
  return answerByPolicy(draft, request, undefined, clientAddress.byPolicy, byPods, isRolled);
}

function modelOf({ draft, kind, writing }: Pick<Answering, 'draft' | 'kind' | 'writing'>, service?: Json) {
  const spec = { ports: [], ...service?.spec, loadBalancerClass: writing.loadBalancerClass };
  return kind.makes?.({ metadata: { annotations: draft.written }, spec }, undefined);
}

function answerHealthCheck({ draft, request, kind, writing: { healthCheck: known } }: Answering): void {
  const wish = LoadBalancerWish.HEALTH_CHECK;
  for (const [member, value] of Object.entries(request.healthCheck ?? {})) {
    const answer = known[member] ?? known.others;
    if (value === undefined || answer === undefined) {
      continue;
    }
    if ('refused' in answer) {
      draft.refuse(wish, refusalOf(answer, value, `healthCheck.${member}`));
    } else {
      const number = value instanceof Duration && answer.milliseconds ? value.toMilliseconds() : value;
      draft.annotate(wish, entryOf(kind, answer.annotation), number as never);
    }
  }
}

function answerWish(wish: LoadBalancerWish, answer: VendorAnswer, on: Answering): void {
  const { draft, request, labels, fields } = on;
  const text = wishAsText(request, wish);
  const pool = request.backendNodes;
  if (wish === LoadBalancerWish.PROXY_PROTOCOL && request.proxyProtocol === false && !('annotation' in answer)) {
    draft.honour(wish, 'the balancer never speaks it');
  } else if ('refused' in answer) {
    draft.refuse(wish, refusalOf(answer, text));
  } else if ('field' in answer) {
    if (wish === LoadBalancerWish.STATIC_ADDRESSES && request.staticAddresses?.length !== 1) {
      const what = 'a balancer has one address that can be fixed';
      draft.refuse(wish, { what, remedy: 'give one address', value: text });
      return;
    }
    draft.honour(wish, answer.field);
    fields.add(wish);
  } else if ('label' in answer) {
    const value = pool?.labels[answer.label];
    if (value === undefined) {
      draft.refuse(wish, {
        what: `nodes are chosen by their label ${answer.label}, which '${text}' does not have`,
        remedy: `label the nodes, and use a pool of that label: NodePool.labeled`,
        value: text,
      });
    } else {
      labels[answer.label] = value;
      draft.honour(wish, `label ${answer.label}: ${value}`);
    }
  } else if ('sideObject' in answer) {
    draft.honour(wish, `${answer.sideObject} beside the Service`);
    draft.warn(wish, answer.warning, { value: text });
  } else {
    annotate(wish, answer, on);
  }
}

function annotate(
  wish: LoadBalancerWish,
  { annotation, values, one, selector }: Annotated,
  { draft, request, kind }: Answering,
): void {
  const entry = entryOf(kind, annotation);
  if (wish === LoadBalancerWish.BACKEND_NODES) {
    const labels = request.backendNodes?.labels ?? {};
    draft.annotate(wish, entry, (selector ? selectorOf(labels) : labels) as never);
  } else if (one) {
    answerOneAddress(draft, request, entry as never);
  } else {
    const wanted = request[wish as 'staticAddresses' | 'proxyProtocol'];
    const value = values ? values[String(wanted)] : wanted;
    if (value === undefined) {
      draft.honour(wish, `no ${annotation}`);
    } else {
      draft.annotate(wish, entry, value as never);
    }
  }
}

const refusalOf = ({ refused, remedy }: Refused, wanted: unknown, field?: string): Mistake => ({
  what: `${field ? `${field}: ` : ''}${refused}, with value ${textOf(wanted)}`,
  remedy,
  value: textOf(wanted),
});

import { createHash } from 'node:crypto';
import { ApiObject, Chart, Names } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { Json } from '../../contract/json';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { ClientAddress, LoadBalancerWish, TrafficPolicy } from '../../contract/options';
import { type PlanDraft, wishAsText } from '../../contract/plan-draft';
import type { DescribedRule } from '../../contract/rule';
import { honourTrafficPolicy, refuseProxyProtocol } from '../shared/answers';
import { METALLB, METALLB_SOURCE } from './annotations';
import { METALLB_API_VERSION, type MetalLbMode, type MetalLbSpelling } from './facts';

/** MetalLB has no annotation for the scheme. */
export const METALLB_POOL_DECIDES_SCHEME: DescribedRule = {
  id: 'metallb-pool-decides-scheme',
  severity: 'warning',
  says: 'scheme without an address pool',
  source: { ...METALLB_SOURCE, file: 'website/content/usage/_index.md' },
};

/** Advertisements add nodes to each other. */
export const METALLB_OTHER_ADVERTISEMENTS: DescribedRule = {
  id: 'metallb-other-advertisements',
  severity: 'warning',
  says: 'another advertisement announces the pool from other nodes',
  source: { ...METALLB_SOURCE, file: 'website/content/configuration/_advanced_l2_configuration.md' },
};

/** What kube-proxy and the address pools do by themselves. */
export function honourFields(draft: PlanDraft, request: LoadBalancerRequest): void {
  if (request.wishes.includes(LoadBalancerWish.PROTOCOLS)) {
    draft.honour(LoadBalancerWish.PROTOCOLS, 'kube-proxy serves every protocol');
  }
  if (request.sessionAffinity) {
    draft.honour(LoadBalancerWish.SESSION_AFFINITY, 'sessionAffinity ClientIP of kube-proxy');
  }
  if (request.sourceRanges) {
    draft.honour(LoadBalancerWish.SOURCE_RANGES, 'loadBalancerSourceRanges of kube-proxy');
  }
  if (request.ipFamilies) {
    draft.honour(LoadBalancerWish.IP_FAMILIES, 'addresses of the families of the Service');
  }
}

/** The pool decides the scheme; where the options name none, any pool may serve. */
export function answerScheme(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  mode: MetalLbMode,
  spelling: MetalLbSpelling,
): void {
  if (request.scheme === undefined) {
    return;
  }
  draft.honour(LoadBalancerWish.SCHEME, 'the address pool decides');
  if (!draft.has(METALLB.addressPool[spelling]) && !draft.has(METALLB.loadBalancerIps[spelling])) {
    draft.warn(LoadBalancerWish.SCHEME, METALLB_POOL_DECIDES_SCHEME, {
      what: `any address pool may serve this Service, whether its addresses are ${request.scheme} or not`,
      remedy: `name a pool of such addresses: MetalLb.${mode}({ addressPool })`,
      value: request.scheme,
    });
  }
}

/** What only a proxy in between could do. */
export function refuseProxyWords(draft: PlanDraft, request: LoadBalancerRequest): void {
  refuseProxyProtocol(
    draft,
    request,
    'there is no proxy between client and node that could send the header',
    'use clientAddress PRESERVE instead',
  );
  if (request.healthCheck) {
    draft.refuse(LoadBalancerWish.HEALTH_CHECK, {
      what: `nodes are not health-checked, with value ${wishAsText(request, LoadBalancerWish.HEALTH_CHECK)}`,
      remedy: 'leave it out; the readiness of the pods decides who gets traffic',
      value: wishAsText(request, LoadBalancerWish.HEALTH_CHECK),
    });
  }
}

/** The client's address survives with policy Local and only with it. */
export function answerTrafficPolicy(draft: PlanDraft, request: LoadBalancerRequest): TrafficPolicy | undefined {
  const { clientAddress, trafficPolicy } = request;
  const implied =
    clientAddress &&
    { [ClientAddress.PRESERVE]: TrafficPolicy.LOCAL, [ClientAddress.REPLACE]: TrafficPolicy.CLUSTER }[clientAddress];
  honourTrafficPolicy(draft, request);
  if (implied && trafficPolicy && implied !== trafficPolicy) {
    draft.refuse(LoadBalancerWish.CLIENT_ADDRESS, {
      what: `traffic policy ${trafficPolicy} cannot ${clientAddress} the client address`,
      remedy: `use traffic policy ${implied}, or leave one of the two out`,
      value: clientAddress,
    });
  } else if (implied) {
    draft.honour(LoadBalancerWish.CLIENT_ADDRESS, `externalTrafficPolicy ${implied}`);
  }
  return trafficPolicy ?? implied;
}

/** A name that is unique in MetalLB's namespace, and the same whenever the Service is the same. */
export function advertisementName(scope: Construct): string {
  const { namespace } = Chart.of(scope);
  const hash = createHash('sha256')
    .update(JSON.stringify([namespace ?? '', scope.node.path]))
    .digest('hex')
    .slice(0, 8);
  return `${Names.toDnsLabel(scope, { includeHash: false, maxLen: 54 })}-${hash}`;
}

const asked = new WeakMap<IConstruct, string>();

/** One advertisement a host, however often it binds; constructs refuses a second one with another manifest. */
export function ensureAdvertisement(scope: Construct, kind: string, name: string, namespace: string, spec: Json): void {
  const present = scope.node.tryFindChild(kind);
  const wanted = { apiVersion: METALLB_API_VERSION, kind, metadata: { name, namespace }, spec };
  if (!present || asked.get(present) !== JSON.stringify(wanted)) {
    asked.set(new ApiObject(scope, kind, wanted), JSON.stringify(wanted));
  }
}

import { createHash } from 'node:crypto';
import { ApiObject, type ApiObjectProps, Chart, type Duration, JsonPatch, Names } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { Annotation } from '../../contract/annotation-catalogue';
import type { Json } from '../../contract/json';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import type { NodePool } from '../../contract/node-pool';
import {
  ClientAddress,
  type HealthCheck,
  type HealthCheckProtocol,
  IpFamily,
  LoadBalancerWish,
  TrafficPolicy,
} from '../../contract/options';
import type { PlanDraft } from '../../contract/plan-draft';
import { POD_MUST_SPEAK_PROXY_PROTOCOL, SHARED_REFUSALS } from './refusals.facts';
import { rollsByLocal } from './rollout';

// Answers that several controllers give. Each answers one wish, and does nothing where the request does not have it.

/** Writes the scheme; without a wish that of the options stays, or else the default of the request. */
export function answerScheme<T>(draft: PlanDraft, request: LoadBalancerRequest, entry: Annotation<T>, value: T): void {
  const wish = request.scheme === undefined ? undefined : LoadBalancerWish.SCHEME;
  if (wish || !draft.has(entry)) {
    draft.annotate(wish, entry, value);
  }
}

export function honourTrafficPolicy(draft: PlanDraft, { trafficPolicy }: LoadBalancerRequest): void {
  draft.honourIf({ trafficPolicy: `externalTrafficPolicy ${trafficPolicy}` });
}

/** Refuses families without IPv4, and IPv6 on an internal balancer; false if it refuses, or there is no wish. */
export function takesIpFamilies(draft: PlanDraft, { ipFamilies }: LoadBalancerRequest, isPublic: boolean): boolean {
  const value = ipFamilies?.join(', ');
  const isIpv6Alone = ipFamilies?.includes(IpFamily.IPV4) === false;
  const isInternalIpv6 = ipFamilies?.includes(IpFamily.IPV6) === true && !isPublic;
  if (isIpv6Alone || isInternalIpv6) {
    draft.refuseBy(isIpv6Alone ? SHARED_REFUSALS.ipv6Alone : SHARED_REFUSALS.internalIpv6, { value });
    return false;
  }
  return ipFamilies !== undefined;
}

export function answerOneAddress(
  draft: PlanDraft,
  { staticAddresses }: LoadBalancerRequest,
  entry: Annotation<string>,
): void {
  if (staticAddresses?.length === 1) {
    draft.annotate(LoadBalancerWish.STATIC_ADDRESSES, entry, staticAddresses[0]);
  } else if (staticAddresses) {
    draft.refuseBy(SHARED_REFUSALS.severalAddresses, { value: staticAddresses.join(', ') });
  }
}

export function refuseProxyProtocol(
  draft: PlanDraft,
  { proxyProtocol }: LoadBalancerRequest,
  refusal: { readonly wish: string; readonly what: string; readonly remedy: string },
): void {
  if (proxyProtocol === false) {
    draft.honour(LoadBalancerWish.PROXY_PROTOCOL, 'the balancer never speaks it');
  } else if (proxyProtocol) {
    draft.refuseBy(refusal, { value: 'true' });
  }
}

/**
 * Backend nodes and the client address where the traffic policy alone decides both: with Local, traffic goes to nodes that run a
 * pod, and the pod sees the client.
 */
export function answerByPolicy(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  fallback: TrafficPolicy | undefined,
  everyNode: string,
  backendNodes: NodePool | null | undefined = request.backendNodes,
  isRolledByLocal = rollsByLocal(request),
): TrafficPolicy | undefined {
  const { clientAddress, trafficPolicy } = request;
  const preserves = clientAddress === ClientAddress.PRESERVE;
  const needsLocal = Boolean(backendNodes) || preserves || isRolledByLocal;
  const replaces = clientAddress === ClientAddress.REPLACE ? TrafficPolicy.CLUSTER : fallback;
  const policy = trafficPolicy ?? (needsLocal ? TrafficPolicy.LOCAL : replaces);
  if (backendNodes && policy === TrafficPolicy.CLUSTER) {
    draft.refuseBy(SHARED_REFUSALS.nodesByCluster, { value: backendNodes.name, everyNode });
  } else if (backendNodes) {
    draft.honour(LoadBalancerWish.BACKEND_NODES, 'nodes that run a pod, by externalTrafficPolicy Local');
  }
  if (preserves && policy === TrafficPolicy.CLUSTER) {
    draft.refuseBy(SHARED_REFUSALS.addressByCluster, { value: policy });
  } else if (clientAddress === ClientAddress.REPLACE && policy === TrafficPolicy.LOCAL) {
    const why = backendNodes ? ', which backendNodes needs,' : '';
    draft.refuseBy(SHARED_REFUSALS.addressByLocal, { value: policy, why });
  } else if (clientAddress) {
    draft.honour(LoadBalancerWish.CLIENT_ADDRESS, `externalTrafficPolicy ${policy}`);
  }
  return policy;
}

/**
 * The client address behind a proxy, which replaces it unless it sends it in a header of the PROXY protocol. Its controller names
 * `POD_MUST_SPEAK_PROXY_PROTOCOL` among its reports.
 */
export function answerClientByProxy<T = boolean>(
  draft: PlanDraft,
  { clientAddress, proxyProtocol }: LoadBalancerRequest,
  entry: Annotation<T>,
  instead = 'leave clientAddress out',
  on: unknown = true,
): void {
  const wish = LoadBalancerWish.CLIENT_ADDRESS;
  if (clientAddress === ClientAddress.REPLACE) {
    draft.honour(wish, 'the pod sees the balancer');
  } else if (clientAddress && proxyProtocol === false) {
    draft.refuseBy(SHARED_REFUSALS.addressWithoutHeader, { value: 'proxyProtocol: false', instead });
  } else if (clientAddress) {
    draft.annotate(wish, entry, on as T);
    draft.warn(wish, POD_MUST_SPEAK_PROXY_PROTOCOL, { instead });
  }
}

export interface HealthCheckAnnotations {
  readonly healthCheckProtocol: Annotation<HealthCheckProtocol>;
  readonly healthCheckPort: Annotation<string>;
  readonly healthCheckPath: Annotation<string>;
  readonly healthCheckInterval: Annotation<Duration>;
  readonly healthCheckTimeout: Annotation<Duration>;
  readonly healthCheckHealthyThreshold: Annotation<number>;
  readonly healthCheckUnhealthyThreshold: Annotation<number>;
}

export function annotateHealthCheck(draft: PlanDraft, entries: HealthCheckAnnotations, check: HealthCheck): void {
  const { port, ...others } = check;
  draft.annotateEach<Omit<HealthCheck, 'port'> & { readonly port?: string }>(
    LoadBalancerWish.HEALTH_CHECK,
    { ...others, port: port === undefined ? undefined : String(port) },
    {
      protocol: entries.healthCheckProtocol,
      port: entries.healthCheckPort,
      path: entries.healthCheckPath,
      interval: entries.healthCheckInterval,
      timeout: entries.healthCheckTimeout,
      healthyThreshold: entries.healthCheckHealthyThreshold,
      unhealthyThreshold: entries.healthCheckUnhealthyThreshold,
    },
  );
}

// Objects beside a Service, by which a controller serves it from chosen nodes.

/** A name that is unique in the cluster, and the same whenever the Service is the same. */
export function sideObjectName(scope: Construct): string {
  const { namespace } = Chart.of(scope);
  const hash = shortHash([namespace ?? '', scope.node.path]);
  return `${Names.toDnsLabel(scope, { includeHash: false, maxLen: 54 })}-${hash}`;
}

export const shortHash = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);

const asked = new WeakMap<IConstruct, string>();

/**
 * One object of a kind for each host, however often it binds; constructs refuses a second one with another manifest. Without a
 * namespace it is an object of the cluster, and gets none of its chart.
 */
export function ensureSideObject(
  scope: Construct,
  wanted: ApiObjectProps & { readonly spec: Json },
  id = wanted.kind,
): ApiObject | undefined {
  const present = scope.node.tryFindChild(id);
  if (present && !isOther(present, wanted)) {
    return undefined;
  }
  const object = new ApiObject(scope, id, wanted);
  if (wanted.metadata?.namespace === undefined && object.metadata.namespace !== undefined) {
    object.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
  }
  asked.set(object, JSON.stringify(wanted));
  return object;
}

/** True if a side object is there with another manifest. */
export function isOther(present: IConstruct | undefined, wanted: object): boolean {
  return present !== undefined && asked.get(present) !== JSON.stringify(wanted);
}

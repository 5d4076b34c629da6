import { Duration } from 'cdk8s';
import type { Json } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { BalancerTarget, type LoadBalancerModel } from '../../contract/load-balancer-model';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { ClientAddress, LoadBalancerWish, NodeRemoval, type RolloutPlan, TrafficPolicy } from '../../contract/options';
import type { PlanDraft } from '../../contract/plan-draft';
import { sendingOf } from '../../rules/rollout';
import { DEFAULT_DRAIN_SECONDS, SERVES_IN_TERMINATION } from '../../rules/rollout.facts';
import { SHARED_REFUSALS as REFUSALS, ROLLOUT_HELD_CUT } from './refusals.facts';

// Answers of controllers to a rollout without refused connections, from their model of the Service.

/**
 * True if a rollout brings policy Local, where nodes are the targets: a node is asked for its pods then, so that it is left before it
 * goes. Not where pods are to see another address than the client's.
 */
export function rollsByLocal({ rollout, clientAddress }: LoadBalancerRequest): boolean {
  return rollout !== undefined && clientAddress !== ClientAddress.REPLACE;
}

export function answerRollout(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  policy: TrafficPolicy | undefined,
  makes: (service: Json) => LoadBalancerModel | undefined,
): RolloutPlan | undefined {
  const { rollout } = request;
  if (!rollout) {
    return undefined;
  }
  const service = plannedService(draft, request, policy);
  const made = makes(service);
  if (made === undefined) {
    draft.refuseBy(REFUSALS.notKnown);
    return undefined;
  }
  const toNodes = made.target !== BalancerTarget.POD;
  const local = policy === TrafficPolicy.LOCAL;
  const port = rollout.healthCheckNodePort;
  if (port !== undefined && !(toNodes && local)) {
    const found = { value: String(port), policy: policy ?? TrafficPolicy.CLUSTER };
    draft.refuseBy(toNodes ? REFUSALS.portOfCluster : REFUSALS.portOfPods, found);
    return undefined;
  }
  if (toNodes && local && !request.kubernetes.isAtLeast(KubernetesVersion.of(SERVES_IN_TERMINATION))) {
    draft.refuseBy(REFUSALS.dropsInTermination, { value: request.kubernetes.version, since: SERVES_IN_TERMINATION });
    return undefined;
  }
  if (toNodes && !local && !areNodesKept(rollout.nodeRemoval)) {
    const refusal = made.healthCheck === undefined ? REFUSALS.nodesNotAsked : REFUSALS.nodesNotKept;
    draft.refuseBy(refusal, { value: rollout.nodeRemoval ?? 'not said' });
    return undefined;
  }
  const sending = sendingOf(made, service);
  const measured = rollout.balancerTime?.toSeconds();
  if ('what' in sending && (toNodes || measured === undefined)) {
    draft.refuse(LoadBalancerWish.ROLLOUT, sending);
    return undefined;
  }
  if (toNodes && local && made.notices?.endsHeld !== undefined) {
    draft.warn(LoadBalancerWish.ROLLOUT, ROLLOUT_HELD_CUT, { remedy: made.notices.endsHeld });
  }
  const known = 'what' in sending ? { stops: 0, starts: 0, terms: '' } : sending;
  const stops = measured ?? known.stops;
  draft.honour(
    LoadBalancerWish.ROLLOUT,
    `pods serve on for ${stops} s (${measured === undefined ? known.terms : 'as it was measured'})`,
  );
  return {
    stopsSendingAfter: Duration.seconds(stops),
    ...(known.starts > 0 ? { startsSendingAfter: Duration.seconds(known.starts) } : {}),
    ...(made.notices?.gates ? { namespaceLabels: { ...made.notices.gates } } : {}),
    ...(port === undefined ? {} : { healthCheckNodePort: port }),
  };
}

function areNodesKept(removal: NodeRemoval | undefined): boolean {
  return removal === NodeRemoval.NONE || removal === NodeRemoval.WAITS_FOR_BALANCER;
}

function plannedService(draft: PlanDraft, request: LoadBalancerRequest, policy: TrafficPolicy | undefined): Json {
  const ports = request.ports.map(({ port, protocol, targetPort, targetPortName, nodePort, name }) => ({
    name,
    port,
    protocol,
    nodePort,
    targetPort: targetPort ?? targetPortName,
  }));
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { annotations: draft.written },
    spec: {
      type: 'LoadBalancer',
      ports,
      externalTrafficPolicy: policy,
      healthCheckNodePort: request.rollout?.healthCheckNodePort,
      ipFamilies: request.ipFamilies,
    },
  };
}

/** Seconds that pods live from the moment in which they are told to go: as long as connections come, and until they are finished. */
export function lifeAfter(request: LoadBalancerRequest, stops: number): number {
  return stops + (request.rollout?.drainTime?.toSeconds() ?? DEFAULT_DRAIN_SECONDS);
}

import { Duration } from 'cdk8s';
import type { Construct } from 'constructs';
import { type BoundPlan, bindTo } from '../../../contract/bound-plan';
import { BalancerTarget, ClientAddressMeans } from '../../../contract/load-balancer-model';
import type { ILoadBalancerController, LoadBalancerRequest } from '../../../contract/load-balancer-request';
import type { NodePool } from '../../../contract/node-pool';
import {
  type LoadBalancerFinding,
  type LoadBalancerPlan,
  type LoadBalancerWishes,
  type Rollout,
  TrafficPolicy,
} from '../../../contract/options';
import { balancerModelOf } from '../../../rules/controller-definition';
import { renderedAnnotations, renderedPorts, specOf } from '../../../services/service-spec';
import { type Fault, faultsIn, findingsOfFaults } from '../../fault';
import type { SharedProxyOptions } from './options';
import { balancerDrainFaults, type Drain, type FrontBalancer, PROXIES } from './pods';

interface Front {
  readonly request: LoadBalancerRequest;
  /** The process that answered: the controller, or a draining one. */
  readonly controller: ILoadBalancerController;
  readonly bound: BoundPlan;
  readonly balancer: FrontBalancer;
}

interface FrontFindings {
  readonly errors: LoadBalancerFinding[];
  readonly warnings: LoadBalancerFinding[];
}

/**
 * Asks a controller for the balancer in front of proxies. Their nodes become its backends where it can choose nodes and nothing
 * else was wished for, and it drains as they do where it can.
 *
 * @param drainOf how a proxy goes behind a balancer
 */
export function frontBalancer(
  controller: ILoadBalancerController,
  scope: Construct,
  wished: LoadBalancerRequest,
  nodePool: NodePool | undefined,
  drainOf: (balancer: FrontBalancer) => Drain,
): Front {
  const plain = ask(controller, scope, wished);
  const onNodes =
    nodePool && !wished.backendNodes ? ask(controller, scope, wished.with({ backendNodes: nodePool })) : plain;
  const front = better(plain, onNodes);
  const { made, policy } = front.balancer;
  // a node without a ready proxy fails its check, and holds connections that the proxy drains
  if (!front.bound.answered || made?.target === BalancerTarget.POD || policy !== TrafficPolicy.LOCAL) {
    return front;
  }
  const { least, whole } = drainOf(front.balancer);
  const rollout = {
    balancerTime: Duration.seconds(least),
    drainTime: Duration.seconds(Math.max(whole - least, 0)),
  };
  const draining = ask(new DrainingController(controller, rollout), scope, front.request);
  return draining.balancer.policy === policy ? better(front, draining) : front;
}

function ask(controller: ILoadBalancerController, scope: Construct, request: LoadBalancerRequest): Front {
  const bound = bindTo(controller, scope, request);
  const { plan } = bound;
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { annotations: renderedAnnotations(plan, request), labels: plan.labels },
    spec: { ...specOf(plan, request), ports: renderedPorts(request.ports) },
  };
  const made = bound.answered ? balancerModelOf(service, controller) : undefined;
  const balancer = { name: controller?.name, made, policy: plan.externalTrafficPolicy };
  return { request, controller, bound, balancer };
}

function better(first: Front, second: Front): Front {
  return saidAgainst(second.bound) > saidAgainst(first.bound) ? first : second;
}

function saidAgainst({ plan, problems }: BoundPlan): number {
  return problems.length + (plan.problems ?? []).length + (plan.warnings ?? []).length;
}

export function proxyFindings(
  options: SharedProxyOptions,
  drain: Drain,
  front: Front,
  who: string,
  readsHeader: boolean,
): FrontFindings {
  const { made, name } = front.balancer;
  const { backendNodes } = front.request;
  const { nodePool } = options;
  const isLocal = front.bound.plan.externalTrafficPolicy === TrafficPolicy.LOCAL;
  const isElsewhere = isLocal && nodePool && backendNodes && !backendNodes.sameAs(nodePool);
  // a header before the first byte, which proxies that do not expect it pass on to the pods of tenants
  const isUnread = !readsHeader && made?.clientAddress === ClientAddressMeans.PROXY_PROTOCOL;
  const faults = [
    ...balancerDrainFaults(options, drain, front.balancer),
    ...faultsIn(PROXIES, {
      'proxies-outside-backend-nodes': isElsewhere && {
        name: nodePool.name,
        name2: backendNodes.name,
        value: backendNodes.name,
      },
      'proxies-proxy-protocol-unsupported': isUnread && { name: made.name ?? name },
    }),
  ];
  const errors = faults.filter(({ rule }) => rule.severity === 'error');
  const warnings = faults.filter(({ rule }) => rule.severity === 'warning');
  return { errors: findingsOfFaults(errors, who), warnings: findingsOfFaults(warnings, who) };
}

export function wishFaults({ rollout }: LoadBalancerWishes): Fault[] {
  return faultsIn(PROXIES, { 'proxies-rollout-unsupported': rollout !== undefined });
}

/**
 * A controller that is asked for a rollout beside everything else: its balancer leaves connections alone that a proxy still drains.
 * The pods are not those of the app, so the plan says nothing of them.
 */
class DrainingController implements ILoadBalancerController {
  public readonly name: string;
  /** @internal */
  public readonly _inner: ILoadBalancerController;

  public constructor(
    controller: ILoadBalancerController,
    private readonly rollout: Rollout,
  ) {
    this.name = controller.name;
    this._inner = controller;
  }

  public bind(scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan {
    return { ...this._inner.bind(scope, request.with({ rollout: this.rollout })), rollout: undefined };
  }
}

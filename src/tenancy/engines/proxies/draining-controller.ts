import type { Construct } from 'constructs';
import type { ILoadBalancerController } from '../../../contract/load-balancer-controller';
import type { LoadBalancerPlan } from '../../../contract/load-balancer-plan';
import type { LoadBalancerRequest } from '../../../contract/load-balancer-request';
import type { Rollout } from '../../../contract/rollout';

/**
 * A controller that is asked for a rollout beside everything else: its balancer leaves connections alone that a proxy still drains.
 * The pods are not those of the app, so the plan says nothing of them.
 */
export class DrainingController implements ILoadBalancerController {
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

import type { ILoadBalancerController } from '../contract/load-balancer-controller';

/** A controller around another one; what the inner one knows stays its own. */
interface Wrapper {
  readonly _inner?: ILoadBalancerController;
}

/** The innermost controller, for rules and claims that look at its options. */
export function unwrapped(controller: ILoadBalancerController | undefined): ILoadBalancerController | undefined {
  const inner = (controller as Wrapper | undefined)?._inner;
  return inner ? unwrapped(inner) : controller;
}

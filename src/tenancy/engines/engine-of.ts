import type { IConstruct } from 'constructs';
import type { SharedEngine } from './shared-engine';

const ENGINES = new WeakMap<object, SharedEngine>();

/** Keeps the engine behind a public object. */
export function rememberEngine(of: object, engine: SharedEngine): void {
  ENGINES.set(of, engine);
}

/** The engine behind a public object. */
export function engineOf(of: object, host: IConstruct): SharedEngine {
  const found = typeof of === 'object' && of !== null ? ENGINES.get(of) : undefined;
  if (!found) {
    throw new Error(
      `${host.node.path}: the engine is none; pass one that SharedLoadBalancerEngine makes, such as SharedLoadBalancerEngine.envoyGateway() (engine-unknown)`,
    );
  }
  return found;
}

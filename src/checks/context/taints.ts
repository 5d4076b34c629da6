import { NodeTaint, TaintEffect } from '../../contract/node-taint';
import { TAINT_SYNTAX } from './context-fields.facts';

const TAINTS: Readonly<Record<string, (key: string, value?: string) => NodeTaint>> = {
  [TaintEffect.NO_SCHEDULE]: NodeTaint.noSchedule,
  [TaintEffect.PREFER_NO_SCHEDULE]: NodeTaint.preferNoSchedule,
  [TaintEffect.NO_EXECUTE]: NodeTaint.noExecute,
};

/**
 * A taint by its parts.
 *
 * @throws where Kubernetes would refuse it
 */
export function taintBy(effect: unknown, key: unknown, value?: unknown): NodeTaint {
  if (typeof effect !== 'string' || !Object.hasOwn(TAINTS, effect)) {
    throw new Error(`node taint: the effect is not one of Kubernetes; write ${Object.keys(TAINTS).join(' or ')}`);
  }
  return TAINTS[effect](String(key), typeof value === 'string' ? value : undefined);
}

/**
 * A taint as kubectl writes it.
 *
 * @throws where Kubernetes would refuse it
 */
export function taintOf(text: string): NodeTaint {
  const [, key, value, effect] = TAINT_SYNTAX.exec(text) ?? [];
  return taintBy(effect, key, value);
}

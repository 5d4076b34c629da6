import { refuseWrongProps, refuseWrongValue } from '../contract/declared-types';
import { NodePool, NodeTaint } from '../contract/node-pool';
import { type NodePoolOptions, TaintEffect } from '../contract/options';
import { type NODE_POOL_LABELS, NODE_TAINTS } from './node-pools.facts';
import type { AksNodePoolOptions, NamedNodePoolOptions } from './node-pools.options';

type NodePoolLabel = (typeof NODE_POOL_LABELS)[keyof typeof NODE_POOL_LABELS];

/** Values that callers without types may pass. */
function refuseUntyped({ platform }: NodePoolLabel, struct: string, name: string, options: unknown): void {
  refuseWrongValue(`node pool: ${platform}`, 'the name', 'string', name);
  refuseWrongProps(`node pool: ${platform}`, struct, options);
}

export function poolByName(fact: NodePoolLabel, name: string, options: NamedNodePoolOptions): NodePool {
  refuseUntyped(fact, 'NamedNodePoolOptions', name, options);
  const { taints, zones } = options;
  return NodePool.labeled({ [fact.label]: name }, { name, taints, zones });
}

export function poolById(fact: NodePoolLabel, id: string, options: NodePoolOptions, syntax?: RegExp): NodePool {
  refuseUntyped(fact, 'NodePoolOptions', id, options);
  if (syntax && !syntax.test(id)) {
    throw new Error(`node pool: '${id}' is not an id of ${fact.platform}; pass its ${fact.value}`);
  }
  return NodePool.labeled(
    { [fact.label]: id },
    { name: options.name ?? id, taints: options.taints, zones: options.zones },
  );
}

export function aksPool(fact: NodePoolLabel, name: string, options: AksNodePoolOptions): NodePool {
  refuseUntyped(fact, 'AksNodePoolOptions', name, options);
  const longest = options.windows ? 6 : 12;
  if (!/^[a-z][a-z0-9]*$/.test(name) || name.length > longest) {
    throw new Error(
      `node pool: AKS refuses the name '${name}'; use at most ${longest} lower-case letters and digits, first a letter`,
    );
  }
  const taints = [...(options.taints ?? [])];
  const spot = noSchedule(NODE_TAINTS.aksSpot);
  if (options.spot && !taints.some((taint) => String(taint) === String(spot))) {
    taints.push(spot);
  }
  const hard = taints.find(
    (taint) =>
      taint.effect !== TaintEffect.PREFER_NO_SCHEDULE &&
      String(taint) !== String(noSchedule(NODE_TAINTS.aksSystemPool)),
  );
  if (options.system && hard) {
    throw new Error(
      `node pool: AKS refuses the taint ${hard} on system pool '${name}'; use ${noSchedule(NODE_TAINTS.aksSystemPool)}, a taint that only prefers, or a user pool`,
    );
  }
  return poolByName(fact, name, { taints, zones: options.zones });
}

export function noSchedule({ key, value }: (typeof NODE_TAINTS)[keyof typeof NODE_TAINTS]): NodeTaint {
  return NodeTaint.noSchedule(key, value);
}

import { nearest } from '../contract/edit-distance';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { pointedAt } from '../contract/schema/walk';
import { CORE_PROTOCOLS } from '../gateway/gateway.facts';
import { GATEWAY_RULE_SET } from '../gateway/gateway-rules';
import { Judgement } from '../rules/judgement';
import type { IndexedObject } from '../rules/objects';

/** What the API server takes for a protocol without a domain. */
const BARE = /^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$/;

const PROTOCOL = 'gateway-listener-protocol';

/**
 * Validates a Gateway of files. The API server takes any name of a protocol, and some controllers add names without a domain:
 * such a name is wrong for sure only where it is a slip of the hand.
 */
export function judgeGateway(gateway: IndexedObject): Judgement {
  const { errors, warnings, unknown } = GATEWAY_RULE_SET.judge(gateway.json, { among: gateway });
  const isOther = ({ ruleId, at }: LoadBalancerFinding) => {
    const protocol = at === undefined ? undefined : pointedAt(gateway.json, at);
    return ruleId === PROTOCOL && typeof protocol === 'string' && BARE.test(protocol) && !isSlip(protocol);
  };
  const wrong = errors.filter((finding) => !isOther(finding));
  return new Judgement(wrong, [...warnings, ...errors.filter(isOther)], unknown);
}

function isSlip(protocol: string): boolean {
  const capitals = protocol.toUpperCase();
  return CORE_PROTOCOLS.includes(capitals) || nearest(capitals, CORE_PROTOCOLS) !== undefined;
}

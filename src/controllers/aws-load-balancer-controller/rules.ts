import type { Rule } from '../../rules/rule';
import { AWS_LBC } from './annotations';
import type { Annotations } from './reading';
import {
  ADDRESSES_AND_SCHEME,
  AWS_ADDRESSES_CONTRADICTIONS,
  AWS_ADDRESSES_RULES,
  IPV6_WITHOUT_DUALSTACK,
} from './rules.addresses';
import { AWS_ATTRIBUTE_RULES } from './rules.attributes';
import {
  AWS_BALANCER_CONTRADICTIONS,
  AWS_BALANCER_RULES,
  AWS_SECURITY_CONTRADICTIONS,
  AWS_SECURITY_RULES,
} from './rules.balancer';
import { AWS_FORWARD_ACTION_RULES, AWS_LISTENER_CONTRADICTIONS, AWS_LISTENER_RULES } from './rules.listeners';
import { AWS_HEALTH_CHECK_RULES, AWS_TARGET_GROUP_CONTRADICTIONS, AWS_TARGET_GROUP_RULES } from './rules.targets';

const CONTRADICTIONS: readonly Rule[] = [
  ...AWS_TARGET_GROUP_CONTRADICTIONS,
  ...AWS_LISTENER_CONTRADICTIONS,
  ...AWS_SECURITY_CONTRADICTIONS,
  ...AWS_ADDRESSES_CONTRADICTIONS,
  ...AWS_BALANCER_CONTRADICTIONS,
];

/** What can never be right among the annotations of options, whatever a request adds to them. */
export function contradictionsIn(annotations: Annotations): readonly Rule[] {
  return [
    ...CONTRADICTIONS,
    ...(AWS_LBC.scheme.key() in annotations || AWS_LBC.internal.key() in annotations ? [ADDRESSES_AND_SCHEME] : []),
    ...(AWS_LBC.ipAddressType.key() in annotations ? [IPV6_WITHOUT_DUALSTACK] : []),
  ];
}

/** The rules of this controller for finished Services. */
export const AWS_LBC_RULES: readonly Rule[] = [
  ...AWS_BALANCER_RULES,
  ...AWS_ATTRIBUTE_RULES,
  ...AWS_ADDRESSES_RULES,
  ...AWS_LISTENER_RULES,
  ...AWS_FORWARD_ACTION_RULES,
  ...AWS_TARGET_GROUP_RULES,
  ...AWS_HEALTH_CHECK_RULES,
  ...AWS_SECURITY_RULES,
];

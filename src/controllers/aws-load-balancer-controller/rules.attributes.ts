import { editDistance } from '../../contract/edit-distance';
import type { Finding } from '../../contract/finding';
import type { Rule } from '../../rules/rule';
import { annotationsOf, portsOf } from '../../rules/service-json';
import { AWS_LBC } from './annotations';
import { NLB_ATTRIBUTES, TARGET_GROUP_KEYS } from './codecs';
import { AWS_ATTRIBUTES } from './facts';
import type { Annotations } from './reading';

/** Attributes of balancers that AWS knows and that have no member. AWS's reference of LoadBalancerAttribute */
const OTHER_NLB_ATTRIBUTES: readonly string[] = [
  'ipv6.deny_all_igw_traffic',
  'secondary_ips.auto_assigned.per_subnet',
  'zonal_shift.config.enabled',
];

const LOAD_BALANCER_ATTRIBUTES = { ...AWS_ATTRIBUTES, file: 'APIReference/API_LoadBalancerAttribute.html' };

const KNOWN_ATTRIBUTES: readonly string[] = [...NLB_ATTRIBUTES, ...OTHER_NLB_ATTRIBUTES];

function unknownAttributes(annotations: Annotations): string[] {
  const others = Object.keys(AWS_LBC.loadBalancerAttributes.on(annotations)?.additional ?? {});
  return others.filter((key) => !OTHER_NLB_ATTRIBUTES.includes(key));
}

/** Attributes of target groups that AWS knows for a Network Load Balancer. AWS's reference of TargetGroupAttribute */
const NLB_TARGET_GROUP_ATTRIBUTES: readonly string[] = [
  ...TARGET_GROUP_KEYS,
  'load_balancing.cross_zone.enabled',
  'target_group_health.dns_failover.minimum_healthy_targets.percentage',
  'target_group_health.unhealthy_state_routing.minimum_healthy_targets.count',
  'target_group_health.unhealthy_state_routing.minimum_healthy_targets.percentage',
];

/** The attribute that was meant by a key: those of AWS differ by more than two letters. */
function nearestAttribute(key: string, known: readonly string[]): string | undefined {
  return known.find((one) => editDistance(key.toLowerCase(), one) <= 2);
}

/** The attributes that are nearly known ones. */
function misspelt(keys: readonly string[], known: readonly string[], what: string): Finding[] {
  return keys.flatMap((key) => {
    const near = nearestAttribute(key, known);
    return near === undefined ? [] : [{ what: `attribute '${key}' ${what}`, remedy: `write ${near}`, value: key }];
  });
}

/** Attributes are what AWS knows. */
export const AWS_ATTRIBUTE_RULES: readonly Rule[] = [
  {
    id: 'misspelt-load-balancer-attribute',
    severity: 'error',
    effect: 'refused',
    says: 'misspelt load balancer attribute',
    source: LOAD_BALANCER_ATTRIBUTES,
    reads: [AWS_LBC.loadBalancerAttributes],
    judge(service) {
      const what = 'is not one of AWS, which leaves the balancer without listeners and without an address';
      return misspelt(unknownAttributes(annotationsOf(service)), KNOWN_ATTRIBUTES, what);
    },
  },
  {
    id: 'unknown-load-balancer-attribute',
    severity: 'warning',
    says: 'unknown load balancer attribute',
    source: LOAD_BALANCER_ATTRIBUTES,
    reads: [AWS_LBC.loadBalancerAttributes],
    judge(service) {
      const annotations = annotationsOf(service);
      return unknownAttributes(annotations)
        .filter((key) => nearestAttribute(key, KNOWN_ATTRIBUTES) === undefined)
        .map((key) => ({
          what: `attribute '${key}' is unknown here; one that AWS does not know leaves a balancer without listeners and without an address`,
          remedy: `check its spelling; known are ${KNOWN_ATTRIBUTES.join(', ')}`,
          value: key,
        }));
    },
  },
  {
    id: 'misspelt-target-group-attribute',
    severity: 'error',
    effect: 'refused',
    says: 'misspelt target group attribute',
    source: { ...AWS_ATTRIBUTES, file: 'APIReference/API_TargetGroupAttribute.html' },
    reads: [AWS_LBC.targetGroupAttributes, AWS_LBC.targetGroupAttributesPerPort],
    judge(service) {
      const annotations = annotationsOf(service);
      const ports = portsOf(service).map(({ port }) => String(port));
      const all = [
        AWS_LBC.targetGroupAttributes.on(annotations),
        ...ports.map((port) => AWS_LBC.targetGroupAttributesPerPort.on(annotations, { port })),
      ];
      const others = new Set(all.flatMap((one) => Object.keys(one?.additional ?? {})));
      const unknown = [...others].filter((key) => !NLB_TARGET_GROUP_ATTRIBUTES.includes(key));
      const what = 'is not one of AWS for target groups, which refuses it, so that the controller goes no further';
      return misspelt(unknown, NLB_TARGET_GROUP_ATTRIBUTES, what);
    },
  },
];

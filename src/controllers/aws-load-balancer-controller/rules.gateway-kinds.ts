import { kindRules } from './kinds';
import { LOAD_BALANCER_CONFIGURATION_FIELDS, TARGET_GROUP_CONFIGURATION_FIELDS } from './kinds.facts';

/** What the definition of the kind refuses or drops of the settings of a balancer. */
export const LOAD_BALANCER_CONFIGURATION_RULES = kindRules(
  {
    prefix: 'nlb-configuration',
    called: 'a LoadBalancerConfiguration',
    definition: 'gateway/gateway.k8s.aws_loadbalancerconfigurations.yaml',
    readFrom: '2.14.0',
  },
  () => LOAD_BALANCER_CONFIGURATION_FIELDS.spec,
);

/** The same of the settings of target groups. */
export const TARGET_GROUP_CONFIGURATION_RULES = kindRules(
  {
    prefix: 'target-group-configuration',
    called: 'a TargetGroupConfiguration',
    definition: 'gateway/gateway.k8s.aws_targetgroupconfigurations.yaml',
    readFrom: '2.13.3',
  },
  () => TARGET_GROUP_CONFIGURATION_FIELDS.spec,
);

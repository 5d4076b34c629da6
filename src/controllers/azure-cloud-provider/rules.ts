import type { Rule } from '../../rules/rule';
import { AZURE_ACCESS_RULES } from './access.rules';
import { AZURE_ADDRESS_RULES, AZURE_ONE_CHOICE } from './addresses.rules';
import { AZURE_BALANCER_RULES } from './balancer.rules';
import { AZURE_PRIVATE_LINK_ADDRESSES, AZURE_PRIVATE_LINK_RULES } from './private-link.rules';
import { AZURE_PROBE_RULES, AZURE_PROBE_WINDOW } from './probe.rules';

/** Rules that need no more than annotations: broken by options alone, they are so for every Service. */
export const AZURE_OPTION_RULES: readonly Rule[] = [AZURE_PROBE_WINDOW, AZURE_ONE_CHOICE, AZURE_PRIVATE_LINK_ADDRESSES];

/** The rules for Services of the Azure cloud provider. */
export const AZURE_RULES: readonly Rule[] = [
  ...AZURE_ADDRESS_RULES,
  ...AZURE_PROBE_RULES,
  ...AZURE_BALANCER_RULES,
  ...AZURE_ACCESS_RULES,
  ...AZURE_PRIVATE_LINK_RULES,
];

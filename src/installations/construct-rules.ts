import type { DescribedRule } from '../contract/rule';

const SAYS = {
  'controller-of-installation': 'options that the installation of a controller cannot serve',
  'controller-version': 'version of the AWS Load Balancer Controller that cannot be installed',
  'certificate-names': 'name in a certificate of webhooks that is not valid',
  'certificate-ca-bundle': 'CA bundle of webhooks that is missing or not an authority as PEM',
  'balancer-unknown': 'Service for a load balancer of Azure that is not configured',
  'advertisement-namespace': 'advertisement of MetalLB outside the namespace of its pools',
  'advertisement-without-pools': 'advertisement of MetalLB with an empty list of pools',
  'pool-of-controller': 'controller of a pool of MetalLB that asks for another pool',
  'order-construct': 'stage with something that is not a construct',
  'order-empty': 'stage without objects',
  'order-reversed': 'controller in a later stage than what it serves',
  'order-stage': 'construct in two stages',
  'order-late': 'object that was added after its stage was made',
  'order-wave': 'wave that is not a whole number',
} as const;

type ConstructRule = keyof typeof SAYS;

/** The rules that constructs are refused by, before there are objects: what these constructs can do is decided here. */
export const CONSTRUCT_RULES = Object.fromEntries(
  (Object.keys(SAYS) as ConstructRule[]).map((id) => [id, { id, severity: 'error', says: SAYS[id], source: 'ours' }]),
) as Readonly<Record<ConstructRule, DescribedRule>>;

export function refusal(ruleId: ConstructRule, sentence: string): Error {
  return new Error(`${sentence} (${CONSTRUCT_RULES[ruleId].id})`);
}

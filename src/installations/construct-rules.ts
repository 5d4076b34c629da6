import type { DescribedRule } from '../contract/rule';

const SAYS = {
  'controller-of-installation': 'the controller of an installation has only options that the installation can serve',
  'controller-version': 'the version of the AWS Load Balancer Controller can be installed',
  'certificate-names': 'a certificate of webhooks has names that fit into it, and a Secret with a name',
  'certificate-renewal': 'a certificate is renewed before it ends',
  'certificate-ca-bundle': 'a Secret with a certificate of webhooks comes with the authority that signed it, as PEM',
  'balancer-unknown': 'a Service asks for a balancer of Azure that is configured',
  'primary-vm-set': 'each balancer of Azure has a primary set of virtual machines of its own',
  'advertisement-namespace': 'an advertisement of MetalLB is in the namespace of its pools',
  'advertisement-without-pools': 'an advertisement of MetalLB that lists pools lists at least one',
  'pool-of-controller': 'a controller that is made for a pool of MetalLB asks for that pool',
  'order-construct': 'constructs are put in order',
  'order-empty': 'a stage has constructs, and these have objects',
  'order-reversed': 'a controller is in an earlier stage than what it serves',
  'order-stage': 'each construct is in one stage',
  'order-late': 'no object is added to a construct after its stage was made',
  'order-wave': 'a wave is a whole number',
} as const;

type ConstructRule = keyof typeof SAYS;

/** The rules that constructs are refused by, before there are objects: what these constructs can do is decided here. */
export const CONSTRUCT_RULES = Object.fromEntries(
  (Object.keys(SAYS) as ConstructRule[]).map((id) => [id, { id, severity: 'error', says: SAYS[id], source: 'ours' }]),
) as Readonly<Record<ConstructRule, DescribedRule>>;

/** The error of a construct that a rule refuses. */
export function refusal(ruleId: ConstructRule, sentence: string): Error {
  return new Error(`${sentence} (${CONSTRUCT_RULES[ruleId].id})`);
}

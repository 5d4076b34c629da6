import type { DescribedRule } from '../contract/rule-of';

/** What is told of props, certificates and stages of installations before there are objects to judge. */
export const INSTALLATION_FINDINGS: readonly DescribedRule[] = [
  {
    id: 'service-unwatched',
    severity: 'error',
    says: 'a Service stands in the namespace that its controller watches, where that watches only one',
  },
  {
    id: 'controller-of-installation',
    severity: 'error',
    says: 'the controller of an installation has only options that the installation can serve',
  },
  {
    id: 'controller-version',
    severity: 'error',
    says: 'the version of the AWS Load Balancer Controller is one that can be installed',
  },
  {
    id: 'certificate-names',
    severity: 'error',
    says: 'a certificate of webhooks has names that fit into it, and a Secret with a name',
  },
  { id: 'certificate-renewal', severity: 'error', says: 'a certificate is renewed before it ends' },
  {
    id: 'certificate-ca-bundle',
    severity: 'error',
    says: 'a Secret with a certificate of webhooks comes with the authority that signed it, as PEM',
  },
  { id: 'balancer-unknown', severity: 'error', says: 'a Service asks for a balancer of Azure that is configured' },
  {
    id: 'primary-vm-set',
    severity: 'error',
    says: 'each balancer of Azure has a primary set of virtual machines of its own',
  },
  {
    id: 'advertisement-namespace',
    severity: 'error',
    says: 'an advertisement of MetalLB stands in the namespace of its pools',
  },
  {
    id: 'advertisement-without-pools',
    severity: 'error',
    says: 'an advertisement of MetalLB that lists pools lists some',
  },
  {
    id: 'pool-of-controller',
    severity: 'error',
    says: 'a controller that is made for a pool of MetalLB asks for that pool',
  },
  { id: 'order-construct', severity: 'error', says: 'constructs are what is put in order' },
  { id: 'order-empty', severity: 'error', says: 'a stage has constructs, and these have objects' },
  { id: 'order-reversed', severity: 'error', says: 'what serves others is in a stage before theirs' },
  { id: 'order-stage', severity: 'error', says: 'each construct is in one stage' },
  { id: 'order-late', severity: 'error', says: 'no object is added to a construct after its stage was made' },
  { id: 'order-wave', severity: 'error', says: 'a wave is a whole number' },
];

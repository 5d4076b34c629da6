import { type KnownService, modelCaseOf } from '../../src/lifecycle/changes';

const OWN = 'service.k8s.aws/resources';
const CLEANUP = 'service.kubernetes.io/load-balancer-cleanup';
const AWS: KnownService = {
  ...{ owner: 'aws-load-balancer-controller', hasClass: true, finalizers: [OWN], own: [OWN] },
  writer: 'files',
};

function said(known: KnownService): string | undefined {
  const found = modelCaseOf(known);
  return found && [found.owner.versions, found.besides.join('+'), found.policy, found.writers.join('+')].join(' | ');
}

test.each<[title: string, known: KnownService, expected: string | undefined]>([
  [
    'files, and nothing is known of the cluster',
    AWS,
    'by class | alone+service controller | declared | client-apply+server-apply',
  ],
  [
    'a cloud with its service controller',
    { ...AWS, controllers: ['aws-load-balancer-controller', 'cloud-provider-aws'] },
    'by class | service controller | declared | client-apply+server-apply',
  ],
  [
    'a cluster without one',
    { ...AWS, controllers: ['aws-load-balancer-controller'] },
    'by class | alone | declared | client-apply+server-apply',
  ],
  [
    'claimed by annotation',
    { ...AWS, hasClass: false, controllers: ['aws-load-balancer-controller'], finalizers: [] },
    'by annotation | alone | left | client-apply+server-apply',
  ],
  [
    'an operator that strips',
    { ...AWS, finalizers: [], writer: 'strips', controllers: [] },
    'by class | alone | left | put',
  ],
  [
    'an operator of an unknown version',
    { ...AWS, finalizers: [], writer: 'unknown', controllers: [] },
    'by class | alone | left | server-apply+put',
  ],
  [
    'the finalizer of the service controller, which removes it where it runs',
    { ...AWS, finalizers: [CLEANUP], writer: 'keeps', controllers: ['cloud-provider-aws'] },
    'by class | service controller | wrong | server-apply',
  ],
  [
    'a finalizer that none removes',
    { ...AWS, finalizers: ['example.com/hold'], writer: 'keeps', controllers: ['cloud-provider-aws'] },
    'by class | alone | wrong | server-apply',
  ],
  [
    'the service controller of a cloud, beside another one',
    {
      ...AWS,
      owner: 'cloud-provider-aws',
      hasClass: false,
      own: [CLEANUP],
      controllers: ['cloud-provider-aws', 'aws-load-balancer-controller'],
    },
    'service controller from Kubernetes 1.16 | AWS Load Balancer Controller | wrong | client-apply+server-apply',
  ],
  [
    'a finalizer that none removes, on an owner that the model has beside the service controller alone',
    { ...AWS, owner: 'gke', own: [], finalizers: ['example.com/hold'], writer: 'keeps' },
    'by class |  | wrong | server-apply',
  ],
  ['an owner that the model does not have', { ...AWS, owner: 'my-controller' }, undefined],
])('%s', (_, known, expected) => {
  expect(said(known)).toBe(expected);
});

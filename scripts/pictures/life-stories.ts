import { LOAD_BALANCER_CLEANUP_FINALIZER } from '../../src/contract/kubernetes.facts';
import { AWS_LBC_FINALIZER } from '../../src/controllers/aws-load-balancer-controller/annotations';
import type { LifePanel } from './life-picture';
import { momentsOf } from './life-scenes';

const NLB = 'Network Load Balancer';

const AWS = 'aws-load-balancer-controller';
const STRIMZI = {
  ...({ owner: AWS, versions: 'by class', beside: 'service controller', writer: 'put' } as const),
  names: {
    own: AWS_LBC_FINALIZER,
    other: LOAD_BALANCER_CLEANUP_FINALIZER,
    service: 'kafka/external',
    owner: 'the AWS controller',
    writer: 'Strimzi',
  },
} as const;

/** The operator that writes whole objects, and what becomes of a balancer. */
export function finalizersStory(): LifePanel[] {
  const both = { finalizer: AWS_LBC_FINALIZER, balancer: NLB };
  return [
    {
      ...both,
      heading: 'Before: the listener declares the finalizer of another controller',
      moments: momentsOf({
        ...STRIMZI,
        policy: 'wrong',
        steps: [
          'put.creates',
          `${AWS}.reads*`,
          `${AWS}.marks`,
          `${AWS}.creates*`,
          `${AWS}.publishes*`,
          'put.writes',
          'user.deletes',
          'delete.marks*',
          'beside-service-controller.removes',
        ],
      }),
    },
    {
      ...both,
      heading: 'After: the listener declares it, and Strimzi strips nothing',
      moments: momentsOf({
        ...STRIMZI,
        policy: 'declared',
        steps: [
          'put.creates',
          `${AWS}.reads-its-own*`,
          `${AWS}.creates`,
          `${AWS}.publishes*`,
          'user.deletes',
          'delete.marks*',
          `${AWS}.releases*`,
          `${AWS}.deletes`,
          `${AWS}.unmarks`,
        ],
      }),
    },
  ];
}

/** What Kubernetes' own finalizer changed about a service controller that is down. */
export function cleanupStory(): LifePanel[] {
  const names = {
    own: LOAD_BALANCER_CLEANUP_FINALIZER,
    other: 'another',
    service: 'web/nginx',
    owner: 'the service controller',
    writer: 'a user',
  };
  const both = { finalizer: LOAD_BALANCER_CLEANUP_FINALIZER, balancer: 'load balancer' };
  const old = 'service-controller-before-kep-980';
  return [
    {
      ...both,
      heading: 'Before KEP-980: Kubernetes 1.14 and older',
      moments: momentsOf({
        owner: 'service-controller',
        versions: 'Kubernetes before 1.15',
        writer: 'create',
        policy: 'left',
        faults: ['crash'],
        names,
        steps: [
          'create.creates',
          `${old}.reads*`,
          `${old}.creates`,
          'owner.crashes',
          'user.deletes',
          'delete.decides*',
          'delete.removes*',
          'owner.starts-without',
        ],
      }),
    },
    {
      ...both,
      heading: 'With it: Kubernetes 1.16 and newer',
      moments: momentsOf({
        owner: 'cloud-provider-aws',
        writer: 'create',
        policy: 'left',
        faults: ['crash'],
        names,
        steps: [
          'create.creates',
          'service-controller.reads*',
          'service-controller.marks',
          'service-controller.creates',
          'service-controller.publishes*',
          'owner.crashes',
          'user.deletes',
          'delete.marks*',
          'owner.starts',
          'service-controller.releases*',
          'service-controller.deletes',
          'service-controller.unmarks',
        ],
      }),
    },
    {
      finalizer: LOAD_BALANCER_CLEANUP_FINALIZER,
      balancer: 'address of MetalLB',
      heading: 'Copied to a cluster where no controller takes it off',
      moments: momentsOf({
        owner: 'metallb',
        writer: 'create',
        policy: 'wrong',
        names: { ...names, owner: 'MetalLB', own: 'none', other: LOAD_BALANCER_CLEANUP_FINALIZER },
        shown: 'other',
        steps: [
          'create.creates',
          'metallb.reads*',
          'metallb.creates',
          'metallb.publishes*',
          'user.deletes',
          'delete.marks*',
        ],
      }),
    },
  ];
}

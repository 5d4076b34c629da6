import { AwsLoadBalancerController } from '../../../src';
import type { Json } from '../../../src/contract/json';
import { type ClaimRow, service } from '../../support/cases';
import { key } from './aws.words';

type Owner = 'aws-load-balancer-controller' | 'cloud-provider-aws' | 'eks-auto-mode';

const withClass = (loadBalancerClass: string, annotations: Record<string, string> = {}) =>
  service({ loadBalancerClass }, annotations);
const external = (more: Record<string, string>) => service({}, { [key('type')]: 'external', ...more });

const LBC = 'aws-load-balancer-controller';
const CCM = 'cloud-provider-aws';
const AUTO = 'eks-auto-mode';

/**
 * Which of the controllers of AWS claim a Service where they run. On EKS Auto Mode a Service without a class is given
 * one when it is created, so that whatever its annotations say, it is claimed there.
 */
const TABLE: readonly (readonly [title: string, service: Json, owners: readonly Owner[]])[] = [
  ['the class of the load balancer controller', withClass('service.k8s.aws/nlb'), [LBC]],
  [
    'the class of the load balancer controller, whatever the type says',
    withClass('service.k8s.aws/nlb', { [key('type')]: 'nlb' }),
    [LBC],
  ],
  ['a class of its own for a second installation', withClass('example.com/nlb'), []],
  ['the class of EKS Auto Mode', withClass('eks.amazonaws.com/nlb'), [AUTO]],
  [
    'the class of EKS Auto Mode, whatever the type says',
    withClass('eks.amazonaws.com/nlb', { [key('type')]: 'nlb-ip' }),
    [AUTO],
  ],
  ['type external with ip targets', external({ [key('nlb-target-type')]: 'ip' }), [LBC, AUTO]],
  ['type external with instance targets', external({ [key('nlb-target-type')]: 'instance' }), [LBC, AUTO]],
  ['type nlb-ip', service({}, { [key('type')]: 'nlb-ip' }), [LBC, AUTO]],
  ['type external without a target type', external({}), [AUTO]],
  ['type external with an unknown target type', external({ [key('nlb-target-type')]: 'pod' }), [AUTO]],
  ['type nlb', service({}, { [key('type')]: 'nlb' }), [CCM, AUTO]],
  ['nothing said', service(), [CCM, AUTO]],
  ['a class that nobody serves', withClass('example.com/nobody'), []],
];

/** The decision table as one controller sees it. facts: ownership.by_spec */
export function claimsOf(owner: Owner): ClaimRow[] {
  return TABLE.map(([title, seen, owners]) => ({
    title,
    service: seen,
    claimed: owners.includes(owner) ? 'yes' : 'no',
  }));
}

const webhook = () => AwsLoadBalancerController.nlb({ serviceMutatorWebhook: true });
const second = () => AwsLoadBalancerController.nlb({ loadBalancerClass: 'example.com/nlb' });

/** What the options of the load balancer controller change. */
export const lbcInstallations: ClaimRow[] = [
  {
    title: 'a class of its own, installed for it',
    service: withClass('example.com/nlb'),
    controller: second,
    claimed: 'yes',
  },
  {
    title: 'the default class, installed for another',
    service: withClass('service.k8s.aws/nlb'),
    controller: second,
    claimed: 'no',
  },
  { title: 'nothing said where the webhook is on', service: service(), controller: webhook, claimed: 'yes' },
  {
    title: 'type nlb where the webhook is on',
    service: service({}, { [key('type')]: 'nlb' }),
    controller: webhook,
    claimed: 'yes',
  },
  {
    title: 'type external without a target type where the webhook is on',
    service: external({}),
    controller: webhook,
    claimed: 'yes',
  },
  {
    title: 'the class of EKS Auto Mode where the webhook is on',
    service: withClass('eks.amazonaws.com/nlb'),
    controller: webhook,
    claimed: 'no',
  },
];

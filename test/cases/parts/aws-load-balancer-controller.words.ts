import {
  AwsLoadBalancerController,
  type AwsLoadBalancerControllerNlbOptions,
  LoadBalancerScheme,
  NlbIpAddressType,
  NlbTargetType,
  NodePool,
  PortProtocol,
} from '../../../src';
import { key } from './aws.words';

export const nlb = (options?: AwsLoadBalancerControllerNlbOptions) => () => AwsLoadBalancerController.nlb(options);
export const ip = nlb({ targetType: NlbTargetType.IP });
export const edge = NodePool.labeled({ pool: 'edge' });
export const INTERNET_FACING = LoadBalancerScheme.INTERNET_FACING;
export const UDP = { port: 53, protocol: PortProtocol.UDP };
export const TCP_AND_UDP = {
  ports: [
    { port: 53, name: 'tcp' },
    { port: 53, name: 'udp', protocol: PortProtocol.UDP },
  ],
};

/** The annotations that every plan has. */
export const plain = (more: Record<string, string> = {}) => ({
  [key('scheme')]: 'internal',
  [key('nlb-target-type')]: 'instance',
  ...more,
});
export const plainIp = (more: Record<string, string> = {}) => plain({ [key('nlb-target-type')]: 'ip', ...more });

/** A certificate of ACM. */
export const ARN = 'arn:aws:acm:eu-west-1:1:certificate/a';
export const DUALSTACK = { ipAddressType: NlbIpAddressType.DUALSTACK };

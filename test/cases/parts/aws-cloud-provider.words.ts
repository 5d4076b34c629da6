import { AwsCloudProvider, LoadBalancerScheme, NodePool } from '../../../src';
import { ONE_PORT } from '../../support/cases';
import { key } from './aws.words';

export const nlb = () => AwsCloudProvider.nlb();
export const classic = () => AwsCloudProvider.classic();
export const edge = NodePool.labeled({ pool: 'edge' });
export const NLB = { [key('type')]: 'nlb' };
export const INTERNAL = { [key('internal')]: 'true' };
export const PUBLIC = { [key('internal')]: 'false' };
export const PUBLIC_PORT = { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNET_FACING };
export const CLASSIC = { kind: 'classic' };

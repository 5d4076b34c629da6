import { AzureCloudProvider, LoadBalancerScheme, PortProtocol } from '../../../src';
import { ONE_PORT, service } from '../../support/cases';

// What the rows about Azure have in common.

export const key = (name: string) => `service.beta.kubernetes.io/${name}`;
export const keys = (annotations: Record<string, string>) =>
  Object.fromEntries(Object.entries(annotations).map(([name, value]) => [key(name), value]));

export const standard = () => AzureCloudProvider.standard();
export const multiple = () => AzureCloudProvider.multipleStandard({ configurations: ['lb-2', 'lb-3'] });
export const basic = () => AzureCloudProvider.basic();

export const publicly = { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNET_FACING };
export const internal = keys({ 'azure-load-balancer-internal': 'true' });
export const VM_SET = 'pool-1-availabilitySet-27255451';
export const UDP = { port: 53, protocol: PortProtocol.UDP };
export const SCTP = { port: 132, protocol: PortProtocol.SCTP };

/** A Service with annotations, by their names without the prefix. */
export const annotated = (annotations: Record<string, string>, spec = {}) => service(spec, keys(annotations));

/** The same with traffic policy Local. */
export const local = (annotations: Record<string, string>, spec = {}) =>
  annotated(annotations, { externalTrafficPolicy: 'Local', ...spec });

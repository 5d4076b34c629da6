import { Gke, GkeLoadBalancerGeneration, PortProtocol } from '../../../src';
import { service } from '../../support/cases';

// What the rows about GKE have in common.

export const net = (name: string) => `networking.gke.io/${name}`;
export const cloud = (name: string) => `cloud.google.com/${name}`;
export const CLEANUP = 'service.kubernetes.io/load-balancer-cleanup';
export const EXTERNAL = net('l4-regional-external');
export const INTERNAL = net('l4-regional-internal');
export const UDP_AND_TCP = [{ port: 53, protocol: PortProtocol.UDP }, { port: 53 }];
export const LEGACY = { generation: GkeLoadBalancerGeneration.LEGACY };
export const legacy = () => Gke.passthrough(LEGACY);
export const classed = (loadBalancerClass: string, annotations = {}, metadata = {}, spec = {}) =>
  service({ loadBalancerClass, ...spec }, annotations, metadata);

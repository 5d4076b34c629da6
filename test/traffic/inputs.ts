import { Confidence } from '../../src/contract/kubernetes.facts';
import {
  BalancerChoice,
  BalancerTarget,
  ClientAddressMeans,
  type LoadBalancerModel,
} from '../../src/contract/load-balancer-model';
import { TrafficPolicy } from '../../src/contract/options';
import type { ServiceTraffic, TrafficInput, TrafficNode, TrafficPod } from '../../src/traffic/input';
import { casesIn } from '../support/yaml-cases';

// Small clusters to compute with.

export const SERVICE: ServiceTraffic = casesIn(__dirname, 'inputs.yaml').service;

export const LOCAL: ServiceTraffic = { ...SERVICE, externalTrafficPolicy: TrafficPolicy.LOCAL };

/** A balancer of no vendor, with node ports as targets. */
export function balancer(more: Partial<LoadBalancerModel> = {}): LoadBalancerModel {
  return {
    product: 'acme/balancer',
    name: 'Acme Balancer',
    target: BalancerTarget.NODE_PORT,
    choice: BalancerChoice.EVEN,
    clientAddress: ClientAddressMeans.SOURCE,
    listeners: 1,
    publicAddresses: { count: 1, perZone: false },
    limits: [],
    source: { repository: 'acme/balancer', version: 'v1', file: 'README.md' },
    confidence: Confidence.SOURCE,
    ...more,
  };
}

/** The health check of policy Local. */
export const SERVICE_HEALTH = {
  answeredBy: 'kube-proxy-of-service',
  protocol: 'HTTP',
  port: 'healthCheckNodePort',
  path: '/healthz',
} as const;

/** Nodes `a1 b1 b2`: the letter is the zone. Without zones where the first letter is n. */
export function nodes(names: string, more: Partial<TrafficNode> = {}): TrafficNode[] {
  return names.split(' ').map((name) => ({
    name,
    ...(name.startsWith('n') ? {} : { zone: name[0] }),
    labels: {},
    taints: [],
    ready: true,
    excluded: false,
    ...more,
  }));
}

/** Pods, one on each of the nodes that are named: `a1 a1 b2`. */
export function pods(on: string, more: Partial<TrafficPod> = {}): TrafficPod[] {
  return on.split(' ').map((node, index) => ({ name: `pod-${index}`, node, ready: true, terminating: false, ...more }));
}

export function input(more: Partial<TrafficInput> = {}): TrafficInput {
  return { service: SERVICE, balancer: balancer(), nodes: nodes('n1 n2 n3'), pods: pods('n1 n2 n2'), ...more };
}

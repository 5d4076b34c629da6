import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { rememberAsMade } from '../guard/fence';
import { type TargetSettings, targetProperties } from './aws-network-load-balancer.documents';
import { AWS_GATEWAY_VERSION } from './aws-network-load-balancer.facts';
import type { BalancerAsk } from './shared-engine';

/**
 * Says for every Service without words of its own that its pods are the targets, so that a route to one that nobody
 * attached freezes no balancer. It refers to no Service: the controller takes it as a default then alone.
 *
 * @returns its name, in the namespace of the balancer
 */
export function defaultTargets(scope: Construct, { name, namespace }: BalancerAsk, settings: TargetSettings): string {
  const targets = `${name}-default-targets`;
  const made = {
    apiVersion: AWS_GATEWAY_VERSION,
    kind: 'TargetGroupConfiguration',
    metadata: { name: targets, namespace },
    spec: { defaultConfiguration: targetProperties(settings) },
  };
  rememberAsMade(new ApiObject(scope, 'DefaultTargets', made), made);
  return targets;
}

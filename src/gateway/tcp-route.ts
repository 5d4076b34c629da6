import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { definedOrNothing } from '../contract/json';
import { judgeProps } from '../rules/judge-props';
import { GATEWAY_API_VERSION, TCP_ROUTE_KIND } from './gateway.facts';
import type { GatewayBackendRef, GatewayParentRef } from './gateway-route-references';
import { judgeAtSynth } from './gateway-rule';
import { routeJson } from './route-json';
import { TCP_ROUTE_RULE_SET } from './route-rules';

/**
 * A route for whatever connects to a port.
 */
export interface TcpRouteProps {
  /**
   * The name of the route.
   *
   * @default - made by cdk8s from the construct path
   */
  readonly name?: string;

  /**
   * The namespace of the route.
   *
   * @default - the one of the chart
   */
  readonly namespace?: string;

  /**
   * The Gateways and ListenerSets that the route attaches to. Name the listener: without `sectionName` the route takes every
   * TCP port of its parent.
   */
  readonly parentRefs: GatewayParentRef[];

  /** The Services that connections go to, at least one. */
  readonly backendRefs: GatewayBackendRef[];

  /**
   * Annotations of the route.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Labels of the route.
   *
   * @default - those of the chart
   */
  readonly labels?: { [key: string]: string };
}

/**
 * A route for whatever connects to a port. TCP has nothing to distinguish connections by: of two routes at one listener, the
 * older one gets them all. Its version `v1` needs the CRDs of Gateway API 1.6 or newer.
 *
 * @see https://gateway-api.sigs.k8s.io/guides/tcp/
 */
export class TcpRoute extends ApiObject {
  /**
   * A route.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what it says
   */
  public constructor(scope: Construct, id: string, props: TcpRouteProps) {
    judgeProps(scope, id, 'TcpRouteProps', props);
    const { name, namespace, annotations, labels, parentRefs, backendRefs } = props;
    super(scope, id, {
      apiVersion: GATEWAY_API_VERSION,
      kind: TCP_ROUTE_KIND,
      metadata: definedOrNothing({ name, namespace, annotations, labels }),
      spec: routeJson(parentRefs, backendRefs),
    });
    judgeAtSynth(this, TCP_ROUTE_RULE_SET);
  }
}

import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { definedOrNothing } from '../contract/json';
import { judgeProps } from '../rules/judge-props';
import { GATEWAY_API_VERSION, TLS_ROUTE_KIND } from './gateway.facts';
import type { GatewayBackendRef, GatewayParentRef } from './gateway-route-references';
import { judgeAtSynth } from './gateway-rule';
import { routeJson } from './route-json';
import { TLS_ROUTE_RULE_SET } from './route-rules';

/**
 * A route by the name of the server that TLS clients ask for.
 */
export interface TlsRouteProps {
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

  /** The Gateways and ListenerSets that the route attaches to. */
  readonly parentRefs: GatewayParentRef[];

  /**
   * The names of the server that the route is for, at least one; `*.example.com` stands for every name below
   * `example.com`. Where two routes have one name, the older one gets its connections.
   */
  readonly hostnames: string[];

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
 * A route by the name of the server that TLS clients ask for (SNI). Its version `v1` needs the CRDs of Gateway API 1.5 or
 * newer.
 *
 * @see https://gateway-api.sigs.k8s.io/api-types/tlsroute/
 */
export class TlsRoute extends ApiObject {
  /**
   * A route.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what it says
   */
  public constructor(scope: Construct, id: string, props: TlsRouteProps) {
    judgeProps(scope, id, 'TlsRouteProps', props);
    const { name, namespace, annotations, labels, parentRefs, hostnames, backendRefs } = props;
    super(scope, id, {
      apiVersion: GATEWAY_API_VERSION,
      kind: TLS_ROUTE_KIND,
      metadata: definedOrNothing({ name, namespace, annotations, labels }),
      spec: { ...routeJson(parentRefs, backendRefs), hostnames },
    });
    judgeAtSynth(this, TLS_ROUTE_RULE_SET);
  }
}

import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../contract/json';
import { validateProps } from '../rules/warnings';
import { GATEWAY_GROUP, REFERENCE_GRANT_KIND, TCP_ROUTE_KIND, TLS_ROUTE_KIND } from './gateway.facts';
import { parentRefJson } from './gateway-json';
import { gatewayObject, validateAtSynth } from './gateway-rule';
import { REFERENCE_GRANT_RULE_SET } from './gateway-rules';
import type { ReferenceGrantProps, TcpRouteProps, TlsRouteProps } from './options';
import { TCP_ROUTE_RULE_SET, TLS_ROUTE_RULE_SET } from './route-rules';

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
   * @param props what it says
   */
  public constructor(scope: Construct, id: string, props: TcpRouteProps) {
    validateProps(scope, id, 'TcpRouteProps', props);
    super(scope, id, gatewayObject(TCP_ROUTE_KIND, props, routeJson(props)));
    validateAtSynth(this, TCP_ROUTE_RULE_SET);
  }
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
   * @param props what it says
   */
  public constructor(scope: Construct, id: string, props: TlsRouteProps) {
    validateProps(scope, id, 'TlsRouteProps', props);
    super(scope, id, gatewayObject(TLS_ROUTE_KIND, props, { ...routeJson(props), hostnames: props.hostnames }));
    validateAtSynth(this, TLS_ROUTE_RULE_SET);
  }
}

/**
 * Common fields of the specifications of all routes. Lists of rules are atomic: defaults that the API server adds within
 * them would look like changes of others to tools that compare or apply, so they are written out.
 */
function routeJson({ parentRefs, backendRefs }: TcpRouteProps | TlsRouteProps): Json {
  return {
    parentRefs: parentRefs.map(({ gateway, sectionName }) => parentRefJson(gateway, sectionName)),
    rules: [
      {
        backendRefs: backendRefs.map(({ name, namespace, port, weight = 1 }) => ({
          group: '',
          kind: 'Service',
          name,
          namespace,
          port,
          weight,
        })),
      },
    ],
  };
}

/**
 * Lets routes of another namespace lead to Services of this one, or Gateways elsewhere use its certificates. Without a grant
 * such a reference is refused in the status of the route alone. To attach a route to a Gateway takes none: that is what its
 * listeners admit.
 *
 * @see https://gateway-api.sigs.k8s.io/api-types/referencegrant/
 */
export class ReferenceGrant extends ApiObject {
  /**
   * A grant.
   *
   * @param props what it says
   */
  public constructor(scope: Construct, id: string, props: ReferenceGrantProps) {
    validateProps(scope, id, 'ReferenceGrantProps', props);
    const spec = {
      from: props.fromKinds.map(({ group = GATEWAY_GROUP, kind, namespace }) => ({ group, kind, namespace })),
      to: props.toKinds.map(({ group = '', kind, name }) => ({ group, kind, name })),
    };
    super(scope, id, gatewayObject(REFERENCE_GRANT_KIND, props, spec));
    validateAtSynth(this, REFERENCE_GRANT_RULE_SET);
  }
}

import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../contract/late-rendering';
import { GATEWAY_API_VERSION, TLS_ROUTE_KIND } from './gateway.facts';
import { saidAtAll } from './gateway-json';
import { judgeAtSynth } from './gateway-rule';
import type { IGateway } from './i-gateway';
import { parentRefJson } from './parent-ref';
import { TLS_ROUTE_RULES } from './tls-route-rules';

/**
 * A Gateway that a route attaches to.
 */
export interface GatewayParentRef {
  /** The Gateway. */
  readonly gateway: IGateway;

  /**
   * The name of the listener.
   *
   * @default - every listener that takes the route
   */
  readonly sectionName?: string;
}

/**
 * A Service that a route leads to.
 */
export interface GatewayBackendRef {
  /** The name of the Service. */
  readonly name: string;

  /** The port of the Service. */
  readonly port: number;

  /**
   * The namespace of the Service. Another one than that of the route needs a ReferenceGrant there.
   *
   * @default - the one of the route
   */
  readonly namespace?: string;

  /**
   * Its share of the connections, in proportion to the other backends.
   *
   * @default 1
   */
  readonly weight?: number;
}

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

  /** The Gateways that the route attaches to. */
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
    const { name, namespace, annotations, labels, parentRefs, hostnames, backendRefs } = props;
    super(scope, id, {
      apiVersion: GATEWAY_API_VERSION,
      kind: TLS_ROUTE_KIND,
      metadata: saidAtAll({ name, namespace, annotations, labels }),
      spec: {
        parentRefs: parentRefs.map(({ gateway, sectionName }) => parentRefJson(gateway, sectionName)),
        hostnames,
        rules: [{ backendRefs: backendRefs.map(backendJson) }],
      },
    });
    judgeAtSynth(this, TLS_ROUTE_RULES);
  }
}

function backendJson({ name, namespace, port, weight }: GatewayBackendRef): Json {
  return { name, namespace, port, weight };
}
